// One copy: plan, execute, part by part where it is large, and what the options want to know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "array.hpp"
#include "paging.hpp"

namespace strided_npy {

struct TransferOptions {
  std::int64_t memory_bytes = memory_for_parts();  // of the two arrays at a time, about
  bool explain = false;                            // print the plan in words
};

// Copies `source` to `target`; both layouts have one shape. What touches more than memory_bytes is
// copied in parts (parts.hpp): the system is asked for the pages of each before, and the pages of
// mapped arrays are let go after. A terminal on stderr shows how far it is.
void transfer(const Operand& source, const Target& target, std::int64_t item_bytes,
              const TransferOptions& options);

// The bytes of an array in C order, in memory of its own.
[[nodiscard]] std::vector<std::byte> row_major_bytes(const Operand& x, std::int64_t item_bytes);

// Measures the copy against a memcpy of as many bytes, in turns, and says both in GB/s.
[[nodiscard]] std::string time_transfer(const Operand& source, const strided::Layout& target,
                                        std::int64_t item_bytes);

}  // namespace strided_npy
