// draw_svg: a view as a drawing for a browser, a document or a README.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/draw/cells.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

namespace detail {

// All in pixels.
inline constexpr std::int64_t kSvgGap = 4;  // between cells
inline constexpr std::int64_t kSvgMargin = 24;
inline constexpr std::int64_t kSvgGutter = 40;  // for the offset of each line
inline constexpr std::int64_t kSvgHeader = 76;

inline constexpr const char* kSvgStyle =
    "text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;"
    "text-anchor:middle}"
    ".title{font-size:17px;font-weight:bold;fill:#16263a;text-anchor:start}"
    ".note{font-size:12px;fill:#5b6b7d;text-anchor:start}"
    ".edge{font-size:10px;fill:#66788a;text-anchor:end}"
    ".free{fill:#eef2f6}.used{fill:#1d4e7e}.many{fill:#12324f}"
    ".number{font-size:15px;font-weight:bold;fill:#ffffff}.long{font-size:11px}"
    ".offset{font-size:10px;fill:#8696a6}.under{font-size:8px;fill:#b5d0e8}"
    ".badge{fill:#c2570c}.times{font-size:9px;font-weight:bold;fill:#ffffff}";

[[nodiscard]] inline std::string svg_attribute(const char* name, std::int64_t value) {
  return std::string(" ").append(name).append("=\"").append(std::to_string(value)).append("\"");
}

[[nodiscard]] inline std::string svg_rectangle(const char* kind, std::int64_t x, std::int64_t y,
                                               std::int64_t width, std::int64_t height,
                                               std::int64_t radius) {
  std::string svg = "<rect class=\"";
  svg.append(kind).append("\"").append(svg_attribute("x", x)).append(svg_attribute("y", y));
  svg.append(svg_attribute("width", width)).append(svg_attribute("height", height));
  return svg.append(svg_attribute("rx", radius)).append("/>\n");
}

// `content` is made of numbers and words of this file: nothing in it needs escaping.
[[nodiscard]] inline std::string svg_text(const char* kind, std::int64_t x, std::int64_t y,
                                          const std::string& content) {
  std::string svg = "<text class=\"";
  svg.append(kind).append("\"").append(svg_attribute("x", x)).append(svg_attribute("y", y));
  return svg.append(" dy=\"0.36em\">").append(content).append("</text>\n");
}

[[nodiscard]] inline std::int64_t digits_of(std::int64_t value) {
  return static_cast<std::int64_t>(std::to_string(value).size());
}

[[nodiscard]] inline std::int64_t svg_badge_width(std::int64_t times) {
  return 12 + 7 * digits_of(times);
}

// The side of a cell with the gap: wide enough for its number and for the badge.
[[nodiscard]] inline std::int64_t svg_pitch(const Drawing& drawing) {
  const auto count = static_cast<std::int64_t>(drawing.cells.size());
  const std::int64_t offset = kSvgGap + 7 * digits_of(drawing.first + count);
  std::int64_t pitch = offset < 44 ? 44 : offset;
  for (const Cell& cell : drawing.cells) {
    const std::int64_t number = kSvgGap + 8 * digits_of(cell.number);
    const std::int64_t badge = cell.times > 1 ? kSvgGap + svg_badge_width(cell.times) : 0;
    if (number > pitch) pitch = number;
    if (badge > pitch) pitch = badge;
  }
  return pitch;
}

// A label on the corner of a cell that several elements of the view share.
[[nodiscard]] inline std::string svg_badge(std::int64_t right, std::int64_t y, std::int64_t times) {
  const std::int64_t width = svg_badge_width(times);
  const std::int64_t left = right - width + 3;
  const std::string label = std::string("\xc3\x97").append(std::to_string(times));  // a times sign
  return svg_rectangle("badge", left, y - 4, width, 13, 6)
      .append(svg_text("times", left + width / 2, y + 2, label));
}

[[nodiscard]] inline std::string svg_cell(const Cell& cell, std::int64_t offset, std::int64_t x,
                                          std::int64_t y, std::int64_t side) {
  const char* kind = cell.times == 0 ? "free" : cell.times == 1 ? "used" : "many";
  const std::int64_t middle = x + side / 2;
  std::string svg = svg_rectangle(kind, x, y, side, side, 6);
  const std::string place = std::to_string(offset);
  if (cell.times == 0) return svg.append(svg_text("offset", middle, y + side / 2, place));
  const char* const size = digits_of(cell.number) < 4 ? "number" : "number long";
  svg.append(svg_text(size, middle, y + side / 2 - 2, std::to_string(cell.number)));
  svg.append(svg_text("under", middle, y + side - 7, place));
  return cell.times > 1 ? svg.append(svg_badge(x + side, y, cell.times)) : svg;
}

// About what the title takes, in the widest of the fonts.
[[nodiscard]] inline std::int64_t svg_title_width(const std::string& title) {
  std::int64_t width = 0;
  for (const char c : title) width += c == ' ' || c == ',' || c == '(' || c == ')' ? 7 : 12;
  return width;
}

[[nodiscard]] inline std::string svg_of(const Drawing& drawing, const DrawOptions&) {
  constexpr std::int64_t kNarrowest = 440;  // room for the words
  const auto count = static_cast<std::int64_t>(drawing.cells.size());
  const std::int64_t columns = drawing.columns;
  const std::int64_t lines = (count + columns - 1) / columns;
  const bool is_shared = drawing.touched < drawing.view.size();
  const std::int64_t pitch = svg_pitch(drawing);
  const std::int64_t gutter = 8 * digits_of(drawing.first + count);
  const std::int64_t left = kSvgMargin + (gutter < kSvgGutter ? kSvgGutter : gutter);
  const std::string title = caption(drawing);
  const std::int64_t title_width = svg_title_width(title);
  std::int64_t width = left + (count < columns ? count : columns) * pitch + kSvgMargin;
  if (width < kNarrowest) width = kNarrowest;
  if (width < 2 * kSvgMargin + title_width) width = 2 * kSvgMargin + title_width;
  const std::int64_t legend = kSvgHeader + lines * pitch + 20;
  const std::int64_t height = legend + (is_shared ? 44 : 22);

  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
  svg.append(svg_attribute("width", width)).append(svg_attribute("height", height));
  svg.append(" viewBox=\"0 0 ").append(std::to_string(width)).append(" ");
  svg.append(std::to_string(height)).append("\">\n<style>").append(kSvgStyle);
  svg.append("</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  svg.append(svg_text("title", kSvgMargin, 28, title));
  svg.append(svg_text("note", kSvgMargin, 52, summary(drawing)));
  for (std::int64_t line = 0; line < lines; ++line) {
    svg.append(svg_text("edge", left - 10, kSvgHeader + line * pitch + (pitch - kSvgGap) / 2,
                        std::to_string(drawing.first + line * columns)));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    svg.append(svg_cell(drawing.cells[static_cast<std::size_t>(i)], drawing.first + i,
                        left + i % columns * pitch, kSvgHeader + i / columns * pitch,
                        pitch - kSvgGap));
  }
  svg.append(svg_rectangle("used", kSvgMargin, legend - 7, 14, 14, 3));
  svg.append(svg_text("note", kSvgMargin + 22, legend,
                      "in the view, numbered in its order, the storage offset below"));
  if (is_shared) {
    svg.append(svg_rectangle("badge", kSvgMargin, legend + 15, 14, 14, 7));
    svg.append(svg_text("note", kSvgMargin + 22, legend + 22, "how many elements share the cell"));
  }
  return svg.append("</svg>\n");
}

}  // namespace detail

// Draws what draw() does as a complete SVG document of its own size in pixels, without scripts or
// fonts of others: touched cells are dark and have the number of their element, in logical order,
// and below it the storage offset, in elements; a cell that several elements share is darker and
// has their count on its corner. `color` does not matter. Errors: as draw().
//
//   std::ofstream("view.svg") << draw_svg(Layout({6, 5}, {10, 1}, 22), {.columns = 10});
[[nodiscard]] inline Result<std::string> try_draw_svg(const Layout& view,
                                                      const DrawOptions& options = {}) {
  return detail::try_picture(view, -1, options, "draw_svg", detail::svg_of);
}
// The same of a view, whose storage is known.
template <class T>
[[nodiscard]] Result<std::string> try_draw_svg(const StridedView<T>& view,
                                               const DrawOptions& options = {}) {
  return detail::try_picture(view.layout(), detail::storage_elements_of(view), options, "draw_svg",
                             detail::svg_of);
}

// The picture that try_draw_svg makes, or throws why there is none.
[[nodiscard]] inline std::string draw_svg(const Layout& view, const DrawOptions& options = {}) {
  return try_draw_svg(view, options).value();
}
// The same of a view, whose storage is known.
template <class T>
[[nodiscard]] std::string draw_svg(const StridedView<T>& view, const DrawOptions& options = {}) {
  return try_draw_svg(view, options).value();
}

}  // namespace strided::inline STRIDED_ABI
