// Transposes: the source is dense along rows, the destination along columns. A visit takes whole
// 64-byte source lines and gives whole 64-byte destination lines, so that neither associativity nor
// write-allocation matters.
#include "strided/engine/kernels/simd/squares.inl"
//
#include "strided/engine/kernels/simd/transpose_cached.inl"
#include "strided/engine/kernels/simd/transpose_streamed.inl"
#include "strided/engine/kernels/simd/transpose_tiles.inl"

// Which way stands in kernels/ways.hpp.
template <std::size_t W>
STRIDED_KERNEL void transpose(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  const auto chain_rows = [&] {
    return Chain(block.rows, block.dst_row_bytes, block.row_fold, block.row_folds);
  };
  const auto chain_columns = [&] {
    return Chain(block.columns, block.src_column_bytes, block.column_fold, block.column_folds);
  };
  switch (transpose_way(block, kWidth, kStep, bytes_past_line(dst))) {
    case TransposeWay::one_tile:
      return transpose_tile<W>(Steps<const std::byte>{src, block.src_column_bytes},
                               Steps<std::byte>{dst, block.dst_row_bytes}, block.rows,
                               block.columns);
    case TransposeWay::tiles:
      return transpose_plain<W>(src, dst, block);
    case TransposeWay::folded_tiles:
      return transpose_folded<W>(src, dst, chain_rows(), chain_columns());
    case TransposeWay::staged_tiles:
      return transpose_tiles<W, false>(src, dst, chain_rows(), chain_columns(),
                                       !halves_collide(block.dst_row_bytes));
    case TransposeWay::streams:
      return stream_columns<W, streamed_lines(kWidth)>(src, dst, block);
    case TransposeWay::close_streams:
      return stream_columns<W, kCloseLines>(src, dst, block);
    case TransposeWay::past_tiles:
      return transpose_tiles<W, true>(src, dst, chain_rows(), chain_columns(), false);
  }
}
