// Exact answers to "does this view map two indices to one element" and "do these two views share a
// byte". How they are found stands in footprint.hpp.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/view/footprint.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

[[nodiscard]] inline Found repeats_elements(const Layout& layout) noexcept {
  if (layout.empty()) return Found::no;
  Footprint footprint;
  for (int i = 0; i < layout.rank(); ++i) footprint.add(layout.shape()[i], layout.strides()[i]);
  return repeats_positions(footprint);
}

// Says why a layout that has_internal_overlap is no place to write to: the last axis whose steps
// are no longer than the smaller strides reach together. There is one.
[[nodiscard]] inline Failure internal_overlap_of(const Layout& layout,
                                                 const char* subject) noexcept {
  Failure failure{ErrorCode::internal_overlap, subject};
  failure.proven = repeats_elements(layout) == Found::yes;
  const auto step = [&](int i) {
    const std::int64_t stride = layout.strides()[i];
    return stride < 0 ? -stride : stride;
  };
  // unreachable: there is such an axis
  for (int i = layout.rank(); i-- > 0;) {
    if (layout.shape()[i] == 1) continue;
    std::int64_t reach = 0;
    for (int k = 0; k < layout.rank(); ++k) {
      if (layout.shape()[k] == 1) continue;  // of any stride, INT64_MIN included
      if (step(k) > step(i) || (step(k) == step(i) && k <= i)) continue;
      reach += (layout.shape()[k] - 1) * step(k);  // fits, as all of a layout does
    }
    if (step(i) > reach) continue;
    failure.axis = i;
    failure.value = layout.strides()[i];
    failure.limit = reach;
    break;
  }
  return failure;
}

}  // namespace detail

// True if two different indices reach the same element: such a view is no place to copy to. Axes of
// size 1 and empty views never overlap. Beyond a bound on memory (a footprint of more than 2^29
// positions in interleaved strides) the answer is true without proof.
//
//   shape (3,) strides (0,): true;  shape (2, 3) strides (5, 2): false, it touches 0 2 4 5 7 9
[[nodiscard]] inline bool has_internal_overlap(const Layout& layout) noexcept {
  return detail::repeats_elements(layout) != detail::Found::no;
}

// The same of a view.
template <class T>
[[nodiscard]] bool has_internal_overlap(const StridedView<T>& view) noexcept {
  return has_internal_overlap(view.layout());
}

// True if an element of `a` and an element of `b` share a byte, for layouts of real storages, the
// second starting `distance_bytes` after the first. Even and odd elements of one array share
// nothing. The same bound on memory applies.
[[nodiscard]] inline bool overlaps(const Layout& a, const Layout& b, std::int64_t element_bytes,
                                   std::int64_t distance_bytes) noexcept {
  if (a.empty() || b.empty()) return false;
  const Bounds bounds_a = a.bounds();
  const Bounds bounds_b = b.bounds();
  const std::int64_t a_low = bounds_a.lowest * element_bytes;
  const std::int64_t a_high = bounds_a.highest * element_bytes;
  const std::int64_t b_low = bounds_b.lowest * element_bytes + distance_bytes;
  const std::int64_t b_high = bounds_b.highest * element_bytes + distance_bytes;
  if (b_low - a_high >= element_bytes || a_low - b_high >= element_bytes) return false;
  detail::Footprint footprint_a;
  detail::Footprint footprint_b;
  for (int i = 0; i < a.rank(); ++i) {
    footprint_a.add(a.shape()[i], a.strides()[i] * element_bytes);
  }
  for (int i = 0; i < b.rank(); ++i) {
    footprint_b.add(b.shape()[i], b.strides()[i] * element_bytes);
  }
  return detail::footprints_meet(footprint_a, footprint_b, b_low - a_low, element_bytes);
}

// The same of two views; their storages may be any.
template <class T, class U>
[[nodiscard]] bool overlaps(const StridedView<T>& a, const StridedView<U>& b) noexcept {
  static_assert(sizeof(T) == sizeof(U), "overlaps: the element types differ in size");
  const std::uint64_t start_a = reinterpret_cast<std::uintptr_t>(a.storage().data());
  const std::uint64_t start_b = reinterpret_cast<std::uintptr_t>(b.storage().data());
  return overlaps(a.layout(), b.layout(), std::int64_t{sizeof(T)},
                  static_cast<std::int64_t>(start_b - start_a));
}

}  // namespace strided::inline STRIDED_ABI
