// Failure: an error as a plain value, made without allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/core/dims.hpp"
#include "strided/core/error.hpp"

namespace strided::inline STRIDED_ABI {

// What failed, as a message tells it. For shape_mismatch, `given` and `needed` are the two shapes;
// for needs_copy, `given` is the view's; for index_out_of_range, `needed` is the least and the most
// that would do; for out_of_bounds the strides that would, where those given seem to count bytes.
// `against` is what it is held against where the code leaves that open: what has too few elements
// or dimensions (out_of_bounds, too_many_entries), what exceeds the limit (overflow), what would do
// (unsupported, internal_overlap, out_of_memory, shape_mismatch of a copy), what `axis` counts if
// not the entries of a list (index_out_of_range), whose length it is (length_mismatch; a `value` of
// -1 is no list at all), which rule set or mapping has the limit (ranks, sizes, strides and shapes;
// any if empty). All texts are string literals.
struct Failure {
  ErrorCode code = ErrorCode::ok;  // the kind of fault
  const char* subject = "";        // the list or object it is about
  std::int64_t axis = -1;          // the position in it; -1: none
  std::int64_t value = 0;          // the offending number
  std::int64_t limit = 0;          // the limit it broke
  Dims given{};                    // the offending list, if the code has one
  Dims needed{};                   // what would do, if the code has it
  const char* call = "";           // the entry point, named first in the message
  const char* against = "";        // what it is held against, if the code leaves that open
  bool proven = true;              // false: an overlap that could not be ruled out

  // True when something failed: `if (Failure failure = check(...)) return failure;`
  [[nodiscard]] constexpr explicit operator bool() const noexcept { return code != ErrorCode::ok; }

  // The same failure, told of the entry point `name` (kept if one is named already).
  [[nodiscard]] constexpr Failure in(const char* name) const noexcept {
    Failure told = *this;
    if (*told.call == '\0') told.call = name;
    return told;
  }

  // The failure of a copy that the entry point `name` makes; its destination is `destination`
  // there.
  [[nodiscard]] constexpr Failure of_copy_in(const char* name,
                                             const char* destination) const noexcept {
    Failure told = *this;
    told.call = name;
    if (told.code == ErrorCode::internal_overlap) told.subject = destination;
    return told;
  }

  // The same failure with `against` told.
  [[nodiscard]] constexpr Failure held_against(const char* what) const noexcept {
    Failure told = *this;
    told.against = what;
    return told;
  }

  // One sentence: "as_strided: stride[0] is -1, it must be at least 0".
  [[nodiscard]] inline std::string message() const;
};

namespace detail {

// Two shapes that must be equal and are not, told of the first dimension that differs if there are
// as many.
[[nodiscard]] constexpr Failure shape_mismatch(const char* subject, const Dims& given,
                                               const Dims& needed) noexcept {
  Failure failure{ErrorCode::shape_mismatch, subject, -1, 0, 0, given, needed};
  for (std::size_t i = 0; i < given.size() && given.size() == needed.size(); ++i) {
    if (given[i] == needed[i]) continue;
    failure.axis = static_cast<std::int64_t>(i);
    break;
  }
  return failure;
}

}  // namespace detail

}  // namespace strided::inline STRIDED_ABI
