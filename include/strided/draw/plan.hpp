// draw_plan: the loops of a plan, and how the first runs of its kernel's block lie in memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/draw/text.hpp"
#include "strided/engine/copy_plan.hpp"
#include "strided/engine/explain.hpp"
#include "strided/engine/loop_nest.hpp"
#include "strided/engine/plan.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// A run on one side of a copy: its byte in the storage, and its number there.
struct PlacedRun {
  std::int64_t offset_bytes;
  std::int64_t number;

  friend bool operator<(const PlacedRun& a, const PlacedRun& b) noexcept {
    return a.offset_bytes < b.offset_bytes;
  }
};

// The first runs of a block on both sides, numbered as they lie in the source.
struct PlacedRuns {
  std::vector<PlacedRun> src;
  std::vector<PlacedRun> dst;
};

// How many steps of each loop of the block are drawn: all of the smallest loops, and of the others
// what leaves room for at least two of each, since a picture has to show every direction.
[[nodiscard]] inline std::vector<std::int64_t> drawn_steps(const engine::Plan& plan) {
  constexpr std::int64_t kMostRuns = 32;
  const int loops = plan.nest.rank - plan.outer_rank;
  const engine::Loop* const loop = plan.nest.loops + plan.outer_rank;
  const std::int64_t most_steps = loops == 1 ? 8 : 4;
  std::vector<int> by_count;
  for (int i = 0; i < loops; ++i) by_count.push_back(i);
  // Equal counts in their order, without stable_sort: libstdc++'s is built on what clang 19 warns
  // of.
  std::sort(by_count.begin(), by_count.end(), [&](int a, int b) {
    return loop[a].count != loop[b].count ? loop[a].count < loop[b].count : a < b;
  });
  std::vector<std::int64_t> steps(by_count.size(), 1);
  std::int64_t room = kMostRuns;
  int left = loops;
  for (const int i : by_count) {
    --left;
    const std::int64_t share = std::max<std::int64_t>(1, left < 5 ? room >> left : 1);
    const std::int64_t drawn = std::min({loop[i].count, most_steps, share});
    steps[static_cast<std::size_t>(i)] = drawn;
    room /= drawn;
  }
  return steps;
}

[[nodiscard]] inline PlacedRuns first_runs(const engine::Plan& plan) {
  const engine::LoopNest& nest = plan.nest;
  const std::vector<std::int64_t> steps = drawn_steps(plan);
  std::vector<std::pair<std::int64_t, std::int64_t>> places{
      {nest.src_offset_bytes, nest.dst_offset_bytes}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const engine::Loop& loop = nest.loops[static_cast<std::size_t>(plan.outer_rank) + i];
    const std::size_t before = places.size();
    for (std::int64_t step = 1; step < steps[i]; ++step) {
      for (std::size_t k = 0; k < before; ++k) {
        const auto [src, dst] = places[k];
        places.emplace_back(src + step * loop.src_stride_bytes, dst + step * loop.dst_stride_bytes);
      }
    }
  }
  std::sort(places.begin(), places.end());
  PlacedRuns runs;
  for (const auto& [src, dst] : places) {
    if (runs.src.empty() || runs.src.back().offset_bytes != src) {
      runs.src.push_back({src, static_cast<std::int64_t>(runs.src.size())});
    }
    runs.dst.push_back({dst, runs.src.back().number});
  }
  std::sort(runs.dst.begin(), runs.dst.end());
  return runs;
}

// Runs in the order of their addresses, as lines: a "." for every run that would fit between two of
// them, and a new line, which begins with its byte, where that is many or where runs overlap.
[[nodiscard]] inline std::vector<std::string> memory_lines(const std::vector<PlacedRun>& runs,
                                                           std::int64_t run_bytes) {
  constexpr std::int64_t kMostGaps = 7;
  constexpr std::int64_t kMostInLine = 24;
  std::size_t width = 0;
  for (const PlacedRun& run : runs) {
    width = std::max(width, std::to_string(run.number).size());
  }
  std::vector<std::string> places;
  std::vector<std::string> lines;
  std::int64_t in_line = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const PlacedRun& run = runs[i];
    const std::int64_t past = i == 0 ? 0 : run.offset_bytes - runs[i - 1].offset_bytes;
    if (i > 0 && past == 0) continue;  // a fill that writes a run twice
    const std::int64_t gap_bytes = past - run_bytes;
    const std::int64_t gaps = gap_bytes / run_bytes + (gap_bytes % run_bytes > 0 ? 1 : 0);
    if (i == 0 || gap_bytes < 0 || gaps > kMostGaps || in_line + gaps >= kMostInLine) {
      places.push_back(std::to_string(run.offset_bytes));
      lines.emplace_back();
      in_line = 0;
    } else {
      for (std::int64_t k = 0; k < gaps; ++k) {
        lines.back().append(" ").append(padded_left(".", width));
      }
      in_line += gaps;
    }
    lines.back().append(" ").append(padded_left(std::to_string(run.number), width));
    ++in_line;
  }
  std::size_t gutter = 0;
  for (const std::string& place : places) gutter = std::max(gutter, place.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = padded_left(places[i], gutter).append(" |").append(lines[i]);
  }
  return lines;
}

[[nodiscard]] inline std::string padded_right(std::string text, std::size_t width) {
  return text.size() < width ? text.append(width - text.size(), ' ') : text;
}

// Both sides next to each other, or one below the other where lines are long.
[[nodiscard]] inline std::string two_sides(std::vector<std::string> src,
                                           std::vector<std::string> dst) {
  constexpr std::size_t kWidestText = 100;
  constexpr std::size_t kBetween = 4;
  src.insert(src.begin(), "source");
  dst.insert(dst.begin(), "destination");
  std::size_t src_width = 0;
  std::size_t dst_width = 0;
  for (const std::string& line : src) src_width = std::max(src_width, line.size());
  for (const std::string& line : dst) dst_width = std::max(dst_width, line.size());
  std::string text;
  if (src_width + kBetween + dst_width > kWidestText) {
    for (const std::string& line : src) text.append(line).append("\n");
    for (const std::string& line : dst) text.append(line).append("\n");
    return text;
  }
  for (std::size_t i = 0; i < src.size() || i < dst.size(); ++i) {
    std::string line = i < src.size() ? src[i] : std::string();
    if (i < dst.size()) line = padded_right(line, src_width + kBetween).append(dst[i]);
    text.append(line).append("\n");
  }
  return text;
}

[[nodiscard]] inline std::string with_sign(std::int64_t value) {
  return std::string(value < 0 ? "" : "+").append(std::to_string(value));
}

// A line of the table of loops.
[[nodiscard]] inline std::string loop_line(std::string name, const std::string& times,
                                           const std::string& src, const std::string& dst) {
  constexpr std::size_t kName = 18;
  constexpr std::size_t kTimes = 10;
  constexpr std::size_t kStride = 13;
  std::string line = padded_right(std::move(name), kName);
  line.append(" ").append(padded_left(times, kTimes));
  line.append(" ").append(padded_left(src, kStride));
  return line.append(" ").append(padded_left(dst, kStride)).append("\n");
}

[[nodiscard]] inline std::string loop_table(const engine::Plan& plan) {
  const engine::LoopNest& nest = plan.nest;
  std::string text;
  if (nest.rank > 0) text = loop_line("loop", "times", "source", "destination");
  const auto add = [&](std::string name, const engine::Loop& loop) {
    text.append(loop_line(std::move(name), std::to_string(loop.count),
                          with_sign(loop.src_stride_bytes), with_sign(loop.dst_stride_bytes)));
  };
  std::string indent;
  for (int i = 0; i < plan.outer_rank; ++i) {
    add(indent + "for", nest.loops[i]);
    if (i < 6) indent.append("  ");
  }
  text.append(indent).append("kernel ").append(engine::describe(plan.pattern).name);
  text.append(", ").append(plan.kernels->name).append("\n");
  const int columns = plan.outer_rank + (plan.block.rows > 1 ? 1 : 0);
  for (int i = plan.outer_rank; i < nest.rank; ++i) {
    const char* const name = i < columns ? "| rows" : i == columns ? "| columns" : "| folded in";
    add(indent + name, nest.loops[i]);
  }
  text.append(indent).append("| tile: ").append(engine::explain_tile(plan)).append("\n");
  return text;
}

[[nodiscard]] inline std::string plan_text(const engine::Plan& plan) {
  if (plan.block.run_bytes == 0) return "nothing to move\n";
  const std::int64_t run_bytes = plan.block.run_bytes;
  const std::int64_t count = plan.nest.total_bytes / run_bytes;
  const PlacedRuns runs = first_runs(plan);
  std::string text = "moves ";
  text.append(std::to_string(plan.nest.total_bytes)).append(" bytes: ");
  text.append(std::to_string(count)).append(count == 1 ? " run of " : " runs of ");
  text.append(std::to_string(run_bytes)).append(run_bytes == 1 ? " byte, " : " bytes, ");
  text.append(plan.block.streaming ? "stores past the caches\n" : "stores through the caches\n");
  text.append(loop_table(plan)).append("\n");
  text.append("the kernel's first runs, by their bytes in the storages, ");
  text.append("numbered as in the source\n");
  return text.append(
      two_sides(memory_lines(runs.src, run_bytes), memory_lines(runs.dst, run_bytes)));
}

}  // namespace detail

// Draws how a plan moves its runs, as text: the loops from the outermost to those of the kernel,
// with their strides in bytes, and where the first runs of the kernel's block lie in the source and
// in the destination. A line of the sketch is a stretch of memory and begins with its byte in the
// storage, a cell is a run, and a run has one number on both sides; "." is room for another run.
// The same plan for another machine may name another kernel. No errors. Semantics: explain() in
// pictures.
//
//   draw_plan(CopyPlan(Layout({50, 40}, {1, 50}), Layout({50, 40}), 4)), a transpose, ends in
//   source               destination
//     0 |  0  1  2  3      0 |  0  4  8 12
//   200 |  4  5  6  7    160 |  1  5  9 13
//   400 |  8  9 10 11    320 |  2  6 10 14
//   600 | 12 13 14 15    480 |  3  7 11 15
[[nodiscard]] inline std::string draw_plan(const CopyPlan& plan) {
  return detail::plan_text(plan.stages());
}

}  // namespace strided::inline STRIDED_ABI
