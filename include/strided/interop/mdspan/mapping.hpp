// Which layouts the mappings of std::mdspan can say. Needs no <mdspan>.
//
// A mapping starts at offset 0 and never reaches below it, so its strides are positive, and those
// of std::layout_stride nest: ordered by size, each is at least the one before times its extent
// ([mdspan.layout.stride.cons]). That is more than being free of overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// Refuses extents whose product leaves the index type. Zeros are left out: the strides of an empty
// mapping are products too, and libraries multiply before they meet the zero.
[[nodiscard]] constexpr Failure check_mapping_extents(const Dims& shape,
                                                      std::int64_t index_max) noexcept {
  std::int64_t product = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) continue;
    if (multiply_overflows(product, shape[i], product) || product > index_max) {
      return Failure{ErrorCode::overflow, "shape", static_cast<std::int64_t>(i), shape[i],
                     index_max};
    }
  }
  return {};
}

// Refuses strides with which 1 + sum((extent - 1) * stride), or a stride, leaves the index type.
// Zeros are left out here too.
[[nodiscard]] constexpr Failure check_mapping_span(const Dims& shape, const Dims& strides,
                                                   std::int64_t index_max) noexcept {
  std::int64_t span = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::int64_t reach = 0;
    if (strides[i] > index_max ||
        (shape[i] > 0 && (multiply_overflows(shape[i] - 1, strides[i], reach) ||
                          add_overflows(span, reach, span) || span > index_max))) {
      return Failure{ErrorCode::overflow, "strides", static_cast<std::int64_t>(i), strides[i],
                     index_max};
    }
  }
  return {};
}

// Names the last dimension whose stride is smaller than a lesser stride times its extent. Of equal
// strides the one with the smaller extent comes first: only one of them may be longer than 1.
[[nodiscard]] constexpr Failure check_nested(const Dims& shape, const Dims& strides) noexcept {
  const auto comes_before = [&](std::size_t k, std::size_t i) {
    if (strides[k] != strides[i]) return strides[k] < strides[i];
    return shape[k] != shape[i] ? shape[k] < shape[i] : k > i;
  };
  for (std::size_t i = shape.size(); i-- > 0;) {
    bool nests = true;
    std::int64_t least = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (k == i || !comes_before(k, i)) continue;
      std::int64_t extended = 0;
      // No stride is as large as a product past 64 bits.
      const bool fits = !multiply_overflows(strides[k], shape[k], extended);
      if (!fits) extended = kInt64Max;
      if (extended > least) least = extended;
      nests = nests && fits && strides[i] >= extended;
    }
    if (!nests) {
      return Failure{ErrorCode::not_nested, "strides", static_cast<std::int64_t>(i), strides[i],
                     least};
    }
  }
  return {};
}

[[nodiscard]] constexpr Failure check_layout_stride(const Dims& shape, const Dims& strides,
                                                    std::int64_t index_max) noexcept {
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] < 1) {
      return Failure{ErrorCode::nonpositive_stride, "strides", static_cast<std::int64_t>(i),
                     strides[i], 1}
          .held_against("std::layout_stride");
    }
  }
  if (Failure failure = check_nested(shape, strides)) return failure;
  if (Failure failure = check_mapping_extents(shape, index_max)) return failure;
  return check_mapping_span(shape, strides, index_max);
}

// The strides of layout_right (the last index moves fastest) or of layout_left (the first).
[[nodiscard]] constexpr Result<Layout> try_layout_exhaustive(const Layout& layout,
                                                             std::int64_t index_max,
                                                             bool last_is_fastest) noexcept {
  const Dims& shape = layout.shape();
  if (Failure failure = check_mapping_extents(shape, index_max)) return failure;
  Dims strides = shape;
  std::int64_t next = 1;
  for (std::size_t step = 0; step < shape.size(); ++step) {
    const std::size_t i = last_is_fastest ? shape.size() - 1 - step : step;
    if (!layout.empty() && shape[i] > 1 && layout.strides()[i] != next) {
      return Failure{ErrorCode::stride_mismatch, "strides", static_cast<std::int64_t>(i),
                     layout.strides()[i], next};
    }
    strides[i] = next;
    next *= shape[i] > 0 ? shape[i] : 1;
  }
  return Layout::unchecked(shape, strides, layout.offset());
}

}  // namespace detail

// The layout as a std::layout_stride mapping says it, counted from element (0, ..., 0): the same
// shape, offset and strides. The strides of dimensions of size 1, and all of an empty layout, are
// never multiplied by anything but 0; where the standard would not take them as they are, they
// become 1, or row-major ones. `index_max` is the largest value of the mapping's index_type.
//
// Errors: nonpositive_stride; not_nested, also for views that map no two indices to one element,
// such as shape (2, 3) with strides (5, 2); overflow, where the extents, the strides or the
// required span size leave the index type. Of an empty layout the extents other than 0 must
// multiply to no more than index_max. Semantics: the preconditions of [mdspan.layout.stride.cons].
//
//   try_layout_stride(Layout({1, 5}, {0, 2}))   has strides (1, 2)
[[nodiscard]] constexpr Result<Layout> try_layout_stride(
    const Layout& layout, std::int64_t index_max = kInt64Max) noexcept {
  if (!detail::check_layout_stride(layout.shape(), layout.strides(), index_max)) return layout;
  Dims strides = layout.empty() ? detail::row_major_strides(layout.shape()) : layout.strides();
  for (std::size_t i = 0; i < strides.size() && !layout.empty(); ++i) {
    if (layout.shape()[i] == 1) strides[i] = 1;
  }
  const Failure failure = detail::check_layout_stride(layout.shape(), strides, index_max);
  if (failure) return failure;
  return Layout::unchecked(layout.shape(), strides, layout.offset());
}

// The same for std::layout_right and std::layout_left, which have one possible stride for each
// dimension: row-major and column-major without gaps. Dimensions of size 1 and empty layouts have
// any stride, as in is_contiguous(), and get the one of the mapping (of an empty one, as if its
// sizes of 0 were 1). Errors: stride_mismatch, overflow.
//
//   try_layout_left(Layout({2, 3}, {3, 1}))   fails: strides[0] is 3, it must be exactly 1
[[nodiscard]] constexpr Result<Layout> try_layout_right(
    const Layout& layout, std::int64_t index_max = kInt64Max) noexcept {
  return detail::try_layout_exhaustive(layout, index_max, true);
}
[[nodiscard]] constexpr Result<Layout> try_layout_left(
    const Layout& layout, std::int64_t index_max = kInt64Max) noexcept {
  return detail::try_layout_exhaustive(layout, index_max, false);
}

// required_span_size() of the mapping that says `layout`, one of the results above: the elements
// from (0, ..., 0) to the last one, gaps included. 1 for rank 0, 0 for an empty layout.
//
//   required_span_size(Layout({2, 3}, {10, 1}, 40)) == 13
[[nodiscard]] constexpr std::int64_t required_span_size(const Layout& layout) noexcept {
  return layout.empty() ? 0 : layout.bounds().highest - layout.offset() + 1;
}

}  // namespace strided::inline STRIDED_ABI
