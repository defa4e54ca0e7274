// Transposes: the source is dense along rows, the destination along columns. A visit takes whole
// 64-byte source lines and gives whole 64-byte destination lines, so that neither associativity nor
// write-allocation matters.

// Per lane one square of n = 16 / W rows and columns. Each of the log2(n) steps interleaves
// register i with register i + n / 2.
template <std::size_t W, class V>
STRIDED_INLINE void transpose_registers(V* r) {
  constexpr std::size_t n = 16 / W;
  V s[n];
#pragma GCC unroll 4
  for (std::size_t step = 1; step < n; step *= 2) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n / 2; ++i) {
      s[2 * i] = unpack<W, false>(r[i], r[i + n / 2]);
      s[2 * i + 1] = unpack<W, true>(r[i], r[i + n / 2]);
    }
#pragma GCC unroll 16
    for (std::size_t i = 0; i < n; ++i) r[i] = s[i];
  }
}

// n rows (16 bytes of a source line each) by Bytes / W columns (Bytes of a destination line).
template <std::size_t W, std::size_t Bytes>
STRIDED_INLINE void transpose_square(const std::byte* src, std::int64_t src_column_bytes,
                                     std::byte* dst, std::int64_t dst_row_bytes) {
  constexpr std::int64_t n = 16 / static_cast<std::int64_t>(W);
  using V = Vector<8, Bytes>;
  V r[16 / W];
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < n; ++i) {
    r[i] = load_lanes<Bytes>(src + i * src_column_bytes, n * src_column_bytes);
  }
  if constexpr (n > 1) transpose_registers<W>(r);
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < n; ++i) store(dst + i * dst_row_bytes, r[i]);
}

// Whole squares; the last ones are moved back so that they end at the edge and do some elements
// twice. At least n rows and Bytes / W columns.
template <std::size_t W, std::size_t Bytes>
STRIDED_TARGET __attribute__((noinline)) void transpose_squares(
    const std::byte* src, std::int64_t src_column_bytes, std::byte* dst, std::int64_t dst_row_bytes,
    std::int64_t rows, std::int64_t columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = 16 / kWidth;
  constexpr std::int64_t kColumns = static_cast<std::int64_t>(Bytes) / kWidth;
  for (std::int64_t c = 0;;) {
    const std::byte* from = src + c * src_column_bytes;
    std::byte* to = dst + c * kWidth;
    for (std::int64_t r = 0;;) {
      transpose_square<W, Bytes>(from + r * kWidth, src_column_bytes, to + r * dst_row_bytes,
                                 dst_row_bytes);
      if (r + kRows >= rows) break;
      r = r + 2 * kRows <= rows ? r + kRows : rows - kRows;
    }
    if (c + kColumns >= columns) break;
    c = c + 2 * kColumns <= columns ? c + kColumns : columns - kColumns;
  }
}

// Any size: the widest squares that fit, one element at a time where none does.
template <std::size_t W>
STRIDED_INLINE void transpose_tile(const std::byte* src, std::int64_t src_column_bytes,
                                   std::byte* dst, std::int64_t dst_row_bytes, std::int64_t rows,
                                   std::int64_t columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t n = 16 / kWidth;
  if (rows >= n && columns >= n * kLanes) {
    transpose_squares<W, kVectorBytes>(src, src_column_bytes, dst, dst_row_bytes, rows, columns);
  } else if (rows >= n && columns >= n) {
    transpose_squares<W, 16>(src, src_column_bytes, dst, dst_row_bytes, rows, columns);
  } else {
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) {
        std::memcpy(dst + r * dst_row_bytes + c * kWidth, src + r * kWidth + c * src_column_bytes,
                    W);
      }
    }
  }
}

// Tiles of whole lines, straight to the destination.
template <std::size_t W>
STRIDED_KERNEL void transpose_direct(const std::byte* src, std::byte* dst, const Block& block) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kTile = 2 * kLine / kWidth;
  for (std::int64_t c = 0; c < block.columns; c += kTile) {
    const std::int64_t columns = block.columns - c < kTile ? block.columns - c : kTile;
    for (std::int64_t r = 0; r < block.rows; r += kTile) {
      const std::int64_t rows = block.rows - r < kTile ? block.rows - r : kTile;
      transpose_tile<W>(src + r * kWidth + c * block.src_column_bytes, block.src_column_bytes,
                        dst + r * block.dst_row_bytes + c * kWidth, block.dst_row_bytes, rows,
                        columns);
    }
  }
}

// Tiles of four lines either way, turned in a scratch that stays in the first caches, then streamed
// out row by row.
template <std::size_t W>
STRIDED_KERNEL void transpose_streaming(const std::byte* src, std::byte* dst, const Block& block) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kPitch = 4 * kLine;
  constexpr std::int64_t kColumns = kPitch / kWidth;
  constexpr std::int64_t kRows = kWidth < 2 ? kColumns / 2 : kColumns;
  alignas(kLine) std::byte scratch[static_cast<std::size_t>(kRows * kPitch)];
  for (std::int64_t c = 0; c < block.columns; c += kColumns) {
    const std::int64_t columns = block.columns - c < kColumns ? block.columns - c : kColumns;
    for (std::int64_t r = 0; r < block.rows; r += kRows) {
      const std::int64_t rows = block.rows - r < kRows ? block.rows - r : kRows;
      transpose_tile<W>(src + r * kWidth + c * block.src_column_bytes, block.src_column_bytes,
                        scratch, kPitch, rows, columns);
      for (std::int64_t i = 0; i < rows; ++i) {
        stream_run(dst + (r + i) * block.dst_row_bytes + c * kWidth, scratch + i * kPitch,
                   columns * kWidth);
      }
    }
  }
}

template <std::size_t W>
STRIDED_KERNEL void transpose(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  if (block.streaming) {
    transpose_streaming<W>(src, dst, block);
  } else {
    transpose_direct<W>(src, dst, block);
  }
}
