// execute: runs the loops of a plan around its kernel.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/loop_nest.hpp"
#include "strided/engine/plan.hpp"

namespace strided::inline STRIDED_ABI::engine {

// Calls body(src, dst) for every index of the first `rank` loops, the last one fastest. `src` and
// `dst` are the starts of the storages; the body gets the places at that index.
template <class Source, class Destination, class Body>
constexpr void for_each_index(const LoopNest& nest, int rank, Source* src, Destination* dst,
                              Body&& body) {
  std::int64_t index[kMaxRank];
  for (int i = 0; i < rank; ++i) index[i] = 0;
  src += nest.src_offset_bytes;
  dst += nest.dst_offset_bytes;
  for (;;) {
    body(src, dst);
    int i = rank - 1;
    for (; i >= 0; --i) {  // pointers move only to places that exist
      const Loop& loop = nest.loops[i];
      if (++index[i] < loop.count) {
        src += loop.src_stride_bytes;
        dst += loop.dst_stride_bytes;
        break;
      }
      index[i] = 0;
      src -= (loop.count - 1) * loop.src_stride_bytes;
      dst -= (loop.count - 1) * loop.dst_stride_bytes;
    }
    if (i < 0) return;
  }
}

// Source and destination share no byte; the pointers are the starts of the storages.
inline void execute(const Plan& plan, const std::byte* src, std::byte* dst) noexcept {
  if (plan.block.run_bytes == 0) return;
  if (plan.outer_rank == 0) {
    plan.kernel(src + plan.nest.src_offset_bytes, dst + plan.nest.dst_offset_bytes, plan.block);
  } else {
    for_each_index(plan.nest, plan.outer_rank, src, dst, [&](const std::byte* from, std::byte* to) {
      plan.kernel(from, to, plan.block);
    });
  }
  if (plan.block.streaming) plan.kernels->fence();
}

}  // namespace strided::inline STRIDED_ABI::engine
