// Random calls with the worst numbers there are. Whatever is accepted must be a valid layout that
// touches no more than the one it came from; under the sanitizers, no step on the way may overflow.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <random>
#include <string>

#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/overlap.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/slice.hpp"

namespace {

using namespace strided;

class Numbers {
 public:
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit));
  }

  std::int64_t any() {
    constexpr std::int64_t kHalf = std::int64_t{1} << 62;
    constexpr std::int64_t kSpecial[] = {0,          1,         2,     -1,        -2,
                                         kInt64Max,  kInt64Min, kHalf, -kHalf,    kInt64Max - 1,
                                         -kInt64Max, kHalf - 1, 3,     kHalf / 3, -3};
    if (below(3) == 0) return below(15) - 7;
    if (below(8) == 0) return static_cast<std::int64_t>(engine_());
    return kSpecial[below(std::size(kSpecial))];
  }

  Dims list(std::size_t count) {
    Dims dims;
    for (std::size_t i = 0; i < count; ++i) dims.push_back(any());
    return dims;
  }

  Dims shape(std::size_t rank) {
    Dims dims;
    for (std::size_t i = 0; i < rank; ++i) {
      const std::int64_t n = below(4) == 0 ? any() : below(5);
      dims.push_back(n < 0 ? 1 : n);
    }
    return dims;
  }

  Layout layout() {
    for (;;) {
      const auto rank = static_cast<std::size_t>(below(5));
      const Dims sizes = shape(rank);
      const Result<Layout> made = below(3) == 0 ? Layout::try_row_major(sizes, any())
                                                : Layout::try_make(sizes, list(rank), any());
      if (made) return *made;
    }
  }

  StridedSliceSpec spec() {
    const auto length = static_cast<std::size_t>(below(6));
    StridedSliceSpec made{list(length), list(length), list(length)};
    made.begin_mask = mask();
    made.end_mask = mask();
    made.ellipsis_mask = below(2) == 0 ? 0 : 1U << below(32);
    made.new_axis_mask = mask();
    made.shrink_axis_mask = mask();
    return made;
  }

 private:
  std::uint32_t mask() { return below(2) == 0 ? 0 : static_cast<std::uint32_t>(engine_()); }

  std::mt19937_64 engine_{20240229};
};

// How many calls of one kind were accepted, and how many refused.
struct Tally {
  int accepted = 0;
  int refused = 0;

  void print(const char* calls) const {
    std::printf("%d %s accepted, %d refused\n", accepted, calls, refused);
  }
};

std::string to_text(const Layout& a) {
  return "shape " + to_string(a.shape()) + " strides " + to_string(a.strides()) + " offset " +
         std::to_string(a.offset());
}

// A derived layout is one that its own constructor takes, and stays inside the bounds.
void check(const Layout& from, const Result<Layout>& made, Tally& tally, const char* call) {
  if (!made) {
    ++tally.refused;
    ASSERT_NE(made.message(), "") << call;
    return;
  }
  ++tally.accepted;
  const Result<Layout> again = Layout::try_make(made->shape(), made->strides(), made->offset());
  ASSERT_TRUE(again) << call << " of " << to_text(from) << " made " << to_text(*made) << ": "
                     << again.message();
  ASSERT_EQ(again->size(), made->size());
  if (made->empty()) return;
  ASSERT_FALSE(from.empty()) << call << " of " << to_text(from) << " made " << to_text(*made);
  const Bounds outer = from.bounds();
  const Bounds inner = made->bounds();
  ASSERT_TRUE(outer.lowest <= inner.lowest && inner.highest <= outer.highest)
      << call << " of " << to_text(from) << " made " << to_text(*made);
}

TEST(Extremes, ViewAlgebraMakesValidLayoutsOnly) {
  Numbers any;
  Tally tally;
  for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) {
    const Layout a = any.layout();
    const auto rank = static_cast<std::size_t>(a.rank());
    const std::int64_t axis = any.below(10) == 0 || rank == 0 ? any.any() : any.below(a.rank());
    const std::int64_t axis_b = any.below(10) == 0 || rank == 0 ? any.any() : any.below(a.rank());
    check(a, try_slice(a, axis, any.any(), any.any(), any.any()), tally, "slice");
    check(a, try_narrow(a, axis, any.any(), any.any()), tally, "narrow");
    check(a, try_select(a, axis, any.any()), tally, "select");
    check(a, try_flip(a, axis), tally, "flip");
    check(a, try_transpose(a, axis, axis_b), tally, "transpose");
    check(a, try_diagonal(a, axis, axis_b, any.any()), tally, "diagonal");
    check(a, try_windows(a, axis, any.any(), any.any()), tally, "windows");
    check(a, try_unsqueeze(a, axis), tally, "unsqueeze");
    check(a, try_squeeze(a, axis), tally, "squeeze");
    check(a, squeeze(a), tally, "squeeze");
    check(a, collapse(a), tally, "collapse");
    check(a, try_permute(a, any.list(rank)), tally, "permute");
    check(a, try_reshape(a, any.list(static_cast<std::size_t>(any.below(4)))), tally, "reshape");
    check(a, try_reshape(a, {-1}), tally, "reshape");
    check(a, try_broadcast_to(a, any.list(rank + 1)), tally, "broadcast_to");
  }
  EXPECT_GT(tally.accepted, 60000);
  EXPECT_GT(tally.refused, 60000);
  tally.print("views of views");
}

TEST(Extremes, SlicesMakeValidLayoutsOnly) {
  Numbers any;
  Tally tally;
  for (int i = 0; i < 40000 && !HasFatalFailure(); ++i) {
    const Layout a = any.layout();
    const StridedSliceSpec spec = any.spec();
    for (Rules rules : {Rules::strided, Rules::tensorflow, Rules::ascend}) {
      check(a, try_strided_slice(a, spec, rules), tally, "strided_slice");
    }
  }
  EXPECT_GT(tally.accepted, 5000);
  EXPECT_GT(tally.refused, 5000);
  tally.print("slices");
}

TEST(Extremes, AsStridedStaysInsideTheStorage) {
  Numbers any;
  Tally tally;
  for (int i = 0; i < 40000 && !HasFatalFailure(); ++i) {
    const std::int64_t storage = any.below(3) == 0 ? kInt64Max : any.below(100) + 1;
    const auto rank = static_cast<std::size_t>(any.below(4));
    for (Rules rules : {Rules::strided, Rules::torch, Rules::ascend}) {
      const Result<Layout> made =
          try_as_strided(storage, any.shape(rank), any.list(rank), any.any(), rules);
      check(Layout(Dims{storage}), made, tally, "as_strided");
    }
  }
  EXPECT_GT(tally.accepted, 5000);
  EXPECT_GT(tally.refused, 5000);
  tally.print("as_strided");
}

TEST(Extremes, QuestionsHaveAnswers) {
  Numbers any;
  int repeating = 0;
  for (int i = 0; i < 20000; ++i) {
    const Layout a = any.layout();
    const bool repeats = has_internal_overlap(a);
    repeating += repeats ? 1 : 0;
    if (a.is_dense()) {
      EXPECT_FALSE(repeats) << to_text(a);
    }
    if (a.is_contiguous()) {
      EXPECT_TRUE(a.is_dense()) << to_text(a);
      EXPECT_LE(collapse(a).rank(), 1) << to_text(a);
    }
    const bool inside = !check_within(a, kInt64Max, "it");
    EXPECT_EQ(inside, a.empty() || (a.bounds().lowest >= 0 && a.bounds().highest < kInt64Max));
  }
  EXPECT_GT(repeating, 100);
  std::printf("20000 layouts, %d of them overlap themselves\n", repeating);
}

}  // namespace
