// Source and destination in one memory, in every way they can meet: the result is that of reading
// everything first, and nothing else in the memory changes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {

using strided::CopyOptions;
using strided::Dims;
using strided::ErrorCode;
using strided::Layout;

// Copies within two equal memories, by engine and reference; true if the destination is lawful.
template <class T>
void expect_equal_copies(const Arena<T>& memory, const Layout& src, std::size_t src_shift,
                         const Layout& dst, std::size_t dst_shift) {
  Arena<T> by_engine = memory;
  Arena<T> by_reference = memory;
  strided::copy(by_engine.view(src, src_shift), by_engine.view(dst, dst_shift));
  strided::reference::copy(by_reference.view(src, src_shift), by_reference.view(dst, dst_shift));
  if (by_engine == by_reference) return;
  ADD_FAILURE() << sizeof(T) << " bytes, " << describe(src) << " + " << src_shift << " bytes -> "
                << describe(dst) << " + " << dst_shift << " bytes";
}

// Every pair of strides, every shift in elements, and shifts of part of an element.
template <std::size_t W>
std::int64_t check_all_lines(Random& random) {
  using T = Bytes<W>;
  const Arena<T> memory(random, 120);
  std::int64_t copies = 0;
  for (const std::int64_t count : {1, 2, 3, 7, 17}) {
    for (std::int64_t src_stride = -3; src_stride <= 3; ++src_stride) {
      for (const std::int64_t dst_stride : {-3, -2, -1, 1, 2, 3}) {
        for (std::int64_t shift = -8; shift <= 8; ++shift) {
          const Layout src({count}, {src_stride}, 56);
          const Layout dst({count}, {dst_stride}, 56 + shift);
          expect_equal_copies<T>(memory, src, 0, dst, 0);
          ++copies;
          if (W == 1) continue;
          expect_equal_copies<T>(memory, src, 0, dst, 1);
          expect_equal_copies<T>(memory, src, W - 1, dst, 0);
          copies += 2;
        }
        if (testing::Test::HasFailure()) return copies;
      }
    }
  }
  return copies;
}

TEST(OverlappingCopy, LinesOfAllStridesAndShifts) {
  Random random(1);
  std::int64_t copies = 0;
  copies += check_all_lines<1>(random);
  copies += check_all_lines<2>(random);
  copies += check_all_lines<3>(random);
  copies += check_all_lines<4>(random);
  copies += check_all_lines<8>(random);
  copies += check_all_lines<12>(random);
  copies += check_all_lines<16>(random);
  std::printf("%lld copies of lines\n", static_cast<long long>(copies));
  EXPECT_GT(copies, 60000);
}

// A block moved over itself in every direction, its axes in either order, each walked either way.
TEST(OverlappingCopy, BlocksMovedInAllDirections) {
  using T = Bytes<4>;
  Random random(2);
  const Arena<T> memory(random, 400);
  std::int64_t copies = 0;
  for (const std::int64_t row_stride : {6, 8, -8, 20}) {
    for (const std::int64_t column_stride : {1, -1, 2}) {
      for (std::int64_t rows_down = -3; rows_down <= 3; ++rows_down) {
        for (std::int64_t columns_right = -3; columns_right <= 3; ++columns_right) {
          const Layout at({4, 3}, {row_stride, column_stride}, 200);
          const Layout moved({4, 3}, {row_stride, column_stride},
                             200 + rows_down * row_stride + columns_right * column_stride);
          const Layout turned({4, 3}, {-row_stride, column_stride},
                              moved.offset() + 3 * row_stride);
          expect_equal_copies<T>(memory, at, 0, moved, 0);
          expect_equal_copies<T>(memory, at, 0, turned, 0);
          expect_equal_copies<T>(memory, turned, 2, at, 1);
          copies += 3;
        }
      }
    }
  }
  std::printf("%lld copies of blocks\n", static_cast<long long>(copies));
  EXPECT_EQ(copies, 4 * 3 * 7 * 7 * 3);
}

// All 48 ways to turn a cube into itself, in place.
TEST(OverlappingCopy, CubeTurnedInPlace) {
  static const Dims kOrders[] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}};
  Random random(3);
  int copies = 0;
  for (const std::int64_t size : {1, 2, 3, 8, 17}) {
    const Layout cube({size, size, size});
    const Arena<Bytes<1>> bytes(random, cube.size());
    const Arena<Bytes<8>> words(random, cube.size());
    for (const Dims& order : kOrders) {
      for (int flips = 0; flips < 8; ++flips) {
        Layout turned = strided::try_permute(cube, order).value();
        for (int axis = 0; axis < 3; ++axis) {
          if ((flips >> axis & 1) != 0) turned = strided::try_flip(turned, axis).value();
        }
        expect_equal_copies<Bytes<1>>(bytes, turned, 0, cube, 0);
        expect_equal_copies<Bytes<8>>(words, cube, 0, turned, 0);
        copies += 2;
      }
    }
  }
  EXPECT_EQ(copies, 5 * 48 * 2);
}

template <class T>
void check_random_overlap(Random& random) {
  const Dims shape = random_shape(random, 400, 5);
  Layout src = random_layout(random, shape);
  Layout dst = random_unique_layout(random, shape);
  if (random.chance(25)) dst = Layout(shape, dst.strides(), dst.offset() + random.between(0, 20));
  if (random.chance(40) && !shape.empty()) {  // the same strides at a shift
    src = Layout(shape, dst.strides(), dst.offset() + random.between(0, 20));
  }
  if (random.chance(10)) src = dst;
  const std::int64_t needed =
      src.empty() ? 0 : std::max(src.bounds().highest, dst.bounds().highest) + 1;
  const auto shift = [&] {
    return alignof(T) == 1 && random.chance(30) ? static_cast<std::size_t>(random.between(0, 20))
                                                : std::size_t{0};
  };
  const std::size_t src_shift = shift();
  const std::size_t dst_shift = shift();
  const CopyOptions options{random.chance(70), random.chance(20)};
  SCOPED_TRACE(std::to_string(sizeof(T)) + " bytes, " + describe(src) + " + " +
               std::to_string(src_shift) + " bytes -> " + describe(dst) + " + " +
               std::to_string(dst_shift) + " bytes");

  const Arena<T> memory(random, needed);
  Arena<T> by_engine = memory;
  Arena<T> by_reference = memory;
  const auto source = by_engine.view(src, src_shift);
  const auto destination = by_engine.view(dst, dst_shift);
  const bool meet = strided::reference::detail::share_a_byte<T>(source, destination);
  EXPECT_EQ(strided::overlaps(source, destination), meet);

  const ErrorCode expected = code_of([&] {
    strided::reference::copy(by_reference.view(src, src_shift), by_reference.view(dst, dst_shift),
                             options);
  });
  EXPECT_TRUE(expected == ErrorCode::ok || expected == ErrorCode::broken_promise);
  // In release builds the engine takes the promise for granted: then anything may happen.
  if (expected == ErrorCode::broken_promise && !STRIDED_DEBUG_CHECKS) return;
  const ErrorCode code = code_of([&] { strided::copy(source, destination, options); });
  if (code == ErrorCode::temporary_forbidden) {
    EXPECT_TRUE(meet && !options.allow_temporary);
    EXPECT_TRUE(by_engine == memory);
    return;
  }
  EXPECT_EQ(code, expected);
  EXPECT_TRUE(by_engine == by_reference);
}

TEST(OverlappingCopy, AnyTwoViewsOfOneMemory) {
  run_cases(6000, [](Random& random) {
    check_random_overlap<Bytes<1>>(random);
    check_random_overlap<Bytes<3>>(random);
    check_random_overlap<Bytes<4>>(random);
    check_random_overlap<Bytes<16>>(random);
    check_random_overlap<std::uint64_t>(random);
  });
}

}  // namespace
}  // namespace strided_test
