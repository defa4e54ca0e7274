# cmake -DCOMPILER=<g++ or clang++> -DINCLUDE_DIR=<folder> -DFOLDER=<folder> -P check_namespaces.cmake
#
# Files whose flags allow different instructions are in different namespaces.
cmake_minimum_required(VERSION 3.25)

file(WRITE "${FOLDER}/namespace.cpp" "#include <strided/core/config.hpp>\nSTRIDED_ABI\n")
set(seen)
foreach(flags IN ITEMS "" -mssse3 -msse4.1 -msse4.2 -mpopcnt -mlzcnt -mbmi -mbmi2 -mmovbe -mavx -mfma
    -mavx2 -mavx512f "-mavx512vl -mavx512bw -mavx512dq" -march=x86-64-v3 -march=x86-64-v4)
  separate_arguments(options UNIX_COMMAND "${flags}")
  execute_process(COMMAND "${COMPILER}" -std=c++20 -E -P ${options} -I "${INCLUDE_DIR}"
      "${FOLDER}/namespace.cpp"
    OUTPUT_VARIABLE name OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "[^\n]*$" name "${name}")
  message(STATUS "${name}: ${flags}")
  if(NOT name MATCHES "^abi_[a-z0-9_]+$" OR name IN_LIST seen)
    message(FATAL_ERROR "no namespace of its own")
  endif()
  list(APPEND seen "${name}")
endforeach()
