// The parts that overlap is decided with: divisions that round one way, and maps of positions.
#include "strided/view/footprint.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "support/facts.hpp"

namespace {

using strided::detail::ceil_divide;
using strided::detail::common_divisor;
using strided::detail::floor_divide;
using strided::detail::Footprint;
using strided::detail::PositionMap;

TEST(Footprint, QuotientsRoundOneWayWhateverTheSign) {
  EXPECT_FACT(floor_divide(7, 3) == 2 && floor_divide(6, 3) == 2 && floor_divide(0, 3) == 0);
  EXPECT_FACT(floor_divide(-7, 3) == -3 && floor_divide(-6, 3) == -2);
  EXPECT_FACT(ceil_divide(7, 3) == 3 && ceil_divide(6, 3) == 2 && ceil_divide(0, 3) == 0);
  EXPECT_FACT(ceil_divide(-7, 3) == -2 && ceil_divide(-6, 3) == -2);
}

TEST(Footprint, CommonDivisors) {
  EXPECT_FACT(common_divisor(0, 6) == 6 && common_divisor(6, 0) == 6);
  EXPECT_FACT(common_divisor(12, 18) == 6 && common_divisor(18, 12) == 6);
  EXPECT_FACT(common_divisor(7, 5) == 1 && common_divisor(1, 9) == 1);
}

// Shifts within a word, to its edge, past it and past two of them.
TEST(PositionMap, ShiftsMarkSumsOfSubsets) {
  constexpr std::int64_t kShifts[] = {1, 3, 63, 64, 65, 130};
  PositionMap map(400);
  ASSERT_TRUE(map.usable());
  map.mark_origin();
  std::set<std::int64_t> marked{0};
  for (const std::int64_t shift : kShifts) {
    map.mark_shifted(shift);
    for (const std::int64_t at : std::set<std::int64_t>(marked)) marked.insert(at + shift);
    EXPECT_EQ(map.count_marked(), static_cast<std::int64_t>(marked.size())) << shift;
  }
  PositionMap one(1);
  ASSERT_TRUE(one.usable());
  one.mark_origin();
  for (std::int64_t at = -70; at < 470; ++at) {
    EXPECT_EQ(map.meets(one, at), marked.count(at) == 1) << at;
    EXPECT_EQ(one.meets(map, -at), marked.count(at) == 1) << at;
  }
}

// Axes of more steps than doubling makes, and strides with a common divisor.
TEST(Footprint, MarksEveryPositionOnceDivided) {
  Footprint footprint;
  footprint.add(7, -6);
  footprint.add(1, 5);
  footprint.add(5, 9);
  PositionMap map(footprint.highest() / 3 + 1);
  ASSERT_TRUE(map.usable());
  footprint.mark(map, 3);
  std::set<std::int64_t> marked;
  for (std::int64_t i = 0; i < 7; ++i) {
    for (std::int64_t k = 0; k < 5; ++k) marked.insert(2 * i + 3 * k);
  }
  EXPECT_EQ(*marked.rbegin(), footprint.highest() / 3);
  EXPECT_EQ(map.count_marked(), static_cast<std::int64_t>(marked.size()));
}

}  // namespace
