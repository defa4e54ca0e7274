#include "strided/view/reshape.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>

#include "support/facts.hpp"
#include "view/numpy_facts.hpp"

namespace {

using namespace strided;

constexpr Layout kImage({6, 5}, {10, 1}, 22);
constexpr Layout kScalar;
constexpr Layout kHuge({kInt64Max}, {0}, 3);

// The same shape and offset, and the same strides where an axis has more than one element.
constexpr bool agrees(const Result<Layout>& result, bool is_view, const Dims& shape,
                      const Dims& strides, std::int64_t offset) {
  if (!result) return !is_view;
  if (!is_view || result->shape() != shape || result->offset() != offset) return false;
  for (std::size_t i = 0; i < shape.size() && !result->empty(); ++i) {
    if (shape[i] > 1 && result->strides()[i] != strides[i]) return false;
  }
  return true;
}

constexpr bool agrees(const numpy::Reshape& row) {
  return agrees(try_reshape(Layout(row.shape, row.strides, 500), row.wanted), row.is_view,
                row.wanted, row.expected, 500);
}
constexpr bool agrees(const numpy::Broadcast& row) {
  return agrees(try_broadcast_to(Layout(row.shape, row.strides, 500), row.wanted), row.is_view,
                row.wanted, row.expected, 500);
}
constexpr bool agrees(const numpy::Diagonal& row) {
  return agrees(
      try_diagonal(Layout(row.shape, row.strides, 500), row.axis_a, row.axis_b, row.shift), true,
      row.expected_shape, row.expected_strides, row.expected_offset);
}
constexpr bool agrees(const numpy::Windows& row) {
  return agrees(try_windows(Layout(row.shape, row.strides, 500), row.axis, row.size, row.step),
                true, row.expected_shape, row.expected_strides, 500);
}

// The compiler checks a few rows at a time: it counts its steps.
template <const auto& Rows, std::size_t First>
constexpr bool kSomeAgree = [] {
  for (std::size_t i = First; i < First + 10 && i < std::size(Rows); ++i) {
    if (!agrees(Rows[i])) return false;
  }
  return true;
}();

TEST(Reshape, AgreesWithNumpy) {
  static_assert(kSomeAgree<numpy::kReshapes, 0> && kSomeAgree<numpy::kReshapes, 10> &&
                kSomeAgree<numpy::kReshapes, 20> && kSomeAgree<numpy::kReshapes, 30> &&
                kSomeAgree<numpy::kReshapes, 40> && kSomeAgree<numpy::kReshapes, 50>);
  static_assert(std::size(numpy::kReshapes) <= 60);
  for (const numpy::Reshape& row : numpy::kReshapes) {
    EXPECT_TRUE(agrees(row)) << to_string(row.shape) << to_string(row.strides) << " to "
                             << to_string(row.wanted);
  }
}

TEST(Reshape, CutsAndMergesAxes) {
  EXPECT_LAYOUT(try_reshape(Layout({4, 6}, 7), {2, 2, 6}), {2, 2, 6}, {12, 6, 1}, 7);
  EXPECT_LAYOUT(try_reshape(Layout({4, 6}, 7), {24}), {24}, {1}, 7);
  EXPECT_LAYOUT(try_reshape(kScalar, {1, 1}), {1, 1}, {1, 1}, 0);
  EXPECT_LAYOUT(try_reshape(Layout({1, 1}, {9, 9}, 4), {}), {}, {}, 4);
}

TEST(Reshape, InfersOneSize) {
  EXPECT_LAYOUT(try_reshape(Layout({4, 6}), {3, -1}), {3, 8}, {8, 1}, 0);
  EXPECT_LAYOUT(try_reshape(Layout({4, 6}), {-1}), {24}, {1}, 0);
  EXPECT_LAYOUT(try_reshape(Layout({0, 6}), {3, -1}), {3, 0}, {1, 1}, 0);
  EXPECT_LAYOUT(try_reshape(kScalar, {-1}), {1}, {1}, 0);
}

TEST(Reshape, InfersNothingThatIsUndecided) {
  EXPECT_REFUSED(
      try_reshape(Layout({0, 6}), {0, -1}), not_inferable,
      "shape[1] is -1, and beside a size of 0 it could be any number; name the one that is meant");
  EXPECT_REFUSED(
      try_reshape(Layout({4, 6}), {0, -1}), not_inferable,
      "shape[1] is -1, and beside a size of 0 it could be any number; name the one that is meant");
  EXPECT_REFUSED(try_reshape(Layout({4, 6}), {-1, -1}), not_inferable,
                 "shape[1] is -1, only one size may be left to be inferred");
  EXPECT_REFUSED(try_reshape(Layout({4, 6}), {-2, -12}), negative_size,
                 "shape[0] is -2, it must be at least 0, or -1 to be inferred");
}

TEST(Reshape, RefusesAnotherNumberOfElements) {
  EXPECT_REFUSED(try_reshape(Layout({4, 6}), {5, 5}), size_mismatch,
                 "shape makes 25 elements, 24 are needed");
  EXPECT_REFUSED(try_reshape(Layout({4, 6}), {5, -1}), size_mismatch,
                 "shape[1] cannot be inferred, 24 elements are no multiple of 5");
  EXPECT_REFUSED(try_reshape(Layout({4, 6}), {}), size_mismatch,
                 "shape makes 1 element, 24 are needed");
  EXPECT_REFUSED(try_reshape(Layout({0}), {}), size_mismatch,
                 "shape makes 1 element, 0 are needed");
  EXPECT_REFUSED(try_reshape(Layout({4, 6}), {kInt64Max, kInt64Max}), overflow,
                 "shape[1] is 9223372036854775807, with it the number of elements no longer fits "
                 "64 bits");
}

TEST(Reshape, RefusesWhatOnlyACopyCouldDo) {
  EXPECT_REFUSED(
      try_reshape(kImage, {30}), needs_copy,
      "shape (30,) is no view of these strides (dimension 0); copy() to a contiguous view first");
  EXPECT_REFUSED(try_reshape(kImage, {5, 3, 2}), needs_copy,
                 "shape (5, 3, 2) is no view of these strides (dimension 2); copy() to a "
                 "contiguous view first");
  EXPECT_LAYOUT(try_reshape(kImage, {2, 3, 5}), {2, 3, 5}, {30, 10, 1}, 22);
}

TEST(Reshape, KeepsTheLargestStrides) {
  EXPECT_LAYOUT(try_reshape(Layout({2}, {kInt64Max}), {2, 1}), {2, 1}, {kInt64Max, 1}, 0);
  EXPECT_LAYOUT(try_reshape(Layout({2}, {kInt64Max}), {1, 2}), {1, 2}, {kInt64Max, kInt64Max}, 0);
}

TEST(Reshape, EmptyShapesMayHoldHugeSizes) {
  EXPECT_FACT(try_reshape(Layout({0, 6}), {kInt64Max, 0, kInt64Max})->empty());
}

TEST(BroadcastTo, AgreesWithNumpy) {
  static_assert(kSomeAgree<numpy::kBroadcasts, 0> && kSomeAgree<numpy::kBroadcasts, 10>);
  static_assert(std::size(numpy::kBroadcasts) <= 20);
  for (const numpy::Broadcast& row : numpy::kBroadcasts) {
    EXPECT_TRUE(agrees(row)) << to_string(row.shape) << " to " << to_string(row.wanted);
  }
}

TEST(BroadcastTo, RepeatsByStrideZero) {
  EXPECT_LAYOUT(try_broadcast_to(kImage, {3, 6, 5}), {3, 6, 5}, {0, 10, 1}, 22);
  EXPECT_LAYOUT(try_broadcast_to(Layout({1, 5}, {kInt64Min, 1}, 2), {6, 5}), {6, 5}, {0, 1}, 2);
  EXPECT_LAYOUT(try_broadcast_to(kScalar, {kInt64Max}), {kInt64Max}, {0}, 0);
  EXPECT_LAYOUT(try_broadcast_to(kScalar, {}), {}, {}, 0);
}

TEST(BroadcastTo, NeverShrinksAndNeverDropsAxes) {
  EXPECT_REFUSED(try_broadcast_to(kImage, {5}), rank_too_small,
                 "shape has rank 1, at least 2 is needed");
  EXPECT_REFUSED(
      try_broadcast_to(kImage, {6, 1}), not_broadcastable,
      "shape[1] is 1, a dimension of size 5 does not broadcast to it; one of size 1 would");
  EXPECT_REFUSED(
      try_broadcast_to(Layout(Dims{0}), {1}), not_broadcastable,
      "shape[0] is 1, a dimension of size 0 does not broadcast to it; one of size 1 would");
  EXPECT_REFUSED(try_broadcast_to(kImage, {-1, 6, 5}), negative_size,
                 "shape[0] is -1, it must be at least 0");
  EXPECT_REFUSED(try_broadcast_to(kScalar, {kInt64Max, 2}), overflow,
                 "shape[1] is 2, with it the number of elements no longer fits 64 bits");
}

TEST(Collapse, MergesNeighboursThatAreOneRun) {
  EXPECT_LAYOUT(collapse(Layout({10, 1, 10}, {10, 0, 1}, 4)), {100}, {1}, 4);
  EXPECT_LAYOUT(collapse(Layout({2, 3, 4}, {24, 4, 1})), {2, 12}, {24, 1}, 0);
  EXPECT_LAYOUT(collapse(Layout({3, 4}, {-4, -1}, 11)), {12}, {-1}, 11);
  EXPECT_LAYOUT(collapse(Layout({3, 4}, {0, 0})), {12}, {0}, 0);
  EXPECT_LAYOUT(collapse(kImage), {6, 5}, {10, 1}, 22);
  EXPECT_LAYOUT(collapse(Layout({1, 1}, {kInt64Min, kInt64Max}, 4)), {}, {}, 4);
}

// Merging never changes the logical order: a transposed array stays as it is.
TEST(Collapse, KeepsTheLogicalOrder) {
  EXPECT_LAYOUT(collapse(Layout({3, 2}, {1, 3})), {3, 2}, {1, 3}, 0);
  EXPECT_LAYOUT(collapse(Layout({2, 3}, {3, -1}, 2)), {2, 3}, {3, -1}, 2);
}

TEST(Collapse, EmptyLayoutsBecomeOneEmptyAxis) {
  EXPECT_LAYOUT(collapse(Layout({kInt64Max, kInt64Max, 0}, {0, 0, 0}, 5)), {0}, {1}, 5);
}

TEST(Windows, AgreeWithNumpy) {
  static_assert(kSomeAgree<numpy::kWindows, 0> && std::size(numpy::kWindows) <= 10);
  for (const numpy::Windows& row : numpy::kWindows) {
    EXPECT_TRUE(agrees(row)) << to_string(row.shape) << " size " << row.size << " step "
                             << row.step;
  }
}

TEST(Windows, AreANewLastAxis) {
  EXPECT_LAYOUT(try_windows(Layout({5}), 0, 3, 1), {3, 3}, {1, 1}, 0);
  EXPECT_LAYOUT(try_windows(kImage, 0, 2, 2), {3, 5, 2}, {20, 1, 10}, 22);
  EXPECT_LAYOUT(try_windows(kImage, -1, 5, kInt64Max), {6, 1, 5}, {10, kInt64Max, 1}, 22);
  EXPECT_LAYOUT(try_windows(Layout({1}, {kInt64Min}, 2), 0, 1, kInt64Max), {1, 1},
                {kInt64Min, kInt64Min}, 2);
}

TEST(Windows, MayBeEmptyAsInTorch) {
  EXPECT_LAYOUT(try_windows(Layout({5}), 0, 0, 2), {3, 0}, {2, 1}, 0);
  EXPECT_LAYOUT(try_windows(Layout(Dims{0}), 0, 0, 1), {1, 0}, {1, 1}, 0);
  EXPECT_REFUSED(try_windows(kHuge, 0, 0, 1), overflow,
                 "size is 0, with it the number of elements no longer fits 64 bits");
}

TEST(Windows, RefuseSizesAndStepsThatDoNotFit) {
  EXPECT_REFUSED(try_windows(kImage, 0, 7, 1), index_out_of_range,
                 "size is 7, it must be at least 0 and at most 6 (dimension 0 has 6 elements)");
  EXPECT_REFUSED(try_windows(kImage, 0, -1, 1), negative_size, "size is -1, it must be at least 0");
  EXPECT_REFUSED(try_windows(kImage, 0, 2, 0), nonpositive_stride,
                 "step is 0, it must be at least 1");
  EXPECT_REFUSED(try_windows(kImage, 2, 2, 1), axis_out_of_range,
                 "axis is 2, it must be at least -2 and less than 2");
  EXPECT_REFUSED(try_windows(Layout(Dims::filled(32, 1)), 0, 1, 1), rank_too_large,
                 "shape has 33 entries, at most 32 are allowed");
  EXPECT_FACT(strided_test::failure_code(try_windows(kHuge, 0, kInt64Max / 2, 1)) ==
              ErrorCode::overflow);
}

TEST(Diagonal, AgreesWithNumpy) {
  static_assert(kSomeAgree<numpy::kDiagonals, 0> && kSomeAgree<numpy::kDiagonals, 10> &&
                kSomeAgree<numpy::kDiagonals, 20> && kSomeAgree<numpy::kDiagonals, 30>);
  static_assert(std::size(numpy::kDiagonals) <= 40);
  for (const numpy::Diagonal& row : numpy::kDiagonals) {
    EXPECT_TRUE(agrees(row)) << to_string(row.shape) << to_string(row.strides) << " axes "
                             << row.axis_a << " " << row.axis_b << " shift " << row.shift;
  }
}

TEST(Diagonal, IsANewLastAxis) {
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1), {5}, {11}, 22);
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1, 2), {3}, {11}, 24);
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1, -2), {4}, {11}, 42);
}

TEST(Diagonal, AnyShiftIsLegal) {
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1, 5), {0}, {11}, 22);
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1, -6), {0}, {11}, 22);
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1, kInt64Max), {0}, {11}, 22);
  EXPECT_LAYOUT(try_diagonal(kImage, 0, 1, kInt64Min), {0}, {11}, 22);
  EXPECT_LAYOUT(try_diagonal(Layout({0, 0}), 0, 1, kInt64Min), {0}, {2}, 0);
}

TEST(Diagonal, AxesOfOneElementMayHaveAnyStride) {
  EXPECT_LAYOUT(try_diagonal(Layout({1, 3}, {kInt64Max, 1}, 2), 0, 1, 2), {1}, {0}, 4);
  EXPECT_LAYOUT(try_diagonal(Layout({1, 1}, {kInt64Min, kInt64Min}, 2), 0, 1), {1}, {0}, 2);
}

TEST(Diagonal, NeedsTwoAxes) {
  EXPECT_REFUSED(try_diagonal(kImage, 1, -1), repeated_axis,
                 "the second axis is -1, an axis named before; each may be named once");
  EXPECT_REFUSED(try_diagonal(Layout({5}), 0, 1), axis_out_of_range,
                 "the second axis is 1, it must be at least -1 and less than 1");
}

TEST(CheckSplit, WantsPiecesThatAddUp) {
  EXPECT_FACT(!check_split(kImage, 0, {1, 0, 5}) && !check_split(kImage, -1, {5}));
  EXPECT_FACT(!check_split(Layout(Dims{0}), 0, {}));
  EXPECT_REFUSED(check_split(kImage, 0, {1, 4}), size_mismatch,
                 "sizes add up to 5, dimension 0 has 6 elements");
  EXPECT_REFUSED(check_split(kImage, 0, {7, -1}), negative_size,
                 "sizes[1] is -1, it must be at least 0");
  EXPECT_REFUSED(check_split(kImage, 0, {kInt64Max, 1}), overflow,
                 "sizes[1] is 1, with it the number of elements no longer fits 64 bits");
}

}  // namespace
