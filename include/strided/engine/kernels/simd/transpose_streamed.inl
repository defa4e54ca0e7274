// Transposes past the caches without a detour.

// Lines of the destination, down columns of the source that are long streams, which the processor
// foresees where they are few. At least n rows.
template <std::size_t W, std::int64_t Lines>
STRIDED_TARGET __attribute__((noinline)) void stream_lines(Steps<const std::byte> src,
                                                           Steps<std::byte> dst,
                                                           std::int64_t rows) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t n = 16 / kWidth;
  for (std::int64_t r = 0;; r = next_square(r, n, rows)) {
#pragma GCC unroll 4
    for (std::int64_t line = 0; line < Lines; ++line) {
      turn_lines<W, true>(src.from(line * kLine / kWidth, r * kWidth), dst.from(r, line * kLine));
    }
    if (r + n >= rows) return;
  }
}

// Past the caches where all destination rows lie alike to the lines, whole columns before one;
// `Lines` at a time.
template <std::size_t W, std::int64_t Lines>
STRIDED_TARGET __attribute__((noinline)) void stream_columns(const std::byte* src, std::byte* dst,
                                                             const Block& block) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kColumns = kLine / kWidth;
  const Steps<const std::byte> from{src, block.src_column_bytes};
  const Steps<std::byte> to{dst, block.dst_row_bytes};
  const std::int64_t head = bytes_to_line(dst) / kWidth;
  std::int64_t c = head < block.columns ? head : block.columns;
  if (c > 0) transpose_tile<W>(from, to, block.rows, c);
  for (; c + Lines * kColumns <= block.columns; c += Lines * kColumns) {
    stream_lines<W, Lines>(from.from(c, 0), to.from(0, c * kWidth), block.rows);
  }
  for (; c + kColumns <= block.columns; c += kColumns) {
    stream_lines<W, 1>(from.from(c, 0), to.from(0, c * kWidth), block.rows);
  }
  if (c < block.columns) {
    transpose_tile<W>(from.from(c, 0), to.from(0, c * kWidth), block.rows, block.columns - c);
  }
}
