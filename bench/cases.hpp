// The benchmark cases of cases.txt: dst[i] = src[i] over a shape, for elements of a given width.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

// Strides, offsets and storage sizes count elements.
struct Case {
  std::string name;
  std::int64_t element_bytes = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> src_strides;
  std::vector<std::int64_t> dst_strides;
  std::int64_t src_offset = 0;
  std::int64_t dst_offset = 0;
  std::int64_t src_elements = 0;
  std::int64_t dst_elements = 0;

  [[nodiscard]] std::int64_t payload_bytes() const {
    return std::accumulate(shape.begin(), shape.end(), element_bytes, std::multiplies<>());
  }
  [[nodiscard]] std::size_t src_bytes() const {
    return static_cast<std::size_t>(src_elements * element_bytes);
  }
  [[nodiscard]] std::size_t dst_bytes() const {
    return static_cast<std::size_t>(dst_elements * element_bytes);
  }
};

// A case a line: name, element bytes, rank, shape, source strides, destination strides, source
// offset, destination offset, source elements, destination elements.
inline Case parse_case(const std::string& line) {
  std::istringstream words(line);
  Case parsed;
  std::size_t rank = 0;
  words >> parsed.name >> parsed.element_bytes >> rank;
  for (auto* list : {&parsed.shape, &parsed.src_strides, &parsed.dst_strides}) {
    list->resize(rank);
    for (std::int64_t& value : *list) words >> value;
  }
  words >> parsed.src_offset >> parsed.dst_offset >> parsed.src_elements >> parsed.dst_elements;
  if (!words) throw std::runtime_error("not a benchmark case: " + line);
  return parsed;
}

inline std::vector<Case> read_cases(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) cases.push_back(parse_case(line));
  return cases;
}

// Calls visit(position in the source, position in the destination) for every element, in the
// plainest way: what results are checked against.
template <class Visit>
void for_each_element(const Case& of, Visit visit) {
  std::vector<std::int64_t> index(of.shape.size(), 0);
  std::int64_t src = of.src_offset;
  std::int64_t dst = of.dst_offset;
  while (true) {
    visit(src, dst);
    std::size_t axis = of.shape.size();
    for (; axis > 0; --axis) {
      const std::size_t i = axis - 1;
      src += of.src_strides[i];
      dst += of.dst_strides[i];
      if (++index[i] < of.shape[i]) break;
      src -= of.src_strides[i] * of.shape[i];
      dst -= of.dst_strides[i] * of.shape[i];
      index[i] = 0;
    }
    if (axis == 0) return;
  }
}

// The axes by descending stride, the way they lie in memory.
inline std::vector<std::size_t> memory_order(const std::vector<std::int64_t>& strides) {
  std::vector<std::size_t> axes(strides.size());
  std::iota(axes.begin(), axes.end(), std::size_t{0});
  std::stable_sort(axes.begin(), axes.end(),
                   [&](std::size_t a, std::size_t b) { return strides[a] > strides[b]; });
  return axes;
}

// For a case that permutes the axes of one dense array into another: the axes of the shape in the
// order of the source. Nothing for every other case.
inline std::optional<std::vector<std::size_t>> dense_permutation(const Case& of) {
  if (of.src_offset != 0 || of.dst_offset != 0) return std::nullopt;
  const auto is_dense = [&](const std::vector<std::size_t>& axes,
                            const std::vector<std::int64_t>& strides) {
    std::int64_t expected = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
      if (strides[axes[i]] != expected) return false;
      expected *= of.shape[axes[i]];
    }
    return true;
  };
  std::vector<std::size_t> row_major(of.shape.size());
  std::iota(row_major.begin(), row_major.end(), std::size_t{0});
  const std::vector<std::size_t> src_order = memory_order(of.src_strides);
  if (!is_dense(row_major, of.dst_strides) || !is_dense(src_order, of.src_strides)) {
    return std::nullopt;
  }
  return src_order;
}

}  // namespace bench
