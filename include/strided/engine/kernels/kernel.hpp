// What a kernel is: one loop pair over runs of a fixed width, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI::kernels {

// `rows` x `columns` runs of `run_bytes`: run (r, c) moves from src + r * src_row_bytes +
// c * src_column_bytes to dst + r * dst_row_bytes + c * dst_column_bytes. Strides are bytes and
// signed. Source and destination share no byte, and no two runs share a destination byte.
struct Block {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t src_row_bytes = 0;
  std::int64_t src_column_bytes = 0;
  std::int64_t dst_row_bytes = 0;
  std::int64_t dst_column_bytes = 0;
  std::int64_t run_bytes = 0;
};

// Moves exactly the runs of the block: no byte outside them is read or written. No allocation, no
// rank logic, no checks.
using Kernel = void (*)(const std::byte* src, std::byte* dst, const Block& block) noexcept;

// Kernels by the width of the run in bytes; the patterns by what the strides allow.
enum class Pattern : std::uint8_t {
  runs,       // any strides, any width
  strided,    // any strides, one width
  broadcast,  // source strides of 0
  transpose,  // source dense along rows, destination dense along columns
};

}  // namespace strided::inline STRIDED_ABI::kernels
