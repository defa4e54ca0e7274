#include <algorithm>
#include <string>

#include "drawing.hpp"

namespace strided_npy {
namespace {

constexpr std::int64_t kCell = 44;  // pixels, with the gap
constexpr std::int64_t kGap = 4;
constexpr std::int64_t kMargin = 24;
constexpr std::int64_t kGutter = 40;  // for the offset of each row
constexpr std::int64_t kHeader = 76;
constexpr std::int64_t kFooter = 64;
constexpr std::int64_t kTitleCharacter = 10;  // about the width of one

constexpr const char* kStyle =
    "text{font-family:'DejaVu Sans','Segoe UI',Helvetica,Arial,sans-serif;"
    "text-anchor:middle}"
    ".title{font-size:17px;font-weight:bold;fill:#16263a;text-anchor:start}"
    ".note{font-size:12px;fill:#5b6b7d;text-anchor:start}"
    ".edge{font-size:10px;fill:#8a98a8}"
    ".free{fill:#eef2f6}.used{fill:#1d4e7e}.many{fill:#12324f}"
    ".number{font-size:15px;font-weight:bold;fill:#ffffff}.long{font-size:11px}"
    ".offset{font-size:10px;fill:#a3afbc}.under{font-size:8px;fill:#9fc0de}"
    ".badge{fill:#f08a24}.times{font-size:9px;font-weight:bold;fill:#ffffff}";

std::string attribute(const char* name, std::int64_t value) {
  return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

std::string rectangle(const char* kind, std::int64_t x, std::int64_t y, std::int64_t width,
                      std::int64_t height, std::int64_t radius) {
  return std::string("<rect class=\"") + kind + "\"" + attribute("x", x) + attribute("y", y) +
         attribute("width", width) + attribute("height", height) + attribute("rx", radius) + "/>\n";
}

// `content` is made of numbers and words of this program: nothing in it needs escaping.
std::string text_at(const char* kind, std::int64_t x, std::int64_t y, const std::string& content) {
  return std::string("<text class=\"") + kind + "\"" + attribute("x", x) + attribute("y", y) +
         " dy=\"0.36em\">" + content + "</text>\n";
}

// A label on the corner of a cell that several elements of the view share.
std::string badge(std::int64_t x, std::int64_t y, std::int64_t times) {
  const std::string label = "\xc3\x97" + std::to_string(times);  // a multiplication sign
  const std::int64_t width = 8 + 6 * static_cast<std::int64_t>(label.size() - 1);
  const std::int64_t left = x + kCell - kGap - width + 3;
  return rectangle("badge", left, y - 3, width, 14, 7) +
         text_at("times", left + width / 2, y + 4, label);
}

std::string cell_svg(const Cell& cell, std::int64_t offset, std::int64_t x, std::int64_t y) {
  constexpr std::int64_t kSide = kCell - kGap;
  const char* kind = cell.times == 0 ? "free" : cell.times == 1 ? "used" : "many";
  std::string svg = rectangle(kind, x, y, kSide, kSide, 6);
  if (cell.times == 0) {
    return svg + text_at("offset", x + kSide / 2, y + kSide / 2, std::to_string(offset));
  }
  const std::string number = std::to_string(cell.number);
  const char* const size = number.size() < 4   ? "number"
                           : number.size() < 6 ? "number long"
                                               : "under";
  svg += text_at(size, x + kSide / 2, y + kSide / 2 - 4, number);
  svg += text_at("under", x + kSide / 2, y + kSide - 8, std::to_string(offset));
  return cell.times > 1 ? svg + badge(x, y, cell.times) : svg;
}

}  // namespace

std::string to_svg(const Drawing& drawing) {
  constexpr std::int64_t kNarrowest = 440;  // room for the words
  const auto count = static_cast<std::int64_t>(drawing.cells.size());
  const std::int64_t rows = (count + drawing.columns - 1) / drawing.columns;
  const std::string title = caption(drawing);
  const std::int64_t width =
      std::max({kNarrowest, 2 * kMargin + kGutter + std::min(count, drawing.columns) * kCell,
                2 * kMargin + kTitleCharacter * static_cast<std::int64_t>(title.size())});
  const std::int64_t height = kHeader + rows * kCell + kFooter;
  const std::int64_t left = kMargin + kGutter;

  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
                    attribute("height", height) + " viewBox=\"0 0 " + std::to_string(width) + " " +
                    std::to_string(height) + "\">\n<style>" + kStyle + "</style>\n";
  svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  svg += text_at("title", kMargin, 28, title);
  svg += text_at("note", kMargin, 52, summary(drawing));
  for (std::int64_t row = 0; row < rows; ++row) {
    svg += text_at("edge", kMargin + kGutter / 2 - kGap, kHeader + row * kCell + kCell / 2 - 2,
                   std::to_string(row * drawing.columns));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    svg += cell_svg(drawing.cells[static_cast<std::size_t>(i)], i,
                    left + i % drawing.columns * kCell, kHeader + i / drawing.columns * kCell);
  }
  const std::int64_t legend = kHeader + rows * kCell + 20;
  svg += rectangle("used", kMargin, legend - 7, 14, 14, 3);
  svg += text_at("note", kMargin + 22, legend,
                 "in the view, numbered in its order, the storage offset below");
  if (drawing.touched < drawing.view.size()) {
    svg += rectangle("badge", kMargin, legend + 15, 14, 14, 7);
    svg += text_at("note", kMargin + 22, legend + 22, "how many elements share the cell");
  }
  return svg + "</svg>\n";
}

}  // namespace strided_npy
