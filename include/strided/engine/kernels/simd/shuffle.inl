// Small blocks whose bytes are, in another order, a dense piece of the destination: mirrored
// pixels, pixels without their alpha, swapped bytes, small matrices transposed. As many blocks at a
// time as fit one shuffle, which is of a whole register where the instruction set has that, else of
// a lane.
#if STRIDED_MASKED_STORE
inline constexpr std::int64_t kUnit = kStep;
inline constexpr std::int64_t kUnits = 1;  // in a register
#else
inline constexpr std::int64_t kUnit = 16;
inline constexpr std::int64_t kUnits = kLanes;
#endif

// Blocks of block_bytes in the destination, step_bytes apart in the source. Offsets are from the
// start of the first block.
struct Shuffle {
  std::int64_t block_bytes;
  std::int64_t step_bytes;
  std::int64_t low = 0;       // where the lowest byte of a block is
  std::int64_t span;          // from there to behind the highest
  std::int64_t per_unit = 1;  // blocks at a time
  alignas(kLine) std::uint8_t order[static_cast<std::size_t>(kUnit)] = {};

  explicit Shuffle(const Block& block) noexcept
      : block_bytes(block.run_bytes), step_bytes(block.src_column_bytes), span(block.run_bytes) {
    std::int64_t place[static_cast<std::size_t>(kUnit)];
    for (std::int64_t b = 0; b < block_bytes; ++b) place[b] = b;
    for (int i = 0; i < block.column_folds; ++i) {
      const Fold& loop = block.column_fold[i];
      const std::int64_t all = block_bytes * loop.count;
      for (std::int64_t b = block_bytes; b < all; ++b) {
        place[b] = place[b - block_bytes] + loop.stride_bytes;
      }
      const std::int64_t reach = (loop.count - 1) * loop.stride_bytes;
      low += reach < 0 ? reach : 0;
      span += reach < 0 ? -reach : reach;
      block_bytes = all;
    }
    const std::int64_t apart = step_bytes < 0 ? -step_bytes : step_bytes;
    while ((per_unit + 1) * block_bytes <= kUnit && span + per_unit * apart <= kUnit) ++per_unit;
    for (std::int64_t k = 0; k < per_unit; ++k) {
      for (std::int64_t b = 0; b < block_bytes; ++b) {
        order[k * block_bytes + b] =
            static_cast<std::uint8_t>(place[b] + k * step_bytes - lowest_of(per_unit));
      }
    }
  }

  // Of `blocks` blocks.
  [[nodiscard]] std::int64_t lowest_of(std::int64_t blocks) const noexcept {
    return low + (step_bytes < 0 ? (blocks - 1) * step_bytes : 0);
  }
  [[nodiscard]] std::int64_t end_of(std::int64_t blocks) const noexcept {
    return low + span + (step_bytes > 0 ? (blocks - 1) * step_bytes : 0);
  }

  // Blocks at once, at most per_unit of them: not a byte more is read or written.
  STRIDED_INLINE void move_exactly(std::byte* to, const std::byte* from,
                                   std::int64_t blocks) const {
    alignas(kLine) std::byte unit[static_cast<std::size_t>(kLine)] = {};
    const std::int64_t lowest = lowest_of(blocks);
    move_short(unit + (lowest - lowest_of(per_unit)), from + lowest, end_of(blocks) - lowest);
    const auto* const places = reinterpret_cast<const std::byte*>(order);
#if STRIDED_MASKED_STORE
    store(unit, permute_native(load<Full>(unit), load<Full>(places)));
#else
    store(unit, shuffle_lane(load<Lane>(unit), load<Lane>(places)));
#endif
    move_short(to, unit, blocks * block_bytes);
  }

  // One row. Whole registers are read where the row has as many bytes left, on either end, and are
  // written where what is too much is written again.
  STRIDED_INLINE void operator()(std::byte* to, const std::byte* from, std::int64_t columns) const {
    const std::int64_t at_once = per_unit * kUnits;
    const std::int64_t lowest = lowest_of(per_unit);
    const std::int64_t unit_step = per_unit * step_bytes;
    const std::int64_t highest =
        end_of(columns) - kUnit - lowest - (step_bytes > 0 ? (kUnits - 1) * unit_step : 0);
    const std::int64_t last = columns * block_bytes - kUnit - (kUnits - 1) * per_unit * block_bytes;
    const auto exactly = [&](std::int64_t c) STRIDED_TARGET {
      const std::int64_t n = columns - c < per_unit ? columns - c : per_unit;
      move_exactly(to + c * block_bytes, from + c * step_bytes, n);
      return c + n;
    };
    std::int64_t c = 0;
    while (c < columns && step_bytes < 0 && c * step_bytes > highest) c = exactly(c);
    const auto* const index = reinterpret_cast<const std::byte*>(order);
    const Full places = kUnits == 1 ? load<Full>(index) : load_lanes(index, 0);
    // Kept in registers: members would be read again after each store.
    const std::int64_t read_step = at_once * step_bytes;
    const std::int64_t write_step = at_once * block_bytes;
    std::int64_t at = c * step_bytes;
    std::int64_t put = c * block_bytes;
    for (; at <= highest && put <= last; at += read_step, put += write_step) {
#if STRIDED_MASKED_STORE
      store(to + put, permute_native(load<Full>(from + at + lowest), places));
#else
      store_lanes(to + put, per_unit * block_bytes,
                  shuffle_native(load_lanes(from + at + lowest, unit_step), places));
#endif
      c += at_once;
    }
    while (c < columns) c = exactly(c);
  }
};

template <class = void>
STRIDED_KERNEL void shuffle(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const Shuffle row(block);
  move_rows(src, dst, block, row.block_bytes, row);
}
