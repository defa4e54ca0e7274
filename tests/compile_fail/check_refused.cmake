# cmake -DCOMPILER=<path> -DINCLUDE_DIR=<dir> -DSOURCE=<file> [-DOPTIONS=<option>;...]
#       -P check_refused.cmake
#
# SOURCE must not compile, and what the compiler says must match the regular expression of its first
# line, `// expect: <regex>`. With STRIDED_CONTROL defined the same file must compile: so what is
# refused is the one line that differs, not a slip elsewhere in the file.
cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C)

file(STRINGS "${SOURCE}" first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// expect: (.+)$")
  message(FATAL_ERROR "${SOURCE} does not begin with `// expect: <regex>`")
endif()
# A message is one line.
string(REPLACE ".*" "[^\n]*" expected "${CMAKE_MATCH_1}")

# Real code generation, not -fsyntax-only: every template that is used must be instantiated. Nothing
# is linked, so that the kernels may be elsewhere.
function(compile result output)
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 -DSTRIDED_EXTERN_KERNELS -S -o - ${OPTIONS} "-I${INCLUDE_DIR}" ${ARGN} "${SOURCE}"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE messages)
  set(${result} "${status}" PARENT_SCOPE)
  set(${output} "${messages}" PARENT_SCOPE)
endfunction()

compile(status messages -DSTRIDED_CONTROL)
if(NOT status EQUAL 0)
  message(NOTICE "${messages}")
  message(FATAL_ERROR "${SOURCE} must compile with STRIDED_CONTROL defined")
endif()

compile(status messages)
if(status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} was accepted")
endif()
if(NOT messages MATCHES "${expected}")
  message(NOTICE "${messages}")
  message(FATAL_ERROR "${SOURCE} was refused, but not with: ${expected}")
endif()
message(STATUS "refused, with: ${CMAKE_MATCH_0}")
