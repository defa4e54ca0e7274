// as_strided, as_strided_copy and as_strided_scatter.
#include "strided/ops/as_strided.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "support/counted.hpp"
#include "support/facts.hpp"

namespace {

using namespace strided;
using strided_test::counted;
using Ints = std::vector<int>;

// What the operator AsStrided makes of x.
Ints as_strided_values(const StridedView<const int>& x, const AsStridedParam& param,
                       Rules rules = Rules::ascend) {
  std::int64_t count = 1;
  for (std::int64_t n : param.size) count *= n;
  Ints y(static_cast<std::size_t>(count), -1);
  as_strided_copy(x, param, StridedView<int>(y, param.size), rules);
  return y;
}

constexpr int kNine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(AsStrided, IsAViewOfTheStorage) {
  EXPECT_FACT(as_strided(StridedView<const int>(kNine, {9}), {2, 2}, {2, 3}, 0)(1, 1) == 6);
  Ints storage = counted(20);
  const StridedView<int> v(storage, {4}, {1}, 10);
  as_strided(v, {2, 2}, {4, 1}, 3)(1, 1) = -1;  // 3 + 4 + 1, counted from the storage's start
  EXPECT_EQ(storage[8], -1);
  as_strided(v, {5}, {-1})(4) = -2;  // from v's own offset
  EXPECT_EQ(storage[6], -2);
}

TEST(AsStrided, MakesWindows) {
  Ints storage = counted(7);
  const StridedView<int> windows = as_strided(StridedView<int>(storage, {7}), {3, 3}, {2, 1}, 0);
  EXPECT_EQ(Ints(windows.begin(), windows.end()), (Ints{0, 1, 2, 2, 3, 4, 4, 5, 6}));
}

TEST(AsStrided, IsCheckedAgainstTheStorage) {
  const StridedView<const int> nine(kNine, {3}, {1}, 6);
  EXPECT_THROWN(as_strided(nine, {2, 2}, {4, 5}, 0), out_of_bounds,
                "as_strided: the view reaches index 9 of the storage (dimension 1), which has 9 "
                "elements: 0 to 8");
  EXPECT_THROWN(
      as_strided(nine, {3}, {-4}), out_of_bounds,
      "as_strided: the view reaches index -2 (dimension 0), before the start of the "
      "storage: the offset is too small by 2; strides count elements, not bytes: (-1,) would "
      "fit");
  EXPECT_THROWN(as_strided(nine, {2, 2}, {1}, 0), length_mismatch,
                "as_strided: stride has 1 entry, 2 are needed, as many as size has");
}

TEST(AsStridedCopy, ReadsTheExamplesOfItsDocument) {
  const StridedView<const int> x(kNine, {3, 3});
  EXPECT_EQ(as_strided_values(x, {{2, 2}, {2, 3}, {0}}), (Ints{1, 4, 3, 6}));
  EXPECT_EQ(as_strided_values(x, {{2, 2}, {2, 3}, {2}}), (Ints{3, 6, 5, 8}));
}

// x is its logical row-major vector, wherever its elements lie.
TEST(AsStridedCopy, ReadsANonContiguousXInItsLogicalOrder) {
  const Ints storage = counted(100);
  const StridedView<const int> x(storage, {6, 5}, {10, 1}, 22);
  EXPECT_EQ(as_strided_values(x, {{2, 3}, {7, 2}, {4}}), (Ints{26, 33, 35, 43, 45, 52}));
  EXPECT_EQ(as_strided_values(x, {{30}, {1}, {0}}), Ints(x.begin(), x.end()));
  const StridedView<const int> turned(kNine, {3, 3}, {1, 3});
  EXPECT_EQ(as_strided_values(turned, {{2, 2}, {2, 3}, {0}}), (Ints{1, 2, 7, 8}));
}

// Of an x far larger than memory, only the rows that the parameters reach.
TEST(AsStridedCopy, ReadsNoMoreOfXThanItsRows) {
  constexpr std::int64_t kMany = std::int64_t{1} << 29;
  const StridedView<const int> endless(kNine, {kMany, 3, kMany, 3}, {0, 3, 0, 1});
  const std::int64_t middle =
      (kMany / 2) * 9 * kMany + 5 * kMany;  // x[kMany / 2, 1, 2 * kMany / 3, 1]
  EXPECT_EQ(as_strided_values(endless, {{3, 2}, {1, 2}, {middle}}), (Ints{5, 4, 6, 5, 4, 6}));
  // Within one row there is one stride, and no temporary.
  EXPECT_EQ(as_strided_values(endless, {{2}, {1}, {middle}}), (Ints{5, 6}));
}

// part_of_vector against all pairs of elements of all small shapes.
TEST(AsStridedCopy, CutsAPartThatHasWhatIsRead) {
  std::int64_t pairs = 0;
  for (std::int64_t code = 0; code < 64; ++code) {
    const Dims shape{code % 4 + 1, code / 4 % 4 + 1, code / 16 + 1};
    Ints storage = counted(200);
    const StridedView<const int> x(storage, shape, {-1, 41, 7}, 3);
    const Ints vector(x.begin(), x.end());
    for (std::int64_t first = 0; first < x.size(); ++first) {
      for (std::int64_t last = first; last < x.size(); ++last, ++pairs) {
        const auto [part, start] = detail::part_of_vector(x.layout(), first, last);
        ASSERT_LE(start, first);
        ASSERT_GT(start + part.size(), last);
        const StridedView<const int> view(storage, part);
        const auto from = static_cast<std::size_t>(start);
        const auto count = static_cast<std::size_t>(part.size());
        ASSERT_TRUE(std::ranges::equal(view, std::span(vector).subspan(from, count)))
            << to_string(shape) << " from " << first << " to " << last;
        if (first == last) {
          ASSERT_EQ(part.size(), 1);
        }
      }
    }
  }
  std::printf("%lld pairs of elements\n", static_cast<long long>(pairs));
}

// Where x has one stride the answer is the same, without reading all of x.
TEST(AsStridedCopy, ReadsAnXOfOneStride) {
  const Ints storage = counted(100);
  EXPECT_EQ(
      as_strided_values(StridedView<const int>(storage, {10}, {-3}, 99), {{2, 3}, {3, 2}, {1}}),
      (Ints{96, 90, 84, 87, 81, 75}));
  EXPECT_EQ(as_strided_values(StridedView<const int>(storage, {2, 5}, {0, 0}, 42), {{3}, {4}, {1}}),
            (Ints{42, 42, 42}));
  EXPECT_EQ(as_strided_values(StridedView<const int>(storage, {}, {}, 42), {{2}, {0}, {0}}),
            (Ints{42, 42}));
  EXPECT_EQ(as_strided_values(StridedView<const int>(storage, {3}, {-1}, 2),
                              {{1, 3}, {kInt64Max, 1}, {0}}),
            (Ints{2, 1, 0}));
}

TEST(AsStridedCopy, CountsElementsOfXNotOfItsStorage) {
  const Ints storage = counted(100);
  const StridedView<const int> x(storage, {3, 3});
  Ints y(4, -1);
  EXPECT_THROWN(
      as_strided_copy(x, {{2, 2}, {4, 5}, {0}}, StridedView<int>(y, {2, 2})), out_of_bounds,
      "as_strided_copy: the view reaches index 9 of x (dimension 1), which has 9 elements: 0 to 8");
  EXPECT_EQ(as_strided_values(x, {{2, 2}, {4, 5}, {0}}, Rules::strided), (Ints{0, 5, 4, 9}));
  EXPECT_EQ(y, Ints(4, -1));
}

TEST(AsStridedCopy, OtherRulesAddressTheStorage) {
  const Ints storage = counted(100);
  const StridedView<const int> x(storage, {6, 5}, {10, 1}, 22);
  EXPECT_EQ(as_strided_values(x, {{2, 2}, {-10, 1}, {55}}, Rules::strided), (Ints{55, 56, 45, 46}));
  EXPECT_EQ(as_strided_values(x, {{2, 2}, {10, 1}, {0}}, Rules::torch), (Ints{0, 1, 10, 11}));
}

TEST(AsStridedCopy, WritesAnyY) {
  Ints y(10, -1);
  as_strided_copy(StridedView<const int>(kNine, {3, 3}), {{2, 2}, {2, 3}, {0}},
                  StridedView<int>(y, {2, 2}, {-5, 2}, 6));
  EXPECT_EQ(y, (Ints{-1, 3, -1, 6, -1, -1, 1, -1, 4, -1}));
}

TEST(AsStridedCopy, ReadsEverythingFirst) {
  Ints storage = counted(9, 1);
  const StridedView<int> x(storage, {3, 3});
  as_strided_copy(x, {{3, 3}, {1, 3}, {0}}, x);
  EXPECT_EQ(storage, (Ints{1, 4, 7, 2, 5, 8, 3, 6, 9}));
  as_strided_copy(x.transpose(0, 1), {{9}, {1}, {0}}, StridedView<int>(storage, {9}));
  EXPECT_EQ(storage, counted(9, 1));
}

TEST(AsStridedCopy, CopiesElementsOfAnyType) {
  const std::vector<std::string> words{"a", "b", "c", "d"};
  std::vector<std::string> picked(2);
  as_strided_copy(StridedView<const std::string>(words, {2, 2}, {1, 2}), {{2}, {3}, {0}},
                  StridedView<std::string>(picked, {2}));
  EXPECT_EQ(picked, (std::vector<std::string>{"a", "d"}));
  const bool flags[4] = {true, false, false, false};
  bool taken[2] = {false, true};
  as_strided_copy(StridedView<const bool>(flags, {2, 2}, {1, 2}), {{2}, {1}, {0}},
                  StridedView<bool>(taken, {2}));
  EXPECT_TRUE(taken[0] && !taken[1]);
}

TEST(AsStridedCopy, FailsBeforeTheFirstWrite) {
  Ints y(4, -1);
  const StridedView<const int> x(kNine, {3, 3});
  const StridedView<const int> turned(kNine, {3, 3}, {1, 3});
  const StridedView<int> wrong(y, {4});
  for (const StridedView<const int>& source : {x, turned}) {
    EXPECT_THROWN(as_strided_copy(source, {{2, 2}, {2, 3}, {0}}, wrong), shape_mismatch,
                  "as_strided_copy: y has shape (4,), (2, 2) is needed");
    EXPECT_EQ(strided_test::thrown_by([&] {
                as_strided_copy(source, {{2, 2}, {2, 3}, {0}}, StridedView<int>(y, {2, 2}, {0, 1}));
              }).code,
              ErrorCode::internal_overlap);
    EXPECT_THROWN(as_strided_copy(source, {{2, 2}, {2, 3}, {}}, wrong), length_mismatch,
                  "as_strided_copy: offset has 0 entries, 1 is needed");
    EXPECT_THROWN(as_strided_copy(source, {{2, 2}, {2, -3}, {9}}, wrong), negative_stride,
                  "as_strided_copy: stride[1] is -3, under Rules::ascend it must be at least 0; "
                  "Rules::strided takes negative ones");
    EXPECT_THROWN(
        as_strided_copy(source, {{2, 2}, {2, 3}, {kInt64Max}}, wrong), overflow,
        "as_strided_copy: offset is 9223372036854775807, with it an offset no longer fits 64 bits");
  }
  // x as a row-major vector, which a temporary would have to hold, has more bytes than there are.
  constexpr std::int64_t kLong = std::int64_t{1} << 60;
  const StridedView<const int> endless(kNine, {2, kLong}, {1, 0});
  EXPECT_EQ(strided_test::thrown_by([&] {
              as_strided_copy(endless, {{2, 2}, {kLong, 3}, {0}}, StridedView<int>(y, {2, 2}));
            }).code,
            ErrorCode::overflow);
  EXPECT_EQ(y, Ints(4, -1));
}

TEST(AsStridedScatter, WritesThroughTheStrides) {
  Ints storage(10, 0);
  const Ints value{1, 2, 3, 4};
  as_strided_scatter(StridedView<int>(storage, {10}), {2, 2}, {5, 2}, 1,
                     StridedView<const int>(value, {2, 2}));
  EXPECT_EQ(storage, (Ints{0, 1, 0, 2, 0, 0, 3, 0, 4, 0}));
}

TEST(AsStridedScatter, UndoesAsStridedCopy) {
  const Ints before = counted(100);
  Ints storage(100, 0);
  const StridedView<int> all(storage, {100});
  const AsStridedParam param{{4, 3}, {20, 2}, {22}};
  const Ints taken = as_strided_values(StridedView<const int>(before, {100}), param);
  as_strided_scatter(all, param.size, param.stride, 22, StridedView<const int>(taken, param.size));
  for (std::size_t i = 0; i < 100; ++i) {
    const bool inside = i >= 22 && (i - 22) % 20 < 6 && i % 2 == 0;
    EXPECT_EQ(storage[i], inside ? before[i] : 0) << i;
  }
}

TEST(AsStridedScatter, FailsBeforeTheFirstWrite) {
  Ints storage(10, 0);
  const StridedView<int> all(storage, {10});
  const Ints value{1, 2, 3, 4};
  const StridedView<const int> square(value, {2, 2});
  EXPECT_THROWN(as_strided_scatter(all, {4}, {1}, 0, square), shape_mismatch,
                "as_strided_scatter: value has shape (2, 2), (4,) is needed");
  EXPECT_EQ(strided_test::thrown_by([&] {
              as_strided_scatter(all, {2, 2}, {1, 1}, 0, square);
            }).code,
            ErrorCode::internal_overlap);
  EXPECT_EQ(strided_test::thrown_by([&] {
              as_strided_scatter(all, {2, 2}, {8, 1}, 1, square);
            }).code,
            ErrorCode::out_of_bounds);
  EXPECT_EQ(storage, Ints(10, 0));
}

// The row-major vector of a broadcast x may have more bytes than there is memory.
TEST(AsStridedCopy, NeedsNoMemoryThatCannotBe) {
  constexpr std::int64_t kFew = 3;
  constexpr std::int64_t kMany = kInt64Max / 4;
  const AsStridedParam param{{2}, {kMany * kFew - 1}, {0}};  // the first element and the last
  const float values[kFew] = {1, 2, 3};
  float y[2] = {7, 7};
  EXPECT_EQ(try_as_strided_copy(StridedView<const float>(values, {kMany, kFew}, {0, 1}), param,
                                StridedView<float>(y, {2}))
                .message(),
            "as_strided_copy: the number of elements read of x is 6917529027641081853, with it "
            "the number of bytes exceeds 9223372036854775807");
  const std::vector<std::string> words(kFew, "a");
  std::vector<std::string> z(2, "z");
  EXPECT_EQ(try_as_strided_copy(StridedView<const std::string>(words, {kMany, kFew}, {0, 1}), param,
                                StridedView<std::string>(z, {2}))
                .code,
            ErrorCode::out_of_memory);
  if (sizeof(std::size_t) == 4) {  // 16 bytes more than 2^32
    constexpr std::int64_t kRows = (std::int64_t{1} << 28) + 1;
    EXPECT_EQ(try_as_strided_copy(StridedView<const float>(values, {kRows, 2, 2}, {0, 1, 1}),
                                  {{2}, {kRows * 4 - 1}, {0}}, StridedView<float>(y, {2}))
                  .code,
              ErrorCode::out_of_memory);
  }
  EXPECT_TRUE(y[0] == 7 && y[1] == 7 && z == std::vector<std::string>(2, "z"));
}

// A view without elements may have a null storage of any length; one with elements must not come of
// it.
TEST(AsStrided, OfNothingHasNoElements) {
  const StridedView<int> nothing(std::span<int>(static_cast<int*>(nullptr), 100), {0});
  int y[2] = {7, 7};
  const StridedView<int> pair(y, {2});
  EXPECT_THROWN(as_strided(nothing, {2}, {1}, 0), null_data,
                "as_strided: the storage is null, and there are 2 elements to touch; allocate them "
                "first");
  EXPECT_EQ(try_as_strided_copy(nothing, {{2}, {1}, {0}}, pair, Rules::torch).code,
            ErrorCode::null_data);
  EXPECT_EQ(try_as_strided_scatter(nothing, {2}, {1}, 0, pair).code, ErrorCode::null_data);
  EXPECT_TRUE(y[0] == 7 && y[1] == 7);
  EXPECT_TRUE(as_strided(nothing, {0, 3}, {1, 1}, 0).empty());
}

// The copy inside fails; the message tells of the call and the argument that the user wrote.
TEST(AsStridedCopy, TellsOfItsOwnArguments) {
  std::vector<int> storage(9);
  const std::vector<int> values(9);
  EXPECT_THROWN(as_strided_copy(StridedView<const int>(values, {3}), {{3}, {1}, {0}},
                                StridedView<int>(storage, {3}, {0})),
                internal_overlap,
                "as_strided_copy: y maps more than one index to the same element"
                " (stride[0] is 0); each index needs one of its own");
  EXPECT_THROWN(as_strided_scatter(StridedView<int>(storage, {9}), {3, 3}, {1, 1}, 0,
                                   StridedView<const int>(values, {3, 3})),
                internal_overlap,
                "as_strided_scatter: the strided view maps more than one index to the same element"
                " (stride[0] is 1, the smaller strides reach 2); each index needs one of its own");
}

}  // namespace
