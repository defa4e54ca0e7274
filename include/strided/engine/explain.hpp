// explain: a plan in words.
#pragma once

#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/engine/plan.hpp"

namespace strided::inline STRIDED_ABI::engine {

// The name of a pattern, and the property of the strides that led to it.
struct PatternText {
  const char* name;
  const char* reason;
};

[[nodiscard]] constexpr PatternText describe(Pattern pattern) noexcept {
  switch (pattern) {
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
    case Pattern::scatter:
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
