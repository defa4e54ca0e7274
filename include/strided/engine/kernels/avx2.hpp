// AVX2: registers of 32 bytes.
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

#if STRIDED_HAS_X86_VECTORS

namespace strided::inline STRIDED_ABI::kernels::avx2 {

#define STRIDED_TARGET __attribute__((target("avx2")))
#define STRIDED_MASKED_STORE 0
#define STRIDED_BYTE_SHUFFLE 1

inline constexpr const char* kName = "avx2";
inline constexpr std::size_t kVectorBytes = 32;

typedef char Bytes16 __attribute__((vector_size(16)));
typedef char Bytes32 __attribute__((vector_size(32)));
typedef std::uint64_t Words16 __attribute__((vector_size(16)));
typedef std::uint64_t Words32 __attribute__((vector_size(32)));
typedef long long Signed16 __attribute__((vector_size(16)));
typedef long long Signed32 __attribute__((vector_size(32)));

STRIDED_TARGET __attribute__((always_inline)) inline void stream_native(std::byte* to,
                                                                        Words32 value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, reinterpret_cast<Words32*>(to));
#else
  __builtin_ia32_movntdq256(reinterpret_cast<Signed32*>(to), reinterpret_cast<Signed32>(value));
#endif
}
STRIDED_TARGET __attribute__((always_inline)) inline Words32 shuffle_native(Words32 bytes,
                                                                            Words32 order) {
  return reinterpret_cast<Words32>(
      __builtin_ia32_pshufb256(reinterpret_cast<Bytes32>(bytes), reinterpret_cast<Bytes32>(order)));
}
STRIDED_TARGET __attribute__((always_inline)) inline Words16 shuffle_lane(Words16 bytes,
                                                                          Words16 order) {
  return reinterpret_cast<Words16>(
      __builtin_ia32_pshufb128(reinterpret_cast<Bytes16>(bytes), reinterpret_cast<Bytes16>(order)));
}
// Written out: GCC 12 makes a shuffle of the generic one, where an insertion from memory will do.
STRIDED_TARGET __attribute__((always_inline)) inline Words32 join(Words16 low, Words16 high) {
#if defined(__clang__)
  return __builtin_shufflevector(low, high, 0, 1, 2, 3);
#else
  const Words32 wide = __builtin_shufflevector(low, low, 0, 1, -1, -1);
  return reinterpret_cast<Words32>(__builtin_ia32_insert128i256(
      reinterpret_cast<Signed32>(wide), reinterpret_cast<Signed16>(high), 1));
#endif
}
inline void fence() noexcept {
  __builtin_ia32_sfence();
}

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

}  // namespace strided::inline STRIDED_ABI::kernels::avx2

#endif
