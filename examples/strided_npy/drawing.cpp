#include "drawing.hpp"

#include <algorithm>

#include "array.hpp"

namespace strided_npy {
namespace {

std::string padded(const std::string& text, std::size_t width) {
  return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

}  // namespace

Drawing draw(const strided::Dims& storage_shape, const strided::Layout& view,
             std::int64_t columns) {
  constexpr std::int64_t kMostCells = 10'000;
  constexpr std::int64_t kMostElements = 10'000'000;
  const strided::Layout storage =
      value_or_fail(strided::Layout::try_row_major(storage_shape), "show");
  if (storage.size() > kMostCells) {
    throw UsageError("show: a storage of " + std::to_string(storage.size()) +
                     " elements is too large to draw, " + std::to_string(kMostCells) +
                     " are the most");
  }
  if (view.size() > kMostElements) {
    throw UsageError("show: a view of " + std::to_string(view.size()) +
                     " elements is too large to draw, " + std::to_string(kMostElements) +
                     " are the most");
  }
  Drawing drawing{view, storage_shape, columns, {}, 0};
  drawing.cells.resize(static_cast<std::size_t>(storage.size()));
  for (std::int64_t number = 0; number < view.size(); ++number) {
    Cell& cell = drawing.cells[static_cast<std::size_t>(view.offset_of_position(number))];
    if (cell.times++ == 0) {
      cell.number = number;
      ++drawing.touched;
    }
  }
  return drawing;
}

std::string caption(const Drawing& drawing) {
  return "shape " + to_string(drawing.view.shape()) + ", strides " +
         to_string(drawing.view.strides()) + ", offset " + std::to_string(drawing.view.offset());
}

std::string summary(const Drawing& drawing) {
  const std::int64_t elements = drawing.view.size();
  return std::to_string(elements) + (elements == 1 ? " element, in " : " elements, in ") +
         std::to_string(drawing.touched) + " of " + std::to_string(drawing.cells.size()) +
         (drawing.cells.size() == 1 ? " cell" : " cells");
}

std::string to_text(const Drawing& drawing, bool color) {
  std::size_t width = 1;
  std::vector<std::string> labels;
  for (const Cell& cell : drawing.cells) {
    std::string label = cell.times == 0 ? "." : std::to_string(cell.number);
    if (cell.times > 1) label += "x" + std::to_string(cell.times);
    width = std::max(width, label.size());
    labels.push_back(label);
  }
  const std::size_t gutter = std::to_string(labels.size()).size();
  std::string text;
  const auto columns = static_cast<std::size_t>(drawing.columns);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i % columns == 0) text += padded(std::to_string(i), gutter) + " |";
    const bool touched = drawing.cells[i].times > 0;
    text += color && touched ? " \x1b[7m" : " ";
    text += padded(labels[i], width);
    if (color && touched) text += "\x1b[0m";
    if (i % columns + 1 == columns || i + 1 == labels.size()) text += '\n';
  }
  return text;
}

}  // namespace strided_npy
