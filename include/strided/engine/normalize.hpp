// normalize: two layouts of one shape -> the simplest loops over bytes that do the same.
#pragma once

#include <cstdint>
#include <limits>
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
  if (kept == 0) return;
  for (int i = kept; i < nest.rank; ++i) nest.loops[i - kept] = nest.loops[i];
  nest.rank -= kept;
}

// One side of a copy while its loops are collected, in elements: what a Layout holds fits 64 bits.
struct Side {
  std::int64_t offset;
  std::int64_t lowest;
  std::int64_t highest;

  constexpr explicit Side(const Layout& layout) noexcept
      : offset(layout.offset()), lowest(offset), highest(offset) {}

  constexpr void widen(std::int64_t reach) noexcept {
    lowest += reach < 0 ? reach : 0;
    highest += reach < 0 ? 0 : reach;
  }
  // What is in bytes here: the first place, and the range to behind the last. True if one of them,
  // or the distance between any two places, does not fit.
  [[nodiscard]] constexpr bool to_bytes(std::int64_t element_bytes, std::int64_t& first,
                                        ByteRange& range) const noexcept {
    std::int64_t span = 0;
    std::int64_t last = 0;
    const bool overflows = detail::multiply_overflows(lowest, element_bytes, range.lowest) ||
                           detail::multiply_overflows(highest, element_bytes, last) ||
                           detail::multiply_overflows(highest - lowest, element_bytes, span) ||
                           detail::add_overflows(span, element_bytes, span) ||
                           detail::add_overflows(last, element_bytes, range.end);
    first = overflows ? 0 : offset * element_bytes;
    return overflows;
  }
};

// The axis with which bytes no longer fit 64 bits, the last ones first, or the offset where it does
// not alone; the width of the elements where it is out of all proportion.
[[nodiscard]] constexpr Failure overflow_failure(const Layout& layout, const char* strides,
                                                 std::int64_t element_bytes) noexcept {
  if (element_bytes > std::numeric_limits<std::int32_t>::max()) {
    return {ErrorCode::overflow, "element_bytes", -1, element_bytes, 0};
  }
  Failure failure{ErrorCode::overflow, "offset", -1, layout.offset(), kInt64Max};
  failure.against = "in bytes an offset with it";
  Side side(layout);
  std::int64_t first = 0;
  ByteRange range{};
  for (int i = layout.rank(); i-- > 0 && !side.to_bytes(element_bytes, first, range);) {
    failure.subject = strides;
    failure.axis = i;
    failure.value = layout.strides()[i];
    side.widen((layout.shape()[i] - 1) * layout.strides()[i]);
  }
  return failure;
}

// Fills an untouched nest. Errors: shape_mismatch, element_size, overflow. Steps: drop axes of one
// element, turn every axis so that the destination is walked upwards, order by destination stride,
// and only then merge.
//
//   (4, 6) contiguous to (4, 6) contiguous, 4 bytes: no loop, one run of 96 bytes
[[nodiscard]] constexpr Failure normalize_into(LoopNest& nest, const Layout& src, const Layout& dst,
                                               std::int64_t element_bytes) noexcept {
  if (!(src.shape() == dst.shape())) {
    return detail::shape_mismatch("dst", dst.shape(), src.shape());
  }
  if (element_bytes < 1) {
    return {ErrorCode::element_size, "element_bytes", -1, element_bytes, kInt64Max};
  }
  nest.element_bytes = element_bytes;
  if (src.empty()) return {};
  Side from(src);
  Side to(dst);
  for (int i = 0; i < src.rank(); ++i) {  // outermost first: mostly in order already
    const std::int64_t count = src.shape()[i];
    if (count == 1) continue;
    Loop loop{count, src.strides()[i], dst.strides()[i]};
    const std::int64_t src_reach = (count - 1) * loop.src_stride_bytes;
    const std::int64_t dst_reach = (count - 1) * loop.dst_stride_bytes;
    from.widen(src_reach);
    to.widen(dst_reach);
    if (dst_reach < 0) {  // start at the other end
      from.offset += src_reach;
      to.offset += dst_reach;
      loop.src_stride_bytes = -loop.src_stride_bytes;
      loop.dst_stride_bytes = -loop.dst_stride_bytes;
    }
    insert_ordered(nest, loop);
  }
  if (from.to_bytes(element_bytes, nest.src_offset_bytes, nest.src_range)) {
    return overflow_failure(src, "src strides", element_bytes);
  }
  if (to.to_bytes(element_bytes, nest.dst_offset_bytes, nest.dst_range)) {
    return overflow_failure(dst, "dst strides", element_bytes);
  }
  for (int i = 0; i < nest.rank; ++i) {
    nest.loops[i].src_stride_bytes *= element_bytes;
    nest.loops[i].dst_stride_bytes *= element_bytes;
  }
  nest.run_bytes = element_bytes;
  // Repeats of one element may add up to more; then all that matters is that it is a lot.
  if (detail::multiply_overflows(src.size(), element_bytes, nest.total_bytes)) {
    nest.total_bytes = kInt64Max;
  }
  merge_loops(nest);
  return {};
}

// The same, as a value.
[[nodiscard]] constexpr Result<LoopNest> normalize(const Layout& src, const Layout& dst,
                                                   std::int64_t element_bytes) noexcept {
  Result<LoopNest> result{std::in_place};
  if (Failure failure = normalize_into(*result, src, dst, element_bytes)) result.fail(failure);
  return result;
}

// The nest of a plan as normalize() left it: every destination stride at least 0, the largest
// outermost. A plan may turn a loop around and move it.
[[nodiscard]] constexpr LoopNest in_address_order(const LoopNest& nest) noexcept {
  LoopNest ordered = nest;
  ordered.rank = 0;
  for (int i = nest.rank; i-- > 0;) {
    Loop loop = nest.loops[i];
    if (loop.dst_stride_bytes < 0) turn_loop(ordered, loop);
    insert_ordered(ordered, loop);
  }
  return ordered;
}

}  // namespace strided::inline STRIDED_ABI::engine
