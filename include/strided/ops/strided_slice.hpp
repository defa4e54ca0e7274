// strided_slice and strided_slice_assign.
#pragma once

#include <cstdint>
#include <type_traits>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/ops/copy.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/slice.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// x[begin:end:strides] with the five masks, as a view; see try_strided_slice for the rules and
// errors.
//
//   strided_slice(x, {.begin = {0, 1}, .end = {0, 3}, .strides = {1, 1}, .shrink_axis_mask = 1})
template <class T>
[[nodiscard]] constexpr StridedView<T> strided_slice(const StridedView<T>& x,
                                                     const StridedSliceSpec& spec,
                                                     Rules rules = Rules::strided) {
  const Result<Layout> layout = try_strided_slice(x.layout(), spec, rules);
  if (!layout) raise_if(layout.error().in("strided_slice"));
  return StridedView<T>::unchecked(x.storage(), *layout);
}

namespace detail {

// The value as the slice wants it: exactly its shape for ascend, broadcast to it otherwise.
[[nodiscard]] constexpr Result<Layout> value_layout(const Layout& value, const Layout& slice,
                                                    Rules rules) noexcept {
  const bool exact = rules == Rules::ascend;
  if (exact ? !(value.shape() == slice.shape()) : value.rank() > slice.rank()) {
    return shape_mismatch("value", value.shape(), slice.shape())
        .held_against(exact && try_broadcast_to(value, slice.shape()) ? "Rules::ascend" : "");
  }
  if (exact) return value;
  Result<Layout> broadcast = try_broadcast_to(value, slice.shape());
  if (broadcast) return broadcast;
  Failure failure = broadcast.error();
  failure.subject = "the slice shape";
  return failure;
}

}  // namespace detail

// The failure of strided_slice_assign(), or none, without exceptions.
template <class T, class V>
[[nodiscard]] Failure try_strided_slice_assign(const StridedView<T>& var,
                                               const StridedSliceSpec& spec,
                                               const StridedView<V>& value,
                                               Rules rules = Rules::ascend) {
  static_cast<void>(detail::can_copy<V, T>());
  constexpr const char* kCall = "strided_slice_assign";
  const Result<Layout> slice = try_strided_slice(var.layout(), spec, rules, "var");
  if (!slice) return slice.error().in(kCall);
  if (slice->empty() && rules != Rules::ascend) return {};
  const Result<Layout> source = detail::value_layout(value.layout(), *slice, rules);
  if (!source) return source.error().in(kCall);
  return try_copy(StridedView<V>::unchecked(value.storage(), *source),
                  StridedView<T>::unchecked(var.storage(), *slice))
      .of_copy_in(kCall, "the slice of var");
}

// var[begin:end:strides] = value, in place; the rest of var keeps its bits. Under Rules::ascend
// (the Ascend operator StridedSliceAssign) strides are positive, the last dimension's is 1, var has
// 1 to 8 dimensions, none of them 0, and the value has exactly the final shape. The other rule sets
// take any stride, broadcast the value, and assign nothing to an empty slice.
//
// Errors, before the first write: those of try_strided_slice, shape_mismatch, not_broadcastable,
// and those of copy.
//
//   strided_slice_assign(var, {.begin = {0, 0}, .end = {2, 2}, .strides = {1, 1}}, value)
template <class T, class V>
void strided_slice_assign(const StridedView<T>& var, const StridedSliceSpec& spec,
                          const StridedView<V>& value, Rules rules = Rules::ascend) {
  raise_if(try_strided_slice_assign(var, spec, value, rules));
}

}  // namespace strided::inline STRIDED_ABI
