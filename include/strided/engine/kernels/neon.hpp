// NEON: registers of 16 bytes, on every 64-bit ARM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/chain.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/kernels/portable.hpp"
#include "strided/engine/kernels/ways.hpp"
#include "strided/engine/kernels/weave.hpp"

#if STRIDED_HAS_NEON

namespace strided::inline STRIDED_ABI::kernels::neon {

#define STRIDED_TARGET
#define STRIDED_MASKED_STORE 0
#define STRIDED_BYTE_SHUFFLE 1

inline constexpr const char* kName = "neon";
inline constexpr std::size_t kVectorBytes = 16;

typedef std::uint64_t Words16 __attribute__((vector_size(16)));
typedef std::uint8_t Bytes16 __attribute__((vector_size(16)));

// The instruction set has no store past the caches that is worth it.
__attribute__((always_inline)) inline void stream_native(std::byte* to, Words16 value) {
  __builtin_memcpy(to, &value, sizeof(value));
}
// Indices from 16 up give 0, and so does the marker 0x80.
__attribute__((always_inline)) inline Words16 shuffle_native(Words16 bytes, Words16 order) {
  Bytes16 result;
  __asm__("tbl %0.16b, {%1.16b}, %2.16b" : "=w"(result) : "w"(bytes), "w"(order));
  return reinterpret_cast<Words16>(result);
}
__attribute__((always_inline)) inline Words16 shuffle_lane(Words16 bytes, Words16 order) {
  return shuffle_native(bytes, order);
}
inline void fence() noexcept {}

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

}  // namespace strided::inline STRIDED_ABI::kernels::neon

#endif
