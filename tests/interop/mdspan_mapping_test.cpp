// Which layouts std::layout_stride, layout_right and layout_left can say. The tests with a real
// <mdspan> are in tests/mdspan.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numeric>
#include <vector>

#include "strided/interop/mdspan/mapping.hpp"
#include "strided/view/algebra.hpp"
#include "support/facts.hpp"
#include "support/generate.hpp"

namespace {

using strided::Dims;
using strided::Layout;
using strided::required_span_size;
using strided::try_layout_left;
using strided::try_layout_right;
using strided::try_layout_stride;

TEST(MdspanMapping, StrideTakesPositiveNestedStrides) {
  EXPECT_LAYOUT(try_layout_stride(Layout({6, 5}, {10, 1}, 22)), {6, 5}, {10, 1}, 22);
  EXPECT_LAYOUT(try_layout_stride(Layout({5, 6}, {1, 10}, 22)), {5, 6}, {1, 10}, 22);
  EXPECT_LAYOUT(try_layout_stride(Layout({2, 3, 2}, {3, 1, 7})), {2, 3, 2}, {3, 1, 7});
  EXPECT_LAYOUT(try_layout_stride(Layout({3}, {4})), {3}, {4});
  EXPECT_LAYOUT(try_layout_stride(Layout()), {}, {});
}

TEST(MdspanMapping, StrideRefusesZeroAndNegativeStrides) {
  EXPECT_REFUSED(try_layout_stride(Layout({3}, {-1}, 2)), nonpositive_stride,
                 "strides[0] is -1, under std::layout_stride it must be at least 1; copy() to a "
                 "contiguous view first");
  EXPECT_REFUSED(try_layout_stride(Layout({2, 3}, {3, 0})), nonpositive_stride,
                 "strides[1] is 0, under std::layout_stride it must be at least 1; copy() to a "
                 "contiguous view first");
}

TEST(MdspanMapping, StrideRefusesWhatDoesNotNest) {
  // No two indices meet here, and still the precondition does not hold.
  EXPECT_REFUSED(try_layout_stride(Layout({2, 3}, {5, 2})), not_nested,
                 "strides[0] is 5, it must be at least 6, which is a smaller stride times its "
                 "size; copy() to a contiguous view first");
  EXPECT_REFUSED(try_layout_stride(Layout({3, 2}, {2, 5})), not_nested,
                 "strides[1] is 5, it must be at least 6, which is a smaller stride times its "
                 "size; copy() to a contiguous view first");
  EXPECT_REFUSED(try_layout_stride(Layout({4, 3}, {1, 1})), not_nested,
                 "strides[0] is 1, it must be at least 3, which is a smaller stride times its "
                 "size; copy() to a contiguous view first");
  EXPECT_REFUSED(try_layout_stride(Layout({2, 3, 4}, {12, 4, 2})), not_nested,
                 "strides[1] is 4, it must be at least 8, which is a smaller stride times its "
                 "size; copy() to a contiguous view first");
}

TEST(MdspanMapping, StridesThatNothingDependsOnAreMadeToFit) {
  EXPECT_LAYOUT(try_layout_stride(Layout({1, 5}, {0, 2})), {1, 5}, {1, 2});
  EXPECT_LAYOUT(try_layout_stride(Layout({5, 1}, {2, -9}, 3)), {5, 1}, {2, 1}, 3);
  EXPECT_LAYOUT(try_layout_stride(Layout({1, 5}, {3, 1})), {1, 5}, {1, 1});    // 3 < 1 * 5
  EXPECT_LAYOUT(try_layout_stride(Layout({1, 5}, {50, 1})), {1, 5}, {50, 1});  // taken as it is
  EXPECT_LAYOUT(try_layout_stride(Layout({1, 1}, {0, 0})), {1, 1}, {1, 1});
  EXPECT_LAYOUT(try_layout_stride(Layout({0, 3}, {0, 0})), {0, 3}, {3, 1});
  EXPECT_LAYOUT(try_layout_stride(Layout({2, 0, 3}, {-1, 5, 2}, 7)), {2, 0, 3}, {3, 3, 1}, 7);
  EXPECT_LAYOUT(try_layout_stride(Layout({3, 0, 5}, {100, 10, 1})), {3, 0, 5}, {100, 10, 1});
}

TEST(MdspanMapping, RightAndLeftHaveOneStrideForEachDimension) {
  EXPECT_LAYOUT(try_layout_right(Layout({2, 3, 4})), {2, 3, 4}, {12, 4, 1});
  EXPECT_LAYOUT(try_layout_left(Layout({2, 3, 4}, {1, 2, 6}, 5)), {2, 3, 4}, {1, 2, 6}, 5);
  EXPECT_LAYOUT(try_layout_right(Layout({1, 3, 1}, {-7, 1, 0})), {1, 3, 1}, {3, 1, 1});
  EXPECT_LAYOUT(try_layout_left(Layout({3, 1, 2}, {1, 0, 3})), {3, 1, 2}, {1, 3, 3});
  EXPECT_LAYOUT(try_layout_right(Layout({2, 0, 3}, {0, 0, 0})), {2, 0, 3}, {3, 3, 1});
  EXPECT_LAYOUT(try_layout_left(Layout()), {}, {});
  EXPECT_REFUSED(try_layout_right(Layout({6, 5}, {10, 1})), stride_mismatch,
                 "strides[0] is 10, it must be exactly 5, as in memory without gaps; copy() to "
                 "such memory first");
  EXPECT_REFUSED(try_layout_right(Layout({6, 5}, {1, 6})), stride_mismatch,
                 "strides[1] is 6, it must be exactly 1, as in memory without gaps; copy() to such "
                 "memory first");
  EXPECT_REFUSED(try_layout_left(Layout({2, 3}, {3, 1})), stride_mismatch,
                 "strides[0] is 3, it must be exactly 1, as in memory without gaps; copy() to such "
                 "memory first");
}

TEST(MdspanMapping, TheIndexTypeBoundsExtentsStridesAndSpan) {
  constexpr std::int64_t kMost = 127;
  EXPECT_LAYOUT(try_layout_stride(Layout({127}), kMost), {127}, {1});
  EXPECT_LAYOUT(try_layout_stride(Layout({2, 4}, {123, 1}), kMost), {2, 4}, {123, 1});
  EXPECT_REFUSED(
      try_layout_stride(Layout({128}), kMost), overflow,
      "shape[0] is 128, with it the mapping no longer fits an index type of at most 127");
  EXPECT_REFUSED(
      try_layout_stride(Layout({2, 5}, {123, 1}), kMost), overflow,
      "strides[1] is 1, with it the mapping no longer fits an index type of at most 127");
  EXPECT_REFUSED(
      try_layout_stride(Layout({2, 5}, {1000, 1}), kMost), overflow,
      "strides[0] is 1000, with it the mapping no longer fits an index type of at most 127");
  EXPECT_LAYOUT(try_layout_stride(Layout({1, 5}, {1000, 1}), kMost), {1, 5}, {1, 1});
  EXPECT_REFUSED(try_layout_right(Layout({2, 64}), kMost), overflow,
                 "shape[1] is 64, with it the mapping no longer fits an index type of at most 127");
  EXPECT_REFUSED(try_layout_left(Layout({64, 2}, {1, 64}), kMost), overflow,
                 "shape[1] is 2, with it the mapping no longer fits an index type of at most 127");
  // Empty: the other extents are still factors of strides.
  EXPECT_LAYOUT(try_layout_stride(Layout({0, 127}, {1000, 1}), kMost), {0, 127}, {127, 1});
  EXPECT_LAYOUT(try_layout_stride(Layout({0, 3}, {40, 63}), kMost), {0, 3}, {40, 63});
  EXPECT_LAYOUT(try_layout_stride(Layout({0, 3}, {40, 64}), kMost), {0, 3}, {3, 1});
  EXPECT_REFUSED(
      try_layout_right(Layout({0, 128}), kMost), overflow,
      "shape[1] is 128, with it the mapping no longer fits an index type of at most 127");
}

TEST(MdspanMapping, TheWidestIndexTypeHoldsAllButASpanOf2To63) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_LAYOUT(try_layout_stride(Layout({kMost})), {kMost}, {1});
  EXPECT_LAYOUT(try_layout_stride(Layout({2}, {kMost - 1})), {2}, {kMost - 1});
  EXPECT_FACT(required_span_size(Layout({2}, {kMost - 1})) == kMost);
  EXPECT_FACT(!try_layout_stride(Layout({2}, {kMost})));
  EXPECT_FACT(!try_layout_stride(Layout({0, kMost, 2}, {1, 1, 1})));
  EXPECT_FACT(!try_layout_right(Layout({kMost, 2, 0})));
  // A stride times its size is not always a number.
  EXPECT_LAYOUT(try_layout_stride(Layout({2, 1}, {kMost - 1, kMost})), {2, 1}, {kMost - 1, 1});
  EXPECT_LAYOUT(try_layout_stride(Layout({3, 0}, {kMost - 1, kMost})), {3, 0}, {1, 1});
}

TEST(MdspanMapping, SpanSizeCountsFromTheFirstElement) {
  EXPECT_FACT(required_span_size(Layout({2, 3}, {10, 1}, 40)) == 13);
  EXPECT_FACT(required_span_size(Layout()) == 1);
  EXPECT_FACT(required_span_size(Layout({3, 0, 5}, {100, 10, 1}, 9)) == 0);
}

// [mdspan.layout.stride.cons], word by word: positive, and some permutation nests.
bool preconditions_hold(const Dims& shape, const Dims& strides) {
  if (std::any_of(strides.begin(), strides.end(), [](auto stride) { return stride <= 0; })) {
    return false;
  }
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    bool nests = true;
    for (std::size_t i = 1; i < order.size(); ++i) {
      nests = nests && strides[order[i]] >= strides[order[i - 1]] * shape[order[i - 1]];
    }
    if (nests) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

void expect_as_the_standard(const Layout& layout, std::int64_t& taken) {
  SCOPED_TRACE(strided_test::describe(layout));
  const strided::Result<Layout> said = try_layout_stride(layout);
  const Layout matters = strided::squeeze(layout);  // nothing depends on dimensions of size 1
  ASSERT_EQ(said.has_value(),
            layout.empty() || preconditions_hold(matters.shape(), matters.strides()))
      << said.message();
  if (!said) return;
  ++taken;
  ASSERT_TRUE(preconditions_hold(said->shape(), said->strides())) << to_string(said->strides());
  ASSERT_EQ(said->shape(), layout.shape());
  ASSERT_EQ(said->offset(), layout.offset());
  if (!layout.empty()) {
    if (preconditions_hold(layout.shape(), layout.strides())) {
      ASSERT_EQ(*said, layout);
    }
    ASSERT_EQ(strided::squeeze(*said), matters);
  }
  ASSERT_EQ(*try_layout_stride(*said), *said);
}

TEST(MdspanMapping, StrideAgreesWithTheWordingOnEverySmallLayout) {
  std::int64_t layouts = 0;
  std::int64_t taken = 0;
  for (std::size_t rank = 0; rank <= 3; ++rank) {
    Dims shape = Dims::filled(rank, 0);
    do {
      Dims strides = Dims::filled(rank, -1);
      do {
        expect_as_the_standard(Layout(shape, strides, 2), taken);
        if (HasFatalFailure()) return;
        ++layouts;
      } while (strided_test::next_list(strides, -1, 7));
    } while (strided_test::next_list(shape, 0, 3));
  }
  std::printf("%lld layouts, %lld of them std::layout_stride\n", static_cast<long long>(layouts),
              static_cast<long long>(taken));
}

TEST(MdspanMapping, RightAndLeftAgreeWithIsContiguous) {
  strided_test::run_cases(5000, [](strided_test::Random& random) {
    const Dims shape = strided_test::random_shape(random, 4096, 5);
    Layout layout = strided_test::random_layout(random, shape);
    if (random.chance(40)) layout = Layout(shape, 3);
    SCOPED_TRACE(strided_test::describe(layout));
    Dims backwards;
    for (std::int64_t axis = layout.rank(); axis-- > 0;) backwards.push_back(axis);
    const Layout turned = strided::try_permute(layout, backwards).value();
    const strided::Result<Layout> right = try_layout_right(layout);
    const strided::Result<Layout> left = try_layout_left(turned);
    ASSERT_EQ(right.has_value(), layout.is_contiguous());
    ASSERT_EQ(left.has_value(), layout.is_contiguous());
    if (!right) return;
    EXPECT_EQ(*right, Layout(shape, layout.offset()));
    EXPECT_EQ(*left, strided::try_permute(*right, backwards).value());
    EXPECT_EQ(required_span_size(*right), layout.size());
  });
}

}  // namespace
