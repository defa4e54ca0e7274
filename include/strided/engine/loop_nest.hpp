// LoopNest: a copy as plain loops over bytes. The value that passes between the stages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"

namespace strided::inline STRIDED_ABI::engine {

struct Loop {
  std::int64_t count;
  std::int64_t src_stride_bytes;
  std::int64_t dst_stride_bytes;
};

// The bytes [lowest, end) that one side of a copy spans, relative to the start of its storage.
struct ByteRange {
  std::int64_t lowest;
  std::int64_t end;
};

// For every index of the loops, `run_bytes` move from the source to the destination. As normalize()
// leaves it:
//  - every loop has a count of at least 2, a destination stride of at least 0, and neighbouring
//    loops cannot be merged;
//  - loops[0] is the outermost; destination strides descend, ties by the source stride's magnitude;
//  - run_bytes is a multiple of element_bytes, 0 where there is nothing to move.
// Only the live loops are ever written or copied.
struct LoopNest {
  std::int64_t element_bytes = 1;
  std::int64_t run_bytes = 0;
  std::int64_t src_offset_bytes = 0;  // from the start of the storage to the first run
  std::int64_t dst_offset_bytes = 0;
  ByteRange src_range{0, 0};
  ByteRange dst_range{0, 0};
  std::int64_t total_bytes = 0;  // that the copy moves
  int rank = 0;
  Loop loops[kMaxRank];

  constexpr LoopNest() noexcept {}
  constexpr LoopNest(const LoopNest& other) noexcept { *this = other; }
  constexpr LoopNest& operator=(const LoopNest& other) noexcept {
    element_bytes = other.element_bytes;
    run_bytes = other.run_bytes;
    src_offset_bytes = other.src_offset_bytes;
    dst_offset_bytes = other.dst_offset_bytes;
    src_range = other.src_range;
    dst_range = other.dst_range;
    total_bytes = other.total_bytes;
    rank = other.rank;
    for (int i = 0; i < rank; ++i) loops[i] = other.loops[i];
    return *this;
  }
};

// Walks one loop of a nest from its other end.
constexpr void turn_loop(LoopNest& nest, Loop& loop) noexcept {
  nest.src_offset_bytes += (loop.count - 1) * loop.src_stride_bytes;
  nest.dst_offset_bytes += (loop.count - 1) * loop.dst_stride_bytes;
  loop.src_stride_bytes = -loop.src_stride_bytes;
  loop.dst_stride_bytes = -loop.dst_stride_bytes;
}

// Where the first destination run lies, seen from the first source run. Storages are addresses, so
// that any two can be compared.
[[nodiscard]] inline std::int64_t shift_bytes(const LoopNest& nest, const std::byte* src,
                                              const std::byte* dst) noexcept {
  const std::uint64_t from = reinterpret_cast<std::uintptr_t>(src);  // in 64 bits on any machine:
  const std::uint64_t to = reinterpret_cast<std::uintptr_t>(dst);    // the difference has a sign
  return static_cast<std::int64_t>(to - from) + nest.dst_offset_bytes - nest.src_offset_bytes;
}

[[nodiscard]] constexpr bool same_strides(const LoopNest& nest) noexcept {
  for (int i = 0; i < nest.rank; ++i) {
    if (nest.loops[i].src_stride_bytes != nest.loops[i].dst_stride_bytes) return false;
  }
  return true;
}

// True if each destination stride exceeds all that the loops inside it reach: then no byte is
// written twice. The quick answer; false does not mean that one is. The nest is as normalize()
// leaves it.
[[nodiscard]] constexpr bool is_nested_destination(const LoopNest& nest) noexcept {
  std::int64_t inside_bytes = nest.run_bytes;
  for (int i = nest.rank; i-- > 0;) {
    const Loop& loop = nest.loops[i];
    if (loop.dst_stride_bytes < inside_bytes) return false;
    inside_bytes += (loop.count - 1) * loop.dst_stride_bytes;
  }
  return true;
}

}  // namespace strided::inline STRIDED_ABI::engine
