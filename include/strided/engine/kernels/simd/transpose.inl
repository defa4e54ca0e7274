// Transposes: the source is dense along rows, the destination along columns. A visit takes whole
// 64-byte source lines and gives whole 64-byte destination lines, so that neither associativity nor
// write-allocation matters.
#include "strided/engine/kernels/simd/squares.inl"
//
#include "strided/engine/kernels/simd/transpose_cached.inl"
#include "strided/engine/kernels/simd/transpose_streamed.inl"
#include "strided/engine/kernels/simd/transpose_tiles.inl"

// Whether `lines` lines so far apart do not fit the first cache together: the lower bits of their
// addresses are all alike, and so few sets take them.
[[nodiscard]] constexpr bool thrash(std::int64_t step_bytes, std::int64_t lines) noexcept {
  constexpr std::int64_t kWay = 4096;  // bytes after which sets repeat
  constexpr std::int64_t kFirstCache = 32768;
  const std::int64_t alike = step_bytes & -step_bytes;
  if (alike >= kWay) return true;
  // Lines written in several stores come back, and want to stay as well.
  return alike * lines * (kStep < kLine ? 2 : 1) >= kFirstCache;
}

// Steps a few bytes off a multiple of 1 KiB: what is read of a tile and what was written of it have
// the same last 10 to 12 bits in their addresses, and processors take the one for the other.
[[nodiscard]] constexpr bool is_mistaken(std::int64_t step_bytes) noexcept {
  const std::int64_t off = (step_bytes + 7) % 1024;
  return off <= 14 && off != 7;
}

// Whether a tile without a stage would read the same lines again and again.
template <std::size_t W>
[[nodiscard]] constexpr bool collides(const Block& block) noexcept {
  constexpr std::int64_t kTile = kLine / static_cast<std::int64_t>(W);
  return (is_mistaken(block.src_column_bytes) && is_mistaken(block.dst_row_bytes)) ||
         thrash(block.src_column_bytes, kTile) ||
         (kStep < kLine && thrash(block.dst_row_bytes, kTile));
}

// Columns that continue each other in the source, or nearly.
inline constexpr std::int64_t kCloseBytes = 1024;

// Whether the columns are streams that the processor foresees: close to each other; or long, apart
// from each other in the caches, and of rows that do not meet in one place of the memory.
template <std::size_t W>
[[nodiscard]] constexpr bool are_streams(const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  const bool long_and_apart = block.dst_row_bytes > 2048 && block.dst_row_bytes % 4096 != 0;
  return block.rows >= 16 / kWidth && !thrash(block.src_column_bytes, kLine / kWidth) &&
         (block.src_column_bytes <= kCloseBytes || long_and_apart);
}

// Whether rows so far apart are in one set of the first cache, with lines that do not end where
// stores do: their halves would be gone before the next store completes them.
[[nodiscard]] constexpr bool halves_collide(std::int64_t step_bytes) noexcept {
  constexpr std::int64_t kWay = 4096;
  return step_bytes % kLine != 0 && (step_bytes + kLine) % kWay < 2 * kLine;
}

// Which of these ways.
template <std::size_t W>
STRIDED_KERNEL void transpose(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kTile = kLine / kWidth;
  const bool folded = block.row_folds + block.column_folds > 0;
  if (!block.streaming && !folded && block.rows <= kTile && block.columns <= kTile) {
    return transpose_tile<W>(Steps<const std::byte>{src, block.src_column_bytes},
                             Steps<std::byte>{dst, block.dst_row_bytes}, block.rows, block.columns);
  }
  const bool is_large = block.rows * kWidth >= 4 * kLine && block.columns * kWidth >= 4 * kLine;
  if (!block.streaming && !folded && !(is_large && collides<W>(block))) {
    return transpose_plain<W>(src, dst, block);
  }
  const std::int64_t head = bytes_to_line(dst);
  const bool alike = block.dst_row_bytes % kLine == 0 && head % kWidth == 0;
  if (block.streaming && !folded && alike && are_streams<W>(block)) {
    if (block.src_column_bytes <= kCloseBytes) {
      return stream_columns<W, 4>(src, dst, block, head / kWidth);
    }
    return stream_columns<W, (W >= 8 ? 2 : 1)>(src, dst, block, head / kWidth);
  }
  const Chain rows(block.rows, block.dst_row_bytes, block.row_fold, block.row_folds);
  const Chain columns(block.columns, block.src_column_bytes, block.column_fold, block.column_folds);
  if (block.streaming) return transpose_tiles<W, true>(src, dst, rows, columns, false);
  if (folded) return transpose_folded<W>(src, dst, rows, columns);
  transpose_tiles<W, false>(src, dst, rows, columns, !halves_collide(block.dst_row_bytes));
}
