// The loops people write: an odometer over the destination's order, a strided loop inside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "peer.hpp"

namespace bench::loops {

inline constexpr std::size_t kMostAxes = 8;

template <class T>
void copy(const Case& of, const T* src, T* dst) {
  const std::size_t outer = of.shape.size() - 1;
  const std::int64_t count = of.shape[outer];
  const std::int64_t src_step = of.src_strides[outer];
  const std::int64_t dst_step = of.dst_strides[outer];
  std::array<std::int64_t, kMostAxes> index{};
  while (true) {
    for (std::int64_t i = 0; i < count; ++i) dst[i * dst_step] = src[i * src_step];
    std::size_t axis = outer;
    for (; axis > 0; --axis) {
      const std::size_t i = axis - 1;
      src += of.src_strides[i];
      dst += of.dst_strides[i];
      if (++index[i] < of.shape[i]) break;
      src -= of.src_strides[i] * of.shape[i];
      dst -= of.dst_strides[i] * of.shape[i];
      index[i] = 0;
    }
    if (axis == 0) return;
  }
}

template <class T>
Timed prepare_type(const Case& of, const std::byte* src, std::byte* dst) {
  const T* from = reinterpret_cast<const T*>(src) + of.src_offset;
  T* to = reinterpret_cast<T*>(dst) + of.dst_offset;
  Case ordered = of;
  const std::vector<std::size_t> order = memory_order(of.dst_strides);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ordered.shape[i] = of.shape[order[i]];
    ordered.src_strides[i] = of.src_strides[order[i]];
    ordered.dst_strides[i] = of.dst_strides[order[i]];
  }
  return timed([=] { copy(ordered, from, to); });
}

inline bool can(const Case& of) {
  return !of.shape.empty() && of.shape.size() <= kMostAxes;
}

inline Timed prepare(const Case& of, const std::byte* src, std::byte* dst) {
  switch (of.element_bytes) {
    case 1:
      return prepare_type<std::uint8_t>(of, src, dst);
    case 2:
      return prepare_type<std::uint16_t>(of, src, dst);
    case 4:
      return prepare_type<std::uint32_t>(of, src, dst);
    case 8:
      return prepare_type<std::uint64_t>(of, src, dst);
    default:
      return prepare_type<std::array<std::uint64_t, 2>>(of, src, dst);
  }
}

}  // namespace bench::loops
