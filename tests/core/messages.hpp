// What the tables of sentences share: a row, and the views that the calls are about.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "strided/strided.hpp"

namespace strided_test::messages {

using namespace strided;

struct Row {
  ErrorCode code;
  std::function<void()> call;
  std::string sentence;
};

// Discards a value that may not be ignored.
template <class T>
void drop(const T&) {}

struct alignas(8) Wide {
  std::int64_t value;
};

alignas(8) inline int storage[100];
inline const StridedView<int> a(storage, {10, 10});
inline const StridedView<const int> v(storage, {6, 5}, {10, 1}, 22);

}  // namespace strided_test::messages
