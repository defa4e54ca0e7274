#include "strided/view/algebra.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

#include "support/facts.hpp"
#include "view/numpy_facts.hpp"

namespace {

using namespace strided;

constexpr Layout kCube({4, 5, 6}, {30, 6, 1}, 7);
constexpr Layout kRow({6}, {1}, 0);
constexpr Layout kScalar;
constexpr Layout kFull(Dims::filled(32, 1));

TEST(Permute, ReordersAxes) {
  EXPECT_LAYOUT(try_permute(kCube, {2, 0, 1}), {6, 4, 5}, {1, 30, 6}, 7);
  EXPECT_LAYOUT(try_permute(kCube, {0, 1, 2}), {4, 5, 6}, {30, 6, 1}, 7);
  EXPECT_LAYOUT(try_permute(kCube, {-1, -3, -2}), {6, 4, 5}, {1, 30, 6}, 7);
  EXPECT_LAYOUT(try_permute(kScalar, {}), {}, {}, 0);
}

TEST(Permute, TakesAllThirtyTwoAxes) {
  Dims backwards;
  Dims shape;
  for (std::int64_t i = 0; i < kMaxRank; ++i) {
    backwards.push_back(kMaxRank - 1 - i);
    shape.push_back(i == 3 ? 5 : 1);
  }
  const Result<Layout> turned = try_permute(Layout(shape), backwards);
  ASSERT_TRUE(turned);
  EXPECT_EQ(turned->shape()[28], 5);
}

TEST(Permute, RefusesWhatIsNoPermutation) {
  EXPECT_REFUSED(try_permute(kCube, {0, 1}), length_mismatch,
                 "axes has 2 entries, 3 are needed, one for each dimension");
  EXPECT_REFUSED(try_permute(kCube, {0, 1, 3}), axis_out_of_range,
                 "axes[2] is 3, it must be at least -3 and less than 3");
  EXPECT_REFUSED(try_permute(kCube, {0, kInt64Min, 1}), axis_out_of_range,
                 "axes[1] is -9223372036854775808, it must be at least -3 and less than 3");
  EXPECT_REFUSED(try_permute(kCube, {0, 1, -2}), repeated_axis,
                 "axes[2] is -2, an axis named before; each may be named once");
}

TEST(Transpose, ExchangesTwoAxes) {
  EXPECT_LAYOUT(try_transpose(kCube, 0, 2), {6, 5, 4}, {1, 6, 30}, 7);
  EXPECT_LAYOUT(try_transpose(kCube, -1, 1), {4, 6, 5}, {30, 1, 6}, 7);
  EXPECT_LAYOUT(try_transpose(kCube, 1, 1), {4, 5, 6}, {30, 6, 1}, 7);
  EXPECT_REFUSED(try_transpose(kCube, 0, kInt64Max), axis_out_of_range,
                 "the second axis is 9223372036854775807, it must be at least -3 and less than 3");
  EXPECT_REFUSED(try_transpose(kScalar, 0, 0), axis_out_of_range,
                 "the first axis is 0, and there are no axes");
}

TEST(Slice, TakesBeginToEndByStep) {
  EXPECT_LAYOUT(try_slice(kCube, 0, 1, 3), {2, 5, 6}, {30, 6, 1}, 37);
  EXPECT_LAYOUT(try_slice(kCube, 1, 0, 5, 2), {4, 3, 6}, {30, 12, 1}, 7);
  EXPECT_LAYOUT(try_slice(kCube, -1, -2, kEnd), {4, 5, 2}, {30, 6, 1}, 11);
}

TEST(Slice, NegativeStepsWalkBackwards) {
  EXPECT_LAYOUT(try_slice(kCube, 2, 4, 0, -2), {4, 5, 2}, {30, 6, -2}, 11);
  EXPECT_LAYOUT(try_slice(kCube, 0, kEnd, kBegin, -1), {4, 5, 6}, {-30, 6, 1}, 97);
}

// The canonical end of a reversed slice is -1, which is not the -1 a user writes.
TEST(Slice, MinusOneIsTheLastElementNotTheOneBeforeTheFirst) {
  EXPECT_LAYOUT(try_slice(kRow, 0, 5, -1, -1), {0}, {-1}, 0);
  EXPECT_LAYOUT(try_slice(kRow, 0, 5, -7, -1), {6}, {-1}, 5);
}

TEST(Slice, EmptySlicesStayWhereTheyAre) {
  EXPECT_LAYOUT(try_slice(kCube, 0, 3, 1), {0, 5, 6}, {30, 6, 1}, 7);
  EXPECT_LAYOUT(try_slice(kCube, 0, 9, 12), {0, 5, 6}, {30, 6, 1}, 7);
  EXPECT_LAYOUT(try_slice(Layout(Dims{0}), 0, 0, 5, -1), {0}, {-1}, 0);
}

TEST(Slice, HugeStepsTakeOneElement) {
  EXPECT_LAYOUT(try_slice(kRow, 0, 2, kEnd, kInt64Max), {1}, {kInt64Max}, 2);
  EXPECT_LAYOUT(try_slice(kRow, 0, 2, kBegin, -kInt64Max), {1}, {-kInt64Max}, 2);
  // The new stride does not fit 64 bits; with one element it is never used.
  EXPECT_LAYOUT(try_slice(kCube, 0, 2, kEnd, kInt64Max), {1, 5, 6}, {30, 6, 1}, 67);
}

TEST(Slice, AxesOfOneElementMayHaveAnyStride) {
  EXPECT_LAYOUT(try_slice(Layout({1}, {kInt64Min}, 3), 0, 0, 1), {1}, {kInt64Min}, 3);
  EXPECT_LAYOUT(try_flip(Layout({1}, {kInt64Min}, 3), 0), {1}, {kInt64Min}, 3);
  EXPECT_LAYOUT(try_slice(Layout({1}, {kInt64Max}, 3), 0, -5, 9, 4), {1}, {kInt64Max}, 3);
}

TEST(Slice, SlicesTheLargestExtent) {
  constexpr Layout kHuge({kInt64Max}, {1}, 0);
  EXPECT_LAYOUT(try_flip(kHuge, 0), {kInt64Max}, {-1}, kInt64Max - 1);
  EXPECT_LAYOUT(try_slice(kHuge, 0, kInt64Min, kInt64Max, 2), {kInt64Max / 2 + 1}, {2}, 0);
  EXPECT_LAYOUT(try_slice(kHuge, 0, -1, kEnd), {1}, {1}, kInt64Max - 1);
}

TEST(Slice, RefusesAStepOfZeroAndOneThatCannotBeNegated) {
  EXPECT_REFUSED(try_slice(kCube, 0, 0, 4, 0), zero_stride,
                 "step is 0, a slice needs a step other than 0");
  EXPECT_REFUSED(try_slice(kCube, 0, 4, 0, kInt64Min), overflow,
                 "step is -9223372036854775808, with it an offset no longer fits 64 bits");
  EXPECT_REFUSED(try_slice(kCube, 3, 0, 4), axis_out_of_range,
                 "axis is 3, it must be at least -3 and less than 3");
}

constexpr bool agrees(const numpy::Slice& row) {
  const Result<Layout> slice = try_slice(kRow, 0, row.begin, row.end, row.step);
  return slice && slice->size() == row.count && (row.count == 0 || slice->offset() == row.first) &&
         (row.count < 2 || slice->strides()[0] == row.step);
}
constexpr bool all_agree(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    if (!agrees(numpy::kSlices[i])) return false;
  }
  return true;
}

TEST(Slice, AgreesWithNumpy) {
  static_assert(all_agree(0, 24) && std::size(numpy::kSlices) == 48);
  static_assert(all_agree(24, 48));
  for (const numpy::Slice& row : numpy::kSlices) {
    EXPECT_TRUE(agrees(row)) << row.begin << ":" << row.end << ":" << row.step;
  }
}

TEST(Narrow, TakesALengthFromAStart) {
  EXPECT_LAYOUT(try_narrow(kCube, 1, 2, 3), {4, 3, 6}, {30, 6, 1}, 19);
  EXPECT_LAYOUT(try_narrow(kCube, 1, 5, 0), {4, 0, 6}, {30, 6, 1}, 7);
  EXPECT_LAYOUT(try_narrow(kCube, 0, 0, 4), {4, 5, 6}, {30, 6, 1}, 7);
}

TEST(Narrow, ClampsNothing) {
  EXPECT_REFUSED(try_narrow(kCube, 1, -1, 1), index_out_of_range,
                 "start is -1, it must be at least 0 and at most 5 (dimension 1 has 5 elements)");
  EXPECT_REFUSED(try_narrow(kCube, 1, 6, 0), index_out_of_range,
                 "start is 6, it must be at least 0 and at most 5 (dimension 1 has 5 elements)");
  EXPECT_REFUSED(try_narrow(kCube, 1, 0, -1), negative_size, "length is -1, it must be at least 0");
  EXPECT_REFUSED(
      try_narrow(kCube, 1, 3, 3), index_out_of_range,
      "start + length is 6, it must be at least 0 and at most 5 (dimension 1 has 5 elements)");
  EXPECT_REFUSED(try_narrow(kCube, 1, 1, kInt64Max), index_out_of_range,
                 "start + length is 9223372036854775807, it must be at least 0 and at most 5 "
                 "(dimension 1 has 5 elements)");
}

TEST(Select, DropsAnAxis) {
  EXPECT_LAYOUT(try_select(kCube, 1, 2), {4, 6}, {30, 1}, 19);
  EXPECT_LAYOUT(try_select(kCube, -1, -1), {4, 5}, {30, 6}, 12);
  EXPECT_LAYOUT(try_select(kRow, 0, 3), {}, {}, 3);
  EXPECT_LAYOUT(try_select(Layout({1, 2}, {kInt64Min, 1}, 4), 0, 0), {2}, {1}, 4);
  EXPECT_LAYOUT(try_select(Layout({3, 0}, {kInt64Max, 1}, 4), 0, 2), {0}, {1}, 4);
}

TEST(Select, ClampsNothing) {
  EXPECT_REFUSED(try_select(kCube, 1, 5), index_out_of_range,
                 "index is 5, it must be at least -5 and less than 5 (dimension 1 has 5 elements)");
  EXPECT_REFUSED(try_select(kCube, 1, kInt64Min), index_out_of_range,
                 "index is -9223372036854775808, it must be at least -5 and less than 5 (dimension "
                 "1 has 5 elements)");
  EXPECT_REFUSED(try_select(Layout(Dims{0}), 0, 0), index_out_of_range,
                 "index is 0, and dimension 0 has 0 elements");
}

TEST(Flip, ReversesAnAxis) {
  EXPECT_LAYOUT(try_flip(kCube, 1), {4, 5, 6}, {30, -6, 1}, 31);
  EXPECT_LAYOUT(try_flip(Layout({3}, {-2}, 4), 0), {3}, {2}, 0);
  EXPECT_LAYOUT(try_flip(Layout({3}, {0}, 4), 0), {3}, {0}, 4);
  EXPECT_LAYOUT(try_flip(Layout({0, 2}), 0), {0, 2}, {-2, 1}, 0);
  EXPECT_REFUSED(try_flip(kScalar, 0), axis_out_of_range, "axis is 0, and there are no axes");
}

TEST(Squeeze, DropsAxesOfOneElement) {
  EXPECT_LAYOUT(squeeze(Layout({1, 3, 1, 2}, {kInt64Max, 2, kInt64Min, 1}, 5)), {3, 2}, {2, 1}, 5);
  EXPECT_LAYOUT(squeeze(kFull), {}, {}, 0);
  EXPECT_LAYOUT(squeeze(Layout({1, 0})), {0}, {1}, 0);
  EXPECT_LAYOUT(try_squeeze(Layout({1, 3, 1}), 0), {3, 1}, {1, 1}, 0);
  EXPECT_LAYOUT(try_squeeze(Layout({1, 3, 1}), -1), {1, 3}, {3, 1}, 0);
  EXPECT_REFUSED(
      try_squeeze(kCube, 1), size_mismatch,
      "dimension 1 has size 5, only a size of 1 can be dropped; select() takes one index");
}

TEST(Unsqueeze, InsertsAnAxisOfOneElement) {
  EXPECT_LAYOUT(try_unsqueeze(kCube, 0), {1, 4, 5, 6}, {30, 30, 6, 1}, 7);
  EXPECT_LAYOUT(try_unsqueeze(kCube, 3), {4, 5, 6, 1}, {30, 6, 1, 1}, 7);
  EXPECT_LAYOUT(try_unsqueeze(kCube, -1), {4, 5, 6, 1}, {30, 6, 1, 1}, 7);
  EXPECT_LAYOUT(try_unsqueeze(kCube, -4), {1, 4, 5, 6}, {30, 30, 6, 1}, 7);
  EXPECT_LAYOUT(try_unsqueeze(kScalar, 0), {1}, {1}, 0);
  EXPECT_LAYOUT(try_unsqueeze(Layout({2}, {kInt64Max}), 0), {1, 2}, {kInt64Max, kInt64Max}, 0);
}

TEST(Unsqueeze, StopsAtThirtyTwoAxes) {
  EXPECT_REFUSED(try_unsqueeze(kCube, 4), axis_out_of_range,
                 "axis is 4, it must be at least -4 and less than 4");
  EXPECT_REFUSED(try_unsqueeze(kFull, 0), rank_too_large,
                 "shape has 33 entries, at most 32 are allowed");
}

TEST(Algebra, EmptyLayoutsWithHugeNumbersPassThrough) {
  constexpr Layout kEmpty({kInt64Max, 0, kInt64Max}, {kInt64Max, 1, kInt64Min}, kInt64Max);
  EXPECT_FACT(try_permute(kEmpty, {2, 1, 0})->empty());
  EXPECT_FACT(try_slice(kEmpty, 0, 5, kEnd, 3)->offset() == kInt64Max);
  EXPECT_FACT(try_flip(kEmpty, 2)->offset() == kInt64Max);
  EXPECT_FACT(try_select(kEmpty, 2, -1)->shape() == Dims{kInt64Max, 0});
  EXPECT_FACT(try_narrow(kEmpty, 2, 7, 9)->empty());
  EXPECT_FACT(try_unsqueeze(kEmpty, 1)->empty());
  EXPECT_FACT(squeeze(kEmpty).empty());
}

TEST(Algebra, PlansWithoutThrowing) {
  EXPECT_FACT(noexcept(try_permute(kCube, Dims{}))&& noexcept(try_transpose(kCube, 0, 1)));
  EXPECT_FACT(noexcept(try_slice(kCube, 0, 0, 1))&& noexcept(try_select(kCube, 0, 0)));
  EXPECT_FACT(noexcept(try_unsqueeze(kCube, 0))&& noexcept(squeeze(kCube)));
}

}  // namespace
