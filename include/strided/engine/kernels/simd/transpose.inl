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

// Where the rows or the columns of a tile start: a fixed step apart, or each at a place of its own.
template <class Byte>
struct Steps {
  Byte* base;
  std::int64_t step_bytes;

  STRIDED_INLINE Byte* at(std::int64_t i) const { return base + i * step_bytes; }
  STRIDED_INLINE Steps from(std::int64_t first, std::int64_t bytes) const {
    return {base + first * step_bytes + bytes, step_bytes};
  }
};
template <class Byte>
struct Places {
  Byte* base;
  const std::int64_t* places;

  STRIDED_INLINE Byte* at(std::int64_t i) const { return base + places[i]; }
  STRIDED_INLINE Places from(std::int64_t first, std::int64_t bytes) const {
    return {base + bytes, places + first};
  }
};

// One vector from 16 bytes of every n-th column.
template <std::size_t Bytes, class Columns>
STRIDED_INLINE Vector<8, Bytes> load_columns(const Columns& src, std::int64_t first,
                                             std::int64_t n) {
  if constexpr (Bytes == 16) {
    return load<Lane>(src.at(first));
  } else {
    return join(load_columns<Bytes / 2>(src, first, n),
                load_columns<Bytes / 2>(src, first + static_cast<std::int64_t>(Bytes / 32) * n, n));
  }
}

// n rows (16 bytes of a source line each) by Bytes / W columns (Bytes of a destination line).
template <std::size_t W, std::size_t Bytes, class Columns, class Rows>
STRIDED_INLINE void transpose_square(const Columns& src, const Rows& dst) {
  constexpr std::int64_t n = 16 / static_cast<std::int64_t>(W);
  Vector<8, Bytes> r[16 / W];
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < n; ++i) r[i] = load_columns<Bytes>(src, i, n);
  if constexpr (n > 1) transpose_registers<W>(r);
#pragma GCC unroll 16
  for (std::int64_t i = 0; i < n; ++i) store(dst.at(i), r[i]);
}

// In which order a tile is done: down its rows first, which reads few source lines at a time, or
// across its columns first, which completes a line of the destination before the next.
enum class Order : std::uint8_t { down, across };

// Where the next square begins; the last one is moved back so that it ends with the tile.
[[nodiscard]] constexpr std::int64_t next_square(std::int64_t at, std::int64_t step,
                                                 std::int64_t size) noexcept {
  return at + 2 * step <= size ? at + step : size - step;
}

// Whole squares; the last ones do some elements twice. At least n rows and Bytes / W columns.
// Leaving the loops at their ends, not at their tops, is up to a third faster.
template <std::size_t W, std::size_t Bytes, Order O, class Columns, class Rows>
STRIDED_TARGET __attribute__((noinline)) void transpose_squares(Columns src, Rows dst,
                                                                std::int64_t rows,
                                                                std::int64_t columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = 16 / kWidth;
  constexpr std::int64_t kColumns = static_cast<std::int64_t>(Bytes) / kWidth;
  if constexpr (O == Order::down) {
    for (std::int64_t c = 0;; c = next_square(c, kColumns, columns)) {
      for (std::int64_t r = 0;; r = next_square(r, kRows, rows)) {
        transpose_square<W, Bytes>(src.from(c, r * kWidth), dst.from(r, c * kWidth));
        if (r + kRows >= rows) break;
      }
      if (c + kColumns >= columns) break;
    }
  } else {
    for (std::int64_t r = 0;; r = next_square(r, kRows, rows)) {
      for (std::int64_t c = 0;; c = next_square(c, kColumns, columns)) {
        transpose_square<W, Bytes>(src.from(c, r * kWidth), dst.from(r, c * kWidth));
        if (c + kColumns >= columns) break;
      }
      if (r + kRows >= rows) break;
    }
  }
}

// A tile of any size: the widest squares that fit, one element at a time where none does.
template <std::size_t W, Order O = Order::down, class Columns, class Rows>
STRIDED_INLINE void transpose_tile(Columns src, Rows dst, std::int64_t rows, std::int64_t columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t n = 16 / kWidth;
  if (rows >= n && columns >= n * kLanes) {
    transpose_squares<W, kVectorBytes, O>(src, dst, rows, columns);
  } else if (rows >= n && columns >= n) {
    transpose_squares<W, 16, O>(src, dst, rows, columns);
  } else {
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < columns; ++c) {
        std::memcpy(dst.at(r) + c * kWidth, src.at(c) + r * kWidth, W);
      }
    }
  }
}

// The next stretch of a loop: `most` of what is left; if that is less than `least`, the last
// `least`, some of them for the second time.
struct Stretch {
  std::int64_t first;
  std::int64_t count;

  Stretch(std::int64_t from, std::int64_t size, std::int64_t most, std::int64_t least) noexcept
      : first(from), count(size - from < most ? size - from : most) {
    if (count < least && size >= least) {
      first = size - least;
      count = least;
    }
  }
};

// Asks for a line of each column, to be there when the next tile needs it.
template <class Columns>
STRIDED_INLINE void prefetch_columns(const Columns& src, std::int64_t columns) {
  for (std::int64_t c = 0; c < columns; ++c) __builtin_prefetch(src.at(c));
}

// The lines of a tile's columns side by side, each read at once.
template <class Columns>
STRIDED_INLINE void stage_columns(std::byte* stage, const Columns& src, std::int64_t columns,
                                  std::int64_t bytes) {
  for (std::int64_t c = 0; c < columns; ++c, stage += kLine) {
    if (bytes != kLine) {
      move_short(stage, src.at(c), bytes);
      continue;
    }
    move_line(stage, src.at(c));
  }
}

// Steps a few bytes off a multiple of 1 KiB: what is read of a tile and what was written of it have
// the same last 10 to 12 bits in their addresses, and processors take the one for the other.
[[nodiscard]] constexpr bool is_mistaken(std::int64_t step_bytes) noexcept {
  const std::int64_t off = (step_bytes + 7) % 1024;
  return off <= 14 && off != 7;
}

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

// Through the caches: tiles of one line either way, along the longer side. Where the lines of a
// tile evict each other, each is read at once to where they do not, and each line of the
// destination is completed at once.
template <std::size_t W>
STRIDED_KERNEL void transpose_plain(const std::byte* src, std::byte* dst, const Block& block) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kTile = kLine / kWidth;
  const Steps<const std::byte> all_columns{src, block.src_column_bytes};
  const Steps<std::byte> all_rows{dst, block.dst_row_bytes};
  alignas(kLine) std::byte stage[W < 16 ? static_cast<std::size_t>(kTile * kLine) : 1];
  const bool staged = W < 16 && (thrash(block.src_column_bytes, kTile) ||
                                 (kStep < kLine && thrash(block.dst_row_bytes, kTile)));
  const bool down = block.rows >= block.columns;
  std::int64_t r = 0;
  std::int64_t c = 0;
  for (;;) {
    const Stretch rows(r, block.rows, kTile, 16 / kWidth);
    const Stretch columns(c, block.columns, kTile, kStep / kWidth);
    // The next tile is known before this one is done, so that its lines can be asked for.
    std::int64_t& inner = down ? r : c;
    std::int64_t& outer = down ? c : r;
    inner += kTile;
    if (inner >= (down ? block.rows : block.columns)) {
      inner = 0;
      outer += kTile;
    }
    const bool is_last = outer >= (down ? block.columns : block.rows);
    if (!is_last) {
      const std::int64_t rest = block.columns - c;
      prefetch_columns(all_columns.from(c, r * kWidth), rest < kTile ? rest : kTile);
    }
    const Steps<const std::byte> from = all_columns.from(columns.first, rows.first * kWidth);
    const Steps<std::byte> to = all_rows.from(rows.first, columns.first * kWidth);
    if (staged) {
      stage_columns(stage, from, columns.count, rows.count * kWidth);
      transpose_tile<W, Order::across>(Steps<const std::byte>{stage, kLine}, to, rows.count,
                                       columns.count);
    } else {
      transpose_tile<W>(from, to, rows.count, columns.count);
    }
    if (is_last) return;
  }
}

// The same where loops are folded.
template <std::size_t W>
STRIDED_TARGET __attribute__((noinline)) void transpose_folded(const std::byte* src, std::byte* dst,
                                                               const Chain& all_rows,
                                                               const Chain& all_columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = kLine / kWidth;
  constexpr std::int64_t kColumns = 2 * kLine / kWidth;
  std::int64_t src_columns[static_cast<std::size_t>(kColumns)];
  std::int64_t dst_rows[static_cast<std::size_t>(kRows)];
  for (std::int64_t c = 0; c < all_columns.size(); c += kColumns) {
    const Stretch columns(c, all_columns.size(), kColumns, kStep / kWidth);
    all_columns.places(columns.first, columns.count, src_columns);
    for (std::int64_t r = 0; r < all_rows.size(); r += kRows) {
      const Stretch rows(r, all_rows.size(), kRows, 16 / kWidth);
      all_rows.places(rows.first, rows.count, dst_rows);
      const Places<const std::byte> from{src + rows.first * kWidth, src_columns};
      if (r + kRows < all_rows.size()) prefetch_columns(from.from(0, kLine), columns.count);
      transpose_tile<W>(from, Places<std::byte>{dst + columns.first * kWidth, dst_rows}, rows.count,
                        columns.count);
    }
  }
}

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

// Where what is read is mistaken for what was written: tiles of one source line by four of the
// destination, turned in memory that stays in the first cache.
template <std::size_t W>
STRIDED_TARGET __attribute__((noinline)) void transpose_turned(const std::byte* src, std::byte* dst,
                                                               const Block& block) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = kLine / kWidth;
  constexpr std::int64_t kPitch = 4 * kLine;
  constexpr std::int64_t kColumns = kPitch / kWidth;
  alignas(kLine) std::byte turned[static_cast<std::size_t>(kRows * kPitch)];
  const Steps<const std::byte> all_columns{src, block.src_column_bytes};
  const Steps<std::byte> all_rows{dst, block.dst_row_bytes};
  for (std::int64_t c = 0; c < block.columns; c += kColumns) {
    const Stretch columns(c, block.columns, kColumns, 0);
    for (std::int64_t r = 0; r < block.rows; r += kRows) {
      const Stretch rows(r, block.rows, kRows, 16 / kWidth);
      const Steps<const std::byte> from = all_columns.from(c, rows.first * kWidth);
      if (r + 3 * kRows <= block.rows) prefetch_columns(from.from(0, 2 * kLine), columns.count);
      transpose_tile<W>(from, Steps<std::byte>{turned, kPitch}, rows.count, columns.count);
      for (std::int64_t i = 0; i < rows.count; ++i) {
        move_run(all_rows.at(rows.first + i) + c * kWidth, turned + i * kPitch,
                 columns.count * kWidth);
      }
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

// Which of these ways.
template <std::size_t W>
STRIDED_KERNEL void transpose(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  const bool folded = block.row_folds + block.column_folds > 0;
  if (!block.streaming && !folded) {
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
