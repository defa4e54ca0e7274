# cmake -DPREFIX=<dir> -DVERSION=<version> -DFOLDER=<dir> -DGENERATOR=<name> -P find_versions.cmake
#
# Which versions find_package takes the package below PREFIX for.
cmake_minimum_required(VERSION 3.25)
string(REGEX MATCH "^([0-9]+)[.]([0-9]+)" short "${VERSION}")
math(EXPR next_minor "${CMAKE_MATCH_2} + 1")

file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/CMakeLists.txt" [[
cmake_minimum_required(VERSION 3.25)
project(versions LANGUAGES NONE)
find_package(strided ${ASKED} CONFIG QUIET)
if(NOT strided_FOUND STREQUAL EXPECTED)
  message(FATAL_ERROR "found: ${strided_FOUND}, ${strided_CONSIDERED_VERSIONS}")
endif()
]])

function(check asked expected)
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${FOLDER}" -B "${FOLDER}/build"
      "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DASKED=${asked}" "-DEXPECTED=${expected}"
    RESULT_VARIABLE status OUTPUT_QUIET)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "find_package(strided ${asked}), expected: ${expected}")
  endif()
endfunction()

check("${short}" 1)
check("${VERSION}" 1)
check("${CMAKE_MATCH_1}.${next_minor}" 0)
check("9.9" 0)
