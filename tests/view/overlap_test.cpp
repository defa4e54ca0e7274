// Exact overlap: one view with itself, and two views with each other.
#include "strided/view/overlap.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <set>
#include <vector>

#include "support/facts.hpp"

namespace {

using namespace strided;

bool repeats(const Dims& shape, const Dims& strides, std::int64_t offset = 0) {
  return has_internal_overlap(Layout(shape, strides, offset));
}

// In a storage they share, in elements of one byte.
bool meet(const Layout& a, const Layout& b) {
  return overlaps(a, b, 1, 0) && overlaps(b, a, 1, 0);
}
bool apart(const Layout& a, const Layout& b) {
  return !overlaps(a, b, 1, 0) && !overlaps(b, a, 1, 0);
}

TEST(HasInternalOverlap, IsFalseForWhatNumpyAllocates) {
  EXPECT_FALSE(repeats({}, {}));
  EXPECT_FALSE(repeats({2, 3, 4}, {12, 4, 1}));
  EXPECT_FALSE(repeats({4, 3, 2}, {1, 4, 12}));
  EXPECT_FALSE(repeats({6, 5}, {10, 1}, 22));
  EXPECT_FALSE(repeats({4, 3}, {-20, -2}, 99));
}

TEST(HasInternalOverlap, FindsBroadcastAxes) {
  EXPECT_TRUE(repeats({3}, {0}));
  EXPECT_TRUE(repeats({2, 3}, {0, 1}));
  EXPECT_TRUE(repeats({2, 3}, {1, 0}));
}

TEST(HasInternalOverlap, FindsWindowsAndDiagonals) {
  EXPECT_TRUE(repeats({3, 3}, {1, 1}));
  EXPECT_TRUE(repeats({3, 2}, {1, 2}));
  EXPECT_TRUE(repeats({3, 3}, {1, -1}, 2));
  EXPECT_FALSE(repeats({3, 2}, {2, 1}));  // windows that touch
}

// Interleaved strides: each stride alone says nothing.
TEST(HasInternalOverlap, DecidesInterleavedStrides) {
  EXPECT_FALSE(repeats({2, 3}, {5, 2}));  // 0 2 4 5 7 9
  EXPECT_FALSE(repeats({3, 5}, {5, 2}));
  EXPECT_TRUE(repeats({3, 6}, {5, 2}));  // 2 * 5 = 5 * 2
  EXPECT_FALSE(repeats({2, 2, 2}, {3, 4, 5}));
  EXPECT_TRUE(repeats({2, 2, 2}, {2, 3, 5}));  // 2 + 3 = 5
}

TEST(HasInternalOverlap, IgnoresAxesOfOneElementAndEmptyViews) {
  EXPECT_FALSE(repeats({1, 3, 1}, {0, 1, kInt64Min}));
  EXPECT_FALSE(repeats({0, 3}, {0, 0}));
  EXPECT_FALSE(repeats({kInt64Max, 0}, {0, kInt64Max}));
}

// So many strides of like size that the bounded search gives up, and a map of all positions
// decides.
TEST(HasInternalOverlap, DecidesTangledStrides) {
  EXPECT_TRUE(
      repeats({4, 5, 5, 3, 5, 3, 5}, {131595, 178568, 123479, 178015, 122843, 152489, 183538}));
  EXPECT_FALSE(
      repeats({3, 4, 3, 4, 3, 4, 4}, {109587, 114233, 122943, 146790, 194032, 157565, 136768}));
}

TEST(HasInternalOverlap, CountsElementsAgainstPositions) {
  EXPECT_TRUE(repeats({1000, 1000}, {3, 2}));  // a million elements on five thousand positions
  EXPECT_TRUE(repeats({kInt64Max / 2, 2}, {1, 1}));
}

TEST(HasInternalOverlap, TakesTheLargestStrides) {
  EXPECT_FALSE(repeats({2}, {kInt64Max}));
  EXPECT_FALSE(repeats({2}, {-kInt64Max}, kInt64Max));
  EXPECT_FALSE(repeats({2, 2}, {std::int64_t{1} << 61, 1}));
  EXPECT_FALSE(repeats(Dims::filled(32, 2), Layout(Dims::filled(32, 2)).strides()));
}

// Sums of these strides could leave 64 bits: not decided, and so taken for an overlap.
TEST(HasInternalOverlap, SaysYesWhereSumsMayNotFit) {
  EXPECT_TRUE(repeats({3, 3}, {std::int64_t{1} << 60, (std::int64_t{1} << 60) + 1}));
  EXPECT_FALSE(repeats({3, 3}, {std::int64_t{1} << 58, (std::int64_t{1} << 58) + 1}));
}

TEST(Overlaps, SharesWhatIsShared) {
  EXPECT_TRUE(meet(Layout({5}), Layout({5}, 4)));
  EXPECT_TRUE(apart(Layout({5}), Layout({5}, 5)));
  EXPECT_TRUE(meet(Layout({2, 2}, {10, 1}), Layout({2, 2}, {10, 1}, 11)));
  EXPECT_TRUE(meet(Layout(), Layout()));
}

TEST(Overlaps, IsExactBetweenTheRows) {
  const Layout left({10, 5}, {10, 1}, 0);
  const Layout right({10, 5}, {10, 1}, 5);
  EXPECT_TRUE(apart(left, right));
  EXPECT_TRUE(meet(left, Layout({10, 5}, {10, 1}, 4)));
  EXPECT_TRUE(apart(left, Layout({10, 5}, {-10, -1}, 99)));
}

TEST(Overlaps, EvenAndOddElementsShareNothing) {
  EXPECT_TRUE(apart(Layout({50}, {2}), Layout({50}, {2}, 1)));
  EXPECT_TRUE(meet(Layout({50}, {2}), Layout({33}, {3}, 1)));
  EXPECT_TRUE(apart(Layout({50}, {6}), Layout({50}, {4}, 3)));
}

TEST(Overlaps, EmptyViewsOverlapNothing) {
  EXPECT_TRUE(apart(Layout({0}), Layout({5})));
  EXPECT_TRUE(apart(Layout({3, 0}), Layout({3, 0})));
}

TEST(Overlaps, CountsBytesNotElements) {
  const Layout even({50}, {2});
  EXPECT_FALSE(overlaps(even, even, 4, 4));
  EXPECT_TRUE(overlaps(even, even, 4, 3));  // one byte of each is shared
  EXPECT_TRUE(overlaps(even, even, 4, 5));
  EXPECT_TRUE(overlaps(even, even, 4, -3));
  EXPECT_FALSE(overlaps(even, even, 4, -4));
  EXPECT_FALSE(overlaps(even, even, 4, 400));
  const Layout three({3});
  EXPECT_TRUE(overlaps(three, three, 4, 11));  // the last of one and the first of the other
  EXPECT_TRUE(overlaps(three, three, 4, -11));
  EXPECT_FALSE(overlaps(three, three, 4, 12));
  EXPECT_FALSE(overlaps(three, three, 4, -12));
}

TEST(Overlaps, ComparesViewsOfAnyStorages) {
  std::vector<int> one(100);
  std::vector<int> other(100);
  const StridedView<int> a(one, {10, 10});
  EXPECT_TRUE(overlaps(a, a));
  EXPECT_TRUE(overlaps(a, StridedView<const int>(a.transpose(0, 1))));
  EXPECT_FALSE(overlaps(a, StridedView<int>(other, {10, 10})));
  EXPECT_FALSE(overlaps(a.slice(0, 0, kEnd, 2), a.slice(0, 1, kEnd, 2)));
  EXPECT_FALSE(overlaps(a, StridedView<int>()));
  // Spans of one storage that start elsewhere.
  const StridedView<int> tail(std::span<int>(one).subspan(99), {1});
  EXPECT_TRUE(overlaps(a, tail));
  EXPECT_FALSE(overlaps(a.narrow(0, 0, 9), tail));
}

TEST(HasInternalOverlap, AsksAViewAsItAsksItsLayout) {
  std::vector<int> storage(100);
  const StridedView<int> a(storage, {10, 10});
  EXPECT_FALSE(has_internal_overlap(a));
  EXPECT_TRUE(has_internal_overlap(a.broadcast_to({2, 10, 10})));
  EXPECT_TRUE(has_internal_overlap(a.windows(0, 3, 1)));
  EXPECT_FALSE(has_internal_overlap(a.windows(0, 3, 3)));
}

// Small layouts against marking every element.
TEST(HasInternalOverlap, AgreesWithMarking) {
  int layouts = 0;
  for (std::int64_t n = 1; n <= 4; ++n) {
    for (std::int64_t m = 1; m <= 4; ++m) {
      for (std::int64_t s = -6; s <= 6; ++s) {
        for (std::int64_t t = -6; t <= 6; ++t) {
          const Layout layout({n, m, 2}, {s, t, 3}, 50);
          std::set<std::int64_t> marked;
          for (std::int64_t k = 0; k < layout.size(); ++k) {
            marked.insert(layout.offset_of_position(k));
          }
          const bool expected = static_cast<std::int64_t>(marked.size()) != layout.size();
          EXPECT_EQ(has_internal_overlap(layout), expected) << n << m << " " << s << " " << t;
          ++layouts;
        }
      }
    }
  }
  EXPECT_EQ(layouts, 4 * 4 * 13 * 13);
}

// Strides of about the same size in many axes are the hard case: the answer must not take forever.
TEST(Overlaps, HardCasesEnd) {
  const Dims shape{13, 12, 11, 10, 9, 8};
  const Dims strides{85691, 85693, 85697, 85699, 85707, 85709};
  const Layout a({11, 10, 9, 8, 7, 6}, {85701, 85703, 85711, 85717, 85733, 85751});
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(has_internal_overlap(a));
  EXPECT_TRUE(apart(a, Layout(shape, strides, 12345)));
  EXPECT_TRUE(meet(a, Layout(shape, strides, 5 * 85701 + 3 * 85751)));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 30.0);
}

// No storage reaches so far, but a Layout may.
TEST(Overlaps, PlacesPastAllStorages) {
  const std::int64_t far = std::int64_t{1} << 61;
  const Layout here({3});
  EXPECT_TRUE(overlaps(here, Layout({2}, {far}), 4, 0));
  EXPECT_TRUE(overlaps(Layout({2}, {1}, far), here, 16, 0));
  EXPECT_TRUE(overlaps(Layout({2}, {-far}, far), here, 16, 0));
  EXPECT_TRUE(overlaps(Layout({2}, {far}), here, 2, 0));
  EXPECT_TRUE(overlaps(Layout({1}), Layout({1}), std::numeric_limits<std::int64_t>::max(), 7));
  EXPECT_TRUE(overlaps(Layout({2}, {-far}), here, 2, 0));
  EXPECT_TRUE(overlaps(here, here, 4, std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(overlaps(here, here, 4, std::numeric_limits<std::int64_t>::max()));
  EXPECT_FALSE(overlaps(here, here, 4, far / 2));
  EXPECT_FALSE(overlaps(here, here, 4, -far / 2));
  EXPECT_FALSE(overlaps(here, here, 0, 0));
  // An axis of one element may have any stride.
  const Layout one({1, 3}, {std::numeric_limits<std::int64_t>::min(), 1});
  EXPECT_TRUE(overlaps(one, here, 16, 0));
  EXPECT_FALSE(overlaps(one, here, 16, 48));
}

// A map of 2^62 places is no answer; equal strides are one.
TEST(Overlaps, SpansOfAQuarterOfAllNumbers) {
  const std::int64_t far = std::int64_t{1} << 61;
  EXPECT_TRUE(has_internal_overlap(Layout({2, 2}, {far, far})));
  EXPECT_FALSE(has_internal_overlap(Layout({2, 2}, {far, far - 1})));
}

}  // namespace
