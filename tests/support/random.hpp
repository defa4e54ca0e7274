// Random cases that can be told again: case i of a campaign is made from seed + i, so that a
// failure is reproduced by that seed and one case.
#pragma once

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "strided/engine/dispatch.hpp"

namespace strided_test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // Both ends included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }

  template <class T, std::size_t N>
  const T& pick(const T (&choices)[N]) {
    return choices[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(N) - 1))];
  }

 private:
  std::mt19937_64 engine_;
};

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 0);
}

// Programs that are imitated or have sanitizers may be built to run one usual case in so many.
#if !defined(STRIDED_TEST_ONE_CASE_IN)
#define STRIDED_TEST_ONE_CASE_IN 1
#endif
inline constexpr std::uint64_t kOneCaseIn = STRIDED_TEST_ONE_CASE_IN;

// Runs body(random) for every case of a campaign: `cases` of them, or STRIDED_TEST_CASES, from the
// seed STRIDED_TEST_SEED. Prints what ran; stops at the first failure and prints how to repeat it.
template <class Body>
void run_cases(std::uint64_t cases, Body body) {
  constexpr std::uint64_t kSeed = 20240229;
  const std::uint64_t seed = number_from_environment("STRIDED_TEST_SEED", kSeed);
  cases = number_from_environment("STRIDED_TEST_CASES", cases / kOneCaseIn);
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test->test_suite_name()) + "." + test->name();
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(seed + i);
    body(random);
    if (!testing::Test::HasFailure()) continue;
    ADD_FAILURE() << "repeat with: STRIDED_TEST_SEED=" << seed + i
                  << " STRIDED_TEST_CASES=1 <this program> --gtest_filter=" << name;
    return;
  }
  std::printf("%s: %" PRIu64 " cases, seed %" PRIu64 ", %s\n", name.c_str(), cases, seed,
              to_string(strided::active_isa()));
}

}  // namespace strided_test
