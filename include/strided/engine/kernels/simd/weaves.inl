// Steps of 2 to 8: K streams woven into one and taken apart again, by byte shuffles within lanes.
// A group is K registers; 16 bytes of each stream are 16 / width elements. What goes where stands
// in kernels/weave.hpp. K is a constant for 2, 3 and 4, whose loops are unrolled; 0 means that the
// block tells it.

// The bytes of `k` registers that `order` picks for one.
template <std::size_t K>
STRIDED_INLINE Full shuffle_group(const Full* input, const std::uint8_t* order, std::int64_t k) {
  Full output = shuffle_native(input[0], load_lanes(reinterpret_cast<const std::byte*>(order), 0));
  if constexpr (K != 0) {
#pragma GCC unroll 4
    for (std::size_t j = 1; j < K; ++j) {
      output |= shuffle_native(input[j],
                               load_lanes(reinterpret_cast<const std::byte*>(order + 16 * j), 0));
    }
  } else {
    for (std::int64_t j = 1; j < k; ++j) {
      output |= shuffle_native(input[j],
                               load_lanes(reinterpret_cast<const std::byte*>(order + 16 * j), 0));
    }
  }
  return output;
}

// `streams` of the K woven ones, `count` elements of each. Whole groups read every byte between the
// first and the last element; a group whose last bytes belong to no wanted stream goes one by one.
template <std::size_t K>
STRIDED_KERNEL void take_apart(const std::byte* src, std::byte* dst, std::int64_t dst_stream_bytes,
                               std::int64_t count, std::int64_t streams, const Block& block) {
  const std::int64_t width = block.run_bytes;
  const std::int64_t k = K != 0 ? std::int64_t{K} : block.src_column_bytes / width;
  const std::uint8_t* order = take_apart_order(k, width);
  const std::int64_t per_group = kStep / width;
  const std::int64_t whole = streams == k ? count : count - 1;
  const bool streaming =
      block.streaming && is_aligned(dst) && (streams == 1 || dst_stream_bytes % kStep == 0);
  Full input[K != 0 ? K : kMaxWeave] = {};
  std::int64_t at = 0;
  for (; at + per_group <= whole; at += per_group) {
#pragma GCC unroll 4
    for (std::int64_t j = 0; j < k; ++j) {
      input[j] = load_lanes(src + at * k * width + 16 * j, 16 * k);
    }
    for (std::int64_t i = 0; i < streams; ++i) {
      const Full output = shuffle_group<K>(input, order + 16 * k * i, k);
      std::byte* to = dst + i * dst_stream_bytes + at * width;
      if (streaming) {
        stream_native(to, output);
      } else {
        store(to, output);
      }
    }
  }
  for (; at < count; ++at) {
    for (std::int64_t i = 0; i < streams; ++i) {
      move_short(dst + i * dst_stream_bytes + at * width, src + (at * k + i) * width, width);
    }
  }
}

// Rows are the streams of one weave.
template <std::size_t K>
STRIDED_KERNEL void deinterleave(const std::byte* src, std::byte* dst,
                                 const Block& block) noexcept {
  take_apart<K>(src, dst, block.dst_row_bytes, block.columns, block.rows, block);
}

// Each row takes one stream out of a weave of its own.
template <std::size_t K>
STRIDED_KERNEL void gather(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  for (std::int64_t r = 0; r < block.rows; ++r) {
    take_apart<K>(src + r * block.src_row_bytes, dst + r * block.dst_row_bytes, 0, block.columns, 1,
                  block);
  }
}

// Columns are the K streams, rows their elements.
template <std::size_t K>
STRIDED_KERNEL void interleave(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const std::int64_t width = block.run_bytes;
  const std::int64_t k = K != 0 ? std::int64_t{K} : block.columns;
  const std::uint8_t* order = weave_order(k, width);
  const std::int64_t per_group = kStep / width;
  Full input[K != 0 ? K : kMaxWeave] = {};
  std::int64_t at = 0;
  for (; at + per_group <= block.rows; at += per_group) {
#pragma GCC unroll 4
    for (std::int64_t j = 0; j < k; ++j) {
      input[j] = load<Full>(src + j * block.src_column_bytes + at * width);
    }
    std::byte* to = dst + at * k * width;
#pragma GCC unroll 4
    for (std::int64_t i = 0; i < k; ++i) {
      store_lanes(to + 16 * i, 16 * k, shuffle_group<K>(input, order + 16 * k * i, k));
    }
  }
  for (; at < block.rows; ++at) {
    for (std::int64_t j = 0; j < k; ++j) {
      move_short(dst + (at * k + j) * width, src + j * block.src_column_bytes + at * width, width);
    }
  }
}

#if STRIDED_MASKED_STORE
inline constexpr std::int64_t kSecondCache = 256 * 1024;  // as small as any has it

// Bit b tells whether byte `from` + b of a woven stream belongs to its first stream, whose elements
// of `width` bytes are `period` bytes apart, at most 64.
[[nodiscard]] constexpr std::uint64_t first_stream_mask(std::int64_t from, std::int64_t width,
                                                        std::int64_t period) noexcept {
  std::uint64_t mask = (std::uint64_t{1} << width) - 1;
  for (std::int64_t bits = period; bits < 64; bits *= 2) mask |= mask << bits;
  const std::int64_t phase = from % period;
  return phase == 0 ? mask : mask >> phase | mask << (period - phase);
}

// One dense stream to every K-th place of the destination: the weave with the other streams left
// out. What is in the gaps is not even read: the mask keeps the store away from it.
template <std::size_t K>
STRIDED_KERNEL void scatter(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  const std::int64_t width = block.run_bytes;
  const std::int64_t k = K != 0 ? std::int64_t{K} : block.dst_column_bytes / width;
  const std::int64_t bytes = block.columns * width;
  const std::uint8_t* order = weave_order(k, width);
  constexpr std::int64_t kAhead = 16 * kLine;
  // No processor foresees masked stores: without asking, memory makes them twice as slow.
  const bool is_far = block.rows * k * bytes > kSecondCache;
  // A register goes to k of them; each 16 bytes of those come from one lane, in one of k orders.
  constexpr std::size_t kMost = K != 0 ? K : kMaxWeave;
  alignas(kLine) std::byte index[kMost * kVectorBytes];
  std::uint64_t masks[kMost] = {};
  for (std::int64_t i = 0; i < k; ++i) {
    masks[i] = first_stream_mask(kStep * i, width, k * width);
    for (std::int64_t c = kLanes * i; c < kLanes * (i + 1); ++c) {
      const auto in_lane =
          load<Vector<1, 16>>(reinterpret_cast<const std::byte*>(order + 16 * k * (c % k)));
      const auto lane = static_cast<std::uint8_t>(16 * (c / k));  // g++ -fsanitize needs a name
      store(index + 16 * c, in_lane + lane);
    }
  }
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* from = src + r * block.src_row_bytes;
    std::byte* to = dst + r * block.dst_row_bytes;
    std::int64_t at = 0;
    for (; at + kStep <= bytes; at += kStep) {
      const bool ask = is_far && k * (at + kStep) + kAhead <= k * bytes;
      const Full input = load<Full>(from + at);
#pragma GCC unroll 4
      for (std::int64_t i = 0; i < k; ++i) {
        if (ask) __builtin_prefetch(to + k * at + kStep * i + kAhead, 1);
        store_masked(to + k * at + kStep * i, permute_native(input, load<Full>(index + kStep * i)),
                     masks[i]);
      }
    }
    if (at == bytes) continue;
    alignas(kLine) std::byte rest[kVectorBytes] = {};
    move_short(rest, from + at, bytes - at);
    const Full input = load<Full>(rest);
    for (std::int64_t i = 0, left = k * (bytes - at); left > 0; ++i, left -= kStep) {
      const std::uint64_t wanted =
          left < kStep ? (std::uint64_t{1} << left) - 1 : ~std::uint64_t{0};
      store_masked(to + k * at + kStep * i, permute_native(input, load<Full>(index + kStep * i)),
                   masks[i] & wanted);
    }
  }
}
#endif
