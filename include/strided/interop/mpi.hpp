// MPI: views as messages, and as derived datatypes. Needs an MPI of version 3.0 or later, of which
// it uses the C interface alone.
//
//   MpiDatatype(view), mpi_address(view)       for any function of MPI: collectives, files, windows
//   pack(view, buffer), unpack(buffer, view)   by this library's kernels
//   mpi_send, mpi_recv                         a view as a message: in place where it is
//   contiguous, mpi_isend, mpi_irecv, wait_all             otherwise packed or by a datatype, by
//   size
//
// All of them describe the elements in logical (row-major) order, so that a view and any other one
// of the same shape and element type fit each other, whichever way each side takes. The library
// neither initializes nor finalizes MPI, and calls it from the thread that calls the library. Where
// a communicator's error handler is MPI_ERRORS_ARE_FATAL, MPI's default, MPI ends the process
// before there is an error to return.
//
//   StridedView<double> block(storage, {nx + 2, ny + 2, nz + 2});
//   MpiRequest halo = mpi_irecv(block.select(2, 0), left, 0, comm);     // a face, all gaps
//   mpi_send(block.select(2, nz), right, 0, comm);
//   halo.wait();
#pragma once

#include <mpi.h>

#include "strided/interop/mpi/buffers.hpp"
#include "strided/interop/mpi/datatype.hpp"
#include "strided/interop/mpi/error.hpp"
#include "strided/interop/mpi/message.hpp"
#include "strided/interop/mpi/pack.hpp"
#include "strided/interop/mpi/request.hpp"
#include "strided/interop/mpi/transfer.hpp"
