// NpyFile: files as views.
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/stat.h>
#endif

namespace {

using npy_support::bytes_of;
using npy_support::expect_error;
using npy_support::file_of;
using npy_support::kForeign;
using npy_support::kNative;
using npy_support::quoted;
using strided::Dims;
using strided::ErrorCode;
using strided::NpyFile;
using strided::NpyMemory;
using strided::StridedView;

class NpyFileTest : public npy_support::NpyFiles {};

const std::vector<float> kSix{0.0F, 1.5F, -2.0F, 3.0F, 4.0F, 1e30F};

TEST_F(NpyFileTest, ViewsTheElementsWithoutCopying) {
  const auto file_path =
      write("a.npy", file_of(1, quoted(kNative + "f4"), false, "(2, 3)", bytes_of(kSix)));
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    const NpyFile file = NpyFile::open(file_path, memory);
    const StridedView<const float> view = file.view<float>();
    EXPECT_EQ(view.shape(), (Dims{2, 3}));
    EXPECT_EQ(view(0, 1), 1.5F);
    EXPECT_EQ(view(1, 2), 1e30F);
    EXPECT_EQ(static_cast<const void*>(view.storage().data()),
              static_cast<const void*>(file.data().data()));
    EXPECT_EQ(file.data().size(), 24U);
#if __has_include(<sys/mman.h>)
    EXPECT_EQ(file.is_mapped(), memory == NpyMemory::mapped);
#endif
  }
}

TEST_F(NpyFileTest, FortranOrderIsStrides) {
  const NpyFile file = NpyFile::open(
      write("f.npy", file_of(1, quoted(kNative + "f4"), true, "(2, 3)", bytes_of(kSix))));
  const StridedView<const float> view = file.view<float>();
  EXPECT_EQ(view.strides(), (Dims{1, 2}));
  EXPECT_EQ(view(1, 0), 1.5F);
  EXPECT_EQ(view(0, 1), -2.0F);
}

TEST_F(NpyFileTest, ScalarsAndEmptyArrays) {
  const NpyFile scalar = NpyFile::open(write("s.npy", file_of(1, "'|u1'", false, "()", "x")));
  EXPECT_EQ(scalar.view<std::uint8_t>().rank(), 0);
  EXPECT_EQ(scalar.view<std::uint8_t>()(), 'x');
  for (const bool fortran : {false, true}) {
    const NpyFile empty =
        NpyFile::open(write("e.npy", file_of(1, quoted(kNative + "i8"), fortran, "(3, 0, 4)", "")));
    EXPECT_EQ(empty.shape(), (Dims{3, 0, 4}));
    EXPECT_TRUE(empty.view<std::int64_t>().empty());
    EXPECT_TRUE(empty.data().empty());
  }
}

TEST_F(NpyFileTest, VersionsAndBytesBehindTheArray) {
  for (const int version : {1, 2, 3}) {
    const NpyFile file =
        NpyFile::open(write("v.npy", file_of(version, quoted(kNative + "i2"), false, "(2,)",
                                             bytes_of(std::vector<std::int16_t>{7, -8, 99}))));
    EXPECT_EQ(file.view<std::int16_t>().size(), 2);
    EXPECT_EQ(file.view<std::int16_t>()(1), -8);
    EXPECT_EQ(file.view<std::int16_t>().storage().size(), 2U);
  }
}

// A header without padding leaves the elements at an odd address.
TEST_F(NpyFileTest, ElementsAtOddAddressesAreRead) {
  std::string text = file_of(1, quoted(kNative + "f4"), false, "(2, 3)", bytes_of(kSix), 1);
  while ((text.size() - 24) % 4 == 0) {
    text = file_of(1, quoted(kNative + "f4") + std::string(text.size() % 7 + 1, ' '), false,
                   "(2, 3)", bytes_of(kSix), 1);
  }
  const NpyFile file = NpyFile::open(write("odd.npy", text));
  EXPECT_NE(file.header().data_begin % 4, 0);
  EXPECT_FALSE(file.is_mapped());
  EXPECT_EQ(file.view<float>()(1, 2), 1e30F);
}

TEST_F(NpyFileTest, ViewsOutliveAMove) {
  NpyFile first = NpyFile::open(write("a.npy", file_of(1, "'|u1'", false, "(3,)", "abc")));
  const StridedView<const std::uint8_t> view = first.view<std::uint8_t>();
  NpyFile second = std::move(first);
  EXPECT_EQ(view(2), 'c');
  NpyFile third = NpyFile::open(write("b.npy", file_of(1, "'|u1'", false, "(1,)", "z")));
  third = std::move(second);
  EXPECT_EQ(view(1), 'b');
  EXPECT_EQ(third.view<std::uint8_t>()(0), 'a');
}

struct Half {
  std::uint16_t bits;
};

TEST_F(NpyFileTest, TypesAreChecked) {
  const NpyFile floats = NpyFile::open(
      write("f.npy", file_of(1, quoted(kNative + "f4"), false, "(2, 3)", bytes_of(kSix))));
  expect_error(ErrorCode::unsupported, "not '" + kNative + "f8'",
               [&] { (void)floats.view<double>(); });
  expect_error(ErrorCode::unsupported, "not '" + kNative + "i4'",
               [&] { (void)floats.view<std::int32_t>(); });
  expect_error(ErrorCode::unsupported,
               "f.npy holds items of 4 bytes ('" + kNative + "f4'), not of 2",
               [&] { (void)floats.view_as<Half>(); });
  EXPECT_EQ(floats.view_as<std::uint32_t>()(0, 0), 0U);

  const NpyFile halves =
      NpyFile::open(write("h.npy", file_of(1, quoted(kNative + "f2"), false, "(2,)",
                                           bytes_of(std::vector<std::uint16_t>{0x3c00, 0x7e01}))));
  EXPECT_EQ(halves.view_as<Half>()(1).bits, 0x7e01);
  expect_error(ErrorCode::unsupported, "f2'", [&] { (void)halves.view<std::uint16_t>(); });

  const NpyFile complexes = NpyFile::open(
      write("c.npy", file_of(1, quoted(kNative + "c8"), false, "(3,)", bytes_of(kSix))));
  EXPECT_EQ(complexes.view<std::complex<float>>()(1), std::complex<float>(-2.0F, 3.0F));
}

TEST_F(NpyFileTest, BoolsAreBools) {
  const NpyFile good =
      NpyFile::open(write("b.npy", file_of(1, "'|b1'", false, "(2,)", std::string("\0\1", 2))));
  EXPECT_FALSE(good.view<bool>()(0));
  EXPECT_TRUE(good.view<bool>()(1));
  const NpyFile bad =
      NpyFile::open(write("x.npy", file_of(1, "'|b1'", false, "(2,)", std::string("\1\2", 2))));
  expect_error(ErrorCode::file_format, "view_as<std::uint8_t>() takes it",
               [&] { (void)bad.view<bool>(); });
  EXPECT_EQ(bad.view_as<std::uint8_t>()(1), 2);
}

TEST_F(NpyFileTest, WhatCannotBeReadIsNamed) {
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    expect_error(ErrorCode::file_access, "absent.npy: cannot be read: No such file",
                 [&] { (void)NpyFile::open(path("absent.npy"), memory); });
    expect_error(ErrorCode::file_access, "is no regular file",
                 [&] { (void)NpyFile::open(path(""), memory); });
    expect_error(ErrorCode::file_format, "empty.npy: not a .npy file",
                 [&] { (void)NpyFile::open(write("empty.npy", ""), memory); });
    expect_error(ErrorCode::file_format, "text.npy: not a .npy file",
                 [&] { (void)NpyFile::open(write("text.npy", "hello"), memory); });
    expect_error(ErrorCode::file_format, "z.npz: not a .npy file but a zip archive, perhaps .npz",
                 [&] { (void)NpyFile::open(write("z.npz", "PK\3\4"), memory); });
    expect_error(ErrorCode::file_format, "p.npy: not a .npy file (it has no NUMPY mark)",
                 [&] { (void)NpyFile::open(write("p.npy", "P"), memory); });
    expect_error(ErrorCode::file_format, "short.npy: an array of shape (9,)", [&] {
      (void)NpyFile::open(write("short.npy", file_of(1, "'|u1'", false, "(9,)", "abc")), memory);
    });
    expect_error(ErrorCode::unsupported, "objects.npy: its items are Python objects", [&] {
      (void)NpyFile::open(write("objects.npy", file_of(1, "'|O'", false, "(1,)", "x")), memory);
    });
    expect_error(ErrorCode::unsupported, "foreign.npy: its numbers are", [&] {
      (void)NpyFile::open(
          write("foreign.npy", file_of(1, quoted(kForeign + "i4"), false, "(1,)", "abcd")), memory);
    });
  }
}

#if __has_include(<sys/mman.h>)
// Opening one would wait for a writer.
TEST_F(NpyFileTest, PipesAreRefused) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_error(ErrorCode::file_access, "is no regular file",
               [&] { (void)NpyFile::open(path("pipe")); });
}
#endif

}  // namespace
