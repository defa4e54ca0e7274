// explain: a plan in words.
#pragma once

#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/ways.hpp"
#include "strided/engine/plan.hpp"

namespace strided::inline STRIDED_ABI::engine {

// The name of a pattern, and the property of the strides that led to it.
struct PatternText {
  const char* name;
  const char* reason;
};

[[nodiscard]] constexpr PatternText describe(Pattern pattern) noexcept {
  switch (pattern) {  // unreachable: true, which is a pattern that has no name
    case Pattern::runs:
      return {"runs", "both sides are dense for a whole run"};
    case Pattern::strided:
      return {"strided", "no dense side to exploit"};
    case Pattern::broadcast:
      return {"broadcast", "the source stays in place, the destination is dense"};
    case Pattern::reverse:
      return {"reverse", "the source runs backwards, the destination is dense"};
    case Pattern::transpose:
      return {"transpose", "the source is dense along rows, the destination along columns"};
    case Pattern::blocked:
      return {"blocked", "the source is dense along rows, the destination nowhere"};
    case Pattern::gather:
      return {"gather", "the source has a small step, the destination is dense"};
    // unreachable: this machine may have no masked stores
    case Pattern::scatter:
      // unreachable: this machine may have no masked stores
      return {"scatter", "the source is dense, the destination has a small step"};
    case Pattern::deinterleave:
      return {"deinterleave", "the source weaves a few streams, which are rows of the destination"};
    case Pattern::interleave:
      return {"interleave",
              "the destination weaves a few streams, which are columns of the source"};
    case Pattern::shuffle:
      return {"shuffle",
              "a few bytes of the source are dense in the destination, in another order"};
  }
  return {"", ""};
}

// "256 columns by 256 bytes"
[[nodiscard]] inline std::string by_bytes(std::int64_t columns, std::int64_t bytes) {
  return std::to_string(columns) + " columns by " + std::to_string(bytes) + " bytes";
}

// What a transpose turns at a time, and the property of its rows and columns that led to it.
[[nodiscard]] inline std::string explain_transpose(const kernels::Block& block,
                                                   std::int64_t register_bytes) {
  using kernels::kLine, kernels::TransposeWay;
  const std::int64_t width = block.run_bytes;
  const auto columns_of = [&](std::int64_t lines) { return lines * kLine / width; };
  const std::string staged =
      by_bytes(kernels::staged_columns(width), kernels::staged_column_bytes(width)) +
      ", by way of a stage";
  switch (kernels::transpose_way(block, width, register_bytes, 0)) {
    case TransposeWay::one_tile:
      return by_bytes(block.columns, block.rows * width) + "; that is all";
    case TransposeWay::tiles:
      return by_bytes(columns_of(1), kLine) + "; rows and columns keep apart in the caches";
    case TransposeWay::folded_tiles:
      return by_bytes(columns_of(2), kLine) + ", whatever loops they are of";
    case TransposeWay::staged_tiles:
      return staged + "; rows or columns fall on one place of the first cache";
    case TransposeWay::streams:
      return by_bytes(columns_of(kernels::streamed_lines(width)), block.rows * width) +
             "; columns are long streams, apart from each other";
    case TransposeWay::close_streams:
      return by_bytes(columns_of(kernels::kCloseLines), block.rows * width) +
             "; columns are close to each other";
    case TransposeWay::past_tiles:
      return staged + (block.dst_row_bytes % kLine != 0
                           ? ", unfinished lines wait; rows lie differently to the lines"
                           : "; no streams: short, folded or on one place of the caches");
  }
  return {};
}

// What the kernel moves at a time, and why.
[[nodiscard]] inline std::string explain_tile(const Plan& plan) {
  const kernels::Block& block = plan.block;
  const std::string registers = std::to_string(plan.kernels->register_bytes) + "-byte registers";
  switch (plan.pattern) {
    case Pattern::transpose:
      return explain_transpose(block, plan.kernels->register_bytes);
    case Pattern::blocked:
      return by_bytes(kernels::blocked_columns(block.rows, block.run_bytes), kernels::kLine) +
             "; a line of the source is used up while it is there";
    case Pattern::runs:
      if (plan.kernels->register_bytes == 0) return "one run";
      if (kernels::gathers_runs(block, 0)) return "runs gathered to whole lines";
      if (const std::int64_t columns = kernels::columns_at_once(block, 0);
          columns < block.columns) {
        return std::to_string(columns) + (columns == 1 ? " column" : " columns") +
               " of all rows; rows are closer in the source than columns";
      }
      return "one run";
    case Pattern::shuffle:
      return std::to_string(plan.kernels->shuffle_bytes) + " bytes, by one shuffle";
    case Pattern::gather:
    // unreachable: this machine may have no masked stores
    case Pattern::scatter:
    case Pattern::deinterleave:
    case Pattern::interleave:
      return "as many " + registers + " as the step has elements";
    case Pattern::reverse:
      return "one of the " + registers;
    case Pattern::broadcast:
      return plan.kernels->register_bytes == 0 ? "one element" : "one of the " + registers;
    case Pattern::strided:
      return "four elements, all under way at once";
  }
  return {};
}

[[nodiscard]] inline std::string explain_loop(const char* name, std::int64_t count,
                                              std::int64_t src_bytes, std::int64_t dst_bytes) {
  return std::string(name) + std::to_string(count) + " times, source stride " +
         std::to_string(src_bytes) + " bytes, destination stride " + std::to_string(dst_bytes) +
         " bytes\n";
}

[[nodiscard]] inline std::string explain_fold(const char* name, const kernels::Fold& fold,
                                              const char* side) {
  return std::string(name) + std::to_string(fold.count) + " times folded in, " + side + " stride " +
         std::to_string(fold.stride_bytes) + " bytes\n";
}

[[nodiscard]] inline std::string explain(const Plan& plan) {
  const kernels::Block& block = plan.block;
  const LoopNest& nest = plan.nest;
  if (block.run_bytes == 0) return "nothing to move\n";
  std::string text = "moves ";
  text.append(std::to_string(nest.total_bytes)).append(" bytes in runs of ");
  text.append(std::to_string(block.run_bytes)).append(" (elements of ");
  text.append(std::to_string(nest.element_bytes)).append(")\n");
  const PatternText pattern = describe(plan.pattern);
  text += std::string("kernel:  ") + pattern.name + ", " + plan.kernels->name + "; " +
          (nest.rank == 0 ? "one run is all there is" : pattern.reason) + "\n";
  text += "tile:    " + explain_tile(plan) + "\n";
  text += block.streaming ? "stores:  past the caches, both sides together exceed them\n"
                          : "stores:  through the caches\n";
  for (int i = 0; i < plan.outer_rank; ++i) {
    const Loop& loop = nest.loops[i];
    text += explain_loop("loop:    ", loop.count, loop.src_stride_bytes, loop.dst_stride_bytes);
  }
  text += explain_loop("rows:    ", block.rows, block.src_row_bytes, block.dst_row_bytes);
  for (int i = 0; i < block.row_folds; ++i) {
    text += explain_fold("  and    ", block.row_fold[i], "destination");
  }
  text += explain_loop("columns: ", block.columns, block.src_column_bytes, block.dst_column_bytes);
  for (int i = 0; i < block.column_folds; ++i) {
    text += explain_fold("  and    ", block.column_fold[i], "source");
  }
  return text;
}

}  // namespace strided::inline STRIDED_ABI::engine
