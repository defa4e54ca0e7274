// Every operator with elements of every kind, by library and reference: the very bits arrive, and
// types that are not trivially copyable are assigned.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "support/element_types.hpp"
#include "support/library_path.hpp"
#include "support/reference_path.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::StridedView;

constexpr std::size_t kElements = 24;

template <class T>
T element(std::size_t k) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::string(k, static_cast<char>('a' + k % 26)) + std::to_string(k);  // short and long
  } else {
    return special_element<T>(k);
  }
}

// The elements 0 .. 23, and a place to put them that holds others.
template <class T>
struct ElementMemory {
  ElementMemory() {
    for (std::size_t k = 0; k < kElements; ++k) put(source[k], element<T>(k));
    for (std::size_t k = 0; k < 2 * kElements; ++k)
      put(target[k], element<T>(kElements + k % kElements));
  }
  static void put(T& place, const T& value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      std::memcpy(static_cast<void*>(&place), static_cast<const void*>(&value), sizeof(T));
    } else {
      place = value;
    }
  }
  // Element `at` of the target must be element `k` of the source, or untouched for k < 0.
  void expect(std::size_t at, std::int64_t k) {
    const T wanted =
        k < 0 ? element<T>(kElements + at % kElements) : element<T>(static_cast<std::size_t>(k));
    EXPECT_TRUE(same_bits(target[at], wanted)) << "element " << at;
  }

  std::array<T, kElements> source{};
  std::array<T, 2 * kElements> target{};
};

template <class Path, class T>
void check_copies() {
  {  // a transpose into every second element, backwards
    ElementMemory<T> memory;
    const StridedView<T> source(memory.source, {4, 6});
    const StridedView<T> target(memory.target, {6, 4}, {-8, 2}, 40);
    Path::copy(source.transpose(0, 1), target);
    for (std::size_t at = 0; at < 2 * kElements; ++at) {
      const std::size_t position = at / 2;
      const std::size_t row = 5 - position / 4;
      const std::size_t column = position % 4;
      memory.expect(at, at % 2 == 0 ? static_cast<std::int64_t>(column * 6 + row) : -1);
    }
    EXPECT_TRUE(strided::reference::bitwise_equal(source.transpose(0, 1), target));
  }
  {  // one run, and a const source
    ElementMemory<T> memory;
    Path::copy(StridedView<const T>(memory.source, {kElements}),
               StridedView<T>(memory.target, {kElements}, {1}, 5));
    for (std::size_t at = 0; at < 2 * kElements; ++at) {
      memory.expect(at, at >= 5 && at < 5 + kElements ? static_cast<std::int64_t>(at) - 5 : -1);
    }
  }
  {  // reversed in place, through a temporary
    ElementMemory<T> memory;
    const StridedView<T> all(memory.source, {kElements});
    Path::copy(all.flip(0), all);
    for (std::size_t k = 0; k < kElements; ++k) {
      EXPECT_TRUE(same_bits(memory.source[k], element<T>(kElements - 1 - k))) << k;
    }
  }
  {  // moved by one within itself
    ElementMemory<T> memory;
    Path::copy(StridedView<T>(memory.source, {kElements - 1}),
               StridedView<T>(memory.source, {kElements - 1}, {1}, 1));
    for (std::size_t k = 0; k < kElements; ++k) {
      EXPECT_TRUE(same_bits(memory.source[k], element<T>(k == 0 ? 0 : k - 1))) << k;
    }
  }
}

template <class Path, class T>
void check_fills() {
  for (std::size_t k = 0; k < 16; ++k) {
    ElementMemory<T> memory;
    // The value is an element of the source; then one of the filled view itself.
    const StridedView<T> target(memory.target, {3, 5}, {7, 1}, 2);
    Path::fill(target, memory.source[k]);
    for (std::size_t at = 0; at < 2 * kElements; ++at) {
      const bool inside = at >= 2 && (at - 2) / 7 < 3 && (at - 2) % 7 < 5;
      memory.expect(at, inside ? static_cast<std::int64_t>(k) : -1);
    }
    const StridedView<T> source(memory.source, {kElements});
    Path::fill(source, memory.source[k]);
    for (std::size_t i = 0; i < kElements; ++i) {
      EXPECT_TRUE(same_bits(memory.source[i], element<T>(k))) << i;
    }
  }
}

template <class Path, class T>
void check_as_strided_copies() {
  {  // the operator's document, "offset is not 0", with x stored by columns
    ElementMemory<T> memory;
    const StridedView<T> x(memory.source, {3, 3}, {1, 3});
    Path::as_strided_copy(x, strided::AsStridedParam{{2, 2}, {2, 3}, {2}},
                          StridedView<T>(memory.target, {2, 2}));
    // Element k of x in row-major order is storage[k / 3 + k % 3 * 3].
    static constexpr std::int64_t kPicked[] = {2, 5, 4, 7};
    for (std::size_t at = 0; at < 2 * kElements; ++at) {
      memory.expect(at, at < 4 ? kPicked[at] / 3 + kPicked[at] % 3 * 3 : -1);
    }
  }
  {  // under the general rules, through the storage
    ElementMemory<T> memory;
    Path::as_strided_copy(StridedView<T>(memory.source, {kElements}),
                          strided::AsStridedParam{{2, 3}, {-5, 2}, {10}},
                          StridedView<T>(memory.target, {2, 3}), strided::Rules::strided);
    static constexpr std::int64_t kPicked[] = {10, 12, 14, 5, 7, 9};
    for (std::size_t at = 0; at < 2 * kElements; ++at) memory.expect(at, at < 6 ? kPicked[at] : -1);
  }
}

template <class Path, class T>
void check_assignments() {
  {
    ElementMemory<T> memory;
    Path::as_strided_scatter(StridedView<T>(memory.target, {2 * kElements}), Dims{2, 3},
                             Dims{10, 3}, 4, StridedView<T>(memory.source, {2, 3}));
    for (std::size_t at = 0; at < 2 * kElements; ++at) {
      std::int64_t k = -1;
      for (std::int64_t i = 0; i < 6; ++i) {
        if (static_cast<std::int64_t>(at) == 4 + i / 3 * 10 + i % 3 * 3) k = i;
      }
      memory.expect(at, k);
    }
  }
  {  // rows 1 and 3, columns 2 to 4
    ElementMemory<T> memory;
    Path::strided_slice_assign(StridedView<T>(memory.target, {4, 6}),
                               strided::StridedSliceSpec{{1, 2}, {4, 5}, {2, 1}},
                               StridedView<T>(memory.source, {2, 3}));
    for (std::size_t at = 0; at < 2 * kElements; ++at) {
      const std::size_t row = at / 6;
      const std::size_t column = at % 6;
      const bool inside = (row == 1 || row == 3) && column >= 2 && column < 5;
      memory.expect(at, inside ? static_cast<std::int64_t>(row / 2 * 3 + column - 2) : -1);
    }
  }
  {  // one element into a reversed slice
    ElementMemory<T> memory;
    Path::strided_slice_assign(
        StridedView<T>(memory.target, {6}), strided::StridedSliceSpec{{4}, {1}, {-1}},
        StridedView<T>(memory.source, Dims{}, Dims{}, 7), strided::Rules::tensorflow);
    for (std::size_t at = 0; at < 2 * kElements; ++at)
      memory.expect(at, at >= 2 && at < 5 ? 7 : -1);
  }
}

template <class T>
class ElementTypes : public testing::Test {};

using Types =
    testing::Types<float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                   std::uint32_t, bool, std::complex<float>, std::complex<double>, Pair, Fp8, Rgb,
#if STRIDED_TEST_HAS_EIGEN
                   Eigen::half, Eigen::bfloat16,
#endif
                   std::string>;
TYPED_TEST_SUITE(ElementTypes, Types);

TYPED_TEST(ElementTypes, CopiesMoveTheBits) {
  check_copies<LibraryPath, TypeParam>();
  check_copies<ReferencePath, TypeParam>();
}

TYPED_TEST(ElementTypes, FillsMoveTheBits) {
  check_fills<LibraryPath, TypeParam>();
  check_fills<ReferencePath, TypeParam>();
}

TYPED_TEST(ElementTypes, AsStridedCopiesMoveTheBits) {
  check_as_strided_copies<LibraryPath, TypeParam>();
  check_as_strided_copies<ReferencePath, TypeParam>();
}

TYPED_TEST(ElementTypes, AssignmentsMoveTheBits) {
  check_assignments<LibraryPath, TypeParam>();
  check_assignments<ReferencePath, TypeParam>();
}

#if STRIDED_TEST_HAS_FLOAT16
// Not in the list above: GCC 12 has the type, and no typeid of it for GoogleTest to print.
TEST(ElementTypesFloat16, EveryOperatorMovesTheBits) {
  const auto check = []<class Path>() {
    check_copies<Path, _Float16>();
    check_fills<Path, _Float16>();
    check_as_strided_copies<Path, _Float16>();
    check_assignments<Path, _Float16>();
  };
  check.operator()<LibraryPath>();
  check.operator()<ReferencePath>();
}
#endif

// Equal bits are equal, NaNs included; one other bit is not, though the numbers be equal.
TEST(ElementBits, BitwiseEqualSeesBitsOnly) {
  ElementMemory<float> memory;
  ElementMemory<float> other;
  const StridedView<float> a(memory.source, {4, 6});
  const StridedView<float> b(other.source, {4, 6});
  EXPECT_TRUE(strided::bitwise_equal(a, b));
  EXPECT_TRUE(strided::reference::bitwise_equal(a, b));
  EXPECT_FALSE(strided::bitwise_equal(a, b.transpose(0, 1)));
  EXPECT_FALSE(strided::reference::bitwise_equal(a, b.transpose(0, 1)));
  EXPECT_FALSE(strided::bitwise_equal(a.transpose(0, 1), b.reshape({6, 4})));
  for (const StridedView<float>& view : {a, b}) strided::fill(view, 0.0F);
  EXPECT_TRUE(strided::bitwise_equal(a, b));
  b(2, 3) = -0.0F;
  EXPECT_FALSE(strided::bitwise_equal(a, b));
  EXPECT_FALSE(strided::reference::bitwise_equal(a, b));
}

}  // namespace
}  // namespace strided_test
