#include "strided/ops/copy.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "strided/ops/bitwise_equal.hpp"
#include "support/counted.hpp"
#include "support/facts.hpp"

namespace {

using namespace strided;
using strided_test::counted;

// What `dst` must hold after copy(src, dst): every source element is read before any is written.
template <class T>
std::vector<T> expected_storage(const StridedView<const T>& src, const StridedView<T>& dst) {
  std::vector<T> storage(dst.storage().begin(), dst.storage().end());
  const std::vector<T> values(src.begin(), src.end());
  for (std::int64_t k = 0; k < dst.size(); ++k) {
    storage[static_cast<std::size_t>(dst.layout().offset_of_position(k))] =
        values[static_cast<std::size_t>(k)];
  }
  return storage;
}

template <class T>
void expect_copied(std::vector<T>& storage, const StridedView<T>& src, const StridedView<T>& dst,
                   const std::string& what) {
  const std::vector<T> expected = expected_storage<T>(src, dst);
  copy(src, dst);
  EXPECT_EQ(storage, expected) << what;
}

TEST(Copy, GathersTheExamplesOfANonContiguousTensor) {
  const std::vector<int> storage = counted(100);
  const StridedView<const int> example(storage, {4, 3}, {20, 2}, 22);
  std::vector<int> dense(12);
  copy(example, StridedView<int>(dense, {4, 3}));
  EXPECT_EQ(dense, (std::vector<int>{22, 24, 26, 42, 44, 46, 62, 64, 66, 82, 84, 86}));
}

TEST(Copy, ScattersAndLeavesTheGapsAlone) {
  std::vector<int> storage = counted(100);
  const std::vector<int> ones(30, -1);
  copy(StridedView<const int>(ones, {6, 5}), StridedView<int>(storage, {6, 5}, {10, 1}, 22));
  for (int i = 0; i < 100; ++i) {
    const bool inside = i / 10 >= 2 && i / 10 < 8 && i % 10 >= 2 && i % 10 < 7;
    EXPECT_EQ(storage[static_cast<std::size_t>(i)], inside ? -1 : i);
  }
}

// A type with a copy of its own for whatever is of its namespace.
namespace own {

struct Element {
  int value = 0;
};
int copies = 0;
template <class T>
void copy(const StridedView<T>&, const StridedView<T>&) {
  ++copies;
}

}  // namespace own

// Of two templates that take views the one for two views of one type is the more special.
TEST(Copy, LeavesACallToTheCopyOfTheElementsNamespace) {
  std::vector<own::Element> values(4);
  copy(StridedView<own::Element>(values, {2}), StridedView<own::Element>(values, {2}, {1}, 2));
  EXPECT_EQ(own::copies, 1);
}

// std::copy is a candidate for elements of namespace std, and takes (view, view, options) too.
TEST(Copy, IsFoundWithoutItsNamespace) {
  using Complex = std::complex<float>;
  std::vector<Complex> values{{1, 2}, {3, 4}};
  std::vector<Complex> copies(4);
  const StridedView<Complex> src(values, {2});
  const strided::CopyOptions options;
  copy(src, StridedView<Complex>(copies, {2}), options);
  struct Named : strided::CopyOptions {};
  copy(src, StridedView<Complex>(copies, {2}), Named{});
  copy(src, StridedView<Complex>(copies, {2}, {1}, 2));
  copy(src, StridedView<Complex>(copies, {2}, {1}, 2), {.allow_temporary = false});
  copy(StridedView<const Complex>(src), StridedView<Complex>(copies, {2}), options);
  EXPECT_EQ(copies, (std::vector<Complex>{{1, 2}, {3, 4}, {1, 2}, {3, 4}}));
}

TEST(Copy, TakesAnyStridesOnBothSides) {
  std::vector<int> src = counted(60);
  std::vector<int> dst(120, -1);
  const StridedView<int> from(src, {3, 4, 5});
  const StridedView<int> to(dst, {3, 4, 5}, {-40, 10, 2}, 81);
  expect_copied(dst, from, to, "flipped");
  expect_copied(dst, from.permute({2, 0, 1}), to.permute({2, 0, 1}), "both permuted");
  expect_copied(dst, from.reshape({15, 4}).flip(1), StridedView<int>(dst, {15, 4}, {8, 2}),
                "of another shape");
  expect_copied(dst, from.select(0, 1).broadcast_to({3, 4, 5}), to, "broadcast");
}

TEST(Copy, MovesScalarsAndNothing) {
  std::vector<int> src = counted(4);
  std::vector<int> dst(4, -1);
  copy(StridedView<int>(src, {}, {}, 3), StridedView<int>(dst, {}, {}, 1));
  EXPECT_EQ(dst, (std::vector<int>{-1, 3, -1, -1}));
  copy(StridedView<int>(src, {0, 3}), StridedView<int>(dst, {0, 3}));
  copy(StridedView<int>(), StridedView<int>());
  EXPECT_EQ(dst, (std::vector<int>{-1, 3, -1, -1}));
}

// Signaling NaNs become quiet when they pass through a floating-point register of some machines.
TEST(Copy, MovesBits) {
  const std::vector<std::uint32_t> patterns{0x7FA00001U, 0xFFA12345U, 0x80000000U,
                                            0x7F800000U, 0x00000001U, 0x7FC00000U};
  std::vector<float> src(6);
  for (std::size_t i = 0; i < 6; ++i) std::memcpy(&src[i], &patterns[i], sizeof(float));
  std::vector<float> dst(6);
  copy(StridedView<float>(src, {2, 3}).transpose(0, 1), StridedView<float>(dst, {3, 2}));
  for (std::size_t i = 0; i < 6; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &dst[i], sizeof bits);
    EXPECT_EQ(bits, patterns[i % 2 * 3 + i / 2]);
  }
}

struct Pixel {
  std::uint8_t red, green, blue;
  bool operator==(const Pixel&) const = default;
};

TEST(Copy, MovesElementsOfAnyTriviallyCopyableType) {
  const std::vector<Pixel> pixels{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  std::vector<Pixel> turned(3);
  copy(StridedView<const Pixel>(pixels, {3}).flip(0), StridedView<Pixel>(turned, {3}));
  EXPECT_EQ(turned[0], (Pixel{7, 8, 9}));
  const std::vector<std::complex<double>> waves{{1, 2}, {3, 4}};
  std::vector<std::complex<double>> other(2);
  copy(StridedView<const std::complex<double>>(waves, {2}).flip(0),
       StridedView<std::complex<double>>(other, {2}));
  EXPECT_EQ(other[0], std::complex<double>(3, 4));
  const bool flags[4] = {true, true, false, false};
  bool taken[2] = {};
  copy(StridedView<const bool>(flags, {2}, {2}), StridedView<bool>(taken, {2}));
  EXPECT_TRUE(taken[0] && !taken[1]);
}

TEST(Copy, AssignsElementsOfOtherTypes) {
  std::vector<std::string> words{"a longer string than fits in place", "b", "c", "d", "e", "f"};
  std::vector<std::string> turned(6);
  copy(StridedView<std::string>(words, {2, 3}).transpose(0, 1),
       StridedView<std::string>(turned, {3, 2}));
  EXPECT_EQ(turned, (std::vector<std::string>{words[0], "d", "b", "e", "c", "f"}));
  const StridedView<std::string> view(words, {6});
  copy(view.flip(0), view);  // through a temporary
  EXPECT_EQ(words[0], "f");
  EXPECT_EQ(words[5], "a longer string than fits in place");
  EXPECT_THROWN(copy(view, StridedView<std::string>(words, {6}, {0})), internal_overlap,
                "copy: dst maps more than one index to the same element"
                " (stride[0] is 0); each index needs one of its own");
}

// Types that are assigned are refused, and left alone, as those that are moved.
TEST(Copy, AsksTheSameOfElementsThatAreAssigned) {
  std::vector<std::string> words{"a", "b", "c", "d", "e", "f"};
  const std::vector<std::string> before = words;
  const StridedView<std::string> view(words, {6});
  EXPECT_THROWN(copy(view, view.narrow(0, 0, 5)), shape_mismatch,
                "copy: dst has shape (5,), (6,) is needed; dimension 0 differs");
  EXPECT_THROWN(
      copy(view.flip(0), view, {.allow_temporary = false}), temporary_forbidden,
      std::string("copy: source and destination overlap, the copy needs a temporary of ") +
          std::to_string(6 * sizeof(std::string)) +
          " bytes, and the options forbid one; leave out allow_temporary = false");
  copy(view, view);
  const auto onto_itself = [&](const Layout& src, const Layout& dst) {
    copy(StridedView<std::string>(words, src), StridedView<std::string>(words, dst),
         {.allow_temporary = false});
  };
  onto_itself(Layout({1, 6}, {3, 1}), Layout({1, 6}, {9, 1}));  // strides that nothing depends on
  onto_itself(Layout({2, 3}, {-3, 1}, 3), Layout({2, 3}, {-3, 1}, 3));
  copy(view.narrow(0, 0, 0), view.narrow(0, 3, 0));
  EXPECT_EQ(words, before);
  std::vector<std::string> others(6);
  copy(view, StridedView<std::string>(others, {6}), {.assume_disjoint = true});
  EXPECT_EQ(others, before);
#if STRIDED_DEBUG_CHECKS
  EXPECT_THROWN(copy(view.flip(0), view, {.assume_disjoint = true}), broken_promise,
                "copy: source and destination overlap, and the options promise that they do not; "
                "leave out assume_disjoint");
#endif
}

TEST(Copy, OverlappingStoragesReadEverythingFirst) {
  std::vector<int> storage = counted(100);
  const StridedView<int> all(storage, {10, 10});
  const StridedView<int> line(storage, {100});
  const auto renew = [&] { std::iota(storage.begin(), storage.end(), 0); };
  expect_copied(storage, line.narrow(0, 0, 90), line.narrow(0, 10, 90), "up");
  renew();
  expect_copied(storage, line.narrow(0, 10, 90), line.narrow(0, 0, 90), "down");
  renew();
  expect_copied(storage, line.narrow(0, 0, 99), line.narrow(0, 1, 99), "up by one");
  renew();
  expect_copied(storage, all.narrow(0, 0, 9).narrow(1, 0, 9), all.narrow(0, 1, 9).narrow(1, 1, 9),
                "a block, down and right");
  renew();
  expect_copied(storage, all.narrow(0, 1, 9).narrow(1, 0, 9), all.narrow(0, 0, 9).narrow(1, 1, 9),
                "a block, up and right");
  renew();
  expect_copied(storage, all.transpose(0, 1), all, "transposed in place");
  renew();
  expect_copied(storage, all.flip(0).flip(1), all, "turned in place");
  renew();
  expect_copied(storage, all.select(0, 3).broadcast_to({10, 10}), all, "one of its own rows");
  renew();
  expect_copied(storage, line.slice(0, 0, 50), line.slice(0, 0, kEnd, 2), "spread out");
  renew();
  expect_copied(storage, all, all, "onto itself");
  // The plan turns a loop of the first around; interleaved ones are no shift to walk along.
  std::vector<int> longer = counted(200);
  const StridedView<int> rows(longer, {20, 10});
  expect_copied(longer, rows.narrow(0, 0, 10).flip(1).transpose(0, 1), rows.narrow(0, 5, 10),
                "turned and moved down");
  for (std::int64_t shift = -12; shift <= 12; ++shift) {
    renew();
    expect_copied(storage, StridedView<int>(storage, {3, 5}, {5, 2}, 30),
                  StridedView<int>(storage, {3, 5}, {5, 2}, 30 + shift),
                  "interleaved, by " + std::to_string(shift));
  }
}

template <class T>
void check_lines() {
  std::vector<T> storage(120);
  for (std::size_t i = 0; i < storage.size(); ++i) storage[i] = static_cast<T>(i);
  const std::vector<T> before = storage;
  for (std::int64_t src_stride = -3; src_stride <= 3; ++src_stride) {
    for (const std::int64_t dst_stride : {-3, -2, -1, 1, 2, 3}) {
      for (std::int64_t shift = -18; shift <= 18; ++shift) {
        storage = before;
        expect_copied(storage, StridedView<T>(storage, {7}, {src_stride}, 60),
                      StridedView<T>(storage, {7}, {dst_stride}, 60 + shift),
                      "steps " + std::to_string(src_stride) + " and " + std::to_string(dst_stride) +
                          ", shift " + std::to_string(shift));
      }
    }
  }
}

// Every way in which two short lines of one memory can meet, or just not.
TEST(Copy, OverlappingLinesReadEverythingFirst) {
  check_lines<unsigned char>();
  check_lines<int>();
}

TEST(Copy, CanBeForbiddenATemporary) {
  std::vector<int> storage = counted(100);
  const StridedView<int> all(storage, {10, 10});
  EXPECT_THROWN(copy(all.transpose(0, 1), all, {.allow_temporary = false}), temporary_forbidden,
                "copy: source and destination overlap, the copy needs a temporary of 400 bytes, "
                "and the options forbid one; leave out allow_temporary = false");
  EXPECT_EQ(storage, counted(100));
  // These need none: a shift, nothing to do, interleaved elements.
  const StridedView<int> line(storage, {100});
  copy(line.narrow(0, 0, 99), line.narrow(0, 1, 99), {.allow_temporary = false});
  EXPECT_EQ(storage[99], 98);
  copy(all, all, {.allow_temporary = false});
  copy(line.slice(0, 0, kEnd, 2), line.slice(0, 1, kEnd, 2).flip(0), {.allow_temporary = false});
  EXPECT_EQ(storage[99], storage[0]);
}

TEST(Copy, TakesThePromiseThatNothingOverlaps) {
  std::vector<int> src = counted(6);
  std::vector<int> dst(6);
  copy(StridedView<int>(src, {2, 3}).transpose(0, 1), StridedView<int>(dst, {3, 2}),
       {.assume_disjoint = true});
  EXPECT_EQ(dst, (std::vector<int>{0, 3, 1, 4, 2, 5}));
}

TEST(Copy, FailsBeforeTheFirstWrite) {
  std::vector<int> src(6, -1);
  std::vector<int> dst = counted(9);
  const StridedView<int> from(src, {2, 3});
  EXPECT_THROWN(copy(from, StridedView<int>(dst, {3, 2})), shape_mismatch,
                "copy: dst has shape (3, 2), (2, 3) is needed; dimension 0 differs");
  EXPECT_THROWN(copy(from, StridedView<int>(dst, {6})), shape_mismatch,
                "copy: dst has shape (6,), (2, 3) is needed");
  EXPECT_THROWN(copy(from, StridedView<int>(dst, {2, 3}, {1, 1})), internal_overlap,
                "copy: dst maps more than one index to the same element"
                " (stride[0] is 1, the smaller strides reach 2); each index needs one of its own");
  EXPECT_EQ(try_copy(from, StridedView<int>(dst, {2, 3}, {3, 0})).message(),
            "copy: dst maps more than one index to the same element"
            " (stride[1] is 0); each index needs one of its own");
  EXPECT_EQ(dst, counted(9));
}

TEST(Copy, SourcesMayRepeatElements) {
  std::vector<int> src = counted(5);
  std::vector<int> dst(9);
  copy(StridedView<int>(src, {5}).windows(0, 3, 1), StridedView<int>(dst, {3, 3}));
  EXPECT_EQ(dst, (std::vector<int>{0, 1, 2, 1, 2, 3, 2, 3, 4}));
}

TEST(Copy, TakesThirtyTwoAxes) {
  Dims shape = Dims::filled(32, 1);
  for (int i = 0; i < 10; ++i) shape[i * 3] = 2;
  std::vector<int> src = counted(1024);
  std::vector<int> dst(1024);
  Dims backwards;
  for (std::int64_t i = 32; i-- > 0;) backwards.push_back(i);
  const StridedView<int> from(src, shape);
  const StridedView<int> to(dst, from.permute(backwards).shape());
  const std::vector<int> expected = expected_storage<int>(from.permute(backwards), to);
  copy(from.permute(backwards), to);
  EXPECT_EQ(dst, expected);
  EXPECT_EQ(dst[1], 512);
}

TEST(BitwiseEqual, ComparesShapesAndBits) {
  std::vector<float> a{1, 2, 3, 4, 5, 6};
  std::vector<float> b{1, 4, 2, 5, 3, 6};
  const StridedView<float> left(a, {2, 3});
  const StridedView<const float> right(b, {3, 2});
  EXPECT_TRUE(bitwise_equal(left, right.transpose(0, 1)));
  EXPECT_FALSE(bitwise_equal(left, right));
  EXPECT_FALSE(bitwise_equal(left, StridedView<float>(a, {6})));
  b[5] = 7;
  EXPECT_FALSE(bitwise_equal(left, right.transpose(0, 1)));
}

TEST(BitwiseEqual, KnowsNanAndSignedZero) {
  std::vector<float> nan(2, std::bit_cast<float>(0x7FC00001U));
  EXPECT_TRUE(bitwise_equal(StridedView<float>(nan, {2}), StridedView<float>(nan, {2}).flip(0)));
  std::vector<float> zero{0.0F, -0.0F};
  EXPECT_FALSE(bitwise_equal(StridedView<float>(zero, {1}), StridedView<float>(zero, {1}, {1}, 1)));
}

TEST(BitwiseEqual, EmptyViewsOfOneShapeAreEqual) {
  EXPECT_TRUE(bitwise_equal(StridedView<int>(), StridedView<const int>()));
  std::vector<int> storage(6);
  EXPECT_FALSE(bitwise_equal(StridedView<int>(storage, {0, 3}), StridedView<int>(storage, {3, 0})));
}

}  // namespace
