// Handlers of public_reports.jsonl for the operators; Path is what they run through.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "strided/core/rules.hpp"
#include "strided/view/algebra.hpp"
#include "strided/view/layout.hpp"
#include "strided/view/strided_view.hpp"
#include "support/operator_rows.hpp"
#include "support/vectors.hpp"

namespace strided_test {

inline strided::Rules to_rules(const Json& input) {
  const auto profile = input.at("profile").get<std::string>();
  if (profile == "signed") return strided::Rules::strided;
  if (profile == "torch") return strided::Rules::torch;
  if (profile == "tf") return strided::Rules::tensorflow;
  EXPECT_TRUE(profile == "atb" || profile == "ascend") << profile;
  return strided::Rules::ascend;
}

// {"shape", "strides", "offset"}, where strides default to row-major and the offset to 0.
inline strided::Layout to_layout(const Json& json) {
  const strided::Dims shape = to_dims(json.at("shape"));
  const auto offset = json.value("offset", std::int64_t{0});
  if (!json.contains("strides")) return strided::Layout(shape, offset);
  return strided::Layout(shape, to_dims(json.at("strides")), offset);
}

// The offsets in logical order: the values that a view of an arange shows.
inline std::vector<std::int64_t> offsets_of(const strided::Layout& layout) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t k = 0; k < layout.size(); ++k) offsets.push_back(layout.offset_of_position(k));
  return offsets;
}

template <class Path>
void check_strided_slice_report(const Json& input, const Json& expected) {
  std::vector<std::int64_t> storage = arange(product(to_dims(input.at("shape"))));
  const View x(storage, to_dims(input.at("shape")));
  EXPECT_EQ(code_of([&] {
              const View slice = Path::strided_slice(x, to_spec(input), to_rules(input));
              EXPECT_EQ(slice.shape(), to_dims(expected.at("shape")));
              EXPECT_EQ(values_of(slice), flatten(expected.at("values")));
            }),
            expected_code("strided_slice", expected));
}

// Rows of [begin, end, step], where null is a masked bound.
template <class Path>
void check_slice_table_report(const Json& input, const Json& expected) {
  const auto extent = input.at("n").get<std::int64_t>();
  std::vector<std::int64_t> storage = arange(extent);
  const View x(storage, {extent});
  for (std::size_t i = 0; i < input.at("rows").size(); ++i) {
    const Json& row = input.at("rows").at(i);
    strided::StridedSliceSpec spec{{0}, {0}, {row.at(2).get<std::int64_t>()}};
    if (row.at(0).is_null()) {
      spec.begin_mask = 1;
    } else {
      spec.begin[0] = row.at(0).get<std::int64_t>();
    }
    if (row.at(1).is_null()) {
      spec.end_mask = 1;
    } else {
      spec.end[0] = row.at(1).get<std::int64_t>();
    }
    EXPECT_EQ(values_of(Path::strided_slice(x, spec)), flatten(expected.at("rows").at(i)));
  }
}

// ONNX Slice is Python's rule but for one case: a begin before the first element with a negative
// step clamps to 0 there, and to "before the first" in Python, TensorFlow and here.
template <class Path>
void check_onnx_slice_report(const Json& input, const Json& expected) {
  using strided::ErrorCode;
  const strided::Dims shape = to_dims(input.at("shape"));
  const strided::Dims begin = to_dims(input.at("starts"));
  const strided::Dims end = to_dims(input.at("ends"));
  strided::Dims steps = strided::Dims::filled(begin.size(), 1);
  if (input.contains("steps")) steps = to_dims(input.at("steps"));
  const bool differs = steps[0] < 0 && begin[0] < -shape[0] && end[0] < begin[0];
  const Json onnx_says = {{"shape", {1}}, {"values", {0}}};
  EXPECT_TRUE(!differs || expected == onnx_says);
  const Json ours = {{"shape", {0}}, {"values", Json::array()}};
  const Json& wanted = differs ? ours : expected;

  strided::Layout layout(shape);
  EXPECT_EQ(code_of([&] {
              for (std::size_t i = 0; i < begin.size(); ++i) {
                const std::int64_t axis = input.contains("axes")
                                              ? input.at("axes").at(i).get<std::int64_t>()
                                              : static_cast<std::int64_t>(i);
                layout = strided::try_slice(layout, axis, begin[i], end[i], steps[i]).value();
              }
              EXPECT_EQ(layout.shape(), to_dims(wanted.at("shape")));
              if (wanted.contains("values")) {
                EXPECT_EQ(offsets_of(layout), flatten(wanted.at("values")));
              }
            }),
            expected_code("strided_slice", wanted));

  constexpr std::int64_t kMaxElements = 100000;
  if (input.contains("axes") || product(shape) > kMaxElements) return;
  std::vector<std::int64_t> storage = arange(product(shape));
  const View slice =
      Path::strided_slice(View(storage, shape), strided::StridedSliceSpec{begin, end, steps});
  EXPECT_EQ(slice.shape(), layout.shape());
  EXPECT_EQ(values_of(slice), offsets_of(layout));
}

template <class Path>
void check_slice_assign_report(const Json& input, const Json& expected) {
  const strided::Dims shape = to_dims(input.at("shape"));
  std::vector<std::int64_t> storage =
      input.contains("var") ? flatten(input.at("var")) : arange(product(shape));
  const std::vector<std::int64_t> before = storage;
  std::vector<std::int64_t> numbers = flatten(input.at("value"));
  const View var(storage, shape);
  const View value(numbers, to_dims(input.at("value_shape")));
  const strided::ErrorCode code = expected_code("strided_slice_assign", expected);
  EXPECT_EQ(
      code_of([&] { Path::strided_slice_assign(var, to_spec(input), value, to_rules(input)); }),
      code);
  EXPECT_EQ(storage, code == strided::ErrorCode::ok ? flatten(expected.at("var_after")) : before);
  if (code != strided::ErrorCode::ok) return;
  const View slice = Path::strided_slice(var, to_spec(input), to_rules(input));
  EXPECT_EQ(slice.shape(), to_dims(expected.at("slice_shape")));
}

template <class Path>
void check_as_strided_report(const Json& input, const Json& expected) {
  using strided::ErrorCode;
  const bool operator_form = input.at("offset").is_array();
  const auto count = input.at(operator_form ? "x_numel" : "storage_numel").get<std::int64_t>();
  std::vector<std::int64_t> storage =
      input.contains("x_values") ? flatten(input.at("x_values")) : arange(count);
  const View x(storage, {count});
  const strided::Dims size = to_dims(input.at("size"));
  const strided::Dims stride = to_dims(input.at("stride"));
  const strided::Rules rules = to_rules(input);
  const ErrorCode code = expected_code("as_strided", expected);
  const strided::AsStridedParam param{size, stride,
                                      operator_form
                                          ? to_dims(input.at("offset"))
                                          : strided::Dims{input.at("offset").get<std::int64_t>()}};
  const strided::Dims y_shape = code == ErrorCode::ok ? size : strided::Dims{};
  std::vector<std::int64_t> copied(static_cast<std::size_t>(product(y_shape)), -1);
  const View y(copied, y_shape);
  EXPECT_EQ(code_of([&] { Path::as_strided_copy(x, param, y, rules); }), code);
  EXPECT_EQ(copied, code == ErrorCode::ok ? flatten(expected.at("values"))
                                          : std::vector<std::int64_t>(copied.size(), -1));
  if (param.offset.size() != 1) return;

  EXPECT_EQ(code_of([&] {
              const View view = Path::as_strided(x, size, stride, param.offset[0], rules);
              EXPECT_EQ(view.shape(), to_dims(expected.at("shape")));
              EXPECT_EQ(view.strides(), to_dims(expected.at("strides")));
              EXPECT_EQ(view.offset(), expected.at("offset").get<std::int64_t>());
              EXPECT_EQ(values_of(view), flatten(expected.at("values")));
              EXPECT_EQ(Path::has_internal_overlap(view),
                        expected.at("internal_overlap").get<bool>());
            }),
            code);
}

template <class Path>
void check_copy_report(const Json& input, const Json& expected) {
  const bool same_storage = input.value("same_storage", false);
  std::vector<std::int64_t> storage =
      to_storage(input.at(same_storage ? "storage" : "dst_storage"));
  std::vector<std::int64_t> other =
      same_storage ? std::vector<std::int64_t>() : to_storage(input.at("src_storage"));
  const std::vector<std::int64_t> before = storage;
  const View source(same_storage ? storage : other, to_layout(input.at("src")));
  const View destination(storage, to_layout(input.at("dst")));
  const strided::ErrorCode code = expected_code("overlap", expected);
  EXPECT_EQ(code_of([&] { Path::copy(source, destination); }), code);
  EXPECT_EQ(storage,
            code == strided::ErrorCode::ok ? to_numbers(expected.at("storage_after")) : before);
  if (!expected.contains("alias")) return;
  const auto alias = expected.at("alias").get<std::string>();
  EXPECT_TRUE(alias == "none" || alias == "partial") << alias;
  EXPECT_EQ(Path::overlaps(source, destination), alias != "none");
}

template <class Path>
void check_fill_report(const Json& input, const Json& expected) {
  std::vector<std::int64_t> storage = to_storage(input.at("storage"));
  const std::vector<std::int64_t> before = storage;
  const View destination(storage, to_layout(input.at("dst")));
  const strided::FillOptions options{input.value("allow_internal_overlap", false)};
  const strided::ErrorCode code = expected_code("overlap", expected);
  EXPECT_EQ(
      code_of([&] { Path::fill(destination, input.at("value").get<std::int64_t>(), options); }),
      code);
  EXPECT_EQ(storage,
            code == strided::ErrorCode::ok ? to_numbers(expected.at("storage_after")) : before);
}

// A storage that holds all the layouts of a row.
inline std::vector<std::int64_t> storage_for(const strided::Bounds& bounds) {
  return arange(bounds.highest + 1);
}

template <class Path>
void check_internal_overlap_report(const Json& input, const Json& expected) {
  const strided::Layout layout = to_layout(input);
  std::vector<std::int64_t> storage = storage_for(layout.bounds());
  EXPECT_EQ(Path::has_internal_overlap(View(storage, layout)), expected.at("overlap").get<bool>());
}

template <class Path>
void check_overlap_report(const Json& input, const Json& expected) {
  const strided::Layout a = to_layout(input.at("a"));
  const strided::Layout b = to_layout(input.at("b"));
  std::vector<std::int64_t> storage =
      storage_for({0, std::max(a.bounds().highest, b.bounds().highest)});
  EXPECT_EQ(Path::overlaps(View(storage, a), View(storage, b)), expected.at("overlap").get<bool>());
  const bool bounds_overlap =
      a.bounds().lowest <= b.bounds().highest && b.bounds().lowest <= a.bounds().highest;
  EXPECT_EQ(bounds_overlap, expected.at("bounds_overlap").get<bool>());
}

}  // namespace strided_test
