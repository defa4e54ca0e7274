// The derived datatypes that this program made.
#pragma once

namespace strided_test {

struct CountedTypes {
  long long made = 0;
  long long live = 0;  // not freed
};

[[nodiscard]] CountedTypes counted_types() noexcept;

}  // namespace strided_test
