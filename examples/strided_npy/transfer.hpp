// One copy: plan, execute, and what the options want to know about it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "array.hpp"

namespace strided_npy {

// Copies `source` to where `target` says in `output`; both layouts have one shape. With `explain`
// the plan is printed in words.
void transfer(const Operand& source, std::span<std::byte> output, const strided::Layout& target,
              std::int64_t item_bytes, bool explain);

// The bytes of an array in C order, in memory of its own.
[[nodiscard]] std::vector<std::byte> row_major_bytes(const Operand& x, std::int64_t item_bytes);

// Measures the copy against a memcpy of as many bytes, in turns, and says both in GB/s.
[[nodiscard]] std::string time_transfer(const Operand& source, const strided::Layout& target,
                                        std::int64_t item_bytes);

}  // namespace strided_npy
