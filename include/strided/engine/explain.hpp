// explain: a plan in words.
#pragma once

#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/engine/plan.hpp"

namespace strided::inline STRIDED_ABI::engine {

[[nodiscard]] inline const char* reason(kernels::Pattern pattern) noexcept {
  switch (pattern) {
    case kernels::Pattern::runs:
      return "both sides are dense for a whole run";
    case kernels::Pattern::strided:
      return "at least one side has gaps or runs backwards";
    case kernels::Pattern::broadcast:
      return "the source stays in place";
    case kernels::Pattern::transpose:
      return "the source is dense along rows, the destination along columns";
  }
  return "";
}

[[nodiscard]] inline std::string explain_loop(const char* name, std::int64_t count,
                                              std::int64_t src_bytes, std::int64_t dst_bytes) {
  return std::string(name) + std::to_string(count) + " times, source stride " +
         std::to_string(src_bytes) + " bytes, destination stride " + std::to_string(dst_bytes) +
         " bytes\n";
}

[[nodiscard]] inline std::string explain(const Plan& plan) {
  const kernels::Block& block = plan.block;
  const LoopNest& nest = plan.nest;
  if (block.run_bytes == 0) return "nothing to move\n";
  std::string text = "moves " + std::to_string(nest.total_bytes()) + " bytes in runs of " +
                     std::to_string(block.run_bytes) + " (elements of " +
                     std::to_string(nest.element_bytes) + ")\n";
  text += std::string("kernel:  ") + plan.kernel.name + ", portable; " +
          (block.rows * block.columns == 1 ? "one run is all there is" : reason(plan.pattern)) +
          "\n";
  for (int i = 0; i < plan.outer_rank; ++i) {
    const Loop& loop = nest.loops[i];
    text += explain_loop("loop:    ", loop.count, loop.src_stride_bytes, loop.dst_stride_bytes);
  }
  text += explain_loop("rows:    ", block.rows, block.src_row_bytes, block.dst_row_bytes);
  return text +
         explain_loop("columns: ", block.columns, block.src_column_bytes, block.dst_column_bytes);
}

}  // namespace strided::inline STRIDED_ABI::engine
