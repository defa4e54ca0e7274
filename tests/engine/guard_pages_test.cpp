// Every kernel of every instruction set between pages that nobody may touch, on a source that
// nobody may write, both flush with the page before and with the page after; every byte of the
// destination, gaps included, against plain loops.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "strided/strided.hpp"
#include "support/generate.hpp"
#include "support/guarded.hpp"
#include "support/kernel_sets.hpp"
#include "support/random.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::Layout;
using strided::kernels::KernelSet;
using strided::kernels::Pattern;

constexpr std::int64_t kMaxElements = 6000;
constexpr std::size_t kArenaBytes = std::size_t{1} << 22;
constexpr std::byte kUntouched{0xa5};

// Sizes that end just before, at and after a vector or a tile; more often than not two long axes,
// since tiles have two.
Dims tile_shape(Random& random) {
  static constexpr std::int64_t kTiles[] = {4, 8, 16, 32, 64, 128};
  Dims shape;
  std::int64_t left = kMaxElements;
  for (std::int64_t axes = random.between(1, 4); axes > 0; --axes) {
    const std::int64_t size =
        random.chance(60) ? random.pick(kTiles) + random.between(-3, 3) : random.between(1, 9);
    shape.push_back(std::max<std::int64_t>(1, std::min(size, left)));
    left /= shape[shape.size() - 1];
  }
  std::shuffle(shape.begin(), shape.end(), std::mt19937_64(random.bits()));
  return shape;
}

// Dense in the order of the axes, or in one where the first axis is the innermost (and sometimes
// backwards): what transposes, weaves and reversals are made of.
Layout tile_layout(Random& random, const Dims& shape, bool source) {
  const std::int64_t kind = random.between(1, 100);
  if (kind <= 30)
    return source ? random_layout(random, shape) : random_unique_layout(random, shape);
  Dims strides = shape;
  std::int64_t span = random.chance(70) ? 1 : random.between(2, 9);
  const bool first_is_innermost = source && random.chance(60);
  for (std::size_t i = shape.size(); i-- > 0;) {
    const std::size_t axis = first_is_innermost ? shape.size() - 1 - i : i;
    strides[axis] = source && random.chance(10) ? -span : span;
    span *= shape[axis];
    if (random.chance(20)) span += random.between(1, 70);
  }
  return placed(shape, strides, 0);
}

// How often the planner chose each kernel.
class Tally {
 public:
  void add(const strided::engine::Plan& plan) {
    const int width = strided::kernels::width_index(plan.block.run_bytes);
    ++counts_[static_cast<std::size_t>(plan.pattern)][static_cast<std::size_t>(width + 1)];
  }
  // Every kernel that the set has must have run.
  void expect_complete(const KernelSet& set) const {
    expect(set.runs, Pattern::runs, -1);
    for (int i = 0; i < strided::kernels::kWidths; ++i) {
      const strided::kernels::WidthKernels& width = set.widths[i];
      expect(width.strided, Pattern::strided, i);
      expect(width.broadcast, Pattern::broadcast, i);
      expect(width.reverse, Pattern::reverse, i);
      expect(width.transpose, Pattern::transpose, i);
      expect(width.blocked, Pattern::blocked, i);
      expect(width.gather.any, Pattern::gather, i);
      expect(width.scatter.any, Pattern::scatter, i);
      if (i < 3) expect(width.deinterleave.any, Pattern::deinterleave, i);
      if (i < 3) expect(width.interleave.any, Pattern::interleave, i);
    }
  }
  void expect_shuffled(const KernelSet& set) const {
    for (const int width : {-1, 0, 1, 2, 3}) expect(set.shuffle, Pattern::shuffle, width);
  }

 private:
  void expect(strided::kernels::Kernel kernel, Pattern pattern, int width) const {
    if (kernel == nullptr) return;
    EXPECT_GT(counts_[static_cast<std::size_t>(pattern)][static_cast<std::size_t>(width + 1)], 0)
        << "pattern " << static_cast<int>(pattern) << ", width index " << width;
  }
  std::array<std::array<int, strided::kernels::kWidths + 1>, 11> counts_{};
};

struct Memory {
  Guarded source{kArenaBytes};
  Guarded target{kArenaBytes};
  std::vector<std::byte> expected;
};

std::int64_t extent_bytes(const Layout& layout, std::int64_t width) {
  return (layout.bounds().highest + 1) * width;
}

// One copy with its storages at one end of the arenas.
void check_at(const Memory& memory, bool at_end, const strided::engine::Plan& plan,
              std::int64_t src_bytes, std::int64_t dst_bytes,
              const std::vector<std::byte>& wanted) {
  const std::byte* src = at_end ? memory.source.end() - src_bytes : memory.source.begin();
  std::byte* dst = at_end ? memory.target.end() - dst_bytes : memory.target.begin();
  constexpr std::int64_t kAround = 4096;
  const std::int64_t around = std::min(kAround, static_cast<std::int64_t>(kArenaBytes) - dst_bytes);
  std::memset(at_end ? dst - around : dst, static_cast<int>(kUntouched),
              static_cast<std::size_t>(dst_bytes + around));
  strided::engine::execute(plan, src, dst);
  EXPECT_EQ(std::memcmp(dst, wanted.data(), static_cast<std::size_t>(dst_bytes)), 0);
  const std::byte* beside = at_end ? dst - around : dst + dst_bytes;
  for (std::int64_t i = 0; i < around; ++i) {
    if (beside[i] != kUntouched) {
      ADD_FAILURE() << "wrote " << (at_end ? around - i : i + 1) << " bytes outside";
      break;
    }
  }
}

void check_copy(Memory& memory, const KernelSet& set, Tally& tally, std::int64_t width,
                const Layout& src, const Layout& dst) {
  const std::int64_t src_bytes = extent_bytes(src, width);
  const std::int64_t dst_bytes = extent_bytes(dst, width);
  if (std::max(src_bytes, dst_bytes) > static_cast<std::int64_t>(kArenaBytes)) return;
  SCOPED_TRACE(std::string(set.name) + ", " + std::to_string(width) + " bytes, " + describe(src) +
               " -> " + describe(dst));

  const auto nest = strided::engine::normalize(src, dst, width);
  ASSERT_TRUE(nest);
  strided::engine::Plan plan = strided::engine::make_plan(*nest, set);
  tally.add(plan);
  for (const bool at_end : {false, true}) {
    const std::byte* from = at_end ? memory.source.end() - src_bytes : memory.source.begin();
    std::vector<std::byte> wanted(static_cast<std::size_t>(dst_bytes), kUntouched);
    for (std::int64_t k = 0; k < src.size(); ++k) {
      std::memcpy(wanted.data() + dst.offset_of_position(k) * width,
                  from + src.offset_of_position(k) * width, static_cast<std::size_t>(width));
    }
    for (const bool streaming : {false, true}) {
      plan.block.streaming = streaming;
      check_at(memory, at_end, plan, src_bytes, dst_bytes, wanted);
    }
  }
}

class GuardPages : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(memory_.source.begin(), nullptr);
    ASSERT_NE(memory_.target.begin(), nullptr);
    Random pattern(1);
    for (std::byte* at = memory_.source.begin(); at != memory_.source.end(); ++at) {
      *at = static_cast<std::byte>(pattern.bits());
    }
    memory_.source.allow(Access::read);
  }
  // Runs check(random, set, tally) for so many cases of each set.
  template <class Check>
  void for_each_set(std::uint64_t cases, void (Tally::*expect)(const KernelSet&) const,
                    Check check) {
    for (const KernelSet* set : all_kernel_sets()) {
      std::printf("%s: ", set->name);
      Tally tally;
      run_cases(cases, [&](Random& random) { check(random, *set, tally); });
      const bool ran_all = number_from_environment("STRIDED_TEST_CASES", cases) >= cases;
      if (expect != nullptr && ran_all) (tally.*expect)(*set);
    }
  }

  Memory memory_;
};

TEST_F(GuardPages, EveryKernelStaysInside) {
  static constexpr std::int64_t kElementBytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 16, 3, 6, 12, 24, 40};
  for_each_set(6000, &Tally::expect_complete,
               [&](Random& random, const KernelSet& set, Tally& tally) {
                 const std::int64_t width = random.pick(kElementBytes);
                 const Dims shape = tile_shape(random);
                 const Layout src = tile_layout(random, shape, true);
                 check_copy(memory_, set, tally, width, src, tile_layout(random, shape, false));
               });
}

// Short runs that follow each other in the destination are moved several bytes too far and put
// right by the next; those at the end have no next. Steps are a few bytes, so that runs overlap,
// touch or leave gaps, or far, or backwards.
TEST_F(GuardPages, PackedRunsStayInside) {
  for_each_set(4000, nullptr, [&](Random& random, const KernelSet& set, Tally& tally) {
    const std::int64_t run = random.between(3, 70);
    const std::int64_t columns = random.chance(40) ? 3 : random.between(2, 40);
    const std::int64_t rows = random.between(1, 12);
    const auto step = [&](std::int64_t reach) {
      const std::int64_t near = random.between(1, 12);
      return random.chance(50) ? near : random.chance(20) ? -reach - near : reach + near - 4;
    };
    const std::int64_t column = step(run);
    const std::int64_t row = step(column * columns);
    const std::int64_t row_gap = random.chance(50) ? 0 : random.between(1, 40);
    const std::int64_t lowest = std::min<std::int64_t>(0, (rows - 1) * row) +
                                std::min<std::int64_t>(0, (columns - 1) * column);
    const Dims shape{rows, columns, run};
    check_copy(memory_, set, tally, 1, Layout(shape, {row, column, 1}, -lowest),
               Layout(shape, {columns * run + row_gap, run, 1}, random.between(0, 70)));
  });
}

// Rows that are closer to each other in the source than their runs are: done some columns at a
// time.
TEST_F(GuardPages, RowsThatShareLinesStayInside) {
  static constexpr std::int64_t kRuns[] = {3, 5, 12, 16, 20, 24, 32, 48, 64, 80, 128, 192, 512};
  for_each_set(400, nullptr, [&](Random& random, const KernelSet& set, Tally& tally) {
    const std::int64_t run = random.pick(kRuns);
    const std::int64_t rows = random.between(24, 40);
    const std::int64_t columns = 512 / run * random.between(1, 4) + random.between(0, 3);
    const std::int64_t row = run + (random.chance(50) ? 0 : random.between(0, 9));
    const std::int64_t column = rows * row + random.between(0, 9);
    const bool is_backwards = random.chance(20);
    const std::int64_t gap = random.chance(70) ? 0 : random.between(1, 9);
    const Dims shape{rows, columns, run};
    check_copy(memory_, set, tally, 1, placed(shape, {row, is_backwards ? -column : column, 1}, 0),
               Layout(shape, {columns * (run + gap), run + gap, 1}, random.between(0, 70)));
  });
}

// Small blocks that follow each other in the destination and lie anyhow in the source: pixels,
// words of swapped bytes, small matrices. Blocks may overlap in the source, have gaps, or run
// backwards.
TEST_F(GuardPages, ShuffledBlocksStayInside) {
  static constexpr std::int64_t kElementBytes[] = {1, 1, 2, 3, 4, 5, 8};
  for_each_set(
      6000, &Tally::expect_shuffled, [&](Random& random, const KernelSet& set, Tally& tally) {
        const std::int64_t width = random.pick(kElementBytes);
        Dims shape{random.between(1, 5), random.between(1, 90)};
        const std::int64_t inner = random.between(0, 2);
        for (std::int64_t i = 0; i < inner; ++i) shape.push_back(random.between(2, 5));
        // The inner axes of the source in any order and direction, the columns behind them.
        std::vector<std::size_t> axes;
        for (std::size_t i = 2; i < shape.size(); ++i) axes.push_back(i);
        if (random.chance(50)) std::reverse(axes.begin(), axes.end());
        Dims strides = shape;
        std::int64_t span = 1;
        for (const std::size_t axis : axes) {
          strides[axis] = random.chance(40) ? -span : span;
          span = span * shape[axis] + (random.chance(20) ? 1 : 0);
        }
        span = random.chance(70) ? span + random.between(0, 3) : random.between(0, span);
        if (random.chance(10)) span += random.between(60, 200);
        strides[1] = random.chance(30) ? -span : span;
        span *= shape[1];
        strides[0] = random.chance(30) ? -span : span + random.between(0, 9);
        Dims dense = strides;
        std::int64_t size = 1;
        for (std::size_t i = shape.size(); i-- > 0; size *= shape[i]) {
          dense[i] = size + (i == 0 ? random.between(0, 2) * random.between(0, 9) : 0);
        }
        check_copy(memory_, set, tally, width, placed(shape, strides, random.between(0, 3)),
                   Layout(shape, dense, random.between(0, 70)));
      });
}

// Matrices whose rows and columns are as far apart as transposes look for: a few bytes off a power
// of two, a page, whole lines, or anything.
TEST_F(GuardPages, EveryWayOfATransposeStaysInside) {
  static constexpr std::int64_t kElementBytes[] = {1, 2, 4, 8, 16};
  static constexpr std::int64_t kBytes[] = {64, 128, 250, 256, 270, 320, 576};
  const auto step = [](Random& random, std::int64_t needed, std::int64_t width) {
    static constexpr std::int64_t kSteps[] = {1024, 2048, 4096, 64, 4096, 1};
    const std::int64_t unit = random.pick(kSteps);
    const std::int64_t bytes = (needed * width + unit - 1) / unit * unit;
    return (bytes + width - 1) / width + (random.chance(40) ? 1 : 0);
  };
  for_each_set(800, nullptr, [&](Random& random, const KernelSet& set, Tally& tally) {
    std::int64_t width = random.pick(kElementBytes);
    const std::int64_t planes = random.chance(25) ? 2 : 1;  // that continue the rows in the source
    const std::int64_t rows = random.pick(kBytes) / width / planes + random.between(0, 3);
    const std::int64_t column_bytes =  // more than one tile of wide elements
        width >= 8 && random.chance(20) ? 2048 : random.pick(kBytes);
    const std::int64_t columns = column_bytes / width + random.between(0, 3);
    const std::int64_t row_step = step(random, columns, width);
    Dims shape{planes, rows, columns};
    Dims src{rows, 1, step(random, planes * rows, width)};
    Dims dst{rows * row_step + random.between(0, 3), row_step, 1};
    std::int64_t src_lead = 0;
    std::int64_t dst_lead = 0;
    if (random.chance(25)) {  // as bytes: the elements may stand at any address
      for (Dims* strides : {&src, &dst}) {
        for (std::int64_t& stride : *strides) stride *= width;
        strides->push_back(1);
      }
      shape.push_back(width);
      src_lead = random.between(0, 7);
      dst_lead = random.between(0, 7);
      width = 1;
    }
    check_copy(memory_, set, tally, width, Layout(shape, src, src_lead),
               Layout(shape, dst, dst_lead));
  });
}

// Columns so long and so far apart that they are streams; rows of an even and of an odd number of
// lines, which begin and end anywhere.
TEST_F(GuardPages, LinesDownTheColumnsStayInside) {
  for (const KernelSet* set : all_kernel_sets()) {
    Tally tally;
    for (const std::int64_t width : {1, 2, 4, 8, 16}) {
      for (std::int64_t bytes = 2112; bytes <= 2304; bytes += 32) {
        const bool is_few = bytes % 64 == 0 && width < 8;  // less than a square has
        const Dims shape{is_few ? 16 / width - 1 : 48 / width + 1, bytes / width};
        const std::int64_t row_bytes = (bytes + 63) / 64 * 64;
        check_copy(memory_, *set, tally, width, Layout(shape, {1, 1040 / width}),
                   Layout(shape, {row_bytes / width, 1}));
      }
    }
  }
}

// Rows at the ends of every other page, the pages between them out of reach: what lies between two
// elements may be read, but never a page that holds none.
TEST_F(GuardPages, PagesWithoutElementsAreNotTouched) {
  constexpr std::int64_t kPage = 4096;
  constexpr std::int64_t kRows = 64;
  Guarded source(static_cast<std::size_t>(2 * kPage * kRows));
  ASSERT_NE(source.begin(), nullptr);
  for (std::int64_t r = 0; r < kRows; ++r) {
    std::memset(source.begin() + 2 * kPage * r, static_cast<int>(r), kPage);
    source.allow(static_cast<std::size_t>(2 * kPage * r + kPage), kPage, Access::none);
  }
  const std::vector<Layout> insides{
      Layout({3, 3}, {1, 3}),         Layout({2, 5}, {1, 2}),     Layout(Dims{15}),
      Layout({16}, {-1}, 15),         Layout({4, 3}, {3, -1}, 2), Layout({20}, {3}),
      Layout({7, 5}, {1, 7}),         Layout({33, 9}, {1, 33}),   Layout(Dims{48}),
      Layout({3, 40}, {1, 3}),        Layout({40, 3}, {1, 40}),   Layout({8, 3}, {4, 1}),
      Layout({100, 2}, {-2, 1}, 198), Layout({64, 64}, {1, 63})};
  for (const KernelSet* set : all_kernel_sets()) {
    for (const Layout& inside : insides) {
      const std::int64_t bytes = inside.bounds().highest + 1;
      Dims shape = inside.shape();
      Dims strides = inside.strides();
      shape.insert(0, kRows);
      strides.insert(0, 2 * kPage);
      const Layout src(shape, strides, kPage - bytes + inside.offset());
      SCOPED_TRACE(std::string(set->name) + ", " + describe(src));
      const Layout dst(shape);
      const auto nest = strided::engine::normalize(src, dst, 1);
      ASSERT_TRUE(nest);
      strided::engine::Plan plan = strided::engine::make_plan(*nest, *set);
      std::vector<std::byte> result(static_cast<std::size_t>(dst.size()));
      for (const bool streaming : {false, true}) {
        plan.block.streaming = streaming;
        strided::engine::execute(plan, source.begin(), result.data());
        for (std::int64_t k = 0; k < dst.size(); ++k) {
          ASSERT_EQ(std::to_integer<std::int64_t>(result[static_cast<std::size_t>(k)]),
                    k / inside.size());
        }
      }
    }
  }
}

}  // namespace
}  // namespace strided_test
