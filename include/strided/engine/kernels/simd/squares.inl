// What transposes are made of: squares of 16-byte lanes, and tiles of squares.

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

// Where the next square begins; the last one is moved back so that it ends with the tile.
[[nodiscard]] constexpr std::int64_t next_square(std::int64_t at, std::int64_t step,
                                                 std::int64_t size) noexcept {
  return at + 2 * step <= size ? at + step : size - step;
}

// Whole squares, down the rows first, which reads few source lines at a time; the last ones do some
// elements twice. At least n rows and Bytes / W columns. Leaving the loops at their ends, not at
// their tops, is up to a third faster.
template <std::size_t W, std::size_t Bytes, class Columns, class Rows>
STRIDED_TARGET __attribute__((noinline)) void transpose_squares(Columns src, Rows dst,
                                                                std::int64_t rows,
                                                                std::int64_t columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kRows = 16 / kWidth;
  constexpr std::int64_t kColumns = static_cast<std::int64_t>(Bytes) / kWidth;
  for (std::int64_t c = 0;; c = next_square(c, kColumns, columns)) {
    for (std::int64_t r = 0;; r = next_square(r, kRows, rows)) {
      transpose_square<W, Bytes>(src.from(c, r * kWidth), dst.from(r, c * kWidth));
      if (r + kRows >= rows) break;
    }
    if (c + kColumns >= columns) break;
  }
}

// A tile of any size: the widest squares that fit, one element at a time where none does.
template <std::size_t W, class Columns, class Rows>
STRIDED_INLINE void transpose_tile(Columns src, Rows dst, std::int64_t rows, std::int64_t columns) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t n = 16 / kWidth;
  if (rows >= n && columns >= n * kLanes) {
    transpose_squares<W, kVectorBytes>(src, dst, rows, columns);
  } else if (rows >= n && columns >= n) {
    transpose_squares<W, 16>(src, dst, rows, columns);
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
