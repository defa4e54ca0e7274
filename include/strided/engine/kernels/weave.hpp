// Byte orders that weave K streams into one and take them apart, 16 bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"

namespace strided::inline STRIDED_ABI::kernels {

// `order[i][j][b]`: which byte of input j goes to byte b of output i, 0x80 for none of them.
template <std::size_t K>
struct Weave {
  std::uint8_t order[K][K][16];
};

// One weave for elements of 1, 2, 4 and 8 bytes each.
template <std::size_t K>
struct Weaves {
  Weave<K> widths[4];

  [[nodiscard]] constexpr const Weave<K>& of_width(std::int64_t bytes) const noexcept {
    return widths[bytes < 4 ? bytes - 1 : bytes / 4 + 1];
  }
};

// Input j is bytes 16 j and up of the woven stream, output i is stream i.
template <std::size_t K>
inline constexpr Weaves<K> kTakeApart = [] {
  Weaves<K> weaves{};
  for (std::size_t log = 0; log < 4; ++log) {
    const std::size_t width = std::size_t{1} << log;
    for (std::size_t i = 0; i < K; ++i) {
      for (std::size_t b = 0; b < 16; ++b) {
        const std::size_t place = (b / width * K + i) * width + b % width;
        for (std::size_t j = 0; j < K; ++j) {
          weaves.widths[log].order[i][j][b] =
              static_cast<std::uint8_t>(place / 16 == j ? place % 16 : 0x80);
        }
      }
    }
  }
  return weaves;
}();

// Input j is stream j, output i is bytes 16 i and up of the woven stream.
template <std::size_t K>
inline constexpr Weaves<K> kWeave = [] {
  Weaves<K> weaves{};
  for (std::size_t log = 0; log < 4; ++log) {
    const std::size_t width = std::size_t{1} << log;
    for (std::size_t i = 0; i < K; ++i) {
      for (std::size_t b = 0; b < 16; ++b) {
        const std::size_t place = 16 * i + b;
        const std::size_t from = place / (K * width) * width + place % width;
        for (std::size_t j = 0; j < K; ++j) {
          weaves.widths[log].order[i][j][b] =
              static_cast<std::uint8_t>(place / width % K == j ? from : 0x80);
        }
      }
    }
  }
  return weaves;
}();

}  // namespace strided::inline STRIDED_ABI::kernels
