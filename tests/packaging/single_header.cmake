# cmake -DPYTHON=<path> -DSCRIPT=<file> "-DHEADERS=<header> ..." -DVERSION=<version> -DCOMPILER=<path>
#       "-DSOURCES=<file> ..." [-DOUTPUTS=<dir> -DCOMPARE=<script>] -DFOLDER=<dir>
#       -P single_header.cmake
#
# Compiles SOURCES against the single header with HEADERS in it, in a folder with nothing else, and
# runs them; each must print the text of its name in OUTPUTS. One source has its kernels in it,
# several share those of a file of their own.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE "${FOLDER}")

separate_arguments(HEADERS)
set(header "${FOLDER}/include/strided/strided.hpp")
execute_process(COMMAND "${PYTHON}" "${SCRIPT}" -o "${header}" ${HEADERS}
  COMMAND_ERROR_IS_FATAL ANY)
file(READ "${header}" text LIMIT 3000)
foreach(part IN ITEMS "// strided ${VERSION}," "MIT License" "Permission is hereby granted")
  string(FIND "${text}" "${part}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "the single header does not say: ${part}")
  endif()
endforeach()
file(STRINGS "${header}" left REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
if(left)
  message(FATAL_ERROR "not inlined: ${left}")
endif()

# Beside the headers it was made of it is refused in one sentence, whichever comes first.
cmake_path(GET SCRIPT PARENT_PATH packaging)
foreach(order IN ITEMS "strided/core/config.hpp;${header}" "${header};strided/core/config.hpp")
  list(TRANSFORM order PREPEND "#include \"")
  list(TRANSFORM order APPEND "\"\n")
  list(JOIN order "" includes)
  file(WRITE "${FOLDER}/both.cpp" "${includes}")
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 -fsyntax-only "-I${packaging}/../include" "${FOLDER}/both.cpp"
    RESULT_VARIABLE refused ERROR_VARIABLE message)
  if(NOT refused OR NOT message MATCHES "include one of the two")
    message(FATAL_ERROR "not refused: ${includes}${message}")
  endif()
endforeach()

set(compile "${COMPILER}" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wno-psabi -Werror
  "-I${FOLDER}/include")
separate_arguments(SOURCES)
list(LENGTH SOURCES number)
if(number GREATER 1)
  file(WRITE "${FOLDER}/kernels.cpp"
    "#define STRIDED_DEFINE_KERNELS\n#include <strided/strided.hpp>\n")
  execute_process(COMMAND ${compile} -c "${FOLDER}/kernels.cpp" -o "${FOLDER}/kernels.o"
    COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND compile -DSTRIDED_EXTERN_KERNELS "${FOLDER}/kernels.o")
endif()
foreach(source IN LISTS SOURCES)
  cmake_path(GET source STEM name)
  message(STATUS "${name}")
  execute_process(COMMAND ${compile} "${source}" -o "${FOLDER}/${name}" COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS "${OUTPUTS}/${name}.txt")
    execute_process(
      COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${FOLDER}/${name}"
        "-DEXPECTED=${OUTPUTS}/${name}.txt" -P "${COMPARE}"
      COMMAND_ERROR_IS_FATAL ANY)
  else()
    execute_process(COMMAND "${FOLDER}/${name}" WORKING_DIRECTORY "${FOLDER}"
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
