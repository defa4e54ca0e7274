// Transposes: the source is dense along rows, the destination along columns. A visit takes whole
// 64-byte source lines and gives whole 64-byte destination lines, so that neither associativity nor
// write-allocation matters.
#include "strided/engine/kernels/simd/squares.inl"
//
#include "strided/engine/kernels/simd/transpose_cached.inl"
#include "strided/engine/kernels/simd/transpose_streamed.inl"

// Whether the columns are streams that the processor foresees: long, and apart from each other in
// the caches; and rows do not meet in one place of the memory.
template <std::size_t W>
[[nodiscard]] constexpr bool are_streams(const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  return block.rows >= 16 / kWidth && block.dst_row_bytes > 2048 && block.src_column_bytes > 1024 &&
         block.dst_row_bytes % 4096 != 0 && !thrash(block.src_column_bytes, kLine / kWidth);
}

// Which of these ways.
template <std::size_t W>
STRIDED_KERNEL void transpose(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  const bool folded = block.row_folds + block.column_folds > 0;
  if (!block.streaming && !folded) {
    constexpr std::int64_t kTile = kLine / kWidth;
    if (block.rows <= kTile && block.columns <= kTile) {
      return transpose_tile<W>(Steps<const std::byte>{src, block.src_column_bytes},
                               Steps<std::byte>{dst, block.dst_row_bytes}, block.rows,
                               block.columns);
    }
    const bool is_large = block.rows * kWidth >= 4 * kLine && block.columns * kWidth >= 4 * kLine;
    if (is_large && is_mistaken(block.src_column_bytes) && is_mistaken(block.dst_row_bytes)) {
      return transpose_turned<W>(src, dst, block);
    }
    return transpose_plain<W>(src, dst, block);
  }
  const Chain rows(block.rows, block.dst_row_bytes, block.row_fold, block.row_folds);
  const Chain columns(block.columns, block.src_column_bytes, block.column_fold, block.column_folds);
  if (!block.streaming) return transpose_folded<W>(src, dst, rows, columns);
  const std::int64_t head = bytes_to_line(dst);
  const bool alike = block.dst_row_bytes % kLine == 0 && head % kWidth == 0;
  if (!folded && alike && are_streams<W>(block)) {
    return stream_columns<W>(src, dst, block, head / kWidth);
  }
  stream_tiles<W>(src, dst, rows, columns);
}
