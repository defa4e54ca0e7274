// Random shapes, layouts and memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "strided/core/dims.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"
#include "support/random.hpp"

namespace strided_test {

// An element of N bytes that may stand at any address.
template <std::size_t N>
struct Bytes {
  std::array<unsigned char, N> value;
};

// Mostly small sizes, and those around the widths of vectors and tiles; now and then a long axis.
inline std::int64_t random_size(Random& random) {
  static constexpr std::int64_t kTiles[] = {8, 16, 32, 64};
  const std::int64_t kind = random.between(1, 100);
  if (kind <= 2) return 0;
  if (kind <= 12) return 1;
  if (kind <= 80) return random.between(2, 9);
  if (kind <= 95) return random.pick(kTiles) + random.between(-1, 1);
  return random.between(100, 1000);
}

// Advances to the next list with every entry in [low, high]; false after the last.
inline bool next_list(strided::Dims& list, std::int64_t low, std::int64_t high) {
  for (std::size_t i = list.size(); i-- > 0;) {
    if (++list[i] <= high) return true;
    list[i] = low;
  }
  return false;
}

inline strided::Dims random_shape(Random& random, std::int64_t max_elements, int max_rank = 6) {
  strided::Dims shape;
  const std::int64_t rank = random.between(0, max_rank);
  std::int64_t left = max_elements;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const std::int64_t size = std::min(random_size(random), left);
    shape.push_back(size);
    left /= std::max<std::int64_t>(size, 1);
  }
  std::shuffle(shape.begin(), shape.end(), std::mt19937_64(random.bits()));
  return shape;
}

// The offset that puts the lowest element `lead` after the start of the storage.
inline strided::Layout placed(const strided::Dims& shape, const strided::Dims& strides,
                              std::int64_t lead) {
  const strided::Bounds bounds = strided::Layout(shape, strides).bounds();
  return strided::Layout(shape, strides, lead - (bounds.empty() ? 0 : bounds.lowest));
}

inline bool is_unique(const strided::Layout& layout) {
  if (layout.empty()) return true;
  const strided::Bounds bounds = layout.bounds();
  std::vector<bool> seen(static_cast<std::size_t>(bounds.highest - bounds.lowest) + 1);
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    auto place = seen[static_cast<std::size_t>(layout.offset_of_position(k) - bounds.lowest)];
    if (place) return false;
    place = true;
  }
  return true;
}

// No two indices share an element: axes in any order and direction, with gaps, or interleaved.
inline strided::Layout random_unique_layout(Random& random, const strided::Dims& shape) {
  constexpr std::int64_t kMaxSpan = std::int64_t{1} << 17;
  const std::size_t rank = shape.size();
  strided::Dims strides = strided::Dims::filled(rank, 1);
  const std::int64_t lead = random.between(0, 3);
  if (rank > 1 && random.chance(10)) {
    for (int attempt = 0; attempt < 5; ++attempt) {
      for (std::int64_t& stride : strides) stride = random.between(-12, 12);
      const strided::Layout layout = placed(shape, strides, lead);
      if (is_unique(layout)) return layout;
    }
  }
  std::vector<std::size_t> order(rank);  // of the axes, the innermost first
  for (std::size_t i = 0; i < rank; ++i) order[i] = rank - 1 - i;
  if (random.chance(50)) std::shuffle(order.begin(), order.end(), std::mt19937_64(random.bits()));
  const bool has_gaps = random.chance(50);
  const bool has_flips = random.chance(40);
  std::int64_t span = 1;  // of the axes placed so far
  for (std::size_t axis : order) {
    std::int64_t stride = span;
    if (has_gaps && span < kMaxSpan && random.chance(40)) {
      stride = random.chance(50) ? span + random.between(1, 3) : span * random.between(2, 4);
    }
    span = std::max<std::int64_t>(shape[axis] - 1, 0) * stride + span;
    strides[axis] = has_flips && random.chance(50) ? -stride : stride;
  }
  return placed(shape, strides, lead);
}

// What a source may be: also repeated (stride 0) and overlapping (windows).
inline strided::Layout random_layout(Random& random, const strided::Dims& shape) {
  const strided::Layout unique = random_unique_layout(random, shape);
  if (random.chance(60)) return unique;
  strided::Dims strides = unique.strides();
  for (std::int64_t& stride : strides) {
    if (random.chance(30)) stride = 0;
    if (random.chance(20)) stride = random.between(-3, 3);
  }
  return placed(shape, strides, random.between(0, 3));
}

// Bits that tell nothing of the number next to it (the finalizer of SplitMix64): a memory of them
// is made at once, where a generator makes one word after the other and takes half the time of a
// test.
constexpr std::uint64_t mixed(std::uint64_t counter) {
  std::uint64_t bits = counter * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

// A storage of random bits, somewhere in a larger memory of random bits. A copy lies at the same
// distance from a 64-byte line.
template <class T>
class Arena {
 public:
  Arena(Random& random, std::int64_t elements)
      : lines_(static_cast<std::size_t>(elements) * sizeof(T) / kLine + 4),
        elements_(static_cast<std::size_t>(elements)),
        start_(kLine +
               static_cast<std::size_t>(random.between(0, kLine / alignof(T) - 1)) * alignof(T)) {
    std::uint64_t counter = random.bits();
    for (Line& line : lines_) {
      for (std::uint64_t& word : line.words) word = mixed(++counter);
    }
  }
  static Arena for_layout(Random& random, const strided::Layout& layout) {
    const std::int64_t needed = layout.empty() ? 0 : layout.bounds().highest + 1;
    return Arena(random, needed + random.between(0, 3));
  }

  // `shift_bytes`: so much further on, up to 64 bytes; a multiple of the alignment.
  std::span<T> storage(std::size_t shift_bytes = 0) {
    auto* bytes = reinterpret_cast<std::byte*>(lines_.data());
    return {reinterpret_cast<T*>(bytes + start_ + shift_bytes), elements_};
  }
  strided::StridedView<T> view(const strided::Layout& layout, std::size_t shift_bytes = 0) {
    return strided::StridedView<T>(storage(shift_bytes), layout);
  }

  // Every byte, before, after and in the gaps.
  friend bool operator==(const Arena& a, const Arena& b) {
    return std::memcmp(a.lines_.data(), b.lines_.data(), a.lines_.size() * kLine) == 0;
  }

 private:
  static constexpr std::size_t kLine = 64;
  struct alignas(kLine) Line {
    std::uint64_t words[kLine / sizeof(std::uint64_t)];
  };
  std::vector<Line> lines_;
  std::size_t elements_;
  std::size_t start_;
};

inline std::string describe(const strided::Layout& layout) {
  return "shape " + to_string(layout.shape()) + " strides " + to_string(layout.strides()) +
         " offset " + std::to_string(layout.offset());
}

}  // namespace strided_test
