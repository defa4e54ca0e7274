// Byte orders that weave K streams into one and take them apart, 16 bytes at a time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "strided/core/config.hpp"
#include "strided/engine/kernels/kernel.hpp"

namespace strided::inline STRIDED_ABI::kernels {

// For elements of 1, 2, 4 and 8 bytes: which byte of input j goes to byte b of output i, 0x80 for
// none of them.
template <std::size_t K>
struct Weaves {
  std::uint8_t order[4][K * K * 16];
};

// Input j is bytes 16 j and up of the woven stream, output i is stream i.
template <std::size_t K>
[[nodiscard]] constexpr Weaves<K> make_take_apart() noexcept {
  Weaves<K> weaves{};
  for (std::size_t log = 0; log < 4; ++log) {
    const std::size_t width = std::size_t{1} << log;
    for (std::size_t i = 0; i < K; ++i) {
      for (std::size_t b = 0; b < 16; ++b) {
        const std::size_t place = (b / width * K + i) * width + b % width;
        for (std::size_t j = 0; j < K; ++j) {
          weaves.order[log][(i * K + j) * 16 + b] =
              static_cast<std::uint8_t>(place / 16 == j ? place % 16 : 0x80);
        }
      }
    }
  }
  return weaves;
}

// Input j is stream j, output i is bytes 16 i and up of the woven stream.
template <std::size_t K>
[[nodiscard]] constexpr Weaves<K> make_weave() noexcept {
  Weaves<K> weaves{};
  for (std::size_t log = 0; log < 4; ++log) {
    const std::size_t width = std::size_t{1} << log;
    for (std::size_t i = 0; i < K; ++i) {
      for (std::size_t b = 0; b < 16; ++b) {
        const std::size_t place = 16 * i + b;
        const std::size_t from = place / (K * width) * width + place % width;
        for (std::size_t j = 0; j < K; ++j) {
          weaves.order[log][(i * K + j) * 16 + b] =
              static_cast<std::uint8_t>(place / width % K == j ? from : 0x80);
        }
      }
    }
  }
  return weaves;
}

template <std::size_t K>
struct TakeApart {
  static constexpr Weaves<K> kTable = make_take_apart<K>();
};
template <std::size_t K>
struct Weave {
  static constexpr Weaves<K> kTable = make_weave<K>();
};

// The K x K orders for elements of `width` bytes, 16 bytes each, output by output.
template <template <std::size_t> class Tables>
[[nodiscard]] constexpr const std::uint8_t* find_order(std::int64_t k,
                                                       std::int64_t width) noexcept {
  const std::int64_t log = width < 4 ? width - 1 : width / 4 + 1;
  switch (k) {
    case 2:
      return Tables<2>::kTable.order[log];
    case 3:
      return Tables<3>::kTable.order[log];
    case 4:
      return Tables<4>::kTable.order[log];
    case 5:
      return Tables<5>::kTable.order[log];
    case 6:
      return Tables<6>::kTable.order[log];
    case 7:
      return Tables<7>::kTable.order[log];
    default:
      return Tables<8>::kTable.order[log];
  }
}

template <class = void>
[[nodiscard]] const std::uint8_t* take_apart_order(std::int64_t k, std::int64_t width) noexcept {
  return find_order<TakeApart>(k, width);
}
template <class = void>
[[nodiscard]] const std::uint8_t* weave_order(std::int64_t k, std::int64_t width) noexcept {
  return find_order<Weave>(k, width);
}

}  // namespace strided::inline STRIDED_ABI::kernels
