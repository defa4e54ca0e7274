# cmake -DINCLUDE_DIR=<dir> -DSOURCES=<file>;... -DREFUSED=<file>;... -DCHECK_REFUSED=<script>
#       -DBUILD_DIR=<dir> -P run_with_libcxx.cmake
#
# Compiles SOURCES into one program and runs it, with clang and the debug mode of libc++, where every
# broken precondition of <mdspan> ends the program; then each file of REFUSED must not compile.
cmake_minimum_required(VERSION 3.25)

find_program(compiler NAMES clang++-22 clang++-21 clang++-20 clang++-19)
set(options -std=c++23 -stdlib=libc++
  -D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_DEBUG
  -Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wno-psabi)
set(probe "${BUILD_DIR}/libcxx_probe.cpp")
file(WRITE "${probe}" "#include <mdspan>\nint main() {}\n")
if(compiler)
  execute_process(COMMAND "${compiler}" ${options} "${probe}" -o "${BUILD_DIR}/libcxx_probe"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT compiler OR NOT status EQUAL 0)
  message(STATUS "this machine lacks clang 19 or later with libc++ (packages clang-19 libc++-19-dev libc++abi-19-dev)")
  return()
endif()

message(STATUS "with ${compiler}")
set(program "${BUILD_DIR}/mdspan_libcxx")
execute_process(
  COMMAND "${compiler}" ${options} "-I${INCLUDE_DIR}" "-I${CMAKE_CURRENT_LIST_DIR}/.." ${SOURCES} -o "${program}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${program}" COMMAND_ERROR_IS_FATAL ANY)

foreach(source IN LISTS REFUSED)
  cmake_path(GET source PARENT_PATH folder)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DCOMPILER=${compiler}" "-DINCLUDE_DIR=${INCLUDE_DIR}"
      "-DOPTIONS=${options};-I${folder}/.." "-DSOURCE=${source}" -P "${CHECK_REFUSED}"
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
