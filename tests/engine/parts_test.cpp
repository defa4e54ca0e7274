// Copies cut into parts: together they are the copy, and no two of them write to one cache line.
#include "strided/engine/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using strided::Layout;
using strided::engine::LoopNest;
using strided::engine::Parts;

// Pairs of a source and a destination byte.
using Moves = std::vector<std::pair<std::int64_t, std::uintptr_t>>;

void add_moves(Moves& moves, const LoopNest& nest, std::uintptr_t storage) {
  std::vector<std::int64_t> index(static_cast<std::size_t>(nest.rank));
  for (;;) {
    std::int64_t from = nest.src_offset_bytes;
    std::int64_t to = nest.dst_offset_bytes;
    for (int i = 0; i < nest.rank; ++i) {
      from += index[static_cast<std::size_t>(i)] * nest.loops[i].src_stride_bytes;
      to += index[static_cast<std::size_t>(i)] * nest.loops[i].dst_stride_bytes;
    }
    for (std::int64_t k = 0; k < nest.run_bytes; ++k) {
      moves.emplace_back(from + k, storage + static_cast<std::uintptr_t>(to + k));
    }
    int i = nest.rank - 1;
    for (; i >= 0; --i) {
      if (++index[static_cast<std::size_t>(i)] < nest.loops[i].count) break;
      index[static_cast<std::size_t>(i)] = 0;
    }
    if (i < 0) return;
  }
}

struct Made {
  std::int64_t parts = 0;
  std::int64_t filled = 0;
};

// Together the parts are the nest, and no two write to one line.
void expect_parts(const LoopNest& nest, std::uintptr_t storage, std::int64_t wanted, Made& made) {
  const Parts parts(nest, reinterpret_cast<const std::byte*>(storage), wanted, 0);
  ASSERT_LE(parts.count(), wanted);
  Moves moves;
  std::set<std::uintptr_t> lines;
  for (std::int64_t i = 0; i < parts.count(); ++i) {
    Moves part;
    parts.for_each_box(i, [&](const LoopNest& box) {
      for (int k = 0; k < box.rank; ++k) ASSERT_GT(box.loops[k].count, 1);
      add_moves(part, box, storage);
    });
    std::set<std::uintptr_t> own;
    for (const auto& [from, to] : part) own.insert(to / 64);
    for (const std::uintptr_t line : own) {
      ASSERT_TRUE(lines.insert(line).second) << "part " << i << " of " << parts.count();
    }
    moves.insert(moves.end(), part.begin(), part.end());
    made.filled += part.empty() ? 0 : 1;
  }
  Moves whole;
  if (nest.run_bytes > 0) add_moves(whole, nest, storage);
  std::sort(moves.begin(), moves.end());
  std::sort(whole.begin(), whole.end());
  ASSERT_EQ(moves, whole);
  made.parts += parts.count();
}

void print(const Made& made) {
  std::printf("%lld parts, %lld of them not empty\n", static_cast<long long>(made.parts),
              static_cast<long long>(made.filled));
}

TEST(Parts, AreTheCopyAndShareNoLine) {
  Made made;
  run_cases(3000, [&](Random& random) {
    const strided::Dims shape = random_shape(random, 2000);
    const Layout src = random_layout(random, shape);
    const Layout dst = random_unique_layout(random, shape);
    const std::int64_t width = std::int64_t{1} << random.between(0, 4);
    const auto nest = strided::engine::normalize(src, dst, width);
    ASSERT_TRUE(nest);
    const auto storage = static_cast<std::uintptr_t>(4096 + random.between(0, 63));
    SCOPED_TRACE(describe(src) + " -> " + describe(dst));
    expect_parts(*nest, storage, random.between(2, 20), made);
  });
  EXPECT_GT(made.filled, made.parts / 4);
  print(made);
}

// Runs of floats whose rows are close to each other in the source: batches, rows, columns, run.
struct Lines {
  Layout src;
  Layout dst;
};
Lines lines(std::int64_t batches, std::int64_t rows, std::int64_t columns, std::int64_t run,
            std::int64_t gap) {
  const std::int64_t row = columns * run + gap;
  return {Layout({batches, rows, columns, run}, {columns * rows * run, run, rows * run, 1}),
          Layout({batches, rows, columns, run}, {rows * row, row, run, 1})};
}

TEST(Parts, OfNearlyWholeLinesShareNone) {
  Made made;
  run_cases(80, [&](Random& random) {
    const bool few = random.between(0, 1) > 0;  // columns, of a page or two
    const std::int64_t run = few                        ? 1024 * random.between(1, 2)
                             : random.between(0, 3) > 0 ? 16 * random.between(1, 2)
                                                        : 20;
    const std::int64_t gap = random.between(0, 3) > 0 ? 16 * random.between(0, 2) : 7;
    const std::int64_t columns = few ? random.between(2, 6) : random.between(70, 130);
    const Lines copy = lines(random.between(1, 2), random.between(2, 4), columns, run, gap);
    const auto nest = strided::engine::normalize(copy.src, copy.dst, 4);
    ASSERT_TRUE(nest);
    const auto storage = static_cast<std::uintptr_t>(4096 + 4 * random.between(0, 3));
    SCOPED_TRACE(describe(copy.src) + " -> " + describe(copy.dst));
    expect_parts(*nest, storage, random.between(2, 6), made);
  });
  EXPECT_GT(made.filled, made.parts / 2);
  print(made);
}

// Where the parts begin in the source, in bytes.
std::vector<std::int64_t> starts_of(const Lines& copy, std::int64_t wanted) {
  const auto nest = strided::engine::normalize(copy.src, copy.dst, 4);
  const Parts parts(*nest, reinterpret_cast<const std::byte*>(std::uintptr_t{4096}), wanted,
                    strided::engine::least_reach(*nest, false));
  std::vector<std::int64_t> starts;
  for (std::int64_t i = 0; i < parts.count(); ++i) {
    bool is_first = true;
    parts.for_each_box(i, [&](const LoopNest& box) {
      if (is_first) starts.push_back(box.src_offset_bytes);
      is_first = false;
    });
  }
  return starts;
}

TEST(Parts, OfCloseRowsAreSharesOfTheSource) {
  using Starts = std::vector<std::int64_t>;
  constexpr std::int64_t kLine = 64;
  // Two parts of 4000 columns; where rows begin within lines, the first column apart.
  EXPECT_EQ(starts_of(lines(1, 8, 8000, 16, 0), 2), (Starts{0, 8 * 4000 * kLine}));
  EXPECT_EQ(starts_of(lines(1, 8, 8000, 16, 8), 2), (Starts{8 * kLine, 8 * 4001 * kLine}));
  // Two batches in two parts: one each.
  EXPECT_EQ(starts_of(lines(2, 8, 8000, 16, 0), 2), (Starts{0, 8 * 8000 * kLine}));
  // Of two loops that are far enough, the one whose shares reach farther: the eight of the middle.
  const Lines nested = {Layout({32, 8, 256, 16}, {16, 260 * 32 * 16, 32 * 16, 1}),
                        Layout({32, 8, 256, 16})};
  constexpr std::int64_t kStep = 260 * 32 * kLine;  // no multiple of the loop inside
  EXPECT_EQ(starts_of(nested, 4), (Starts{0, 2 * kStep, 4 * kStep, 6 * kStep}));
  // Of a source that is read again and again all is near: its rows are shared as they are written.
  const Lines repeated = {Layout({64, 8, 16}, {0, 16, 1}), Layout({64, 8, 16})};
  EXPECT_EQ(starts_of(repeated, 2), (Starts{0, 0}));
  // Pages apart, rows are as good: those of a page each.
  EXPECT_EQ(starts_of(lines(1, 8, 100, 16 * 64, 0), 2), (Starts{0, 4 * 64 * kLine}));
}

TEST(Parts, OfALoopInsideBeginLinesWherever) {
  Made made;
  run_cases(300, [&](Random& random) {
    // Elements, pixels or rows, turned: the outermost loop is the closest of the source.
    const std::int64_t width = std::int64_t{1} << random.between(0, 4);
    const std::int64_t lines = random.between(1, 6);
    const std::int64_t columns = lines * 64 / width;
    const std::int64_t rows = random.between(2, 5);
    const std::int64_t batches = random.between(1, 3);
    const Layout src({batches, rows, columns}, {1, batches, batches * rows});
    const Layout dst({batches, rows, columns}, {rows * columns, columns, 1});
    const auto nest = strided::engine::normalize(src, dst, width);
    ASSERT_TRUE(nest);
    const auto storage = static_cast<std::uintptr_t>(4096 + random.between(0, 15) * width);
    SCOPED_TRACE(describe(src) + " -> " + describe(dst));
    expect_parts(*nest, storage, random.between(2, 3), made);
  });
  EXPECT_GT(made.filled, made.parts / 2);
  print(made);
}

TEST(Parts, OfALoopInsideMeetAtLinesElsewhereInEachRow) {
  Made made;
  std::int64_t cut = 0;
  run_cases(120, [&](Random& random) {
    // Rows that begin anywhere, and now and then elements that lie across lines, or gaps.
    const std::int64_t width = random.between(1, 16);
    const std::int64_t batches = random.between(1, 2);
    const std::int64_t planes = random.between(2, 5);
    const bool is_deep = random.between(0, 1) > 0;  // what is cut has a loop inside
    const std::int64_t columns = is_deep ? random.between(3, 40) : 1;
    const std::int64_t rows = random.between(1100, 2000) / (columns * width) + 16;
    const std::int64_t gap = random.between(0, 2) > 0 ? 0 : random.between(1, 70);
    const Layout src({batches, planes, rows, columns},
                     {planes * rows * columns, 1, planes * columns, planes});
    const std::int64_t row = columns + (is_deep ? gap : 0);
    const std::int64_t plane = rows * row + gap;
    const Layout dst({batches, planes, rows, columns}, {planes * plane, plane, row, 1});
    const auto nest = strided::engine::normalize(src, dst, width);
    ASSERT_TRUE(nest);
    const auto storage = static_cast<std::uintptr_t>(4096 + random.between(0, 63));
    SCOPED_TRACE(describe(src) + " -> " + describe(dst));
    const Parts parts(*nest, reinterpret_cast<const std::byte*>(storage), 2, 0);
    cut += parts.count() > 1 && !parts.are_rows() ? 1 : 0;
    expect_parts(*nest, storage, 2, made);
  });
  EXPECT_GT(cut, 40);
  print(made);
}

// How many boxes the parts are.
std::vector<int> boxes_of(const Layout& src, const Layout& dst, std::int64_t wanted,
                          std::uintptr_t storage = 4096, bool past_caches = false) {
  const auto nest = strided::engine::normalize(src, dst, 4);
  const Parts parts(*nest, reinterpret_cast<const std::byte*>(storage), wanted,
                    strided::engine::least_reach(*nest, past_caches));
  std::vector<int> boxes;
  for (std::int64_t i = 0; i < parts.count(); ++i) {
    boxes.push_back(0);
    parts.for_each_box(i, [&](const LoopNest&) { ++boxes.back(); });
  }
  return boxes;
}

TEST(Parts, BeginWithARowWhereALineDoes) {
  using Boxes = std::vector<int>;
  EXPECT_EQ(boxes_of(Layout({1000, 64}), Layout({1000, 64}), 4), (Boxes{1, 1, 1, 1}));
  EXPECT_EQ(boxes_of(Layout({1000, 64}, {1, 1000}), Layout({1000, 64}), 4), (Boxes{1, 1, 1, 1}));
  EXPECT_EQ(boxes_of(Layout({1000, 33}, {1, 1000}), Layout({1000, 33}), 4), (Boxes{1, 1, 1, 1}));
  EXPECT_EQ(boxes_of(Layout({2, 640}, {1, 2}), Layout({2, 640}), 2), (Boxes{1, 1}));
  EXPECT_EQ(boxes_of(Layout({3, 640}, {1, 3}), Layout({3, 640}), 2), (Boxes{1, 1}));
  EXPECT_EQ(boxes_of(Layout({4}), Layout({4}), 2), (Boxes{1, 0}));             // within a line
  EXPECT_EQ(boxes_of(Layout({3, 2}), Layout({3, 2}, {2, 3}), 8), (Boxes{1}));  // interleaved
}

TEST(Parts, ReachSomeLinesOfTheSource) {
  using Boxes = std::vector<int>;
  // Rows of the destination that begin anywhere, and are columns of the source close to each other.
  const auto columns = [](std::int64_t count, std::int64_t wanted) {
    return boxes_of(Layout({count, 99}, {1, count}), Layout({count, 99}), wanted).size();
  };
  EXPECT_EQ(columns(4 * 128, 4), 4U);
  EXPECT_EQ(columns(4 * 127, 4), 2U);
  EXPECT_EQ(columns(2 * 127, 4), 1U);
  EXPECT_EQ(columns(2 * 128, 3), 2U);
  // Past the caches half as far will do.
  const auto past_caches = [](std::int64_t count) {
    return boxes_of(Layout({count, 99}, {1, count}), Layout({count, 99}), 4, 4096, true).size();
  };
  EXPECT_EQ(past_caches(4 * 64), 4U);
  EXPECT_EQ(past_caches(4 * 63), 2U);
  // A column to all columns of rows that begin anywhere: whoever reads it again reads little.
  EXPECT_EQ(boxes_of(Layout({100, 9999}, {1, 0}), Layout({100, 9999}), 4).size(), 4U);
  // Runs of whole lines, though close.
  const Lines heads = lines(1, 8, 12, 16, 8);
  EXPECT_EQ(boxes_of(heads.src, heads.dst, 2).size(), 2U);
  // Planes of pixels: cut where lines begin, wherever the first does; the last part has what is
  // before that. Where no pixel begins a line in all planes, each has fringes of its own.
  const Layout pixels({3, 64000}, {1, 3});
  EXPECT_EQ(boxes_of(pixels, Layout({3, 64000}), 2), (Boxes{1, 1}));
  EXPECT_EQ(boxes_of(pixels, Layout({3, 64000}), 2, 4096 + 16), (Boxes{1, 2}));
  EXPECT_EQ(boxes_of(pixels, Layout({3, 64000}), 2, 4096 + 2), (Boxes{4, 4}));
  EXPECT_EQ(boxes_of(Layout({3, 64001}, {1, 3}), Layout({3, 64001}), 2), (Boxes{6, 6}));
  // Of two loops around, as many phases as indices, if those are few.
  EXPECT_EQ(boxes_of(Layout({2, 3, 64001}, {192003, 1, 3}), Layout({2, 3, 64001}), 8).size(), 8U);
  EXPECT_EQ(boxes_of(Layout({13, 13, 2701}, {1, 13, 169}), Layout({13, 13, 2701}), 2).size(), 1U);
  EXPECT_EQ(boxes_of(Layout({4, 13, 901}, {1, 4, 52}), Layout({4, 13, 901}), 2).size(), 2U);
  // Many phases want shares of more fringes: half as many.
  EXPECT_EQ(boxes_of(Layout({4, 13, 801}, {1, 4, 52}), Layout({4, 13, 801}), 2).size(), 1U);
  // Shares of fewer than eight fringes are none: 16 pixels.
  EXPECT_EQ(boxes_of(Layout({3, 255}, {1, 3}), Layout({3, 255}), 2).size(), 1U);
  EXPECT_EQ(boxes_of(Layout({3, 257}, {1, 3}), Layout({3, 257}), 2).size(), 2U);
  // More parts than images: each has some pixels of all images and planes.
  const Layout images({2, 3, 64000}, {192000, 1, 3});
  EXPECT_EQ(boxes_of(images, Layout({2, 3, 64000}), 8), (Boxes{1, 1, 1, 1, 1, 1, 1, 1}));
}

// Between the rows of other threads, what is seldom done seldom reads ahead into them.
TEST(Parts, OfRowsAreWalkedAlongThem) {
  strided::kernels::Block block;
  block.rows = 100;
  block.columns = 400;
  EXPECT_TRUE(strided::kernels::goes_down(block));
  block.columns = 1601;
  EXPECT_FALSE(strided::kernels::goes_down(block));
  block.columns = 400;
  block.is_between = true;
  EXPECT_FALSE(strided::kernels::goes_down(block));
  block.columns = 100;
  EXPECT_TRUE(strided::kernels::goes_down(block));

  block.run_bytes = 64;
  block.src_row_bytes = 64;
  block.src_column_bytes = 6400;
  block.dst_row_bytes = 64 * 1000;
  block.dst_column_bytes = 64;
  block.columns = 1000;
  EXPECT_EQ(strided::kernels::columns_at_once(block, 0), block.columns);
  block.is_between = false;
  EXPECT_LT(strided::kernels::columns_at_once(block, 0), block.columns);
  block.is_between = true;
  block.streaming = true;  // stores past the caches are nobody else's lines
  EXPECT_LT(strided::kernels::columns_at_once(block, 0), block.columns);
}

}  // namespace
}  // namespace strided_test
