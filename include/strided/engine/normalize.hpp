// normalize: two layouts of one shape -> the simplest loops over bytes that do the same.
#pragma once

#include <cstdint>
#include <utility>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/engine/loop_nest.hpp"
#include "strided/view/layout.hpp"

namespace strided::inline STRIDED_ABI::engine {

// Puts a loop at its place: destination strides descend, ties by the source's. The logical order of
// the elements does not matter to a copy, the order of addresses does.
constexpr void insert_ordered(LoopNest& nest, const Loop& loop) noexcept {
  const auto inside = [](const Loop& a, const Loop& b) {  // a belongs inside b
    if (a.dst_stride_bytes != b.dst_stride_bytes) return a.dst_stride_bytes < b.dst_stride_bytes;
    return absolute(a.src_stride_bytes) < absolute(b.src_stride_bytes);
  };
  int at = nest.rank++;
  for (; at > 0 && inside(nest.loops[at - 1], loop); --at) nest.loops[at] = nest.loops[at - 1];
  nest.loops[at] = loop;
}

// Whether a step of the outer loop goes just past the end of the inner one.
[[nodiscard]] constexpr bool continues(std::int64_t outer_stride, std::int64_t inner_stride,
                                       std::int64_t inner_count) noexcept {
  std::int64_t past = 0;
  return !detail::multiply_overflows(inner_stride, inner_count, past) && outer_stride == past;
}

// Merges every loop that continues the one inside it, and folds a contiguous innermost loop into
// the run.
constexpr void merge_loops(LoopNest& nest) noexcept {
  int kept = nest.rank;  // loops[kept..] are final, innermost last
  for (int i = nest.rank; i-- > 0;) {
    const Loop& loop = nest.loops[i];
    if (kept == nest.rank && loop.src_stride_bytes == nest.run_bytes &&
        loop.dst_stride_bytes == nest.run_bytes) {
      nest.run_bytes *= loop.count;
      continue;
    }
    if (kept < nest.rank) {
      Loop& inner = nest.loops[kept];
      if (continues(loop.src_stride_bytes, inner.src_stride_bytes, inner.count) &&
          continues(loop.dst_stride_bytes, inner.dst_stride_bytes, inner.count)) {
        inner.count *= loop.count;
        continue;
      }
    }
    nest.loops[--kept] = loop;
  }
  for (int i = kept; i < nest.rank; ++i) nest.loops[i - kept] = nest.loops[i];
  nest.rank -= kept;
}

// One side of a copy while its loops are collected: everything in bytes, everything checked.
struct Side {
  std::int64_t offset = 0;
  std::int64_t lowest = 0;
  std::int64_t highest = 0;

  // Starts at an offset of `elements`; true if it overflows.
  [[nodiscard]] constexpr bool start(std::int64_t elements, std::int64_t element_bytes) noexcept {
    const bool overflows = detail::multiply_overflows(elements, element_bytes, offset);
    lowest = highest = offset;
    return overflows;
  }
  // Widens by an axis of `count` elements; true if it overflows. `stride` in elements, then bytes.
  [[nodiscard]] constexpr bool widen(std::int64_t count, std::int64_t& stride,
                                     std::int64_t element_bytes) noexcept {
    std::int64_t reach = 0;
    if (detail::multiply_overflows(stride, element_bytes, stride) ||
        detail::multiply_overflows(stride, count - 1, reach) || stride == kInt64Min) {
      return true;
    }
    std::int64_t& bound = reach < 0 ? lowest : highest;
    return detail::add_overflows(bound, reach, bound);
  }
  // The highest place becomes the end of the bytes there; true if that overflows.
  [[nodiscard]] constexpr bool finish(std::int64_t element_bytes) noexcept {
    return detail::add_overflows(highest, element_bytes, highest);
  }
  // The far end of an axis becomes its start.
  constexpr void turn(std::int64_t count, std::int64_t& stride) noexcept {
    offset += (count - 1) * stride;
    stride = -stride;
  }
};

[[nodiscard]] constexpr Failure shape_failure(const Layout& src, const Layout& dst) noexcept {
  Failure failure{ErrorCode::shape_mismatch, "dst", -1, 0, 0, dst.shape(), src.shape()};
  for (std::size_t i = 0; i < src.shape().size() && src.rank() == dst.rank(); ++i) {
    if (src.shape()[i] == dst.shape()[i]) continue;
    failure.axis = static_cast<std::int64_t>(i);
    break;
  }
  return failure;
}

// Errors: shape_mismatch, element_size, overflow. Steps: drop axes of one element, turn every axis
// so that the destination is walked upwards, order by destination stride, and only then merge.
//
//   (4, 6) contiguous to (4, 6) contiguous, 4 bytes: no loop, one run of 96 bytes
[[nodiscard]] constexpr Result<LoopNest> normalize(const Layout& src, const Layout& dst,
                                                   std::int64_t element_bytes) noexcept {
  Result<LoopNest> result{std::in_place};  // returned on every path, so that it is never copied
  LoopNest& nest = *result;
  Side from;
  Side to;
  if (!(src.shape() == dst.shape())) {
    result.fail(shape_failure(src, dst));
    return result;
  }
  if (element_bytes < 1) {
    result.fail({ErrorCode::element_size, "element_bytes", -1, element_bytes, kInt64Max});
    return result;
  }
  nest.element_bytes = element_bytes;
  if (src.empty()) return result;
  if (from.start(src.offset(), element_bytes) || to.start(dst.offset(), element_bytes)) {
    result.fail({ErrorCode::overflow, "offset in bytes", -1, src.offset(), 0});
    return result;
  }
  nest.run_bytes = element_bytes;
  for (int i = src.rank(); i-- > 0;) {
    const std::int64_t count = src.shape()[i];
    if (count == 1) continue;
    Loop loop{count, src.strides()[i], dst.strides()[i]};
    if (from.widen(count, loop.src_stride_bytes, element_bytes)) {
      result.fail({ErrorCode::overflow, "src strides in bytes", i, src.strides()[i], 0});
      return result;
    }
    if (to.widen(count, loop.dst_stride_bytes, element_bytes)) {
      result.fail({ErrorCode::overflow, "dst strides in bytes", i, dst.strides()[i], 0});
      return result;
    }
    if (loop.dst_stride_bytes < 0) {
      from.turn(count, loop.src_stride_bytes);
      to.turn(count, loop.dst_stride_bytes);
    }
    insert_ordered(nest, loop);
  }
  if (from.finish(element_bytes) || to.finish(element_bytes)) {
    result.fail({ErrorCode::overflow, "offset in bytes", -1, src.offset(), 0});
    return result;
  }
  nest.src_offset_bytes = from.offset;
  nest.dst_offset_bytes = to.offset;
  nest.src_range = {from.lowest, from.highest};
  nest.dst_range = {to.lowest, to.highest};
  // Repeats of one element may add up to more; then all that matters is that it is a lot.
  if (detail::multiply_overflows(src.size(), element_bytes, nest.total_bytes)) {
    nest.total_bytes = kInt64Max;
  }
  merge_loops(nest);
  return result;
}

}  // namespace strided::inline STRIDED_ABI::engine
