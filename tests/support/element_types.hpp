// Element types of every kind, and bits that a move through a register could change.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if __has_include(<eigen3/Eigen/Core>)
#include <eigen3/Eigen/Core>
#define STRIDED_TEST_HAS_EIGEN 1
#else
#define STRIDED_TEST_HAS_EIGEN 0
#endif

// Both compilers define the macro where the target has _Float16; clang 14 on x86 has not, and g++
// has it in C++ on x86 alone before version 13.
#if defined(__FLT16_MANT_DIG__) && \
    (defined(__clang__) ? __clang_major__ >= 15 : defined(__SSE2__) || __GNUC__ >= 13)
#define STRIDED_TEST_HAS_FLOAT16 1
#else
#define STRIDED_TEST_HAS_FLOAT16 0
#endif

namespace strided_test {

struct Pair {  // 2 bytes
  std::uint8_t first;
  std::uint8_t second;
};

struct Fp8 {  // e4m3: 0x7f and 0xff are NaNs, 0x80 is -0
  std::uint8_t bits;
};

struct Rgb {  // 12 bytes
  float red, green, blue;
};

// The bits of element `k` of a test: special numbers of every float format first (written at the
// width of the element), then plain patterns.
template <class T>
T special_element(std::size_t k) {
  static_assert(std::is_trivially_copyable_v<T>);
  T element;
  if constexpr (std::is_same_v<T, bool>) {
    element = k % 3 == 0;
  } else {
    static constexpr std::uint64_t kBits64[] = {
        0x7ff0000000000001, 0xfff4000000000bad, 0x7ff8000000000123, 0xffffffffffffffff,
        0x8000000000000000, 0x0000000000000001, 0x7ff0000000000000, 0xfff0000000000000};
    static constexpr std::uint32_t kBits32[] = {0x7f800001, 0xffa00bad, 0x7fc00123, 0xffffffff,
                                                0x80000000, 0x00000001, 0x7f800000, 0xff800000};
    static constexpr std::uint16_t kBits16[] = {0x7c01, 0xfd0b, 0x7e23, 0xffff,   // float16
                                                0x8000, 0x0001, 0x7f81, 0xffab};  // and bfloat16
    static constexpr std::uint8_t kBits8[] = {0x7f, 0xff, 0x80, 0x01, 0x7d, 0xfd, 0xf8, 0x00};
    auto* bytes = reinterpret_cast<unsigned char*>(&element);
    const std::size_t special = k % 8;
    const auto fill_with = [&](const auto& pattern) {
      for (std::size_t at = 0; at < sizeof(T); at += sizeof(pattern)) {
        std::memcpy(bytes + at, &pattern, sizeof(pattern));
      }
    };
    if constexpr (std::is_same_v<T, std::complex<float>> || sizeof(T) % 8 == 4) {
      fill_with(kBits32[special]);
    } else if constexpr (sizeof(T) % 8 == 0) {
      fill_with(kBits64[special]);
    } else if constexpr (sizeof(T) % 2 == 0) {
      fill_with(kBits16[special]);
    } else {
      fill_with(kBits8[special]);
    }
    if (k >= 8) bytes[0] = static_cast<unsigned char>(bytes[0] ^ (k << 1));
  }
  return element;
}

template <class T>
bool same_bits(const T& a, const T& b) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
  } else {
    return a == b;
  }
}

}  // namespace strided_test
