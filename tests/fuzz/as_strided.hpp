// as_strided of any numbers: the check of the parameters at any size, and the three forms on real
// memory; the library against the reference, refusals included.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "fuzz/strided_slice.hpp"
#include "strided/core/rules.hpp"
#include "strided/ops/as_strided.hpp"
#include "strided/reference/as_strided.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/slice.hpp"
#include "strided/view/strided_view.hpp"

namespace strided_test {

inline std::string describe_param(const strided::AsStridedParam& param, strided::Rules rules) {
  return "size " + to_string(param.size) + " stride " + to_string(param.stride) + " offset " +
         to_string(param.offset) + ", rules " + std::to_string(static_cast<int>(rules));
}

// Numbers alone, over a storage of any length.
inline void check_as_strided_numbers(FuzzInput& input, strided::Rules rules) {
  const auto rank = static_cast<std::size_t>(input.between(0, input.rare() ? 32 : 9));
  strided::AsStridedParam param;
  param.size = input.numbers(rank);
  param.stride = input.numbers(input.rare() ? rank / 2 : rank);
  param.offset.push_back(input.number());
  const std::int64_t have = input.number() & strided::kInt64Max;
  const auto what = [&] { return describe_param(param, rules) + " over " + std::to_string(have); };
  const auto layout =
      strided::try_as_strided(have, param.size, param.stride, param.offset[0], rules);
  const strided::Failure golden = strided::reference::detail::check_as_strided(
      param.size, param.stride, param.offset, have, rules);
  FUZZ_EXPECT(fuzz_code_of(layout) == golden.code,
              what() + ": " + layout.message() + "; reference: " + golden.message());
  if (layout) expect_sound(*layout, {0, have - 1}, what);
}

template <class T>
void check_as_strided_forms(FuzzInput& input, strided::Rules rules) {
  using strided::ErrorCode;
  using strided::Layout;
  using strided::StridedView;
  constexpr std::int64_t kMostElements = 2048;
  const Layout x = input.layout(input.shape(kMostElements / 4, 4), kMostElements);
  strided::AsStridedParam param;
  const strided::Dims y_shape = input.shape(kMostElements, 4);
  param.size = y_shape;
  if (input.rare() && !param.size.empty()) param.size[0] = input.number();
  param.stride = input.numbers(input.rare() ? y_shape.size() / 2 : y_shape.size());
  param.offset = input.numbers(input.rare() ? static_cast<std::size_t>(input.between(0, 2)) : 1);
  const Layout y = input.layout(y_shape, 2 * kMostElements);
  const bool in_one_memory = input.flag();
  const std::int64_t spare = input.between(0, 3);
  const auto what = [&] {
    return "x " + describe_layout(x) + " y " + describe_layout(y) +
           (in_one_memory ? " in one memory, " : ", ") + describe_param(param, rules);
  };

  // Of x, of which nothing changes unless y lies in it too, one for each path.
  const std::int64_t x_elements = extent_of(x) + spare;
  const std::int64_t most = in_one_memory && extent_of(y) > x_elements ? extent_of(y) : x_elements;
  FuzzArray<T> x_engine(most, 1);
  FuzzArray<T> x_reference(most, 1);
  FuzzArray<T> y_engine(extent_of(y), 2);
  FuzzArray<T> y_reference(extent_of(y), 2);
  const auto target = [&](FuzzArray<T>& with_x, FuzzArray<T>& alone) {
    return StridedView<T>(in_one_memory ? with_x.elements : alone.elements, y);
  };

  const ErrorCode code = fuzz_code_of(strided::try_as_strided_copy(
      StridedView<T>(x_engine.elements, x), param, target(x_engine, y_engine), rules));
  const ErrorCode expected = fuzz_code_of([&] {
    strided::reference::as_strided_copy(StridedView<T>(x_reference.elements, x), param,
                                        target(x_reference, y_reference), rules);
  });
  FUZZ_EXPECT(code == expected,
              what() + ": " + describe_code(code) + ", reference " + describe_code(expected));
  FUZZ_EXPECT(x_engine.elements == x_reference.elements, what());
  FUZZ_EXPECT(y_engine.elements == y_reference.elements, what());
  FUZZ_EXPECT(code == ErrorCode::ok || !(x_engine.changed() || y_engine.changed()), what());
  FUZZ_EXPECT(in_one_memory || !x_engine.changed(), what());
  if (param.offset.size() != 1) return;

  const std::int64_t offset = param.offset[0];
  StridedView<T> view;
  StridedView<T> golden;
  const StridedView<T> storage(x_engine.elements, x);
  const ErrorCode viewed = fuzz_code_of(
      [&] { view = strided::as_strided(storage, param.size, param.stride, offset, rules); });
  const ErrorCode view_expected = fuzz_code_of([&] {
    golden = strided::reference::as_strided(storage, param.size, param.stride, offset, rules);
  });
  FUZZ_EXPECT(viewed == view_expected, what() + ": " + describe_code(viewed) + ", reference " +
                                           describe_code(view_expected));
  FUZZ_EXPECT(same_elements(view.layout(), golden.layout()), what());
  expect_sound(view.layout(), {0, most - 1}, what);

  // The scattering form: y is what is written, x where it goes.
  FuzzArray<T> into_engine(most, 3);
  FuzzArray<T> into_reference(most, 3);
  const ErrorCode scattered = fuzz_code_of(
      strided::try_as_strided_scatter(StridedView<T>(into_engine.elements, x), param.size,
                                      param.stride, offset, target(into_engine, y_engine), rules));
  const ErrorCode scatter_expected = fuzz_code_of([&] {
    strided::reference::as_strided_scatter(StridedView<T>(into_reference.elements, x), param.size,
                                           param.stride, offset, target(into_reference, y_engine),
                                           rules);
  });
  FUZZ_EXPECT(scattered == scatter_expected, what() + ": scatter: " + describe_code(scattered) +
                                                 ", reference " + describe_code(scatter_expected));
  FUZZ_EXPECT(into_engine.elements == into_reference.elements, what());
  FUZZ_EXPECT(scattered == ErrorCode::ok || !into_engine.changed(), what());
}

inline void fuzz_as_strided(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  const strided::Rules rules = fuzz_rules(input);
  const std::int64_t kind = input.between(0, 3);
  if (kind == 3) check_as_strided_numbers(input, rules);
  if (kind == 2) check_as_strided_forms<std::array<std::uint8_t, 5>>(input, rules);
  if (kind <= 1) check_as_strided_forms<std::uint32_t>(input, rules);
}

}  // namespace strided_test
