// The temporary of copies that cannot write what they read at once, and when a copy needs one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "strided/core/checked_math.hpp"
#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/core/failure.hpp"
#include "strided/core/rules.hpp"
#include "strided/view/footprint.hpp"

namespace strided::inline STRIDED_ABI::engine {

// Bytes for the length of a copy; empty where there is no memory.
class Temporary {
 public:
  explicit Temporary(std::int64_t bytes) noexcept
      : data_(detail::fits_memory(bytes) ? new (std::nothrow)
                                               std::byte[static_cast<std::size_t>(bytes)]
                                         : nullptr) {}
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() { delete[] data_; }

  [[nodiscard]] std::byte* data() const noexcept { return data_; }

 private:
  std::byte* data_;
};

// Of a copy for whose temporary there is no memory.
[[nodiscard]] constexpr Failure no_temporary(std::int64_t bytes) noexcept {
  return Failure{ErrorCode::out_of_memory, "a temporary", -1, bytes}.held_against(
      "a destination that does not overlap the source needs none");
}

// May elements be written before all are read? Where it could not be told whether the sides meet,
// the caller's promise counts.
[[nodiscard]] constexpr bool written_as_read(detail::Found meet,
                                             const CopyOptions& options) noexcept {
  return meet == detail::Found::no || (options.assume_disjoint && meet == detail::Found::unknown);
}

// Of a copy of sides that meet, or might, which needs a temporary and may have none.
[[nodiscard]] constexpr Failure check_temporary(std::int64_t bytes, detail::Found meet,
                                                const CopyOptions& options) noexcept {
  if (options.assume_disjoint) return Failure{ErrorCode::broken_promise, "copy"};
  if (options.allow_temporary) return {};
  Failure failure{ErrorCode::temporary_forbidden, "copy", -1, bytes};
  failure.proven = meet == detail::Found::yes;
  return failure;
}

}  // namespace strided::inline STRIDED_ABI::engine
