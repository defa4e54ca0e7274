// The ways that one kernel can take through a block, and which one it takes: asked by the kernel
// itself, and by explain().
#pragma once

#include <cstdint>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"

namespace strided::inline STRIDED_ABI::kernels {

inline constexpr std::int64_t kLine = 64;  // bytes of a cache line

// How a transpose gets whole lines.
enum class TransposeWay : std::uint8_t {
  one_tile,       // everything is one tile of a line either way
  tiles,          // tiles of a line either way, registers to lines
  folded_tiles,   // tiles of a line by two, where loops are folded into rows or columns
  staged_tiles,   // tiles of several lines either way, by way of a stage
  streams,        // past the caches, registers to lines, down columns that are long streams
  close_streams,  // the same where columns are close to each other, four lines at a time
  past_tiles,     // past the caches, tiles by way of a stage
};

// The tiles that go by way of a stage: so many columns, so many bytes of each.
[[nodiscard]] constexpr std::int64_t staged_columns(std::int64_t width) noexcept {
  return width <= 2 ? 256 : 128;
}
[[nodiscard]] constexpr std::int64_t staged_column_bytes(std::int64_t width) noexcept {
  return (width <= 2 ? 4 : 8) * kLine;
}

// Lines that are written down one long stream of each column: two where few columns make them up.
[[nodiscard]] constexpr std::int64_t streamed_lines(std::int64_t width) noexcept {
  return width >= 8 ? 2 : 1;
}
inline constexpr std::int64_t kCloseLines = 4;

// Whether `lines` lines so far apart do not fit the first cache together: the lower bits of their
// addresses are all alike, and so few sets take them. Lines written in several stores come back,
// and want to stay as well.
[[nodiscard]] constexpr bool thrash(std::int64_t step_bytes, std::int64_t lines,
                                    std::int64_t register_bytes) noexcept {
  constexpr std::int64_t kWay = 4096;  // bytes after which sets repeat
  constexpr std::int64_t kFirstCache = 32768;
  const std::int64_t alike = step_bytes & -step_bytes;
  if (alike >= kWay) return true;
  return alike * lines * (register_bytes < kLine ? 2 : 1) >= kFirstCache;
}

// Steps a few bytes off a multiple of 1 KiB: what is read of a tile and what was written of it have
// the same last 10 to 12 bits in their addresses, and processors take the one for the other.
[[nodiscard]] constexpr bool is_mistaken(std::int64_t step_bytes) noexcept {
  const std::int64_t off = (absolute(step_bytes) + 7) % 1024;
  return off <= 14 && off != 7;
}

// Whether rows of the destination fall on one place of the first cache. Lines written in one store
// do not come back, but wait there to leave: it takes rows in fewer places, and long enough
// columns, until a stage is worth its way.
[[nodiscard]] constexpr bool rows_thrash(const Block& block, std::int64_t width,
                                         std::int64_t register_bytes) noexcept {
  constexpr std::int64_t kWaiting = 16;
  const std::int64_t lines = kLine / width;
  if (register_bytes < kLine) return thrash(block.dst_row_bytes, lines, register_bytes);
  return block.rows * width >= 8 * kLine &&
         thrash(block.dst_row_bytes, lines < kWaiting ? lines : kWaiting, register_bytes);
}

// Whether a tile without a stage would read or write the same lines again and again.
[[nodiscard]] constexpr bool collides(const Block& block, std::int64_t width,
                                      std::int64_t register_bytes) noexcept {
  return (is_mistaken(block.src_column_bytes) && is_mistaken(block.dst_row_bytes)) ||
         thrash(block.src_column_bytes, kLine / width, register_bytes) ||
         rows_thrash(block, width, register_bytes);
}

// Columns that continue each other in the source, or nearly.
inline constexpr std::int64_t kCloseBytes = 1024;

// Whether the columns are streams that the processor foresees: close to each other; or long, apart
// from each other in the caches, and of rows that do not meet in one place of the memory.
[[nodiscard]] constexpr bool are_streams(const Block& block, std::int64_t width,
                                         std::int64_t register_bytes) noexcept {
  const bool long_and_apart =
      absolute(block.dst_row_bytes) > 2048 && block.dst_row_bytes % 4096 != 0;
  return block.rows >= 16 / width &&
         !thrash(block.src_column_bytes, kLine / width, register_bytes) &&
         (absolute(block.src_column_bytes) <= kCloseBytes || long_and_apart);
}

// Whether tiles of a line follow each other down the columns, where the next one reads the next
// lines: not in blocks so flat that this hardly begins, or flat and between other threads' rows.
[[nodiscard]] constexpr bool goes_down(const Block& block) noexcept {
  return (block.is_between ? 1 : 16) * block.rows >= block.columns;
}

// Whether rows so far apart are in one set of the first cache, with lines that do not end where
// stores do: their halves would be gone before the next store completes them.
[[nodiscard]] constexpr bool halves_collide(std::int64_t step_bytes) noexcept {
  constexpr std::int64_t kWay = 4096;
  return step_bytes % kLine != 0 && (absolute(step_bytes) + kLine) % kWay < 2 * kLine;
}

// The way of a block of elements of `width` bytes, with registers of `register_bytes`, to a
// destination that begins `past_line` bytes past a line.
[[nodiscard]] constexpr TransposeWay transpose_way(const Block& block, std::int64_t width,
                                                   std::int64_t register_bytes,
                                                   std::int64_t past_line) noexcept {
  const bool folded = block.row_folds + block.column_folds > 0;
  if (!block.streaming) {
    if (folded) return TransposeWay::folded_tiles;
    const std::int64_t tile = kLine / width;
    if (block.rows <= tile && block.columns <= tile) return TransposeWay::one_tile;
    const bool is_large = block.rows * width >= 4 * kLine && block.columns * width >= 4 * kLine;
    return is_large && collides(block, width, register_bytes) ? TransposeWay::staged_tiles
                                                              : TransposeWay::tiles;
  }
  const bool alike = block.dst_row_bytes % kLine == 0 && past_line % width == 0;
  if (folded || !alike || !are_streams(block, width, register_bytes)) {
    return TransposeWay::past_tiles;
  }
  return absolute(block.src_column_bytes) <= kCloseBytes ? TransposeWay::close_streams
                                                         : TransposeWay::streams;
}

// Columns of a tile that is moved element by element: few rows read few lines a column, and long
// loops are faster.
[[nodiscard]] constexpr std::int64_t blocked_columns(std::int64_t rows,
                                                     std::int64_t width) noexcept {
  const std::int64_t tile = kLine / width;
  return rows <= tile / 4 ? 16 * tile : tile;
}

// Whether runs are whole lines that leave past the caches, to a destination that begins `past_line`
// bytes past one.
[[nodiscard]] constexpr bool streams_lines(const Block& block, std::int64_t past_line) noexcept {
  const std::int64_t bytes = block.run_bytes | block.dst_row_bytes | block.dst_column_bytes;
  return block.streaming && past_line == 0 && bytes % kLine == 0;
}

// Whether a line of each row can be written past the caches in turn: few rows, or rows far from
// each other that do not meet in one place of the memory.
[[nodiscard]] constexpr bool lines_in_turn(const Block& block) noexcept {
  constexpr std::int64_t kFewRows = 64;
  constexpr std::int64_t kFar = 8192;
  const std::int64_t alike = block.dst_row_bytes & -block.dst_row_bytes;
  return block.rows <= kFewRows || (absolute(block.dst_row_bytes) > kFar && alike < 8 * kLine);
}

// How many columns of runs are moved before the next row's, where rows are closer to each other in
// the source than columns. Whole lines past the caches: one, which reads the source from its start
// to its end, or a few streams of it side by side. Others: as many as all rows read from the first
// cache, but some lines of each.
[[nodiscard]] constexpr std::int64_t columns_at_once(const Block& block,
                                                     std::int64_t past_line) noexcept {
  constexpr std::int64_t kStreams = 4;
  constexpr std::int64_t kStays = 16384;
  constexpr std::int64_t kLeast = 8 * kLine;
  const bool close = absolute(block.src_row_bytes) < absolute(block.src_column_bytes);
  if (block.rows == 1 || !close) return block.columns;
  if (block.is_between && !block.streaming) return block.columns;  // see Block
  if (streams_lines(block, past_line)) {
    if (lines_in_turn(block) || block.run_bytes > kLeast) return 1;
    return block.run_bytes < kLeast / kStreams ? kStreams : kLeast / block.run_bytes;
  }
  if (block.run_bytes > kLeast) return block.columns;
  const std::int64_t most = kStays / block.rows;
  const std::int64_t columns = (most < kLeast ? kLeast : most) / block.run_bytes;
  return block.columns < 2 * columns ? block.columns : columns;
}

// Whether runs are gathered to whole lines, which then leave past the caches, to a destination that
// begins `past_line` bytes past one.
[[nodiscard]] constexpr bool gathers_runs(const Block& block, std::int64_t past_line) noexcept {
  const bool splits_lines = block.run_bytes % kLine != 0 || past_line != 0;
  return block.streaming && splits_lines && block.dst_column_bytes == block.run_bytes &&
         block.run_bytes <= kGatheredRun;
}

}  // namespace strided::inline STRIDED_ABI::kernels
