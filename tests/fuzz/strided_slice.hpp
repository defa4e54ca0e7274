// Slice specs of any numbers and masks: on layouts of any size, and as views of and assignments to
// real memory; the library against the reference, refusals included.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "strided/core/rules.hpp"
#include "strided/ops/strided_slice.hpp"
#include "strided/reference/strided_slice.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/slice.hpp"
#include "strided/view/strided_view.hpp"

namespace strided_test {

inline strided::Rules fuzz_rules(FuzzInput& input) {
  static constexpr strided::Rules kRules[] = {strided::Rules::strided, strided::Rules::ascend,
                                              strided::Rules::tensorflow, strided::Rules::torch};
  return kRules[input.between(0, 3)];
}

inline strided::StridedSliceSpec fuzz_spec(FuzzInput& input, std::int64_t rank) {
  const std::int64_t most = rank + 3 < strided::kMaxRank ? rank + 3 : strided::kMaxRank;
  const auto length = static_cast<std::size_t>(input.rare() ? input.between(0, strided::kMaxRank)
                                                            : input.between(0, most));
  strided::StridedSliceSpec spec;
  spec.begin = input.numbers(length);
  spec.end = input.numbers(length);
  spec.strides = input.numbers(length);
  for (std::int64_t& stride : spec.strides) {  // zeros at the end of the input: strides of 1
    stride = stride == strided::kInt64Max ? strided::kInt64Min : stride + 1;
  }
  if (input.rare()) (input.flag() ? spec.end : spec.strides) = input.numbers(length / 2);
  spec.begin_mask = input.mask();
  spec.end_mask = input.mask();
  spec.new_axis_mask = input.flag() ? input.mask() : 0;
  spec.shrink_axis_mask = input.flag() ? input.mask() : 0;
  const std::int64_t ellipsis = input.between(0, 2 * static_cast<std::int64_t>(length));
  if (ellipsis % 2 != 0) spec.ellipsis_mask = std::uint32_t{1} << (ellipsis / 2 % 32);
  if (input.rare()) spec.ellipsis_mask = input.mask();
  return spec;
}

inline std::string describe_spec(const strided::StridedSliceSpec& spec, strided::Rules rules) {
  return "begin " + to_string(spec.begin) + " end " + to_string(spec.end) + " strides " +
         to_string(spec.strides) + " masks " + std::to_string(spec.begin_mask) + " " +
         std::to_string(spec.end_mask) + " ellipsis " + std::to_string(spec.ellipsis_mask) +
         " new " + std::to_string(spec.new_axis_mask) + " shrink " +
         std::to_string(spec.shrink_axis_mask) + ", rules " +
         std::to_string(static_cast<int>(rules));
}

// Numbers alone, so of any size.
inline void check_slice_layout(const strided::Layout& var, const strided::StridedSliceSpec& spec,
                               strided::Rules rules) {
  const auto what = [&] { return describe_layout(var) + ", " + describe_spec(spec, rules); };
  const auto slice = strided::try_strided_slice(var, spec, rules);
  const auto golden = strided::reference::detail::slice_layout(var, spec, rules);
  FUZZ_EXPECT(fuzz_code_of(slice) == golden.error().code,
              what() + ": " + slice.message() + "; reference: " + golden.message());
  if (!slice || !golden) return;
  expect_sound(*slice, var.bounds(), what);
  FUZZ_EXPECT(same_elements(*slice, *golden),
              what() + ": " + describe_layout(*slice) + "; reference: " + describe_layout(*golden));
}

// The shape of the slice, or one that broadcasts to it or hardly fits.
inline strided::Dims fuzz_value_shape(FuzzInput& input, const strided::Dims& slice) {
  strided::Dims shape = slice;
  if (!input.flag()) return shape;
  while (!shape.empty() && input.rare()) shape.erase(0);
  for (std::int64_t& size : shape) {
    const std::int64_t change = input.between(0, 15);
    if (change == 1) size = 1;
    if (change == 2) ++size;
    if (change == 3 && size > 0) --size;
  }
  if (input.rare() && shape.size() < strided::kMaxRank) shape.insert(0, 1);
  return shape;
}

template <class T>
void check_slice_assign(FuzzInput& input, const strided::Layout& var,
                        const strided::StridedSliceSpec& spec, strided::Rules rules) {
  using strided::ErrorCode;
  using strided::Layout;
  using strided::StridedView;
  constexpr std::int64_t kMostElements = 2048;
  const auto slice = strided::try_strided_slice(var, spec, rules);
  strided::Dims shape = fuzz_value_shape(input, slice ? slice->shape() : var.shape());
  std::int64_t elements = 1;
  for (std::int64_t& size : shape) {
    if (size * elements > kMostElements) size = 1;
    elements *= size;
  }
  const Layout value = input.layout(shape, 2 * kMostElements);
  const bool in_one_memory = input.flag();
  const auto what = [&] {
    return "var " + describe_layout(var) + ", value " + describe_layout(value) +
           (in_one_memory ? " in the same memory, " : ", ") + describe_spec(spec, rules);
  };

  const std::int64_t var_elements = extent_of(var);
  const std::int64_t value_elements = extent_of(value);
  const std::int64_t needed =
      in_one_memory && value_elements > var_elements ? value_elements : var_elements;
  FuzzArray<T> by_engine(needed, 1);
  FuzzArray<T> by_reference(needed, 1);
  FuzzArray<T> by_try(needed, 1);
  FuzzArray<T> values(value_elements, 2);
  const auto var_in = [&](FuzzArray<T>& memory) { return StridedView<T>(memory.elements, var); };
  const auto value_in = [&](FuzzArray<T>& memory) {
    return StridedView<T>(in_one_memory ? memory.elements : values.elements, value);
  };

  const ErrorCode expected = fuzz_code_of([&] {
    strided::reference::strided_slice_assign(var_in(by_reference), spec, value_in(by_reference),
                                             rules);
  });
  const ErrorCode code = fuzz_code_of(
      [&] { strided::strided_slice_assign(var_in(by_engine), spec, value_in(by_engine), rules); });
  const ErrorCode tried = fuzz_code_of(
      strided::try_strided_slice_assign(var_in(by_try), spec, value_in(by_try), rules));
  FUZZ_EXPECT(code == expected && tried == expected, what() + ": " + describe_code(code) + ", " +
                                                         describe_code(tried) + ", reference " +
                                                         describe_code(expected));
  FUZZ_EXPECT(by_engine.elements == by_reference.elements, what());
  FUZZ_EXPECT(by_engine.elements == by_try.elements, what());
  FUZZ_EXPECT(code == ErrorCode::ok || !by_engine.changed(), what());

  // The view of the slice shows the elements that the layouts above agree on.
  StridedView<T> view;
  const ErrorCode viewed =
      fuzz_code_of([&] { view = strided::strided_slice(var_in(by_engine), spec, rules); });
  FUZZ_EXPECT(viewed == slice.error().code, what());
  FUZZ_EXPECT(!slice || same_elements(view.layout(), *slice), what());
}

inline void fuzz_strided_slice(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  const strided::Rules rules = fuzz_rules(input);
  if (input.flag()) {
    const auto rank = static_cast<std::size_t>(input.between(0, 9));
    const strided::Dims shape = input.numbers(rank);
    const strided::Dims strides = input.numbers(rank);
    const auto var = strided::Layout::try_make(shape, strides, input.number());
    if (!var) return;
    check_slice_layout(*var, fuzz_spec(input, var->rank()), rules);
    return;
  }
  const strided::Layout var = input.layout(input.shape(2048), 4096);
  const strided::StridedSliceSpec spec = fuzz_spec(input, var.rank());
  check_slice_layout(var, spec, rules);
  if (input.flag()) {
    check_slice_assign<std::uint32_t>(input, var, spec, rules);
  } else {
    check_slice_assign<std::array<std::uint8_t, 3>>(input, var, spec, rules);
  }
}

}  // namespace strided_test
