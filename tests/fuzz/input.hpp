// Numbers, shapes and layouts made from the bytes of a fuzzer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "strided/core/checked_math.hpp"
#include "strided/core/dims.hpp"
#include "strided/view/layout.hpp"

namespace strided_test {

// A byte or two for each number, so that one flipped bit is one changed number. Where the bytes run
// out there are zeros, which mean the ordinary: row-major, no gap, no mask.
class FuzzInput {
 public:
  explicit FuzzInput(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool done() const { return bytes_.empty(); }
  [[nodiscard]] std::span<const std::uint8_t> rest() const { return bytes_; }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  bool flag() { return (byte() & 1) != 0; }
  bool rare() { return byte() >= 240; }

  // Both ends included; at most 65536 of them.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::int64_t choices = high - low + 1;
    std::int64_t value = byte();
    if (choices > 256) value = value << 8 | byte();
    return low + value % choices;
  }

  // Any number that code may stumble over: -64 to 127, and up to 64 away from a power of two of
  // either sign; around the 63rd that wraps from one end of 64 bits to the other.
  std::int64_t number() {
    const std::int64_t first = byte();
    if (first < 128) return first;
    if (first < 192) return 127 - first;
    const std::uint8_t second = byte();
    const std::uint64_t power = std::uint64_t{1} << (first - 192);
    const std::uint64_t value = power + (second & 127U) - 64;
    return static_cast<std::int64_t>((second & 128) == 0 ? value : std::uint64_t{0} - value);
  }

  strided::Dims numbers(std::size_t count) {
    strided::Dims list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(number());
    return list;
  }

  // A mask: mostly of the first eight positions.
  std::uint32_t mask() {
    const std::uint8_t low = byte();
    if (!rare()) return low;
    std::uint32_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 8 | byte();
    return bits;
  }

  // Sizes of which the product is at most `max_elements`: mostly small, and those around the widths
  // of vectors and tiles.
  strided::Dims shape(std::int64_t max_elements, std::int64_t max_rank = 6) {
    const bool is_long = rare();
    const std::int64_t rank = between(0, is_long ? strided::kMaxRank : max_rank);
    strided::Dims sizes;
    std::int64_t left = max_elements;
    for (std::int64_t i = 0; i < rank; ++i) {
      const std::int64_t kind = byte();
      std::int64_t size = is_long ? 1 + kind / 240 : kind % 10;
      if (kind >= 200) size = (std::int64_t{8} << kind % 5) + kind / 5 % 3 - 1;
      if (size > left) size = left;
      sizes.push_back(size);
      if (size > 1) left /= size;
    }
    return sizes;
  }

  // Axes in any order and direction, dense or with gaps, sometimes repeated or interleaved. The
  // lowest element is at most 3 after the start of the storage, the highest below max_span + 3.
  strided::Layout layout(const strided::Dims& shape, std::int64_t max_span) {
    strided::Dims strides = strided::Dims::filled(shape.size(), 0);
    strided::Dims left;  // axes that have no stride yet, the innermost first
    for (std::size_t i = shape.size(); i-- > 0;) left.push_back(static_cast<std::int64_t>(i));
    std::int64_t span = 1;  // of the axes placed so far
    std::int64_t lowest = 0;
    while (!left.empty()) {
      const std::int64_t at = between(0, static_cast<std::int64_t>(left.size()) - 1);
      const std::int64_t axis = left[at];
      left.erase(static_cast<std::size_t>(at));
      const std::uint8_t kind = byte();
      std::int64_t stride = span;
      if (kind >= 128) stride = span + between(1, 5);
      if (kind >= 160) stride = span * between(2, 8);
      if (kind >= 200) stride = between(0, 15);
      const std::int64_t steps = shape[axis] > 1 ? shape[axis] - 1 : 0;
      if (steps * stride > max_span - span) stride = 0;
      span += steps * stride;
      if ((kind & 1) != 0) {
        lowest -= steps * stride;
        stride = -stride;
      }
      strides[axis] = stride;
    }
    return strided::Layout(shape, strides, between(0, 3) - lowest);
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

// The elements that a storage for `layout` needs.
inline std::int64_t extent_of(const strided::Layout& layout) {
  return layout.empty() ? 0 : layout.bounds().highest + 1;
}

// Bytes of which neighbours differ, and those 256 apart too.
inline std::vector<std::uint8_t> fuzz_pattern(std::size_t count, std::uint32_t seed = 1) {
  std::vector<std::uint8_t> bytes(count);
  std::uint32_t state = seed * 2654435761U + 1;
  for (std::uint8_t& byte : bytes) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    byte = static_cast<std::uint8_t>(state >> 11);
  }
  return bytes;
}

// A memory and its contents before the call.
template <class T>
struct FuzzArray {
  std::vector<T> elements;
  std::vector<T> before;

  FuzzArray(std::int64_t count, std::uint32_t seed) : elements(static_cast<std::size_t>(count)) {
    const std::vector<std::uint8_t> bytes = fuzz_pattern(elements.size() * sizeof(T), seed);
    if (!bytes.empty()) std::memcpy(elements.data(), bytes.data(), bytes.size());
    before = elements;
  }
  [[nodiscard]] bool changed() const { return elements != before; }
};

}  // namespace strided_test
