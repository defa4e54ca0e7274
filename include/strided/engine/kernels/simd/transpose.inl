// Transposes: the source is dense along rows, the destination along columns. A visit takes whole
// 64-byte source lines and gives whole 64-byte destination lines, so that neither associativity nor
// write-allocation matters.
#include "strided/engine/kernels/simd/squares.inl"
//
#include "strided/engine/kernels/simd/transpose_cached.inl"
#include "strided/engine/kernels/simd/transpose_streamed.inl"

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
  const bool alike = rows.keeps_phase(kLine) && head % kWidth == 0;
  if (!alike || rows.size() < 16 / kWidth) {
    return stream_across<W>(src, dst, rows, columns);
  }
  const Streaming way = choose_streaming<W>(block, head);
  if (folded) return stream_folded<W>(src, dst, rows, columns, way);
  stream_down<W>(Steps<const std::byte>{src, block.src_column_bytes},
                 Steps<std::byte>{dst, block.dst_row_bytes}, block.rows, block.columns, way);
}
