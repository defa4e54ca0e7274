// Which cells of a storage a view touches, and how often: what the pictures are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// How a view is drawn.
struct DrawOptions {
  Dims storage_shape{};      // the storage's own shape, in row-major order; empty: one dimension
  std::int64_t columns = 0;  // cells in a line; 0: the last of storage_shape, or from the strides
  bool color = false;        // text: touched cells in reverse video, for a terminal
};

// A picture of more would be no picture: the cells of a storage, or of a larger one those of the
// lines that the view reaches, and the elements of a view.
inline constexpr std::int64_t kMostDrawnCells = 10'000;
inline constexpr std::int64_t kMostDrawnElements = 1'000'000;

namespace detail {

// One element of the storage.
struct Cell {
  std::int64_t number = -1;  // of the view's element there, in logical order; the first, if several
  std::int64_t times = 0;    // how many elements of the view are there
};

// The storage in lines of `columns` cells, or of a large one the lines that the view reaches.
struct Drawing {
  Layout view;
  std::int64_t columns = 1;
  std::int64_t storage = 0;  // all of its elements
  std::int64_t first = 0;    // the storage offset of the first cell
  std::vector<Cell> cells;
  std::int64_t touched = 0;  // cells
};

// Where strides tell nothing, a line has so many cells; where they do, at most kWidestLine.
inline constexpr std::int64_t kUsualLine = 16;
inline constexpr std::int64_t kWidestLine = 32;

// The length of a line at which the rows of a view lie below each other: a stride, which all
// smaller strides together do not reach, so that rows stay apart. If possible all larger strides
// are its multiples, and of several such the picture nearest to a square is best. The view is
// inside a storage of `count` elements.
//
//   shape (6, 5), strides (10, 1): 10;   shape (2, 3, 4), strides (12, 4, 1): 4
[[nodiscard]] constexpr std::int64_t columns_from_strides(const Layout& view,
                                                          std::int64_t count) noexcept {
  constexpr std::int64_t kTallest = 4;  // lines for each column: a ribbon beyond
  std::int64_t best = count < kUsualLine ? count : kUsualLine;
  std::int64_t best_longer = 0;
  std::int64_t best_shorter = 0;
  bool best_divides = false;
  for (int i = 0; i < view.rank() && !view.empty(); ++i) {
    const auto columns = static_cast<std::int64_t>(magnitude(view.strides()[i]));
    if (view.shape()[i] == 1 || columns < 2 || columns > kWidestLine) continue;
    std::int64_t inside = 0;
    bool divides = true;
    for (int k = 0; k < view.rank(); ++k) {
      if (view.shape()[k] == 1) continue;
      const auto stride = static_cast<std::int64_t>(magnitude(view.strides()[k]));
      if (stride < columns) inside += (view.shape()[k] - 1) * stride;
      divides = divides && (stride < columns || stride % columns == 0);
    }
    const std::int64_t lines = (count + columns - 1) / columns;
    if (inside >= columns || lines > kTallest * columns) continue;
    const std::int64_t longer = lines > columns ? lines : columns;
    const std::int64_t shorter = lines > columns ? columns : lines;
    const bool is_squarer = best_longer == 0 || longer * best_shorter < best_longer * shorter;
    if (divides == best_divides ? is_squarer : divides) {
      best = columns;
      best_longer = longer;
      best_shorter = shorter;
      best_divides = divides;
    }
  }
  return best;
}

// Fills an untouched drawing. `storage_elements` is -1 where nobody knows: then the storage ends
// with the view.
[[nodiscard]] inline Failure draw_cells(Drawing& drawing, const Layout& view,
                                        std::int64_t storage_elements, const DrawOptions& options) {
  if (options.columns < 0) {
    return {ErrorCode::negative_size, "columns", -1, options.columns, 0};
  }
  std::int64_t count = storage_elements;
  if (!options.storage_shape.empty()) {
    const Result<std::int64_t> product = count_elements(options.storage_shape, "storage_shape");
    if (!product) return product.error();
    if (count >= 0 && *product != count) {
      return {ErrorCode::size_mismatch, "storage_shape", -1, *product, count};
    }
    count = *product;
  } else if (count < 0) {
    const std::int64_t highest = view.bounds().highest;
    count = highest < kInt64Max ? highest + 1 : highest;
  }
  if (Failure failure = check_within(view, count, "the view")) return failure;
  if (view.size() > kMostDrawnElements) {
    return {ErrorCode::too_large_to_draw, "the view", -1, view.size(), kMostDrawnElements};
  }

  const bool is_large = count > kMostDrawnCells;
  const Bounds bounds = view.bounds();
  const std::int64_t reach = bounds.empty() ? 0 : bounds.highest - bounds.lowest + 1;
  std::int64_t columns = options.columns;
  if (columns == 0) {
    const Dims& shape = options.storage_shape;
    columns = shape.size() > 1 ? shape[shape.size() - 1]
                               : columns_from_strides(view, is_large ? reach : count);
  }
  if (columns > count) columns = count;  // an empty storage has no line at all
  drawing.view = view;
  drawing.columns = columns > 0 ? columns : 1;
  drawing.storage = count;
  std::int64_t cells = count;
  if (is_large) {
    drawing.first = bounds.empty() ? 0 : bounds.lowest - bounds.lowest % drawing.columns;
    const std::int64_t begun = bounds.empty() ? 0 : bounds.highest + 1 - drawing.first;
    const std::int64_t rest = (drawing.columns - begun % drawing.columns) % drawing.columns;
    cells = begun + (rest < count - drawing.first - begun ? rest : count - drawing.first - begun);
  }
  if (cells > kMostDrawnCells) {
    return {ErrorCode::too_large_to_draw, "what the view reaches", -1, cells, kMostDrawnCells};
  }
  drawing.cells.resize(static_cast<std::size_t>(cells));
  std::int64_t number = 0;
  const auto looked_at = StridedView<Cell>::unchecked(
      drawing.cells,
      Layout::unchecked(view.shape(), view.strides(), view.offset() - drawing.first));
  for (Cell& cell : looked_at) {
    if (cell.times++ == 0) {
      cell.number = number;
      ++drawing.touched;
    }
    ++number;
  }
  return {};
}

// "shape (6, 5), strides (10, 1), offset 22"
[[nodiscard]] inline std::string caption(const Drawing& drawing) {
  std::string text = "shape ";
  text.append(to_string(drawing.view.shape())).append(", strides ");
  text.append(to_string(drawing.view.strides())).append(", offset ");
  return text.append(std::to_string(drawing.view.offset()));
}

// "30 elements, in 30 of 100 cells", and of a large storage, ", 60 of them drawn".
[[nodiscard]] inline std::string summary(const Drawing& drawing) {
  const std::int64_t elements = drawing.view.size();
  std::string text = std::to_string(elements);
  text.append(elements == 1 ? " element, in " : " elements, in ");
  text.append(std::to_string(drawing.touched)).append(" of ");
  text.append(std::to_string(drawing.storage));
  text.append(drawing.storage == 1 ? " cell" : " cells");
  const auto drawn = static_cast<std::int64_t>(drawing.cells.size());
  if (drawn == drawing.storage) return text;
  return text.append(", ").append(std::to_string(drawn)).append(" of them drawn");
}

// The picture that `paint` makes of the cells, or why there is none.
template <class Paint>
[[nodiscard]] Result<std::string> try_picture(const Layout& view, std::int64_t storage_elements,
                                              const DrawOptions& options, const char* call,
                                              Paint&& paint) {
  Result<std::string> result{std::in_place};
  Drawing drawing;
  if (Failure failure = draw_cells(drawing, view, storage_elements, options)) {
    result.fail(failure.in(call));
  } else {
    *result = paint(drawing, options);
  }
  return result;
}

template <class T>
[[nodiscard]] std::int64_t storage_elements_of(const StridedView<T>& view) noexcept {
  return static_cast<std::int64_t>(view.storage().size());
}

}  // namespace detail

}  // namespace strided::inline STRIDED_ABI
