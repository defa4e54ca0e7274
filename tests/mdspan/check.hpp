// A test of <mdspan> is compiled with the standard library that has it, and GoogleTest with
// another: so this program brings its own checks. A failure prints where and what; the status
// tells.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "strided/core/error.hpp"
#include "strided/core/result.hpp"
#include "strided/view/layout.hpp"

namespace mdspan_test {

// The parts of the program, one a file.
void check_to_mdspan();
void check_from_mdspan();
void check_round_trips();
void check_messages();

struct Count {
  std::int64_t checks = 0;
  std::int64_t failures = 0;
};
inline Count& count() {
  static Count so_far;
  return so_far;
}

inline void check(bool holds, const char* file, int line, const std::string& what) {
  ++count().checks;
  if (holds) return;
  ++count().failures;
  std::printf("%s:%d: %s\n", file, line, what.c_str());
}

inline std::string describe(const strided::Layout& layout) {
  return "shape " + to_string(layout.shape()) + " strides " + to_string(layout.strides()) +
         " offset " + std::to_string(layout.offset());
}

// What a throwing call ends with: its sentence and its code.
template <class Call>
void check_refused(const Call& call, strided::ErrorCode code, const std::string& sentence,
                   const char* file, int line) {
  try {
    call();
  } catch (const strided::Error& error) {
    check(error.code() == code && error.what() == sentence, file, line,
          std::string("refused with: ") + error.what());
    return;
  }
  check(false, file, line, "accepted, not refused with: " + sentence);
}

}  // namespace mdspan_test

#define CHECK(...) mdspan_test::check((__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_TOLD(condition, what) mdspan_test::check(condition, __FILE__, __LINE__, what)
#define CHECK_REFUSED(expression, error_code, sentence)              \
  mdspan_test::check_refused([&] { static_cast<void>(expression); }, \
                             strided::ErrorCode::error_code, sentence, __FILE__, __LINE__)
