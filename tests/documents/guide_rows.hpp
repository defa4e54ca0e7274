// Runs the rows of the guide's table: each on arrays of its own, and prints what it makes in the
// way that guide_check.py prints what the neighbours make of theirs.
#pragma once

#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>
#include <string>
#include <type_traits>
#include <vector>

// x counts from 0, y is all 0.
struct Sample {
  std::vector<int> counted = std::vector<int>(60);
  std::vector<int> zeros = std::vector<int>(60);
  strided::StridedView<int> x{counted, {3, 4, 5}};
  strided::StridedView<int> y{zeros, {3, 4, 5}};

  Sample() { std::iota(counted.begin(), counted.end(), 0); }
};

template <class T>
std::string text_of(const strided::StridedView<T>& view) {
  std::string text = to_string(view.shape());
  for (const T& element : view) text += " " + std::to_string(element);
  return text;
}
template <class T>
std::string text_of(const std::vector<strided::StridedView<T>>& views) {
  std::string text;
  for (const auto& view : views) text += text_of(view) + "; ";
  return text;
}
inline std::string text_of(const strided::Dims& dims) {
  return to_string(dims);
}
inline std::string text_of(bool value) {
  return value ? "yes" : "no";
}
template <strided::Integer I>
std::string text_of(I value) {
  return std::to_string(value);
}

// A row that returns nothing has written to x or y.
template <class Row>
void report(const char* title, const Sample& sample, const Row& row) {
  if constexpr (std::is_void_v<std::invoke_result_t<Row>>) {
    row();
    std::printf("%s: %s and %s\n", title, text_of(sample.x).c_str(), text_of(sample.y).c_str());
  } else {
    std::printf("%s: %s\n", title, text_of(row()).c_str());
  }
}
