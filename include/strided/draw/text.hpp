// draw: a view as a grid of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/draw/cells.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

[[nodiscard]] inline std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ').append(text);
}

// "." for a cell that is not touched, "7", or "0x3" for the three elements from number 0 on.
[[nodiscard]] inline std::string label_of(const Cell& cell) {
  if (cell.times == 0) return ".";
  std::string label = std::to_string(cell.number);
  if (cell.times > 1) label.append("x").append(std::to_string(cell.times));
  return label;
}

[[nodiscard]] inline std::string text_of(const Drawing& drawing, const DrawOptions& options) {
  std::size_t width = 1;
  for (const Cell& cell : drawing.cells) {
    const std::size_t needed = label_of(cell).size();
    if (needed > width) width = needed;
  }
  const auto columns = static_cast<std::size_t>(drawing.columns);
  const std::size_t count = drawing.cells.size();
  const auto first = static_cast<std::size_t>(drawing.first);
  const std::size_t gutter =
      count == 0 ? 0 : std::to_string(first + (count - 1) / columns * columns).size();
  std::string text = caption(drawing) + "\n";
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_marked = options.color && drawing.cells[i].times > 0;
    if (i % columns == 0) text.append(padded_left(std::to_string(first + i), gutter)).append(" |");
    text.append(is_marked ? " \x1b[7m" : " ")
        .append(padded_left(label_of(drawing.cells[i]), width));
    if (is_marked) text.append("\x1b[0m");
    if (i % columns + 1 == columns || i + 1 == count) text.append("\n");
  }
  return text.append(summary(drawing)).append("\n");
}

}  // namespace detail

// Draws which elements of its storage a view touches, as lines of text: each touched cell has the
// number of its element, in logical order, "0x3" is a cell that three elements share, the first of
// them number 0, and lines begin with the storage offset of their first cell, in elements. Of a
// storage of more than kMostDrawnCells only the lines that the view reaches are drawn. Any rank and
// any strides. A layout alone is drawn over storage_shape, or over a storage that ends with it.
// Errors (thrown; try_draw returns them): too_large_to_draw past kMostDrawnCells cells or
// kMostDrawnElements elements, out_of_bounds, size_mismatch where storage_shape is not that of the
// view's storage, negative_size and overflow of the options. Semantics: those of Layout.
//
//   draw(Layout({2, 3}, {5, 2}, 5)) is
//   shape (2, 3), strides (5, 2), offset 5
//    0 | . . . . .
//    5 | 0 . 1 . 2
//   10 | 3 . 4 . 5
//   6 elements, in 6 of 15 cells
[[nodiscard]] inline Result<std::string> try_draw(const Layout& view,
                                                  const DrawOptions& options = {}) {
  return detail::try_picture(view, -1, options, "draw", detail::text_of);
}
// The same of a view, whose storage is known.
template <class T>
[[nodiscard]] Result<std::string> try_draw(const StridedView<T>& view,
                                           const DrawOptions& options = {}) {
  return detail::try_picture(view.layout(), detail::storage_elements_of(view), options, "draw",
                             detail::text_of);
}

// The picture that try_draw makes, or throws why there is none.
[[nodiscard]] inline std::string draw(const Layout& view, const DrawOptions& options = {}) {
  return try_draw(view, options).value();
}
// The same of a view, whose storage is known.
template <class T>
[[nodiscard]] std::string draw(const StridedView<T>& view, const DrawOptions& options = {}) {
  return try_draw(view, options).value();
}

}  // namespace strided::inline STRIDED_ABI
