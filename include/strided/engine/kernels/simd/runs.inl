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

// Runs of whole lines, past the caches, one column of all rows at a time. The source is asked for
// some columns ahead, unless one is so long that the processor foresees its lines.
template <class = void>
STRIDED_INLINE void stream_columns(const std::byte* src, std::byte* dst, const Block& block) {
  constexpr std::int64_t kAheadBytes = 64 * kLine;
  constexpr std::int64_t kLongBytes = 128 << 10;
  const std::int64_t bytes = block.rows * block.run_bytes;
  const std::int64_t ahead = bytes > kLongBytes        ? block.columns
                             : bytes < kAheadBytes / 2 ? kAheadBytes / bytes
                                                       : 2;
  for (std::int64_t c = 0; c < block.columns; ++c) {
    const bool ask = c + ahead < block.columns;
    const std::byte* from = src + c * block.src_column_bytes;
    std::byte* to = dst + c * block.dst_column_bytes;
    for (std::int64_t r = 0; r < block.rows; ++r) {
      for (std::int64_t line = 0; line < block.run_bytes; line += kLine) {
        if (ask) __builtin_prefetch(from + ahead * block.src_column_bytes + line);
        move_line<true>(to + line, from + line);
      }
      from += block.src_row_bytes;
      to += block.dst_row_bytes;
    }
  }
}

// The same, `at_once` columns of all rows at a time; some, walked side by side, are asked for some
// rows ahead.
template <class = void>
STRIDED_TARGET __attribute__((noinline)) void stream_lines(const std::byte* src, std::byte* dst,
                                                           const Block& block,
                                                           std::int64_t at_once) {
  constexpr std::int64_t kAhead = 8;
  if (at_once == 1) return stream_columns(src, dst, block);
  if (at_once == block.columns) {
    Block row = block;
    row.rows = 1;
    for (std::int64_t r = 0; r < block.rows; ++r) {
      stream_columns(src + r * block.src_row_bytes, dst + r * block.dst_row_bytes, row);
    }
    return;
  }
  for (std::int64_t first = 0; first < block.columns; first += at_once) {
    const std::int64_t left = block.columns - first;
    const std::int64_t n = left < at_once ? left : at_once;
    for (std::int64_t r = 0; r < block.rows; ++r) {
      const bool ask = r + kAhead < block.rows;
      const std::byte* from = src + r * block.src_row_bytes + first * block.src_column_bytes;
      std::byte* to = dst + r * block.dst_row_bytes + first * block.dst_column_bytes;
      for (std::int64_t c = 0; c < n; ++c) {
        for (std::int64_t line = 0; line < block.run_bytes; line += kLine) {
          if (ask) __builtin_prefetch(from + kAhead * block.src_row_bytes + line);
          move_line<true>(to + line, from + line);
        }
        from += block.src_column_bytes;
        to += block.dst_column_bytes;
      }
    }
  }
}

// Runs that are dense in the destination, past the caches, asked for some columns ahead: at the
// distances where this is used no processor foresees them. Several rows at once where their runs
// share lines of the source.
template <class = void>
STRIDED_TARGET __attribute__((noinline)) void stream_gathered(const std::byte* src, std::byte* dst,
                                                              const Block& block) {
  constexpr std::int64_t kAhead = 8;
  constexpr std::int64_t kMostRows = 8;
  constexpr std::int64_t kMostBytes = 12 * kLine;  // of a column: enough to share nearly all lines
  const std::int64_t run = block.run_bytes;
  const std::int64_t step = block.src_row_bytes;
  const std::int64_t fit = kMostBytes / run;
  const std::int64_t at_once = fit < 1 ? 1 : fit < kMostRows ? fit : kMostRows;
  const bool share = step > 0 && step < run + kLine;
  const bool rows_continue = !share && block.dst_row_bytes == block.columns * run;
  Gathered gathered[kMostRows];
  for (std::int64_t r = 0; r < block.rows;) {
    const std::int64_t left = block.rows - r;
    const std::int64_t n = !share ? 1 : left < at_once ? left : at_once;
    for (std::int64_t i = 0; i < n; ++i) {
      if (r == 0 || !rows_continue) gathered[i].begin(dst + (r + i) * block.dst_row_bytes);
    }
    const std::byte* from = src + r * step;
    for (std::int64_t c = 0; c < block.columns; ++c, from += block.src_column_bytes) {
      if (c + kAhead < block.columns) {
        const std::byte* ahead = from + kAhead * block.src_column_bytes;
        const std::int64_t bytes = (n - 1) * step + run;
        for (std::int64_t line = 0; line < bytes; line += kLine) __builtin_prefetch(ahead + line);
      }
      for (std::int64_t i = 0; i < n; ++i) {
        Gathered& row = gathered[i];
        move_run(row.bytes + row.end, from + i * step, run);
        row.end += run;
        if (row.end >= Gathered::kFull) row.flush();
      }
    }
    r += n;
    for (std::int64_t i = 0; i < n; ++i) {
      if (r == block.rows || !rows_continue) gathered[i].finish();
    }
  }
}

inline constexpr std::int64_t kLibraryRun = 4096;  // from here on memcpy is as good as anything

// Rows one after the other. `gathered`: whole lines leave past the caches, though runs split them.
template <class = void>
STRIDED_TARGET __attribute__((noinline)) void move_by_rows(const std::byte* src, std::byte* dst,
                                                           const Block& block, bool gathered) {
  const std::int64_t run = block.run_bytes;
  const bool dense = block.dst_column_bytes == run;
  if (dense && run > 2) {
    if (run <= 4) return pack<std::uint32_t>(src, dst, block);
    if (run <= 8) return pack<std::uint64_t>(src, dst, block);
    if (run <= 16) return pack<Lane>(src, dst, block);
    if constexpr (kVectorBytes >= 32) {
      if (run <= 32) return pack<Vector<8, 32>>(src, dst, block);
    }
    if constexpr (kVectorBytes >= 64) {
      if (run <= 64) return pack<Full>(src, dst, block);
    }
  }
  if (gathered) return stream_gathered(src, dst, block);
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

template <class = void>
STRIDED_KERNEL void move_runs(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const std::int64_t past_line = bytes_past_line(dst);
  const bool gathered = gathers_runs(block, past_line);
  if (gathered && !is_near(block.src_column_bytes)) return stream_gathered(src, dst, block);
  const std::int64_t at_once = gathered ? block.columns : columns_at_once(block, past_line);
  if (streams_lines(block, past_line)) return stream_lines(src, dst, block, at_once);
  if (at_once == block.columns) return move_by_rows(src, dst, block, gathered);
  Block part = block;
  for (std::int64_t c = 0; c < block.columns; c += at_once) {
    part.columns = block.columns - c < at_once ? block.columns - c : at_once;
    move_by_rows(src + c * block.src_column_bytes, dst + c * block.dst_column_bytes, part,
                 gathered);
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
