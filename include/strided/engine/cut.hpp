// Where a nest is cut for several threads: along which loop, and into how many parts.
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/engine/kernels/ways.hpp"
#include "strided/engine/loop_nest.hpp"

namespace strided::inline STRIDED_ABI::engine {

inline constexpr std::int64_t kPageBytes = 4096;

// Parts that would reach less far are fewer instead, or one: each would read most lines of the
// source and use little of them. Past the caches memory sets the pace, and less is enough.
[[nodiscard]] constexpr std::int64_t least_reach(const LoopNest& nest, bool past_caches) noexcept {
  if (nest.run_bytes >= kernels::kLine) return 0;
  return (past_caches ? 4 : 8) * kernels::kLine;
}

// The outermost loop is cut at any step that begins a line of the destination, and between steps
// where it has few; one inside at step `first` and every `period` steps from there on, the same
// whatever the loops around it.
struct Cut {
  std::int64_t parts = 1;
  int loop = 0;
  std::int64_t first = 0;
  std::int64_t period = 1;
  int level = 0;  // the loop at whose steps parts of the outermost begin, if lines do
};

// Finds the cut of a nest whose destination begins `phase` bytes past a line.
class CutFinder {
 public:
  CutFinder(const LoopNest& nest, std::int64_t phase) noexcept : nest_(nest), phase_(phase) {
    for (int i = 0; i < nest.rank; ++i) repeats_ = repeats_ || nest.loops[i].src_stride_bytes == 0;
  }

  // Into as many parts as are wanted, or fewer that reach so far.
  [[nodiscard]] Cut find(std::int64_t wanted, std::int64_t least_reach) const noexcept {
    for (std::int64_t parts = wanted;; parts = parts == 2 ? 1 : (parts + 1) / 2) {
      Cut cut = outermost(parts);
      std::int64_t reach = outermost_reach(cut);
      if (reach < kPageBytes) {  // each part would read a little of every page of the source
        for (int i = 1; i < nest_.rank && steps_by_lines(i - 1); ++i) {
          const Cut inside = cut_inside(i, parts);
          const bool is_long = (count_of(i) - inside.first) / inside.period >= 2 * parts;
          const std::int64_t reach_inside = reach_of(i, count_of(i) / parts);
          if (inside.first == inside.period || !is_long || reach_inside <= reach) continue;
          cut = inside;
          reach = reach_inside;
        }
      }
      if (parts < 2 || reach >= least_reach) return cut;
    }
  }

 private:
  [[nodiscard]] std::int64_t count_of(int i) const noexcept { return nest_.loops[i].count; }
  [[nodiscard]] bool steps_by_lines(int i) const noexcept {
    return nest_.loops[i].dst_stride_bytes % kernels::kLine == 0;
  }
  // How far so many steps of a loop reach, on the side where that is less; a source that is read
  // again and again is small.
  [[nodiscard]] std::int64_t reach_of(int i, std::int64_t steps) const noexcept {
    const std::int64_t src = absolute(nest_.loops[i].src_stride_bytes);
    const std::int64_t dst = nest_.loops[i].dst_stride_bytes;
    return (src < dst && !repeats_ ? src : dst) * steps;
  }
  // Every part gets four steps or more of the loop at `level`.
  [[nodiscard]] Cut outermost(std::int64_t parts) const noexcept {
    Cut cut;
    cut.parts = parts;
    for (std::int64_t steps = 1; cut.level < nest_.rank; ++cut.level) {
      steps *= count_of(cut.level);
      if (steps / 4 >= parts) break;
    }
    return cut;
  }
  // The least of all loops that its parts have a share of.
  [[nodiscard]] std::int64_t outermost_reach(const Cut& cut) const noexcept {
    std::int64_t least = kInt64Max;
    std::int64_t steps = 1;
    for (int i = 0; i <= cut.level && i < nest_.rank; ++i) {
      steps *= count_of(i);
      const std::int64_t share = steps < cut.parts ? 1 : steps / cut.parts;
      if (share >= count_of(i)) break;
      const std::int64_t reach = reach_of(i, share);
      if (reach < least) least = reach;
    }
    return least;
  }
  // Steps of a loop inside that begin a line; none does where `first` is `period`.
  [[nodiscard]] Cut cut_inside(int i, std::int64_t parts) const noexcept {
    const std::int64_t step = nest_.loops[i].dst_stride_bytes;
    const std::int64_t alike = (step | kernels::kLine) & -(step | kernels::kLine);
    Cut cut{parts, i, 0, kernels::kLine / alike};
    while (cut.first < cut.period && (phase_ + cut.first * step) % kernels::kLine != 0) ++cut.first;
    return cut;
  }

  const LoopNest& nest_;
  std::int64_t phase_;
  bool repeats_ = false;  // the source is read again and again
};

}  // namespace strided::inline STRIDED_ABI::engine
