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

// Lines of the destination, down columns of the source that are long streams, which the processor
// foresees where they are few. At least n rows.
template <std::size_t W, std::int64_t Lines>
STRIDED_TARGET __attribute__((noinline)) void stream_lines(Steps<const std::byte> src,
                                                           Steps<std::byte> dst,
                                                           std::int64_t rows) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t n = 16 / kWidth;
  for (std::int64_t r = 0;; r = next_square(r, n, rows)) {
#pragma GCC unroll 2
    for (std::int64_t line = 0; line < Lines; ++line) {
      stream_square<W>(src.from(line * kLine / kWidth, r * kWidth), dst.from(r, line * kLine));
    }
    if (r + n >= rows) return;
  }
}

// Past the caches where all destination rows lie alike to the lines, `head` columns before one.
template <std::size_t W>
STRIDED_TARGET __attribute__((noinline)) void stream_columns(const std::byte* src, std::byte* dst,
                                                             const Block& block,
                                                             std::int64_t head) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kLines = W >= 8 ? 2 : 1;
  constexpr std::int64_t kColumns = kLine / kWidth;
  const Steps<const std::byte> from{src, block.src_column_bytes};
  const Steps<std::byte> to{dst, block.dst_row_bytes};
  std::int64_t c = head < block.columns ? head : block.columns;
  if (c > 0) transpose_tile<W>(from, to, block.rows, c);
  for (; c + kLines * kColumns <= block.columns; c += kLines * kColumns) {
    stream_lines<W, kLines>(from.from(c, 0), to.from(0, c * kWidth), block.rows);
  }
  if (c < block.columns) {
    transpose_tile<W>(from.from(c, 0), to.from(0, c * kWidth), block.rows, block.columns - c);
  }
}

// A tile of several lines either way: a piece of each source column is read at once to a stage, and
// leaves it row by row. Neither where rows and columns lie nor how many there are matters then.
template <std::size_t W>
struct StreamedTile {
  static constexpr auto kWidth = static_cast<std::int64_t>(W);
  static constexpr std::int64_t kSquare = 16 / kWidth;
  static constexpr std::int64_t kLineColumns = kLine / kWidth;
  static constexpr std::int64_t kColumns = W <= 2 ? 256 : 128;
  static constexpr std::int64_t kColumnBytes = (W <= 2 ? 4 : 8) * kLine;
  static constexpr std::int64_t kRows = kColumnBytes / kWidth;
  static constexpr std::int64_t kPitch = kColumnBytes + kLine;  // columns evict each other without
  static constexpr std::int64_t kAhead = 16;                    // columns that are asked for
  static constexpr std::int64_t kGroup = kLineColumns < 16 ? kLineColumns : 16;  // rows
  static constexpr std::int64_t kRowPitch = kColumns * kWidth + kLine;

  alignas(kLine) std::byte stage[static_cast<std::size_t>(kColumns * kPitch)];
  alignas(kLine) std::byte turned[static_cast<std::size_t>(kGroup * kRowPitch)];
  alignas(kLine) std::byte pending[static_cast<std::size_t>(kRows * kLine)];  // unfinished lines

  // `bytes` bytes of each column, and the next ones asked for: `listed` places are known.
  STRIDED_INLINE void read(const std::byte* src, const std::int64_t* columns, std::int64_t count,
                           std::int64_t listed, std::int64_t bytes) {
    for (std::int64_t c = 0; c < count; ++c) {
      const std::byte* const from = src + columns[c];
      std::byte* const to = stage + c * kPitch;
      if (bytes == kColumnBytes) {
        for (std::int64_t at = 0; at < kColumnBytes; at += kLine) move_line(to + at, from + at);
      } else {
        move_run(to, from, bytes);
      }
      if (c + kAhead >= listed) continue;
      const std::byte* const ahead = src + columns[c + kAhead];
      for (std::int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(ahead + at);
    }
  }

  // kGroup rows from `row` on, of whole lines that lie where lines do.
  STRIDED_INLINE void stream_group(const Places<std::byte>& dst, std::int64_t row,
                                   std::int64_t columns) const {
    for (std::int64_t c = 0; c < columns; c += kLineColumns) {
      for (std::int64_t i = 0; i < kGroup; i += kSquare) {
        stream_square<W>(Steps<const std::byte>{stage + c * kPitch + (row + i) * kWidth, kPitch},
                         dst.from(i, c * kWidth));
      }
    }
  }

  // `count` of these rows, wherever they lie: turned to buffers that lie to the lines as their rows
  // do. What does not fill a line waits for the next tile, if there is one.
  STRIDED_INLINE void gather_group(const Places<std::byte>& dst, std::int64_t row,
                                   std::int64_t count, std::int64_t columns, bool is_first,
                                   bool is_last) {
    std::int64_t starts[static_cast<std::size_t>(kGroup)];
    for (std::int64_t i = 0; i < kGroup; ++i) {
      starts[i] = i * kRowPitch;
      if (i >= count) continue;
      starts[i] += bytes_past_line(dst.at(i));
      if (!is_first) move_line(turned + i * kRowPitch, pending + (row + i) * kLine);
    }
    // Whole squares: what is too much of them is turned, but never leaves.
    transpose_squares<W, kVectorBytes, Order::down>(
        Steps<const std::byte>{stage + row * kWidth, kPitch}, Places<std::byte>{turned, starts},
        kGroup, (columns + kLineColumns - 1) / kLineColumns * kLineColumns);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* const buffer = turned + i * kRowPitch;
      const std::int64_t past = starts[i] - i * kRowPitch;  // bytes before this tile's
      const std::int64_t end = past + columns * kWidth;
      std::byte* const to = dst.at(i) - past;
      const std::int64_t at = stream_filled(to, buffer, is_first ? past : 0, end);
      if (is_last) {
        move_short(to + at, buffer + at, end - at);
      } else {
        move_line(pending + (row + i) * kLine, buffer + at);
      }
    }
  }
};

// Past the caches in tiles, along the rows.
template <std::size_t W>
STRIDED_TARGET __attribute__((noinline)) void stream_tiles(const std::byte* src, std::byte* dst,
                                                           const Chain& all_rows,
                                                           const Chain& all_columns) {
  using Tile = StreamedTile<W>;
  Tile tile;
  std::int64_t src_columns[static_cast<std::size_t>(Tile::kColumns + Tile::kAhead)];
  std::int64_t dst_rows[static_cast<std::size_t>(Tile::kRows)];
  const std::int64_t past = bytes_past_line(dst);
  const bool alike = all_rows.keeps_phase(kLine) && past % Tile::kWidth == 0;
  const std::int64_t shift = alike ? past / Tile::kWidth : 0;  // the other tiles begin with a line
  for (std::int64_t r = 0; r < all_rows.size(); r += Tile::kRows) {
    const Stretch rows(r, all_rows.size(), Tile::kRows, 0);
    all_rows.places(r, rows.count, dst_rows);
    for (std::int64_t c = 0; c < all_columns.size();) {
      const bool is_first = c == 0;
      const Stretch columns(c, all_columns.size(), Tile::kColumns - (is_first ? shift : 0), 0);
      const Stretch listed(c, all_columns.size(), columns.count + Tile::kAhead, 0);
      all_columns.places(c, listed.count, src_columns);
      tile.read(src + r * Tile::kWidth, src_columns, columns.count, listed.count,
                rows.count * Tile::kWidth);
      const bool whole =
          alike && (!is_first || shift == 0) && columns.count % Tile::kLineColumns == 0;
      const bool is_last = c + columns.count == all_columns.size();
      for (std::int64_t i = 0; i < rows.count; i += Tile::kGroup) {
        const Stretch group(i, rows.count, Tile::kGroup, 0);
        const Places<std::byte> to{dst + c * Tile::kWidth, dst_rows + i};
        if (whole && group.count == Tile::kGroup) {
          tile.stream_group(to, i, columns.count);
        } else {
          tile.gather_group(to, i, group.count, columns.count, is_first, is_last);
        }
      }
      c += columns.count;
    }
  }
}
