// What MPI's calls return, as failures, and the throwing of them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "strided/core/config.hpp"
#include "strided/core/error.hpp"
#include "strided/core/result.hpp"

namespace strided::inline STRIDED_ABI::detail {

// `code` as returned by the MPI function of the name `function`.
[[nodiscard]] inline Failure mpi_failure(int code, const char* function) noexcept {
  if (code == MPI_SUCCESS) return {};
  return Failure{ErrorCode::mpi_error, function, -1, code};
}

// Throws the failure, if it is one; MPI knows more of its own than the code.
inline void mpi_raise_if(const Failure& failure) {
  if (failure.code != ErrorCode::mpi_error) return raise_if(failure);
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  std::string message = failure.message();
  if (MPI_Error_string(static_cast<int>(failure.value), text, &length) == MPI_SUCCESS) {
    message.append(": ").append(text, static_cast<std::size_t>(length));
  }
  raise(Error(failure.code, message));
}

// Objects that outlive MPI must not call it: what they hold is gone with it.
[[nodiscard]] inline bool mpi_is_over() noexcept {
  int over = 0;
  return MPI_Finalized(&over) != MPI_SUCCESS || over != 0;
}

}  // namespace strided::inline STRIDED_ABI::detail
