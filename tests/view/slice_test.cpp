// Strided slices with masks, and as_strided, as layouts.
#include "strided/view/slice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "support/facts.hpp"

namespace {

using namespace strided;

constexpr Layout kX({3, 4, 5}, {20, 5, 1}, 7);

// A spec with one mask set, or none.
struct Masks {
  std::uint32_t begin = 0, end = 0, ellipsis = 0, new_axis = 0, shrink = 0;
};
constexpr StridedSliceSpec spec(const Dims& begin, const Dims& end, const Dims& strides,
                                Masks masks = {}) {
  return {begin,          end,         strides, masks.begin, masks.end, masks.ellipsis,
          masks.new_axis, masks.shrink};
}

constexpr Result<Layout> ascend(const Layout& x, const StridedSliceSpec& s) {
  return try_strided_slice(x, s, Rules::ascend);
}
constexpr Result<Layout> tensorflow(const Layout& x, const StridedSliceSpec& s) {
  return try_strided_slice(x, s, Rules::tensorflow);
}

TEST(StridedSlice, TakesARangeOfEveryDimension) {
  EXPECT_LAYOUT(try_strided_slice(kX, spec({0, 1, 2}, {2, 4, 5}, {1, 2, 1})), {2, 2, 3},
                {20, 10, 1}, 14);
  EXPECT_LAYOUT(ascend(kX, spec({0, 1, 2}, {2, 4, 5}, {1, 2, 1})), {2, 2, 3}, {20, 10, 1}, 14);
}

TEST(StridedSlice, TakesDimensionsWithoutAPositionWhole) {
  EXPECT_LAYOUT(try_strided_slice(kX, spec({1}, {3}, {1})), {2, 4, 5}, {20, 5, 1}, 27);
  EXPECT_LAYOUT(try_strided_slice(kX, {}), {3, 4, 5}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(try_strided_slice(Layout(), {}), {}, {}, 0);
}

TEST(StridedSlice, WalksBackwards) {
  EXPECT_LAYOUT(try_strided_slice(kX, spec({0, 0, 4}, {3, 4, -6}, {1, 1, -1})), {3, 4, 5},
                {20, 5, -1}, 11);
  EXPECT_LAYOUT(try_strided_slice(kX, spec({0, 0, 4}, {3, 4, -1}, {1, 1, -1})), {3, 4, 0},
                {20, 5, -1}, 7);
}

TEST(StridedSlice, BeginMaskStartsAtTheEdge) {
  EXPECT_LAYOUT(try_strided_slice(kX, spec({2}, {2}, {1}, {.begin = 1})), {2, 4, 5}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(try_strided_slice(kX, spec({0}, {0}, {-1}, {.begin = 1})), {2, 4, 5}, {-20, 5, 1},
                47);
}

TEST(StridedSlice, EndMaskStopsAtTheEdge) {
  EXPECT_LAYOUT(try_strided_slice(kX, spec({1}, {1}, {1}, {.end = 1})), {2, 4, 5}, {20, 5, 1}, 27);
  EXPECT_LAYOUT(try_strided_slice(kX, spec({1}, {1}, {-1}, {.end = 1})), {2, 4, 5}, {-20, 5, 1},
                27);
}

TEST(StridedSlice, EllipsisStandsForWhatIsLeftOver) {
  // x[1:3, ..., 2:4]
  EXPECT_LAYOUT(try_strided_slice(kX, spec({1, 9, 2}, {3, 9, 4}, {1, 0, 1}, {.ellipsis = 2})),
                {2, 4, 2}, {20, 5, 1}, 29);
  // x[..., 2:4]
  EXPECT_LAYOUT(try_strided_slice(kX, spec({0, 2}, {0, 4}, {1, 1}, {.ellipsis = 1})), {3, 4, 2},
                {20, 5, 1}, 9);
  // x[0:1, 0:1, ..., 0:1]: it stands for nothing
  EXPECT_LAYOUT(
      try_strided_slice(kX, spec({0, 0, 7, 0}, {1, 1, 7, 1}, {1, 1, 7, 1}, {.ellipsis = 4})),
      {1, 1, 1}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(try_strided_slice(Layout(), spec({0}, {0}, {0}, {.ellipsis = 1})), {}, {}, 0);
}

TEST(StridedSlice, NewAxisInsertsOne) {
  // x[newaxis, 1:3]
  EXPECT_LAYOUT(try_strided_slice(kX, spec({9, 1}, {9, 3}, {0, 1}, {.new_axis = 1})), {1, 2, 4, 5},
                {1, 20, 5, 1}, 27);
  // x[..., newaxis]
  EXPECT_LAYOUT(try_strided_slice(kX, spec({0, 0}, {0, 0}, {0, 0}, {.ellipsis = 1, .new_axis = 2})),
                {3, 4, 5, 1}, {20, 5, 1, 1}, 7);
}

TEST(StridedSlice, ShrinkTakesOneIndexAndDropsTheDimension) {
  // x[2, 1:3]
  EXPECT_LAYOUT(try_strided_slice(kX, spec({2, 1}, {0, 3}, {1, 1}, {.shrink = 1})), {2, 5}, {5, 1},
                52);
  // x[-1, -2, -3]
  EXPECT_LAYOUT(try_strided_slice(kX, spec({-1, -2, -3}, {0, 0, 0}, {1, 1, 1}, {.shrink = 7})), {},
                {}, 59);
  // The end and both masks are ignored at a shrunk position.
  EXPECT_LAYOUT(ascend(kX, spec({2}, {kInt64Min}, {1}, {.begin = 1, .end = 1, .shrink = 1})),
                {4, 5}, {5, 1}, 47);
}

TEST(StridedSlice, ShrinkClampsNothing) {
  for (std::int64_t outside : {std::int64_t{3}, std::int64_t{-4}, kInt64Max, kInt64Min}) {
    for (Rules rules : {Rules::strided, Rules::ascend, Rules::tensorflow}) {
      const Result<Layout> result =
          try_strided_slice(kX, spec({outside}, {0}, {1}, {.shrink = 1}), rules);
      EXPECT_EQ(result.message(), "begin[0] is " + std::to_string(outside) +
                                      ", it must be at least -3 and less than 3");
    }
  }
  EXPECT_REFUSED(try_strided_slice(Layout(Dims{0}), spec({0}, {1}, {1}, {.shrink = 1})),
                 index_out_of_range, "begin[0] is 0, and the dimension has 0 elements");
}

TEST(StridedSlice, EllipsisBeatsNewAxisBeatsShrink) {
  EXPECT_LAYOUT(
      try_strided_slice(kX, spec({9}, {9}, {0}, {.ellipsis = 1, .new_axis = 1, .shrink = 1})),
      {3, 4, 5}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(try_strided_slice(kX, spec({9}, {9}, {0}, {.new_axis = 1, .shrink = 1})),
                {1, 3, 4, 5}, {1, 20, 5, 1}, 7);
}

TEST(StridedSlice, BoundsMayBeAnything) {
  EXPECT_LAYOUT(ascend(kX, spec({kInt64Min}, {kInt64Max}, {1})), {3, 4, 5}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(ascend(kX, spec({kInt64Max}, {kInt64Min}, {1})), {0, 4, 5}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(try_strided_slice(kX, spec({kInt64Max}, {kInt64Min}, {-1})), {3, 4, 5}, {-20, 5, 1},
                47);
  EXPECT_LAYOUT(ascend(kX, spec({1}, {kInt64Max}, {kInt64Max})), {1, 4, 5}, {20, 5, 1}, 27);
}

TEST(StridedSlice, EmptySlicesStayWhereTheyAre) {
  EXPECT_LAYOUT(ascend(kX, spec({1, 3}, {3, 1}, {1, 1})), {2, 0, 5}, {20, 5, 1}, 7);
  EXPECT_LAYOUT(ascend(kX, spec({-1, 3}, {0, 1}, {1, 1}, {.shrink = 1})), {0, 5}, {5, 1}, 7);
}

TEST(StridedSlice, MaskBitsPastTheSpecAreIgnored) {
  EXPECT_LAYOUT(try_strided_slice(kX, spec({1}, {2}, {1}, {~1U, ~1U, 0x80000000U, ~1U, ~1U})),
                {1, 4, 5}, {20, 5, 1}, 27);
  EXPECT_LAYOUT(try_strided_slice(kX, {{}, {}, {}, ~0U, ~0U, 0, ~0U, ~0U}), {3, 4, 5}, {20, 5, 1},
                7);
}

TEST(StridedSlice, AtMostOneEllipsisInTheWholeMask) {
  EXPECT_REFUSED(ascend(kX, spec({0}, {1}, {1}, {.ellipsis = 0x80000001U})), several_ellipses,
                 "ellipsis_mask has 2 bits set, at most 1 is allowed");
  EXPECT_REFUSED(tensorflow(kX, spec({}, {}, {}, {.ellipsis = ~0U})), several_ellipses,
                 "ellipsis_mask has 32 bits set, at most 1 is allowed");
}

TEST(StridedSlice, ListsHaveOneLengthBelow32) {
  EXPECT_REFUSED(ascend(kX, spec({0, 0}, {1}, {1, 1})), length_mismatch,
                 "end has 1 entry, 2 are needed, as many as begin has");
  EXPECT_REFUSED(ascend(kX, spec({0}, {1}, {1, 1})), length_mismatch,
                 "strides has 2 entries, 1 is needed, as many as begin has");
  constexpr Dims kOnes = Dims::filled(32, 1);
  EXPECT_REFUSED(ascend(kX, spec(kOnes, kOnes, kOnes, {.new_axis = ~0U})), spec_too_long,
                 "begin has 32 entries, at most 31 are allowed");
  constexpr Dims kMost = Dims::filled(31, 0);
  EXPECT_FACT(try_strided_slice(Layout(), spec(kMost, kMost, kMost, {.new_axis = ~0U}))->rank() ==
              31);
}

TEST(StridedSlice, CountsEntriesBeforeItExpands) {
  EXPECT_REFUSED(ascend(kX, spec({0, 0, 0, 0}, {1, 1, 1, 1}, {1, 1, 1, 1})), too_many_entries,
                 "begin has 4 entries that take a dimension each, x has 3 dimensions");
  EXPECT_REFUSED(
      ascend(kX, spec({0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {.ellipsis = 1})),
      too_many_entries, "begin has 4 entries that take a dimension each, x has 3 dimensions");
  EXPECT_REFUSED(try_strided_slice(Layout(), spec({0}, {1}, {1})), too_many_entries,
                 "begin has 1 entry that takes a dimension, x has 0 dimensions");
  constexpr Dims kMost = Dims::filled(31, 0);
  EXPECT_REFUSED(try_strided_slice(kX, spec(kMost, kMost, kMost, {.new_axis = ~0U})),
                 rank_too_large, "the final shape has 34 entries, at most 32 are allowed");
}

TEST(StridedSlice, AscendWantsPositiveStridesAndTheLastOneOne) {
  EXPECT_REFUSED(ascend(kX, spec({0}, {3}, {0})), nonpositive_stride,
                 "strides[0] is 0, under Rules::ascend it must be at least 1");
  EXPECT_REFUSED(ascend(kX, spec({3}, {0}, {kInt64Min})), nonpositive_stride,
                 "strides[0] is -9223372036854775808, under Rules::ascend it must be at least 1; "
                 "Rules::strided takes negative ones");
  EXPECT_REFUSED(ascend(kX, spec({0, 0, 0}, {3, 4, 5}, {1, 1, 2})), innermost_stride,
                 "strides[2] is 2, under Rules::ascend the stride of the last dimension must be 1; "
                 "Rules::tensorflow takes any but 0");
  // The last dimension, not the last entry; also behind an ellipsis.
  EXPECT_FACT(ascend(kX, spec({0, 0}, {3, 4}, {2, 2})).has_value());
  EXPECT_REFUSED(ascend(kX, spec({0, 0}, {0, 5}, {1, 2}, {.ellipsis = 1})), innermost_stride,
                 "strides[1] is 2, under Rules::ascend the stride of the last dimension must be 1; "
                 "Rules::tensorflow takes any but 0");
  EXPECT_REFUSED(ascend(kX, spec({0}, {3}, {2}, {.shrink = 1})), shrink_stride,
                 "strides[0] is 2, under Rules::ascend a shrunk dimension needs a stride of 1; "
                 "Rules::tensorflow takes any of at least 1");
}

TEST(StridedSlice, TensorflowTakesAnyStrideButZero) {
  EXPECT_LAYOUT(tensorflow(kX, spec({0, 0, 4}, {3, 4, 0}, {1, 1, -2})), {3, 4, 2}, {20, 5, -2}, 11);
  EXPECT_REFUSED(tensorflow(kX, spec({0}, {3}, {0})), zero_stride,
                 "strides[0] is 0, a slice needs a step other than 0");
  EXPECT_REFUSED(tensorflow(kX, spec({3}, {0}, {kInt64Min})), overflow,
                 "strides[0] is -9223372036854775808, with it an offset no longer fits 64 bits");
  EXPECT_LAYOUT(tensorflow(kX, spec({1}, {3}, {7}, {.shrink = 1})), {4, 5}, {5, 1}, 27);
  EXPECT_REFUSED(tensorflow(kX, spec({1}, {3}, {-1}, {.shrink = 1})), shrink_stride,
                 "strides[0] is -1, a shrunk dimension needs a stride of at least 1");
}

TEST(StridedSlice, RuleSetsLimitTheRank) {
  constexpr Layout kNine(Dims::filled(9, 1));
  EXPECT_REFUSED(ascend(kNine, {}), rank_too_large,
                 "the shape has 9 entries, under Rules::ascend at most 8 are allowed; "
                 "Rules::strided takes 32");
  EXPECT_REFUSED(tensorflow(kNine, {}), rank_too_large,
                 "the shape has 9 entries, under Rules::tensorflow at most 8 are allowed; "
                 "Rules::strided takes 32");
  EXPECT_FACT(try_strided_slice(kNine, {}).has_value());
  EXPECT_REFUSED(
      ascend(Layout(), {}), rank_too_small,
      "x has rank 0, under Rules::ascend at least 1 is needed; Rules::tensorflow takes 0");
  EXPECT_FACT(tensorflow(Layout(), {}).has_value());
}

TEST(StridedSlice, AscendTakesNoEmptyVar) {
  EXPECT_REFUSED(ascend(Layout({3, 0}), {}), empty_var,
                 "x has size 0 in dimension 1, under Rules::ascend every dimension must be at "
                 "least 1; Rules::tensorflow takes 0");
  EXPECT_LAYOUT(tensorflow(Layout({3, 0}), spec({1}, {3}, {1})), {2, 0}, {1, 1}, 0);
}

// try_as_strided: the layout over a storage of so many elements.
constexpr Result<Layout> as_strided(const Dims& size, const Dims& stride, std::int64_t offset,
                                    Rules rules = Rules::strided, std::int64_t storage = 9) {
  return try_as_strided(storage, size, stride, offset, rules);
}

TEST(AsStrided, ReadsTheExamplesOfItsDocument) {
  EXPECT_LAYOUT(as_strided({2, 2}, {2, 3}, 0, Rules::ascend), {2, 2}, {2, 3}, 0);
  EXPECT_LAYOUT(as_strided({2, 2}, {2, 3}, 2, Rules::ascend), {2, 2}, {2, 3}, 2);
}

TEST(AsStrided, ReachesTheLastElementAndNoFurther) {
  for (Rules rules : {Rules::strided, Rules::ascend, Rules::torch}) {
    EXPECT_TRUE(strided_test::layout_is(as_strided({2, 2}, {2, 3}, 3, rules), {2, 2}, {2, 3}, 3));
    const std::string whole = rules == Rules::ascend ? "x" : "the storage";
    EXPECT_EQ(
        as_strided({2, 2}, {2, 3}, 4, rules).message(),
        "the view reaches index 9 of " + whole + " (dimension 1), which has 9 elements: 0 to 8");
  }
  EXPECT_LAYOUT(as_strided({}, {}, 8, Rules::ascend), {}, {}, 8);
  EXPECT_REFUSED(as_strided({}, {}, 9), out_of_bounds,
                 "offset is 9, behind the storage of 9 elements: 0 to 8");
  EXPECT_REFUSED(as_strided({1}, {1}, kInt64Max), out_of_bounds,
                 "offset is 9223372036854775807, behind the storage of 9 elements: 0 to 8");
}

TEST(AsStrided, OnlyTheGeneralRulesTakeNegativeStrides) {
  EXPECT_LAYOUT(as_strided({9}, {-1}, 8), {9}, {-1}, 8);
  EXPECT_REFUSED(as_strided({9}, {-1}, 7), out_of_bounds,
                 "the view reaches index -1 (dimension 0), before the start of the storage: the "
                 "offset is too small by 1");
  EXPECT_REFUSED(as_strided({9}, {-1}, 8, Rules::ascend), negative_stride,
                 "stride[0] is -1, under Rules::ascend it must be at least 0; Rules::strided takes "
                 "negative ones");
  EXPECT_REFUSED(as_strided({9}, {-1}, 8, Rules::torch), negative_stride,
                 "stride[0] is -1, under Rules::torch it must be at least 0; Rules::strided takes "
                 "negative ones");
}

TEST(AsStrided, OnlyAscendRefusesEmptySizes) {
  EXPECT_LAYOUT(as_strided({3, 0}, {1, kInt64Max}, 100), {3, 0}, {1, kInt64Max}, 100);
  EXPECT_LAYOUT(as_strided({3, 0}, {1, 1}, 0, Rules::torch), {3, 0}, {1, 1}, 0);
  EXPECT_REFUSED(as_strided({3, 0}, {1, 1}, 0, Rules::ascend), nonpositive_size,
                 "size[1] is 0, under Rules::ascend it must be at least 1; Rules::strided takes 0");
}

TEST(AsStrided, RefusesListsThatDoNotFit) {
  EXPECT_REFUSED(as_strided({2, 2}, {2}, 0, Rules::ascend), length_mismatch,
                 "stride has 1 entry, 2 are needed, as many as size has");
  EXPECT_REFUSED(as_strided({-1}, {1}, 0), negative_size, "size[0] is -1, it must be at least 0");
  EXPECT_REFUSED(as_strided({1}, {1}, -1), negative_offset, "offset is -1, it must be at least 0");
  EXPECT_REFUSED(
      as_strided(Dims::filled(9, 1), Dims::filled(9, 1), 0, Rules::ascend), rank_too_large,
      "size has 9 entries, under Rules::ascend at most 8 are allowed; Rules::strided takes 32");
  EXPECT_FACT(as_strided(Dims::filled(9, 1), Dims::filled(9, 1), 0).has_value());
}

TEST(AsStrided, RefusesWhat64BitsCannotCount) {
  EXPECT_REFUSED(as_strided({kInt64Max, 2}, {0, 0}, 0, Rules::ascend), overflow,
                 "size[1] is 2, with it the number of elements no longer fits 64 bits");
  EXPECT_REFUSED(as_strided({3}, {kInt64Max}, 0, Rules::ascend), overflow,
                 "stride[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(as_strided({2}, {kInt64Max}, 1, Rules::ascend), overflow,
                 "stride[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_LAYOUT(as_strided({1, 3}, {kInt64Max, 0}, 8, Rules::ascend), {1, 3}, {kInt64Max, 0}, 8);
}

}  // namespace
