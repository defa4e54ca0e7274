// Kernels in standard C++: for every machine and compiler, and the yardstick for all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"

namespace strided::inline STRIDED_ABI::kernels::portable {

// Runs of any length.
inline void move_runs(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const auto run_bytes = static_cast<std::size_t>(block.run_bytes);
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* from = src + r * block.src_row_bytes;
    std::byte* to = dst + r * block.dst_row_bytes;
    for (std::int64_t c = 0; c < block.columns; ++c) {
      std::memcpy(to, from, run_bytes);
      from += block.src_column_bytes;
      to += block.dst_column_bytes;
    }
  }
}

// Runs of W bytes: the width is a constant, so that a move is a load and a store.
template <std::size_t W>
void move_strided(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* from = src + r * block.src_row_bytes;
    std::byte* to = dst + r * block.dst_row_bytes;
    for (std::int64_t c = 0; c < block.columns; ++c) {
      std::memcpy(to, from, W);
      from += block.src_column_bytes;
      to += block.dst_column_bytes;
    }
  }
}

// One run written everywhere: it is read once.
template <std::size_t W>
void broadcast(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  std::byte run[W];
  std::memcpy(run, src, W);
  for (std::int64_t r = 0; r < block.rows; ++r) {
    std::byte* to = dst + r * block.dst_row_bytes;
    for (std::int64_t c = 0; c < block.columns; ++c) {
      std::memcpy(to, run, W);
      to += block.dst_column_bytes;
    }
  }
}

// The source is dense along rows, the destination along columns. Squares of whole 64-byte lines on
// both sides, so that a line is fetched once and used up before it leaves the cache.
template <std::size_t W>
void transpose(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr std::int64_t kTile = W < 64 ? 64 / std::int64_t{W} : 1;
  for (std::int64_t r0 = 0; r0 < block.rows; r0 += kTile) {
    const std::int64_t rows = block.rows - r0 < kTile ? block.rows - r0 : kTile;
    for (std::int64_t c0 = 0; c0 < block.columns; c0 += kTile) {
      Block tile = block;
      tile.rows = rows;
      tile.columns = block.columns - c0 < kTile ? block.columns - c0 : kTile;
      move_strided<W>(src + r0 * block.src_row_bytes + c0 * block.src_column_bytes,
                      dst + r0 * block.dst_row_bytes + c0 * block.dst_column_bytes, tile);
    }
  }
}

}  // namespace strided::inline STRIDED_ABI::kernels::portable
