// draw: the exact text of pictures, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "strided/draw/text.hpp"
#include "strided/strided.hpp"

namespace strided_test {
namespace {

using strided::draw;
using strided::ErrorCode;
using strided::Layout;
using strided::StridedView;
using strided::try_draw;

TEST(DrawText, NumbersTheTouchedCellsInLogicalOrder) {
  EXPECT_EQ(draw(Layout({2, 3}, {5, 2}, 5)),
            "shape (2, 3), strides (5, 2), offset 5\n"
            " 0 | . . . . .\n"
            " 5 | 0 . 1 . 2\n"
            "10 | 3 . 4 . 5\n"
            "6 elements, in 6 of 15 cells\n");
  EXPECT_EQ(draw(Layout({5, 2}, {1, 5})),  // transposed
            "shape (5, 2), strides (1, 5), offset 0\n"
            "0 | 0 2 4 6 8\n"
            "5 | 1 3 5 7 9\n"
            "10 elements, in 10 of 10 cells\n");
}

TEST(DrawText, AViewIsDrawnOverAllOfItsStorage) {
  std::vector<int> storage(11);
  EXPECT_EQ(draw(StridedView<const int>(storage, {2, 2}, {4, 1}, 5)),
            "shape (2, 2), strides (4, 1), offset 5\n"
            "0 | . . . .\n"
            "4 | . 0 1 .\n"
            "8 | . 2 3\n"
            "4 elements, in 4 of 11 cells\n");
}

TEST(DrawText, NegativeStridesCountFromTheOtherEnd) {
  EXPECT_EQ(draw(Layout({3, 4}, {-4, -1}, 11)),
            "shape (3, 4), strides (-4, -1), offset 11\n"
            "0 | 11 10  9  8\n"
            "4 |  7  6  5  4\n"
            "8 |  3  2  1  0\n"
            "12 elements, in 12 of 12 cells\n");
}

TEST(DrawText, SharedCellsHaveTheirCount) {
  EXPECT_EQ(draw(Layout({4, 3}, {1, 1})),  // windows
            "shape (4, 3), strides (1, 1), offset 0\n"
            "0 |   0 1x2 2x3 5x3 8x2  11\n"
            "12 elements, in 6 of 6 cells\n");
  EXPECT_EQ(draw(Layout({100, 3}, {0, 1})),  // repeated
            "shape (100, 3), strides (0, 1), offset 0\n"
            "0 | 0x100 1x100 2x100\n"
            "300 elements, in 3 of 3 cells\n");
}

TEST(DrawText, RankZeroAndNothing) {
  EXPECT_EQ(draw(Layout({}, {}, 3)),
            "shape (), strides (), offset 3\n0 | . . . 0\n1 element, in 1 of 4 cells\n");
  EXPECT_EQ(draw(Layout({0, 4})),
            "shape (0, 4), strides (4, 1), offset 0\n0 elements, in 0 of 0 cells\n");
  EXPECT_EQ(draw(Layout({0, 4}), {.storage_shape = {2, 2}}),
            "shape (0, 4), strides (4, 1), offset 0\n"
            "0 | . .\n"
            "2 | . .\n"
            "0 elements, in 0 of 4 cells\n");
  EXPECT_EQ(draw(StridedView<int>()),
            "shape (0,), strides (1,), offset 0\n0 elements, in 0 of 0 cells\n");
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_TRUE(try_draw(Layout({0, 2}, {kMost, -kMost}, kMost)));
}

TEST(DrawText, ColorMarksTouchedCells) {
  EXPECT_EQ(draw(Layout({2}, {2}), {.columns = 3, .color = true}),
            "shape (2,), strides (2,), offset 0\n"
            "0 | \x1b[7m0\x1b[0m . \x1b[7m1\x1b[0m\n"
            "2 elements, in 2 of 3 cells\n");
}

// What a line of the picture holds.
std::int64_t columns_of(const Layout& view, const strided::DrawOptions& options = {}) {
  strided::detail::Drawing drawing;
  EXPECT_FALSE(strided::detail::draw_cells(drawing, view, -1, options));
  return drawing.columns;
}

TEST(DrawText, ColumnsComeFromTheCallerTheStorageOrTheStrides) {
  EXPECT_EQ(columns_of(Layout({6, 5}, {10, 1}, 22)), 10);
  EXPECT_EQ(columns_of(Layout({6, 5}, {10, 1}, 22), {.columns = 7}), 7);
  EXPECT_EQ(columns_of(Layout({6, 5}, {10, 1}, 22), {.storage_shape = {5, 4, 25}}), 25);
  EXPECT_EQ(columns_of(Layout({6, 5}, {10, 1}, 22), {.storage_shape = {100}}), 10);
  EXPECT_EQ(columns_of(Layout({6, 5}, {-10, -1}, 77)), 10);
  EXPECT_EQ(columns_of(Layout({5, 6}, {1, 10})), 10);        // turned
  EXPECT_EQ(columns_of(Layout({4, 3}, {20, 2})), 20);        // every other row and column
  EXPECT_EQ(columns_of(Layout({2, 3, 4})), 4);               // the innermost rows
  EXPECT_EQ(columns_of(Layout({3, 4, 8}, {1, 24, 3})), 24);  // pixels: whole rows of an image
  EXPECT_EQ(columns_of(Layout({2, 3, 5}, {37, 9, 1})), 9);   // padded planes
  EXPECT_EQ(columns_of(Layout({2, 2, 2}, {7, 3, 1})), 7);    // of which 3 is no divisor
  EXPECT_EQ(columns_of(Layout({8, 8, 3, 3}, {10, 1, 10, 1})), 10);  // windows
  EXPECT_EQ(columns_of(Layout({50}, {2})), 16);  // a ribbon of 50 x 2 is no picture
  EXPECT_EQ(columns_of(Layout({3, 40})), 16);    // too wide
  EXPECT_EQ(columns_of(Layout({7})), 7);
  EXPECT_EQ(columns_of(Layout({4, 3}, {2, 1})), 9);  // windows reach into each other
  // Never more than there are cells, so that nothing overflows.
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(columns_of(Layout({7}), {.columns = kMost}), 7);
  EXPECT_EQ(columns_of(Layout({0}), {.storage_shape = {kMost, 0}}), 1);
}

// Of a storage that is no picture, the lines that the view reaches are one.
TEST(DrawText, OfALargeStorageTheLinesAroundTheView) {
  EXPECT_EQ(draw(Layout({2, 3}, {8, 2}, 1'000'017), {.columns = 8}),
            "shape (2, 3), strides (8, 2), offset 1000017\n"
            "1000016 | . 0 . 1 . 2 . .\n"
            "1000024 | . 3 . 4 . 5\n"
            "6 elements, in 6 of 1000030 cells, 14 of them drawn\n");
  std::vector<float> storage(20'000);
  const StridedView<float> view(storage, {4000, 5});
  EXPECT_EQ(draw(view.slice(0, 3999, 4000)),
            "shape (1, 5), strides (5, 1), offset 19995\n"
            "19995 | 0 1 2 3 4\n"
            "5 elements, in 5 of 20000 cells, 5 of them drawn\n");
  EXPECT_EQ(draw(view.slice(0, 0, 0)),
            "shape (0, 5), strides (5, 1), offset 0\n"
            "0 elements, in 0 of 20000 cells, 0 of them drawn\n");
  // Whole lines of the storage's own shape, none behind its end.
  EXPECT_EQ(columns_of(view.slice(0, 2, 4).layout(), {.storage_shape = {4000, 5}}), 5);
  EXPECT_EQ(draw(view.slice(0, 3, 4).slice(1, 2, 4), {.storage_shape = {4000, 5}}),
            "shape (1, 2), strides (5, 1), offset 17\n"
            "15 | . . 0 1 .\n"
            "2 elements, in 2 of 20000 cells, 5 of them drawn\n");
}

TEST(DrawText, RefusesWhatIsNoPicture) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto message = [](const Layout& view, const strided::DrawOptions& options = {}) {
    return try_draw(view, options).message();
  };
  EXPECT_EQ(message(Layout({101, 100})),
            "draw: what the view reaches has 10100 elements, at most 10000 are drawn; draw a part");
  EXPECT_EQ(message(Layout({2}, {kMost - 1})),
            "draw: what the view reaches has 9223372036854775807 elements, at most 10000 are "
            "drawn; draw a part");
  EXPECT_EQ(try_draw(Layout({2}, {kMost})).error().code, ErrorCode::out_of_bounds);
  EXPECT_EQ(message(Layout({1'000'001}, {0})),
            "draw: the view has 1000001 elements, at most 1000000 are drawn; draw a part");
  EXPECT_EQ(message(Layout({3}, {-1}, 1)),
            "draw: the view reaches index -1 (dimension 0), before the start of the storage: the "
            "offset is too small by 1");
  EXPECT_EQ(
      message(Layout({5}), {.storage_shape = {2, 2}}),
      "draw: the view reaches index 4 of the storage (dimension 0), which has 4 elements: 0 to 3");
  EXPECT_EQ(message(Layout({3}), {.storage_shape = {4, -1}}),
            "draw: storage_shape[1] is -1, it must be at least 0");
  EXPECT_EQ(message(Layout({3}), {.storage_shape = {kMost, 2}}),
            "draw: storage_shape[1] is 2, with it the number of elements no longer fits 64 bits");
  EXPECT_EQ(message(Layout({3}), {.columns = -1}), "draw: columns is -1, it must be at least 0");
  std::vector<int> storage(30);
  EXPECT_EQ(try_draw(StridedView<int>(storage, {2, 3}), {.storage_shape = {4, 5}}).message(),
            "draw: storage_shape makes 20 elements, 30 are needed");
  EXPECT_THROW((void)draw(Layout({101, 100})), strided::Error);
  // The largest of all pictures.
  EXPECT_TRUE(try_draw(Layout({100, 100, 100}, {100, 1, 0})));
}

}  // namespace
}  // namespace strided_test
