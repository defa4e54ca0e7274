// The set of positions that a strided view touches, and two exact questions about such sets: does
// one set repeat a position, do two sets meet.
//
// Both ask whether sum(d[i] * stride[i]) can hit a range of values with bounded integers d[i]. Easy
// cases are settled by arithmetic, small ones by a bounded search, the rest by bit maps of the
// reachable positions built by doubling: their cost depends on the extent of the set, not on the
// number of elements.
#pragma once

#include <bit>
#include <cstdint>
#include <new>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"

namespace strided::inline STRIDED_ABI::detail {

// The largest bit map that a question may cost: 64 MiB.
inline constexpr std::int64_t kMaxMappedPositions = std::int64_t{1} << 29;
// Steps of the search before it gives way to bit maps.
inline constexpr int kSearchSteps = 4096;

enum class Found : std::uint8_t { no, yes, unknown };

[[nodiscard]] constexpr std::int64_t common_divisor(std::int64_t a, std::int64_t b) noexcept {
  while (b != 0) {
    const std::int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Quotients rounded down and up, for a positive divisor.
[[nodiscard]] constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}
[[nodiscard]] constexpr std::int64_t ceil_divide(std::int64_t a, std::int64_t b) noexcept {
  return a / b + (a % b > 0 ? 1 : 0);
}

// Positions 0 .. size - 1, each marked or not.
class PositionMap {
 public:
  explicit PositionMap(std::int64_t size) noexcept : words_(size / 64 + 1) {
    if (size > kMaxMappedPositions) return;  // unusable
    bits_ = new (std::nothrow) std::uint64_t[static_cast<std::size_t>(words_)]();
  }
  PositionMap(const PositionMap&) = delete;
  PositionMap& operator=(const PositionMap&) = delete;
  ~PositionMap() { delete[] bits_; }

  [[nodiscard]] bool usable() const noexcept { return bits_ != nullptr; }

  void mark_origin() noexcept { bits_[0] |= 1; }

  // Marks all that is marked again, `shift` higher, inside the map. From the top down: a word is
  // read before it changes.
  void mark_shifted(std::int64_t shift) noexcept {
    highest_ += shift;
    for (std::int64_t i = highest_ / 64; i >= shift / 64; --i) bits_[i] |= word_moved(i, shift);
  }

  [[nodiscard]] std::int64_t count_marked() const noexcept {
    std::int64_t marked = 0;
    for (std::int64_t i = 0; i < words_; ++i) marked += std::popcount(bits_[i]);
    return marked;
  }

  // True if a mark of `other`, moved by `shift` (of either sign), is marked here too.
  [[nodiscard]] bool meets(const PositionMap& other, std::int64_t shift) const noexcept {
    for (std::int64_t i = 0; i < words_; ++i) {
      if ((bits_[i] & other.word_moved(i, shift)) != 0) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] std::uint64_t word(std::int64_t i) const noexcept {
    return i < 0 || i >= words_ ? 0 : bits_[i];
  }
  // Word i of the map moved up by `shift`.
  [[nodiscard]] std::uint64_t word_moved(std::int64_t i, std::int64_t shift) const noexcept {
    const std::int64_t words = floor_divide(shift, 64);
    const std::int64_t bit = shift - words * 64;
    const std::uint64_t low = word(i - words) << bit;
    return bit == 0 ? low : low | word(i - words - 1) >> (64 - bit);
  }

  std::int64_t words_;
  std::int64_t highest_ = 0;  // marked
  std::uint64_t* bits_ = nullptr;
};

// The positions sum(i[k] * stride[k]), 0 <= i[k] < count[k], counted from the lowest. Strides are
// held positive and ascending; axes of one element are left out.
class Footprint {
 public:
  constexpr void add(std::int64_t count, std::int64_t stride) noexcept {
    if (count == 1) return;
    const std::int64_t step = stride < 0 ? -stride : stride;
    int at = rank_++;
    for (; at > 0 && strides_[at - 1] > step; --at) {
      strides_[at] = strides_[at - 1];
      counts_[at] = counts_[at - 1];
    }
    strides_[at] = step;
    counts_[at] = count;
  }

  [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr std::int64_t stride(int k) const noexcept { return strides_[k]; }
  [[nodiscard]] constexpr std::int64_t reach(int k) const noexcept {
    return (counts_[k] - 1) * strides_[k];
  }
  [[nodiscard]] constexpr std::int64_t last(int k) const noexcept { return counts_[k] - 1; }

  // The highest position, or -1 where it does not fit 64 bits.
  [[nodiscard]] constexpr std::int64_t highest() const noexcept {
    std::int64_t sum = 0;
    for (int k = 0; k < rank_; ++k) {
      // unreachable: what the strides of a Layout reach together fits, as its constructor sees to
      if (add_overflows(sum, reach(k), sum)) return -1;
    }
    return sum;
  }

  // Each stride exceeds all that the smaller ones reach together: then no position repeats, and
  // the order of the strides is the order of addresses.
  [[nodiscard]] constexpr bool is_nested() const noexcept {
    std::int64_t below = 0;
    for (int k = 0; k < rank_; ++k) {
      if (strides_[k] <= below) return false;
      // unreachable: as in highest()
      if (add_overflows(below, reach(k), below)) return k + 1 == rank_;
    }
    return true;
  }

  // Marks every position, divided by `divisor`, in an empty map. What is marked after `done` steps
  // along an axis serves, shifted, for as many more; the last shift may mark some twice.
  void mark(PositionMap& map, std::int64_t divisor) const noexcept {
    map.mark_origin();
    for (int k = 0; k < rank_; ++k) {
      const std::int64_t stride = strides_[k] / divisor;
      for (std::int64_t done = 1; done < counts_[k];) {
        const std::int64_t more = done <= counts_[k] - done ? done : counts_[k] - done;
        map.mark_shifted(more * stride);
        done += more;
      }
    }
  }

 private:
  int rank_ = 0;
  std::int64_t counts_[kMaxRank];
  std::int64_t strides_[kMaxRank];
};

// Can sum(d[k] * stride[k]), low[k] <= d[k] <= high[k], come within a range? Terms are tried from
// the largest stride down, keeping to values that the smaller strides can still mend.
class BoundedSum {
 public:
  constexpr void add(std::int64_t stride, std::int64_t low, std::int64_t high) noexcept {
    int at = count_++;
    for (; at > 0 && terms_[at - 1].stride > stride; --at) terms_[at] = terms_[at - 1];
    terms_[at] = {stride, low, high, 0, 0, 0};
  }

  // `nontrivial`: at least one d[k] must differ from 0.
  [[nodiscard]] constexpr Found hits(std::int64_t from, std::int64_t to, bool nontrivial) noexcept {
    std::int64_t below_low = 0;
    std::int64_t below_high = 0;
    std::int64_t divisor = 0;
    for (int k = 0; k < count_; ++k) {
      Term& term = terms_[k];
      term.below_low = below_low;
      term.below_high = below_high;
      divisor = common_divisor(divisor, term.stride);
      term.divisor = divisor;
      below_low += term.low * term.stride;
      below_high += term.high * term.stride;
    }
    budget_ = kSearchSteps;
    return search(count_ - 1, from, to, !nontrivial);
  }

 private:
  struct Term {
    std::int64_t stride;
    std::int64_t low;
    std::int64_t high;
    std::int64_t below_low;  // what the smaller strides reach together
    std::int64_t below_high;
    std::int64_t divisor;  // common to this stride and all smaller ones
  };

  [[nodiscard]] constexpr Found search(int k, std::int64_t from, std::int64_t to,
                                       bool accepted) noexcept {
    // unreachable: of the last term, only steps that end between `from` and `to` are tried
    if (k < 0) return from <= 0 && to >= 0 && accepted ? Found::yes : Found::no;
    const Term& term = terms_[k];
    if (ceil_divide(from, term.divisor) > floor_divide(to, term.divisor)) return Found::no;
    if (--budget_ < 0) return Found::unknown;
    std::int64_t low = ceil_divide(from - term.below_high, term.stride);
    std::int64_t high = floor_divide(to - term.below_low, term.stride);
    if (low < term.low) low = term.low;
    if (high > term.high) high = term.high;
    for (std::int64_t d = low; d <= high; ++d) {
      const std::int64_t part = d * term.stride;
      const Found found = search(k - 1, from - part, to - part, accepted || d != 0);
      if (found != Found::no) return found;
    }
    return Found::no;
  }

  int count_ = 0;
  int budget_ = 0;
  Term terms_[2 * kMaxRank];
};

// Does the footprint reach a position by two indices? Unknown where the bit map would be too large.
[[nodiscard]] inline Found repeats_positions(const Footprint& footprint) noexcept {
  if (footprint.is_nested()) return Found::no;
  if (footprint.stride(0) == 0) return Found::yes;
  const std::int64_t highest = footprint.highest();
  // unreachable: less than 0, as in highest()
  if (highest < 0 || highest > kInt64Max / 4) return Found::unknown;
  BoundedSum differences;
  std::int64_t divisor = 0;
  std::int64_t elements = 1;
  for (int k = 0; k < footprint.rank(); ++k) {
    differences.add(footprint.stride(k), -footprint.last(k), footprint.last(k));
    divisor = common_divisor(divisor, footprint.stride(k));
  }
  const std::int64_t positions = highest / divisor + 1;
  for (int k = 0; k < footprint.rank(); ++k) {
    // unreachable: the number of elements of a Layout fits
    if (multiply_overflows(elements, footprint.last(k) + 1, elements)) return Found::yes;
    if (elements > positions) return Found::yes;
  }
  const Found found = differences.hits(0, 0, true);
  if (found != Found::unknown) return found;
  PositionMap map(positions);
  if (!map.usable()) return Found::unknown;
  footprint.mark(map, divisor);
  return map.count_marked() != elements ? Found::yes : Found::no;
}

// Do elements of `width` bytes at the positions of `a`, and of `b` starting `distance` later, share
// a byte? All in bytes, extents, distance and width below 2^61. Unknown where a bit map would have
// more than `most_positions`.
[[nodiscard]] inline Found footprints_meet(
    const Footprint& a, const Footprint& b, std::int64_t distance, std::int64_t width,
    std::int64_t most_positions = kMaxMappedPositions) noexcept {
  const std::int64_t from = distance - width + 1;  // hits: position in a - position in b
  const std::int64_t to = distance + width - 1;
  BoundedSum differences;
  std::int64_t divisor = 0;
  for (int k = 0; k < a.rank(); ++k) {
    if (a.stride(k) == 0) continue;
    differences.add(a.stride(k), 0, a.last(k));
    divisor = common_divisor(divisor, a.stride(k));
  }
  for (int k = 0; k < b.rank(); ++k) {
    if (b.stride(k) == 0) continue;
    differences.add(b.stride(k), -b.last(k), 0);
    divisor = common_divisor(divisor, b.stride(k));
  }
  const Found found = differences.hits(from, to, false);
  if (found != Found::unknown) return found;
  const std::int64_t positions_a = a.highest() / divisor + 1;
  const std::int64_t positions_b = b.highest() / divisor + 1;
  if (positions_a > most_positions || positions_b > most_positions) return Found::unknown;
  PositionMap map_a(positions_a);
  PositionMap map_b(positions_b);
  if (!map_a.usable() || !map_b.usable()) return Found::unknown;
  a.mark(map_a, divisor);
  b.mark(map_b, divisor);
  for (std::int64_t m = ceil_divide(from, divisor); m <= floor_divide(to, divisor); ++m) {
    if (map_a.meets(map_b, m)) return Found::yes;
  }
  return Found::no;
}

}  // namespace strided::inline STRIDED_ABI::detail
