// View algebra: new layouts from old ones, without touching an element. The names mean what they
// mean in NumPy and PyTorch. Each function checks its arguments and returns a Result; the members
// of StridedView of the same names throw instead.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI {

// Bounds of a slice that mean "as far as it goes" in the direction of the step: slice(0, kEnd,
// kBegin, -1) is the whole dimension in reverse.
inline constexpr std::int64_t kBegin = kInt64Min;
inline constexpr std::int64_t kEnd = kInt64Max;

namespace detail {

// An axis in [-rank, rank) as an index in [0, rank).
[[nodiscard]] constexpr Result<std::int64_t> to_axis(std::int64_t axis, std::int64_t rank,
                                                     const char* subject = "axis",
                                                     std::int64_t position = -1) noexcept {
  if (axis < -rank || axis >= rank) {
    return Failure{ErrorCode::axis_out_of_range, subject, position, axis, rank};
  }
  return axis < 0 ? axis + rank : axis;
}

// A number that does not fit dimension `axis` of a view, where `least` to `most` would do.
[[nodiscard]] constexpr Failure outside_dimension(const char* subject, std::int64_t axis,
                                                  std::int64_t value, std::int64_t extent,
                                                  std::int64_t least, std::int64_t most) noexcept {
  Failure failure{ErrorCode::index_out_of_range, subject, axis, value, extent};
  failure.needed = Dims{least, most};
  failure.against = "dimension";
  return failure;
}

// Where a slice starts and how many elements it has. Starting position and count, never an end: the
// end of a reversed slice would be -1, which is also what a user writes for "the last element".
struct SliceRange {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Python's rule: negative bounds count from the end once, then clamp to the dimension. `step` is
// neither 0 nor INT64_MIN.
[[nodiscard]] constexpr SliceRange slice_range(std::int64_t begin, std::int64_t end,
                                               std::int64_t step, std::int64_t extent) noexcept {
  if (extent == 0) return {};
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? extent : extent - 1;
  const auto settle = [&](std::int64_t x) {
    if (x < 0) x += extent;
    return x < low ? low : x > high ? high : x;
  };
  const std::int64_t first = settle(begin);
  const std::int64_t stop = settle(end);
  const std::int64_t distance = step > 0 ? stop - first : first - stop;
  if (distance <= 0) return {first, 0};
  return {first, 1 + (distance - 1) / (step > 0 ? step : -step)};
}

[[nodiscard]] constexpr Failure check_step(std::int64_t step, const char* subject,
                                           std::int64_t position = -1) noexcept {
  if (step == 0) return Failure{ErrorCode::zero_stride, subject, position, 0, 0};
  if (step == kInt64Min) return Failure{ErrorCode::overflow, subject, position, step, 0};
  return {};
}

// stride * step, where a product past 64 bits can only be that of a dimension of at most one
// element, whose stride is never used.
[[nodiscard]] constexpr std::int64_t step_stride(std::int64_t stride, std::int64_t step) noexcept {
  std::int64_t product = 0;
  return multiply_overflows(stride, step, product) ? stride : product;
}

// The layout with its offset moved by `steps` along `stride`; empty layouts stay where they are, so
// that their offset never leaves the storage.
[[nodiscard]] constexpr Layout moved(const Dims& shape, const Dims& strides, std::int64_t offset,
                                     std::int64_t steps, std::int64_t stride) noexcept {
  Layout layout = Layout::unchecked(shape, strides, offset);
  if (layout.empty() || steps == 0) return layout;
  return Layout::unchecked(shape, strides, offset + steps * stride);
}

}  // namespace detail

// Axis i of the result is axis axes[i] of `a`: permute({2, 0, 1}) of shape (4, 5, 6) is (6, 4, 5).
[[nodiscard]] constexpr Result<Layout> try_permute(const Layout& a, const Dims& axes) noexcept {
  if (axes.size() != a.shape().size()) {
    return Failure{ErrorCode::length_mismatch, "axes", -1, static_cast<std::int64_t>(axes.size()),
                   a.rank()}
        .held_against("one for each dimension");
  }
  Dims shape;
  Dims strides;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i);
    const Result<std::int64_t> axis = detail::to_axis(axes[i], a.rank(), "axes", position);
    if (!axis) return axis.error();
    if ((seen >> *axis & 1U) != 0) {
      return Failure{ErrorCode::repeated_axis, "axes", position, axes[i], a.rank()};
    }
    seen |= std::uint32_t{1} << *axis;
    shape.push_back(a.shape()[*axis]);
    strides.push_back(a.strides()[*axis]);
  }
  return Layout::unchecked(shape, strides, a.offset());
}

// Exchanges two axes.
[[nodiscard]] constexpr Result<Layout> try_transpose(const Layout& a, std::int64_t axis_a,
                                                     std::int64_t axis_b) noexcept {
  const Result<std::int64_t> first = detail::to_axis(axis_a, a.rank(), "the first axis");
  if (!first) return first.error();
  const Result<std::int64_t> second = detail::to_axis(axis_b, a.rank(), "the second axis");
  if (!second) return second.error();
  Dims shape = a.shape();
  Dims strides = a.strides();
  shape[*first] = a.shape()[*second];
  shape[*second] = a.shape()[*first];
  strides[*first] = a.strides()[*second];
  strides[*second] = a.strides()[*first];
  return Layout::unchecked(shape, strides, a.offset());
}

// begin, end and step as in Python: negative bounds count from the end, bounds clamp. A step of 0
// is an error (zero_stride); a negative one walks backwards.
[[nodiscard]] constexpr Result<Layout> try_slice(const Layout& a, std::int64_t axis,
                                                 std::int64_t begin, std::int64_t end,
                                                 std::int64_t step = 1) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank());
  if (!at) return at.error();
  if (Failure failure = detail::check_step(step, "step")) return failure;
  const detail::SliceRange range = detail::slice_range(begin, end, step, a.shape()[*at]);
  Dims shape = a.shape();
  Dims strides = a.strides();
  shape[*at] = range.count;
  strides[*at] = detail::step_stride(strides[*at], step);
  return detail::moved(shape, strides, a.offset(), range.first, a.strides()[*at]);
}

// `length` elements from `start`, neither of which clamps (as torch.narrow).
[[nodiscard]] constexpr Result<Layout> try_narrow(const Layout& a, std::int64_t axis,
                                                  std::int64_t start,
                                                  std::int64_t length) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank());
  if (!at) return at.error();
  const std::int64_t extent = a.shape()[*at];
  if (start < 0 || start > extent) {
    return detail::outside_dimension("start", *at, start, extent, 0, extent);
  }
  if (length < 0) return Failure{ErrorCode::negative_size, "length", -1, length, 0};
  if (length > extent - start) {
    std::int64_t end = 0;
    if (detail::add_overflows(start, length, end)) end = kInt64Max;
    return detail::outside_dimension("start + length", *at, end, extent, 0, extent);
  }
  Dims shape = a.shape();
  shape[*at] = length;
  return detail::moved(shape, a.strides(), a.offset(), start, a.strides()[*at]);
}

// Drops the axis at one index. A negative index counts from the end; nothing clamps.
[[nodiscard]] constexpr Result<Layout> try_select(const Layout& a, std::int64_t axis,
                                                  std::int64_t index) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank());
  if (!at) return at.error();
  const std::int64_t extent = a.shape()[*at];
  if (index < -extent || index >= extent) {
    return detail::outside_dimension("index", *at, index, extent, -extent, extent - 1);
  }
  Dims shape = a.shape();
  Dims strides = a.strides();
  shape.erase(static_cast<std::size_t>(*at));
  strides.erase(static_cast<std::size_t>(*at));
  return detail::moved(shape, strides, a.offset(), index < 0 ? index + extent : index,
                       a.strides()[*at]);
}

// Reverses one axis.
[[nodiscard]] constexpr Result<Layout> try_flip(const Layout& a, std::int64_t axis) noexcept {
  return try_slice(a, axis, kEnd, kBegin, -1);
}

// Drops every axis of size 1.
[[nodiscard]] constexpr Layout squeeze(const Layout& a) noexcept {
  Dims shape;
  Dims strides;
  for (std::size_t i = 0; i < a.shape().size(); ++i) {
    if (a.shape()[i] == 1) continue;
    shape.push_back(a.shape()[i]);
    strides.push_back(a.strides()[i]);
  }
  return Layout::unchecked(shape, strides, a.offset());
}

// Drops one axis, which must have size 1 (as NumPy; size_mismatch otherwise).
[[nodiscard]] constexpr Result<Layout> try_squeeze(const Layout& a, std::int64_t axis) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank());
  if (!at) return at.error();
  if (a.shape()[*at] != 1) {
    return Failure{ErrorCode::size_mismatch, "dimension", *at, a.shape()[*at], 1};
  }
  return try_select(a, *at, 0);
}

// Inserts an axis of size 1 before `axis`, which may be in [-(rank + 1), rank].
[[nodiscard]] constexpr Result<Layout> try_unsqueeze(const Layout& a, std::int64_t axis) noexcept {
  const Result<std::int64_t> at = detail::to_axis(axis, a.rank() + 1);
  if (!at) return at.error();
  if (a.rank() == kMaxRank) {
    return Failure{ErrorCode::rank_too_large, "shape", -1, kMaxRank + 1, kMaxRank};
  }
  const auto position = static_cast<std::size_t>(*at);
  Dims shape = a.shape();
  Dims strides = a.strides();
  const std::int64_t stride = position < strides.size() ? strides[position] : 1;
  shape.insert(position, 1);
  strides.insert(position, stride);
  return Layout::unchecked(shape, strides, a.offset());
}

}  // namespace strided::inline STRIDED_ABI
