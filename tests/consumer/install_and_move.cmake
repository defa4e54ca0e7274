# Installs BUILD_DIR to STAGING, moves that to PREFIX, and looks for paths that did not move along.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${STAGING}" "${PREFIX}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${STAGING}"
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${STAGING}" "${PREFIX}")

file(GLOB_RECURSE files "${PREFIX}/*")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  foreach(path IN ITEMS "${SOURCE_DIR}" "${BUILD_DIR}" "${STAGING}")
    string(FIND "${text}" "${path}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${path}")
    endif()
  endforeach()
endforeach()

# All headers, and nothing of the tests.
file(GLOB_RECURSE ours RELATIVE "${SOURCE_DIR}/include" "${SOURCE_DIR}/include/strided/*")
file(GLOB_RECURSE installed RELATIVE "${PREFIX}/include" "${PREFIX}/include/*")
if(NOT ours STREQUAL installed)
  message(FATAL_ERROR "headers of the library: ${ours}\ninstalled: ${installed}")
endif()
