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

namespace detail {

// Where the elements of a layout begin, in bytes.
struct BytePlaces {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  Footprint footprint;

  // `from` bytes behind the start of the storage. False if a place does not fit 62 bits: then the
  // distance of two of them would not fit 64.
  [[nodiscard]] bool take(const Layout& layout, std::int64_t element_bytes,
                          std::int64_t from) noexcept {
    constexpr std::int64_t kMost = kInt64Max / 4;
    const Bounds bounds = layout.bounds();
    if (from < -kMost || from > kMost || element_bytes > kMost ||
        multiply_overflows(bounds.lowest, element_bytes, lowest) ||
        multiply_overflows(bounds.highest, element_bytes, highest) || lowest < -kMost ||
        highest > kMost) {
      return false;
    }
    lowest += from;
    highest += from;
    for (int i = 0; i < layout.rank(); ++i) {
      if (layout.shape()[i] == 1) continue;  // of any stride
      footprint.add(layout.shape()[i], layout.strides()[i] * element_bytes);
    }
    return true;
  }
};

// Do elements of `a` and of `b`, whose storage starts `distance_bytes` after that of the first,
// share a byte?
[[nodiscard]] inline Found layouts_meet(const Layout& a, const Layout& b,
                                        std::int64_t element_bytes,
                                        std::int64_t distance_bytes) noexcept {
  if (a.empty() || b.empty() || element_bytes < 1) return Found::no;
  BytePlaces in_a;
  BytePlaces in_b;
  if (!in_a.take(a, element_bytes, 0) || !in_b.take(b, element_bytes, distance_bytes)) {
    return Found::unknown;
  }
  if (in_b.lowest - in_a.highest >= element_bytes || in_a.lowest - in_b.highest >= element_bytes) {
    return Found::no;
  }
  return footprints_meet(in_a.footprint, in_b.footprint, in_b.lowest - in_a.lowest, element_bytes);
}

template <class T, class U>
[[nodiscard]] Found views_meet(const StridedView<T>& a, const StridedView<U>& b) noexcept {
  const std::uint64_t start_a = reinterpret_cast<std::uintptr_t>(a.storage().data());
  const std::uint64_t start_b = reinterpret_cast<std::uintptr_t>(b.storage().data());
  return layouts_meet(a.layout(), b.layout(), std::int64_t{sizeof(T)},
                      static_cast<std::int64_t>(start_b - start_a));
}

}  // namespace detail

// True if an element of `a` and an element of `b` share a byte, where the storage of the second
// starts `distance_bytes` after that of the first. Even and odd elements of one array share
// nothing. The same bound on memory applies, and places past 2^61 bytes, where no storage reaches,
// are told to overlap, too.
[[nodiscard]] inline bool overlaps(const Layout& a, const Layout& b, std::int64_t element_bytes,
                                   std::int64_t distance_bytes) noexcept {
  return detail::layouts_meet(a, b, element_bytes, distance_bytes) != detail::Found::no;
}

// The same of two views; their storages may be any.
template <class T, class U>
[[nodiscard]] bool overlaps(const StridedView<T>& a, const StridedView<U>& b) noexcept {
  static_assert(sizeof(T) == sizeof(U), "overlaps: the element types differ in size");
  return detail::views_meet(a, b) != detail::Found::no;
}

}  // namespace strided::inline STRIDED_ABI
