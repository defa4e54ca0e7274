// What the sweeps copy: floats in six layouts, of any size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <strided/strided.hpp>

#include "buffers.hpp"

namespace bench {

using strided::Dims;
using strided::Layout;

// Two buffers that only ever grow, so that filtered runs take no more memory than they use.
struct Buffers {
  Buffer src;
  Buffer dst;
};
inline Buffers& buffers(std::int64_t bytes) {
  static Buffers kept;
  const auto needed = static_cast<std::size_t>(bytes);
  if (kept.src.size() < needed) {
    kept = {};  // before the larger ones are made
    kept = {Buffer(needed), Buffer(needed)};
  }
  return kept;
}

[[nodiscard]] inline Layout permuted(const Layout& layout, const Dims& axes) {
  return strided::try_permute(layout, axes).value();
}

inline constexpr std::int64_t kFloatBytes = 4;

struct Kind {
  const char* name;
  Layout (*source)(std::int64_t elements);  // elements: a power of two, at least 256
};

inline constexpr Kind kKinds[] = {
    {"contiguous", [](std::int64_t elements) { return Layout(Dims{elements}); }},
    // (positions, heads, 16) to (heads, positions, 16): runs of one line
    {"permuted",
     [](std::int64_t elements) {
       return permuted(Layout({elements / 128, 8, 16}), {1, 0, 2});
     }},
    {"transposed",
     [](std::int64_t elements) {
       std::int64_t rows = 1;
       while (rows * rows < elements) rows *= 2;
       return permuted(Layout({rows, elements / rows}), {1, 0});
     }},
    // As many as fit, in squares whose rows and columns keep apart in the caches.
    {"apart",
     [](std::int64_t elements) {
       std::int64_t rows = 16;
       while ((rows + 8) * (rows + 8) <= elements) rows += 8;
       if (rows % 64 == 0) rows -= 8;
       return permuted(Layout({rows, rows}), {1, 0});
     }},
    // Pixels of four channels to planes.
    {"planes",
     [](std::int64_t elements) {
       return permuted(Layout({elements / 4, 4}), {1, 0});
     }},
    // All three axes, as many as fit in cubes of such edges.
    {"reversed",
     [](std::int64_t elements) {
       std::int64_t edge = 4;
       while ((edge + 4) * (edge + 4) * (edge + 4) <= elements) edge += 4;
       if (edge % 64 == 0) edge -= 4;
       return permuted(Layout({edge, edge, edge}), {2, 1, 0});
     }},
};

}  // namespace bench
