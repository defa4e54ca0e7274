# cmake -DNM=<nm> "-DOBJECTS=<file>;<file>" -P check_shared_symbols.cmake
#
# Of a function that both object files define, the linker keeps one. No function of the library may
# be among those: the kept one could be the one with instructions that the machine lacks.
cmake_minimum_required(VERSION 3.25)

set(seen)
set(shared)
foreach(object IN LISTS OBJECTS)
  execute_process(COMMAND "${NM}" --defined-only --format=posix "${object}"
    OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
  # Weak functions and objects of namespace strided, by their mangled names.
  string(REGEX MATCHALL "[^\n ]*7strided[^\n ]* [WVu] " symbols "${listing}")
  if(NOT symbols)
    message(FATAL_ERROR "${object} defines nothing of the library: the check is blind")
  endif()
  foreach(symbol IN LISTS symbols)
    if(symbol IN_LIST seen)
      list(APPEND shared "${symbol}")
    endif()
  endforeach()
  list(APPEND seen ${symbols})
endforeach()

if(shared)
  list(JOIN shared "\n" shared)
  message(NOTICE "${shared}")
  message(FATAL_ERROR "both object files define these functions of the library")
endif()
list(LENGTH seen count)
message(STATUS "${count} functions of the library, none in both object files")
