// tests/data/strided_slice.jsonl and as_strided.jsonl, each row through every form of its operator.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "strided/core/rules.hpp"
#include "strided/view/strided_view.hpp"
#include "support/vectors.hpp"

namespace strided_test {

using View = strided::StridedView<std::int64_t>;

inline strided::StridedSliceSpec to_spec(const Json& row) {
  const auto mask = [&](const char* name) { return row.value(name, std::uint32_t{0}); };
  return {to_dims(row.at("begin")), to_dims(row.at("end")),  to_dims(row.at("strides")),
          mask("begin_mask"),       mask("end_mask"),        mask("ellipsis_mask"),
          mask("new_axis_mask"),    mask("shrink_axis_mask")};
}

// The slice of a row-major arange, and the same slice assigned to.
template <class Path>
void check_slice_row(const Json& row) {
  using strided::ErrorCode;
  using strided::Rules;
  const strided::Dims shape = to_dims(row.at("shape"));
  const strided::StridedSliceSpec spec = to_spec(row);
  std::vector<std::int64_t> storage = arange(product(shape));
  const View var(storage, shape);

  if (row.contains("reason")) {
    const ErrorCode code = to_code("strided_slice", row.at("reason").get<std::string>());
    for (const Rules rules : {Rules::tensorflow, Rules::strided}) {
      EXPECT_EQ(code_of([&] { (void)Path::strided_slice(var, spec, rules); }), code);
      EXPECT_EQ(code_of([&] { Path::strided_slice_assign(var, spec, var, rules); }), code);
    }
    EXPECT_EQ(storage, arange(product(shape)));
    return;
  }

  const strided::Dims out_shape = to_dims(row.at("out_shape"));
  const std::vector<std::int64_t> out = to_numbers(row.at("out"));
  std::vector<std::int64_t> numbers(out.size());
  std::iota(numbers.begin(), numbers.end(), 1000);
  const View value(numbers, out_shape);
  std::vector<std::int64_t> after = arange(product(shape));
  for (std::size_t i = 0; i < out.size(); ++i) {
    after[static_cast<std::size_t>(out[i])] = numbers[i];
  }
  for (const Rules rules : {Rules::tensorflow, Rules::strided}) {
    const View slice = Path::strided_slice(var, spec, rules);
    EXPECT_EQ(slice.shape(), out_shape);
    EXPECT_EQ(values_of(slice), out);
    std::vector<std::int64_t> target = arange(product(shape));
    Path::strided_slice_assign(View(target, shape), spec, value, rules);
    EXPECT_EQ(target, after);
  }
}

// Returns the number of rows that the ascend rules accept too: those must give the same.
template <class Path>
int check_slice_row_as_ascend(const Json& row) {
  if (row.contains("reason")) return 0;
  const strided::Dims shape = to_dims(row.at("shape"));
  const strided::StridedSliceSpec spec = to_spec(row);
  const std::vector<std::int64_t> out = to_numbers(row.at("out"));
  std::vector<std::int64_t> target = arange(product(shape));
  std::vector<std::int64_t> numbers(out.size());
  std::iota(numbers.begin(), numbers.end(), 1000);
  const View value(numbers, to_dims(row.at("out_shape")));
  const strided::ErrorCode code =
      code_of([&] { Path::strided_slice_assign(View(target, shape), spec, value); });
  std::vector<std::int64_t> after = arange(product(shape));
  if (code == strided::ErrorCode::ok) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      after[static_cast<std::size_t>(out[i])] = numbers[i];
    }
  } else {
    using strided::ErrorCode;
    const std::vector<ErrorCode> allowed = {ErrorCode::nonpositive_stride,
                                            ErrorCode::innermost_stride, ErrorCode::shrink_stride,
                                            ErrorCode::rank_too_small, ErrorCode::empty_var};
    EXPECT_TRUE(std::find(allowed.begin(), allowed.end(), code) != allowed.end());
  }
  EXPECT_EQ(target, after);
  return code == strided::ErrorCode::ok ? 1 : 0;
}

template <class Path>
void check_all_slice_rows() {
  const std::vector<Json> rows = read_rows("strided_slice.jsonl");
  int checked = 0;
  int accepted_by_ascend = 0;
  for (const Json& row : rows) {
    SCOPED_TRACE(row.dump());
    check_slice_row<Path>(row);
    accepted_by_ascend += check_slice_row_as_ascend<Path>(row);
    ++checked;
  }
  std::printf("strided_slice.jsonl: %d rows, %d of them legal for ascend too\n", checked,
              accepted_by_ascend);
  EXPECT_EQ(checked, 1000);
  EXPECT_GT(accepted_by_ascend, 100);
}

// A row of PyTorch's as_strided over an arange: the view, the copying form, the scattering form,
// and the Ascend operator, whose rules differ in refusing sizes of 0.
template <class Path>
void check_as_strided_row(const Json& row) {
  using strided::ErrorCode;
  using strided::Rules;
  const strided::Dims size = to_dims(row.at("size"));
  const strided::Dims stride = to_dims(row.at("stride"));
  const auto offset = row.at("offset").get<std::int64_t>();
  const auto count = row.at("storage").get<std::int64_t>();
  const strided::AsStridedParam param{size, stride, strided::Dims{offset}};
  const ErrorCode code = expected_code("as_strided", row);
  std::vector<std::int64_t> storage = arange(count);
  const View x(storage, {count});
  const std::vector<std::int64_t> out =
      code == ErrorCode::ok ? to_numbers(row.at("out")) : std::vector<std::int64_t>();

  std::vector<std::int64_t> copied(static_cast<std::size_t>(product(size)), -1);
  const std::vector<std::int64_t> untouched = copied;
  const View y(copied, size);

  EXPECT_EQ(code_of([&] {
              const View view = Path::as_strided(x, size, stride, offset, Rules::torch);
              EXPECT_EQ(view.shape(), size);
              EXPECT_EQ(values_of(view), out);
            }),
            code);
  EXPECT_EQ(code_of([&] { Path::as_strided_copy(x, param, y, Rules::torch); }), code);
  EXPECT_EQ(copied, code == ErrorCode::ok ? out : untouched);

  copied = untouched;
  const bool has_zero = std::find(size.begin(), size.end(), 0) != size.end();
  const ErrorCode ascend_code = has_zero ? ErrorCode::nonpositive_size : code;
  EXPECT_EQ(code_of([&] { Path::as_strided_copy(x, param, y); }), ascend_code);
  EXPECT_EQ(copied, ascend_code == ErrorCode::ok ? out : untouched);

  std::vector<std::int64_t> numbers(untouched.size());
  std::iota(numbers.begin(), numbers.end(), 1000);
  std::vector<std::int64_t> sorted = out;
  std::sort(sorted.begin(), sorted.end());
  const bool unique = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
  const ErrorCode scatter_code =
      code == ErrorCode::ok && !unique ? ErrorCode::internal_overlap : code;
  std::vector<std::int64_t> after = arange(count);
  if (scatter_code == ErrorCode::ok) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      after[static_cast<std::size_t>(out[i])] = numbers[i];
    }
  }
  EXPECT_EQ(code_of([&] {
              Path::as_strided_scatter(x, size, stride, offset, View(numbers, size), Rules::torch);
            }),
            scatter_code);
  EXPECT_EQ(storage, after);
}

template <class Path>
void check_all_as_strided_rows() {
  const std::vector<Json> rows = read_rows("as_strided.jsonl");
  int checked = 0;
  for (const Json& row : rows) {
    SCOPED_TRACE(row.dump());
    check_as_strided_row<Path>(row);
    ++checked;
  }
  std::printf("as_strided.jsonl: %d rows\n", checked);
  EXPECT_EQ(checked, 800);
}

}  // namespace strided_test
