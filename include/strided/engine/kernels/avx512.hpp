// AVX-512 with VBMI2: registers of 64 bytes. Older processors with AVX-512 lower their clock for it
// and are better served by AVX2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/avx2.hpp"
#include "strided/engine/kernels/chain.hpp"
#include "strided/engine/kernels/kernel.hpp"
#include "strided/engine/kernels/portable.hpp"
#include "strided/engine/kernels/ways.hpp"
#include "strided/engine/kernels/weave.hpp"

#if STRIDED_HAS_X86_VECTORS

namespace strided::inline STRIDED_ABI::kernels::avx512 {

#define STRIDED_TARGET \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")))
#define STRIDED_BYTE_SHUFFLE 1
#define STRIDED_MASKED_STORE 1

inline constexpr const char* kName = "avx512";
inline constexpr std::size_t kVectorBytes = 64;

typedef char Bytes64 __attribute__((vector_size(64)));
typedef std::uint64_t Words64 __attribute__((vector_size(64)));
typedef std::uint64_t Words32 __attribute__((vector_size(32)));
typedef long long Signed32 __attribute__((vector_size(32)));
typedef long long Signed64 __attribute__((vector_size(64)));

STRIDED_TARGET __attribute__((always_inline)) inline void stream_native(std::byte* to,
                                                                        Words64 value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, reinterpret_cast<Words64*>(to));
#else
  __builtin_ia32_movntdq512(reinterpret_cast<Signed64*>(to), reinterpret_cast<Signed64>(value));
#endif
}
STRIDED_TARGET __attribute__((always_inline)) inline Words64 shuffle_native(Words64 bytes,
                                                                            Words64 order) {
#if defined(__clang__)
  return reinterpret_cast<Words64>(
      __builtin_ia32_pshufb512(reinterpret_cast<Bytes64>(bytes), reinterpret_cast<Bytes64>(order)));
#else
  return reinterpret_cast<Words64>(__builtin_ia32_pshufb512_mask(reinterpret_cast<Bytes64>(bytes),
                                                                 reinterpret_cast<Bytes64>(order),
                                                                 Bytes64{}, ~std::uint64_t{0}));
#endif
}
STRIDED_TARGET __attribute__((always_inline)) inline void store_masked(std::byte* to, Words64 value,
                                                                       std::uint64_t mask) {
#if defined(__clang__)
  auto* const place = reinterpret_cast<Bytes64*>(to);
#else
  auto* const place = reinterpret_cast<char*>(to);
#endif
  __builtin_ia32_storedquqi512_mask(place, reinterpret_cast<Bytes64>(value), mask);
}
STRIDED_TARGET __attribute__((always_inline)) inline Words64 permute_native(Words64 bytes,
                                                                            Words64 index) {
#if defined(__clang__)
  return reinterpret_cast<Words64>(__builtin_ia32_permvarqi512(reinterpret_cast<Bytes64>(bytes),
                                                               reinterpret_cast<Bytes64>(index)));
#else
  return reinterpret_cast<Words64>(__builtin_ia32_permvarqi512_mask(
      reinterpret_cast<Bytes64>(bytes), reinterpret_cast<Bytes64>(index), Bytes64{},
      ~std::uint64_t{0}));
#endif
}
using avx2::join;  // of two halves of 16 bytes; that of 32 is written out for the same reason
STRIDED_TARGET __attribute__((always_inline)) inline Words64 join(Words32 low, Words32 high) {
#if defined(__clang__)
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#else
  const auto wide =
      reinterpret_cast<Signed64>(__builtin_shufflevector(low, low, 0, 1, 2, 3, -1, -1, -1, -1));
  return reinterpret_cast<Words64>(__builtin_ia32_inserti64x4_mask(
      wide, reinterpret_cast<Signed32>(high), 1, wide, static_cast<unsigned char>(-1)));
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

}  // namespace strided::inline STRIDED_ABI::kernels::avx512

#endif
