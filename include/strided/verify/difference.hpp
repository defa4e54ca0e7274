// first_difference: where two views first hold different bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/reference/elements.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// The first index, in logical order, at which two views differ, and the bits that each holds there.
struct Difference {
  bool found = false;  // false: the views are equal
  Dims index{};        // of the element in both views
  std::string a;       // "0x7fc00001": the highest byte first, as the number is written
  std::string b;       // as `a`, of the second view

  // Whether the views differ.
  [[nodiscard]] explicit operator bool() const noexcept { return found; }
};

namespace detail {

[[nodiscard]] inline std::string hex_of(const void* element, std::size_t bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  const auto* byte = static_cast<const unsigned char*>(element);
  std::string text = "0x";
  for (std::size_t i = 0; i < bytes; ++i) {
    const bool low_first = std::endian::native == std::endian::little;
    const unsigned value = byte[low_first ? bytes - 1 - i : i];
    text += kDigits[value >> 4];
    text += kDigits[value & 15U];
  }
  return text;
}

}  // namespace detail

// Compares bits: a NaN equals itself, 0.0 and -0.0 differ. Errors: shape_mismatch.
//
//   first_difference(a, b).index   // (1, 2) if a(1, 2) is the first element that differs from b's
template <class A, class B>
[[nodiscard]] Difference first_difference(const StridedView<A>& a, const StridedView<B>& b) {
  using T = std::remove_const_t<A>;
  static_assert(std::is_same_v<T, std::remove_const_t<B>>,
                "strided: the views have different element types");
  static_assert(std::is_trivially_copyable_v<T>,
                "strided: first_difference compares bits; this type is not trivially copyable");
  raise_if(reference::detail::check_same_shape(b.shape(), a.shape(), "the second view")
               .in("first_difference"));
  Difference difference;
  reference::detail::for_each_index(a.shape(), [&](const Dims& index) {
    if (difference.found) return;
    const void* left = &a.storage()[reference::detail::place(a.layout(), index)];
    const void* right = &b.storage()[reference::detail::place(b.layout(), index)];
    if (std::memcmp(left, right, sizeof(T)) == 0) return;
    difference = {true, index, detail::hex_of(left, sizeof(T)), detail::hex_of(right, sizeof(T))};
  });
  return difference;
}

}  // namespace strided::inline STRIDED_ABI
