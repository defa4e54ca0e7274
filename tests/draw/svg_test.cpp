// draw_svg: well-formed documents with the numbers of the text, inside their frame.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "strided/draw/svg.hpp"
#include "strided/strided.hpp"

namespace strided_test {
namespace {

using strided::draw_svg;
using strided::Layout;
using strided::StridedView;

struct Element {
  std::string tag;   // "rect class="used" x="1"
  std::string text;  // up to the next tag
};

// The elements of a document in which all tags are closed in order, all values are quoted and no
// text has a sign of markup; an empty list for any other.
std::vector<Element> parse(const std::string& xml) {
  std::vector<Element> elements;
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < xml.size()) {
    if (xml[at] == '\n' && open.empty()) {
      ++at;
      continue;
    }
    if (xml[at] != '<') return {};
    const std::size_t end = xml.find('>', at);
    const std::size_t next = xml.find('<', at + 1);
    if (end == std::string::npos || (next != std::string::npos && next < end)) return {};
    std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string text = xml.substr(end + 1, next == std::string::npos ? next : next - end - 1);
    if (text.find_first_of("&>") != std::string::npos) return {};
    at = next == std::string::npos ? xml.size() : next;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return {};
      open.pop_back();
      continue;
    }
    const bool is_closed = tag.back() == '/';
    if (is_closed) tag.pop_back();
    std::size_t quotes = 0;
    std::size_t values = 0;
    for (const char c : tag) {
      quotes += c == '"' ? 1U : 0U;
      values += c == '=' ? 1U : 0U;
    }
    if (quotes != 2 * values) return {};
    if (!is_closed) open.push_back(tag.substr(0, tag.find(' ')));
    elements.push_back({tag, text});
  }
  return open.empty() ? elements : std::vector<Element>();
}

std::int64_t value_of(const Element& element, const std::string& name) {
  const std::size_t at = element.tag.find(" " + name + "=\"");
  if (at == std::string::npos) return -1;
  return std::atoll(element.tag.c_str() + at + name.size() + 3);
}

// The texts of one class, in the order of the document.
std::vector<std::string> texts(const std::vector<Element>& elements, const std::string& kind) {
  std::vector<std::string> found;
  for (const Element& element : elements) {
    const std::string begin = "text class=\"" + kind;
    if (element.tag.rfind(begin + "\"", 0) == 0 || element.tag.rfind(begin + " ", 0) == 0) {
      found.push_back(element.text);
    }
  }
  return found;
}

std::size_t rectangles(const std::vector<Element>& elements, const std::string& kind) {
  std::size_t count = 0;
  for (const Element& element : elements) {
    count += element.tag.rfind("rect class=\"" + kind + "\"", 0) == 0 ? 1U : 0U;
  }
  return count;
}

using Texts = std::vector<std::string>;

TEST(DrawSvg, HasTheNumbersOfTheView) {
  const auto elements = parse(draw_svg(Layout({2, 2}, {3, -1}, 2), {.storage_shape = {2, 4}}));
  ASSERT_FALSE(elements.empty());
  EXPECT_EQ(texts(elements, "title"), Texts{"shape (2, 2), strides (3, -1), offset 2"});
  EXPECT_EQ(texts(elements, "note")[0], "4 elements, in 4 of 8 cells");
  EXPECT_EQ(texts(elements, "edge"), (Texts{"0", "4"}));
  EXPECT_EQ(texts(elements, "number"), (Texts{"1", "0", "3", "2"}));  // by storage offset
  EXPECT_EQ(texts(elements, "under"), (Texts{"1", "2", "4", "5"}));
  EXPECT_EQ(texts(elements, "offset"), (Texts{"0", "3", "6", "7"}));
  EXPECT_EQ(texts(elements, "times"), Texts());
  EXPECT_EQ(rectangles(elements, "used"), 4U + 1U);  // and one in the legend
  EXPECT_EQ(rectangles(elements, "free"), 4U);
}

TEST(DrawSvg, CountsTheElementsOfSharedCells) {
  std::vector<int> storage(6);
  const auto elements = parse(draw_svg(StridedView<int>(storage, {4, 3}, {1, 1})));
  EXPECT_EQ(texts(elements, "number"), (Texts{"0", "1", "2", "5", "8", "11"}));
  EXPECT_EQ(texts(elements, "times"), (Texts{"\xc3\x97"
                                             "2",
                                             "\xc3\x97"
                                             "3",
                                             "\xc3\x97"
                                             "3",
                                             "\xc3\x97"
                                             "2"}));
  EXPECT_EQ(rectangles(elements, "many"), 4U);
  EXPECT_EQ(rectangles(elements, "badge"), 4U + 1U);
}

// Nothing is cut off, and no cell lies on its neighbour.
TEST(DrawSvg, EverythingIsInsideTheFrame) {
  const Layout views[] = {Layout(),
                          Layout({0, 3}),
                          Layout({6, 5}, {10, 1}, 22),
                          Layout({250'000, 4}, {0, 1}),
                          Layout({100, 100}),
                          Layout({3, 100, 100}, {0, 100, 1}),
                          Layout(strided::Dims::filled(13, 2), strided::Dims::filled(13, 1))};
  for (const Layout& view : views) {
    const auto elements = parse(draw_svg(view));
    ASSERT_FALSE(elements.empty()) << to_string(view.shape());
    const std::int64_t width = value_of(elements[0], "width");
    const std::int64_t height = value_of(elements[0], "height");
    std::int64_t cell_begin = 0;
    std::int64_t cell_end = 0;
    std::int64_t cell_y = 0;
    for (const Element& element : elements) {
      if (element.tag.rfind("rect class=", 0) != 0) continue;
      const std::int64_t x = value_of(element, "x");
      const std::int64_t end = x + value_of(element, "width");
      ASSERT_GE(x, 0);
      ASSERT_LE(end, width);
      ASSERT_GE(value_of(element, "y"), 60);
      ASSERT_LE(value_of(element, "y") + value_of(element, "height"), height);
      if (value_of(element, "rx") == 6 && value_of(element, "height") > 13) {  // a cell
        const bool is_in_line = value_of(element, "y") == cell_y;
        ASSERT_GE(x, is_in_line ? cell_end : 0);
        cell_y = value_of(element, "y");
        cell_begin = x;
        cell_end = end;
      } else if (value_of(element, "height") == 13) {  // the badge of the last cell
        ASSERT_GE(x, cell_begin);
        ASSERT_LE(end, cell_end + 3);
      }
    }
  }
}

TEST(DrawSvg, RefusesWhatDrawRefuses) {
  EXPECT_EQ(
      strided::try_draw_svg(Layout({101, 100})).message(),
      "draw_svg: what the view reaches has 10100 elements, at most 10000 are drawn; draw a part");
  EXPECT_EQ(strided::try_draw_svg(Layout({2}, {-1})).error().code,
            strided::ErrorCode::out_of_bounds);
  EXPECT_THROW((void)draw_svg(Layout({2}), {.columns = -2}), strided::Error);
}

}  // namespace
}  // namespace strided_test
