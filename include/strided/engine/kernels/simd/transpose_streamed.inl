// Transposes past the caches: whole lines leave, each once.

// n rows by one line of the destination, past the caches: all of a line's pieces at once.
template <std::size_t W, class Columns, class Rows>
STRIDED_INLINE void stream_square(const Columns& src, const Rows& dst) {
  constexpr std::int64_t n = 16 / static_cast<std::int64_t>(W);
  constexpr std::int64_t kPieces = kLine / kStep;
  Full r[kPieces][16 / W];
#pragma GCC unroll 4
  for (std::int64_t piece = 0; piece < kPieces; ++piece) {
#pragma GCC unroll 16
    for (std::int64_t i = 0; i < n; ++i) {
      r[piece][i] = load_columns<kVectorBytes>(src, piece * n * kLanes + i, n);
    }
    if constexpr (n > 1) transpose_registers<W>(r[piece]);
  }
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < n; ++i) {
#pragma GCC unroll 4
    for (std::int64_t piece = 0; piece < kPieces; ++piece) {
      stream_native(dst.at(i) + piece * kStep, r[piece][i]);
    }
  }
}

// How many lines of the destination are written side by side at most.
inline constexpr std::int64_t kMostLines = 8;

// Whole lines of the destination, `lines` of them beside each other, down the source's columns. At
// least n rows. Staged, as in transpose_plain: a source line is read at once.
template <std::size_t W, class Columns, class Rows>
STRIDED_TARGET __attribute__((noinline)) void stream_squares(Columns src, Rows dst,
                                                             std::int64_t rows, std::int64_t lines,
                                                             bool staged) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t n = 16 / kWidth;
  constexpr std::int64_t kTile = kLine / kWidth;
  if (!staged) {
    for (std::int64_t r = 0;; r = next_square(r, n, rows)) {
      for (std::int64_t line = 0; line < lines; ++line) {
        stream_square<W>(src.from(line * kTile, r * kWidth), dst.from(r, line * kLine));
      }
      if (r + n >= rows) return;
    }
  }
  alignas(kLine) std::byte stage[static_cast<std::size_t>(kMostLines * kTile * kLine)];
  for (std::int64_t r = 0; r < rows; r += kTile) {
    const Stretch part(r, rows, kTile, n);
    if (r + 2 * kTile <= rows) prefetch_columns(src.from(0, (r + kTile) * kWidth), lines * kTile);
    stage_columns(stage, src.from(0, part.first * kWidth), lines * kTile, part.count * kWidth);
    for (std::int64_t i = 0;; i = next_square(i, n, part.count)) {
      for (std::int64_t line = 0; line < lines; ++line) {
        stream_square<W>(Steps<const std::byte>{stage + line * kTile * kLine + i * kWidth, kLine},
                         dst.from(part.first + i, line * kLine));
      }
      if (i + n >= part.count) break;
    }
  }
}

// How a block is streamed.
struct Streaming {
  std::int64_t head;   // columns before the first line of a row
  std::int64_t lines;  // written side by side
  bool staged;
};

// Lines side by side: several where rows or columns are close to each other, or where rows meet in
// one place of the memory; else so few that their columns are streams that the processor foresees.
// Measured in bench/README.md.
template <std::size_t W>
[[nodiscard]] Streaming choose_streaming(const Block& block, std::int64_t head_bytes) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  Streaming way{head_bytes / kWidth, W >= 8 ? 2 : 1,
                W < 16 && thrash(block.src_column_bytes, kLine / kWidth)};
  if (block.dst_row_bytes % 4096 == 0) way.lines = W >= 8 ? 4 : kMostLines;
  if (block.dst_row_bytes <= 2048 || block.src_column_bytes <= 1024) way.lines = 4;
  return way;
}

// Past the caches where all destination rows lie alike to the lines: the head, whole lines, and
// what is left, each down the source's columns.
template <std::size_t W, class Columns, class Rows>
STRIDED_INLINE void stream_down(const Columns& src, const Rows& dst, std::int64_t rows,
                                std::int64_t columns, const Streaming& way) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kColumns = kLine / kWidth;
  std::int64_t c = way.head < columns ? way.head : columns;
  if (c > 0) transpose_tile<W>(src, dst, rows, c);
  while (c + kColumns <= columns) {
    const std::int64_t left = (columns - c) / kColumns;
    const std::int64_t lines = left < way.lines ? left : way.lines;
    stream_squares<W>(src.from(c, 0), dst.from(0, c * kWidth), rows, lines, way.staged);
    c += lines * kColumns;
  }
  if (c < columns) transpose_tile<W>(src.from(c, 0), dst.from(0, c * kWidth), rows, columns - c);
}

// The same where loops are folded, as many rows at a time as there is room to list their places.
template <std::size_t W>
STRIDED_TARGET __attribute__((noinline)) void stream_folded(const std::byte* src, std::byte* dst,
                                                            const Chain& all_rows,
                                                            const Chain& all_columns,
                                                            Streaming way) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kListed = 512;
  std::int64_t src_columns[static_cast<std::size_t>(kListed)];
  std::int64_t dst_rows[static_cast<std::size_t>(kListed)];
  for (std::int64_t r = 0; r < all_rows.size(); r += kListed) {
    const Stretch rows(r, all_rows.size(), kListed, 16 / kWidth);
    all_rows.places(rows.first, rows.count, dst_rows);
    Streaming here = way;
    for (std::int64_t c = 0; c < all_columns.size();) {
      const Stretch columns(c, all_columns.size(), here.head > 0 ? here.head : kListed, 0);
      all_columns.places(c, columns.count, src_columns);
      stream_down<W>(Places<const std::byte>{src + rows.first * kWidth, src_columns},
                     Places<std::byte>{dst + c * kWidth, dst_rows}, rows.count, columns.count,
                     here);
      here.head = 0;
      c += columns.count;
    }
  }
}

// Past the caches where every destination row lies differently to the lines: along the rows, each
// turned to a buffer that lies as its row does. What does not fill a line stays in the buffer until
// the next tile completes it.
template <std::size_t W>
STRIDED_TARGET __attribute__((noinline)) void stream_across(const std::byte* src, std::byte* dst,
                                                            const Chain& all_rows,
                                                            const Chain& all_columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = kWidth < 4 ? 128 : 8 * kLine / kWidth;
  constexpr std::int64_t kColumns = 8 * kLine / kWidth;
  constexpr std::int64_t kPitch = 9 * kLine;
  alignas(kLine) std::byte turned[static_cast<std::size_t>(kRows * kPitch)];
  std::int64_t src_columns[static_cast<std::size_t>(kColumns)];
  std::int64_t dst_rows[static_cast<std::size_t>(kRows)];
  std::int64_t turned_rows[static_cast<std::size_t>(kRows)];
  for (std::int64_t r = 0; r < all_rows.size(); r += kRows) {
    const Stretch rows(r, all_rows.size(), kRows, 16 / kWidth);
    all_rows.places(rows.first, rows.count, dst_rows);
    for (std::int64_t i = 0; i < rows.count; ++i) {
      turned_rows[i] = i * kPitch + bytes_past_line(dst + dst_rows[i]);
    }
    for (std::int64_t c = 0; c < all_columns.size(); c += kColumns) {
      const Stretch columns(c, all_columns.size(), kColumns, 0);
      all_columns.places(c, columns.count, src_columns);
      transpose_tile<W>(Places<const std::byte>{src + rows.first * kWidth, src_columns},
                        Places<std::byte>{turned, turned_rows}, rows.count, columns.count);
      const bool is_last = c + kColumns >= all_columns.size();
      for (std::int64_t i = 0; i < rows.count; ++i) {
        std::byte* const buffer = turned + i * kPitch;
        const std::int64_t past = turned_rows[i] - i * kPitch;  // bytes before the row's first
        const std::int64_t end = past + columns.count * kWidth;
        std::byte* const to = dst + dst_rows[i] + c * kWidth - past;
        const std::int64_t at = stream_filled(to, buffer, c == 0 ? past : 0, end);
        if (is_last) {
          move_short(to + at, buffer + at, end - at);
        } else {
          move_line(buffer, buffer + at);
        }
      }
    }
  }
}
