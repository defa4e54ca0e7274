// How a fuzz body says that a property does not hold. A fuzzer ends there, which is what libFuzzer
// waits for; a unit test sets a reporter that counts a failure.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"

namespace strided_test {

using FuzzReporter = void (*)(const char* file, int line, const std::string& what);

inline void print_and_abort(const char* file, int line, const std::string& what) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
  std::abort();
}

inline FuzzReporter fuzz_reporter = &print_and_abort;

// FUZZ_EXPECT(a == b, "what was tried"): the text is made only where it does not hold.
#define FUZZ_EXPECT(condition, ...)                                                                \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      strided_test::fuzz_reporter(__FILE__, __LINE__, std::string(#condition ": ") + __VA_ARGS__); \
    }                                                                                              \
  } while (false)

// The code of a failure, or ok. Every refusal has a sentence.
inline strided::ErrorCode fuzz_code_of(const strided::Failure& failure) {
  FUZZ_EXPECT(!failure.message().empty(), "code " + std::to_string(static_cast<int>(failure.code)));
  return failure.code;
}
template <class T>
strided::ErrorCode fuzz_code_of(const strided::Result<T>& result) {
  return fuzz_code_of(result.error());
}

// What a throwing call ends with.
template <class Call>
  requires requires(Call call) {
    call();
  }
strided::ErrorCode fuzz_code_of(Call call) {
  try {
    call();
  } catch (const strided::Error& error) {
    FUZZ_EXPECT(error.code() != strided::ErrorCode::ok, error.what());
    FUZZ_EXPECT(error.what()[0] != '\0', "an error without a sentence");
    return error.code();
  }
  return strided::ErrorCode::ok;
}

inline std::string describe_code(strided::ErrorCode code) {
  return "code " + std::to_string(static_cast<int>(code));
}

inline std::string describe_layout(const strided::Layout& layout) {
  return "shape " + to_string(layout.shape()) + " strides " + to_string(layout.strides()) +
         " offset " + std::to_string(layout.offset());
}

// Whether two layouts name the same elements in the same order. What empty layouts and axes of one
// element say beside their size does not matter.
inline bool same_elements(const strided::Layout& a, const strided::Layout& b) {
  if (!(a.shape() == b.shape())) return false;
  if (a.empty()) return true;
  bool same = a.offset() == b.offset();
  for (int i = 0; i < a.rank(); ++i) {
    same = same && (a.shape()[i] == 1 || a.strides()[i] == b.strides()[i]);
  }
  return same;
}

// What every layout of the library promises, and that it lies within `outer`; what() says what was
// tried.
template <class What>
void expect_sound(const strided::Layout& layout, const strided::Bounds& outer, const What& what) {
  const auto remade = strided::Layout::try_make(layout.shape(), layout.strides(), layout.offset());
  FUZZ_EXPECT(remade, what() + ": " + describe_layout(layout) + ": " + remade.message());
  if (!remade) return;
  FUZZ_EXPECT(remade->size() == layout.size(), what() + ": " + describe_layout(layout));
  const strided::Bounds bounds = layout.bounds();
  FUZZ_EXPECT(bounds.empty() == layout.empty(), what() + ": " + describe_layout(layout));
  FUZZ_EXPECT(bounds.empty() || (bounds.lowest >= outer.lowest && bounds.highest <= outer.highest),
              what() + ": " + describe_layout(layout) + " leaves [" + std::to_string(outer.lowest) +
                  ", " + std::to_string(outer.highest) + "]");
}

}  // namespace strided_test
