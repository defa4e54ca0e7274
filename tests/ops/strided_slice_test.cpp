// strided_slice and strided_slice_assign on values; the layouts are tested in view/slice_test.cpp.
#include "strided/ops/strided_slice.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "support/facts.hpp"

namespace {

using namespace strided;
using Ints = std::vector<int>;

// A 3 x 4 variable, its elements 0 .. 11, or what is left of them after an assignment of -1, -2 ...
struct Variable {
  Ints storage = Ints(12);
  StridedView<int> view;

  Variable() : view(storage, {3, 4}) { std::iota(storage.begin(), storage.end(), 0); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

  void assign(const StridedSliceSpec& spec, const Dims& value_shape, Rules rules = Rules::ascend) {
    Ints values(static_cast<std::size_t>(Layout(value_shape).size()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = -1 - static_cast<int>(i);
    strided_slice_assign(view, spec, StridedView<const int>(values, value_shape), rules);
  }
};

Ints slice_of(const StridedSliceSpec& spec) {
  Variable var;
  const StridedView<int> slice = strided_slice(var.view, spec);
  return Ints(slice.begin(), slice.end());
}

TEST(StridedSliceView, LooksAtTheVariable) {
  EXPECT_EQ(slice_of({{0, 1}, {2, 3}, {1, 1}}), (Ints{1, 2, 5, 6}));
  EXPECT_EQ(slice_of({{2, 3}, {-4, -5}, {-1, -2}}), (Ints{11, 9, 7, 5, 3, 1}));
  EXPECT_EQ(slice_of({{1}, {2}, {1}}), (Ints{4, 5, 6, 7}));
  Variable var;
  strided_slice(var.view, {{1, -1}, {2, kInt64Max}, {1, 1}})(0, 0) = 99;
  EXPECT_EQ(var.storage[7], 99);
}

TEST(StridedSliceView, NamesItselfWhenItRefuses) {
  Variable var;
  EXPECT_THROWN(strided_slice(var.view, {{0}, {1}, {0}}), zero_stride,
                "strided_slice: strides[0] is 0, a slice needs a step other than 0");
}

TEST(StridedSliceAssign, WritesTheSliceAndNothingElse) {
  Variable var;
  var.assign({{0, 1}, {3, 3}, {2, 1}}, {2, 2});
  EXPECT_EQ(var.storage, (Ints{0, -1, -2, 3, 4, 5, 6, 7, 8, -3, -4, 11}));
}

TEST(StridedSliceAssign, BeginMask) {
  Variable var;  // var[:1, 1:2]
  var.assign({.begin = {2, 1}, .end = {1, 2}, .strides = {1, 1}, .begin_mask = 1}, {1, 1});
  EXPECT_EQ(var.storage, (Ints{0, -1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
}

TEST(StridedSliceAssign, EndMask) {
  Variable var;  // var[1:, 3:]
  var.assign({.begin = {1, 3}, .end = {0, 0}, .strides = {1, 1}, .end_mask = 3}, {2, 1});
  EXPECT_EQ(var.storage, (Ints{0, 1, 2, 3, 4, 5, 6, -1, 8, 9, 10, -2}));
}

TEST(StridedSliceAssign, EllipsisMask) {
  Variable var;  // var[..., 2:4]
  var.assign({.begin = {0, 2}, .end = {0, 4}, .strides = {1, 1}, .ellipsis_mask = 1}, {3, 2});
  EXPECT_EQ(var.storage, (Ints{0, 1, -1, -2, 4, 5, -3, -4, 8, 9, -5, -6}));
}

TEST(StridedSliceAssign, NewAxisMask) {
  Variable var;  // var[newaxis, 2:3, 0:2]
  var.assign({.begin = {0, 2, 0}, .end = {0, 3, 2}, .strides = {1, 1, 1}, .new_axis_mask = 1},
             {1, 1, 2});
  EXPECT_EQ(var.storage, (Ints{0, 1, 2, 3, 4, 5, 6, 7, -1, -2, 10, 11}));
}

TEST(StridedSliceAssign, ShrinkAxisMask) {
  Variable var;  // var[-2, 1:4]
  var.assign({.begin = {-2, 1}, .end = {0, 4}, .strides = {1, 1}, .shrink_axis_mask = 1}, {3});
  EXPECT_EQ(var.storage, (Ints{0, 1, 2, 3, 4, -1, -2, -3, 8, 9, 10, 11}));
  var.assign({.begin = {0, 0}, .end = {0, 0}, .strides = {1, 1}, .shrink_axis_mask = 3}, {});
  EXPECT_EQ(var.storage[0], -1);
}

TEST(StridedSliceAssign, WritesANonContiguousVariable) {
  Ints storage(40, 0);
  const StridedView<int> var(storage, {3, 4}, {-10, 2}, 21);
  const Ints values{1, 2, 3, 4};
  strided_slice_assign(var, {{1, 1}, {3, 3}, {1, 1}}, StridedView<const int>(values, {2, 2}));
  EXPECT_EQ(storage[13], 1);
  EXPECT_EQ(storage[15], 2);
  EXPECT_EQ(storage[3], 3);
  EXPECT_EQ(storage[5], 4);
  EXPECT_EQ(std::accumulate(storage.begin(), storage.end(), 0), 10);
}

TEST(StridedSliceAssign, TakesANonContiguousValue) {
  Variable var;
  const Ints values{-1, -2, -3, -4, -5, -6};
  strided_slice_assign(var.view, {{0, 0}, {2, 3}, {1, 1}},
                       StridedView<const int>(values, {3, 2}).transpose(0, 1));
  EXPECT_EQ(var.storage, (Ints{-1, -3, -5, 3, -2, -4, -6, 7, 8, 9, 10, 11}));
}

TEST(StridedSliceAssign, AscendWantsExactlyTheFinalShape) {
  Variable var;
  EXPECT_THROWN(var.assign({{0, 0}, {2, 2}, {1, 1}}, {2}), shape_mismatch,
                "strided_slice_assign: value has shape (2,), (2, 2) is needed; under Rules::ascend "
                "the shapes must be equal, Rules::tensorflow broadcasts");
  EXPECT_THROWN(
      var.assign({{0, 0}, {2, 2}, {1, 1}}, {1, 1}), shape_mismatch,
      "strided_slice_assign: value has shape (1, 1), (2, 2) is needed; dimension 0 differs; under "
      "Rules::ascend the shapes must be equal, Rules::tensorflow broadcasts");
  EXPECT_THROWN(
      var.assign({{1, 0}, {1, 2}, {1, 1}}, {1, 2}), shape_mismatch,
      "strided_slice_assign: value has shape (1, 2), (0, 2) is needed; dimension 0 differs; under "
      "Rules::ascend the shapes must be equal, Rules::tensorflow broadcasts");
  EXPECT_NO_THROW(var.assign({{1, 0}, {1, 2}, {1, 1}}, {0, 2}));
  EXPECT_EQ(var.storage, Variable().storage);
}

TEST(StridedSliceAssign, OtherRulesBroadcastTheValue) {
  for (Rules rules : {Rules::tensorflow, Rules::strided}) {
    Variable var;
    var.assign({{0, 0}, {2, 2}, {1, 1}}, {2}, rules);
    EXPECT_EQ(var.storage, (Ints{-1, -2, 2, 3, -1, -2, 6, 7, 8, 9, 10, 11}));
    var.assign({{2}, {3}, {1}}, {}, rules);
    EXPECT_EQ(var.storage, (Ints{-1, -2, 2, 3, -1, -2, 6, 7, -1, -1, -1, -1}));
    EXPECT_THROWN(var.assign({{0, 0}, {2, 2}, {1, 1}}, {3}, rules), not_broadcastable,
                  "strided_slice_assign: the slice shape[1] is 2, a dimension of size 3 does not "
                  "broadcast to it; one of size 1 or 2 would");
    EXPECT_THROWN(var.assign({{0, 0}, {2, 2}, {1, 1}}, {1, 2, 2}, rules), shape_mismatch,
                  "strided_slice_assign: value has shape (1, 2, 2), (2, 2) is needed");
  }
}

TEST(StridedSliceAssign, OtherRulesAssignNothingToAnEmptySlice) {
  for (Rules rules : {Rules::tensorflow, Rules::strided}) {
    Variable var;
    EXPECT_NO_THROW(var.assign({{2, 0}, {1, 2}, {1, 1}}, {5, 5}, rules));
    EXPECT_EQ(var.storage, Variable().storage);
  }
}

TEST(StridedSliceAssign, OtherRulesWalkBackwards) {
  Variable var;  // var[2:0:-1, ::-2]
  var.assign({.begin = {2, 0}, .end = {0, 0}, .strides = {-1, -2}, .begin_mask = 2, .end_mask = 2},
             {2, 2}, Rules::tensorflow);
  EXPECT_EQ(var.storage, (Ints{0, 1, 2, 3, 4, -4, 6, -3, 8, -2, 10, -1}));
}

TEST(StridedSliceAssign, ReadsTheValueBeforeItWrites) {
  Variable var;
  strided_slice_assign(var.view, {{0, 1}, {3, 4}, {1, 1}}, var.view.slice(1, 0, 3));
  EXPECT_EQ(var.storage, (Ints{0, 0, 1, 2, 4, 4, 5, 6, 8, 8, 9, 10}));
  Variable turned;
  strided_slice_assign(turned.view, {{0, 0}, {3, 3}, {1, 1}}, turned.view.slice(1, 0, 3).flip(1));
  EXPECT_EQ(turned.storage, (Ints{2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11}));
}

TEST(StridedSliceAssign, FailsBeforeTheFirstWrite) {
  Variable var;
  EXPECT_THROWN(var.assign({{0, 0}, {3, 4}, {1, 2}}, {3, 2}), innermost_stride,
                "strided_slice_assign: strides[1] is 2, under Rules::ascend the stride of the last "
                "dimension must be 1; Rules::tensorflow takes any but 0");
  EXPECT_THROWN(var.assign({{3}, {0}, {1}, 0, 0, 0, 0, 1}, {4}), index_out_of_range,
                "strided_slice_assign: begin[0] is 3, it must be at least -3 and less than 3");
  EXPECT_EQ(var.storage, Variable().storage);
  Ints one(1, 7);
  const Ints values{1, 2, 3};
  EXPECT_EQ(strided_test::thrown_by([&] {
              strided_slice_assign(StridedView<int>(one, {3}, {0}), {{0}, {3}, {1}},
                                   StridedView<const int>(values, {3}));
            }).code,
            ErrorCode::internal_overlap);
  EXPECT_EQ(one[0], 7);
}

TEST(StridedSliceAssign, AssignsElementsOfAnyType) {
  std::vector<std::string> words{"a", "b", "c"};
  const std::vector<std::string> value{"x", "y"};
  strided_slice_assign(StridedView<std::string>(words, {3}), {{1}, {3}, {1}},
                       StridedView<const std::string>(value, {2}));
  EXPECT_EQ(words, (std::vector<std::string>{"a", "x", "y"}));
}

TEST(StridedSliceAssign, TryFormsDoNotThrow) {
  Variable var;
  const Ints values{1};
  const Failure failure =
      try_strided_slice_assign(var.view, {{0}, {1}, {0}}, StridedView<const int>(values, {1, 1}));
  EXPECT_EQ(failure.message(),
            "strided_slice_assign: strides[0] is 0, under Rules::ascend it must be at least 1");
}

// The copy inside fails; the message tells of the call and the argument that the user wrote.
TEST(StridedSliceAssign, TellsOfItsOwnArguments) {
  Ints storage(9);
  const Ints values(9);
  EXPECT_THROWN(
      strided_slice_assign(StridedView<int>(storage, {3, 3}, {1, 1}), {{0, 0}, {3, 3}, {1, 1}},
                           StridedView<const int>(values, {3, 3}), Rules::strided),
      internal_overlap,
      "strided_slice_assign: the slice of var maps more than one index to the same element"
      " (stride[0] is 1, the smaller strides reach 2); each index needs one of its own");
}

}  // namespace
