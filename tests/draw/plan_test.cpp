// draw_plan: the exact text for the portable kernels, and for all others that what is drawn is what
// is copied.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "strided/draw/plan.hpp"
#include "strided/engine/normalize.hpp"
#include "strided/strided.hpp"
#include "support/kernel_sets.hpp"

namespace strided_test {
namespace {

using strided::CopyPlan;
using strided::Layout;

strided::engine::Plan plan_of(const Layout& src, const Layout& dst, std::int64_t element_bytes,
                              const strided::kernels::KernelSet& kernels) {
  return strided::engine::make_plan(*strided::engine::normalize(src, dst, element_bytes), kernels);
}

// The picture with the portable kernels, which every machine has.
std::string drawn(const Layout& src, std::int64_t element_bytes) {
  return strided::detail::plan_text(plan_of(src, Layout(src.shape()), element_bytes,
                                            *strided::engine::kernels_of(strided::Isa::scalar)));
}

const std::string kHeading =
    "the kernel's first runs, by their bytes in the storages, numbered as in the source\n";

TEST(DrawPlan, Transpose) {
  EXPECT_EQ(drawn(Layout({2, 50, 40}, {2000, 1, 50}), 4),
            "moves 16000 bytes: 4000 runs of 4 bytes, stores through the caches\n"
            "loop                    times        source   destination\n"
            "for                         2         +8000         +8000\n"
            "  kernel blocked, scalar\n"
            "  | rows                   50            +4          +160\n"
            "  | columns                40          +200            +4\n"
            "  | tile: 16 columns by 64 bytes; a line of the source is used up while it is there\n"
            "\n" +
                kHeading +
                "source               destination\n"
                "  0 |  0  1  2  3      0 |  0  4  8 12\n"
                "200 |  4  5  6  7    160 |  1  5  9 13\n"
                "400 |  8  9 10 11    320 |  2  6 10 14\n"
                "600 | 12 13 14 15    480 |  3  7 11 15\n");
}

TEST(DrawPlan, Rows) {
  EXPECT_EQ(drawn(Layout({6, 5}, {10, 1}, 22), 4),
            "moves 120 bytes: 6 runs of 20 bytes, stores through the caches\n"
            "loop                    times        source   destination\n"
            "kernel runs, scalar\n"
            "| columns                   6           +40           +20\n"
            "| tile: one run\n"
            "\n" +
                kHeading +
                "source                        destination\n"
                "88 | 0 . 1 . 2 . 3 . 4 . 5    0 | 0 1 2 3 4 5\n");
  EXPECT_EQ(drawn(Layout({20}), 4),
            "moves 80 bytes: 1 run of 80 bytes, stores through the caches\n"
            "kernel runs, scalar\n"
            "| tile: one run\n"
            "\n" +
                kHeading +
                "source    destination\n"
                "0 | 0     0 | 0\n");
}

TEST(DrawPlan, Broadcast) {
  EXPECT_EQ(drawn(Layout({1000}, {0}, 3), 1),
            "moves 1000 bytes: 1000 runs of 1 byte, stores through the caches\n"
            "loop                    times        source   destination\n"
            "kernel broadcast, scalar\n"
            "| columns                1000            +0            +1\n"
            "| tile: one element\n"
            "\n" +
                kHeading +
                "source    destination\n"
                "3 | 0     0 | 0 0 0 0 0 0 0 0\n");
}

TEST(DrawPlan, NegativeStrides) {
  EXPECT_EQ(drawn(Layout({3, 6}, {-6, -1}, 17), 8),
            "moves 144 bytes: 18 runs of 8 bytes, stores through the caches\n"
            "loop                    times        source   destination\n"
            "kernel strided, scalar\n"
            "| columns                  18            -8            +8\n"
            "| tile: four elements, all under way at once\n"
            "\n" +
                kHeading +
                "source                  destination\n"
                "80 | 0 1 2 3 4 5 6 7    0 | 7 6 5 4 3 2 1 0\n");
}

TEST(DrawPlan, RankFive) {
  EXPECT_EQ(drawn(Layout({2, 3, 4, 5, 6}, {360, 30, 90, 6, 1}), 2),
            "moves 1440 bytes: 24 runs of 60 bytes, stores through the caches\n"
            "loop                    times        source   destination\n"
            "for                         2          +720          +720\n"
            "  kernel runs, scalar\n"
            "  | rows                    3           +60          +240\n"
            "  | columns                 4          +180           +60\n"
            "  | tile: one run\n"
            "\n" +
                kHeading +
                "source                                     destination\n"
                "0 |  0  1  2  3  4  5  6  7  8  9 10 11    "
                "0 |  0  3  6  9  1  4  7 10  2  5  8 11\n");
  EXPECT_EQ(
      drawn(Layout({2, 3, 4, 5, 6}, {1, 2, 6, 24, 120}), 2),
      "moves 1440 bytes: 720 runs of 2 bytes, stores through the caches\n"
      "loop                    times        source   destination\n"
      "for                         4           +12           +60\n"
      "  for                       5           +48           +12\n"
      "    for                     3            +4          +240\n"
      "      kernel blocked, scalar\n"
      "      | rows                2            +2          +720\n"
      "      | columns             6          +240            +2\n"
      "      | tile: 512 columns by 64 bytes; a line of the source is used up while it is there\n"
      "\n" +
          kHeading +
          "source       destination\n"
          "  0 | 0 1      0 | 0 2 4 6\n"
          "240 | 2 3    720 | 1 3 5 7\n"
          "480 | 4 5\n"
          "720 | 6 7\n");
}

// Windows overlap in the source: each begins a line of its own.
TEST(DrawPlan, OverlappingRuns) {
  EXPECT_EQ(drawn(Layout({3, 3}, {1, 1}), 4),
            "moves 36 bytes: 3 runs of 12 bytes, stores through the caches\n"
            "loop                    times        source   destination\n"
            "kernel runs, scalar\n"
            "| columns                   3            +4           +12\n"
            "| tile: one run\n"
            "\n" +
                kHeading +
                "source    destination\n"
                "0 | 0     0 | 0 1 2\n"
                "4 | 1\n"
                "8 | 2\n");
}

TEST(DrawPlan, NothingToMove) {
  EXPECT_EQ(strided::draw_plan(CopyPlan()), "nothing to move\n");
  EXPECT_EQ(strided::draw_plan(CopyPlan(Layout({0, 3}), Layout({0, 3}), 4)), "nothing to move\n");
}

TEST(DrawPlan, AFillThatOverlapsItself) {
  const auto plan = CopyPlan::try_make_fill(Layout({3, 4}, {1, 1}), 4, true);
  ASSERT_TRUE(plan);
  EXPECT_NE(strided::draw_plan(*plan).find("destination\n0 | 0     0 | 0 0 0 0 0 0\n"),
            std::string::npos)
      << strided::draw_plan(*plan);
}

TEST(DrawPlan, NamesTheKernelThatRuns) {
  const CopyPlan plan(Layout({50, 40}, {1, 50}), Layout({50, 40}), 4);
  const std::string kernel = std::string("\nkernel ") +
                             strided::engine::describe(plan.stages().pattern).name + ", " +
                             plan.stages().kernels->name + "\n";
  EXPECT_NE(strided::draw_plan(plan).find(kernel), std::string::npos);
}

// Large enough numbers for anything that counts bytes.
TEST(DrawPlan, HugeLayouts) {
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const CopyPlan plan(Layout({2, 3}, {-kFar, 1}, kFar), Layout({2, 3}, {kFar, 7}), 4);
  const std::string text = strided::draw_plan(plan);
  for (const char* const part :
       {" 2 -4611686018427387904 +4611686018427387904\n", "4611686018427387904 | 3 4 5    ",
        "4611686018427387904 | 0 . . . . . . 1 . . . . . . 2\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

// A run has one number on both sides exactly if the copy moves it from one place to the other.
TEST(DrawPlan, DrawsWhatIsCopied) {
  const Layout sources[] = {
      Layout({30, 20}, {1, 30}),
      Layout({6, 5}, {10, 1}, 22),
      Layout({30, 20}, {0, 1}),
      Layout({30, 20}, {1, 0}),
      Layout({3, 40, 60}, {1, 180, 3}),
      Layout({40, 60, 4}, {240, 4, -1}, 3),
      Layout({30, 4, 4}, {16, 1, 4}),
      Layout({8, 9, 10, 11, 12}, {1, 8, 72, 720, 7920}),
      Layout({8, 9, 10, 11, 12}, {108, 12, 1, -864, -9504}, 9504 * 11 + 864 * 10),
      Layout(strided::Dims::filled(9, 3), {1, 3, 9, 27, 81, 243, 729, 2187, 6561}),
      Layout({40, 30}, {-30, -1}, 1199),
      Layout({100}, {7}),
      Layout({20, 3}, {1, 1}),
  };
  for (const strided::kernels::KernelSet* set : all_kernel_sets()) {
    for (const Layout& src : sources) {
      const Layout dst(src.shape());
      const strided::engine::Plan plan = plan_of(src, dst, 4, *set);
      std::vector<std::int32_t> from(static_cast<std::size_t>(src.bounds().highest + 1));
      std::vector<std::int32_t> to(static_cast<std::size_t>(dst.size()));
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::int32_t>(i);
      strided::engine::execute(plan, reinterpret_cast<const std::byte*>(from.data()),
                               reinterpret_cast<std::byte*>(to.data()));
      const strided::detail::PlacedRuns runs = strided::detail::first_runs(plan);
      EXPECT_LE(runs.dst.size(), 32U);
      const std::vector<std::int64_t> steps = strided::detail::drawn_steps(plan);
      for (const std::int64_t drawn : steps) EXPECT_GE(drawn, steps.size() > 5 ? 1 : 2);
      for (const strided::detail::PlacedRun& run : runs.dst) {
        const auto number = static_cast<std::size_t>(run.number);
        EXPECT_EQ(to.at(static_cast<std::size_t>(run.offset_bytes) / 4),
                  from.at(static_cast<std::size_t>(runs.src.at(number).offset_bytes) / 4))
            << set->name << to_string(src.shape()) << to_string(src.strides());
      }
      for (std::size_t i = 1; i < runs.src.size(); ++i) {
        EXPECT_LT(runs.src[i - 1].offset_bytes, runs.src[i].offset_bytes);
      }
    }
  }
}

}  // namespace
}  // namespace strided_test
