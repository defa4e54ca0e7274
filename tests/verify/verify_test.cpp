// verify: equal results are reported as equal, and every kind of difference is found and named.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "strided/strided.hpp"
#include "strided/verify/verify.hpp"

namespace strided {
namespace {

std::vector<float> counted(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

TEST(FirstDifference, NamesIndexAndBitsOfTheFirst) {
  std::vector<float> a = counted(6);
  std::vector<float> b = a;
  const StridedView<float> view_a(a, {2, 3});
  const StridedView<float> view_b(b, {2, 3});
  EXPECT_FALSE(first_difference(view_a, view_b));
  a[5] = std::bit_cast<float>(0x7fc00001U);
  b[5] = std::bit_cast<float>(0x7fc00000U);
  const Difference difference = first_difference(view_a, view_b);
  EXPECT_TRUE(difference.found);
  EXPECT_EQ(difference.index, Dims({1, 2}));
  EXPECT_EQ(difference.a, "0x7fc00001");
  EXPECT_EQ(difference.b, "0x7fc00000");
  b[1] = -2.0F;
  EXPECT_EQ(first_difference(view_a, view_b).index, Dims({0, 1}));
}

TEST(FirstDifference, ComparesBitsNotValues) {
  std::vector<float> zeros{0.0F, std::bit_cast<float>(0x7fa00000U)};
  std::vector<float> others{-0.0F, std::bit_cast<float>(0x7fa00000U)};
  const Difference difference =
      first_difference(StridedView<const float>(zeros, {2}), StridedView<float>(others, {2}));
  EXPECT_EQ(difference.index, Dims({0}));
  EXPECT_EQ(difference.b, "0x80000000");
  EXPECT_FALSE(first_difference(StridedView<float>(zeros, {1}, {1}, 1),
                                StridedView<float>(others, {1}, {1}, 1)));
}

TEST(FirstDifference, FollowsTheStridesOfBoth) {
  std::vector<float> a = counted(6);
  std::vector<float> b{1, 4, 2, 5, 3, 6};
  const StridedView<float> columns(b, {2, 3}, {1, 2});
  EXPECT_FALSE(first_difference(StridedView<float>(a, {2, 3}), columns));
  b[3] = 0;
  EXPECT_EQ(first_difference(StridedView<float>(a, {2, 3}), columns).index, Dims({1, 1}));
}

TEST(FirstDifference, RefusesAnotherShape) {
  std::vector<float> a = counted(6);
  try {
    (void)first_difference(StridedView<float>(a, {2, 3}), StridedView<float>(a, {3, 2}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::shape_mismatch);
  }
}

TEST(Verify, OperatorsAgreeAndTheDestinationStaysAsItIs) {
  std::vector<float> x = counted(12);
  std::vector<float> y(20, -1.0F);
  const std::vector<float> before = y;
  const StridedView<float> source(x, {3, 4});
  const StridedView<float> destination(y, {4, 3}, {-5, 1}, 15);
  const VerifyReport report = verify_copy(source.transpose(0, 1), destination);
  EXPECT_TRUE(report);
  EXPECT_EQ(report.message(), "bit for bit equal, 20 elements");
  EXPECT_TRUE(verify_fill(destination, 3.0F));
  EXPECT_TRUE(verify_as_strided_copy(source, {{4, 3}, {1, 2}, {3}}, destination));
  EXPECT_TRUE(verify_as_strided_scatter(destination, {3, 4}, {4, 1}, 2, source));
  EXPECT_TRUE(verify_strided_slice_assign(destination, {{0, 0}, {4, 3}, {2, 1}},
                                          source.slice(0, 0, 2).slice(1, 0, 3)));
  EXPECT_EQ(y, before);
  EXPECT_EQ(x, counted(12));
}

TEST(Verify, SharedStorageIsSharedByTheCopiesToo) {
  std::vector<float> storage = counted(10);
  const StridedView<float> source(storage, {6}, {1}, 0);
  const StridedView<float> destination(storage, {6}, {-1}, 8);
  EXPECT_TRUE(verify_copy(source, destination));
  EXPECT_EQ(storage, counted(10));
  // Two spans of one array, neither the whole of it.
  const std::span<float> all(storage);
  EXPECT_TRUE(verify_copy(StridedView<const float>(all.subspan(0, 7), {7}),
                          StridedView<float>(all.subspan(3), {7})));
  EXPECT_EQ(verify_copy(source, StridedView<float>(all.subspan(3), {6})).elements, 7);
}

// A copy of the storage has the alignment of its elements, whatever that is.
TEST(Verify, TakesElementsOfAnyAlignment) {
  struct alignas(4096) Page {
    char bytes[4096];
  };
  std::vector<Page> storage(8);
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i].bytes[5] = static_cast<char>(i);
  const std::span<Page> all(storage);
  const StridedView<Page> even(all.first(7), {4}, {2});
  EXPECT_TRUE(verify_copy(even, StridedView<Page>(all.subspan(1), {4}, {2})));
  EXPECT_TRUE(verify_copy(even.flip(0), even));  // in place
}

TEST(Verify, RefusedCallsThrowAsTheOperatorDoes) {
  std::vector<float> storage = counted(4);
  const StridedView<float> view(storage, {4});
  EXPECT_THROW((void)verify_copy(view, view.slice(0, 0, 3)), Error);
  EXPECT_THROW((void)verify_fill(StridedView<float>(storage, {3}, {0}), 1.0F), Error);
}

// The faults that a broken engine could have, planted in one of two results.
TEST(Verify, FindsFaultsInsideAndOutsideTheView) {
  std::vector<std::uint8_t> source{1, 2, 3, 4};
  std::vector<std::uint8_t> target(9, 0);
  const StridedView<std::uint8_t> src(source, {2, 2});
  const StridedView<std::uint8_t> dst(target, {2, 2}, {4, 2}, 1);
  const auto correct = [](const auto& s, const auto& d) { reference::copy(s, d); };

  const VerifyReport inside = detail::run_twice(
      src, dst,
      [&](const auto& s, const auto& d) {
        correct(s, d);
        d(1, 1) = 77;
      },
      correct);
  EXPECT_FALSE(inside);
  EXPECT_EQ(inside.message(), "first differs at (1, 1): engine 0x4d, reference 0x04");

  const VerifyReport in_gap = detail::run_twice(
      src, dst,
      [&](const auto& s, const auto& d) {
        correct(s, d);
        d.storage()[8] = 255;
      },
      correct);
  EXPECT_FALSE(in_gap);
  EXPECT_EQ(in_gap.message(),
            "first differs outside the destination, at element 8 of its storage: engine 0xff, "
            "reference 0x00");
}

TEST(Verify, WideElementsAreShownWhole) {
  struct Wide {
    std::uint64_t low;
    std::uint32_t high[2];
  };
  std::vector<Wide> a{{1, {2, 3}}};
  std::vector<Wide> b{{1, {2, 4}}};
  const Difference difference =
      first_difference(StridedView<Wide>(a, {1}), StridedView<Wide>(b, {1}));
  EXPECT_EQ(difference.a.size(), 2 + 2 * sizeof(Wide));
  EXPECT_NE(difference.a, difference.b);
}

}  // namespace
}  // namespace strided
