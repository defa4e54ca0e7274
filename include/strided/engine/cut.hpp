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

// After so many steps of so many bytes the place within a line is the same again.
[[nodiscard]] constexpr std::int64_t phases_of(std::int64_t step) noexcept {
  const std::int64_t alike = (step | kernels::kLine) & -(step | kernels::kLine);
  return kernels::kLine / alike;
}

// The outermost loop is cut at any step that begins a line of the destination, and between steps
// where it has few. One inside is cut at step `first` and every `period` steps from there on, which
// begin lines whatever the loops around it; if none does, at any step, and the first line that
// begins within `fringe` steps, elsewhere at each index of the loops around, is where parts meet.
struct Cut {
  std::int64_t parts = 1;
  std::int64_t reach = 0;  // of a share, in bytes
  int loop = 0;
  std::int64_t first = 0;
  std::int64_t period = 1;
  std::int64_t fringe = 0;
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
      cut.reach = outermost_reach(cut);
      // Each part would read a little of every page of the source.
      if (cut.reach < kPageBytes) prefer_inside(cut);
      if (parts < 2 || cut.reach >= least_reach) return cut;
    }
  }

 private:
  static constexpr std::int64_t kMostPhases = kernels::kLine;

  // Takes the loop inside whose shares reach furthest, if further.
  void prefer_inside(Cut& best) const noexcept {
    std::int64_t phases = 1;  // within lines, of the loops around
    for (int i = 1; i < nest_.rank; ++i) {
      const std::int64_t more = phases_of(nest_.loops[i - 1].dst_stride_bytes);
      phases *= more < count_of(i - 1) ? more : count_of(i - 1);
      if (phases > kMostPhases) return;
      const Cut inside = cut_inside(i, best.parts, phases == 1);
      if (inside.reach > best.reach && is_long(inside, phases)) best = inside;
    }
  }
  // Whether parts have two periods each, and are large beside their fringes, which are a few boxes
  // for each phase and read the same lines of the source: four reversed axes of 51, whose shares
  // are a third as many steps as phases, took 1.3 times as long as on one thread.
  [[nodiscard]] bool is_long(const Cut& cut, std::int64_t phases) const noexcept {
    constexpr std::int64_t kFringes = 8;
    const std::int64_t fringes = phases < 2 * kFringes ? kFringes : phases / 2;
    return (count_of(cut.loop) - cut.first) / cut.period >= 2 * cut.parts &&
           count_of(cut.loop) / cut.parts >= fringes * cut.fringe;
  }
  [[nodiscard]] std::int64_t count_of(int i) const noexcept { return nest_.loops[i].count; }
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
  // At steps that begin lines, if those of the loops around do and any of this one does.
  [[nodiscard]] Cut cut_inside(int i, std::int64_t parts, bool around_in_phase) const noexcept {
    const std::int64_t step = nest_.loops[i].dst_stride_bytes;
    Cut cut{parts, reach_of(i, count_of(i) / parts), i, 0, phases_of(step)};
    if (around_in_phase) {
      for (; cut.first < cut.period; ++cut.first) {
        if ((phase_ + cut.first * step) % kernels::kLine == 0) return cut;
      }
    }
    cut.first = 0;
    cut.period = 1;
    cut.fringe = (kernels::kLine + step - 1) / step;
    return cut;
  }

  const LoopNest& nest_;
  std::int64_t phase_;
  bool repeats_ = false;  // the source is read again and again
};

}  // namespace strided::inline STRIDED_ABI::engine
