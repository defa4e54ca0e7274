// first, first + 1, first + 2 ...: memory whose elements tell where they came from.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace strided_test {

inline std::vector<int> counted(std::size_t count, int first = 0) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

}  // namespace strided_test
