// What the snippets of docs/ call to show a view.
#pragma once

#include <cstdio>
#include <numeric>
#include <strided/strided.hpp>
#include <vector>

// 0, 1, ... count - 1
inline std::vector<int> counted(int count) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// "(2, 2): 1 2 5 6"
template <class T>
void print(const strided::StridedView<T>& view) {
  std::printf("%s:", to_string(view.shape()).c_str());
  for (const T& element : view) std::printf(" %d", element);
  std::printf("\n");
}

// The sentence that a call ends with.
template <class Call>
void refused(Call call) {
  try {
    call();
    std::printf("accepted\n");
  } catch (const strided::Error& error) {
    std::printf("%s\n", error.what());
  }
}
