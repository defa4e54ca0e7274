// NpyWriter and write_npy: whole files or none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "interop/npy_support.hpp"
#include "strided/interop/npy.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/resource.h>

#include <csignal>
#endif

namespace {

using npy_support::expect_error;
using npy_support::file_of;
using npy_support::kNative;
using strided::Dims;
using strided::ErrorCode;
using strided::Layout;
using strided::NpyDtype;
using strided::NpyFile;
using strided::NpyMemory;
using strided::NpyWriter;
using strided::StridedView;

class NpyWriterTest : public npy_support::NpyFiles {};

// Byte for byte what numpy.save made of np.arange(3, dtype="u1") and of a 0-d array.
TEST_F(NpyWriterTest, WritesWhatNumPyWrites) {
  const std::vector<std::uint8_t> values{0, 1, 2};
  strided::write_npy(path("a.npy"), StridedView<const std::uint8_t>(values, {3}));
  EXPECT_EQ(read("a.npy"), std::string("\x93NUMPY\1\0\x76\0", 10) +
                               "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }" +
                               std::string(60, ' ') + "\n" + std::string("\0\1\2", 3));
  strided::write_npy(path("s.npy"), StridedView<const std::uint8_t>(values, Dims{}));
  EXPECT_EQ(read("s.npy"), std::string("\x93NUMPY\1\0\x76\0", 10) +
                               "{'descr': '|u1', 'fortran_order': False, 'shape': (), }" +
                               std::string(62, ' ') + "\n" + std::string(1, '\0'));
}

// A dtype filled in by hand, against what its descr says.
TEST_F(NpyWriterTest, RefusesADtypeThatContradictsItself) {
  const auto refused = [&](ErrorCode code, const std::string& part, const NpyDtype& dtype) {
    expect_error(code, part, [&] { NpyWriter(path("a.npy"), dtype, {3}); });
    expect_error(code, part, [&] { (void)strided::make_npy_header(dtype, {3}); });
  };
  const std::string four = kNative + "f4";
  refused(ErrorCode::file_format, "is of kind f and 4 bytes, not of kind f and 0", {four, 'f', 0});
  refused(ErrorCode::file_format, "not of kind f and -4", {four, 'f', -4});
  refused(ErrorCode::file_format, "not of kind i and 4", {four, 'i', 4});
  refused(ErrorCode::file_format, "NpyDtype", {"|V3', 'x': '", 'V', 3});
  refused(ErrorCode::file_format, "NpyDtype", {});
  EXPECT_TRUE(std::filesystem::is_empty(path("")));
}

// Who has the bytes of another machine's numbers may write them.
TEST_F(NpyWriterTest, WritesTheOtherByteOrder) {
  const std::string foreign = npy_support::kForeign;
  const std::vector<std::byte> bytes(12, std::byte{1});
  strided::write_npy(path("a.npy"), NpyDtype{foreign + "f4", 'f', 4}, {3}, bytes);
  EXPECT_NE(read("a.npy").find("'descr': '" + foreign + "f4'"), std::string::npos);
  const std::string fields = "[('a', '" + foreign + "i2'), ('b', '|u1')]";
  strided::write_npy(path("b.npy"), NpyDtype{fields, 'V', 3}, {4}, bytes);
  EXPECT_NE(read("b.npy").find(fields), std::string::npos);
  expect_error(ErrorCode::unsupported, "-endian", [&] { (void)NpyFile::open(path("a.npy")); });
}

// A view of such numbers would show others.
TEST_F(NpyWriterTest, ViewsNoNumbersOfTheOtherByteOrder) {
  const std::string foreign = npy_support::kForeign;
  const NpyWriter floats(path("a.npy"), NpyDtype{foreign + "f4", 'f', 4}, {3});
  expect_error(ErrorCode::unsupported,
               "holds items of type '" + foreign +
                   "f4', not of this machine's byte order; "
                   "view_as<T>() takes their bytes as they are",
               [&] { (void)floats.view<float>(); });
  EXPECT_EQ(floats.view_as<float>().size(), 3);
  const NpyWriter bytes(path("b.npy"), NpyDtype{foreign + "u1", 'u', 1}, {3});
  EXPECT_EQ(bytes.view<std::uint8_t>().size(), 3);
}

TEST_F(NpyWriterTest, RefusesAShapeOfNoArray) {
  const NpyDtype bytes = strided::npy_dtype_of<std::uint8_t>();
  expect_error(ErrorCode::negative_size, "shape[1] is -1", [&] {
    (void)strided::make_npy_header(bytes, {3, -1});
  });
  expect_error(ErrorCode::overflow, "", [&] {
    (void)strided::make_npy_header(bytes, {strided::kInt64Max, 3});
  });
}

template <class T>
class NpyRoundTrip : public npy_support::NpyFiles {};
using Types = testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                             std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                             double, long double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(NpyRoundTrip, Types);

template <class T>
T number(int i) {
  if constexpr (std::is_same_v<T, bool>) return i % 3 == 1;
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(i);
  if constexpr (!std::is_arithmetic_v<T>) return T(static_cast<typename T::value_type>(i));
}

TYPED_TEST(NpyRoundTrip, EveryTypeReadsBackWhatWasWritten) {
  const auto values = std::make_unique<TypeParam[]>(24);  // not a vector: there is vector<bool>
  for (int i = 0; i < 24; ++i) values[static_cast<std::size_t>(i)] = number<TypeParam>(i);
  const StridedView<TypeParam> all(std::span<TypeParam>(values.get(), 24), {2, 3, 4});
  for (const StridedView<TypeParam>& view :
       {all, all.permute({2, 0, 1}), all.flip(1), all.select(0, 1), all.slice(2, 0, 0)}) {
    strided::write_npy(this->path("t.npy"), view);
    const NpyFile file = NpyFile::open(this->path("t.npy"));
    const StridedView<const TypeParam> back = file.view<TypeParam>();
    ASSERT_EQ(back.shape(), view.shape());
    EXPECT_TRUE(std::equal(view.begin(), view.end(), back.begin()));
    EXPECT_TRUE(back.is_contiguous());
  }
}

TEST_F(NpyWriterTest, DataIsAlignedAndZero) {
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    const NpyWriter writer(path("a.npy"), NpyDtype::parse(kNative + "f8"), {3, 5}, false, memory);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(writer.data().data()) % 64, 0U);
    EXPECT_EQ(writer.data().size(), 120U);
    EXPECT_EQ(writer.is_mapped(), npy_support::kCanMap && memory == NpyMemory::mapped);
    EXPECT_TRUE(std::all_of(writer.data().begin(), writer.data().end(),
                            [](std::byte b) { return b == std::byte{0}; }));
  }
}

TEST_F(NpyWriterTest, NothingIsLeftWithoutACommit) {
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    write("a.npy", "before");
    {
      NpyWriter writer(path("a.npy"), NpyDtype::parse("|u1"), {1000}, false, memory);
      EXPECT_EQ(names().size(), 2U);
      std::fill(writer.data().begin(), writer.data().end(), std::byte{7});
      EXPECT_EQ(read("a.npy"), "before");
      NpyWriter moved = std::move(writer);
      EXPECT_EQ(moved.data()[999], std::byte{7});
    }
    EXPECT_EQ(read("a.npy"), "before");
    EXPECT_EQ(names(), std::vector<std::string>{"a.npy"});
  }
}

TEST_F(NpyWriterTest, ACommitReplacesTheFile) {
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    for (const bool flush_to_disk : {false, true}) {
      write("a.npy", "before");
      std::filesystem::permissions(path("a.npy"), std::filesystem::perms(0640));
      const auto permissions = std::filesystem::status(path("a.npy")).permissions();
      NpyWriter writer(path("a.npy"), NpyDtype::parse(kNative + "i4"), {2, 3}, true, memory);
      StridedView<std::int32_t> view = writer.view<std::int32_t>();
      EXPECT_EQ(view.strides(), (Dims{1, 2}));
      view(1, 2) = 42;
      writer.commit(flush_to_disk);
      const NpyFile file = NpyFile::open(path("a.npy"));
      EXPECT_TRUE(file.header().fortran_order);
      EXPECT_EQ(file.view<std::int32_t>()(1, 2), 42);
      EXPECT_EQ(file.view<std::int32_t>()(0, 0), 0);
      EXPECT_EQ(names(), std::vector<std::string>{"a.npy"});
      EXPECT_EQ(std::filesystem::status(path("a.npy")).permissions(), permissions);
    }
  }
}

// The name of a temporary that another program has just made is not taken from it.
TEST_F(NpyWriterTest, ATemporaryIsNoFileThatWasThere) {
  write("taken", "others'");
  EXPECT_FALSE(strided::detail::npy_create(path("taken")));
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(read("taken"), "others'");
  EXPECT_TRUE(strided::detail::npy_create(path("new")));
  EXPECT_EQ(read("new"), "");
}

TEST_F(NpyWriterTest, LinksAreFollowed) {
  write("real.npy", "before");
  std::error_code no_links;
  std::filesystem::create_symlink(path("real.npy"), path("link.npy"), no_links);
  if (no_links) GTEST_SKIP() << "no symbolic links here: " << no_links.message();
  const std::vector<float> values{1.0F};
  strided::write_npy(path("link.npy"), StridedView<const float>(values, {1}));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  EXPECT_EQ(NpyFile::open(path("real.npy")).view<float>()(0), 1.0F);
}

TEST_F(NpyWriterTest, WhatCannotBeWrittenIsRefused) {
  const NpyDtype type = NpyDtype::parse("|u1");
  expect_error(ErrorCode::file_access, "cannot be written: No such file",
               [&] { NpyWriter(path("absent/a.npy"), type, {1}); });
  expect_error(ErrorCode::file_access, "is no regular file",
               [&] { NpyWriter(path(""), type, {1}); });
  expect_error(ErrorCode::negative_size, "shape[0] is -1",
               [&] { NpyWriter(path("a"), type, {-1}); });
  expect_error(ErrorCode::overflow, "shape[1]", [&] {
    NpyWriter(path("a"), type, {strided::kInt64Max, 2});
  });
  expect_error(ErrorCode::overflow, "more bytes than fit", [&] {
    NpyWriter(path("a"), NpyDtype::parse(kNative + "f8"), {strided::kInt64Max / 2});
  });
  if (sizeof(std::size_t) == 4) {
    expect_error(ErrorCode::overflow, "does not fit a file",
                 [&] { NpyWriter(path("a"), type, {(std::int64_t{1} << 32) + 16}); });
  }
  EXPECT_TRUE(names().empty());
}

#if __has_include(<sys/mman.h>)
TEST_F(NpyWriterTest, DevicesAreNotReplaced) {
  expect_error(ErrorCode::file_access, "is no regular file",
               [] { NpyWriter("/dev/null", NpyDtype::parse("|u1"), {1}); });
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

// As on a full disk: the room is missed before a page is touched, not in the middle of writing.
TEST_F(NpyWriterTest, MissingRoomIsAnError) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 64 * 1024;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  write("a.npy", "before");
  expect_error(ErrorCode::file_access, "cannot be written: ", [&] {
    NpyWriter(path("a.npy"), NpyDtype::parse("|u1"), {1 << 20});
  });
  expect_error(ErrorCode::file_access, "cannot be written: ", [&] {
    NpyWriter writer(path("a.npy"), NpyDtype::parse("|u1"), {1 << 20}, false, NpyMemory::owned);
    writer.commit();
  });
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read("a.npy"), "before");
  EXPECT_EQ(names(), std::vector<std::string>{"a.npy"});
}
#endif

TEST_F(NpyWriterTest, CommitsOnce) {
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    NpyWriter writer(path("a.npy"), NpyDtype::parse("|u1"), {3}, false, memory);
    writer.commit();
    const std::string written = read("a.npy");
    expect_error(ErrorCode::file_access,
                 "NpyWriter::commit: " + path("a.npy").string() + " was committed before",
                 [&] { writer.commit(); });
    EXPECT_EQ(read("a.npy"), written);
    const NpyWriter taken = std::move(writer);
    EXPECT_EQ(names(), std::vector<std::string>{"a.npy"});
  }
}

// The bytes are let go by then: they are in the temporary file, and are not written again.
TEST_F(NpyWriterTest, ACommitThatFailedMayBeTriedAgain) {
  for (const NpyMemory memory : {NpyMemory::mapped, NpyMemory::owned}) {
    NpyWriter writer(path("a.npy"), NpyDtype::parse("|u1"), {3}, false, memory);
    for (std::uint8_t& element : writer.view<std::uint8_t>()) element = 7;
    std::filesystem::create_directory(path("a.npy"));  // a file does not replace it
    expect_error(ErrorCode::file_access, "a.npy: cannot be written: ", [&] { writer.commit(); });
    std::filesystem::remove(path("a.npy"));
    writer.commit();
    EXPECT_EQ(NpyFile::open(path("a.npy")).view<std::uint8_t>()(2), 7);
    std::filesystem::remove(path("a.npy"));
  }
}

TEST_F(NpyWriterTest, TypesAreChecked) {
  const NpyWriter writer(path("a.npy"), NpyDtype::parse(kNative + "f2"), {4});
  expect_error(ErrorCode::unsupported, "f2'", [&] { (void)writer.view<float>(); });
  expect_error(ErrorCode::unsupported, "f2'", [&] { (void)writer.view<std::int16_t>(); });
  expect_error(ErrorCode::unsupported, "2 bytes ('" + kNative + "f2'), not of 4",
               [&] { (void)writer.view_as<float>(); });
  EXPECT_EQ(writer.view_as<std::uint16_t>().size(), 4);
}

TEST_F(NpyWriterTest, BytesOfAnyType) {
  const std::string fields = "[('a', '" + kNative + "f4'), ('b', '|u1', (2,))]";
  const std::vector<std::byte> bytes(18, std::byte{9});
  strided::write_npy(path("r.npy"), NpyDtype::parse(fields), {3}, bytes, true);
  const NpyFile file = NpyFile::open(path("r.npy"));
  EXPECT_EQ(file.dtype().descr, fields);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), file.data().begin(), file.data().end()));
  expect_error(ErrorCode::size_mismatch, "18 bytes were given",
               [&] { strided::write_npy(path("r.npy"), NpyDtype::parse(fields), {4}, bytes); });
  EXPECT_EQ(NpyFile::open(path("r.npy")).shape(), Dims{3});
}

// The oldest format version that can say it.
TEST_F(NpyWriterTest, VersionIsTheOldestThatServes) {
  const auto version_of = [&](const std::string& descr, std::size_t bytes) {
    strided::write_npy(path("v.npy"), NpyDtype::parse(descr), {},
                       std::vector<std::byte>(bytes, std::byte{1}));
    const NpyFile file = NpyFile::open(path("v.npy"));
    EXPECT_EQ(file.dtype().descr, descr);
    EXPECT_EQ(file.header().data_begin % 64, 0);
    return file.header().version;
  };
  std::string many = "[";
  for (int i = 0; i < 5000; ++i) many += "('f" + std::to_string(i) + "', '|u1'), ";
  EXPECT_EQ(version_of("[('a', '|u1')]", 1), 1);
  EXPECT_EQ(version_of(many + "]", 5000), 2);
  EXPECT_EQ(version_of("[('\xc3\xa9', '|u1')]", 1), 3);
}

TEST_F(NpyWriterTest, HeadersOfEveryLength) {
  for (int length = 1; length < 200; ++length) {
    const std::string descr =
        "[('" + std::string(static_cast<std::size_t>(length), 'n') + "', '|u1')]";
    const std::string header = strided::make_npy_header(NpyDtype::parse(descr), {2, 3});
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.back(), '\n');
    EXPECT_EQ(npy_support::parse(header + std::string(6, 'x')).dtype.descr, descr);
  }
}

}  // namespace
