// Kernels in standard C++: for every machine and compiler, and the yardstick for all others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/kernels/ways.hpp"

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

// Four elements, from and to places a step apart, written out: g++ -O2 keeps a loop of four. Wide
// ones are all read before the first is written; bytes and pairs would pass through the stack so.
template <std::size_t W>
void move_four(const std::byte* from, std::int64_t src_step, std::byte* to,
               std::int64_t dst_step) noexcept {
  if constexpr (W < 4) {
    std::memcpy(to, from, W);
    std::memcpy(to + dst_step, from + src_step, W);
    std::memcpy(to + 2 * dst_step, from + 2 * src_step, W);
    std::memcpy(to + 3 * dst_step, from + 3 * src_step, W);
  } else {
    struct Element {
      std::byte bytes[W];
    } moved[4];
    std::memcpy(&moved[0], from, W);
    std::memcpy(&moved[1], from + src_step, W);
    std::memcpy(&moved[2], from + 2 * src_step, W);
    std::memcpy(&moved[3], from + 3 * src_step, W);
    std::memcpy(to, &moved[0], W);
    std::memcpy(to + dst_step, &moved[1], W);
    std::memcpy(to + 2 * dst_step, &moved[2], W);
    std::memcpy(to + 3 * dst_step, &moved[3], W);
  }
}

// The width is a constant, so that a move is a load and a store.
template <std::size_t W>
void strided(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const std::int64_t columns = block.columns;  // a store of bytes could change it in its place
  const std::int64_t s = block.src_column_bytes;
  const std::int64_t d = block.dst_column_bytes;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* from = src + r * block.src_row_bytes;
    std::byte* to = dst + r * block.dst_row_bytes;
    std::int64_t c = 0;
    for (; c + 4 <= columns; c += 4) {
      move_four<W>(from, s, to, d);
      from += 4 * s;
      to += 4 * d;
    }
    for (; c < columns; ++c) {
      std::memcpy(to, from, W);
      from += s;
      to += d;
    }
  }
}

// Each row is one element, repeated: it is read once.
template <std::size_t W>
void broadcast(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  for (std::int64_t r = 0; r < block.rows; ++r) {
    std::byte element[W];
    std::memcpy(element, src + r * block.src_row_bytes, W);
    std::byte* to = dst + r * block.dst_row_bytes;
    for (std::int64_t c = 0; c < block.columns; ++c) {
      std::memcpy(to, element, W);
      to += block.dst_column_bytes;
    }
  }
}

// The source is dense along rows, the destination steps along columns: squares of whole 64-byte
// lines, so that a line is fetched once and used up before it leaves the cache.
template <std::size_t W>
void blocked(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr std::int64_t kTile = kLine / std::int64_t{W};
  const std::int64_t most = blocked_columns(block.rows, std::int64_t{W});
  for (std::int64_t r = 0; r < block.rows; r += kTile) {
    for (std::int64_t c = 0; c < block.columns; c += most) {
      Block tile = block;
      tile.rows = block.rows - r < kTile ? block.rows - r : kTile;
      tile.columns = block.columns - c < most ? block.columns - c : most;
      strided<W>(src + r * block.src_row_bytes + c * block.src_column_bytes,
                 dst + r * block.dst_row_bytes + c * block.dst_column_bytes, tile);
    }
  }
}

inline void fence() noexcept {}

template <std::size_t W, class Deferred>
[[nodiscard]] constexpr WidthKernels width_kernels() noexcept {
  WidthKernels kernels;
  kernels.strided = &strided<W>;
  kernels.broadcast = &broadcast<W>;
  kernels.blocked = &blocked<W>;
  return kernels;
}

// A template, so that only a file that copies compiles the kernels; its parameter goes down to all
// of them, because a constant that depends on nothing is worked out where it is read.
template <class Deferred = void>
[[nodiscard]] const KernelSet& kernel_set() noexcept {
  static constexpr KernelSet kKernels = {
      "scalar",
      0,
      &move_runs,
      nullptr,
      0,
      &fence,
      {width_kernels<1, Deferred>(), width_kernels<2, Deferred>(), width_kernels<4, Deferred>(),
       width_kernels<8, Deferred>(), width_kernels<16, Deferred>()},
  };
  return kKernels;
}

}  // namespace strided::inline STRIDED_ABI::kernels::portable
