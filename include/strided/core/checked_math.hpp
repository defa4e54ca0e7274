// 64-bit arithmetic that reports overflow. True means it overflowed, as with the compiler builtins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {

inline constexpr std::int64_t kInt64Max = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kInt64Min = std::numeric_limits<std::int64_t>::min();

// How far apart steps are, in either direction; not for the lowest number, which no stride of a
// loop is.
[[nodiscard]] constexpr std::int64_t absolute(std::int64_t value) noexcept {
  return value < 0 ? -value : value;
}

namespace detail {

// Whether so many bytes can be one array: on 32-bit machines fewer than 64 bits count.
[[nodiscard]] constexpr bool fits_memory(std::int64_t bytes) noexcept {
  return static_cast<std::uint64_t>(bytes) <=
         std::uint64_t{std::numeric_limits<std::ptrdiff_t>::max()};
}

#if defined(__GNUC__) || defined(__clang__)

[[nodiscard]] constexpr bool add_overflows(std::int64_t a, std::int64_t b,
                                           std::int64_t& sum) noexcept {
  return __builtin_add_overflow(a, b, &sum);
}

[[nodiscard]] constexpr bool multiply_overflows(std::int64_t a, std::int64_t b,
                                                std::int64_t& product) noexcept {
  return __builtin_mul_overflow(a, b, &product);
}

#else

[[nodiscard]] constexpr bool add_overflows(std::int64_t a, std::int64_t b,
                                           std::int64_t& sum) noexcept {
  if (b > 0 ? a > kInt64Max - b : a < kInt64Min - b) return true;
  sum = a + b;
  return false;
}

[[nodiscard]] constexpr bool multiply_overflows(std::int64_t a, std::int64_t b,
                                                std::int64_t& product) noexcept {
  if (a == 0 || b == 0) {
    product = 0;
    return false;
  }
  if ((a == -1 && b == kInt64Min) || (b == -1 && a == kInt64Min)) return true;
  if (a > 0 ? (b > 0 ? a > kInt64Max / b : b < kInt64Min / a)
            : (b > 0 ? a < kInt64Min / b : b < kInt64Max / a)) {
    return true;
  }
  product = a * b;
  return false;
}

#endif

// |value| without the overflow of -INT64_MIN.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t value) noexcept {
  return value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                   : static_cast<std::uint64_t>(value);
}

}  // namespace detail
}  // namespace strided::inline STRIDED_ABI
