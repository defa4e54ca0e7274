#include "strided/core/checked_math.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "support/facts.hpp"

namespace {

using strided::kInt64Max;
using strided::kInt64Min;
using strided::detail::magnitude;

// The sum or product, or nothing where it overflows.
using Maybe = std::optional<std::int64_t>;
constexpr Maybe add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (strided::detail::add_overflows(a, b, sum)) return std::nullopt;
  return sum;
}
constexpr Maybe multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (strided::detail::multiply_overflows(a, b, product)) return std::nullopt;
  return product;
}

TEST(CheckedMath, AddsUpToTheLimits) {
  EXPECT_FACT(add(2, 3) == Maybe(5));
  EXPECT_FACT(add(kInt64Max, 0) == Maybe(kInt64Max));
  EXPECT_FACT(add(kInt64Max - 1, 1) == Maybe(kInt64Max));
  EXPECT_FACT(add(kInt64Min, kInt64Max) == Maybe(-1));
  EXPECT_FACT(add(kInt64Min + 1, -1) == Maybe(kInt64Min));
}

TEST(CheckedMath, RefusesSumsPastTheLimits) {
  EXPECT_FACT(add(kInt64Max, 1) == std::nullopt);
  EXPECT_FACT(add(1, kInt64Max) == std::nullopt);
  EXPECT_FACT(add(kInt64Min, -1) == std::nullopt);
  EXPECT_FACT(add(kInt64Min, kInt64Min) == std::nullopt);
  EXPECT_FACT(add(kInt64Max, kInt64Max) == std::nullopt);
}

TEST(CheckedMath, MultipliesUpToTheLimits) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 62;
  EXPECT_FACT(multiply(-6, 7) == Maybe(-42));
  EXPECT_FACT(multiply(0, kInt64Min) == Maybe(0));
  EXPECT_FACT(multiply(kInt64Max, 0) == Maybe(0));
  EXPECT_FACT(multiply(kInt64Max, -1) == Maybe(-kInt64Max));
  EXPECT_FACT(multiply(1, kInt64Min) == Maybe(kInt64Min));
  EXPECT_FACT(multiply(kHalf, -2) == Maybe(kInt64Min));
  EXPECT_FACT(multiply(-kHalf, 2) == Maybe(kInt64Min));
  EXPECT_FACT(multiply(3037000499, 3037000499) == Maybe(9223372030926249001));
}

TEST(CheckedMath, RefusesProductsPastTheLimits) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 62;
  EXPECT_FACT(multiply(kHalf, 2) == std::nullopt);
  EXPECT_FACT(multiply(-kHalf, -2) == std::nullopt);
  EXPECT_FACT(multiply(kInt64Min, -1) == std::nullopt);
  EXPECT_FACT(multiply(-1, kInt64Min) == std::nullopt);
  EXPECT_FACT(multiply(kInt64Max, kInt64Max) == std::nullopt);
  EXPECT_FACT(multiply(kInt64Max, -2) == std::nullopt);
  EXPECT_FACT(multiply(3037000500, 3037000500) == std::nullopt);
}

TEST(CheckedMath, MagnitudeKnowsTheMostNegativeNumber) {
  EXPECT_FACT(magnitude(0) == 0);
  EXPECT_FACT(magnitude(-5) == 5 && magnitude(5) == 5);
  EXPECT_FACT(magnitude(kInt64Max) == 9223372036854775807U);
  EXPECT_FACT(magnitude(kInt64Min) == 9223372036854775808U);
}

}  // namespace
