// Dense rows of the destination, gathered to whole lines where they leave past the caches.

// A row of the destination that is gathered in memory that stays in the first cache and lies to the
// lines as the row does, so that whole lines leave.
struct Gathered {
  static constexpr std::int64_t kFull = 32 * kLine;

  std::byte* to = nullptr;  // the start of a line
  std::int64_t past = 0;    // bytes before the first one, which are not ours to write
  std::int64_t end = 0;
  alignas(kLine) std::byte bytes[static_cast<std::size_t>(kFull + kGatheredRun)];

  STRIDED_INLINE void begin(std::byte* row) {
    past = end = bytes_past_line(row);
    to = row - past;
  }
  STRIDED_INLINE void flush() {
    const std::int64_t at = write_filled<true>(to, bytes, past, end);
    move_line(bytes, bytes + at);
    to += at;
    end -= at;
    past = 0;
  }
  STRIDED_INLINE void finish() {
    flush();
    move_short(to, bytes, end);
  }
};

// Rows that `row(to, from, columns)` writes: `columns` blocks of block_bytes, not a byte more. Past
// the caches they are gathered first.
template <class Row>
STRIDED_INLINE void move_rows(const std::byte* src, std::byte* dst, const Block& block,
                              std::int64_t block_bytes, const Row& row) {
  if (!block.streaming) {
    for (std::int64_t r = 0; r < block.rows; ++r) {
      row(dst + r * block.dst_row_bytes, src + r * block.src_row_bytes, block.columns);
    }
    return;
  }
  const bool rows_continue = block.dst_row_bytes == block.columns * block_bytes;
  Gathered gathered;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    if (r == 0 || !rows_continue) gathered.begin(dst + r * block.dst_row_bytes);
    const std::byte* from = src + r * block.src_row_bytes;
    for (std::int64_t c = 0; c < block.columns;) {
      const std::int64_t room = (Gathered::kFull - gathered.end + block_bytes - 1) / block_bytes;
      const std::int64_t n = block.columns - c < room ? block.columns - c : room;
      row(gathered.bytes + gathered.end, from + c * block.src_column_bytes, n);
      gathered.end += n * block_bytes;
      c += n;
      if (gathered.end >= Gathered::kFull) gathered.flush();
    }
    if (r + 1 == block.rows || !rows_continue) gathered.finish();
  }
}
