// as_strided, as_strided_copy (the AsStrided operator) and as_strided_scatter.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/temporary.hpp"
#include "strided/ops/copy.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/slice.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// The AsStrided operator reads x as its logical row-major vector. That vector is a view of the
// storage where x has one stride: then the parameters translate to the storage. Otherwise
// needs_copy.
[[nodiscard]] constexpr Result<Layout> try_as_strided_of_vector(const Layout& x, const Dims& size,
                                                                const Dims& stride,
                                                                std::int64_t offset) noexcept {
  const Result<Layout> logical = try_as_strided(x.size(), size, stride, offset, Rules::ascend);
  if (!logical) return logical;
  const Layout vector = collapse(x);
  if (vector.rank() > 1) {
    return Failure{ErrorCode::needs_copy, "the row-major vector of shape", -1, 0, 0, x.shape()};
  }
  const std::int64_t step = vector.rank() == 0 ? 1 : vector.strides()[0];
  Dims strides = stride;
  for (std::int64_t& s : strides) s = step_stride(s, step);
  return Layout::unchecked(size, strides, x.offset() + offset * step);
}

// A part of x whose row-major vector is elements [start, start + part.size()) of x's.
struct PartOfVector {
  Layout part;
  std::int64_t start = 0;
};

// The part with the elements from `first` to `last`, both included: one index of each axis down to
// the first where the two differ, and what lies between on that one. What lies outside need not be
// copied, which for a broadcast x could be more than there is memory.
//
//   x of shape (4, 5, 6), from 67 to 77: x[2, 1:3, :], which starts at 66
[[nodiscard]] constexpr PartOfVector part_of_vector(const Layout& x, std::int64_t first,
                                                    std::int64_t last) noexcept {
  Dims shape = x.shape();
  std::int64_t offset = x.offset();
  std::int64_t start = 0;
  std::int64_t inner = x.size();  // elements under one index of the axis
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    inner /= shape[axis];
    const std::int64_t low = (first - start) / inner;
    const std::int64_t high = (last - start) / inner;
    shape[axis] = high - low + 1;
    offset += low * x.strides()[axis];
    start += low * inner;
    if (low != high) break;
  }
  return {Layout::unchecked(shape, x.strides(), offset), start};
}

inline constexpr const char kTakesNoVector[] = "a contiguous x that does not overlap y needs none";

// Writes x's row-major vector to a temporary, and from there, through `in_vector`, to y.
template <class X, class Y>
[[nodiscard]] Failure copy_from_vector(const StridedView<X>& x, const Layout& in_vector,
                                       const StridedView<Y>& y) {
  if constexpr (std::is_trivially_copyable_v<Y>) {
    std::int64_t bytes = 0;
    if (multiply_overflows(x.size(), std::int64_t{sizeof(Y)}, bytes)) {
      return Failure{ErrorCode::overflow, "the number of elements read of x", -1, x.size(),
                     kInt64Max}
          .held_against("with it the number of bytes");
    }
    const Layout dense = Layout::unchecked(x.shape(), row_major_strides(x.shape()), 0);
    const Result<CopyPlan> reading = make_copy_plan(x.layout(), dense, sizeof(Y));
    if (!reading) return reading.error();  // unreachable: its bytes fit, and x was checked
    const Result<CopyPlan> writing = make_copy_plan(in_vector, y.layout(), sizeof(Y));
    if (!writing) return writing.error();  // unreachable: what was read fits, and y was checked
    const engine::Temporary vector(bytes);
    if (vector.data() == nullptr) return engine::no_temporary(bytes).held_against(kTakesNoVector);
    // unreachable: memory of its own overlaps nothing
    if (Failure failure = reading->try_run(x.storage().data(), vector.data())) return failure;
    return writing->try_run(vector.data(), y.storage().data());
  } else {
    std::vector<Y> vector;
    if (Failure failure = read_elements(StridedView<const Y>(x), vector)) {
      return failure.held_against(kTakesNoVector);
    }
    return try_copy(StridedView<const Y>::unchecked(vector, in_vector), y);
  }
}

template <class T>
[[nodiscard]] constexpr Result<Layout> as_strided_layout(const StridedView<T>& v, const Dims& size,
                                                         const Dims& stride, std::int64_t offset,
                                                         Rules rules) noexcept {
  const bool of_vector = rules == Rules::ascend;
  const auto have = of_vector ? v.size() : static_cast<std::int64_t>(v.storage().size());
  Result<Layout> layout = of_vector ? try_as_strided_of_vector(v.layout(), size, stride, offset)
                                    : try_as_strided(have, size, stride, offset, rules);
  if (!layout && layout.error().code == ErrorCode::out_of_bounds) {
    Failure failure = layout.error();
    failure.needed =
        strides_of_bytes(Layout::unchecked(size, stride, offset), std::int64_t{sizeof(T)}, have);
    return layout.fail(failure);
  }
  // An empty view may have a null storage, whatever its length. Addresses are no constants.
  if (layout && !layout->empty() && !std::is_constant_evaluated() &&
      v.storage().data() == nullptr) {
    return Failure{ErrorCode::null_data, "the storage", -1, layout->size()};
  }
  return layout;
}

}  // namespace detail

// A view of v's storage: element (i, j, ...) is storage[offset + i * stride[0] + j * stride[1] +
// ...]. The offset counts from the start of the storage, not from v's first element (as
// torch.as_strided). Under Rules::ascend it counts in v's elements in row-major order instead, and
// v must have them at one stride (needs_copy otherwise; as_strided_copy takes any v).
//
// Errors: those of try_as_strided, null_data, needs_copy.
//
//   as_strided(v, {3, 3}, {2, 1}, 0)   // windows of 3, 2 apart, over a vector of at least 7
template <class T>
[[nodiscard]] constexpr StridedView<T> as_strided(const StridedView<T>& v, const Dims& size,
                                                  const Dims& stride, std::int64_t offset,
                                                  Rules rules = Rules::strided) {
  const Result<Layout> layout = detail::as_strided_layout(v, size, stride, offset, rules);
  if (!layout) raise_if(layout.error().in("as_strided"));
  return StridedView<T>::unchecked(v.storage(), *layout);
}

// The same from v's own offset.
template <class T>
[[nodiscard]] constexpr StridedView<T> as_strided(const StridedView<T>& v, const Dims& size,
                                                  const Dims& stride) {
  return as_strided(v, size, stride, v.offset());
}

// The failure of as_strided_copy(), or none, without exceptions.
template <class X, class Y>
[[nodiscard]] Failure try_as_strided_copy(const StridedView<X>& x, const AsStridedParam& param,
                                          const StridedView<Y>& y, Rules rules = Rules::ascend) {
  static_cast<void>(detail::can_copy<X, Y>());
  constexpr const char* kCall = "as_strided_copy";
  if (Failure failure = detail::check_length(param.offset, "offset", 1, ""))
    return failure.in(kCall);
  const Result<Layout> layout =
      detail::as_strided_layout(x, param.size, param.stride, param.offset[0], rules);
  if (layout) {
    if (!(y.shape() == param.size)) {
      return detail::shape_mismatch("y", y.shape(), param.size).in(kCall);
    }
    return try_copy(StridedView<X>::unchecked(x.storage(), *layout), y).of_copy_in(kCall, "y");
  }
  if (layout.error().code != ErrorCode::needs_copy) return layout.error().in(kCall);
  if (!(y.shape() == param.size)) {
    return detail::shape_mismatch("y", y.shape(), param.size).in(kCall);
  }
  if (has_internal_overlap(y)) return detail::internal_overlap_of(y.layout(), "y").in(kCall);
  const Bounds read = Layout::unchecked(param.size, param.stride, param.offset[0]).bounds();
  const auto [part, start] = detail::part_of_vector(x.layout(), read.lowest, read.highest);
  const auto x_part = StridedView<X>::unchecked(x.storage(), part);
  const std::int64_t offset = param.offset[0] - start;
  const Result<Layout> in_storage =
      detail::try_as_strided_of_vector(part, param.size, param.stride, offset);
  const Failure failure = in_storage
                              ? try_copy(StridedView<X>::unchecked(x.storage(), *in_storage), y)
                              : detail::copy_from_vector(
                                    x_part, Layout::unchecked(param.size, param.stride, offset), y);
  return failure.of_copy_in(kCall, "y");
}

// The Ascend operator AsStrided: y[i][j] = x_flat[i * stride[0] + j * stride[1] + offset], where
// x_flat is x read in row-major order, whatever its strides; y has the shape `size` and any
// strides. Under the other rule sets the parameters address x's storage, as in as_strided.
//
// Errors, before the first write: length_mismatch (lists; the offset must be a list of one), those
// of try_as_strided, shape_mismatch, and those of copy.
//
//   x = 1..9 as 3 x 3, {size {2, 2}, stride {2, 3}, offset {0}}: y = [[1, 4], [3, 6]]
template <class X, class Y>
void as_strided_copy(const StridedView<X>& x, const AsStridedParam& param, const StridedView<Y>& y,
                     Rules rules = Rules::ascend) {
  raise_if(try_as_strided_copy(x, param, y, rules));
}

// The failure of as_strided_scatter(), or none, without exceptions.
template <class T, class V>
[[nodiscard]] Failure try_as_strided_scatter(const StridedView<T>& storage_view, const Dims& size,
                                             const Dims& stride, std::int64_t offset,
                                             const StridedView<V>& value,
                                             Rules rules = Rules::strided) {
  static_cast<void>(detail::can_copy<V, T>());
  constexpr const char* kCall = "as_strided_scatter";
  const Result<Layout> layout =
      detail::as_strided_layout(storage_view, size, stride, offset, rules);
  if (!layout) return layout.error().in(kCall);
  if (!(value.shape() == size)) {
    return detail::shape_mismatch("value", value.shape(), size).in(kCall);
  }
  return try_copy(value, StridedView<T>::unchecked(storage_view.storage(), *layout))
      .of_copy_in(kCall, "the strided view");
}

// Writes `value` through as_strided(storage_view, size, stride, offset), in place: the inverse of
// as_strided_copy. The value has exactly the shape `size`; strides that reach an element twice are
// an error (internal_overlap).
//
// Errors, before the first write: those of as_strided, shape_mismatch, and those of copy.
template <class T, class V>
void as_strided_scatter(const StridedView<T>& storage_view, const Dims& size, const Dims& stride,
                        std::int64_t offset, const StridedView<V>& value,
                        Rules rules = Rules::strided) {
  raise_if(try_as_strided_scatter(storage_view, size, stride, offset, value, rules));
}

}  // namespace strided::inline STRIDED_ABI
