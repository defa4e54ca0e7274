// Elements as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "array.hpp"

namespace strided_npy {

// One element, given as its bytes: "1.5", "-3", "(1+2j)", "True", "'abc'"; raw bytes and records in
// hexadecimal.
[[nodiscard]] std::string value_text(std::span<const std::byte> element,
                                     const strided::NpyDtype& dtype);

// "[[1, 4], [3, 6]]", cut off with "..." after `limit` elements.
[[nodiscard]] std::string values_text(const Operand& x, const strided::NpyDtype& dtype,
                                      std::int64_t limit);

}  // namespace strided_npy
