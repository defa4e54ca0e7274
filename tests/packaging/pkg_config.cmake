# cmake -DPKG_CONFIG=<path> -DPREFIX=<dir> -DVERSION=<version> -DCOMPILER=<path> -DSOURCE=<file>
#       -DEXPECTED=<file> -DCOMPARE=<script> -DFOLDER=<dir> -P pkg_config.cmake
#
# Compiles SOURCE with the flags that pkg-config tells of the package below PREFIX, and runs it.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(ENV{PKG_CONFIG_PATH} "${PREFIX}/share/pkgconfig")

function(ask result)
  execute_process(COMMAND "${PKG_CONFIG}" ${ARGN} strided
    OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

ask(version --modversion)
if(NOT version STREQUAL VERSION)
  message(FATAL_ERROR "strided.pc says ${version}, not ${VERSION}")
endif()
ask(libraries --libs)
if(libraries)
  message(FATAL_ERROR "a library of headers links ${libraries}")
endif()

ask(flags --cflags)
separate_arguments(flags UNIX_COMMAND "${flags}")
execute_process(
  COMMAND "${COMPILER}" -std=c++20 ${flags} "${SOURCE}" -o "${FOLDER}/program"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${FOLDER}/program" "-DEXPECTED=${EXPECTED}" -P "${COMPARE}"
  COMMAND_ERROR_IS_FATAL ANY)
