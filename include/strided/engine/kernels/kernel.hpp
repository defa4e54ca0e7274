// What a kernel is: one pair of loops over runs of a fixed width, and nothing else.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI::kernels {

// A loop that a transpose walks as one with its rows or its columns (see Chain): the stride is that
// of the side which is not contiguous.
struct Fold {
  std::int64_t count;
  std::int64_t stride_bytes;
};
inline constexpr int kMaxFolds = 5;
inline constexpr std::int64_t kMaxChained = 256;

// Runs up to this length are gathered to whole lines where they leave past the caches.
inline constexpr std::int64_t kGatheredRun = 512;

// Source steps below this may be read across: see the decision on gaps in DESIGN.md.
inline constexpr std::int64_t kNear = 128;

// `rows` x `columns` runs of `run_bytes`: run (r, c) moves from src + r * src_row_bytes +
// c * src_column_bytes to dst + r * dst_row_bytes + c * dst_column_bytes. Strides are bytes and
// signed, counts at least 1. Source and destination share no byte, and no two runs share a
// destination byte. `streaming`: the copy is too large for the caches, stores may go past them.
// `is_between`: other threads write the rows before and behind these at the same time. Down the
// rows of a column the processor foresees the next ones, behind the last row too, and takes their
// lines away: a column of few rows, done many times, takes twice as long.
struct Block {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
  std::int64_t src_row_bytes = 0;
  std::int64_t src_column_bytes = 0;
  std::int64_t dst_row_bytes = 0;
  std::int64_t dst_column_bytes = 0;
  std::int64_t run_bytes = 0;
  bool streaming = false;
  bool is_between = false;
  int row_folds = 0;     // of the destination; only where the pattern is transpose
  int column_folds = 0;  // of the source; for a shuffle, the loops within a column, innermost first
  Fold row_fold[kMaxFolds];
  Fold column_fold[kMaxFolds];

  constexpr Block() noexcept {}  // folds that are not there are never touched
};

// Moves exactly the runs of the block. No allocation, no rank logic, no checks.
using Kernel = void (*)(const std::byte* src, std::byte* dst, const Block& block) noexcept;

// What the strides of a block allow, and so which kernels can take it.
enum class Pattern : std::uint8_t {
  runs,          // any strides; the run is moved as bytes
  strided,       // any strides
  broadcast,     // source column stride 0, destination dense
  reverse,       // source dense and backwards, destination dense
  transpose,     // source dense along rows, destination dense along columns
  blocked,       // source dense along rows, destination not dense
  gather,        // source columns K apart, destination dense
  scatter,       // source dense, destination columns K apart
  deinterleave,  // rows are the streams of a weave of K, columns their elements
  interleave,    // columns are the K streams, rows their elements
  shuffle,       // columns are small blocks, each dense in the destination
};

// Steps that gather, scatter, deinterleave and interleave take.
inline constexpr std::int64_t kMinWeave = 2;
inline constexpr std::int64_t kMaxWeave = 8;

// The kernels of one weaving pattern: K = 2, 3, 4, and any other up to kMaxWeave.
struct WeaveKernels {
  Kernel two = nullptr;
  Kernel three = nullptr;
  Kernel four = nullptr;
  Kernel any = nullptr;

  [[nodiscard]] constexpr Kernel for_streams(std::int64_t k) const noexcept {
    return k == 2 ? two : k == 3 ? three : k == 4 ? four : any;
  }
};

// The kernels for elements of one width; null where an instruction set has none.
struct WidthKernels {
  Kernel strided = nullptr;
  Kernel broadcast = nullptr;
  Kernel reverse = nullptr;
  Kernel transpose = nullptr;
  Kernel blocked = nullptr;
  WeaveKernels gather;
  WeaveKernels scatter;
  WeaveKernels deinterleave;
  WeaveKernels interleave;
};

inline constexpr int kWidths = 5;  // elements of 1, 2, 4, 8 and 16 bytes

// The place of a width in KernelSet::widths, or -1.
[[nodiscard]] constexpr int width_index(std::int64_t bytes) noexcept {
  const auto value = static_cast<std::uint64_t>(bytes);
  return value - 1 < 16 && (value & (value - 1)) == 0 ? std::countr_zero(value) : -1;
}

// All kernels of one instruction set.
struct KernelSet {
  const char* name = "";
  std::int64_t register_bytes = 0;  // 0: none, elements one by one
  Kernel runs = nullptr;
  Kernel shuffle = nullptr;
  std::int64_t shuffle_bytes = 0;      // how many at a time
  void (*fence)() noexcept = nullptr;  // after streaming stores
  WidthKernels widths[kWidths] = {};
};

}  // namespace strided::inline STRIDED_ABI::kernels
