// normalize: what loops remain of two layouts.
#include "strided/engine/normalize.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::kInt64Max;
using strided::kInt64Min;
using strided::Layout;
using strided::Result;
using strided::engine::Loop;
using strided::engine::LoopNest;
using strided::engine::normalize;

struct Expected {
  std::int64_t run_bytes;
  std::int64_t src_offset_bytes = 0;
  std::int64_t dst_offset_bytes = 0;
};

constexpr bool is_nest(const Result<LoopNest>& nest, const Expected& expected,
                       std::initializer_list<Loop> loops) {
  if (!nest || nest->run_bytes != expected.run_bytes ||
      nest->src_offset_bytes != expected.src_offset_bytes ||
      nest->dst_offset_bytes != expected.dst_offset_bytes ||
      nest->rank != static_cast<int>(loops.size())) {
    return false;
  }
  for (int i = 0; i < nest->rank; ++i) {
    const Loop& loop = nest->loops[i];
    const Loop& wanted = loops.begin()[i];
    if (loop.count != wanted.count || loop.src_stride_bytes != wanted.src_stride_bytes ||
        loop.dst_stride_bytes != wanted.dst_stride_bytes) {
      return false;
    }
  }
  return true;
}

std::string to_text(const Result<LoopNest>& nest) {
  if (!nest) return nest.message();
  std::string text = "run " + std::to_string(nest->run_bytes) + ", offsets " +
                     std::to_string(nest->src_offset_bytes) + " " +
                     std::to_string(nest->dst_offset_bytes);
  for (int i = 0; i < nest->rank; ++i) {
    const Loop& loop = nest->loops[i];
    text += ", {" + std::to_string(loop.count) + ", " + std::to_string(loop.src_stride_bytes) +
            ", " + std::to_string(loop.dst_stride_bytes) + "}";
  }
  return text;
}

// EXPECT_NEST(normalize(...), {run_bytes, offsets}, {loops, outermost first})
#define EXPECT_NEST(call, ...)               \
  static_assert(is_nest(call, __VA_ARGS__)); \
  EXPECT_TRUE(is_nest(call, __VA_ARGS__)) << to_text(call)

TEST(Normalize, ContiguousIsOneRun) {
  EXPECT_NEST(normalize(Layout({4, 6}), Layout({4, 6}), 4), {96}, {});
  EXPECT_NEST(normalize(Layout({2, 3, 4}, 5), Layout({2, 3, 4}, 7), 2), {48, 10, 14}, {});
  EXPECT_NEST(normalize(Layout(), Layout(), 16), {16}, {});
}

TEST(Normalize, RowsWithGapsAreRunsInALoop) {
  EXPECT_NEST(normalize(Layout({6, 5}, {10, 1}, 22), Layout({6, 5}), 4), {20, 88, 0},
              {{6, 40, 20}});
}

TEST(Normalize, NothingToMoveIsAnEmptyRun) {
  EXPECT_NEST(normalize(Layout({3, 0}), Layout({3, 0}), 4), {0}, {});
  EXPECT_NEST(normalize(Layout({0, kInt64Max}, {kInt64Min, 1}, kInt64Min),
                        Layout({0, kInt64Max}, {1, kInt64Max}, kInt64Max), 8),
              {0}, {});
}

TEST(Normalize, AxesOfOneElementDisappear) {
  EXPECT_NEST(normalize(Layout({1, 6, 1}, {kInt64Max, 2, kInt64Min}), Layout({1, 6, 1}), 4), {4},
              {{6, 8, 4}});
}

TEST(Normalize, TheDestinationIsWalkedUpwards) {
  EXPECT_NEST(normalize(Layout({5}), Layout({5}, {-1}, 4), 4), {4, 16, 0}, {{5, -4, 4}});
  EXPECT_NEST(normalize(Layout({5}, {-1}, 4), Layout({5}, {-1}, 4), 4), {20}, {});
}

TEST(Normalize, LoopsStandInTheOrderOfTheDestination) {
  EXPECT_NEST(normalize(Layout({3, 4}), Layout({3, 4}, {1, 3}), 1), {1}, {{4, 1, 3}, {3, 4, 1}});
  EXPECT_NEST(normalize(Layout({3, 4}, {1, 3}), Layout({3, 4}, {1, 3}), 1), {12}, {});
}

// Merging comes after ordering, so that permuted twins become one run as well.
TEST(Normalize, MergesAfterOrdering) {
  EXPECT_NEST(normalize(Layout({4, 2, 3}, {1, 12, 4}), Layout({4, 2, 3}, {1, 12, 4}), 4), {96}, {});
  EXPECT_NEST(normalize(Layout({2, 3, 5}, {60, 20, 2}), Layout({2, 3, 5}), 4), {4},
              {{6, 80, 20}, {5, 8, 4}});
}

TEST(Normalize, NhwcToNchwKeepsThreeLoops) {
  const auto nest = normalize(Layout({2, 3, 8, 8}, {192, 1, 24, 3}), Layout({2, 3, 8, 8}), 1);
  EXPECT_TRUE(is_nest(nest, {1}, {{2, 192, 192}, {3, 1, 64}, {64, 3, 1}})) << to_text(nest);
}

TEST(Normalize, BroadcastSourcesStay) {
  EXPECT_NEST(normalize(Layout({3, 4}, {0, 1}), Layout({3, 4}), 4), {16}, {{3, 0, 16}});
  EXPECT_NEST(normalize(Layout({3, 4}, {0, 0}), Layout({3, 4}), 4), {4}, {{12, 0, 4}});
}

TEST(Normalize, RefusesDifferentShapes) {
  EXPECT_REFUSED(normalize(Layout({2, 3}), Layout({2, 4}), 4), shape_mismatch,
                 "dst has shape (2, 4), (2, 3) is needed; dimension 1 differs");
  EXPECT_REFUSED(normalize(Layout({2, 3}), Layout({6}), 4), shape_mismatch,
                 "dst has shape (6,), (2, 3) is needed");
  EXPECT_REFUSED(normalize(Layout({0, 3}), Layout({3, 0}), 4), shape_mismatch,
                 "dst has shape (3, 0), (0, 3) is needed; dimension 0 differs");
}

TEST(Normalize, RefusesElementsOfNoSize) {
  EXPECT_REFUSED(normalize(Layout({2}), Layout({2}), 0), element_size,
                 "element_bytes is 0, it must be at least 1 and at most 9223372036854775807");
  EXPECT_EQ(static_cast<int>(normalize(Layout({2}), Layout({2}), kInt64Min).error().code),
            static_cast<int>(strided::ErrorCode::element_size));
}

// What fits 64 bits in elements may not fit them in bytes. Refused, and without overflow on the
// way.
TEST(Normalize, RefusesByteOffsetsPast64Bits) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const auto refused = [](const Layout& src, const Layout& dst, std::int64_t element_bytes) {
    return normalize(src, dst, element_bytes).error().code == strided::ErrorCode::overflow;
  };
  EXPECT_TRUE(refused(Layout({2}, {kFar}), Layout({2}), 8));
  EXPECT_TRUE(refused(Layout({2}), Layout({2}, {-kFar}), 8));
  EXPECT_TRUE(refused(Layout({2}, {-kFar}), Layout({2}), 8));
  EXPECT_TRUE(refused(Layout({2}), Layout({2}), kInt64Max / 2 + 1));
  EXPECT_TRUE(refused(Layout({}, {}, 1), Layout(), kInt64Max));
  EXPECT_TRUE(refused(Layout({}, {}, kFar), Layout(), 8));
  // A step of 2^62 has a last element in range; the place behind it is not, and is never formed.
  EXPECT_FALSE(refused(Layout({2, 2}, {4 * kFar, 1}), Layout({2, 2}, {1, 2}), 1));
  EXPECT_TRUE(refused(Layout({2}, {kFar + kFar / 2}, 1 - kFar), Layout({2}), 8));
  EXPECT_EQ(normalize(Layout({2, 1}, {kFar, kInt64Max}), Layout({2, 1}), 8).message(),
            "src strides[0] is 1152921504606846976, in bytes an offset with it exceeds "
            "9223372036854775807");
  // Each axis alone would fit; the last one to come is told.
  EXPECT_EQ(normalize(Layout({2, 2}), Layout({2, 2}, {kFar / 2, kFar / 2}), 8).message(),
            "dst strides[0] is 576460752303423488, in bytes an offset with it exceeds "
            "9223372036854775807");
  EXPECT_EQ(normalize(Layout({2}, {1}, kFar), Layout({2}), 8).message(),
            "offset is 1152921504606846976, in bytes an offset with it exceeds "
            "9223372036854775807");
}

// A broadcast may count more bytes than 64 bits hold; it still reads and writes the same few.
TEST(Normalize, RepeatsMayCountPast64Bits) {
  const Layout repeats({std::int64_t{1} << 61, 2}, {0, 1});
  const auto nest = normalize(Layout(repeats.shape(), {0, 0}), repeats, 8);
  ASSERT_TRUE(nest) << nest.message();
  EXPECT_EQ(nest->run_bytes, 8);
  EXPECT_EQ(nest->total_bytes, kInt64Max);
}

TEST(Normalize, TakesThirtyTwoAxes) {
  Dims strides = Layout(Dims::filled(32, 2)).strides();
  const Layout dense(Dims::filled(32, 2));
  EXPECT_TRUE(is_nest(normalize(dense, dense, 1), {std::int64_t{1} << 32}, {}));
  for (std::int64_t& stride : strides) stride *= 3;
  const Layout loose(Dims::filled(32, 2), strides);
  EXPECT_TRUE(is_nest(normalize(loose, dense, 1), {1}, {{std::int64_t{1} << 32, 3, 1}}));
}

TEST(Normalize, PlansWithoutThrowing) {
  EXPECT_FACT(noexcept(normalize(Layout(), Layout(), 1)));
}

// From the lowest byte to behind the highest is counted from zero, too.
TEST(Normalize, RefusesASpanPast64Bits) {
  const Layout src(strided::Dims{2}, strided::Dims{0}, 0);
  const Layout dst(strided::Dims{2}, strided::Dims{-strided::kInt64Max}, 0);
  const auto nest = normalize(src, dst, 1);
  ASSERT_FALSE(nest);
  EXPECT_EQ(nest.error().code, strided::ErrorCode::overflow);
}

}  // namespace
