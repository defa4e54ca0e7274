// Handlers of public_reports.jsonl for layouts and view algebra.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/reshape.hpp"
#include "strided/view/strided_view.hpp"
#include "support/operator_reports.hpp"
#include "support/vectors.hpp"

namespace strided_test {

// One step of a chain: its name, then its arguments; null is an open bound of a slice.
inline View apply_step(const View& view, const Json& step) {
  const auto name = step.at(0).get<std::string>();
  const auto number = [&](std::size_t i) { return step.at(i).get<std::int64_t>(); };
  if (name == "permute") return view.permute(to_dims(step.at(1)));
  if (name == "reshape") return view.reshape(to_dims(step.at(1)));
  if (name == "reverse") return view.flip(number(1));
  if (name == "unsqueeze") return view.unsqueeze(number(1));
  if (name == "narrow") return view.narrow(number(1), number(2), number(3));
  if (name == "slice") {
    const bool forward = number(4) > 0;
    const std::int64_t begin =
        step.at(2).is_null() ? (forward ? strided::kBegin : strided::kEnd) : number(2);
    const std::int64_t end =
        step.at(3).is_null() ? (forward ? strided::kEnd : strided::kBegin) : number(3);
    return view.slice(number(1), begin, end, number(4));
  }
  EXPECT_EQ(name, "windows");  // of these sizes along the first axes
  View windows = view;
  for (std::size_t axis = 0; axis < step.at(1).size(); ++axis) {
    windows = windows.windows(static_cast<std::int64_t>(axis),
                              step.at(1).at(axis).get<std::int64_t>(), 1);
  }
  return windows;
}

// Strides count where there is a second element to reach: that of a size-1 axis may be any.
inline void expect_strides(const strided::Layout& layout, const strided::Dims& strides) {
  ASSERT_EQ(layout.strides().size(), strides.size());
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (layout.shape()[i] == 1) continue;
    EXPECT_EQ(layout.strides()[i], strides[i]) << "axis " << i;
  }
}

inline void check_chain_report(const Json& input, const Json& expected) {
  const strided::Layout base = to_layout(input.at("base"));
  std::vector<std::int64_t> storage =
      arange(input.value("storage_numel", base.bounds().highest + 1));
  EXPECT_EQ(code_of([&] {
              View view(storage, base);
              for (const Json& step : input.at("steps")) view = apply_step(view, step);
              EXPECT_EQ(view.shape(), to_dims(expected.at("shape")));
              EXPECT_EQ(view.offset(), expected.at("offset").get<std::int64_t>());
              EXPECT_EQ(view.size(), expected.at("numel").get<std::int64_t>());
              EXPECT_EQ(values_of(view), flatten(expected.at("values")));
              expect_strides(view.layout(), to_dims(expected.at("strides")));
            }),
            expected_code("view_algebra", expected));
}

inline void check_span_report(const Json& input, const Json& expected) {
  const strided::Bounds bounds = to_layout(input).bounds();
  EXPECT_EQ(bounds.lowest, expected.at("lo").get<std::int64_t>());
  EXPECT_EQ(bounds.highest, expected.at("hi").get<std::int64_t>());
  EXPECT_EQ(bounds.highest - bounds.lowest + 1, expected.at("required").get<std::int64_t>());
}

inline void check_numel_report(const Json& input, const Json& expected) {
  EXPECT_EQ(code_of([&] {
              const strided::Layout layout(to_dims(input.at("shape")));
              EXPECT_EQ(layout.size(), expected.at("numel").get<std::int64_t>());
            }),
            expected_code("view_algebra", expected));
}

// "F": column-major, which is row-major with the axes reversed.
inline void check_is_dense_report(const Json& input, const Json& expected) {
  const strided::Layout layout = to_layout(input);
  strided::Dims reversed;
  for (int axis = layout.rank(); axis-- > 0;) reversed.push_back(axis);
  EXPECT_EQ(layout.is_dense(), expected.at("dense").get<bool>());
  EXPECT_EQ(layout.is_contiguous(), expected.at("C").get<bool>());
  EXPECT_EQ(strided::try_permute(layout, reversed).value().is_contiguous(),
            expected.at("F").get<bool>());
}

// "order" lists the axes, the innermost first.
inline void check_is_contiguous_report(const Json& input, const Json& expected) {
  strided::Layout layout = to_layout(input);
  if (input.contains("order")) {
    const std::vector<std::int64_t> order = to_numbers(input.at("order"));
    const std::vector<std::int64_t> outermost_first(order.rbegin(), order.rend());
    layout = strided::try_permute(layout, outermost_first).value();
  }
  EXPECT_EQ(layout.is_contiguous(), expected.at("contiguous").get<bool>());
}

inline void check_collapse_report(const Json& input, const Json& expected) {
  const strided::Layout merged = strided::collapse(to_layout(input));
  EXPECT_EQ(merged.shape(), to_dims(expected.at("shape")));
  EXPECT_EQ(merged.strides(), to_dims(expected.at("strides")));
}

// ggml's list says where each axis goes; ours says where each comes from.
inline void check_ggml_permute_report(const Json& input, const Json& expected) {
  const strided::Layout layout(to_dims(input.at("ne")), to_dims(input.at("nb")));
  const strided::Dims goes_to = to_dims(input.at("axes"));
  strided::Dims comes_from = goes_to;
  for (std::size_t axis = 0; axis < goes_to.size(); ++axis) {
    comes_from[goes_to[axis]] = static_cast<std::int64_t>(axis);
  }
  const strided::Layout permuted = strided::try_permute(layout, comes_from).value();
  EXPECT_EQ(permuted.shape(), to_dims(expected.at("ne")));
  EXPECT_EQ(permuted.strides(), to_dims(expected.at("nb")));
}

// A part of a long axis keeps 64-bit bounds. No memory is needed: these are layouts.
inline void check_partition_report(const Json& input, const Json& expected) {
  const strided::Layout whole({input.at("n").get<std::int64_t>()});
  const std::vector<std::int64_t> bounds = to_numbers(expected.at("bounds"));
  ASSERT_EQ(bounds.size(), input.at("parts").get<std::size_t>() + 1);
  strided::Dims sizes;
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    sizes.push_back(bounds[i] - bounds[i - 1]);
    const strided::Layout part = strided::try_narrow(whole, 0, bounds[i - 1], sizes[i - 1]).value();
    EXPECT_EQ(part.bounds().lowest, bounds[i - 1]);
    EXPECT_EQ(part.bounds().highest, bounds[i] - 1);
  }
  EXPECT_FALSE(strided::check_split(whole, 0, sizes));
}

}  // namespace strided_test
