// What the calls of interop/mpi.hpp say, on one rank that sends to itself.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "messages/out_of_memory.hpp"
#include "messages/row.hpp"
#include "strided/core/error.hpp"
#include "strided/interop/mpi.hpp"

namespace strided_test::messages {

// The rank itself, alone, with errors that return.
inline MPI_Comm alone() {
  static const MPI_Comm comm = [] {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
  }();
  return comm;
}

// Receives what `elements` numbers sent to itself are.
inline void receive(int elements, const StridedView<int>& view, MpiWay way = MpiWay::chosen) {
  std::vector<int> sent(static_cast<std::size_t>(elements));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(sent.data(), elements, MPI_INT, 0, 0, alone(), &request);
  const Failure failure = try_mpi_recv(view, 0, 0, alone(), {.way = way});
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  detail::mpi_raise_if(failure);
}
inline void receive_later(int elements, const StridedView<int>& view, bool test = false) {
  MpiRequest received = mpi_irecv(view, 0, 0, alone());
  std::vector<int> sent(static_cast<std::size_t>(elements));
  MPI_Send(sent.data(), elements, MPI_INT, 0, 0, alone());
  if (!test) received.wait();
  while (!received.test()) {
  }
}

inline StridedView<int> column() {
  return a.select(1, 2);
}
inline StridedView<int> repeated() {
  return column().broadcast_to({3, 10});
}
inline void make_datatype(const Layout& layout) {
  const auto made = MpiDatatype::try_make(layout, mpi_items_of<double>(), MpiUse::send);
  detail::mpi_raise_if(made.error());
}

// clang-format off
inline const std::vector<Row> kMpiRows{
    {ErrorCode::mpi_error, [] { mpi_send(column(), 1, 0, alone()); },
     "mpi_send: MPI_Send failed with MPI's error code ", true},
    {ErrorCode::mpi_error, [] { drop(mpi_isend(column(), 1, 0, alone())); },
     "mpi_isend: MPI_Isend failed with MPI's error code ", true},
    {ErrorCode::mpi_error, [] { mpi_recv(column(), 1, 0, alone()); },
     "mpi_recv: MPI_Recv failed with MPI's error code ", true},
    {ErrorCode::mpi_error, [] { drop(mpi_irecv(column(), 1, 0, alone())); },
     "mpi_irecv: MPI_Irecv failed with MPI's error code ", true},
    {ErrorCode::mpi_error, [] { receive(12, column()); },
     "mpi_recv: MPI_Recv failed with MPI's error code ", true},
    // Of MPI_Wait and MPI_Test Open MPI 4.1 either says no error or drops the communicator.

    {ErrorCode::length_mismatch, [] { receive(5, column(), MpiWay::packed); },
     "mpi_recv: the message has 5 entries, 10 are needed, one for each element of the view"},
    {ErrorCode::length_mismatch, [] { receive(5, column(), MpiWay::datatype); },
     "mpi_recv: the message has 5 entries, 10 are needed, one for each element of the view"},
    {ErrorCode::length_mismatch, [] { receive_later(1, column()); },
     "mpi_irecv: the message has 1 entry, 10 are needed, one for each element of the view"},
    {ErrorCode::length_mismatch, [] { receive_later(0, column(), true); },
     "mpi_irecv: the message has 0 entries, 10 are needed, one for each element of the view"},

    {ErrorCode::internal_overlap, [] { mpi_recv(repeated(), 0, 0, alone()); },
     "mpi_recv: the view to receive into maps more than one index to the same element (stride[0] is 0); each index needs one of its own"},
    {ErrorCode::internal_overlap, [] { drop(mpi_irecv(repeated(), 0, 0, alone())); },
     "mpi_irecv: the view to receive into maps more than one index to the same element (stride[0] is 0); each index needs one of its own"},
    {ErrorCode::internal_overlap, [] { drop(MpiDatatype(column().windows(0, 3, 1))); },
     "MpiDatatype: the view to receive into maps more than one index to the same element (stride[0] is 10, the smaller strides reach 20); each index needs one of its own"},
    {ErrorCode::overflow, [] { make_datatype(Layout({std::int64_t{1} << 61}, {0})); },
     "MpiDatatype: the number of elements is 2305843009213693952, with it the number of bytes exceeds 9223372036854775807"},
    {ErrorCode::overflow, [] { make_datatype(Layout({2}, {std::int64_t{1} << 61})); },
     "MpiDatatype: the reach of the strides is 2305843009213693952, in bytes it exceeds 9223372036854775807"},

    {ErrorCode::out_of_memory, [] { raise_without_memory([] { return try_mpi_send(column(), 0, 0, alone(), {.way = MpiWay::packed}); }); },
     "mpi_send: a buffer of 40 bytes could not be allocated; MpiWay::datatype needs none"},
    {ErrorCode::out_of_memory, [] { raise_without_memory([] { MpiBuffers buffers; return try_mpi_recv(column(), 0, 0, alone(), {.way = MpiWay::packed, .buffers = &buffers}); }); },
     "mpi_recv: a buffer of 40 bytes could not be allocated; MpiWay::datatype needs none"},
    {ErrorCode::out_of_memory, [] { raise_without_memory([] { return try_mpi_isend(column(), 0, 0, alone()).error(); }); },
     "mpi_isend: a request of ", true},

    {ErrorCode::out_of_bounds, [] { std::vector<int> buffer(29); pack(v, buffer); },
     "pack: the view reaches index 29 of the buffer, which has 29 elements: 0 to 28"},
    {ErrorCode::out_of_bounds, [] { unpack(std::vector<int>(), column()); },
     "unpack: the view reaches index 9 of the buffer, which has 0 elements"},
    {ErrorCode::misaligned, [] { pack(column(), std::span<int>(reinterpret_cast<int*>(reinterpret_cast<char*>(storage) + 2), 20)); },
     "pack: the address of the buffer is 2 bytes past a multiple of 4, the alignment of the element type; copy the bytes to aligned memory first"},
    {ErrorCode::internal_overlap, [] { unpack(std::vector<int>(30), repeated()); },
     "unpack: the view maps more than one index to the same element (stride[0] is 0); each index needs one of its own"},
};
// clang-format on

}  // namespace strided_test::messages
