// The vector vocabulary of the kernels. No include guard: kernels/<isa>.hpp includes this once for
// each instruction set, inside its namespace, with
//   STRIDED_TARGET     the function attribute that allows its instructions
//   kVectorBytes       the width of its registers
//   stream_native()    a store past the caches
//   join()             two halves to one; only where registers have more than 16 bytes
//   shuffle_native()   bytes of each 16-byte lane by index, 0 where the index has its top bit set;
//                      only where STRIDED_BYTE_SHUFFLE is 1
//   store_masked()     those bytes of a register that the mask names, the others not even read;
//                      only where STRIDED_MASKED_STORE is 1
//   permute_native()   bytes of a whole register by index; only there, too
//   shuffle_lane()     shuffle_native() of 16 bytes; only where that is not
// Vectors are GNU vector types, so that one source serves every instruction set. They never cross a
// function that is not inlined. Functions are templates: a file that includes the library and
// never copies pays for reading this, not for compiling it.
#define STRIDED_KERNEL STRIDED_TARGET inline
#define STRIDED_INLINE STRIDED_TARGET __attribute__((always_inline)) inline

template <class E, std::size_t Bytes>
struct VectorType {
  typedef E type __attribute__((vector_size(Bytes)));
};
template <std::size_t W>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using type = std::uint64_t;
};
template <std::size_t W, std::size_t Bytes = kVectorBytes>
using Vector = typename VectorType<typename UnsignedOf<W>::type, Bytes>::type;

using Lane = Vector<8, 16>;            // the 16 bytes within which shuffles are cheap everywhere
using Full = Vector<8, kVectorBytes>;  // one register
inline constexpr std::int64_t kLanes = kVectorBytes / 16;
inline constexpr std::int64_t kStep = kVectorBytes;

template <class V>
STRIDED_INLINE V load(const std::byte* from) {
  V value;
  __builtin_memcpy(&value, from, sizeof(V));
  return value;
}
template <class V>
STRIDED_INLINE void store(std::byte* to, V value) {
  __builtin_memcpy(to, &value, sizeof(V));
}

STRIDED_INLINE bool is_aligned(const std::byte* at) {
  return reinterpret_cast<std::uintptr_t>(at) % kVectorBytes == 0;
}

// One vector from pieces of 16 bytes, `lane_stride` apart.
template <std::size_t Bytes = kVectorBytes>
STRIDED_INLINE Vector<8, Bytes> load_lanes(const std::byte* from, std::int64_t lane_stride) {
  if constexpr (Bytes == 16) {
    (void)lane_stride;
    return load<Lane>(from);
  } else {
    return join(load_lanes<Bytes / 2>(from, lane_stride),
                load_lanes<Bytes / 2>(from + std::int64_t{Bytes / 32} * lane_stride, lane_stride));
  }
}

template <int L, std::size_t... I>
STRIDED_INLINE Lane lane_of(Full value, std::index_sequence<I...>) {
  return __builtin_shufflevector(value, value, static_cast<int>(2 * L + I)...);
}
// The inverse of load_lanes: each lane of 16 bytes to a place of its own.
template <int L = 0>
STRIDED_INLINE void store_lanes(std::byte* to, std::int64_t lane_stride, Full value) {
  store(to + L * lane_stride, lane_of<L>(value, std::make_index_sequence<2>()));
  if constexpr (L + 1 < kLanes) store_lanes<L + 1>(to, lane_stride, value);
}

// Interleaves the low (High: the high) halves of each lane of a and b, element by element.
template <std::size_t W, bool High, class V, std::size_t... I>
STRIDED_INLINE V unpack_elements(V a, V b, std::index_sequence<I...>) {
  constexpr std::size_t kCount = sizeof(V) / W;
  constexpr std::size_t kPerLane = 16 / W;
  using E = Vector<W, sizeof(V)>;
  return reinterpret_cast<V>(
      __builtin_shufflevector(reinterpret_cast<E>(a), reinterpret_cast<E>(b),
                              static_cast<int>(I / kPerLane * kPerLane + (High ? kPerLane / 2 : 0) +
                                               I % kPerLane / 2 + (I % 2 == 1 ? kCount : 0))...));
}
template <std::size_t W, bool High, class V>
STRIDED_INLINE V unpack(V a, V b) {
  return unpack_elements<W, High>(a, b, std::make_index_sequence<sizeof(V) / W>());
}

// Exactly `bytes` bytes, at most two registers: two moves of one size that may overlap.
template <class V>
STRIDED_INLINE void move_pair(std::byte* to, const std::byte* from, std::int64_t bytes) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(V));
  const V first = load<V>(from);
  const V last = load<V>(from + bytes - kSize);
  store(to, first);
  store(to + bytes - kSize, last);
}
template <class = void>
STRIDED_INLINE void move_short(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes >= 32) {
    if constexpr (kVectorBytes >= 32) {
      move_pair<Vector<8, 32>>(to, from, bytes);
    } else {
      move_pair<Vector<8, 16>>(to, from, 32);
      move_pair<Vector<8, 16>>(to + bytes - 32, from + bytes - 32, 32);
    }
  } else if (bytes >= 16) {
    move_pair<Lane>(to, from, bytes);
  } else if (bytes >= 8) {
    move_pair<std::uint64_t>(to, from, bytes);
  } else if (bytes >= 4) {
    move_pair<std::uint32_t>(to, from, bytes);
  } else if (bytes >= 2) {
    move_pair<std::uint16_t>(to, from, bytes);
  } else if (bytes == 1) {
    *to = *from;
  }
}

// Any number of bytes.
template <class = void>
STRIDED_INLINE void move_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes < kStep) return move_short(to, from, bytes);
  for (std::int64_t at = 0; at + kStep <= bytes; at += kStep) {
    store(to + at, load<Full>(from + at));
  }
  store(to + bytes - kStep, load<Full>(from + bytes - kStep));
}

// How far an address is behind the start of its line, and before the next one.
STRIDED_INLINE std::int64_t bytes_past_line(const std::byte* at) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(at) %
                                   static_cast<std::uintptr_t>(kLine));
}
STRIDED_INLINE std::int64_t bytes_to_line(const std::byte* at) {
  return (kLine - bytes_past_line(at)) % kLine;
}

// A register, through the caches or, where it is aligned, past them.
template <bool Past>
STRIDED_INLINE void put(std::byte* to, Full value) {
  if constexpr (Past) {
    stream_native(to, value);
  } else {
    store(to, value);
  }
}
// One line, from anywhere; past the caches to the start of a line.
template <bool Past = false>
STRIDED_INLINE void move_line(std::byte* to, const std::byte* from) {
#pragma GCC unroll 4
  for (std::int64_t part = 0; part < kLine; part += kStep) {
    put<Past>(to + part, load<Full>(from + part));
  }
}

// Writes what a buffer holds up to its last whole line, and tells how far that is; past the caches
// or through them. `to` is the start of a line; the first `past` bytes are not ours to write.
template <bool Past>
STRIDED_INLINE std::int64_t write_filled(std::byte* to, const std::byte* buffer, std::int64_t past,
                                         std::int64_t end) {
  std::int64_t at = 0;
  if (past > 0) {
    at = end < kLine ? end : kLine;
    move_short(to + past, buffer + past, at - past);
  }
  for (; at + kLine <= end; at += kLine) move_line<Past>(to + at, buffer + at);
  return at;
}

// `bytes` bytes, whole lines past the caches, what is left over at both ends through them.
template <class = void>
STRIDED_KERNEL void stream_run(std::byte* to, const std::byte* from, std::int64_t bytes) {
  const std::int64_t head = bytes_to_line(to);
  if (bytes < head + kLine) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
    return;
  }
  move_short(to, from, head);
  std::int64_t at = head;
  for (; at + kLine <= bytes; at += kLine) move_line<true>(to + at, from + at);
  move_short(to + at, from + at, bytes - at);
}
