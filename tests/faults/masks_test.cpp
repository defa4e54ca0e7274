// Every combination of the five masks, at every position, with the value that fits and with values
// that are off by one: refused, and not an element written.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "strided/reference/reference.hpp"
#include "strided/strided.hpp"
#include "support/vectors.hpp"

namespace strided_test {
namespace {

using strided::Dims;
using strided::ErrorCode;
using strided::Rules;
using strided::StridedSliceSpec;

using Numbers64 = std::vector<std::int64_t>;
using View64 = strided::StridedView<std::int64_t>;

constexpr Rules kSliceRules[] = {Rules::ascend, Rules::tensorflow, Rules::strided};

struct MaskTally {
  std::int64_t specs = 0;
  std::int64_t fitting = 0;
  std::int64_t refused = 0;
  std::int64_t broadcast = 0;  // a value off by one that still broadcasts
};

// Shapes that differ from `shape` by one: a size, or the rank.
std::vector<Dims> off_by_one(const Dims& shape) {
  std::vector<Dims> shapes;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    for (const std::int64_t change : {-1, 1}) {
      Dims other = shape;
      other[i] += change;
      shapes.push_back(other);
    }
    Dims fewer = shape;
    fewer.erase(i);
    shapes.push_back(fewer);
  }
  Dims more = shape;
  more.insert(0, 1);
  shapes.push_back(more);
  more = shape;
  more.push_back(1);
  shapes.push_back(more);
  return shapes;
}

// The same assignment by library and reference, each to a variable of its own.
void check_value(const Dims& var_shape, const StridedSliceSpec& spec, const Dims& value_shape,
                 Rules rules, bool fits, MaskTally& tally) {
  const Numbers64 before = arange(product(var_shape));
  Numbers64 by_library = before;
  Numbers64 by_reference = before;
  Numbers64 numbers(static_cast<std::size_t>(product(value_shape)), -5);
  const Numbers64 value_before = numbers;
  const View64 value(numbers, value_shape);
  const ErrorCode code =
      strided::try_strided_slice_assign(View64(by_library, var_shape), spec, value, rules).code;
  const ErrorCode expected = code_of([&] {
    strided::reference::strided_slice_assign(View64(by_reference, var_shape), spec, value, rules);
  });
  ASSERT_EQ(code, expected);
  ASSERT_EQ(by_library, by_reference);
  ASSERT_EQ(numbers, value_before);
  if (fits) {
    ASSERT_EQ(code, ErrorCode::ok);
    ASSERT_NE(by_library, before);
    ++tally.fitting;
  } else if (code == ErrorCode::ok) {
    ASSERT_NE(rules, Rules::ascend);
    ++tally.broadcast;
  } else {
    ASSERT_EQ(by_library, before);
    ASSERT_TRUE(code == ErrorCode::shape_mismatch || code == ErrorCode::not_broadcastable);
    ++tally.refused;
  }
}

void check_masks(const StridedSliceSpec& spec, MaskTally& tally) {
  const Dims var_shape{4, 5, 6, 7};
  const auto slice = strided::try_strided_slice(strided::Layout(var_shape), spec, Rules::ascend);
  ASSERT_TRUE(slice) << slice.message();
  ++tally.specs;
  for (const Rules rules : kSliceRules) {
    check_value(var_shape, spec, slice->shape(), rules, true, tally);
    for (const Dims& other : off_by_one(slice->shape())) {
      check_value(var_shape, spec, other, rules, false, tally);
    }
  }
}

TEST(Masks, EveryCombinationRefusesValuesOffByOne) {
  MaskTally tally;
  std::uint32_t StridedSliceSpec::*const kMasks[] = {
      &StridedSliceSpec::begin_mask, &StridedSliceSpec::end_mask, &StridedSliceSpec::ellipsis_mask,
      &StridedSliceSpec::new_axis_mask, &StridedSliceSpec::shrink_axis_mask};
  // For each mask no bit, or one of four: position 0 stands for none.
  Dims at = Dims::filled(5, 0);
  for (bool more = true; more;) {
    StridedSliceSpec spec{{1, 1, 1, 1}, {4, 4, 5, 6}, {1, 1, 1, 1}};
    for (std::size_t mask = 0; mask < 5; ++mask) {
      if (at[mask] > 0) spec.*kMasks[mask] = std::uint32_t{1} << (at[mask] - 1);
    }
    check_masks(spec, tally);
    if (HasFailure()) {
      FAIL() << "bits of begin, end, ellipsis, new axis and shrink, counted from 1: "
             << to_string(at);
    }
    more = false;
    for (std::size_t mask = 5; mask-- > 0 && !more;) {
      more = at[mask] < 4;
      at[mask] = more ? at[mask] + 1 : 0;
    }
  }
  std::printf("%lld specs: %lld values fit, %lld off by one are refused, %lld broadcast\n",
              static_cast<long long>(tally.specs), static_cast<long long>(tally.fitting),
              static_cast<long long>(tally.refused), static_cast<long long>(tally.broadcast));
  EXPECT_EQ(tally.specs, 5 * 5 * 5 * 5 * 5);
}

}  // namespace
}  // namespace strided_test
