// Iteration in logical order, through standard algorithms and ranges.
#include "strided/view/iterator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <ranges>
#include <string>
#include <vector>

#include "strided/view/strided_view.hpp"
#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::kInt64Max;
using strided::kInt64Min;
using strided::StridedIterator;
using strided::StridedView;

using View = StridedView<int>;
static_assert(std::random_access_iterator<StridedIterator<int>>);
static_assert(std::random_access_iterator<StridedIterator<const int>>);
static_assert(std::sortable<StridedIterator<int>>);
static_assert(!std::indirectly_writable<StridedIterator<const int>, int>);
static_assert(std::ranges::random_access_range<const View>);
static_assert(std::ranges::sized_range<View>);
static_assert(std::ranges::common_range<View>);
static_assert(!std::ranges::borrowed_range<View>);  // iterators refer to the view

constexpr std::array<int, 100> counted() {
  std::array<int, 100> values{};
  for (int i = 0; i < 100; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}
constexpr std::array<int, 100> kCounted = counted();

std::vector<int> values_of(const StridedView<const int>& view) {
  return std::vector<int>(view.begin(), view.end());
}

constexpr StridedView<const int> kImage(kCounted, {2, 3}, {10, 1}, 22);

TEST(Iteration, GoesThroughTheLastAxisFirst) {
  EXPECT_EQ(values_of(kImage), (std::vector<int>{22, 23, 24, 32, 33, 34}));
  EXPECT_EQ(values_of(kImage.transpose(0, 1)), (std::vector<int>{22, 32, 23, 33, 24, 34}));
  EXPECT_EQ(values_of(kImage.flip(0).flip(1)), (std::vector<int>{34, 33, 32, 24, 23, 22}));
  EXPECT_EQ(values_of(kImage.broadcast_to({2, 2, 3}).select(1, 0)),
            (std::vector<int>{22, 23, 24, 22, 23, 24}));
}

constexpr int sum_of(const StridedView<const int>& view) {
  int sum = 0;
  for (int value : view) sum += value;
  return sum;
}

TEST(Iteration, IsAConstantExpressionToo) {
  EXPECT_FACT(sum_of(kImage) == 168);
  EXPECT_FACT(sum_of(StridedView<const int>(kCounted, {6, 5}, {10, 1}, 22)) == 1470);
  EXPECT_FACT(*std::ranges::max_element(kImage) == 34);
}

TEST(Iteration, VisitsAScalarOnceAndAnEmptyViewNever) {
  EXPECT_FACT(sum_of(StridedView<const int>(kCounted, {}, {}, 7)) == 7);
  EXPECT_FACT(kImage.narrow(0, 1, 0).begin() == kImage.narrow(0, 1, 0).end());
  EXPECT_EQ(values_of(StridedView<const int>(kCounted, {}, {}, 7)), std::vector<int>{7});
  EXPECT_EQ(values_of(StridedView<const int>(kCounted, {3, 0}, {1, 1}, 7)), std::vector<int>());
  EXPECT_EQ(values_of(StridedView<const int>(kCounted, {0, 3}, {1, 1}, kInt64Min)),
            std::vector<int>());
  EXPECT_EQ(values_of(StridedView<const int>()), std::vector<int>());
}

TEST(Iteration, AxesOfOneElementMayHaveAnyStride) {
  EXPECT_EQ(values_of(StridedView<const int>(kCounted, {1, 2, 1, 2, 1},
                                             {kInt64Min, 10, kInt64Max, 1, kInt64Max}, 5)),
            (std::vector<int>{5, 6, 15, 16}));
}

// Every pair of positions: distance, order, and what n steps from one to the other reach.
TEST(Iterator, IsRandomAccess) {
  const auto first = kImage.begin();
  for (int i = 0; i <= 6; ++i) {
    for (int j = 0; j <= 6; ++j) {
      const auto a = first + i;
      const auto b = first + j;
      EXPECT_EQ(b - a, j - i);
      EXPECT_EQ(a == b, i == j);
      EXPECT_EQ(a < b, i < j);
      EXPECT_EQ(a <=> b, i <=> j);
      EXPECT_TRUE(a + (j - i) == b && (j - i) + a == b && b - (j - i) == a);
      auto moved = a;
      moved += j - i;
      EXPECT_TRUE(moved == b);
      moved -= j - i;
      EXPECT_TRUE(moved == a);
      if (j < 6) {
        EXPECT_EQ(*b, *(kImage.begin() + j));
        EXPECT_EQ(a[j - i], *b);
      }
    }
  }
}

TEST(Iterator, StepsBothWays) {
  const std::vector<int> expected{22, 23, 24, 32, 33, 34};
  auto it = kImage.begin();
  for (int value : expected) EXPECT_EQ(*it++, value);
  EXPECT_TRUE(it == kImage.end());
  for (auto value = expected.rbegin(); value != expected.rend(); ++value) EXPECT_EQ(*--it, *value);
  EXPECT_TRUE(it == kImage.begin());
  EXPECT_EQ(*++it, 23);
  EXPECT_EQ(*it--, 23);
  EXPECT_EQ(*it, 22);
}

TEST(Iterator, ComesBackFromOutside) {
  auto it = kImage.begin();
  --it;
  ++it;
  EXPECT_EQ(*it, 22);
  it += 9;
  it -= 4;
  EXPECT_EQ(*it, 34);
  const auto empty = kImage.narrow(0, 1, 0);
  auto nowhere = empty.begin();
  --nowhere;
  ++nowhere;
  EXPECT_TRUE(nowhere == empty.end());
}

TEST(Iterator, ReachesIntoElements) {
  std::vector<std::string> words{"a", "bc", "def"};
  const StridedView<std::string> view(words, {3}, {-1}, 2);
  EXPECT_EQ(view.begin()->size(), 3U);
  *(view.begin() + 1) = "changed";
  EXPECT_EQ(words[1], "changed");
}

TEST(Algorithms, ReadAView) {
  EXPECT_EQ(std::accumulate(kImage.begin(), kImage.end(), 0), 168);
  EXPECT_EQ(std::vector<int>(std::make_reverse_iterator(kImage.end()),
                             std::make_reverse_iterator(kImage.begin())),
            (std::vector<int>{34, 33, 32, 24, 23, 22}));
  EXPECT_EQ(std::ranges::find(kImage, 32) - kImage.begin(), 3);
  EXPECT_TRUE(std::binary_search(kImage.begin(), kImage.end(), 33));
  EXPECT_EQ(std::ranges::size(kImage), 6U);
}

TEST(Algorithms, SortAView) {
  std::vector<int> storage(100);
  std::iota(storage.begin(), storage.end(), 0);
  const View view(storage, {4, 3}, {20, 2}, 22);
  std::ranges::sort(view, std::greater<>());
  EXPECT_EQ(values_of(view), (std::vector<int>{86, 84, 82, 66, 64, 62, 46, 44, 42, 26, 24, 22}));
  EXPECT_EQ(storage[23], 23);  // between the elements
  std::sort(view.begin(), view.end());
  EXPECT_EQ(storage, std::vector<int>(kCounted.begin(), kCounted.end()));
}

TEST(Algorithms, WriteAView) {
  std::vector<int> storage(9, 0);
  const View diagonal = View(storage, {3, 3}).diagonal(0, 1);
  std::ranges::copy(std::vector<int>{1, 2, 3}, diagonal.begin());
  EXPECT_EQ(storage, (std::vector<int>{1, 0, 0, 0, 2, 0, 0, 0, 3}));
  std::ranges::reverse(diagonal);
  EXPECT_EQ(storage, (std::vector<int>{3, 0, 0, 0, 2, 0, 0, 0, 1}));
  std::fill(diagonal.begin(), diagonal.end(), 7);
  EXPECT_EQ(storage, (std::vector<int>{7, 0, 0, 0, 7, 0, 0, 0, 7}));
}

// clang before 16 does not compile the standard adaptors of libstdc++, whatever the range.
#if !defined(__clang__) || __clang_major__ >= 16
TEST(Ranges, ComposeWithAView) {
  auto squares = kImage | std::views::transform([](int x) { return x * x; });
  EXPECT_EQ(squares[2], 24 * 24);
  auto even = kImage | std::views::filter([](int x) { return x % 2 == 0; });
  EXPECT_EQ(std::ranges::distance(even), 4);
  auto last_two = kImage | std::views::reverse | std::views::take(2);
  EXPECT_EQ(std::vector<int>(last_two.begin(), last_two.end()), (std::vector<int>{34, 33}));
  auto of_a_temporary = kImage.flip(1) | std::views::drop(4);  // the pipeline keeps the view
  EXPECT_EQ(std::vector<int>(of_a_temporary.begin(), of_a_temporary.end()),
            (std::vector<int>{33, 32}));
}
#endif

}  // namespace
