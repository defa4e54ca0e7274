# MPI for our own tests, examples and benchmarks: STRIDED_MPI tells whether they are built.
# Each directory that uses it includes this file: what was found is known there alone.
function(strided_say_once text)
  get_property(said GLOBAL PROPERTY strided_mpi_said)
  if(NOT said)
    message(STATUS "${text}")
    set_property(GLOBAL PROPERTY strided_mpi_said TRUE)
  endif()
endfunction()

set(STRIDED_MPI FALSE)
if(STRIDED_SANITIZE)
  strided_say_once("MPI is left out: its libraries leak when they end, and sanitizers mind")
else()
  # Its C++ interface, which MPI 3 has dropped, is not used.
  set(MPI_CXX_SKIP_MPICXX TRUE CACHE BOOL "Leave out the C++ interface of old")
  find_package(MPI 3.0 QUIET COMPONENTS CXX)
  if(MPI_CXX_FOUND)
    set(STRIDED_MPI TRUE)
  else()
    strided_say_once("No MPI (Debian: libopenmpi-dev openmpi-bin): what needs it is left out")
  endif()
endif()

# strided_mpi_command(<result> <ranks> <program> [<argument>...]): starts a program on so many ranks.
function(strided_mpi_command result ranks)
  set(${result} "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${ARGN} PARENT_SCOPE)
endfunction()

# strided_mpi_properties(<test>...): more ranks than processors are fine, and so is root where tests
# are run by root, as in containers.
function(strided_mpi_properties)
  set(environment OMPI_MCA_rmaps_base_oversubscribe=1)
  execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(user STREQUAL "0")
    list(APPEND environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  endif()
  set_tests_properties(${ARGN} PROPERTIES
    ENVIRONMENT "${environment}" LABELS fast PROCESSORS 2 TIMEOUT 300)
endfunction()
