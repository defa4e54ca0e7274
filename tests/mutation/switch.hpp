// What a planted fault asks before it shows. run.py copies this next to the library's headers and
// makes every marked expression (strided_mutation::on<number>() ? (fault) : (expression)).
#pragma once

#include <cstdlib>

namespace strided_mutation {

// The fault of this process, from the environment; 0 is none. Read before main(), so that the check
// is a load and a comparison, which may be inlined into a function of any instruction set.
inline const int active = [] {
  const char* text = std::getenv("STRIDED_MUTANT");
  return text == nullptr ? 0 : std::atoi(text);
}();

// Never at compile time: what the tests assert there would end the build. Always inlined, since the
// registers of kernels must not cross a call.
template <int Number>
[[nodiscard]] __attribute__((always_inline)) constexpr bool on() noexcept {
  return __builtin_is_constant_evaluated() ? false : active == Number;
}

}  // namespace strided_mutation
