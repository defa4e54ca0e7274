// MPI's functions that make and free datatypes, counted by way of its profiling interface: MPI
// itself tells of no leak.
#include "counted_types.hpp"

#include <mpi.h>

namespace {

strided_test::CountedTypes counted;

int made(int code) {
  if (code != MPI_SUCCESS) return code;
  ++counted.made;
  ++counted.live;
  return code;
}

}  // namespace

strided_test::CountedTypes strided_test::counted_types() noexcept {
  return counted;
}

extern "C" {

int MPI_Type_create_hvector(int count, int block, MPI_Aint stride, MPI_Datatype old,
                            MPI_Datatype* type) {
  return made(PMPI_Type_create_hvector(count, block, stride, old, type));
}

int MPI_Type_create_hindexed_block(int count, int block, const MPI_Aint places[], MPI_Datatype old,
                                   MPI_Datatype* type) {
  return made(PMPI_Type_create_hindexed_block(count, block, places, old, type));
}

int MPI_Type_create_struct(int count, const int blocks[], const MPI_Aint places[],
                           const MPI_Datatype olds[], MPI_Datatype* type) {
  return made(PMPI_Type_create_struct(count, blocks, places, olds, type));
}

int MPI_Type_free(MPI_Datatype* type) {
  const int code = PMPI_Type_free(type);
  if (code == MPI_SUCCESS) --counted.live;
  return code;
}

}  // extern "C"
