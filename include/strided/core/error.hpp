// What can go wrong, and the exception that says so.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>

#include "strided/core/config.hpp"

namespace strided::inline STRIDED_ABI {

// One code for each kind of fault. The sentences are in sentence.hpp.
enum class ErrorCode : std::uint8_t {
  ok,                   // no error
  rank_too_large,       // a list longer than the rank limit of the call
  rank_too_small,       // fewer dimensions than the call needs
  length_mismatch,      // lists that belong together differ in length
  negative_size,        // size < 0
  nonpositive_size,     // size < 1 where the rule set wants at least 1
  negative_stride,      // stride < 0 where the rule set wants at least 0
  nonpositive_stride,   // stride < 1 where the rule set wants at least 1
  zero_stride,          // a slice step of 0
  innermost_stride,     // ascend: the last dimension's stride must be 1
  shrink_stride,        // the stride of a shrunk dimension
  stride_mismatch,      // a stride other than the only one a mapping has
  not_nested,           // a stride less than a smaller one times its size
  negative_offset,      // offset < 0 where the rule set wants at least 0
  overflow,             // a count or an offset that does not fit 64 bits, or an index type
  out_of_bounds,        // an element outside the storage
  null_data,            // elements to touch, but no memory
  misaligned,           // an address that is no multiple of alignof(T)
  element_size,         // an element width the engine does not take
  shape_mismatch,       // two shapes that must be equal differ
  axis_out_of_range,    // an axis outside [-rank, rank)
  repeated_axis,        // an axis named twice
  index_out_of_range,   // an index outside its dimension
  size_mismatch,        // sizes that must add up (split) or multiply (reshape) to a number
  not_inferable,        // a size of -1 that reshape cannot infer
  needs_copy,           // the result is not expressible as a view
  not_broadcastable,    // neither equal to the wanted size nor 1
  too_many_entries,     // slice spec: more entries than dimensions
  several_ellipses,     // slice spec: more than one ellipsis bit
  spec_too_long,        // slice spec: more entries than a mask has usable bits
  empty_var,            // ascend: a dimension of size 0
  internal_overlap,     // a destination that maps two indices to one element
  temporary_forbidden,  // overlapping copy that needs a temporary, which the options forbid
  broken_promise,       // the options promise no overlap, and there is one
  out_of_memory,        // the temporary could not be obtained
  file_access,          // interop: a file that cannot be opened, read or written
  file_format,          // interop: a file that is not what it says it is
  unsupported,          // interop: well-formed, but nothing this library can look at
  mpi_error,            // interop: a call of MPI that failed
  too_large_to_draw,    // more cells or elements than a picture can show
};

// Thrown by every throwing form. `what()` names the call, the dimension, the value and the limit.
class Error : public std::invalid_argument {
 public:
  // `message` becomes what().
  Error(ErrorCode code, const std::string& message) : std::invalid_argument(message), code_(code) {}

  // The kind of fault, for programs; what() is for people.
  [[nodiscard]] ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

// Called instead of throwing when exceptions are off; must not return.
using FailureHandler = void (*)(const Error&);

namespace detail {
inline std::atomic<FailureHandler> failure_handler = nullptr;
}  // namespace detail

// Replaces the handler of all threads and returns the one before; null (the default) means
// std::terminate.
inline FailureHandler set_failure_handler(FailureHandler handler) noexcept {
  return detail::failure_handler.exchange(handler);
}

// Throws the error; without exceptions, ends in the handler.
[[noreturn]] inline void raise(const Error& error) {
#if STRIDED_HAS_EXCEPTIONS
  throw error;
#else
  if (const FailureHandler handler = detail::failure_handler) handler(error);
  std::terminate();
#endif
}

}  // namespace strided::inline STRIDED_ABI
