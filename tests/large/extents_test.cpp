// Few elements, far apart: distances in bytes and in elements that no 32-bit number holds, on both
// sides of 2^31 and 2^32.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/sparse.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::StridedView;

constexpr std::int64_t kFars[] = {std::int64_t{1} << 31, std::int64_t{1} << 32};
constexpr std::int64_t kRows = 4;
constexpr std::int64_t kColumns = 40;

struct Named {
  std::string name;
  Layout layout;
};

// Of kRows x kColumns; `far` counts in elements.
std::vector<Named> far_layouts(std::int64_t far) {
  const auto of = [](std::int64_t row, std::int64_t column) {
    return placed({kRows, kColumns}, {row, column}, 5);
  };
  const std::int64_t row = far / 2 + 3;
  return {{"rows", of(row, 1)},
          {"rows, every second", of(row, 2)},
          {"rows, every 1000th", of(row, 1000)},
          {"rows backwards", of(-row, -1)},
          {"columns", of(1, far / 16 + 1)},
          {"nothing near", of(kColumns * (far / 64 + 1), far / 64 + 1)}};
}

template <class T>
T value_at(std::int64_t offset) {
  T value;
  for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
    const auto mixed =
        (static_cast<std::uint64_t>(offset) * sizeof(T) + byte + 1) * 0x9e3779b97f4a7c15U;
    value.value[byte] = static_cast<unsigned char>(mixed >> 40 | 1);  // never that of a gap
  }
  return value;
}

// All views below look at storages from their start to their last element.
template <class T>
StridedView<T> view_of(const Sparse& memory, const Layout& layout) {
  auto* const first = reinterpret_cast<T*>(memory.begin());
  return {std::span<T>(first, static_cast<std::size_t>(layout.bounds().highest) + 1), layout};
}

template <class T>
void write_values(const StridedView<T>& view) {
  for (std::int64_t k = 0; k < view.size(); ++k) {
    const std::int64_t at = view.layout().offset_of_position(k);
    view.storage()[static_cast<std::size_t>(at)] = value_at<T>(at);
  }
}

template <class T>
bool is_same(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

// The elements of `target` that are not value_at(place that `source` gives them), and neighbours of
// `used`, which holds them, that are neither elements nor zero.
template <class T>
std::int64_t faults_of(const StridedView<T>& target, const Layout& source, const Layout& used) {
  std::unordered_set<std::int64_t> own;
  std::int64_t faults = 0;
  for (std::int64_t k = 0; k < used.size(); ++k) own.insert(used.offset_of_position(k));
  for (std::int64_t k = 0; k < target.size(); ++k) {
    const std::int64_t at = target.layout().offset_of_position(k);
    const T wanted = value_at<T>(source.offset_of_position(k));
    faults += is_same(target.storage()[static_cast<std::size_t>(at)], wanted) ? 0 : 1;
  }
  const auto last = static_cast<std::int64_t>(target.storage().size()) - 1;
  for (const std::int64_t at : own) {
    for (const std::int64_t beside : {at - 1, at + 1}) {
      if (beside < 0 || beside > last || own.contains(beside)) continue;
      faults += is_same(target.storage()[static_cast<std::size_t>(beside)], T{}) ? 0 : 1;
    }
  }
  return faults;
}

template <std::size_t W>
void check_copies(std::int64_t far_bytes, std::int64_t& copies) {
  using T = Bytes<W>;
  const std::vector<Named> layouts = far_layouts(far_bytes / static_cast<std::int64_t>(W));
  std::vector<Named> sources = layouts;
  sources.push_back(
      {"one row", Layout({kRows, kColumns}, {0, 1}, far_bytes / static_cast<std::int64_t>(W))});
  const auto bytes_of = [](const Layout& layout) {
    return static_cast<std::size_t>(layout.bounds().highest + 1) * W;
  };
  for (const Named& from : sources) {
    const Sparse source(bytes_of(from.layout));
    const auto src = view_of<T>(source, from.layout);
    write_values(src);
    for (const Named& to : layouts) {
      const Sparse target(bytes_of(to.layout));
      const auto dst = view_of<T>(target, to.layout);
      strided::copy(src, dst);
      EXPECT_EQ(faults_of(dst, from.layout, to.layout), 0)
          << from.name << " -> " << to.name << ", " << W << " bytes, " << far_bytes;
      EXPECT_TRUE(strided::bitwise_equal(src, dst));
      ++copies;
    }
  }
}

TEST(LargeExtents, CopiesBetweenElementsFarApart) {
  std::int64_t copies = 0;
  for (const std::int64_t far : kFars) {
    check_copies<1>(far, copies);
    check_copies<2>(far, copies);
    check_copies<4>(far, copies);
    check_copies<8>(far, copies);
    check_copies<16>(far, copies);
    check_copies<12>(far, copies);
  }
  std::printf("%lld copies of %lld elements, extents across 2^31 and 2^32 bytes\n",
              static_cast<long long>(copies), static_cast<long long>(kRows * kColumns));
}

// Rows move by rows, and are turned around, within one storage.
TEST(LargeExtents, OverlappingCopiesReadEverythingFirst) {
  using T = Bytes<4>;
  for (const std::int64_t far : kFars) {
    for (const Named& one : far_layouts(far / 4)) {
      SCOPED_TRACE(one.name + ", " + std::to_string(far));
      const Sparse memory(static_cast<std::size_t>(one.layout.bounds().highest + 1) * 4);
      const auto all = view_of<T>(memory, one.layout);
      const auto from = all.narrow(0, 0, kRows - 1);
      const auto to = all.narrow(0, 1, kRows - 1);
      write_values(all);
      strided::copy(from, to);
      EXPECT_EQ(faults_of(to, from.layout(), one.layout), 0);
      write_values(all);
      strided::copy(to, from);
      EXPECT_EQ(faults_of(from, to.layout(), one.layout), 0);
      write_values(all);
      strided::copy(all.flip(0).flip(1), all);
      EXPECT_EQ(faults_of(all, all.flip(0).flip(1).layout(), one.layout), 0);
    }
  }
}

// The operators and their reference, on storages of 5 GB.
TEST(LargeExtents, OperatorsOnStoragesPast32Bits) {
  using T = std::uint8_t;
  constexpr std::int64_t kBytes = std::int64_t{5} << 30;
  constexpr std::int64_t kWidth = kBytes / 5;
  const Sparse memory(kBytes);
  const Layout all_of({5, kWidth});
  const auto all = view_of<T>(memory, all_of);
  for (std::int64_t row = 0; row < 5; ++row) all(row, kWidth - 2) = static_cast<T>(row + 1);

  // The last but one of each row, by each operator that reads.
  const strided::StridedSliceSpec spec{{0, kWidth - 3}, {5, kWidth}, {1, 1}};
  const strided::AsStridedParam param{{5, 3}, {kWidth, 1}, {kWidth - 3}};
  const std::vector<T> expected{0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0};
  std::vector<T> read(15);
  const StridedView<T> to(read, {5, 3});
  const auto expect_read = [&](const char* what) {
    EXPECT_EQ(read, expected) << what;
    read.assign(15, 77);
  };
  strided::copy(strided::strided_slice(all, spec), to);
  expect_read("strided_slice");
  strided::copy(strided::reference::strided_slice(all, spec), to);
  expect_read("reference::strided_slice");
  strided::as_strided_copy(all, param, to);
  expect_read("as_strided_copy");
  strided::reference::as_strided_copy(all, param, to, strided::Rules::strided);
  expect_read("reference::as_strided_copy");
  strided::copy(strided::as_strided(all, param.size, param.stride, kWidth - 3), to);
  expect_read("as_strided");

  // And by each that writes.
  const auto ends = all.narrow(1, kWidth - 3, 3);
  const auto expect_written = [&](const char* what) {
    EXPECT_TRUE(strided::bitwise_equal(ends, to)) << what;
    strided::fill(ends, 99);
    for (const T value : ends) EXPECT_EQ(value, 99);
    EXPECT_EQ(all(4, kWidth - 4), 0);
  };
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = static_cast<T>(40 + i);
  strided::strided_slice_assign(all, spec, to);
  expect_written("strided_slice_assign");
  strided::reference::strided_slice_assign(all, spec, to);
  expect_written("reference::strided_slice_assign");
  strided::as_strided_scatter(all, param.size, param.stride, kWidth - 3, to);
  expect_written("as_strided_scatter");
  std::printf("5 operators and their reference on a storage of %lld bytes\n",
              static_cast<long long>(kBytes));
}

// Bytes so far apart, at steps that have nothing in common, that no map of 64 MiB tells whether
// they meet: a promise that they do not is believed, and nothing else is said as if it were known.
TEST(Large, WhatCannotBeToldIsNotSaid) {
  const Sparse memory(std::size_t{1} << 31);
  const std::span<std::byte> all(memory.begin(), memory.size());
  const Dims shape = Dims::filled(12, 2);
  Random random(7);
  Dims tangled = shape;
  Dims nested = shape;
  std::int64_t step = 16391;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    tangled[axis] = random.between(std::int64_t{1} << 26, (std::int64_t{1} << 26) + (1 << 24));
    nested[axis] = step;
    step = 2 * step + random.between(0, 12);
  }
  const StridedView<std::byte> from(all, shape, tangled, 1);
  const StridedView<std::byte> to(all, shape, nested, 1 << 28);
  std::unordered_set<const std::byte*> read;
  for (const std::byte& byte : from) read.insert(&byte);
  for (const std::byte& byte : to) ASSERT_EQ(read.count(&byte), 0U);
  ASSERT_TRUE(strided::overlaps(from, to));          // without proof
  for (std::byte& byte : from) byte = std::byte{5};  // fill() could not tell either
  EXPECT_FALSE(strided::try_copy(from, to, {.assume_disjoint = true}));
  EXPECT_TRUE(strided::bitwise_equal(from, to));
  EXPECT_EQ(strided::try_copy(from, to, {.allow_temporary = false}).message(),
            "copy: source and destination could not be shown to be apart, the copy needs a "
            "temporary of 4096 bytes, and the options forbid one; leave out allow_temporary = "
            "false");
}

}  // namespace
}  // namespace strided_test
