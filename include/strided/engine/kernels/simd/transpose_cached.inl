// Transposes within the caches.

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

// Steps a few bytes off a multiple of 1 KiB: what is read of a tile and what was written of it have
// the same last 10 to 12 bits in their addresses, and processors take the one for the other.
[[nodiscard]] constexpr bool is_mistaken(std::int64_t step_bytes) noexcept {
  const std::int64_t off = (step_bytes + 7) % 1024;
  return off <= 14 && off != 7;
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
