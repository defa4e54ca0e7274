// Short runs that are dense in the destination, so that more than a run may be written at a time:
// what is too much is written again with the next run. The last ones are moved exactly.

// Steps up to this may be read across: see the decision on gaps in DESIGN.md.
inline constexpr std::int64_t kNear = 128;

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

// Runs of run_bytes, step_bytes apart. Several of them fit 16 bytes where the step is small: then
// `order` brings those together.
struct Packing {
  std::int64_t run_bytes;
  std::int64_t step_bytes;
  std::int64_t per_lane = 0;  // 0: one at a time
  alignas(16) std::uint8_t order[16] = {};

  Packing(std::int64_t run, std::int64_t step) noexcept : run_bytes(run), step_bytes(step) {
#if STRIDED_BYTE_SHUFFLE
    if (step < run || step > 8) return;
    per_lane = 16 / step;
    for (std::int64_t b = 0; b < 16; ++b) {
      const std::int64_t from = b / run * step + b % run;
      order[b] = static_cast<std::uint8_t>(b < per_lane * run ? from : 0x80);
    }
#endif
  }
};

// One row, V for a run: V is at least as long as the run, and less than twice as long.
template <class V>
STRIDED_INLINE void pack_row(std::byte* to, const std::byte* from, std::int64_t columns,
                             const Packing& packing) {
  const std::int64_t run = packing.run_bytes;
  const std::int64_t step = packing.step_bytes;
  std::int64_t c = 0;
#if STRIDED_BYTE_SHUFFLE
  if (packing.per_lane > 1) {
    const Full order = load_lanes(reinterpret_cast<const std::byte*>(packing.order), 0);
    const std::int64_t per_lane = packing.per_lane;
    for (; (columns - c - kLanes * per_lane) * run >= 16; c += kLanes * per_lane) {
      store_lanes(to + c * run, per_lane * run,
                  shuffle_native(load_lanes(from + c * step, per_lane * step), order));
    }
  }
#endif
  const std::int64_t wide =
      count_with_spare(columns, step, static_cast<std::int64_t>(sizeof(V)) - run);
  for (; c < wide; ++c) store(to + c * run, load<V>(from + c * step));
  for (; c < columns; ++c) move_short(to + c * run, from + c * step, run);
}

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
  const Packing packing(run, block.src_column_bytes);
  std::int64_t r = 0;
  if (packing.per_lane == 0 && block.dst_row_bytes == block.columns * run) {
    r = count_with_spare(block.rows, block.src_row_bytes,
                         static_cast<std::int64_t>(sizeof(V)) - run);
    if (block.columns == 3) {
      pack_rows<V, 3>(dst, src, r, block);
    } else {
      pack_rows<V, 0>(dst, src, r, block);
    }
  }
  for (; r < block.rows; ++r) {
    pack_row<V>(dst + r * block.dst_row_bytes, src + r * block.src_row_bytes, block.columns,
                packing);
  }
}
