// Destinations with gaps, and what is copied to them: for each kernel sources that lead to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strided/view/layout.hpp"

namespace strided_test {

struct GapSource {
  const char* name;
  strided::Layout layout;
};
struct GapCopies {
  strided::Layout dst;
  std::vector<GapSource> sources;
};

// The places of a storage that a destination leaves free, up to its last element: what is behind
// that is the guard pages' to watch.
inline std::vector<std::int64_t> gaps_of(const strided::Layout& layout) {
  std::vector<bool> used(static_cast<std::size_t>(layout.bounds().highest + 1));
  for (std::int64_t k = 0; k < layout.size(); ++k) {
    used[static_cast<std::size_t>(layout.offset_of_position(k))] = true;
  }
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) gaps.push_back(static_cast<std::int64_t>(i));
  }
  return gaps;
}

// Destinations with a step, with gaps behind their rows, or with both.
inline std::vector<GapCopies> copies_to_matrices(std::int64_t rows, std::int64_t columns,
                                                 const strided::Dims& row_gaps) {
  const std::int64_t far = 50 * columns;
  const strided::Dims shape{rows, columns};
  std::vector<GapCopies> copies;
  for (const std::int64_t step : {1, 2, 3, 7}) {
    for (const std::int64_t row_gap : row_gaps) {
      if (step == 1 && row_gap == 0) continue;  // no gap
      const strided::Layout dst(shape, {columns * step + row_gap, step});
      const auto of = [&](const strided::Dims& strides, std::int64_t offset = 0) {
        return strided::Layout(shape, strides, offset);
      };
      copies.push_back({dst,
                        {{"dense", of({columns, 1})},
                         {"one element", of({0, 0})},
                         {"one element a row", of({1, 0})},
                         {"every second", of({2 * columns, 2})},
                         {"every third", of({3 * columns, 3})},
                         {"every fifth", of({5 * columns, 5})},
                         {"far apart", of({far, 50})},
                         {"backwards", of({columns, -1}, columns - 1)},
                         {"transposed", of({1, rows})},
                         {"the same strides", of(dst.strides())}}});
    }
  }
  return copies;
}

// Small blocks in another order: pixels without their last byte, mirrored ones, woven planes.
inline std::vector<GapCopies> copies_to_pixels(std::int64_t rows, std::int64_t columns) {
  const strided::Dims pixels{rows, columns, 3};
  const auto of = [&](const strided::Dims& strides, std::int64_t offset = 0) {
    return strided::Layout(pixels, strides, offset);
  };
  const std::vector<GapSource> sources{
      {"pixels", of({3 * columns, 3, 1})},
      {"pixels with a fourth byte", of({4 * columns, 4, 1})},
      {"mirrored", of({3 * columns, 3, -1}, 2)},
      {"the image mirrored", of({3 * columns, -3, 1}, 3 * columns - 3)},
      {"planes", of({columns, 1, rows * columns})},
      {"one pixel", of({0, 0, 1})}};
  const strided::Dims planes{3, rows, columns};
  return {{of({3 * columns + 5, 3, 1}), sources},
          {of({4 * columns, 4, 1}), sources},
          {strided::Layout(planes, {rows * (columns + 3), columns + 3, 1}),
           {{"pixels to planes", strided::Layout(planes, {1, 3 * columns, 3})}}}};
}

}  // namespace strided_test
