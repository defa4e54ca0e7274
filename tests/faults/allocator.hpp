// The global operator new of this program counts, and fails when it is told to.
#pragma once

#include <cstdint>

namespace strided_test {

// Blocks that were allocated and not given back.
[[nodiscard]] std::int64_t live_allocations();

// While one exists, allocation number `first` fails, counted from 1, and with `all_after` every
// later one too.
class FailingAllocations {
 public:
  FailingAllocations(std::int64_t first, bool all_after);
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;
  ~FailingAllocations();

  [[nodiscard]] std::int64_t made() const;  // asked for since, failed ones included
  [[nodiscard]] std::int64_t failed() const;
};

}  // namespace strided_test
