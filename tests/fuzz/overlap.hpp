// Does a view overlap itself, do two views share a byte: the exact answers against sorted lists of
// where the elements start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"

namespace strided_test {

// A layout of at most 1024 elements with any strides: small ones, ones that only bit maps can tell
// apart, and, where `far` turns true, ones beyond every bit map.
inline strided::Layout fuzz_tangle(FuzzInput& input, bool& far) {
  const std::int64_t rank = input.between(0, 7);
  strided::Dims shape;
  strided::Dims strides;
  std::int64_t lowest = 0;
  std::int64_t left = 1024;
  for (std::int64_t i = 0; i < rank; ++i) {
    std::int64_t size = input.rare() ? input.between(0, 40) : input.between(1, 6);
    if (size > left) size = left;
    if (size > 1) left /= size;
    std::int64_t stride = input.between(-16, 15);
    if (input.flag()) stride = input.between(-32768, 32767);
    if (input.rare()) {
      stride = stride * (std::int64_t{1} << 26) + input.between(-2, 2);
      far = true;
    }
    shape.push_back(size);
    strides.push_back(stride);
    if (stride < 0 && size > 1) lowest += (size - 1) * stride;
  }
  return strided::Layout(shape, strides, input.between(0, 40) - lowest);
}

inline std::vector<std::int64_t> sorted_starts(const strided::Layout& layout, std::int64_t base,
                                               std::int64_t width) {
  std::vector<std::int64_t> starts;
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    starts.push_back(base + layout.offset_of_position(k) * width);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

// The answer, if there is proof of one: beyond the largest bit map, yes may be said without.
template <class What>
void expect_answer(bool answer, bool expected, bool far, const What& what) {
  FUZZ_EXPECT(answer == expected || (far && answer), what());
}

inline void fuzz_overlap(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  bool far = false;
  const strided::Layout a = fuzz_tangle(input, far);
  const std::vector<std::int64_t> in_a = sorted_starts(a, 0, 1);
  const bool repeats = std::adjacent_find(in_a.begin(), in_a.end()) != in_a.end();
  expect_answer(strided::has_internal_overlap(a), repeats, far, [&] { return describe_layout(a); });
  if (strided::has_internal_overlap(a)) {
    const strided::Failure failure = strided::detail::internal_overlap_of(a, "a");
    FUZZ_EXPECT(failure.axis >= 0 && failure.axis < a.rank(), describe_layout(a));
    FUZZ_EXPECT(failure.proven == repeats || far, describe_layout(a));
    (void)fuzz_code_of(failure);
  }

  const strided::Layout b = fuzz_tangle(input, far);
  const std::int64_t width = input.between(1, 16);
  std::int64_t distance = input.between(-64, 63);
  if (input.flag())
    distance = distance * width + input.between(0, 1) * input.between(-32768, 32767);
  const auto what = [&] {
    return describe_layout(a) + " and " + describe_layout(b) + ", " + std::to_string(distance) +
           " bytes further, of " + std::to_string(width) + " bytes";
  };
  const std::vector<std::int64_t> starts_a = sorted_starts(a, 0, width);
  const std::vector<std::int64_t> starts_b = sorted_starts(b, distance, width);
  bool meet = false;
  for (std::size_t i = 0, k = 0; i < starts_a.size() && k < starts_b.size();) {
    meet = meet || (starts_a[i] < starts_b[k] + width && starts_b[k] < starts_a[i] + width);
    ++(starts_a[i] < starts_b[k] ? i : k);
  }
  expect_answer(strided::overlaps(a, b, width, distance), meet, far, what);
  expect_answer(strided::overlaps(b, a, width, -distance), meet, far, what);
}

}  // namespace strided_test
