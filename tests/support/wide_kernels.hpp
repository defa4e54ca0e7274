// The vector kernels once more, with 64-byte registers made of two AVX2 ones: the source that an
// AVX-512 machine runs, tested where there is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "strided/engine/kernels/avx2.hpp"

#if STRIDED_HAS_X86_VECTORS

namespace strided::inline STRIDED_ABI::kernels::wide {

#define STRIDED_TARGET __attribute__((target("avx2")))
#define STRIDED_BYTE_SHUFFLE 1
#define STRIDED_MASKED_STORE 1

inline constexpr const char* kName = "avx2 as 64 bytes";
inline constexpr std::size_t kVectorBytes = 64;

typedef std::uint64_t Words32 __attribute__((vector_size(32)));
typedef std::uint64_t Words64 __attribute__((vector_size(64)));

STRIDED_TARGET __attribute__((always_inline)) inline Words32 low_half(Words64 value) {
  return __builtin_shufflevector(value, value, 0, 1, 2, 3);
}
STRIDED_TARGET __attribute__((always_inline)) inline Words32 high_half(Words64 value) {
  return __builtin_shufflevector(value, value, 4, 5, 6, 7);
}
STRIDED_TARGET __attribute__((always_inline)) inline void stream_native(std::byte* to,
                                                                        Words64 value) {
  avx2::stream_native(to, low_half(value));
  avx2::stream_native(to + 32, high_half(value));
}
STRIDED_TARGET __attribute__((always_inline)) inline Words64 shuffle_native(Words64 bytes,
                                                                            Words64 order) {
  return __builtin_shufflevector(avx2::shuffle_native(low_half(bytes), low_half(order)),
                                 avx2::shuffle_native(high_half(bytes), high_half(order)), 0, 1, 2,
                                 3, 4, 5, 6, 7);
}
STRIDED_TARGET __attribute__((always_inline)) inline void store_masked(std::byte* to, Words64 value,
                                                                       std::uint64_t mask) {
  std::byte bytes[64];
  std::memcpy(bytes, &value, 64);
  for (int b = 0; b < 64; ++b) {
    if ((mask >> b & 1U) != 0) to[b] = bytes[b];
  }
}
STRIDED_TARGET __attribute__((always_inline)) inline Words64 permute_native(Words64 bytes,
                                                                            Words64 index) {
  std::byte from[64];
  std::byte at[64];
  std::byte to[64];
  std::memcpy(from, &bytes, 64);
  std::memcpy(at, &index, 64);
  for (int b = 0; b < 64; ++b) to[b] = from[std::to_integer<int>(at[b]) % 64];
  Words64 permuted;
  std::memcpy(&permuted, to, 64);
  return permuted;
}
using avx2::join;
STRIDED_TARGET __attribute__((always_inline)) inline Words64 join(Words32 low, Words32 high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
using avx2::fence;

#include "strided/engine/kernels/simd/vectors.inl"
//
#include "strided/engine/kernels/simd/gathered.inl"
//
#include "strided/engine/kernels/simd/pack.inl"
#include "strided/engine/kernels/simd/reverse.inl"
#include "strided/engine/kernels/simd/runs.inl"
#include "strided/engine/kernels/simd/shuffle.inl"
#include "strided/engine/kernels/simd/transpose.inl"
#include "strided/engine/kernels/simd/weaves.inl"
//
#include "strided/engine/kernels/simd/set.inl"

#undef STRIDED_TARGET
#undef STRIDED_BYTE_SHUFFLE
#undef STRIDED_MASKED_STORE

}  // namespace strided::inline STRIDED_ABI::kernels::wide

#endif
