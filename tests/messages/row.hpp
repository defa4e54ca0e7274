// What the tables of sentences share: a row, and the views that the calls are about.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "strided/core/error.hpp"
#include "strided/view/strided_view.hpp"

namespace strided_test::messages {

using namespace strided;

struct Row {
  ErrorCode code;
  std::function<void()> call;
  std::string sentence;
  bool goes_on = false;  // with words of a system's own, which are not compared
};

// What a row is compared with: the beginning, where the rest is not ours.
[[nodiscard]] inline std::string as_far_as_told(const Row& row, const std::string& what) {
  return row.goes_on ? what.substr(0, row.sentence.size()) : what;
}

// The most bytes between two addresses, and those of the words below.
[[nodiscard]] inline std::string most_bytes() {
  return std::to_string(std::numeric_limits<std::ptrdiff_t>::max());
}
[[nodiscard]] inline std::string word_bytes() {
  return std::to_string(9 * sizeof(std::string));
}

// Discards a value that may not be ignored.
template <class T>
void drop(const T&) {}

alignas(8) inline int storage[100];
inline const StridedView<int> a(storage, {10, 10});
inline const StridedView<const int> v(storage, {6, 5}, {10, 1}, 22);

// Elements that are assigned.
inline std::vector<std::string> words(9, "word");
inline StridedView<std::string> text() {
  return {words, {3, 3}};
}

}  // namespace strided_test::messages
