// Transposes by way of a stage: whole lines are read, and whole lines leave, each once.

// n rows by one line of the destination, all of a line's pieces at once; past the caches or through
// them.
template <std::size_t W, bool Past, class Columns, class Rows>
STRIDED_INLINE void turn_lines(const Columns& src, const Rows& dst) {
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
      put<Past>(dst.at(i) + piece * kStep, r[piece][i]);
    }
  }
}

// A tile of several lines either way: a piece of each source column is read at once to a stage, and
// leaves it row by row. Neither where rows and columns lie nor how many there are matters then.
template <std::size_t W, bool Past>
struct StagedTile {
  static constexpr auto kWidth = static_cast<std::int64_t>(W);
  static constexpr std::int64_t kSquare = 16 / kWidth;
  static constexpr std::int64_t kLineColumns = kLine / kWidth;
  static constexpr std::int64_t kColumns = staged_columns(kWidth);
  static constexpr std::int64_t kColumnBytes = staged_column_bytes(kWidth);
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

  // `count` rows from `row` on, whole squares, of whole lines that lie where lines do.
  STRIDED_INLINE void write_group(const Places<std::byte>& dst, std::int64_t row,
                                  std::int64_t count, std::int64_t columns) const {
    for (std::int64_t c = 0;; c = next_square(c, kLineColumns, columns)) {
      for (std::int64_t i = 0; i < count; i += kSquare) {
        turn_lines<W, Past>(Steps<const std::byte>{stage + c * kPitch + (row + i) * kWidth, kPitch},
                            dst.from(i, c * kWidth));
      }
      if (c + kLineColumns >= columns) return;
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
    transpose_squares<W, kVectorBytes>(Steps<const std::byte>{stage + row * kWidth, kPitch},
                                       Places<std::byte>{turned, starts},
                                       (count + kSquare - 1) / kSquare * kSquare,
                                       (columns + kLineColumns - 1) / kLineColumns * kLineColumns);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* const buffer = turned + i * kRowPitch;
      const std::int64_t past = starts[i] - i * kRowPitch;  // bytes before this tile's
      const std::int64_t end = past + columns * kWidth;
      std::byte* const to = dst.at(i) - past;
      const std::int64_t at = write_filled<Past>(to, buffer, is_first ? past : 0, end);
      if (is_last) {
        move_short(to + at, buffer + at, end - at);
      } else {
        move_line(pending + (row + i) * kLine, buffer + at);
      }
    }
  }
};

// In such tiles, along the rows; `Past` the caches or through them. `direct`: from the stage to
// wherever rows lie, no line waits for the next tile, and the last tiles do some elements twice.
template <std::size_t W, bool Past>
STRIDED_TARGET __attribute__((noinline)) void transpose_tiles(const std::byte* src, std::byte* dst,
                                                              const Chain& all_rows,
                                                              const Chain& all_columns,
                                                              bool direct) {
  using Tile = StagedTile<W, Past>;
  Tile tile;
  std::int64_t src_columns[static_cast<std::size_t>(Tile::kColumns + Tile::kAhead)];
  std::int64_t dst_rows[static_cast<std::size_t>(Tile::kRows)];
  const std::int64_t past = bytes_past_line(dst);
  const bool alike = Past && all_rows.keeps_phase(kLine) && past % Tile::kWidth == 0;
  const std::int64_t shift = alike ? past / Tile::kWidth : 0;  // the other tiles begin with a line
  const std::int64_t least_rows = direct ? Tile::kGroup : 0;
  const std::int64_t least_columns = direct ? Tile::kLineColumns : 0;
  for (std::int64_t r = 0; r < all_rows.size(); r += Tile::kRows) {
    const Stretch rows(r, all_rows.size(), Tile::kRows, least_rows);
    all_rows.places(rows.first, rows.count, dst_rows);
    for (std::int64_t c = 0; c < all_columns.size();) {
      const bool is_first = c == 0;
      const std::int64_t most = Tile::kColumns - (is_first ? shift : 0);
      const Stretch columns(c, all_columns.size(), most, least_columns);
      c += most;
      const Stretch listed(columns.first, all_columns.size(), columns.count + Tile::kAhead, 0);
      all_columns.places(columns.first, listed.count, src_columns);
      tile.read(src + rows.first * Tile::kWidth, src_columns, columns.count, listed.count,
                rows.count * Tile::kWidth);
      const bool whole =
          direct || (alike && (!is_first || shift == 0) && columns.count % Tile::kLineColumns == 0);
      for (std::int64_t i = 0; i < rows.count; i += Tile::kGroup) {
        const Stretch group(i, rows.count, Tile::kGroup, least_rows);
        const Places<std::byte> to{dst + columns.first * Tile::kWidth, dst_rows + group.first};
        if (whole && group.count % Tile::kSquare == 0) {
          tile.write_group(to, group.first, group.count, columns.count);
        } else {
          tile.gather_group(to, group.first, group.count, columns.count, is_first,
                            c >= all_columns.size());
        }
      }
    }
  }
}
