// View algebra that changes the number of elements or how they group: broadcast_to, reshape,
// collapse, windows, diagonal.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {

// Repeats axes of size 1 and new leading axes by stride 0 (NumPy's rule): shape (6, 5) broadcasts
// to (3, 6, 5). Errors: rank_too_small, negative_size, not_broadcastable, overflow.
[[nodiscard]] constexpr Result<Layout> try_broadcast_to(const Layout& a,
                                                        const Dims& shape) noexcept {
  if (shape.size() < a.shape().size()) {
    return Failure{ErrorCode::rank_too_small, "shape", -1, static_cast<std::int64_t>(shape.size()),
                   a.rank()};
  }
  const std::size_t added = shape.size() - a.shape().size();
  Dims strides = Dims::filled(shape.size(), 0);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i);
    if (shape[i] < 0) return Failure{ErrorCode::negative_size, "shape", axis, shape[i], 0};
    if (i < added) continue;
    const std::int64_t extent = a.shape()[i - added];
    if (extent == shape[i]) {
      strides[i] = a.strides()[i - added];
    } else if (extent != 1) {
      return Failure{ErrorCode::not_broadcastable, "shape", axis, shape[i], extent};
    }
  }
  return Layout::try_make(shape, strides, a.offset());
}

// Merges neighbouring axes that are one run; drops axes of size 1. The logical order of the
// elements stays: shape (10, 1, 10) with strides (10, 0, 1) becomes shape (100,) with strides (1,).
// An empty layout becomes shape (0,).
[[nodiscard]] constexpr Layout collapse(const Layout& a) noexcept {
  if (a.empty()) return Layout::unchecked(Dims{0}, Dims{1}, a.offset());
  Dims shape;
  Dims strides;
  for (std::size_t i = 0; i < a.shape().size(); ++i) {
    const std::int64_t n = a.shape()[i];
    if (n == 1) continue;
    std::int64_t reach = 0;
    const std::size_t last = shape.size() - 1;  // wraps when there is none, and is not used then
    if (!shape.empty() && !detail::multiply_overflows(n, a.strides()[i], reach) &&
        strides[last] == reach) {
      shape[last] *= n;
      strides[last] = a.strides()[i];
    } else {
      shape.push_back(n);
      strides.push_back(a.strides()[i]);
    }
  }
  return Layout::unchecked(shape, strides, a.offset());
}

namespace detail {

// `shape` with its one -1 replaced by what makes `count` elements.
[[nodiscard]] constexpr Result<Dims> infer_shape(const Dims& shape, std::int64_t count) noexcept {
  Dims known = shape;
  std::int64_t inferred = -1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != -1) continue;
    const auto axis = static_cast<std::int64_t>(i);
    if (inferred >= 0) return Failure{ErrorCode::not_inferable, "shape", axis, -1, 1};
    inferred = axis;
    known[i] = 1;
  }
  const Result<std::int64_t> product = count_elements(known, "shape");
  if (!product) {
    Failure failure = product.error();
    if (failure.code == ErrorCode::negative_size) failure.limit = -1;  // -1 would do, too
    return failure;
  }
  if (inferred >= 0 && *product > 0) known[inferred] = count / *product;
  // With a zero beside the -1 any number would do, so none is right (as NumPy and PyTorch).
  if (inferred >= 0 && *product == 0) {
    return Failure{ErrorCode::not_inferable, "shape", inferred, -1, 0};
  }
  const std::int64_t made = inferred >= 0 ? *product * known[inferred] : *product;
  if (made != count) {
    return Failure{ErrorCode::size_mismatch, "shape", inferred, *product, count};
  }
  return known;
}

}  // namespace detail

// The same elements in the same logical order under another shape; one size may be -1 and is then
// inferred. Errors: size_mismatch, negative_size, not_inferable (a second -1, or one beside a 0),
// overflow, and needs_copy where no strides can express it (the failure names the first new
// dimension that cannot be cut from the old ones).
[[nodiscard]] constexpr Result<Layout> try_reshape(const Layout& a, const Dims& shape) noexcept {
  const Result<Dims> inferred = detail::infer_shape(shape, a.size());
  if (!inferred) return inferred.error();
  const Dims& wanted = *inferred;
  Dims strides = detail::row_major_strides(wanted);
  if (a.empty()) return Layout::unchecked(wanted, strides, a.offset());
  // Walk both shapes from the last axis: every run of the old layout must be covered by whole new
  // axes.
  const Layout runs = collapse(a);
  std::size_t run = runs.shape().size();
  std::int64_t left = 1;    // elements of the current run not covered yet
  std::int64_t stride = 1;  // stride of the next new axis within the current run
  for (std::size_t i = wanted.size(); i-- > 0;) {
    if (wanted[i] == 1) {
      strides[i] = stride;
      continue;
    }
    if (left == 1) {
      --run;
      left = runs.shape()[run];
      stride = runs.strides()[run];
    }
    if (left % wanted[i] != 0) {
      return Failure{ErrorCode::needs_copy,
                     "shape",
                     static_cast<std::int64_t>(i),
                     wanted[i],
                     left,
                     wanted,
                     a.shape()};
    }
    strides[i] = stride;
    left /= wanted[i];
    if (left > 1) stride *= wanted[i];
  }
  return Layout::unchecked(wanted, strides, a.offset());
}

// All windows of `size` elements along an axis, `step` apart, as a new last dimension (torch's
// unfold): windows(0, 3, 1) of 1..5 is [[1, 2, 3], [2, 3, 4], [3, 4, 5]]. The size must be in
// [0, extent], the step at least 1.
[[nodiscard]] constexpr Result<Layout> try_windows(const Layout& a, std::int64_t axis,
                                                   std::int64_t size, std::int64_t step) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank());
  if (!at) return at.error();
  if (a.rank() == kMaxRank) {
    return Failure{ErrorCode::rank_too_large, "shape", -1, kMaxRank + 1, kMaxRank};
  }
  const std::int64_t extent = a.shape()[*at];
  if (size < 0) return Failure{ErrorCode::negative_size, "size", -1, size, 0};
  if (size > extent) return detail::outside_dimension("size", *at, size, extent, 0, extent);
  if (step < 1) return Failure{ErrorCode::nonpositive_stride, "step", -1, step, 1};
  Dims shape = a.shape();
  Dims strides = a.strides();
  const std::int64_t stride = strides[*at];
  if (detail::add_overflows((extent - size) / step, 1, shape[*at])) {
    return Failure{ErrorCode::overflow, "size", -1, size, 1};
  }
  strides[*at] = detail::step_stride(stride, step);
  shape.push_back(size);
  strides.push_back(stride);
  return Layout::try_make(shape, strides, a.offset());
}

// The elements with equal indices along two axes, as a new last dimension; a positive `shift` moves
// along the second axis, a negative one along the first (as torch.diagonal's offset).
[[nodiscard]] constexpr Result<Layout> try_diagonal(const Layout& a, std::int64_t axis_a,
                                                    std::int64_t axis_b,
                                                    std::int64_t shift = 0) noexcept {
  const Result<std::int64_t> first = detail::to_axis(axis_a, a.rank(), "the first axis");
  if (!first) return first.error();
  const Result<std::int64_t> second = detail::to_axis(axis_b, a.rank(), "the second axis");
  if (!second) return second.error();
  if (*first == *second) {
    return Failure{ErrorCode::repeated_axis, "the second axis", -1, axis_b, a.rank()};
  }
  const std::int64_t rows = a.shape()[*first];
  const std::int64_t columns = a.shape()[*second];
  const bool outside = shift >= 0 ? shift >= columns : shift <= -rows;
  const std::int64_t rows_left = shift < 0 && !outside ? rows + shift : rows;
  const std::int64_t columns_left = shift >= 0 && !outside ? columns - shift : columns;
  const std::int64_t count = outside ? 0 : rows_left < columns_left ? rows_left : columns_left;
  std::int64_t stride = 0;  // a sum past 64 bits is that of a dimension of at most one element
  if (detail::add_overflows(a.strides()[*first], a.strides()[*second], stride)) stride = 0;
  Dims shape;
  Dims strides;
  for (std::int64_t i = 0; i < a.rank(); ++i) {
    if (i == *first || i == *second) continue;
    shape.push_back(a.shape()[i]);
    strides.push_back(a.strides()[i]);
  }
  shape.push_back(count);
  strides.push_back(stride);
  const std::int64_t along = a.strides()[shift >= 0 ? *second : *first];
  const std::int64_t steps = outside ? 0 : shift >= 0 ? shift : -shift;
  return detail::moved(shape, strides, a.offset(), steps, along);
}

// Whether `sizes` cut an axis into consecutive pieces. Errors: axis_out_of_range, negative_size,
// size_mismatch.
[[nodiscard]] constexpr Failure check_split(const Layout& a, std::int64_t axis,
                                            const Dims& sizes) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank());
  if (!at) return at.error();
  const std::int64_t extent = a.shape()[*at];
  std::int64_t total = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    if (sizes[i] < 0) return Failure{ErrorCode::negative_size, "sizes", position, sizes[i], 0};
    if (detail::add_overflows(total, sizes[i], total)) {
      return Failure{ErrorCode::overflow, "sizes", position, sizes[i], 1};
    }
  }
  if (total != extent) {
    return Failure{ErrorCode::size_mismatch, "sizes", *at, total, extent}.held_against("dimension");
  }
  return {};
}

}  // namespace strided::inline STRIDED_ABI
