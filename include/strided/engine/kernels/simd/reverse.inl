// Reversals: the source runs backwards, the destination is dense.

template <std::size_t W, std::size_t... I>
STRIDED_INLINE Full reverse_elements(Full value, std::index_sequence<I...>) {
  using E = Vector<W>;
  return reinterpret_cast<Full>(__builtin_shufflevector(reinterpret_cast<E>(value),
                                                        reinterpret_cast<E>(value),
                                                        static_cast<int>(sizeof...(I) - 1 - I)...));
}
template <std::size_t... I>
STRIDED_INLINE Full reverse_lanes(Full value, std::index_sequence<I...>) {
  return __builtin_shufflevector(value, value,
                                 static_cast<int>(sizeof...(I) - 2 - I / 2 * 2 + I % 2)...);
}
template <std::size_t W>
STRIDED_INLINE Full reverse_register(Full value) {
  if constexpr (W == 16) {
    return reverse_lanes(value, std::make_index_sequence<kVectorBytes / 8>());
  } else if constexpr (W == 1 && STRIDED_BYTE_SHUFFLE == 0) {
    // Both halves of each pair by shifts, then the pairs: one byte after the other takes three
    // times as long.
    const auto pairs = reinterpret_cast<Vector<2>>(value);
    return reverse_register<2>(reinterpret_cast<Full>(pairs << 8 | pairs >> 8));
  } else {
    return reverse_elements<W>(value, std::make_index_sequence<kVectorBytes / W>());
  }
}

template <std::size_t W>
STRIDED_KERNEL void reverse(const std::byte* src, std::byte* dst, const Block& block) noexcept {
  constexpr auto kWidth = static_cast<std::int64_t>(W);
  const std::int64_t bytes = block.columns * kWidth;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const std::byte* end = src + r * block.src_row_bytes + kWidth;  // after the highest element
    std::byte* to = dst + r * block.dst_row_bytes;
    std::int64_t at = 0;
    if (block.streaming) {
      const auto past =
          static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % kVectorBytes);
      const std::int64_t head = past == 0 ? 0 : kStep - past;
      if (head % kWidth == 0 && head + kStep <= bytes) {
        store(to, reverse_register<W>(load<Full>(end - kStep)));
        for (at = head; at + kStep <= bytes; at += kStep) {
          stream_native(to + at, reverse_register<W>(load<Full>(end - at - kStep)));
        }
      }
    }
    for (; at + kStep <= bytes; at += kStep) {
      store(to + at, reverse_register<W>(load<Full>(end - at - kStep)));
    }
    if (at < bytes && bytes >= kStep) {
      at = bytes - kStep;
      store(to + at, reverse_register<W>(load<Full>(end - at - kStep)));
      continue;
    }
    for (; at < bytes; at += kWidth) std::memcpy(to + at, end - at - kWidth, W);
  }
}
