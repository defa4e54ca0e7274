// copy: any view to any view of the same shape.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/copy_plan.hpp"
#include "strided/engine/dispatch.hpp"
#include "strided/engine/small.hpp"
#include "strided/ops/assign.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// The failure of a copy, told of what would make its shapes equal, if that is a broadcast.
[[nodiscard]] constexpr Failure of_views(const Failure& failure, const Layout& src,
                                         const Layout& dst) noexcept {
  if (failure.code != ErrorCode::shape_mismatch || !try_broadcast_to(src, dst.shape())) {
    return failure;
  }
  return failure.held_against("src.broadcast_to(dst.shape()) repeats the source");
}

// Says what is wrong with the types of elements, once.
template <class Source, class Destination>
[[nodiscard]] consteval bool can_copy() noexcept {
  constexpr bool kWritable = !std::is_const_v<Destination>;
  constexpr bool kAlike =
      std::is_same_v<std::remove_const_t<Source>, std::remove_const_t<Destination>>;
  static_assert(kWritable, "strided: the elements of the destination are const");
  static_assert(kAlike,
                "strided: source and destination have different element types; "
                "std::ranges::copy(src, dst.begin()) converts");
  return kWritable && kAlike;
}

}  // namespace detail

// The failure of copy(), or none, without exceptions.
template <class S, class T>
[[nodiscard]] Failure try_copy(const StridedView<S>& src, const StridedView<T>& dst,
                               const CopyOptions& options = {}) {
  if constexpr (!detail::can_copy<S, T>()) {
    return {};  // said in one sentence
  } else if constexpr (std::is_trivially_copyable_v<T>) {
    const auto* const from = reinterpret_cast<const std::byte*>(src.storage().data());
    auto* const to = reinterpret_cast<std::byte*>(dst.storage().data());
    const engine::Dispatch& dispatch = engine::dispatch();
    if (!dispatch.failure &&
        engine::copy_small(src.layout(), dst.layout(), sizeof(T), *dispatch.kernels, from, to)) {
      return {};
    }
    const Result<CopyPlan> plan = make_copy_plan(src.layout(), dst.layout(), sizeof(T));
    if (!plan) {
      return detail::of_views(plan.error(), src.layout(), dst.layout()).of_copy_in("copy", "dst");
    }
    return plan->try_run(from, to, options);
  } else {
    const Failure failure = detail::assign_elements(src, dst, options);
    return detail::of_views(failure, src.layout(), dst.layout()).in("copy");
  }
}

// dst[i] = src[i] for every index i. Bits move, so that NaN payloads and signed zeros arrive
// unchanged; types that are not trivially copyable are assigned. The shapes must be equal; see
// broadcast_to. Source and destination may overlap in any way: the answer is as if the source had
// been read completely first.
//
// Errors, before the first write: shape_mismatch, internal_overlap (a destination that maps two
// indices to one element), temporary_forbidden, out_of_memory, overflow.
//
//   copy(image.permute({2, 0, 1}), planes);   // rows x columns x RGB to three planes
template <class S, class T, std::derived_from<CopyOptions> Options = CopyOptions>
void copy(const StridedView<S>& src, const StridedView<T>& dst, const Options& options = {}) {
  raise_if(try_copy(src, dst, options));
}

// The same for two views of one type with options: std::copy(begin, end, out) takes those as well,
// and is found where the elements are of namespace std. This overload is the more special of the
// two.
template <class T, std::derived_from<CopyOptions> Options = CopyOptions>
void copy(const StridedView<T>& src, const StridedView<T>& dst, const Options& options) {
  raise_if(try_copy(src, dst, options));
}

}  // namespace strided::inline STRIDED_ABI
