# cmake -DISA=<name> -DISA_IN_USE=<program> -DPROGRAM=<program> [-DARGUMENTS=<list>]
#       -P run_forced.cmake
#
# Runs PROGRAM with the instruction set ISA, once it is sure that this is the one in use.
cmake_minimum_required(VERSION 3.25)
set(ENV{STRIDED_FORCE_ISA} "${ISA}")

execute_process(COMMAND "${ISA_IN_USE}" RESULT_VARIABLE status OUTPUT_VARIABLE in_use
  OUTPUT_STRIP_TRAILING_WHITESPACE)
if(status EQUAL 77)
  message(STATUS "this machine lacks ${ISA}")
  return()
endif()
if(NOT status EQUAL 0 OR NOT in_use STREQUAL ISA)
  message(FATAL_ERROR "asked for ${ISA}: status ${status}, in use is '${in_use}'")
endif()

execute_process(COMMAND "${PROGRAM}" ${ARGUMENTS} COMMAND_ERROR_IS_FATAL ANY)
