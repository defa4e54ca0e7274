#include "strided/core/dims.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <list>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"
#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::kInt64Max;
using strided::kInt64Min;
using strided::kMaxRank;

TEST(Dims, IsEmptyByDefault) {
  EXPECT_FACT(Dims().size() == 0);
  EXPECT_FACT(Dims().empty());
}

TEST(Dims, HoldsWhatBracesList) {
  constexpr Dims kShape{6, 5, kInt64Max, kInt64Min};
  EXPECT_FACT(kShape.size() == 4 && !kShape.empty());
  EXPECT_FACT(kShape[0] == 6 && kShape[1] == 5);
  EXPECT_FACT(kShape[2] == kInt64Max && kShape[3] == kInt64Min);
}

TEST(Dims, IsIndexedByAnyIntegerType) {
  constexpr Dims kShape{6, 5};
  EXPECT_FACT(kShape[1] == kShape[1U] && kShape[std::size_t{1}] == kShape[std::int8_t{1}]);
}

constexpr int kNarrow[] = {4, -2, 9};
constexpr std::array<std::int16_t, 2> kPair{7, -8};

TEST(Dims, TakesContiguousListsOfAnyIntegerWidth) {
  EXPECT_FACT(Dims(kNarrow) == Dims{4, -2, 9});
  EXPECT_FACT(Dims(kPair) == Dims{7, -8});
  const std::vector<std::uint8_t> bytes{200, 1};
  const Dims from_vector = bytes;  // implicit
  EXPECT_EQ(from_vector, (Dims{200, 1}));
  EXPECT_EQ(Dims(std::vector<std::int64_t>()), Dims());
}

TEST(Dims, TakesNeitherBoolsNorFloatsNorLinkedLists) {
  EXPECT_FACT(!std::is_constructible_v<Dims, std::vector<float>>);
  EXPECT_FACT(!std::is_constructible_v<Dims, std::vector<bool>>);
  EXPECT_FACT(!std::is_constructible_v<Dims, std::list<int>>);
  EXPECT_FACT(!std::is_constructible_v<Dims, std::deque<int>>);
  EXPECT_FACT(!std::is_constructible_v<Dims, int>);
}

// A size_t that ran below zero must not turn into -1, which means "the last" or "infer it".
TEST(Dims, KeepsHugeUnsignedValuesHuge) {
  const std::vector<std::uint64_t> wrapped{std::numeric_limits<std::uint64_t>::max(),
                                           std::uint64_t{1} << 63, 7};
  EXPECT_EQ(Dims(wrapped), (Dims{kInt64Max, kInt64Max, 7}));
  const std::vector<std::uint64_t> largest{static_cast<std::uint64_t>(kInt64Max)};
  EXPECT_EQ(Dims(largest), Dims{kInt64Max});
}

TEST(Dims, EqualityComparesLengthAndEntries) {
  EXPECT_FACT(Dims{1, 2} == Dims{1, 2});
  EXPECT_FACT(Dims{1, 2} != Dims{1, 3});
  EXPECT_FACT(Dims{1, 2} != Dims{1, 2, 0});
  EXPECT_FACT(Dims{} != Dims{0});
}

TEST(Dims, FilledRepeatsAValue) {
  EXPECT_FACT(Dims::filled(3, -1) == Dims{-1, -1, -1});
  EXPECT_FACT(Dims::filled(0, 5) == Dims{});
  EXPECT_FACT(Dims::filled(kMaxRank, 2).size() == 32);
}

constexpr Dims grown() {
  Dims dims{2, 3};
  dims.push_back(4);
  dims.insert(0, 1);
  dims.insert(4, 5);
  dims.insert(2, 9);
  return dims;
}
constexpr Dims shrunk() {
  Dims dims{1, 2, 3, 4};
  dims.erase(3);
  dims.erase(0);
  return dims;
}
constexpr Dims cleared() {
  Dims dims{1, 2};
  dims.clear();
  return dims;
}

TEST(Dims, GrowsAtTheEndAndAnywhere) {
  EXPECT_FACT(grown() == Dims{1, 2, 9, 3, 4, 5});
}

TEST(Dims, ShrinksAnywhere) {
  EXPECT_FACT(shrunk() == Dims{2, 3});
  EXPECT_FACT(cleared() == Dims{});
}

constexpr Dims assigned() {
  Dims target{1, 2, 3};
  const Dims source{7};
  target = source;
  return target;
}
constexpr Dims assigned_to_itself() {
  Dims dims{1, 2};
  const Dims& same = dims;
  dims = same;
  return dims;
}

TEST(Dims, AssignmentReplacesTheList) {
  EXPECT_FACT(assigned() == Dims{7});
}

TEST(Dims, SelfAssignmentChangesNothing) {
  EXPECT_FACT(assigned_to_itself() == Dims{1, 2});
}

TEST(Dims, IsARangeOfMutableNumbers) {
  Dims dims{1, 2, 3};
  for (std::int64_t& n : dims) n *= 10;
  EXPECT_EQ(std::accumulate(dims.begin(), dims.end(), std::int64_t{0}), 60);
  dims[1] = -1;
  EXPECT_EQ(dims.data()[1], -1);
  EXPECT_EQ(dims.end() - dims.begin(), 3);
}

TEST(Dims, TakesThirtyTwoEntriesAndNoMore) {
  const std::vector<int> most(32, 1);
  EXPECT_EQ(Dims(most).size(), 32U);
  const std::vector<int> too_many(33, 1);
  constexpr const char* kSentence = "Dims: the list has 33 entries, at most 32 are allowed";
  EXPECT_THROWN(Dims(too_many), rank_too_large, kSentence);
  EXPECT_THROWN(Dims::filled(33, 1), rank_too_large, kSentence);
  Dims full = Dims::filled(32, 1);
  EXPECT_THROWN(full.push_back(1), rank_too_large, kSentence);
  EXPECT_THROWN(full.insert(0, 1), rank_too_large, kSentence);
  EXPECT_EQ(full, Dims::filled(32, 1));
}

TEST(Dims, PrintsAsPythonPrintsAShape) {
  EXPECT_EQ(to_string(Dims{}), "()");
  EXPECT_EQ(to_string(Dims{3}), "(3,)");
  EXPECT_EQ(to_string(Dims{6, 5}), "(6, 5)");
  EXPECT_EQ(to_string(Dims{kInt64Min, kInt64Max}), "(-9223372036854775808, 9223372036854775807)");
}

// The tail beyond the live entries is never written, so that a list of two costs two. The calls go
// through volatile pointers: the optimizer may otherwise assume that a fresh object has no history.
constexpr unsigned char kPoison = 0xA5;

template <class T>
struct Poisoned {
  Poisoned() { std::memset(bytes, kPoison, sizeof bytes); }
  alignas(T) unsigned char bytes[sizeof(T)];
};

bool tail_is_untouched(const Dims& dims) {
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(dims.data());
  for (std::size_t i = dims.size() * 8; i < std::size_t{kMaxRank} * 8; ++i) {
    if (bytes[i] != kPoison) return false;
  }
  return true;
}

Dims* construct_default(void* place) {
  return new (place) Dims();
}
Dims* construct_pair(void* place) {
  return new (place) Dims{6, 5};
}
Dims* construct_from_list(void* place) {
  return new (place) Dims(kNarrow);
}
Dims* construct_copy(void* place) {
  const Dims pair{6, 5};
  return new (place) Dims(pair);
}
Dims* construct_and_change(void* place) {
  Dims* dims = new (place) Dims();
  dims->push_back(1);
  dims->insert(0, 2);
  *dims = Dims{3, 4};
  return dims;
}
strided::Layout* construct_layout(void* place) {
  return new (place) strided::Layout({6, 5}, {10, 1}, 22);
}
strided::StridedView<int>* construct_view(void* place) {
  static int storage[100];
  return new (place) strided::StridedView<int>(storage, {6, 5}, {10, 1}, 22);
}

TEST(Dims, TouchesOnlyLiveEntries) {
  for (auto construct : {construct_default, construct_pair, construct_from_list, construct_copy,
                         construct_and_change}) {
    auto* volatile opaque = construct;
    Poisoned<Dims> buffer;
    const Dims* dims = opaque(buffer.bytes);
    EXPECT_TRUE(tail_is_untouched(*dims)) << to_string(*dims);
  }
}

TEST(Dims, LayoutsAndViewsTouchOnlyLiveEntries) {
  Poisoned<strided::Layout> layout_buffer;
  auto* volatile layout_opaque = construct_layout;
  const strided::Layout* layout = layout_opaque(layout_buffer.bytes);
  EXPECT_TRUE(tail_is_untouched(layout->shape()));
  EXPECT_TRUE(tail_is_untouched(layout->strides()));

  Poisoned<strided::StridedView<int>> view_buffer;
  auto* volatile view_opaque = construct_view;
  const strided::StridedView<int>* view = view_opaque(view_buffer.bytes);
  EXPECT_TRUE(tail_is_untouched(view->shape()));
  EXPECT_TRUE(tail_is_untouched(view->strides()));
}

}  // namespace
