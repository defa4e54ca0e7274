// pack and unpack: a view's elements to and from a buffer without gaps, by the library's engine.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/ops/copy.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// The buffer as a row-major view of the shape of the view; what it lacks is said of it.
template <class B, class T>
[[nodiscard]] Result<StridedView<B>> packed_view(std::span<B> buffer, const StridedView<T>& view) {
  const Result<Layout> dense = Layout::try_row_major(view.shape());
  if (!dense) return dense.error();  // of more elements than a view with memory has
  const auto have = static_cast<std::int64_t>(buffer.size());
  if (have < view.size()) {
    return Failure{ErrorCode::out_of_bounds, "the view", -1, view.size() - 1, have}.held_against(
        "the buffer");
  }
  Result<StridedView<B>> packed = StridedView<B>::try_make(buffer, dense);
  if (packed) return packed;
  Failure failure = packed.error();
  failure.subject = "the buffer";
  failure.call = "";
  return failure;
}

}  // namespace detail

// The failure of pack(), or none, without exceptions.
template <class T>
[[nodiscard]] Failure try_pack(const StridedView<T>& view,
                               std::type_identity_t<std::span<std::remove_const_t<T>>> buffer,
                               const CopyOptions& options = {}) {
  const auto packed = detail::packed_view(buffer, view);
  if (!packed) return packed.error().in("pack");
  return try_copy(view, *packed, options).of_copy_in("pack", "the buffer");
}

// Writes the elements of a view, in logical (row-major) order, to the front of `buffer`, which
// holds at least view.size() elements and must not overlap a part of the view that is read later
// (as with copy(), a temporary serves where it does). What MPI_Pack leaves there with the view's
// datatype in a system of equal machines, and what MPI takes as view.size() elements of the basic
// type. Errors: out_of_bounds (a buffer too short), misaligned, and those of copy().
//
//   pack(faces.select(0, 1), buffer);
template <class T>
void pack(const StridedView<T>& view,
          std::type_identity_t<std::span<std::remove_const_t<T>>> buffer,
          const CopyOptions& options = {}) {
  raise_if(try_pack(view, buffer, options));
}

// The failure of unpack(), or none, without exceptions.
template <class T>
[[nodiscard]] Failure try_unpack(std::type_identity_t<std::span<const T>> buffer,
                                 const StridedView<T>& view, const CopyOptions& options = {}) {
  const auto packed = detail::packed_view(buffer, view);
  if (!packed) return packed.error().in("unpack");
  return try_copy(*packed, view, options).of_copy_in("unpack", "the view");
}

// The way back: the front of `buffer` to the elements of the view, in logical order; gaps of the
// view stay. Errors: out_of_bounds (a buffer too short), internal_overlap, misaligned, and those of
// copy().
template <class T>
void unpack(std::type_identity_t<std::span<const T>> buffer, const StridedView<T>& view,
            const CopyOptions& options = {}) {
  raise_if(try_unpack(buffer, view, options));
}

}  // namespace strided::inline STRIDED_ABI
