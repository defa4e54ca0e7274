// Transposes within the caches.

// Below so many bytes, lines are in a cache so close by that asking for them ahead costs more than
// it saves, up to a seventh.
inline constexpr std::int64_t kNearBytes = std::int64_t{256} << 10;

// Through the caches: tiles of one line either way.
template <std::size_t W>
STRIDED_KERNEL void transpose_plain(const std::byte* src, std::byte* dst, const Block& block) {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  constexpr std::int64_t kTile = kLine / kWidth;
  const Steps<const std::byte> all_columns{src, block.src_column_bytes};
  const Steps<std::byte> all_rows{dst, block.dst_row_bytes};
  const bool down = goes_down(block);
  const bool ask = block.rows * block.columns * kWidth >= kNearBytes;
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
    if (ask && !is_last) {
      const std::int64_t rest = block.columns - c;
      prefetch_columns(all_columns.from(c, r * kWidth), rest < kTile ? rest : kTile);
    }
    transpose_tile<W>(all_columns.from(columns.first, rows.first * kWidth),
                      all_rows.from(rows.first, columns.first * kWidth), rows.count, columns.count);
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
