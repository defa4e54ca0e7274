// mpi_send and mpi_recv: views as messages.
#pragma once

#include <mpi.h>

#include "strided/core/config.hpp"
#include "strided/core/result.hpp"
#include "strided/interop/mpi/datatype.hpp"
#include "strided/interop/mpi/error.hpp"
#include "strided/interop/mpi/message.hpp"
#include "strided/view/strided_view.hpp"

namespace strided::inline STRIDED_ABI {

// The failure of mpi_send(), or none, without exceptions.
template <MpiElement T>
[[nodiscard]] Failure try_mpi_send(const StridedView<T>& view, int destination, int tag,
                                   MPI_Comm comm, const MpiOptions& options = {}) {
  constexpr const char* kCall = "mpi_send";
  detail::MpiMessage<const T> message;
  if (Failure failure = message.prepare(view, options)) {
    return failure.of_copy_in(kCall, failure.subject);
  }
  return detail::mpi_failure(
             MPI_Send(message.address, message.count, message.sent_as, destination, tag, comm),
             "MPI_Send")
      .in(kCall);
}

// Sends the elements of a view, in logical order, as MPI_Send does: it returns when the view may be
// written again. The view may overlap itself (windows, broadcasts). Whoever receives view.size()
// elements of the same basic type gets them, with this library or without. Errors: out_of_memory,
// overflow; mpi_error, where the communicator's error handler returns (by default MPI ends the
// process).
//
//   mpi_send(matrix.select(1, 0), 1, 0, MPI_COMM_WORLD);
template <MpiElement T>
void mpi_send(const StridedView<T>& view, int destination, int tag, MPI_Comm comm,
              const MpiOptions& options = {}) {
  detail::mpi_raise_if(try_mpi_send(view, destination, tag, comm, options));
}

// The failure of mpi_recv(), or none, without exceptions.
template <MpiElement T>
[[nodiscard]] Failure try_mpi_recv(const StridedView<T>& view, int source, int tag, MPI_Comm comm,
                                   const MpiOptions& options = {},
                                   MPI_Status* status = MPI_STATUS_IGNORE) {
  static_assert(!std::is_const_v<T>, "strided: the elements to receive into are const");
  constexpr const char* kCall = "mpi_recv";
  detail::MpiMessage<T> message;
  MPI_Status received;
  Failure failure = message.prepare(view, options);
  if (!failure) {
    failure = detail::mpi_failure(
        MPI_Recv(message.address, message.count, message.sent_as, source, tag, comm, &received),
        "MPI_Recv");
    message.from_nobody = source == MPI_PROC_NULL;
    if (!failure) failure = message.finish(received);
    if (status != MPI_STATUS_IGNORE) *status = received;
  }
  return failure ? failure.of_copy_in(kCall, failure.subject) : failure;
}

// Receives into the elements of a view, as MPI_Recv does; gaps of the view stay. The message must
// have view.size() elements, of the same basic type. Errors: internal_overlap (nothing is received
// then), out_of_memory, overflow, mpi_error as for mpi_send; length_mismatch, where fewer elements
// came: a packed view is as before, otherwise the first elements are written. (More are MPI's
// MPI_ERR_TRUNCATE.)
//
//   mpi_recv(matrix.select(1, 3), 0, 0, MPI_COMM_WORLD);
template <MpiElement T>
void mpi_recv(const StridedView<T>& view, int source, int tag, MPI_Comm comm,
              const MpiOptions& options = {}, MPI_Status* status = MPI_STATUS_IGNORE) {
  detail::mpi_raise_if(try_mpi_recv(view, source, tag, comm, options, status));
}

}  // namespace strided::inline STRIDED_ABI
