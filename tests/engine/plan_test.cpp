// make_plan: what holds of every plan, however many loops a copy has.
#include "strided/engine/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include <cstdint>

#include "strided/engine/normalize.hpp"
#include "strided/strided.hpp"
#include "support/kernel_sets.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;

// The positions that a kernel lists: those of all loops but the last.
std::int64_t listed(std::int64_t count, const strided::kernels::Fold* folds, int fold_count) {
  std::int64_t positions = 1;
  for (int i = 0; i < fold_count; ++i) {
    positions *= count;
    count = folds[i].count;
  }
  return positions;
}

void expect_room_for_folds(const Layout& src, const Layout& dst) {
  for (const strided::kernels::KernelSet* set : all_kernel_sets()) {
    const auto nest = strided::engine::normalize(src, dst, 1);
    ASSERT_TRUE(nest);
    for (const bool streaming : {false, true}) {
      strided::engine::Plan plan;
      plan.nest = *nest;
      strided::engine::choose_kernel(plan, *set, streaming);
      const strided::kernels::Block& block = plan.block;
      EXPECT_LE(block.row_folds, strided::kernels::kMaxFolds) << set->name;
      EXPECT_LE(block.column_folds, strided::kernels::kMaxFolds) << set->name;
      EXPECT_LE(listed(block.rows, block.row_fold, block.row_folds), strided::kernels::kMaxChained)
          << set->name;
      EXPECT_LE(listed(block.columns, block.column_fold, block.column_folds),
                strided::kernels::kMaxChained)
          << set->name;
    }
  }
}

// Rows longer than the list, which two more loops of the source continue.
TEST(Plan, FoldsNoLoopIntoALongOne) {
  const Dims shape{2, 3, 300, 64};
  expect_room_for_folds(Layout(shape, {900, 300, 1, 2000}), Layout(shape, {100000, 30000, 70, 1}));
}

// Eight loops of two that continue each other in the source, and none in the destination.
TEST(Plan, FoldsNoMoreLoopsThanABlockHasRoomFor) {
  Dims shape{64};
  Dims src{256};
  Dims dst{1};
  for (int i = 0; i < 8; ++i) {
    shape.push_back(2);
    src.push_back(1 << i);
    dst.push_back(65 << (7 - i));
  }
  expect_room_for_folds(Layout(shape, src), Layout(shape, dst));
}

// Past the caches, what fills lines streams, and rows too short for that do not. No memory is
// touched.
TEST(Plan, StreamsRowsThatFillLines) {
  struct Case {
    const char* name;
    Layout src;
    Layout dst;
    std::int64_t width;
    bool streams;
  };
  const std::vector<Case> cases = {
      {"mirrored pixels", Layout({30000, 3000, 3}, {9000, -3, 1}, 8997), Layout({30000, 3000, 3}),
       1, true},
      {"mirrored pixels of short rows", Layout({1000000, 40, 3}, {120, -3, 1}, 117),
       Layout({1000000, 40, 3}, {200, 3, 1}), 1, false},
      {"transpose", Layout({8000, 8000}, {1, 8000}), Layout({8000, 8000}), 4, true},
      {"transpose to short rows", Layout({1000000, 50}, {1, 1000000}),
       Layout({1000000, 50}, {99, 1}), 4, false},
  };
  for (const Case& c : cases) {
    const auto nest = strided::engine::normalize(c.src, c.dst, c.width);
    ASSERT_TRUE(nest);
    ASSERT_TRUE(strided::engine::exceeds_caches(*nest)) << c.name;
    for (const strided::kernels::KernelSet* set : all_kernel_sets()) {
      const bool has_vectors = set->register_bytes > 0;
      if (!has_vectors) continue;
      if (c.width == 1 && set->shuffle == nullptr) continue;
      EXPECT_EQ(strided::engine::make_plan(*nest, *set).block.streaming, c.streams)
          << c.name << ", " << set->name;
    }
  }
}

// Loops of two bytes each, in every order: small blocks in another order, of more loops than a
// block has room for.
TEST(Plan, ManySmallLoopsAreCopiedWhateverTheirOrder) {
  for (int loops = 3; loops <= 7; ++loops) {
    std::vector<std::int64_t> strides;
    for (int i = 0; i < loops; ++i) strides.push_back(std::int64_t{1} << i);
    const auto with_blocks = [&](std::vector<std::int64_t> inner) {
      inner.insert(inner.begin(), std::int64_t{1} << loops);
      return strided::Dims(inner);
    };
    strided::Dims shape{10};
    for (int i = 0; i < loops; ++i) shape.push_back(2);
    const Layout dst(shape);
    const auto bytes = static_cast<std::size_t>(dst.size());
    std::vector<std::byte> src_storage(bytes);
    for (std::size_t i = 0; i < bytes; ++i) src_storage[i] = static_cast<std::byte>(i * 37 + 1);
    do {
      const Layout src(shape, with_blocks(strides), 0);
      for (const strided::kernels::KernelSet* set : all_kernel_sets()) {
        const auto nest = strided::engine::normalize(src, dst, 1);
        ASSERT_TRUE(nest);
        const strided::engine::Plan plan = strided::engine::make_plan(*nest, *set);
        ASSERT_LE(plan.block.column_folds, strided::kernels::kMaxFolds) << set->name;
        std::vector<std::byte> dst_storage(bytes);
        strided::engine::execute(plan, src_storage.data(), dst_storage.data());
        for (std::int64_t k = 0; k < dst.size(); ++k) {
          ASSERT_EQ(dst_storage[static_cast<std::size_t>(k)],
                    src_storage[static_cast<std::size_t>(src.offset_of_position(k))])
              << set->name << ", " << strided::to_string(src.strides());
        }
      }
    } while (std::next_permutation(strides.begin(), strides.end()));
  }
}

}  // namespace
}  // namespace strided_test
