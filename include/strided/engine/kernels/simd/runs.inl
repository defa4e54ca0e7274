// Runs of any length, and broadcasts: contiguous bytes on the destination's side.

template <class V>
STRIDED_INLINE void move_pairs(const std::byte* src, std::byte* dst, const Block& block) {
  const std::int64_t run = block.run_bytes;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* from = src + r * block.src_row_bytes;
    std::byte* to = dst + r * block.dst_row_bytes;
    for (std::int64_t c = 0; c < block.columns; ++c) {
      move_pair<V>(to, from, run);
      from += block.src_column_bytes;
      to += block.dst_column_bytes;
    }
  }
}

// Registers from the start, the last one moved back to end with the run. At least one register.
template <class = void>
STRIDED_INLINE void move_long(std::byte* to, const std::byte* from, std::int64_t bytes) {
  std::int64_t at = 0;
  for (; at + 4 * kStep <= bytes; at += 4 * kStep) {
    const Full a = load<Full>(from + at);
    const Full b = load<Full>(from + at + kStep);
    const Full c = load<Full>(from + at + 2 * kStep);
    const Full d = load<Full>(from + at + 3 * kStep);
    store(to + at, a);
    store(to + at + kStep, b);
    store(to + at + 2 * kStep, c);
    store(to + at + 3 * kStep, d);
  }
  for (; at + kStep <= bytes; at += kStep) store(to + at, load<Full>(from + at));
  if (at < bytes) store(to + bytes - kStep, load<Full>(from + bytes - kStep));
}

// Runs that are dense in the destination, past the caches: gathered in memory that stays in the
// first cache and lies to the lines as the destination does, so that whole lines leave. Source runs
// that are far apart are asked for some columns ahead: at their distances no processor foresees
// them. V as for pack_row; runs longer than that are moved one by one anyway.
template <class V>
STRIDED_TARGET __attribute__((noinline)) void stream_gathered(const std::byte* src, std::byte* dst,
                                                              const Block& block) {
  constexpr std::int64_t kFull = 32 * kLine;
  constexpr std::int64_t kAhead = 8;
  const std::int64_t run = block.run_bytes;
  const bool packed =
      static_cast<std::int64_t>(sizeof(V)) >= run && is_near(block.src_column_bytes);
  const Packing packing(run, block.src_column_bytes);
  const bool rows_continue = block.dst_row_bytes == block.columns * run;
  alignas(kLine) std::byte gathered[static_cast<std::size_t>(kFull + kGatheredRun)];
  std::int64_t past = 0;  // bytes before the first one, which are not ours to write
  std::int64_t end = 0;
  std::byte* to = nullptr;
  const auto flush = [&]() STRIDED_TARGET {
    const std::int64_t at = stream_filled(to, gathered, past, end);
    move_line(gathered, gathered + at);
    to += at;
    end -= at;
    past = 0;
  };
  for (std::int64_t r = 0; r < block.rows; ++r) {
    if (r == 0 || !rows_continue) {
      past = end = bytes_past_line(dst + r * block.dst_row_bytes);
      to = dst + r * block.dst_row_bytes - past;
    }
    const std::byte* from = src + r * block.src_row_bytes;
    for (std::int64_t c = 0; c < block.columns;) {
      if (packed) {
        const std::int64_t room = (kFull - end + run - 1) / run;
        const std::int64_t n = block.columns - c < room ? block.columns - c : room;
        pack_row<V>(gathered + end, from, n, packing);
        end += n * run;
        from += n * block.src_column_bytes;
        c += n;
      } else {
        if (c + kAhead < block.columns) {
          const std::byte* ahead = from + kAhead * block.src_column_bytes;
          for (std::int64_t line = 0; line < run; line += kLine) __builtin_prefetch(ahead + line);
        }
        move_run(gathered + end, from, run);
        end += run;
        from += block.src_column_bytes;
        ++c;
      }
      if (end >= kFull) flush();
    }
    if (r + 1 < block.rows && rows_continue) continue;
    flush();
    move_short(to, gathered, end);
  }
}

inline constexpr std::int64_t kLibraryRun = 4096;  // from here on memcpy is as good as anything

// Dense in the destination, at most as long as V.
template <class V>
STRIDED_INLINE void move_packed(const std::byte* src, std::byte* dst, const Block& block,
                                bool gathered) {
  if (gathered) {
    stream_gathered<V>(src, dst, block);
  } else {
    pack<V>(src, dst, block);
  }
}

template <class = void>
STRIDED_KERNEL void move_runs(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const std::int64_t run = block.run_bytes;
  const bool splits_lines = run % kLine != 0 || bytes_past_line(dst) != 0;
  const bool dense = block.dst_column_bytes == run;
  const bool gathered = block.streaming && splits_lines && dense && run <= kGatheredRun;
  if (dense && run > 2) {
    if (run <= 4) return move_packed<std::uint32_t>(src, dst, block, gathered);
    if (run <= 8) return move_packed<std::uint64_t>(src, dst, block, gathered);
    if (run <= 16) return move_packed<Lane>(src, dst, block, gathered);
    if constexpr (kVectorBytes >= 32) {
      if (run <= 32) return move_packed<Vector<8, 32>>(src, dst, block, gathered);
    }
    if constexpr (kVectorBytes >= 64) {
      if (run <= 64) return move_packed<Full>(src, dst, block, gathered);
    }
  }
  if (gathered) return stream_gathered<std::uint8_t>(src, dst, block);
  if (run < 4) return move_pairs<std::uint16_t>(src, dst, block);
  if (run < 8) return move_pairs<std::uint32_t>(src, dst, block);
  if (run < 16) return move_pairs<std::uint64_t>(src, dst, block);
  if (run < 32) return move_pairs<Lane>(src, dst, block);
  if constexpr (kVectorBytes >= 32) {
    if (run <= 64) return move_pairs<Vector<8, 32>>(src, dst, block);
  }
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* from = src + r * block.src_row_bytes;
    std::byte* to = dst + r * block.dst_row_bytes;
    for (std::int64_t c = 0; c < block.columns; ++c) {
      if (block.streaming) {
        stream_run(to, from, run);
      } else if (run >= kLibraryRun) {
        std::memcpy(to, from, static_cast<std::size_t>(run));
      } else {
        move_long(to, from, run);
      }
      from += block.src_column_bytes;
      to += block.dst_column_bytes;
    }
  }
}

// Every byte of a register from one element of W bytes.
template <std::size_t W>
STRIDED_INLINE Full splat(const std::byte* element) {
  if constexpr (W == 16) {
    return load_lanes(element, 0);
  } else {
    return reinterpret_cast<Full>(Vector<W>{} + load<typename UnsignedOf<W>::type>(element));
  }
}

template <class V>
STRIDED_INLINE void store_pair(std::byte* to, V value, std::int64_t bytes) {
  store(to, value);
  store(to + bytes - static_cast<std::int64_t>(sizeof(V)), value);
}
// `bytes` bytes, less than a register, of one repeated element: any piece of it is like any other.
template <std::size_t W>
STRIDED_INLINE void store_short(std::byte* to, Full value, std::int64_t bytes) {
  const Lane lane = lane_of<0>(value, std::make_index_sequence<2>());
  const std::uint64_t eight = lane[0];
  if (bytes >= 32) {
    store_pair(to, lane, 32);
    store_pair(to + bytes - 32, lane, 32);
  } else if (bytes >= 16) {
    store_pair(to, lane, bytes);
  } else if (bytes >= 8) {
    store_pair(to, eight, bytes);
  } else if (bytes >= 4) {
    store_pair(to, static_cast<std::uint32_t>(eight), bytes);
  } else if (bytes >= 2) {
    store_pair(to, static_cast<std::uint16_t>(eight), bytes);
  } else {
    store(to, static_cast<std::uint8_t>(eight));
  }
}

// Each row is one element, repeated: the source stays, the destination is dense.
template <std::size_t W>
STRIDED_KERNEL void broadcast(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const std::int64_t bytes = block.columns * static_cast<std::int64_t>(W);
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const Full value = splat<W>(src + r * block.src_row_bytes);
    std::byte* to = dst + r * block.dst_row_bytes;
    if (bytes < kStep) {
      store_short<W>(to, value, bytes);
      continue;
    }
    std::int64_t at = 0;
    if (block.streaming) {
      store(to, value);  // up to the first whole register, in steps of whole elements
      const auto past =
          static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % kVectorBytes);
      at = past == 0 ? 0 : kStep - past;
      const bool whole = at % static_cast<std::int64_t>(W) == 0;
      if (!whole) at = 0;
      for (; whole && at + kStep <= bytes; at += kStep) stream_native(to + at, value);
    }
    for (; at + kStep <= bytes; at += kStep) store(to + at, value);
    store(to + bytes - kStep, value);
  }
}
