// make_plan: a loop nest -> which two loops the kernel takes, which kernel, and the loops around
// it.
#pragma once

#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/dispatch.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/loop_nest.hpp"

namespace strided::inline STRIDED_ABI::engine {

// The nest with the loops of the kernel's block moved to its end; the first `outer_rank` loops run
// around the block. The kernel is bound once, never per block.
struct Plan {
  LoopNest nest;
  int outer_rank = 0;
  kernels::Block block;
  kernels::Pattern pattern = kernels::Pattern::runs;
  KernelChoice kernel;
};

// The loop along which the source is dense, or -1.
[[nodiscard]] inline int dense_source_loop(const LoopNest& nest) noexcept {
  for (int i = nest.rank; i-- > 0;) {
    if (absolute(nest.loops[i].src_stride_bytes) == nest.run_bytes) return i;
  }
  return -1;
}

// Columns are the innermost loop: the destination is dense there if it is dense anywhere. Rows are
// the loop along which the source is dense, if that is another one (a transpose), else the next.
[[nodiscard]] inline Plan make_plan(const LoopNest& nest) noexcept {
  Plan plan;
  plan.nest = nest;
  kernels::Block& block = plan.block;
  block.run_bytes = nest.run_bytes;
  if (nest.rank == 0) return plan;

  const Loop& columns = nest.loops[nest.rank - 1];
  block.columns = columns.count;
  block.src_column_bytes = columns.src_stride_bytes;
  block.dst_column_bytes = columns.dst_stride_bytes;
  plan.outer_rank = nest.rank > 2 ? nest.rank - 2 : 0;
  const int dense = dense_source_loop(nest);
  const bool crossed = dense >= 0 && dense != nest.rank - 1;
  if (nest.rank > 1) {
    const int row = crossed ? dense : nest.rank - 2;
    const Loop rows = nest.loops[row];
    block.rows = rows.count;
    block.src_row_bytes = rows.src_stride_bytes;
    block.dst_row_bytes = rows.dst_stride_bytes;
    for (int i = row; i < plan.outer_rank; ++i) plan.nest.loops[i] = nest.loops[i + 1];
    plan.nest.loops[plan.outer_rank] = rows;
  }
  const bool still = block.src_row_bytes == 0 && block.src_column_bytes == 0;
  plan.pattern = still     ? kernels::Pattern::broadcast
                 : crossed ? kernels::Pattern::transpose
                           : kernels::Pattern::strided;
  plan.kernel = choose_kernel(plan.pattern, nest.run_bytes);
  return plan;
}

}  // namespace strided::inline STRIDED_ABI::engine
