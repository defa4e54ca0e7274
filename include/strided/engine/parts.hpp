// Parts of a copy: a nest cut into pieces that write to different cache lines, so that threads can
// run them at the same time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/executor.hpp"
#include "strided/engine/cache.hpp"
#include "strided/engine/cut.hpp"
#include "strided/engine/execute.hpp"
#include "strided/engine/kernels/ways.hpp"
#include "strided/engine/loop_nest.hpp"
#include "strided/engine/normalize.hpp"
#include "strided/engine/plan.hpp"

namespace strided::inline STRIDED_ABI::engine {

// So many for each worker: one that is held up leaves a share to the others. With four, blocks too
// small for staged tiles remained of transposes of 2 MiB, which took 1.5 times as long.
inline constexpr std::int64_t kPartsPerWorker = 2;

// A nest as normalize() leaves it, cut where lines of its destination begin. Destination strides
// descend and are nested, so that the order of the addresses is that of the indices: a part is all
// that lies between two addresses, and comes as a few boxes, which are nests themselves. Or a loop
// inside is cut, and the loops around it are whole: a part is then a box, and where no step begins
// a line, fringes of less than a line at each index of the loops around.
class Parts {
 public:
  // For a destination whose storage begins at this address. One part where strides interleave.
  Parts(const LoopNest& nest, const std::byte* dst, std::int64_t wanted,
        std::int64_t least_reach) noexcept
      : nest_(nest),
        phase_(static_cast<std::int64_t>((reinterpret_cast<std::uintptr_t>(dst) +
                                          static_cast<std::uintptr_t>(nest.dst_offset_bytes)) %
                                         static_cast<std::uintptr_t>(kernels::kLine))),
        cut_(CutFinder(nest, phase_).find(is_nested_destination(nest) ? wanted : 1, least_reach)) {
    inside_bytes_[nest.rank] = 1;
    std::int64_t bytes = nest.run_bytes;
    for (int i = nest.rank; i-- > 0;) {
      inside_bytes_[i] = bytes;
      bytes += (nest.loops[i].count - 1) * nest.loops[i].dst_stride_bytes;
    }
    span_bytes_ = bytes;
  }

  [[nodiscard]] std::int64_t count() const noexcept { return cut_.parts; }

  // Whether other parts write the rows before and behind those of one.
  [[nodiscard]] bool are_rows() const noexcept { return cut_.loop == 0; }

  // Calls body(nest) for every box of one part; there is none where lines leave nothing for it.
  template <class Body>
  void for_each_box(std::int64_t index, Body&& body) const {
    if (cut_.loop > 0) return for_each_share(index, body);
    boxes_between(nest_, boundary(index), boundary(index + 1), body);
  }

 private:
  // An index of every loop, and last a byte of the run.
  struct Place {
    std::int64_t digit[kMaxRank + 1];
  };

  // Where the share of part `index` begins.
  [[nodiscard]] std::int64_t share_of(std::int64_t whole, std::int64_t index) const noexcept {
    return whole / cut_.parts * index + whole % cut_.parts * index / cut_.parts;
  }
  // Boxes of a part of a loop inside. What comes before the first line shares one with the last
  // steps, and is the last part's as well.
  template <class Body>
  void for_each_share(std::int64_t index, Body&& body) const {
    const std::int64_t count = nest_.loops[cut_.loop].count;
    const std::int64_t periods = (count - cut_.first) / cut_.period;
    const auto begin = [&](std::int64_t part) {
      return cut_.first + share_of(periods, part) * cut_.period;
    };
    const bool is_last = index + 1 == cut_.parts;
    const std::int64_t end = is_last ? count : begin(index + 1);
    if (is_last) visit_box(nest_, Place{}, cut_.loop, 0, cut_.first, body);
    visit_box(nest_, Place{}, cut_.loop, begin(index) + cut_.fringe, end, body);
    if (cut_.fringe == 0) return;
    for_each_phase([&](const LoopNest& alike) {
      const Place own = step_at(begin(index));
      const Place next = step_at(is_last ? 0 : end);
      boxes_between(alike, line_from(alike, own), step_at(begin(index) + cut_.fringe), body);
      boxes_between(alike, next, line_from(alike, next), body);
    });
  }
  // Calls body(nest) with the indices of the loops around that begin alike within lines, all of
  // one phase at a time.
  template <class Body>
  void for_each_phase(Body&& body) const {
    Place place{};
    for (;;) {
      LoopNest alike = nest_;
      for (int k = 0; k < cut_.loop; ++k) {
        Loop& loop = alike.loops[k];
        alike.src_offset_bytes += place.digit[k] * loop.src_stride_bytes;
        alike.dst_offset_bytes += place.digit[k] * loop.dst_stride_bytes;
        const std::int64_t phases = phases_of(loop.dst_stride_bytes);
        loop.count = (loop.count - place.digit[k] + phases - 1) / phases;
        if (loop.count == 1) continue;
        loop.src_stride_bytes *= phases;
        loop.dst_stride_bytes *= phases;
      }
      body(alike);
      int k = cut_.loop - 1;
      for (; k >= 0; --k) {
        const std::int64_t phases = phases_of(nest_.loops[k].dst_stride_bytes);
        if (++place.digit[k] < phases && place.digit[k] < nest_.loops[k].count) break;
        place.digit[k] = 0;
      }
      if (k < 0) return;
    }
  }
  [[nodiscard]] Place step_at(std::int64_t step) const noexcept {
    Place place{};
    place.digit[cut_.loop] = step;
    return place;
  }
  // The first line that begins at a place or behind it.
  [[nodiscard]] Place line_from(const LoopNest& nest, const Place& place) const noexcept {
    const std::int64_t offset = offset_of(place);
    const std::int64_t past =
        (phase_ + nest.dst_offset_bytes - nest_.dst_offset_bytes + offset) % kernels::kLine;
    return place_at(past == 0 ? offset : offset + kernels::kLine - past);
  }
  // The rest of what `first` is in, loop by loop outwards; whole steps; the beginning of what `end`
  // is in, loop by loop inwards.
  template <class Body>
  void boxes_between(const LoopNest& nest, const Place& first, const Place& end,
                     Body&& body) const {
    int split = cut_.loop;
    while (split <= nest.rank && first.digit[split] == end.digit[split]) ++split;
    if (split > nest.rank) return;
    bool at_start = true;  // nothing of the loops inside comes before `first`
    for (int i = nest.rank; i > split; --i) {
      const std::int64_t from = first.digit[i] + (at_start ? 0 : 1);
      at_start = at_start && from == 0;
      if (!at_start) visit_box(nest, first, i, from, count_of(i), body);
    }
    const std::int64_t from = first.digit[split] + (at_start ? 0 : 1);
    visit_box(nest, first, split, from, end.digit[split], body);
    for (int i = split + 1; i <= nest.rank; ++i) visit_box(nest, end, i, 0, end.digit[i], body);
  }
  [[nodiscard]] std::int64_t count_of(int i) const noexcept {
    return i == nest_.rank ? nest_.run_bytes : nest_.loops[i].count;
  }
  [[nodiscard]] std::int64_t offset_of(const Place& place) const noexcept {
    std::int64_t offset = place.digit[nest_.rank];
    for (int i = 0; i < nest_.rank; ++i) offset += place.digit[i] * nest_.loops[i].dst_stride_bytes;
    return offset;
  }
  // The byte at an offset; in a gap, the end of the run before it, where no byte is left.
  [[nodiscard]] Place place_at(std::int64_t offset) const noexcept {
    Place place{};
    for (int i = cut_.loop; i < nest_.rank; ++i) {
      const Loop& loop = nest_.loops[i];
      const std::int64_t step = offset / loop.dst_stride_bytes;
      place.digit[i] = step < loop.count ? step : loop.count - 1;
      offset -= place.digit[i] * loop.dst_stride_bytes;
    }
    place.digit[nest_.rank] = offset < nest_.run_bytes ? offset : nest_.run_bytes;
    return place;
  }
  [[nodiscard]] std::int64_t line_at(std::int64_t offset) const noexcept {
    return (phase_ + offset) / kernels::kLine;
  }
  // Whether this step of a loop begins a line, or is in another one than the step before it ends
  // in.
  [[nodiscard]] bool begins_line(std::int64_t offset, int i, std::int64_t step) const noexcept {
    if ((phase_ + offset) % kernels::kLine == 0) return true;
    if (step == 0) return false;
    const std::int64_t before = offset - nest_.loops[i].dst_stride_bytes;
    return line_at(before + inside_bytes_[i] - 1) < line_at(offset);
  }
  // Where part `index` begins: near its share of the destination, with a step of the outermost loop
  // that has many, if one of the next begins a line there; else with any byte that does.
  [[nodiscard]] Place boundary(std::int64_t index) const noexcept {
    if (index == 0) return Place{};
    if (index == cut_.parts) {
      Place end{};
      end.digit[0] = count_of(0);
      return end;
    }
    Place place = place_at(share_of(span_bytes_, index));
    for (int i = cut_.level + 1; i <= nest_.rank; ++i) place.digit[i] = 0;
    const std::int64_t wanted = offset_of(place);
    if (cut_.level < nest_.rank) {
      constexpr int kPhases = 64;  // of a step within a line; then they repeat
      const std::int64_t step = nest_.loops[cut_.level].dst_stride_bytes;
      const std::int64_t first = place.digit[cut_.level];
      for (int k = 0; k < kPhases && first + k < count_of(cut_.level); ++k) {
        if (!begins_line(wanted + k * step, cut_.level, first + k)) continue;
        place.digit[cut_.level] = first + k;
        return place;
      }
    }
    return line_from(nest_, place);
  }
  // Steps [from, end) of loop i, all of those inside it and of those around the loop that is cut,
  // at the place's index of those between.
  template <class Body>
  void visit_box(const LoopNest& nest, const Place& place, int i, std::int64_t from,
                 std::int64_t end, Body&& body) const {
    if (from >= end) return;
    LoopNest box = nest;
    for (int k = cut_.loop; k < i; ++k) {
      box.src_offset_bytes += place.digit[k] * nest.loops[k].src_stride_bytes;
      box.dst_offset_bytes += place.digit[k] * nest.loops[k].dst_stride_bytes;
    }
    const bool is_run = i == nest.rank;
    box.src_offset_bytes += from * (is_run ? 1 : nest.loops[i].src_stride_bytes);
    box.dst_offset_bytes += from * (is_run ? 1 : nest.loops[i].dst_stride_bytes);
    if (is_run) box.run_bytes = end - from;
    box.rank = 0;
    box.total_bytes = box.run_bytes;
    for (int k = 0; k < nest.rank; ++k) {
      if (cut_.loop <= k && k < i) continue;
      Loop loop = nest.loops[k];
      if (k == i) loop.count = end - from;
      if (loop.count > 1) box.loops[box.rank++] = loop;
      box.total_bytes *= loop.count;
    }
    body(box);
  }

  LoopNest nest_;
  std::int64_t phase_;       // of the first byte in its line
  std::int64_t span_bytes_;  // of the destination, gaps included
  Cut cut_;
  std::int64_t inside_bytes_[kMaxRank + 1];  // from first to behind last that a step reaches
};

// How many parts a copy of so many bytes is worth to an executor: as many for each worker, or some
// would wait for the others.
[[nodiscard]] inline std::int64_t parts_wanted(std::int64_t total_bytes,
                                               const ExecutorRef& executor) {
  const std::int64_t workers = executor.workers();
  const std::int64_t worth = total_bytes / executor.least_task_bytes();
  if (workers < 2 || worth < 2) return 1;
  const std::int64_t most =
      workers < kInt64Max / kPartsPerWorker ? workers * kPartsPerWorker : worth;
  const std::int64_t parts = worth < most ? worth : most;
  return parts < workers ? parts : parts - parts % workers;
}

// The parts of a plan, by the workers of an executor; false if it is not worth cutting, or if the
// executor did not run all of them, as one that was cancelled.
[[nodiscard]] inline bool run_parts(const Plan& plan, const std::byte* src, std::byte* dst,
                                    const ExecutorRef& executor) {
  const std::int64_t wanted = parts_wanted(plan.nest.total_bytes, executor);
  if (wanted < 2) return false;
  const bool streaming = exceeds_caches(plan.nest);
  const Parts parts(in_address_order(plan.nest), dst, wanted, least_reach(plan.nest, streaming));
  if (parts.count() < 2) return false;
  std::atomic<std::int64_t> done = 0;
  executor.run(parts.count(), [&](std::int64_t index) noexcept {
    parts.for_each_box(index, [&](const LoopNest& box) {
      Plan part;
      part.nest = box;
      choose_kernel(part, *plan.kernels, streaming);
      part.block.is_between = parts.are_rows();
      execute(part, src, dst);
    });
    done.fetch_add(1, std::memory_order_relaxed);
  });
  return done.load() == parts.count();
}

// execute(), on the threads of an executor where there is one. If it throws, as one does whose
// threads cannot start, the caller's thread does everything: source and destination share no byte,
// so that a part may as well be copied twice, once no task runs any more.
inline void execute_parts(const Plan& plan, const std::byte* src, std::byte* dst,
                          const ExecutorRef& executor) noexcept {
#if STRIDED_HAS_EXCEPTIONS
  try {
    if (executor && run_parts(plan, src, dst, executor)) return;
  } catch (...) {
    return execute(plan, src, dst);
  }
#else
  if (executor && run_parts(plan, src, dst, executor)) return;
#endif
  execute(plan, src, dst);
}

}  // namespace strided::inline STRIDED_ABI::engine
