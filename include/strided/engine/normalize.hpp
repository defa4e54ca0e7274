// normalize: two layouts of one shape -> the simplest loops over bytes that do the same.
#pragma once

#include <cstdint>

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
      if (loop.src_stride_bytes == inner.src_stride_bytes * inner.count &&
          loop.dst_stride_bytes == inner.dst_stride_bytes * inner.count) {
        inner.count *= loop.count;
        continue;
      }
    }
    nest.loops[--kept] = loop;
  }
  for (int i = kept; i < nest.rank; ++i) nest.loops[i - kept] = nest.loops[i];
  nest.rank -= kept;
}

// Byte arithmetic of one layout; overflow names the axis.
[[nodiscard]] constexpr Failure check_bytes(const Layout& layout, std::int64_t element_bytes,
                                            const char* subject) noexcept {
  std::int64_t product = 0;
  const Bounds bounds = layout.bounds();
  for (int i = 0; i < layout.rank(); ++i) {
    const std::int64_t span = (layout.shape()[i] - 1) * layout.strides()[i];
    if (layout.shape()[i] != 1 && detail::multiply_overflows(span, element_bytes, product)) {
      return Failure{ErrorCode::overflow, subject, i, layout.strides()[i], 0};
    }
  }
  if (detail::multiply_overflows(bounds.lowest, element_bytes, product) ||
      detail::multiply_overflows(bounds.highest, element_bytes, product) ||
      detail::add_overflows(product, element_bytes, product) ||
      detail::multiply_overflows(layout.offset(), element_bytes, product)) {
    return Failure{ErrorCode::overflow, subject, -1, layout.offset(), 0};
  }
  return {};
}

// Errors: shape_mismatch, element_size, overflow. Steps: drop axes of one element, turn every axis
// so that the destination is walked upwards, order by destination stride, and only then merge.
//
//   (4, 6) contiguous to (4, 6) contiguous, 4 bytes: no loop, one run of 96 bytes
[[nodiscard]] constexpr Result<LoopNest> normalize(const Layout& src, const Layout& dst,
                                                   std::int64_t element_bytes) noexcept {
  if (!(src.shape() == dst.shape())) {
    Failure failure{ErrorCode::shape_mismatch, "dst", -1, 0, 0, dst.shape(), src.shape()};
    for (std::size_t i = 0; i < src.shape().size() && src.rank() == dst.rank(); ++i) {
      if (src.shape()[i] == dst.shape()[i]) continue;
      failure.axis = static_cast<std::int64_t>(i);
      break;
    }
    return failure;
  }
  if (element_bytes < 1) {
    return Failure{ErrorCode::element_size, "element_bytes", -1, element_bytes, kInt64Max};
  }
  LoopNest nest;
  nest.element_bytes = element_bytes;
  if (src.empty()) return nest;
  if (Failure failure = check_bytes(src, element_bytes, "src strides")) return failure;
  if (Failure failure = check_bytes(dst, element_bytes, "dst strides")) return failure;
  nest.run_bytes = element_bytes;
  nest.src_offset_bytes = src.offset() * element_bytes;
  nest.dst_offset_bytes = dst.offset() * element_bytes;
  for (int i = src.rank(); i-- > 0;) {
    const std::int64_t count = src.shape()[i];
    if (count == 1) continue;
    Loop loop{count, src.strides()[i] * element_bytes, dst.strides()[i] * element_bytes};
    if (loop.dst_stride_bytes < 0) {
      nest.src_offset_bytes += (count - 1) * loop.src_stride_bytes;
      nest.dst_offset_bytes += (count - 1) * loop.dst_stride_bytes;
      loop.src_stride_bytes = -loop.src_stride_bytes;
      loop.dst_stride_bytes = -loop.dst_stride_bytes;
    }
    insert_ordered(nest, loop);
  }
  merge_loops(nest);
  return nest;
}

}  // namespace strided::inline STRIDED_ABI::engine
