// Calls whose memory ends, by the allocator of tests/faults.
#pragma once

#include <cstdint>
#include <new>

#include "faults/allocator.hpp"
#include "strided/core/result.hpp"

namespace strided_test::messages {

// Raises what `call`, which returns its failure, says when its first allocation fails.
template <class Call>
void raise_without_memory(const Call& call) {
  strided::Failure failure;
  {
    const FailingAllocations failing(1, false);
    failure = call();
  }
  strided::raise_if(failure);
}

// Fails each allocation of a call that throws, until one is refused in the library's own words.
template <class Call>
void throw_without_memory(const Call& call) {
  for (std::int64_t k = 1;; ++k) {
    const FailingAllocations failing(k, false);
    try {
      call();
    } catch (const std::bad_alloc&) {
    }
    if (failing.failed() == 0) return;
  }
}

}  // namespace strided_test::messages
