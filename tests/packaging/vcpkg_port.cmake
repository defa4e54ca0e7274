# cmake -DPORT_DIR=<dir> -DFOLDER=<dir> -DGENERATOR=<name> -P vcpkg_port.cmake
#
# Runs the port with stand-ins of vcpkg's functions, which do what those do with its arguments.
cmake_minimum_required(VERSION 3.25)

file(READ "${PORT_DIR}/vcpkg.json" manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON VERSION GET "${manifest}" version)
string(JSON count LENGTH "${manifest}" dependencies)
if(NOT PORT STREQUAL "strided" OR NOT count EQUAL 2)
  message(FATAL_ERROR "vcpkg.json: ${PORT} with ${count} dependencies")
endif()

file(REMOVE_RECURSE "${FOLDER}")
set(CURRENT_PACKAGES_DIR "${FOLDER}/packages")

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute_process(COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${FOLDER}/build"
      -G "${GENERATOR}" ${arg_OPTIONS} "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}"
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_install)
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${FOLDER}/build" --target install
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(RENAME "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/moved")
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/cmake")
  file(RENAME "${CURRENT_PACKAGES_DIR}/moved" "${CURRENT_PACKAGES_DIR}/share/${PORT}")
endfunction()
function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/share/pkgconfig/strided.pc")
    message(FATAL_ERROR "no strided.pc where vcpkg looks for it")
  endif()
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright")
endfunction()

include("${PORT_DIR}/portfile.cmake")

foreach(file IN ITEMS include/strided/strided.hpp share/strided/copyright
    share/strided/strided-config.cmake share/strided/strided-config-version.cmake)
  if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${file}")
    message(FATAL_ERROR "the port made no ${file}")
  endif()
endforeach()
foreach(folder IN ITEMS debug lib bin)  # of which vcpkg complains
  if(EXISTS "${CURRENT_PACKAGES_DIR}/${folder}")
    message(FATAL_ERROR "the port made ${folder}/")
  endif()
endforeach()
file(READ "${CURRENT_PACKAGES_DIR}/share/strided/strided-config-version.cmake" text)
string(FIND "${text}" "set(PACKAGE_VERSION \"${VERSION}\")" position)
if(position EQUAL -1)
  message(FATAL_ERROR "vcpkg.json says ${VERSION}, the package something else")
endif()
message(STATUS "${PORT} ${VERSION}")
