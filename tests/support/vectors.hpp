// Reads the vectors of tests/data: one JSON object a line.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"

namespace strided_test {

using Json = nlohmann::json;

inline std::vector<Json> read_rows(const std::string& file) {
  std::ifstream stream(std::string(STRIDED_TEST_DATA_DIR) + "/" + file);
  EXPECT_TRUE(stream.is_open()) << file;
  std::vector<Json> rows;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) rows.push_back(Json::parse(line));
  }
  return rows;
}

inline std::vector<std::int64_t> to_numbers(const Json& list) {
  return list.get<std::vector<std::int64_t>>();
}

inline strided::Dims to_dims(const Json& list) {
  return strided::Dims(to_numbers(list));
}

// The numbers of a nested list of any depth, in order; a bare number is a list of one.
inline std::vector<std::int64_t> flatten(const Json& nested) {
  if (nested.is_number()) return {nested.get<std::int64_t>()};
  std::vector<std::int64_t> flat;
  for (const Json& part : nested) {
    for (std::int64_t number : flatten(part)) flat.push_back(number);
  }
  return flat;
}

inline std::vector<std::int64_t> arange(std::int64_t count) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), std::int64_t{0});
  return values;
}

// A storage is either the list of its values or {"arange": n}.
inline std::vector<std::int64_t> to_storage(const Json& json) {
  return json.is_object() ? arange(json.at("arange").get<std::int64_t>()) : to_numbers(json);
}

// The values a view shows, in logical order.
template <class View>
std::vector<std::int64_t> values_of(const View& view) {
  return std::vector<std::int64_t>(view.begin(), view.end());
}

inline std::int64_t product(const strided::Dims& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// What a call is refused with; ok if it is accepted.
template <class Call>
strided::ErrorCode code_of(Call call) {
  try {
    call();
  } catch (const strided::Error& error) {
    EXPECT_STRNE(error.what(), "");
    return error.code();
  }
  return strided::ErrorCode::ok;
}

// The error names in the vectors are those of their sources; here is what each means to us. A name
// may mean another code in another file or kind.
inline strided::ErrorCode to_code(const std::string& where, const std::string& name) {
  using strided::ErrorCode;
  struct Entry {
    const char* where;
    const char* name;
    ErrorCode code;
  };
  static constexpr Entry kEntries[] = {
      {"as_strided", "bad_offset_rank", ErrorCode::length_mismatch},
      {"as_strided", "negative", ErrorCode::negative_stride},
      {"as_strided", "negative_size", ErrorCode::negative_size},
      {"as_strided", "negative_stride", ErrorCode::negative_stride},
      {"as_strided", "nonpositive_size", ErrorCode::nonpositive_size},
      {"as_strided", "out_of_bounds", ErrorCode::out_of_bounds},
      {"as_strided", "out_of_range", ErrorCode::out_of_bounds},
      {"as_strided", "overflow", ErrorCode::overflow},
      {"as_strided", "rank_mismatch", ErrorCode::length_mismatch},
      {"as_strided", "rank_too_large", ErrorCode::rank_too_large},
      {"interop", "nonpositive_stride", ErrorCode::nonpositive_stride},
      {"interop", "not_nested_unique", ErrorCode::not_nested},
      {"interop", "null_strides", ErrorCode::length_mismatch},
      {"overlap", "internal_overlap", ErrorCode::internal_overlap},
      {"strided_slice", "axis_out_of_range", ErrorCode::axis_out_of_range},
      {"strided_slice", "shrink oob", ErrorCode::index_out_of_range},
      {"strided_slice", "shrink stride", ErrorCode::shrink_stride},
      {"strided_slice", "too many", ErrorCode::too_many_entries},
      {"strided_slice", "zero_stride", ErrorCode::zero_stride},
      {"strided_slice_assign", "empty_var", ErrorCode::empty_var},
      {"strided_slice_assign", "index_out_of_bounds", ErrorCode::index_out_of_range},
      {"strided_slice_assign", "innermost_stride", ErrorCode::innermost_stride},
      {"strided_slice_assign", "nonpositive_stride", ErrorCode::nonpositive_stride},
      {"strided_slice_assign", "spec_too_long", ErrorCode::spec_too_long},
      {"view_algebra", "axis_out_of_range", ErrorCode::axis_out_of_range},
      {"view_algebra", "negative_size", ErrorCode::negative_size},
      {"view_algebra", "out_of_range", ErrorCode::index_out_of_range},
      {"view_algebra", "overflow", ErrorCode::overflow},
  };
  for (const Entry& entry : kEntries) {
    if (where == entry.where && name == entry.name) return entry.code;
  }
  ADD_FAILURE() << "no code for the error name " << name << " of " << where;
  return ErrorCode::ok;
}

inline strided::ErrorCode expected_code(const std::string& where, const Json& expected) {
  if (!expected.contains("error")) return strided::ErrorCode::ok;
  return to_code(where, expected.at("error").get<std::string>());
}

}  // namespace strided_test
