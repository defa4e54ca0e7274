#include "strided/view/strided_view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "support/facts.hpp"

namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::kEnd;
using strided::kInt64Max;
using strided::kInt64Min;
using strided::Layout;
using strided::StridedView;

constexpr std::array<int, 100> counted() {
  std::array<int, 100> values{};
  for (int i = 0; i < 100; ++i) values[static_cast<std::size_t>(i)] = i;
  return values;
}
constexpr std::array<int, 100> kCounted = counted();
using View = StridedView<const int>;

// The two worked examples of a non-contiguous tensor over a 10 x 10 storage.
constexpr View kFirst(kCounted, {6, 5}, {10, 1}, 22);
constexpr View kSecond(kCounted, {4, 3}, {20, 2}, 22);

std::vector<int> values_of(const View& view) {
  return {view.begin(), view.end()};
}

// A view of an array that lives in a function: sanitizers of g++ know its address late.
TEST(StridedView, IsAConstantOverAStaticArray) {
  static constexpr int kFour[] = {1, 2, 3, 4};
  constexpr StridedView<const int> kView(kFour, {2, 2});
  static_assert(kView(1, 0) == 3);
  static_assert(kView.transpose(0, 1)(1, 0) == 2);
  EXPECT_EQ(kView(1, 1), 4);
}

TEST(StridedView, IsDenseInAnyOrderAndDirection) {
  std::vector<int> storage(24);
  const StridedView<int> all(storage, {2, 3, 4});
  EXPECT_TRUE(all.is_dense() && all.permute({2, 0, 1}).flip(1).is_dense());
  EXPECT_FALSE(all.narrow(2, 0, 3).is_dense());
}

TEST(StridedView, FirstExampleOfANonContiguousTensor) {
  EXPECT_FACT(kFirst.rank() == 2 && kFirst.size() == 30 && kFirst.offset() == 22);
  EXPECT_FACT(kFirst.shape() == Dims{6, 5} && kFirst.strides() == Dims{10, 1});
  EXPECT_FACT(kFirst(0, 0) == 22 && kFirst(1, 2) == 34 && kFirst(5, 4) == 76);
  EXPECT_FACT(!kFirst.is_contiguous() && !kFirst.is_dense() && !kFirst.empty());
  for (int row = 2; row < 8; ++row) {
    for (int column = 2; column < 7; ++column) {
      EXPECT_EQ(kFirst(row - 2, column - 2), row * 10 + column);
    }
  }
}

TEST(StridedView, SecondExampleOfANonContiguousTensor) {
  EXPECT_FACT(kSecond(0, 0) == 22 && kSecond(0, 2) == 26 && kSecond(3, 2) == 86);
  EXPECT_EQ(values_of(kSecond), (std::vector<int>{22, 24, 26, 42, 44, 46, 62, 64, 66, 82, 84, 86}));
}

TEST(StridedView, HasNoElementsByDefault) {
  EXPECT_FACT(View().size() == 0 && View().rank() == 1 && View().empty());
  EXPECT_FACT(View().storage().empty());
}

TEST(StridedView, KeepsItsStorage) {
  EXPECT_FACT(kFirst.storage().size() == 100 && kFirst.storage().data() == kCounted.data());
  EXPECT_FACT(kFirst.flip(0).storage().size() == 100);
}

TEST(StridedView, LooksAtAnythingThatConvertsToASpan) {
  int plain[6] = {0, 1, 2, 3, 4, 5};
  std::array<int, 6> array{};
  std::vector<int> vector(6);
  const std::vector<int> fixed(6, 9);
  EXPECT_EQ(StridedView<int>(plain, {2, 3})(1, 2), 5);
  EXPECT_EQ(StridedView<int>(array, {2, 3}).size(), 6);
  EXPECT_EQ(StridedView<int>(vector, {2, 3}).size(), 6);
  EXPECT_EQ(StridedView<int>(std::span<int>(vector), {2, 3}).size(), 6);
  EXPECT_EQ(StridedView<int>(std::span<int, 6>(vector), {2, 3}).size(), 6);
  EXPECT_EQ(View(fixed, {2, 3})(1, 1), 9);
  EXPECT_EQ(View(vector, {2, 3}).size(), 6);
  EXPECT_EQ(View(vector, Layout({2}, {3}, 1))(1), vector[4]);
  EXPECT_FACT(!std::is_constructible_v<StridedView<int>, const std::vector<int>&, Dims>);
  EXPECT_FACT(!std::is_constructible_v<StridedView<float>, std::vector<int>&, Dims>);
}

TEST(StridedView, FindsItsElementTypeFromTheStorage) {
  int plain[6] = {};
  std::vector<float> vector(6);
  const std::array<double, 6> array{};
  std::span<const short> span;
  EXPECT_FACT(std::is_same_v<decltype(StridedView(plain, {2, 3})), StridedView<int>>);
  EXPECT_FACT(std::is_same_v<decltype(StridedView(vector, {2, 3}, {3, 1})), StridedView<float>>);
  EXPECT_FACT(std::is_same_v<decltype(StridedView(array, {2}, {1}, 4)), StridedView<const double>>);
  EXPECT_FACT(std::is_same_v<decltype(StridedView(span, {0})), StridedView<const short>>);
  EXPECT_FACT(std::is_same_v<decltype(StridedView(vector, Layout())), StridedView<float>>);
  EXPECT_FACT(std::is_same_v<decltype(StridedView(kFirst)), View>);
}

TEST(StridedView, ConstIsInTheElementType) {
  std::vector<int> storage(6);
  const StridedView<int> view(storage, {2, 3});
  view(1, 2) = 5;  // a const view of elements that are not
  const View constant = view;
  EXPECT_EQ(constant(1, 2), 5);
  EXPECT_EQ(constant.layout(), view.layout());
  EXPECT_FACT(std::is_convertible_v<StridedView<int>, View>);
  EXPECT_FACT(!std::is_convertible_v<View, StridedView<int>>);
  EXPECT_FACT(!std::is_constructible_v<View, StridedView<short>>);
  EXPECT_FACT(std::is_same_v<View::value_type, int> &&
              std::is_same_v<View::element_type, const int>);
}

struct Base {};
struct Derived : Base {
  int more = 0;
};

TEST(StridedView, DoesNotMistakeElementsForTheirBase) {
  EXPECT_FACT(!std::is_constructible_v<StridedView<Base>, StridedView<Derived>>);
}

TEST(StridedView, MayLookAtPartOfItsStorage) {
  EXPECT_FACT(View(kCounted, {2, 3}).storage().size() == 100);
  EXPECT_FACT(View(kCounted, {})(/* rank 0 */) == 0);
  EXPECT_FACT(View(kCounted, {4}, {-2}, 6)(3) == 0);
  EXPECT_FACT(View(kCounted, {7}, {0}, 99)(6) == 99);
}

TEST(StridedView, ChecksBothEndsAgainstTheStorage) {
  EXPECT_THROWN(View(kCounted, {11, 10}), out_of_bounds,
                "StridedView: the view reaches index 109 of the storage (dimension 0), which has "
                "100 elements: 0 to 99");
  EXPECT_THROWN(View(kCounted, {3}, {-3}, 5), out_of_bounds,
                "StridedView: the view reaches index -1 (dimension 0), before the start of the "
                "storage: the offset is too small by 1");
  EXPECT_THROWN(View(kCounted, {}, {}, kInt64Min), out_of_bounds,
                "StridedView: the view reaches index -9223372036854775808, before the start of the "
                "storage: the offset is too small by 9223372036854775808");
  EXPECT_THROWN(View(kCounted, {2}, {kInt64Max}), out_of_bounds,
                "StridedView: the view reaches index 9223372036854775807 of the storage (dimension "
                "0), which has 100 elements: 0 to 99");
  EXPECT_THROWN(
      View(kCounted, {2, 2}, {kInt64Max, -kInt64Max}), overflow,
      "StridedView: strides[0] is 9223372036854775807, with it an offset no longer fits 64 bits");
  EXPECT_THROWN(View(kCounted, {2, 3}, {1}), length_mismatch,
                "StridedView: strides has 1 entry, 2 are needed, as many as shape has");
}

TEST(StridedView, EmptyViewsNeedNoStorage) {
  EXPECT_FACT(View(std::span<const int>(), {3, 0}).empty());
  EXPECT_FACT(
      View(std::span<const int>(), {0, kInt64Max}, {kInt64Min, kInt64Min}, kInt64Max).empty());
  EXPECT_THROWN(View(std::span<const int>(), {}), null_data,
                "StridedView: storage is null, and there is 1 element to touch; allocate it first");
}

TEST(StridedView, TryMakeDoesNotThrow) {
  EXPECT_FACT(noexcept(View::try_make(std::span<const int>(), Layout())));
  EXPECT_FACT(View::try_make(kCounted, Layout({2, 3}))->size() == 6);
  EXPECT_REFUSED(View::try_make(kCounted, Layout({101})), out_of_bounds,
                 "StridedView: the view reaches index 100 of the storage (dimension 0), which has "
                 "100 elements: 0 to 99");
  EXPECT_REFUSED(View::try_make(kCounted, Layout::try_make({2}, {1, 1})), length_mismatch,
                 "StridedView: strides has 2 entries, 1 is needed, as many as shape has");
}

struct alignas(8) Wide {
  std::int64_t value;
};

TEST(StridedView, RefusesMisalignedStorage) {
  alignas(8) std::byte bytes[64] = {};
  const auto at = [&](std::size_t shift) {  // never dereferenced
    return std::span<const Wide>(reinterpret_cast<const Wide*>(bytes + shift), 2);
  };
  EXPECT_NO_THROW(StridedView<const Wide>(at(8), {2}));
  EXPECT_THROWN(
      StridedView<const Wide>(at(4), {2}), misaligned,
      "StridedView: the address of storage is 4 bytes past a multiple of 8, the alignment "
      "of the element type; copy the bytes to aligned memory first");
  EXPECT_THROWN(StridedView<const Wide>::from_pointer(at(1).data(), {2}), misaligned,
                "StridedView: the address of storage is 1 byte past a multiple of 8, the alignment "
                "of the element type; copy the bytes to aligned memory first");
}

// What a function returns may look at memory that stays: a span, or a class like LLVM's and
// PyTorch's ArrayRef, which says nowhere that it owns nothing.
class ArrayRef {
 public:
  constexpr ArrayRef(const int* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] constexpr const int* data() const { return data_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr const int* begin() const { return data_; }
  [[nodiscard]] constexpr const int* end() const { return data_ + size_; }

 private:
  const int* data_;
  std::size_t size_;
};

template <class Storage>
constexpr bool kTakesTemporary =
    std::is_constructible_v<View, Storage, Dims>&& std::is_constructible_v<
        View, Storage, Dims, Dims, int>&& std::is_constructible_v<View, Storage, Layout>;

TEST(StridedView, TakesWhatLooksAtMemoryByValue) {
  EXPECT_FACT(View(ArrayRef(kCounted.data(), 100), {6, 5}, {10, 1}, 22)(1, 2) == 34);
  EXPECT_FACT(kTakesTemporary<ArrayRef> && kTakesTemporary<std::span<const int>>);
  EXPECT_FACT(kTakesTemporary<std::vector<int>&> && kTakesTemporary<const std::vector<int>&>);
  EXPECT_FACT(!kTakesTemporary<std::vector<int>> && !kTakesTemporary<const std::vector<int>>);
  EXPECT_FACT(!kTakesTemporary<std::array<int, 6>> && !kTakesTemporary<const std::array<int, 6>>);
}

TEST(FromPointer, TakesTheFootprintAsStorage) {
  constexpr View kBackwards = View::from_pointer(kCounted.data() + 50, {3, 4}, {-10, 2});
  EXPECT_FACT(kBackwards(0, 0) == 50 && kBackwards(2, 3) == 36);
  EXPECT_FACT(kBackwards.storage().data() == kCounted.data() + 30);
  EXPECT_FACT(kBackwards.storage().size() == 27 && kBackwards.offset() == 20);
  EXPECT_FACT(View::from_pointer(kCounted.data(), {2, 3})(1, 2) == 5);
  EXPECT_FACT(View::from_pointer(kCounted.data() + 9, {}).storage().size() == 1);
}

// No element may lie outside the address space, however far from the address its strides reach.
TEST(FromPointer, StaysInTheAddressSpace) {
  constexpr auto kMost = std::int64_t{std::numeric_limits<std::ptrdiff_t>::max()};
  constexpr std::uintptr_t kLast = std::numeric_limits<std::uintptr_t>::max();
  const auto reaches = [](std::uintptr_t address, std::int64_t stride) {
    const auto view = StridedView<const char>::try_from_pointer(
        reinterpret_cast<const char*>(address), Layout::try_make({2}, {stride}));
    EXPECT_TRUE(view || view.error().code == ErrorCode::overflow);
    return view.has_value();
  };
  EXPECT_TRUE(reaches(100, -99));
  EXPECT_FALSE(reaches(100, -100));  // address 0 is no address
  EXPECT_TRUE(reaches(kLast - 100, 99));
  EXPECT_FALSE(reaches(kLast - 100, 100));  // its end would be address 0
  EXPECT_TRUE(reaches(100, kMost - 1));
  EXPECT_FALSE(reaches(100, kMost));
  EXPECT_FALSE(reaches(kLast / 2 + 100, kMost - 50));
}

TEST(FromPointer, NeedsNoPointerForAnEmptyView) {
  EXPECT_FACT(View::from_pointer(nullptr, {0, 5}, {kInt64Min, kInt64Max}).empty());
  EXPECT_FACT(View::from_pointer(nullptr, {3, 0}).shape() == Dims{3, 0});
  EXPECT_THROWN(
      View::from_pointer(nullptr, {2, 3}), null_data,
      "StridedView: storage is null, and there are 6 elements to touch; allocate them first");
}

// The pointer is that of the first element, whatever the offset in some other storage.
TEST(FromPointer, TakesNoOffset) {
  constexpr View kView = View(kCounted, {3, 4}, {10, -2}, 46).flip(0);
  constexpr View kAgain =
      View::try_from_pointer(kCounted.data() + kView.offset(), kView.layout()).value();
  EXPECT_FACT(kAgain(0, 0) == kView(0, 0) && kAgain(2, 3) == kView(2, 3));
  EXPECT_FACT(kAgain.storage().data() == kCounted.data() + 40 && kAgain.offset() == 26);
  EXPECT_FACT(View::try_from_pointer(kCounted.data(), Layout::try_make({2}, {1}, kInt64Min))
                  ->storage()
                  .size() == 2);
}

TEST(FromPointer, ComesWithoutExceptionsToo) {
  EXPECT_FACT(
      View::try_from_pointer(kCounted.data() + 5, Layout::try_make({2, 3}, {-3, 1}))->offset() ==
      3);
  EXPECT_REFUSED(View::try_from_pointer(kCounted.data(), Layout::try_make({2, -3}, {3, 1})),
                 negative_size, "StridedView: shape[1] is -3, it must be at least 0");
  EXPECT_REFUSED(View::try_from_pointer(kCounted.data(), Layout::try_make({2}, {kInt64Max / 2})),
                 overflow,
                 "StridedView: the reach of the strides is 4611686018427387903, in bytes it "
                 "exceeds " +
                     std::to_string(std::numeric_limits<std::ptrdiff_t>::max()));
}

TEST(FromPointer, RefusesFootprintsThatNoMemoryHas) {
  constexpr std::int64_t kHalf = std::int64_t{1} << 62;
  const auto code = [](const Dims& shape, const Dims& strides) {
    return static_cast<int>(strided_test::thrown_by([&] {
                              static_cast<void>(View::from_pointer(&kCounted[0], shape, strides));
                            }).code);
  };
  constexpr int kOverflow = static_cast<int>(ErrorCode::overflow);
  EXPECT_EQ(code({2}, {kInt64Max}), kOverflow);
  EXPECT_EQ(code({2}, {-kInt64Max}), kOverflow);
  EXPECT_EQ(code({2}, {kInt64Max / 4}), kOverflow);  // in elements it fits, in bytes it does not
  EXPECT_EQ(code({2, 2}, {kInt64Max, -kInt64Max}), kOverflow);
  EXPECT_EQ(code({2, 2}, {-kHalf, -kHalf}), kOverflow);
}

TEST(StridedView, MembersMakeViewsOfTheSameStorage) {
  EXPECT_FACT(kFirst.permute({1, 0})(4, 5) == 76);
  EXPECT_FACT(kFirst.transpose(0, 1)(1, 2) == 43);
  EXPECT_FACT(kFirst.flip(0)(0, 0) == 72);
  EXPECT_FACT(kFirst.slice(1, 4, 0, -2).shape() == Dims{6, 2});
  EXPECT_FACT(kFirst.slice(0, -1, kEnd)(0, 0) == 72);
  EXPECT_FACT(kFirst.narrow(0, 2, 3)(2, 4) == 66);
  EXPECT_FACT(kFirst.select(0, -1)(4) == 76);
  EXPECT_FACT(kFirst.broadcast_to({3, 6, 5})(2, 1, 2) == 34);
  EXPECT_FACT(kFirst.unsqueeze(0).shape() == Dims{1, 6, 5});
  EXPECT_FACT(kFirst.unsqueeze(0).squeeze().shape() == Dims{6, 5});
  EXPECT_FACT(kFirst.unsqueeze(1).squeeze(1)(5, 4) == 76);
  EXPECT_FACT(kFirst.reshape({2, 3, 5})(1, 2, 4) == 76);
  EXPECT_FACT(kFirst.collapse().shape() == Dims{6, 5});
  EXPECT_FACT(kFirst.windows(1, 3, 2)(5, 1, 2) == 76);
  EXPECT_FACT(kFirst.diagonal(0, 1, -1)(4) == 76);
}

TEST(StridedView, MembersNameThemselvesWhenTheyRefuse) {
  EXPECT_THROWN(kFirst.reshape({30}), needs_copy,
                "reshape: shape (30,) is no view of these strides (dimension 0); copy() to a "
                "contiguous view first");
  EXPECT_THROWN(
      kFirst.select(0, 6), index_out_of_range,
      "select: index is 6, it must be at least -6 and less than 6 (dimension 0 has 6 elements)");
  EXPECT_THROWN(kFirst.diagonal(0, 0), repeated_axis,
                "diagonal: the second axis is 0, an axis named before; each may be named once");
  EXPECT_THROWN(
      kFirst.squeeze(0), size_mismatch,
      "squeeze: dimension 0 has size 6, only a size of 1 can be dropped; select() takes one index");
}

TEST(StridedView, SplitsIntoConsecutivePieces) {
  const std::vector<View> pieces = kFirst.split(0, {1, 0, 3, 2});
  ASSERT_EQ(pieces.size(), 4U);
  EXPECT_EQ(values_of(pieces[0]), (std::vector<int>{22, 23, 24, 25, 26}));
  EXPECT_TRUE(pieces[1].empty());
  EXPECT_EQ(pieces[2](0, 0), 32);
  EXPECT_EQ(pieces[3](1, 4), 76);
  EXPECT_THROWN(kFirst.split(1, {2, 2}), size_mismatch,
                "split: sizes add up to 4, dimension 1 has 5 elements");
}

TEST(StridedView, AtIsAlwaysCheckedAndCountsFromTheEnd) {
  EXPECT_FACT(kFirst.at(1, 2) == 34 && kFirst.at({1, 2}) == 34);
  EXPECT_FACT(kFirst.at(-1, -1) == 76 && kFirst.at(-6, 0U) == 22);
  EXPECT_FACT(View(kCounted, {}, {}, 7).at() == 7);
  EXPECT_THROWN(kFirst.at(6, 0), index_out_of_range,
                "at: index[0] is 6, it must be at least -6 and less than 6");
  EXPECT_THROWN(kFirst.at(0, -6), index_out_of_range,
                "at: index[1] is -6, it must be at least -5 and less than 5");
  EXPECT_THROWN(kFirst.at(0, kInt64Min), index_out_of_range,
                "at: index[1] is -9223372036854775808, it must be at least -5 and less than 5");
  EXPECT_THROWN(kFirst.at(0), length_mismatch,
                "at: the index has 1 entry, 2 are needed, one for each dimension");
  EXPECT_THROWN(kFirst.narrow(0, 0, 0).at(0, 0), index_out_of_range,
                "at: index[0] is 0, and the dimension has 0 elements");
}

// An unsigned number that ran below zero is no way to ask for the last element.
TEST(StridedView, AtTakesNoWrappedUnsignedIndex) {
  EXPECT_THROWN(kFirst.at(std::numeric_limits<std::uint64_t>::max(), 0), index_out_of_range,
                "at: index[0] is 9223372036854775807, it must be at least -6 and less than 6");
}

TEST(StridedView, AxesOfOneElementMayHaveAnyStride) {
  constexpr View kOdd(kCounted, {1, 2, 1}, {kInt64Min, 5, kInt64Max}, 3);
  EXPECT_FACT(kOdd(0, 1, 0) == 8 && kOdd.at(-1, -1, -1) == 8);
  EXPECT_FACT(kOdd.flip(0).flip(2).flip(1)(0, 0, 0) == 8);
  EXPECT_FACT(kOdd.squeeze()(1) == 8 && kOdd.collapse()(1) == 8);
}

TEST(StridedView, TakesThirtyTwoAxes) {
  std::vector<std::int8_t> storage(1 << 16);
  std::iota(storage.begin(), storage.end(), std::int8_t{0});
  Dims shape = Dims::filled(32, 1);
  for (int i = 8; i < 24; ++i) shape[i] = 2;
  const StridedView<std::int8_t> view(storage, shape);
  Dims last = Dims::filled(32, -1);
  EXPECT_EQ(&view.at(last), &storage.back());
  EXPECT_EQ(view.squeeze().rank(), 16);
  EXPECT_EQ(view.reshape({1 << 16}).size(), 1 << 16);
  EXPECT_THROWN(view.windows(0, 1, 1), rank_too_large,
                "windows: shape has 33 entries, at most 32 are allowed");
}

TEST(StridedView, LooksAtElementsOfAnyType) {
  std::vector<std::string> words{"a", "b", "c", "d"};
  const StridedView<std::string> view(words, {2, 2}, {1, 2});
  EXPECT_EQ(view(1, 0), "b");
  bool flags[4] = {false, true, false, true};
  EXPECT_TRUE(StridedView(flags, {2}, {2}, 1)(1));
}

}  // namespace
