// Which cells of a storage a view touches, as a picture.
#pragma once

#include <cstdint>
#include <strided/view/layout.hpp>
#include <string>
#include <vector>

namespace strided_npy {

// One element of the storage.
struct Cell {
  std::int64_t number = -1;  // of the view's element there, in logical order; the first, if several
  std::int64_t times = 0;    // how many elements of the view are there
};

// The storage in rows of `columns` cells.
struct Drawing {
  strided::Layout view;
  strided::Dims storage_shape;
  std::int64_t columns = 1;
  std::vector<Cell> cells;
  std::int64_t touched = 0;  // cells
};

// `storage_shape` is the storage's own shape, its elements in row-major order. Throws UsageError
// for a storage that is too large to draw.
[[nodiscard]] Drawing draw(const strided::Dims& storage_shape, const strided::Layout& view,
                           std::int64_t columns);

// "shape (6, 5), strides (10, 1), offset 22"
[[nodiscard]] std::string caption(const Drawing& drawing);
// "30 elements, in 30 of 100 cells"
[[nodiscard]] std::string summary(const Drawing& drawing);

// A grid of characters; with `color`, touched cells are in reverse video.
[[nodiscard]] std::string to_text(const Drawing& drawing, bool color);
// A complete SVG document.
[[nodiscard]] std::string to_svg(const Drawing& drawing);

}  // namespace strided_npy
