#include "strided/view/layout.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <vector>

#include "support/facts.hpp"

namespace {

using strided::Bounds;
using strided::check_within;
using strided::Dims;
using strided::kInt64Max;
using strided::kInt64Min;
using strided::Layout;

constexpr bool same(const Bounds& bounds, std::int64_t lowest, std::int64_t highest) {
  return bounds.lowest == lowest && bounds.highest == highest;
}
constexpr Bounds bounds_of(const Dims& shape, const Dims& strides, std::int64_t offset = 0) {
  return Layout(shape, strides, offset).bounds();
}
constexpr bool contiguous(const Dims& shape, const Dims& strides, std::int64_t offset = 0) {
  return Layout(shape, strides, offset).is_contiguous();
}
constexpr bool dense(const Dims& shape, const Dims& strides, std::int64_t offset = 0) {
  return Layout(shape, strides, offset).is_dense();
}

TEST(Layout, IsOneElementByDefault) {
  EXPECT_LAYOUT(Layout(), {}, {}, 0);
  EXPECT_FACT(Layout().size() == 1 && Layout().rank() == 0 && !Layout().empty());
}

TEST(Layout, RowMajorByDefault) {
  EXPECT_LAYOUT(Layout({4, 5, 6}), {4, 5, 6}, {30, 6, 1}, 0);
  EXPECT_LAYOUT(Layout({4, 5, 6}, 7), {4, 5, 6}, {30, 6, 1}, 7);
  EXPECT_LAYOUT(Layout::try_row_major({}, 3), {}, {}, 3);
  EXPECT_LAYOUT(Layout::try_row_major({1, 1}), {1, 1}, {1, 1}, 0);
}

TEST(Layout, TakesAnyStridesAndOffset) {
  EXPECT_LAYOUT(Layout({6, 5}, {10, 1}, 22), {6, 5}, {10, 1}, 22);
  EXPECT_LAYOUT(Layout({3, 2}, {0, -4}, -9), {3, 2}, {0, -4}, -9);
  EXPECT_FACT(Layout({6, 5}, {10, 1}, 22).size() == 30);
}

// Two pairs of braces are a shape and strides, also where the second holds one number.
TEST(Layout, BracesAreStridesNeverAnOffset) {
  EXPECT_LAYOUT(Layout({4}, {2}), {4}, {2}, 0);
  EXPECT_LAYOUT(Layout({4}, {-2}, 6), {4}, {-2}, 6);
}

TEST(Layout, EqualityIsThatOfTheNumbers) {
  EXPECT_FACT(Layout({2, 3}) == Layout({2, 3}, {3, 1}));
  EXPECT_FACT(Layout({2, 3}) != Layout({2, 3}, 1));
  EXPECT_FACT(Layout({2, 3}) != Layout({2, 3}, {3, 2}));
  EXPECT_FACT(Layout({1, 3}) != Layout({3}));
}

TEST(Layout, HoldsUpToThirtyTwoAxes) {
  for (std::size_t rank = 0; rank <= 32; ++rank) {
    const Layout layout(Dims::filled(rank, 1));
    EXPECT_EQ(layout.rank(), static_cast<int>(rank));
    EXPECT_EQ(layout.size(), 1);
    EXPECT_TRUE(same(layout.bounds(), 0, 0));
    EXPECT_TRUE(layout.is_contiguous() && layout.is_dense());
  }
  EXPECT_FACT(Layout(Dims::filled(32, 2)).size() == std::int64_t{1} << 32);
  EXPECT_FACT(Layout(Dims::filled(32, 2)).strides()[0] == std::int64_t{1} << 31);
}

TEST(Layout, BoundsAreTheLowestAndHighestOffset) {
  EXPECT_FACT(same(bounds_of({6, 5}, {10, 1}, 22), 22, 76));
  EXPECT_FACT(same(bounds_of({4, 3}, {20, 2}, 22), 22, 86));
  EXPECT_FACT(same(bounds_of({4}, {-2}, 6), 0, 6));
  EXPECT_FACT(same(bounds_of({4, 3}, {-2, 5}, 6), 0, 16));
  EXPECT_FACT(same(bounds_of({7, 9}, {0, 0}, 5), 5, 5));
  EXPECT_FACT(same(bounds_of({}, {}, -3), -3, -3));
}

TEST(Layout, AxesOfOneElementReachNowhere) {
  EXPECT_FACT(same(bounds_of({1, 3, 1}, {kInt64Max, 2, kInt64Min}, 1), 1, 5));
  EXPECT_FACT(Layout({1, 3, 1}, {kInt64Max, 2, kInt64Min}, 1).size() == 3);
}

TEST(Layout, EmptyLayoutsTouchNothing) {
  EXPECT_FACT(bounds_of({3, 0}, {1, 1}, 7).empty());
  EXPECT_FACT(bounds_of({0}, {kInt64Min}, kInt64Max).empty());
  EXPECT_FACT(!bounds_of({1}, {5}).empty());
  EXPECT_FACT(Layout({3, 0, 2}).size() == 0 && Layout({3, 0, 2}).empty());
}

// A zero is found before anything is multiplied.
TEST(Layout, EmptyLayoutsMayHaveHugeExtents) {
  EXPECT_FACT(Layout({kInt64Max, kInt64Max, 0}).size() == 0);
  EXPECT_FACT(Layout({0, kInt64Max, kInt64Max}).size() == 0);
  EXPECT_FACT(Layout({3, kInt64Max, 0}, {kInt64Max, kInt64Min, 1}, kInt64Min).empty());
}

TEST(Layout, RowMajorStridesOfEmptyShapesCountZeroAsOne) {
  EXPECT_LAYOUT(Layout({3, 0, 2}), {3, 0, 2}, {2, 2, 1}, 0);
}

TEST(Layout, OffsetOfAnIndex) {
  EXPECT_FACT(Layout({6, 5}, {10, 1}, 22).offset_of({0, 0}) == 22);
  EXPECT_FACT(Layout({6, 5}, {10, 1}, 22).offset_of({5, 4}) == 76);
  EXPECT_FACT(Layout({4}, {-2}, 6).offset_of({3}) == 0);
  EXPECT_FACT(Layout({}, {}, 9).offset_of({}) == 9);
}

TEST(Layout, OffsetOfAPositionCountsTheLastAxisFastest) {
  constexpr Layout kExample({4, 3}, {20, 2}, 22);
  EXPECT_FACT(kExample.offset_of_position(0) == 22);
  EXPECT_FACT(kExample.offset_of_position(2) == 26);
  EXPECT_FACT(kExample.offset_of_position(3) == 42);
  EXPECT_FACT(kExample.offset_of_position(11) == 86);
  EXPECT_FACT(Layout({1, 3}, {kInt64Min, -1}, 5).offset_of_position(2) == 3);
}

TEST(Layout, IsContiguousWhereItIsOneRowMajorRun) {
  EXPECT_FACT(contiguous({2, 3}, {3, 1}));
  EXPECT_FACT(contiguous({2, 3}, {3, 1}, 40));
  EXPECT_FACT(contiguous({}, {}));
  EXPECT_FACT(!contiguous({6, 5}, {10, 1}, 22));
  EXPECT_FACT(!contiguous({3, 2}, {1, 3}));
  EXPECT_FACT(!contiguous({3}, {-1}, 2));
  EXPECT_FACT(!contiguous({3}, {0}));
}

TEST(Layout, ContiguityIgnoresStridesThatAreNeverUsed) {
  EXPECT_FACT(contiguous({2, 1, 3}, {3, kInt64Min, 1}));
  EXPECT_FACT(contiguous({1}, {0}));
  EXPECT_FACT(contiguous({4, 0}, {-7, 13}));
}

TEST(Layout, IsDenseWhereItCoversItsRangeOnce) {
  EXPECT_FACT(dense({2, 3}, {3, 1}));
  EXPECT_FACT(dense({3, 2}, {1, 3}));              // transposed
  EXPECT_FACT(dense({2, 3}, {3, -1}, 2));          // flipped
  EXPECT_FACT(dense({4, 2, 3}, {3, -12, 1}, 12));  // both
  EXPECT_FACT(dense({2, 1, 3}, {-3, kInt64Max, 1}, 3));
  EXPECT_FACT(dense({}, {}) && dense({0, 5}, {3, 3}));
  EXPECT_FACT(!dense({6, 5}, {10, 1}));  // gaps
  EXPECT_FACT(!dense({2, 2}, {1, 1}));   // repeats
  EXPECT_FACT(!dense({3}, {0}));
  EXPECT_FACT(!dense({2}, {2}));
}

TEST(Layout, RefusesListsOfDifferentLength) {
  EXPECT_REFUSED(Layout::try_make({2, 3}, {1}), length_mismatch,
                 "strides has 1 entry, 2 are needed, as many as shape has");
  EXPECT_REFUSED(Layout::try_make({}, {1}), length_mismatch,
                 "strides has 1 entry, 0 are needed, as many as shape has");
}

TEST(Layout, RefusesNegativeSizes) {
  EXPECT_REFUSED(Layout::try_make({2, -3}, {3, 1}), negative_size,
                 "shape[1] is -3, it must be at least 0");
  EXPECT_REFUSED(Layout::try_row_major({kInt64Min, 0}), negative_size,
                 "shape[0] is -9223372036854775808, it must be at least 0");
  EXPECT_REFUSED(Layout::try_make({0, -1}, {1, 1}), negative_size,
                 "shape[1] is -1, it must be at least 0");
}

TEST(Layout, RefusesMoreElementsThan64BitsCount) {
  EXPECT_REFUSED(Layout::try_make({kInt64Max, 2}, {0, 0}), overflow,
                 "shape[1] is 2, with it the number of elements no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_row_major({2, kInt64Max}), overflow,
                 "shape[1] is 9223372036854775807, with it the number of elements no longer fits "
                 "64 bits");
  EXPECT_FACT(Layout({kInt64Max, 1}, {0, 0}).size() == kInt64Max);
  EXPECT_FACT(Layout(Dims{kInt64Max}).size() == kInt64Max);
}

TEST(Layout, RefusesOffsetsPast64Bits) {
  EXPECT_REFUSED(Layout::try_make({3}, {kInt64Max}), overflow,
                 "strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2, 2}, {1, kInt64Max}), overflow,
                 "strides[1] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2}, {1}, kInt64Max), overflow,
                 "offset is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2}, {-1}, kInt64Min), overflow,
                 "offset is -9223372036854775808, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2}, {kInt64Min}, 0), overflow,
                 "strides[0] is -9223372036854775808, with it an offset no longer fits 64 bits");
  EXPECT_FACT(same(bounds_of({2}, {kInt64Max}), 0, kInt64Max));
  EXPECT_FACT(same(bounds_of({2}, {-kInt64Max}, kInt64Max), 0, kInt64Max));
  EXPECT_FACT(same(bounds_of({1}, {3}, kInt64Min), kInt64Min, kInt64Min));
}

// The low and the high bound may each fit and still be too far apart.
TEST(Layout, RefusesDistancesPast64Bits) {
  EXPECT_REFUSED(Layout::try_make({2, 2}, {kInt64Max, -kInt64Max}), overflow,
                 "strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2, 2}, {kInt64Max, kInt64Max}, kInt64Min), overflow,
                 "strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_FACT(same(bounds_of({2}, {kInt64Max}, kInt64Min), kInt64Min, -1));
}

// Not the axis at which the sum happens to leave 64 bits.
TEST(Layout, BlamesWhatReachesFarthest) {
  EXPECT_REFUSED(Layout::try_make({2, 3, 4}, {kInt64Max, 4, 1}), overflow,
                 "strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2, 3, 4}, {1, 4, kInt64Max / 3}), overflow,
                 "strides[2] is 3074457345618258602, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({2, 3}, {3, 1}, kInt64Max - 3), overflow,
                 "offset is 9223372036854775804, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(Layout::try_make({3, 1, 2}, {kInt64Max / 2, kInt64Max, kInt64Min / 2}, 2),
                 overflow,
                 "strides[0] is 4611686018427387903, with it an offset no longer fits 64 bits");
}

TEST(Layout, ThrowingConstructorsSayTheSame) {
  EXPECT_THROWN(Layout({2, 3}, {1}), length_mismatch,
                "Layout: strides has 1 entry, 2 are needed, as many as shape has");
  EXPECT_THROWN(Layout({2, -3}), negative_size, "Layout: shape[1] is -3, it must be at least 0");
  EXPECT_THROWN(Layout({2}, kInt64Max), overflow,
                "Layout: offset is 9223372036854775807, with it an offset no longer fits 64 bits");
}

TEST(CheckWithin, AcceptsWhatLiesInTheStorage) {
  EXPECT_FACT(!check_within(Layout({6, 5}, {10, 1}, 22), 77, "it"));
  EXPECT_FACT(!check_within(Layout({4}, {-2}, 6), 7, "it"));
  EXPECT_FACT(!check_within(Layout({}, {}, 0), 1, "it"));
  EXPECT_FACT(!check_within(Layout({0, 9}, {5, 5}, kInt64Min), 0, "it"));
  EXPECT_FACT(!check_within(Layout({2}, {kInt64Max - 1}), kInt64Max, "it"));
}

TEST(CheckWithin, NamesTheElementAndTheDimension) {
  EXPECT_REFUSED(
      check_within(Layout({6, 5}, {10, 1}, 22), 76, "it"), out_of_bounds,
      "it reaches index 76 of the storage (dimension 1), which has 76 elements: 0 to 75");
  EXPECT_REFUSED(
      check_within(Layout({6, 5}, {10, 1}, 22), 50, "it"), out_of_bounds,
      "it reaches index 76 of the storage (dimension 0), which has 50 elements: 0 to 49");
  EXPECT_REFUSED(check_within(Layout({6, 5}, {10, 1}, 22), 22, "it"), out_of_bounds,
                 "offset is 22, behind the storage of 22 elements: 0 to 21");
  EXPECT_REFUSED(check_within(Layout({1, 4}, {kInt64Max, -2}, 5), 9, "it"), out_of_bounds,
                 "it reaches index -1 (dimension 1), before the start of the storage: the offset "
                 "is too small by 1");
  EXPECT_REFUSED(
      check_within(Layout({}, {}, -1), 9, "it"), out_of_bounds,
      "it reaches index -1, before the start of the storage: the offset is too small by 1");
  EXPECT_REFUSED(check_within(Layout(), 0, "it"), out_of_bounds,
                 "it reaches index 0 of the storage, which has 0 elements");
  EXPECT_REFUSED(check_within(Layout({3, 4}), 0, "it"), out_of_bounds,
                 "it reaches index 11 of the storage, which has 0 elements");
}

// Strides of both signs: what one axis takes away, the other must not give back.
TEST(CheckWithin, KeepsBothBoundsApart) {
  EXPECT_FACT(!check_within(Layout({3, 3}, {-3, 3}, 6), 13, "it"));
  EXPECT_REFUSED(
      check_within(Layout({3, 3}, {-3, 3}, 6), 12, "it"), out_of_bounds,
      "it reaches index 12 of the storage (dimension 1), which has 12 elements: 0 to 11");
  EXPECT_REFUSED(check_within(Layout({3, 3}, {3, -3}, 5), 99, "it"), out_of_bounds,
                 "it reaches index -1 (dimension 1), before the start of the storage: the offset "
                 "is too small by 1");
}

// Each row-major position is one index, and each bound is reached by one of them.
TEST(Layout, PositionsAndBoundsAgreeWithEveryIndex) {
  for (const Layout& layout : {Layout({3, 4}, {-5, 2}, 20), Layout({2, 1, 3}, {7, 99, 0}, 1),
                               Layout({2, 2, 2}, {1, -2, 4}, 3)}) {
    std::int64_t lowest = kInt64Max;
    std::int64_t highest = kInt64Min;
    for (std::int64_t k = 0; k < layout.size(); ++k) {
      Dims index;
      for (std::int64_t rest = k, i = layout.rank(); i-- > 0; rest /= layout.shape()[i]) {
        index.insert(0, rest % layout.shape()[i]);
      }
      EXPECT_EQ(layout.offset_of_position(k), layout.offset_of(index));
      lowest = std::min(lowest, layout.offset_of(index));
      highest = std::max(highest, layout.offset_of(index));
    }
    EXPECT_TRUE(same(layout.bounds(), lowest, highest));
  }
}

}  // namespace
