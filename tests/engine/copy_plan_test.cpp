// CopyPlan: a copy prepared once, run on many storages.
#include "strided/engine/copy_plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "strided/view/strided_view.hpp"
#include "support/facts.hpp"

namespace {

using namespace strided;

std::vector<int> counted(std::size_t count, int first = 0) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(CopyPlan, MovesWhatTheLayoutsSay) {
  const std::vector<int> src = counted(100);
  std::vector<int> dst(12, -1);
  CopyPlan plan(Layout({4, 3}, {20, 2}, 22), Layout({4, 3}), sizeof(int));
  plan(src.data(), dst.data());
  EXPECT_EQ(dst, (std::vector<int>{22, 24, 26, 42, 44, 46, 62, 64, 66, 82, 84, 86}));
}

TEST(CopyPlan, RunsAgainOnOtherStorages) {
  const CopyPlan plan(Layout({2, 2}, {1, 2}), Layout({2, 2}), sizeof(int));
  for (int first : {0, 10, 20}) {
    const std::vector<int> src = counted(4, first);
    std::vector<int> dst(4);
    plan(src.data(), dst.data());
    EXPECT_EQ(dst, (std::vector<int>{first, first + 2, first + 1, first + 3}));
  }
}

TEST(CopyPlan, IsAValue) {
  const std::vector<int> src = counted(6);
  std::vector<int> dst(6);
  CopyPlan kept;
  {
    const CopyPlan made(Layout({6}, {-1}, 5), Layout({6}), sizeof(int));
    kept = made;
  }
  const CopyPlan again = kept;
  again(src.data(), dst.data());
  EXPECT_EQ(dst, (std::vector<int>{5, 4, 3, 2, 1, 0}));
}

TEST(CopyPlan, MovesNothingByDefaultAndForEmptyLayouts) {
  EXPECT_NO_THROW(CopyPlan()(nullptr, nullptr));
  EXPECT_EQ(CopyPlan().total_bytes(), 0);
  const CopyPlan empty(Layout({0, 3}), Layout({0, 3}), 8);
  EXPECT_NO_THROW(empty(nullptr, nullptr));
  EXPECT_EQ(empty.total_bytes(), 0);
}

TEST(CopyPlan, KnowsHowMuchItMoves) {
  EXPECT_EQ(CopyPlan(Layout({4, 6}), Layout({4, 6}), 4).total_bytes(), 96);
  EXPECT_EQ(CopyPlan(Layout({3, 4}, {0, 1}), Layout({3, 4}), 2).total_bytes(), 24);
  // What a fill repeats is written once.
  const auto repeating = CopyPlan::try_make_fill(Layout({1000000, 8}, {0, 1}), 4, true);
  EXPECT_EQ(repeating->total_bytes(), 32);
}

// Elements of every width, those that have a kernel of their own and those that have none.
TEST(CopyPlan, MovesElementsOfAnyWidth) {
  for (std::size_t width = 1; width <= 70; ++width) {
    std::vector<unsigned char> src(width * 6);
    std::iota(src.begin(), src.end(), static_cast<unsigned char>(1));
    std::vector<unsigned char> dst(width * 6, 0);
    CopyPlan(Layout({2, 3}, {1, 2}), Layout({2, 3}), width)(src.data(), dst.data());
    for (std::size_t k = 0; k < 6; ++k) {
      const std::size_t from = k / 3 + k % 3 * 2;
      for (std::size_t b = 0; b < width; ++b) {
        ASSERT_EQ(dst[k * width + b], src[from * width + b]) << "width " << width;
      }
    }
  }
}

TEST(CopyPlan, WritesNothingBetweenTheElements) {
  const std::vector<int> src = counted(6, 1);
  std::vector<int> dst(40, -1);
  CopyPlan(Layout({2, 3}), Layout({2, 3}, {-20, 4}, 25), sizeof(int))(src.data(), dst.data());
  for (int i = 0; i < 40; ++i) {
    const int column = i % 20 / 4 - 1;
    const bool touched = i % 4 == 1 && column >= 0 && column < 3;
    const int expected = touched ? (i < 20 ? 4 : 1) + column : -1;
    EXPECT_EQ(dst[static_cast<std::size_t>(i)], expected) << i;
  }
}

TEST(CopyPlan, RefusesWhatItCannotDo) {
  EXPECT_THROWN(CopyPlan(Layout({2, 3}), Layout({3, 2}), 4), shape_mismatch,
                "CopyPlan: dst has shape (3, 2), (2, 3) is needed; dimension 0 differs");
  EXPECT_THROWN(CopyPlan(Layout({3}), Layout({3}, {0}), 4), internal_overlap,
                "CopyPlan: dst maps more than one index to the same element (stride[0] is 0); each "
                "index needs one of its own");
  EXPECT_THROWN(CopyPlan(Layout({2, 2}), Layout({2, 2}, {1, 1}), 4), internal_overlap,
                "CopyPlan: dst maps more than one index to the same element (stride[0] is 1, the "
                "smaller strides reach 1); each index needs one of its own");
  EXPECT_THROWN(
      CopyPlan(Layout({3}), Layout({3}), 0), element_size,
      "CopyPlan: element_bytes is 0, it must be at least 1 and at most 9223372036854775807");
  EXPECT_EQ(make_copy_plan(Layout({2}), Layout({3}), 4).message(),
            "CopyPlan: dst has shape (3,), (2,) is needed; dimension 0 differs");
  EXPECT_FACT(noexcept(make_copy_plan(Layout(), Layout(), 1)));
}

TEST(CopyPlan, TakesDestinationsThatInterleave) {
  const std::vector<int> src = counted(6);
  std::vector<int> dst(10, -1);
  CopyPlan(Layout({2, 3}), Layout({2, 3}, {5, 2}), sizeof(int))(src.data(), dst.data());
  EXPECT_EQ(dst, (std::vector<int>{0, -1, 1, -1, 2, 3, -1, 4, -1, 5}));
}

TEST(CopyPlan, RefusesNullStorages) {
  std::vector<int> storage(6);
  const CopyPlan plan(Layout({2, 3}), Layout({2, 3}, {1, 2}), sizeof(int));
  EXPECT_THROWN(plan(nullptr, storage.data()), null_data,
                "copy: src is null, and there are 6 elements to touch; allocate them first");
  EXPECT_THROWN(plan(storage.data(), nullptr), null_data,
                "copy: dst is null, and there are 6 elements to touch; allocate them first");
}

TEST(CopyPlan, ReadsEverythingBeforeItWritesWhereStoragesOverlap) {
  std::vector<int> storage = counted(6);
  const CopyPlan transpose(Layout({2, 3}), Layout({2, 3}, {1, 2}), sizeof(int));
  transpose(storage.data(), storage.data());
  EXPECT_EQ(storage, (std::vector<int>{0, 3, 1, 4, 2, 5}));
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Explain, TellsBytesLoopsAndStrides) {
  const std::string text = CopyPlan(Layout({6, 5}, {12, 2}, 22), Layout({6, 5}), 4).explain();
  EXPECT_TRUE(says(text, "120 bytes")) << text;
  EXPECT_TRUE(says(text, "elements of 4")) << text;
  EXPECT_TRUE(says(text, "kernel")) << text;
  EXPECT_TRUE(says(text, "6 times, source stride 48 bytes, destination stride 20 bytes")) << text;
  EXPECT_TRUE(says(text, "5 times, source stride 8 bytes, destination stride 4 bytes")) << text;
}

std::string transpose_explained(std::int64_t rows, std::int64_t columns, std::size_t width) {
  return CopyPlan(Layout({rows, columns}, {1, rows}), Layout({rows, columns}), width).explain();
}

TEST(Explain, NamesTheTileAndTheReasonForIt) {
  if (strided::active_isa() == strided::Isa::scalar) {
    EXPECT_TRUE(says(transpose_explained(64, 64, 4), "tile:    16 columns by 64 bytes"));
    return;
  }
  const struct {
    std::int64_t rows;
    std::int64_t columns;
    std::size_t width;
    const char* tile;
  } kCases[] = {
      {4, 4, 4, "tile:    4 columns by 16 bytes; that is all"},
      {100, 100, 2, "tile:    32 columns by 64 bytes; rows and columns keep apart"},
      {1024, 1024, 4, "tile:    128 columns by 512 bytes, by way of a stage; rows or columns fall"},
      {8192, 8192, 1, "tile:    256 columns by 256 bytes, by way of a stage; no streams"},
      {8191, 8193, 8, "tile:    128 columns by 512 bytes, by way of a stage, unfinished lines"},
      {8032, 8032, 8, "tile:    16 columns by 64256 bytes; columns are long streams"},
      {16064, 16064, 4, "tile:    16 columns by 64256 bytes; columns are long streams"},
      {8, 8000000, 4, "tile:    64 columns by 32 bytes; columns are close to each other"},
  };
  for (const auto& c : kCases) {
    const std::string text = transpose_explained(c.rows, c.columns, c.width);
    EXPECT_TRUE(says(text, c.tile)) << text;
  }
  const char* const tiles = "by 64 bytes; rows and columns keep apart";
  EXPECT_TRUE(says(transpose_explained(760, 384, 4), tiles));
  const Layout folded({24, 24, 24, 24}, {1, 24, 576, 13824});
  EXPECT_TRUE(says(CopyPlan(folded, Layout({24, 24, 24, 24}), 4).explain(),
                   "tile:    32 columns by 64 bytes, whatever loops they are of"));
  const Layout heads({16, 512, 64}, {64, 1024, 1});
  EXPECT_TRUE(says(CopyPlan(heads, Layout({16, 512, 64}), 2).explain(),
                   "tile:    8 columns of all rows; rows are closer in the source"));
  const auto lines = [](std::int64_t rows, std::int64_t columns) {
    return CopyPlan(Layout({rows, columns, 16}, {16, 16 * rows, 1}), Layout({rows, columns, 16}), 4)
        .explain();
  };
  EXPECT_TRUE(says(lines(8, 400000), "tile:    1 column of all rows; rows are closer"));
  EXPECT_TRUE(says(lines(1000, 4001), "tile:    1 column of all rows; rows are closer"));
  EXPECT_TRUE(says(lines(1000, 4096), "tile:    4 columns of all rows; rows are closer"));
}

// Rows of the destination on one place of the first cache: where a register is a line it takes more
// of them, and longer columns, until a stage is worth its way.
TEST(CopyPlan, StagesTransposesWhoseRowsMeetInTheFirstCache) {
  using strided::kernels::TransposeWay;
  const auto way = [](std::int64_t rows, std::int64_t columns, std::int64_t width,
                      std::int64_t register_bytes) {
    strided::kernels::Block block;
    block.rows = rows;
    block.columns = columns;
    block.src_row_bytes = width;
    block.src_column_bytes = rows * width;
    block.dst_row_bytes = columns * width;
    block.dst_column_bytes = width;
    return strided::kernels::transpose_way(block, width, register_bytes, 0);
  };
  for (const std::int64_t register_bytes : {16, 32, 64}) {
    const bool is_line = register_bytes == 64;
    const TransposeWay of_few = is_line ? TransposeWay::tiles : TransposeWay::staged_tiles;
    EXPECT_EQ(way(768, 512, 4, register_bytes), TransposeWay::staged_tiles);
    EXPECT_EQ(way(768, 2048, 1, register_bytes), TransposeWay::staged_tiles);
    EXPECT_EQ(way(768, 256, 16, register_bytes), TransposeWay::staged_tiles);
    EXPECT_EQ(way(64, 512, 4, register_bytes), of_few);
    EXPECT_EQ(way(768, 512, 1, register_bytes), of_few);
    EXPECT_EQ(way(760, 384, 4, register_bytes), TransposeWay::tiles);
  }
}

TEST(Explain, NamesWhatTheCopyIs) {
  const auto told = [](const Layout& src, const Layout& dst) {
    return CopyPlan(src, dst, 4).explain();
  };
  const Layout row({64});
  EXPECT_TRUE(says(CopyPlan().explain(), "nothing to move"));
  EXPECT_TRUE(says(told(row, row), "in runs of 256")) << told(row, row);
  // The portable kernels have no transpose in registers and no reversal of their own.
  const bool portable = strided::active_isa() == strided::Isa::scalar;
  EXPECT_TRUE(
      says(told(Layout({8, 8}, {1, 8}), Layout({8, 8})), portable ? "blocked" : "transpose"));
  EXPECT_TRUE(says(told(Layout({64}, {0}), row), "broadcast"));
  EXPECT_TRUE(says(told(Layout({64}, {-1}, 63), row), portable ? "strided" : "reverse"));
  EXPECT_TRUE(says(told(Layout({64}, {99}), Layout({64}, {77})), "strided"));
  const bool masks = strided::active_isa() == strided::Isa::avx512;
  EXPECT_TRUE(says(told(row, Layout({64}, {2})), masks ? "scatter" : "strided"));
  // Rows of 100 bytes out of 200, more of them than the caches hold.
  const Layout rows({500000, 25});
  EXPECT_TRUE(says(told(Layout({500000, 25}, {50, 1}), rows),
                   portable ? "one run" : "runs gathered to whole lines"))
      << told(Layout({500000, 25}, {50, 1}), rows);
}

}  // namespace
