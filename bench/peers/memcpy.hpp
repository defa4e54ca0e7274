// memcpy of a case's payload: the unit of all figures.
#pragma once

#include <cstddef>
#include <cstring>

#include "timing.hpp"

namespace bench {

[[nodiscard]] inline Timed memcpy_of(const std::byte* from, std::byte* to, std::size_t bytes) {
  return timed([=] { std::memcpy(to, from, bytes); });
}

}  // namespace bench
