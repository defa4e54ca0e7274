// Runs a call again and again, with another of its allocations failing each time.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <type_traits>

#include "faults/allocator.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"

namespace strided_test {

// How a call ended: what it returned or threw.
struct End {
  strided::ErrorCode code = strided::ErrorCode::ok;
  bool bad_alloc = false;

  friend bool operator==(const End&, const End&) = default;
};

template <class Call, class Scene>
End end_of(Call& call, Scene& scene) {
  try {
    if constexpr (std::is_same_v<decltype(call(scene)), strided::Failure>) {
      return {call(scene).code, false};
    } else {
      call(scene);
      return {};
    }
  } catch (const strided::Error& error) {
    return {error.code(), false};
  } catch (const std::bad_alloc&) {
    return {strided::ErrorCode::ok, true};
  }
}

// What the calls of a test have been through.
struct OutOfMemory {
  std::int64_t calls = 0;
  std::int64_t allocations = 0;  // of the calls, when nothing fails
  std::int64_t failures = 0;     // runs in which at least one allocation failed
  std::int64_t survived = 0;     // those among them that ended as if none had

  // Allocation 1, 2, ... fails, alone and with all after it, until the call asks for no more. Each
  // time it either ends as it does with all memory, or refuses and leaves the scene as it was;
  // nothing leaks. A Scene is made anew for each run; state() tells what must not change.
  template <class Scene, class Call>
  void check(const std::string& what, Call call) {
    SCOPED_TRACE(what);
    Scene untroubled;
    const auto before = untroubled.state();
    const End usual = end_of(call, untroubled);
    EXPECT_FALSE(usual.bad_alloc);
    const auto after = untroubled.state();
    EXPECT_TRUE(usual.code == strided::ErrorCode::ok || before == after);
    ++calls;
    for (const bool all_after : {false, true}) {
      for (std::int64_t k = 1;; ++k) {
        Scene scene;
        const std::int64_t live = live_allocations();
        End end;
        std::int64_t failed = 0;
        std::int64_t made = 0;
        {
          const FailingAllocations failing(k, all_after);
          end = end_of(call, scene);
          failed = failing.failed();
          made = failing.made();
        }
        const std::int64_t live_after = live_allocations();
        SCOPED_TRACE("allocation " + std::to_string(k) +
                     (all_after ? " and all after it fail" : " fails"));
        EXPECT_EQ(live_after, live) << "blocks leak";
        if (end == usual) {
          EXPECT_TRUE(scene.state() == after) << "not all was done";
        } else {
          EXPECT_TRUE(end.bad_alloc || end.code == strided::ErrorCode::out_of_memory ||
                      end.code == strided::ErrorCode::internal_overlap ||
                      end.code == strided::ErrorCode::temporary_forbidden)
              << "code " << static_cast<int>(end.code);
          EXPECT_TRUE(scene.state() == before) << "refused, and yet something changed";
        }
        if (failed == 0) {
          EXPECT_TRUE(end == usual);
          allocations += all_after ? 0 : made;
          break;
        }
        ++failures;
        survived += end == usual ? 1 : 0;
        if (testing::Test::HasFailure()) return;
      }
    }
  }

  void print() const {
    std::printf(
        "%lld calls with %lld allocations: %lld runs with a failing one, %lld of them did "
        "without it\n",
        static_cast<long long>(calls), static_cast<long long>(allocations),
        static_cast<long long>(failures), static_cast<long long>(survived));
  }
};

}  // namespace strided_test
