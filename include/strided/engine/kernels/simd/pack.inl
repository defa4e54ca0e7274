// Short runs that are dense in the destination, so that more than a run may be written at a time:
// what is too much is written again with the next run. The last ones are moved exactly.

[[nodiscard]] constexpr bool is_near(std::int64_t step_bytes) noexcept {
  return step_bytes > 0 && step_bytes < kNear;
}

// How many of `count` runs, `step` bytes apart, have at least `spare` bytes of the source behind
// them.
[[nodiscard]] constexpr std::int64_t count_with_spare(std::int64_t count, std::int64_t step_bytes,
                                                      std::int64_t spare) noexcept {
  if (spare == 0) return count;
  if (!is_near(step_bytes)) return 0;
  const std::int64_t without = (spare + step_bytes - 1) / step_bytes;
  return count > without ? count - without : 0;
}

// Rows of runs of run_bytes, step_bytes apart, V for a run: V is at least as long as the run, and
// less than twice as long.
template <class V>
struct Packed {
  std::int64_t run_bytes;
  std::int64_t step_bytes;

  STRIDED_INLINE void operator()(std::byte* to, const std::byte* from, std::int64_t columns) const {
    const std::int64_t spare = static_cast<std::int64_t>(sizeof(V)) - run_bytes;
    const std::int64_t wide = count_with_spare(columns, step_bytes, spare);
    std::int64_t c = 0;
    for (; c < wide; ++c) store(to + c * run_bytes, load<V>(from + c * step_bytes));
    for (; c < columns; ++c) move_short(to + c * run_bytes, from + c * step_bytes, run_bytes);
  }
};

// Rows that continue each other in the destination, all of their runs with bytes to spare. A known
// count is unrolled: windows of three are the common case.
template <class V, std::int64_t Columns>
STRIDED_INLINE void pack_rows(std::byte* to, const std::byte* from, std::int64_t rows,
                              const Block& block) {
  const std::int64_t columns = Columns > 0 ? Columns : block.columns;
  for (std::int64_t r = 0; r < rows; ++r) {
#pragma GCC unroll 4
    for (std::int64_t c = 0; c < columns; ++c) {
      store(to + c * block.run_bytes, load<V>(from + c * block.src_column_bytes));
    }
    from += block.src_row_bytes;
    to += block.dst_row_bytes;
  }
}

template <class V>
STRIDED_TARGET __attribute__((noinline)) void pack(const std::byte* src, std::byte* dst,
                                                   const Block& block) {
  const std::int64_t run = block.run_bytes;
  std::int64_t r = 0;
  if (!block.streaming && block.dst_row_bytes == block.columns * run) {
    r = count_with_spare(block.rows, block.src_row_bytes,
                         static_cast<std::int64_t>(sizeof(V)) - run);
    if (block.columns == 3) {
      pack_rows<V, 3>(dst, src, r, block);
    } else {
      pack_rows<V, 0>(dst, src, r, block);
    }
  }
  Block rest = block;
  rest.rows -= r;
  move_rows(src + r * block.src_row_bytes, dst + r * block.dst_row_bytes, rest, run,
            Packed<V>{run, block.src_column_bytes});
}
