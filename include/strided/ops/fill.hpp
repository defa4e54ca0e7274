// fill: one value to every element of a view.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/copy_plan.hpp"
#include "strided/view/overlap.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// A fill may do what a copy may not.
[[nodiscard]] constexpr Failure of_fill(const Failure& failure) noexcept {
  return failure.code != ErrorCode::internal_overlap
             ? failure
             : failure.held_against("FillOptions::allow_internal_overlap fills it all the same");
}

}  // namespace detail

// The failure of fill(), or none, without exceptions.
template <class T>
[[nodiscard]] Failure try_fill(const StridedView<T>& dst, const std::type_identity_t<T>& value,
                               const FillOptions& options = {}) {
  static_assert(!std::is_const_v<T>, "strided: the elements of the destination are const");
  if constexpr (std::is_trivially_copyable_v<T>) {
    // The value may live inside the view; as bytes, since a float may change in a register.
    std::byte held[sizeof(T)];
    std::memcpy(held, static_cast<const void*>(&value), sizeof(T));
    const Result<CopyPlan> plan =
        CopyPlan::try_make_fill(dst.layout(), sizeof(T), options.allow_internal_overlap);
    if (!plan) return detail::of_fill(plan.error());
    const CopyOptions run{.assume_disjoint = true, .executor = options.executor};
    return plan->try_run(held, dst.storage().data(), run).in("fill");
  } else {
    if (!options.allow_internal_overlap && has_internal_overlap(dst)) {
      return detail::of_fill(detail::internal_overlap_of(dst.layout(), "dst")).in("fill");
    }
    const T held = value;
    for (T& element : dst) element = held;
    return {};
  }
}

// dst[i] = value for every index i. A destination that overlaps itself is an error
// (internal_overlap) unless the options allow it: writing one value twice is harmless.
//
//   fill(image.slice(0, 0, 10), 255);   // the first ten rows
template <class T>
void fill(const StridedView<T>& dst, const std::type_identity_t<T>& value,
          const FillOptions& options = {}) {
  raise_if(try_fill(dst, value, options));
}

}  // namespace strided::inline STRIDED_ABI
