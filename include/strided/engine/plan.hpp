// make_plan: a loop nest -> which two loops the kernel takes, which kernel, and the loops around
// it.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/engine/cache.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/loop_nest.hpp"

namespace strided::inline STRIDED_ABI::engine {

using kernels::Block;
using kernels::Kernel;
using kernels::KernelSet;
using kernels::Pattern;

// The nest with the loops of the kernel's block moved to its end; the first `outer_rank` loops run
// around the block. The kernel is bound once, never per block.
struct Plan {
  LoopNest nest;
  int outer_rank = 0;
  Block block;
  Pattern pattern = Pattern::runs;
  Kernel kernel = nullptr;
  const KernelSet* kernels = nullptr;
};

// What the kernel takes: the loops that become its rows and columns (-1: none), and why.
struct Choice {
  Pattern pattern = Pattern::runs;
  Kernel kernel = nullptr;
  int rows = -1;
  int columns = -1;  // loops inside it belong to it
};

// The loop other than the innermost along which the source steps by one run, or -1.
[[nodiscard]] constexpr int dense_source_loop(const LoopNest& nest) noexcept {
  for (int i = nest.rank - 1; i-- > 0;) {
    if (absolute(nest.loops[i].src_stride_bytes) == nest.run_bytes) return i;
  }
  return -1;
}

[[nodiscard]] constexpr bool is_weave(std::int64_t k) noexcept {
  return k >= kernels::kMinWeave && k <= kernels::kMaxWeave;
}

// Whether a transpose has so few rows, and no loop that continues them, that elements are faster
// one by one, row by row, than tiles of them.
[[nodiscard]] constexpr bool has_few_rows(const LoopNest& nest, const Loop& rows) noexcept {
  if (rows.count > 3) return false;
  for (int i = 0; i < nest.rank - 1; ++i) {
    if (nest.loops[i].src_stride_bytes == rows.count * rows.src_stride_bytes) return false;
  }
  return true;
}

// Below this, what a kernel does before its first vector costs more than the vectors save.
inline constexpr std::int64_t kTinyBytes = 256;

// The pattern of elements of 1, 2, 4, 8 or 16 bytes. Columns are the innermost loop: the
// destination is dense there if it is dense anywhere.
[[nodiscard]] constexpr Choice choose_for_width(const LoopNest& nest,
                                                const kernels::WidthKernels& width) noexcept {
  const std::int64_t bytes = nest.run_bytes;
  const int last = nest.rank - 1;
  const Loop& columns = nest.loops[last];
  const int dense = dense_source_loop(nest);
  Choice choice{Pattern::strided, width.strided, nest.rank - 2, last};
  const auto take = [&](Pattern pattern, Kernel kernel, int rows) {
    choice = {pattern, kernel, rows, last};
  };
  if (dense >= 0) take(Pattern::blocked, width.blocked, dense);
  const int shift = kernels::width_index(bytes);  // a division would cost as much as all the rest
  if (columns.dst_stride_bytes != bytes) {
    const std::int64_t step = columns.dst_stride_bytes >> shift;
    const bool whole_step = (columns.dst_stride_bytes & (bytes - 1)) == 0;
    constexpr std::int64_t kFewest = 32;  // below, finding the masks costs more than they save
    if (columns.src_stride_bytes == bytes && whole_step && is_weave(step) &&
        columns.count >= kFewest && width.scatter.any != nullptr) {
      take(Pattern::scatter, width.scatter.for_streams(step), nest.rank - 2);
    }
    return choice;
  }

  const std::int64_t step = columns.src_stride_bytes >> shift;  // exact where it is whole
  const std::int64_t square = 16 >> shift;                      // elements of a 16-byte lane
  const bool whole_step = (columns.src_stride_bytes & (bytes - 1)) == 0;
  const Loop* rows = dense >= 0 ? &nest.loops[dense] : nullptr;
  const bool is_tiny = nest.total_bytes < kTinyBytes;
  const bool woven_source = whole_step && is_weave(step) && rows != nullptr &&
                            rows->src_stride_bytes == bytes && rows->count <= step;
  const bool woven_destination = is_weave(columns.count) && rows != nullptr &&
                                 rows->src_stride_bytes == bytes &&
                                 rows->dst_stride_bytes == columns.count * bytes;
  if (is_tiny && dense >= 0) take(Pattern::strided, width.strided, dense);
  if (woven_source && rows->count < square && width.deinterleave.any != nullptr && !is_tiny) {
    take(Pattern::deinterleave, width.deinterleave.for_streams(step), dense);
  } else if (woven_destination && columns.count < square && width.interleave.any != nullptr &&
             !is_tiny) {
    take(Pattern::interleave, width.interleave.for_streams(columns.count), dense);
  } else if (columns.src_stride_bytes == 0) {
    take(Pattern::broadcast, width.broadcast, nest.rank - 2);
  } else if (columns.src_stride_bytes == -bytes) {
    if (width.reverse != nullptr) take(Pattern::reverse, width.reverse, nest.rank - 2);
  } else if (dense >= 0 && width.transpose != nullptr) {
    const bool has_square = rows->count >= square && columns.count >= square;
    const bool is_fast = !is_tiny && !has_few_rows(nest, *rows);
    if (has_square || is_fast) take(Pattern::transpose, width.transpose, dense);
  } else if (dense < 0 && whole_step && is_weave(step) && width.gather.any != nullptr && !is_tiny) {
    take(Pattern::gather, width.gather.for_streams(step), nest.rank - 2);
  }
  return choice;
}

// The smaller of a loop's strides: how close its steps are on the side where they are closer.
[[nodiscard]] constexpr std::int64_t reach_bytes(const Loop& loop) noexcept {
  const std::int64_t src = absolute(loop.src_stride_bytes);
  return src < loop.dst_stride_bytes ? src : loop.dst_stride_bytes;
}

// The loop other than the innermost that has the shortest steps, or -1.
[[nodiscard]] constexpr int closest_loop(const LoopNest& nest) noexcept {
  int closest = nest.rank - 2;
  for (int i = closest; i-- > 0;) {
    if (reach_bytes(nest.loops[i]) < reach_bytes(nest.loops[closest])) closest = i;
  }
  return closest;
}

// The loop that steps from block to block, where the loops inside it make blocks that are dense in
// the destination, follow each other there, and fit a shuffle on both sides; or -1.
[[nodiscard]] constexpr int shuffled_loop(const LoopNest& nest, std::int64_t unit_bytes) noexcept {
  std::int64_t bytes = nest.run_bytes;
  std::int64_t span = bytes;
  // unreachable: nest.rank is at least 1, and the outermost loop returns or breaks
  for (int i = nest.rank - 1; i >= 0 && bytes <= unit_bytes; --i) {
    const Loop& loop = nest.loops[i];
    if (loop.dst_stride_bytes != bytes) break;
    const std::int64_t step = absolute(loop.src_stride_bytes);
    const bool is_whole = loop.count > unit_bytes || loop.count * bytes > unit_bytes ||
                          step > unit_bytes || (loop.count - 1) * step + span > unit_bytes;
    // unreachable: i == 0 but in the whole of a nest, of which more than a unit is asked before
    if (is_whole || i == 0 || nest.loops[i - 1].dst_stride_bytes != bytes * loop.count) {
      // Elements at a step have kernels of their own, and so have runs that stand alone.
      const bool has_blocks = i + 1 < nest.rank;
      const bool has_runs = kernels::width_index(bytes) < 0 && step + span <= unit_bytes;
      const bool has_room = nest.rank - 1 - i <= kernels::kMaxFolds;  // for the loops inside it
      return (has_blocks || has_runs) && has_room && step < kernels::kNear ? i : -1;
    }
    span += (loop.count - 1) * step;
    bytes *= loop.count;
  }
  return -1;
}

// Finding the order of a shuffle costs as much as moving so many bytes without it.
inline constexpr std::int64_t kFewestShuffled = 512;

[[nodiscard]] constexpr Choice choose(const LoopNest& nest, const KernelSet& kernels) noexcept {
  if (kernels.shuffle != nullptr && nest.rank > 0 && nest.total_bytes >= kFewestShuffled) {
    const int columns = shuffled_loop(nest, kernels.shuffle_bytes);
    std::int64_t bytes = 1;
    for (int i = columns > 0 ? columns - 1 : 0; columns >= 0 && i < nest.rank; ++i) {
      bytes *= nest.loops[i].count < kFewestShuffled ? nest.loops[i].count : kFewestShuffled;
    }
    if (columns >= 0 && bytes * nest.run_bytes >= kFewestShuffled) {
      return {Pattern::shuffle, kernels.shuffle, columns - 1, columns};
    }
  }
  const int width = kernels::width_index(nest.run_bytes);
  if (width >= 0 && nest.rank > 0) return choose_for_width(nest, kernels.widths[width]);
  Choice choice{Pattern::runs, kernels.runs, closest_loop(nest), nest.rank - 1};
  if (nest.run_bytes == 1) choice.kernel = kernels.widths[0].strided;  // rank 0: a single byte
  return choice;
}

// The loops around the block, the shortest steps innermost, whichever side they are on: blocks that
// share a line are then done soon after each other.
constexpr void order_outer(LoopNest& nest, int outer_rank) noexcept {
  for (int i = 1; i < outer_rank; ++i) {
    const Loop moving = nest.loops[i];
    int at = i;
    for (; at > 0 && reach_bytes(nest.loops[at - 1]) < reach_bytes(moving); --at) {
      nest.loops[at] = nest.loops[at - 1];
    }
    nest.loops[at] = moving;
  }
}

// Bytes of a transpose's rows and columns up to which more loops are folded into them: several
// whole lines, of which those that a tile shares with its neighbours are few.
inline constexpr std::int64_t kFoldBytes = 512;

// Takes the outer loop that continues `bytes` bytes on one side; false where there is none or no
// more room for it. On the other side the loop becomes a fold.
[[nodiscard]] constexpr bool fold_loop(Plan& plan, std::int64_t Loop::*continued,
                                       std::int64_t Loop::*other, std::int64_t most_bytes,
                                       std::int64_t& bytes, kernels::Fold* folds,
                                       int& count) noexcept {
  LoopNest& nest = plan.nest;
  if (bytes >= most_bytes || count == kernels::kMaxFolds ||
      bytes > kernels::kMaxChained * plan.block.run_bytes) {
    return false;
  }
  for (int i = 0; i < plan.outer_rank; ++i) {
    const Loop loop = nest.loops[i];
    if (loop.*continued != bytes) continue;
    folds[count++] = {loop.count, loop.*other};
    bytes *= loop.count;
    --plan.outer_rank;
    for (int k = i; k < nest.rank - 1; ++k) nest.loops[k] = nest.loops[k + 1];
    nest.loops[nest.rank - 1] = loop;
    return true;
  }
  return false;
}

// Rows and columns of less than a few lines grow by the loops that continue them, the shorter side
// first.
constexpr std::int64_t fold_loops(Plan& plan) noexcept {
  Block& block = plan.block;
  std::int64_t row_bytes = block.rows * block.run_bytes;
  std::int64_t column_bytes = block.columns * block.run_bytes;
  for (bool rows = true, columns = true; rows || columns;) {
    if (rows && (row_bytes <= column_bytes || !columns)) {
      rows = fold_loop(plan, &Loop::src_stride_bytes, &Loop::dst_stride_bytes,
                       block.streaming ? kInt64Max : kFoldBytes, row_bytes, block.row_fold,
                       block.row_folds);
    } else {
      columns = fold_loop(plan, &Loop::dst_stride_bytes, &Loop::src_stride_bytes, kFoldBytes,
                          column_bytes, block.column_fold, block.column_folds);
    }
  }
  return column_bytes;
}

// Stores past the caches pay where they are whole lines: in short rows they mostly are not.
[[nodiscard]] constexpr bool streams_rows(std::int64_t contiguous_bytes) noexcept {
  return contiguous_bytes >= 512 || contiguous_bytes % 64 == 0;
}

// Completes a plan whose nest is as normalize() leaves it. `streaming`: it is, or is a part of,
// more than the caches hold.
inline void choose_kernel(Plan& plan, const KernelSet& kernels, bool streaming) noexcept {
  LoopNest& nest = plan.nest;
  const Choice choice = choose(nest, kernels);
  plan.pattern = choice.pattern;
  plan.kernel = choice.kernel;
  plan.kernels = &kernels;
  Block& block = plan.block;
  block.run_bytes = nest.run_bytes;
  block.streaming = streaming;
  if (choice.columns >= 0) {
    const Loop columns = nest.loops[choice.columns];
    block.columns = columns.count;
    block.src_column_bytes = columns.src_stride_bytes;
    block.dst_column_bytes = columns.dst_stride_bytes;
  }
  if (choice.pattern == Pattern::runs) {
    const bool gathered = block.dst_column_bytes == block.run_bytes;
    block.streaming =
        block.streaming && streams_rows(block.run_bytes * (gathered ? block.columns : 1));
  }
  if (choice.pattern == Pattern::shuffle) {
    for (int i = nest.rank - 1; i > choice.columns; --i) {
      block.column_fold[block.column_folds++] = {nest.loops[i].count,
                                                 nest.loops[i].src_stride_bytes};
    }
    block.streaming = block.streaming && streams_rows(block.columns * block.dst_column_bytes);
  }
  if (choice.rows >= 0) {
    plan.outer_rank = choice.columns - 1;
    Loop rows = nest.loops[choice.rows];
    for (int i = choice.rows; i < plan.outer_rank; ++i) nest.loops[i] = nest.loops[i + 1];
    if (choice.pattern == Pattern::transpose && rows.src_stride_bytes < 0) {  // walk the source up
      turn_loop(nest, rows);
    }
    nest.loops[plan.outer_rank] = rows;
    block.rows = rows.count;
    block.src_row_bytes = rows.src_stride_bytes;
    block.dst_row_bytes = rows.dst_stride_bytes;
    if (choice.pattern == Pattern::transpose) {
      const std::int64_t row_bytes = fold_loops(plan);
      block.streaming = block.streaming && streams_rows(row_bytes);
    }
    order_outer(nest, plan.outer_rank);
  }
}

[[nodiscard]] inline Plan make_plan(const LoopNest& nest, const KernelSet& kernels) noexcept {
  Plan plan;
  plan.nest = nest;
  choose_kernel(plan, kernels, exceeds_caches(nest));
  return plan;
}

}  // namespace strided::inline STRIDED_ABI::engine
