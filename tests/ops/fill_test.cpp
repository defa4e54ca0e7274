#include "strided/ops/fill.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "support/facts.hpp"

namespace {

using namespace strided;

TEST(Fill, WritesEveryElementAndNoOther) {
  std::vector<int> storage(12, 0);
  fill(StridedView<int>(storage, {2, 2}, {6, 2}, 1), 7);
  EXPECT_EQ(storage, (std::vector<int>{0, 7, 0, 7, 0, 0, 0, 7, 0, 7, 0, 0}));
  fill(StridedView<int>(storage, {3}, {-4}, 10), -1);
  EXPECT_EQ(storage, (std::vector<int>{0, 7, -1, 7, 0, 0, -1, 7, 0, 7, -1, 0}));
}

TEST(Fill, TakesScalarsAndEmptyViews) {
  std::vector<int> storage(3, 0);
  fill(StridedView<int>(storage, {}, {}, 1), 7);
  fill(StridedView<int>(storage, {0}), 9);
  fill(StridedView<int>(), 9);
  EXPECT_EQ(storage, (std::vector<int>{0, 7, 0}));
}

TEST(Fill, MovesBits) {
  std::vector<float> storage(5, 1.0F);
  fill(StridedView<float>(storage, {5}), std::bit_cast<float>(0xFFC12345U));
  for (float value : storage) EXPECT_EQ(std::bit_cast<std::uint32_t>(value), 0xFFC12345U);
  fill(StridedView<float>(storage, {5}), -0.0F);
  for (float value : storage) EXPECT_EQ(std::bit_cast<std::uint32_t>(value), 0x80000000U);
}

// The value converts to the element type, whatever the type of the argument.
TEST(Fill, TakesTheValueAsTheElementType) {
  std::vector<double> storage(2);
  fill(StridedView<double>(storage, {2}), 3);
  EXPECT_EQ(storage, (std::vector<double>{3.0, 3.0}));
  std::vector<std::string> words(3);
  fill(StridedView<std::string>(words, {2}, {2}), "x");
  EXPECT_EQ(words, (std::vector<std::string>{"x", "", "x"}));
}

TEST(Fill, MayTakeItsValueFromTheView) {
  std::vector<int> storage{1, 2, 3, 4};
  fill(StridedView<int>(storage, {4}), storage[2]);
  EXPECT_EQ(storage, (std::vector<int>{3, 3, 3, 3}));
  std::vector<std::string> words{"a", "b"};
  fill(StridedView<std::string>(words, {2}), words[1]);
  EXPECT_EQ(words, (std::vector<std::string>{"b", "b"}));
}

TEST(Fill, RefusesToWriteAnElementTwice) {
  std::vector<int> storage(4, 0);
  EXPECT_THROWN(fill(StridedView<int>(storage, {3}, {0}), 7), internal_overlap,
                "fill: dst maps more than one index to the same element"
                " (stride[0] is 0); FillOptions::allow_internal_overlap fills it all the same");
  EXPECT_THROWN(fill(StridedView<int>(storage, {2, 2}, {1, 1}), 7), internal_overlap,
                "fill: dst maps more than one index to the same element"
                " (stride[0] is 1, the smaller strides reach 1); "
                "FillOptions::allow_internal_overlap fills it all the same");
  EXPECT_EQ(try_fill(StridedView<int>(storage, {3}, {0}), 7).message(),
            "fill: dst maps more than one index to the same element"
            " (stride[0] is 0); FillOptions::allow_internal_overlap fills it all the same");
  EXPECT_EQ(storage, (std::vector<int>{0, 0, 0, 0}));
  std::vector<std::string> words(2);
  EXPECT_THROWN(fill(StridedView<std::string>(words, {2}, {0}), "x"), internal_overlap,
                "fill: dst maps more than one index to the same element"
                " (stride[0] is 0); FillOptions::allow_internal_overlap fills it all the same");
}

TEST(Fill, WritesAnElementTwiceIfAsked) {
  std::vector<int> storage(5, 0);
  fill(StridedView<int>(storage, {3, 2}, {1, 1}), 7, {.allow_internal_overlap = true});
  EXPECT_EQ(storage, (std::vector<int>{7, 7, 7, 7, 0}));
  fill(StridedView<int>(storage, {1000, 2}, {0, -1}, 4), 9, {.allow_internal_overlap = true});
  EXPECT_EQ(storage, (std::vector<int>{7, 7, 7, 9, 9}));
  std::vector<std::string> words(2);
  fill(StridedView<std::string>(words, {3}, {0}), "x", {.allow_internal_overlap = true});
  EXPECT_EQ(words, (std::vector<std::string>{"x", ""}));
}

// Repeats of an element cost nothing: a broadcast view of 2^62 elements is filled at once.
TEST(Fill, DoesNotCountRepeats) {
  std::vector<int> storage(2, 0);
  fill(StridedView<int>(storage, {std::int64_t{1} << 61, 2}, {0, 1}), 7,
       {.allow_internal_overlap = true});
  EXPECT_EQ(storage, (std::vector<int>{7, 7}));
}

}  // namespace
