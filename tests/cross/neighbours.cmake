# Programs are linked statically (CMakePresets.json): under qemu 7.2 a thread of a shared libc of i686
# never starts.
#
# What the tests need, for another machine or standard library than what is installed was built for:
# GoogleTest from its sources (Debian: googletest), nlohmann's headers alone, since the folder they
# are in has this machine's too.
find_path(googletest_sources CMakeLists.txt PATHS /usr/src/googletest NO_DEFAULT_PATH REQUIRED
  DOC "The folder of GoogleTest's sources")
set(BUILD_GMOCK OFF)
set(INSTALL_GTEST OFF)
add_subdirectory("${googletest_sources}" googletest EXCLUDE_FROM_ALL SYSTEM)

find_path(nlohmann_headers nlohmann/json.hpp PATHS /usr/include NO_DEFAULT_PATH REQUIRED
  DOC "The folder with nlohmann/json.hpp")
set(headers_alone "${CMAKE_CURRENT_BINARY_DIR}/headers")
file(MAKE_DIRECTORY "${headers_alone}")
file(CREATE_LINK "${nlohmann_headers}/nlohmann" "${headers_alone}/nlohmann" SYMBOLIC)
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
target_include_directories(nlohmann_json::nlohmann_json INTERFACE "${headers_alone}")
