// SSE2: registers of 16 bytes, on every 64-bit x86. It has no byte shuffle, so the weaves stay with
// the portable kernels.
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

#if STRIDED_HAS_X86_VECTORS

namespace strided::inline STRIDED_ABI::kernels::sse2 {

#define STRIDED_TARGET __attribute__((target("sse2")))
#define STRIDED_MASKED_STORE 0
#define STRIDED_BYTE_SHUFFLE 0

inline constexpr const char* kName = "sse2";
inline constexpr std::size_t kVectorBytes = 16;

typedef std::uint64_t Words16 __attribute__((vector_size(16)));
typedef long long Signed16 __attribute__((vector_size(16)));

STRIDED_TARGET __attribute__((always_inline)) inline void stream_native(std::byte* to,
                                                                        Words16 value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, reinterpret_cast<Words16*>(to));
#else
  __builtin_ia32_movntdq(reinterpret_cast<Signed16*>(to), reinterpret_cast<Signed16>(value));
#endif
}
STRIDED_TARGET inline void fence() noexcept {
  __builtin_ia32_sfence();
}

#include "strided/engine/kernels/simd/vectors.inl"
//
#include "strided/engine/kernels/simd/gathered.inl"
//
#include "strided/engine/kernels/simd/pack.inl"
#include "strided/engine/kernels/simd/reverse.inl"
#include "strided/engine/kernels/simd/runs.inl"
#include "strided/engine/kernels/simd/transpose.inl"
//
#include "strided/engine/kernels/simd/set.inl"

#undef STRIDED_TARGET
#undef STRIDED_BYTE_SHUFFLE
#undef STRIDED_MASKED_STORE

}  // namespace strided::inline STRIDED_ABI::kernels::sse2

#endif
