// Copies whose source and destination may share bytes: the answer is always as if the source had
// been read completely first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "strided/core/config.hpp"
#include "strided/core/failure.hpp"
#include "strided/core/rules.hpp"
#include "strided/engine/loop_nest.hpp"
#include "strided/engine/parts.hpp"
#include "strided/engine/plan.hpp"
#include "strided/engine/temporary.hpp"
#include "strided/view/footprint.hpp"

namespace strided::inline STRIDED_ABI::engine {

// What one side of the nest touches; the bytes of an element are not listed.
[[nodiscard]] constexpr detail::Footprint footprint(const LoopNest& nest,
                                                    std::int64_t Loop::*stride) noexcept {
  detail::Footprint touched;
  touched.add(nest.run_bytes / nest.element_bytes, nest.element_bytes);
  for (int i = 0; i < nest.rank; ++i) touched.add(nest.loops[i].count, nest.loops[i].*stride);
  return touched;
}

// Whether a source and a destination byte are the same. To be sure may take maps of more bytes than
// are copied; where that is not wanted the answer is unknown instead.
[[nodiscard]] inline detail::Found sides_meet(const LoopNest& nest, const std::byte* src,
                                              const std::byte* dst, bool to_be_sure) noexcept {
  constexpr std::int64_t kMost = detail::kMaxMappedPositions;
  constexpr std::int64_t kOfAByte = 8;  // positions in a byte of a map
  const bool is_small = !to_be_sure && nest.total_bytes < kMost / kOfAByte;
  std::int64_t distance = shift_bytes(nest, src, dst);
  for (int i = 0; i < nest.rank; ++i) {  // from lowest to lowest, as footprints are counted
    const Loop& loop = nest.loops[i];
    if (loop.src_stride_bytes < 0) distance -= (loop.count - 1) * loop.src_stride_bytes;
  }
  return detail::footprints_meet(
      footprint(nest, &Loop::src_stride_bytes), footprint(nest, &Loop::dst_stride_bytes), distance,
      nest.element_bytes, is_small ? nest.total_bytes * kOfAByte : kMost);
}

// Equal strides at a shift, in nested order: every run is read before a write reaches it, if the
// destination is walked away from the source.
inline void copy_shifted(const LoopNest& nest, std::int64_t shift, const std::byte* src,
                         std::byte* dst) noexcept {
  LoopNest walk = nest;
  if (shift > 0) {  // the destination lies above: from the last run down
    for (int i = 0; i < walk.rank; ++i) turn_loop(walk, walk.loops[i]);
  }
  const auto run_bytes = static_cast<std::size_t>(walk.run_bytes);
  for_each_index(walk, walk.rank, src, dst,
                 [&](const std::byte* from, std::byte* to) { std::memmove(to, from, run_bytes); });
}

// Source -> dense temporary -> destination, all loops in the destination's order.
[[nodiscard]] inline Failure copy_through_temporary(const LoopNest& nest, const std::byte* src,
                                                    std::byte* dst, const KernelSet& kernels,
                                                    const ExecutorRef& executor) noexcept {
  const std::int64_t total = nest.total_bytes;
  const Temporary temporary(total);
  if (temporary.data() == nullptr) return no_temporary(total);
  LoopNest reading = nest;
  LoopNest writing = nest;
  reading.dst_offset_bytes = 0;
  writing.src_offset_bytes = 0;
  std::int64_t dense = nest.run_bytes;
  for (int i = nest.rank; i-- > 0;) {
    reading.loops[i].dst_stride_bytes = dense;
    writing.loops[i].src_stride_bytes = dense;
    dense *= nest.loops[i].count;
  }
  execute_parts(make_plan(reading, kernels), src, temporary.data(), executor);
  execute_parts(make_plan(writing, kernels), temporary.data(), dst, executor);
  return {};
}

// For storages whose spans meet. Errors, all before the first write: broken_promise (debug builds),
// temporary_forbidden, out_of_memory.
[[nodiscard]] inline Failure copy_overlapping(const Plan& plan, const std::byte* src,
                                              std::byte* dst, const CopyOptions& options) noexcept {
  const LoopNest nest = in_address_order(plan.nest);
  const std::int64_t shift = shift_bytes(nest, src, dst);
  const bool shifted = same_strides(nest);
  if (shifted && shift == 0) return {};  // every element onto itself
  // A temporary costs no more than to be sure that none is needed.
  const detail::Found meet =
      sides_meet(nest, src, dst, !options.allow_temporary || options.assume_disjoint);
  if (written_as_read(meet, options)) {
    execute_parts(plan, src, dst, options.executor);
    return {};
  }
  if (!options.assume_disjoint && shifted && footprint(nest, &Loop::dst_stride_bytes).is_nested()) {
    copy_shifted(nest, shift, src, dst);
    return {};
  }
  if (Failure failure = check_temporary(nest.total_bytes, meet, options)) return failure;
  return copy_through_temporary(nest, src, dst, *plan.kernels, options.executor);
}

}  // namespace strided::inline STRIDED_ABI::engine
