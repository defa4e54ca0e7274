# cmake -DREADME=<file> -DSOURCE_DIR=<dir> -DSOURCE=<file> -DCOMPILER=<path> -DGENERATOR=<name>
#       -DFOLDER=<dir> -P fetch_content.cmake
#
# Builds SOURCE as the program `app` of a project of the README's lines about FetchContent, which get
# this tree in place of a repository, and runs it.
cmake_minimum_required(VERSION 3.25)
file(READ "${README}" text)
if(NOT text MATCHES "\n```cmake\n(include\\(FetchContent\\)[^`]*)```\n")
  message(FATAL_ERROR "no such lines in ${README}")
endif()
set(lines "${CMAKE_MATCH_1}")

file(REMOVE_RECURSE "${FOLDER}")
file(WRITE "${FOLDER}/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)\nproject(app LANGUAGES CXX)\n"
  "add_executable(app \"${SOURCE}\")\n${lines}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${FOLDER}" -B "${FOLDER}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DFETCHCONTENT_SOURCE_DIR_STRIDED=${SOURCE_DIR}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${FOLDER}/build" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${FOLDER}/build/app" COMMAND_ERROR_IS_FATAL ANY)
