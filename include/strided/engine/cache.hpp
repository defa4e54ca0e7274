// How much of the machine's caches a copy may count on.
#pragma once

#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/loop_nest.hpp"

#if STRIDED_HAS_X86_VECTORS
#include <cpuid.h>
#endif

namespace strided::inline STRIDED_ABI::engine {

inline constexpr std::int64_t kUsualCacheBytes = std::int64_t{32} << 20;

// Bytes of the largest cache that this core sees, from the processor itself: what the operating
// system tells inside a virtual machine may be the whole socket. At most 64 MiB, since it is
// shared.
[[nodiscard]] inline std::int64_t detect_cache_bytes() noexcept {
  std::int64_t largest = 0;
#if STRIDED_HAS_X86_VECTORS
  for (const unsigned leaf : {0x4U, 0x8000001DU}) {
    for (unsigned level = 0; level < 8; ++level) {  // unreachable: no processor has eight levels
      unsigned a = 0;
      unsigned b = 0;
      unsigned c = 0;
      unsigned d = 0;
      // unreachable: this machine may know both leaves, and have a small cache
      if (__get_cpuid_count(leaf, level, &a, &b, &c, &d) == 0 || (a & 31U) == 0) break;
      // unreachable: a virtual machine may hide its caches
      const std::int64_t bytes = (std::int64_t{b >> 22} + 1) * ((b >> 12 & 1023) + 1) *
                                 ((b & 4095) + 1) * (std::int64_t{c} + 1);
      // unreachable: a virtual machine may hide its caches
      if (bytes > largest) largest = bytes;
    }
  }
#endif
  if (largest == 0) return kUsualCacheBytes;  // unreachable: of x86 processors of this century
  // unreachable: this machine may have a smaller cache
  return largest < 2 * kUsualCacheBytes ? largest : 2 * kUsualCacheBytes;
}

[[nodiscard]] inline std::int64_t cache_bytes() noexcept {
  static const std::int64_t bytes = detect_cache_bytes();
  return bytes;
}

// True if source and destination together are more than three quarters of the cache: then nothing
// that is written will be found there, and stores past it save a read of every destination line.
[[nodiscard]] inline bool exceeds_caches(const LoopNest& nest) noexcept {
  if (nest.total_bytes < std::int64_t{1} << 20) return false;
  // Unsigned: a span, and the sum of two totals, may pass the largest signed number.
  const auto total = static_cast<std::uint64_t>(nest.total_bytes);
  const auto src_span = static_cast<std::uint64_t>(nest.src_range.end) -
                        static_cast<std::uint64_t>(nest.src_range.lowest);
  const std::uint64_t src_bytes = src_span < total ? src_span : total;
  return src_bytes + total > static_cast<std::uint64_t>(cache_bytes() / 4 * 3);
}

}  // namespace strided::inline STRIDED_ABI::engine
