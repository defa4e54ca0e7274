# What our own tests, examples and benchmarks are built with. The library itself carries none of it:
# a user's flags are the user's.
add_library(strided_developer INTERFACE)

target_compile_options(strided_developer INTERFACE
  $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:
    -Werror -Wall -Wextra -Wpedantic
    -Wconversion -Wsign-conversion
    -Wshadow -Wold-style-cast -Wcast-align -Wnon-virtual-dtor -Woverloaded-virtual
    -Wundef -Wimplicit-fallthrough
    # Vectors wider than the machine's registers never cross a call: all that takes one is inlined.
    -Wno-psabi>
  $<$<CXX_COMPILER_ID:GNU>:
    -Wduplicated-cond -Wlogical-op
    # GCC 12 warns of faults inside std::string, at `"text" + string`, where there are none.
    -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>
  $<$<CXX_COMPILER_ID:MSVC>:/W4 /WX /permissive->)

if(STRIDED_SANITIZE)
  target_compile_options(strided_developer INTERFACE
    -fsanitize=${STRIDED_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # GCC takes the sanitizer's own checks for uses of uninitialized variables.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(strided_developer INTERFACE -fsanitize=${STRIDED_SANITIZE})
endif()

# What our programs link: the library, the flags above, and the kernels, of which no other file is
# compiled then. The flags of a program that has some of its own must not change STRIDED_ABI.
file(CONFIGURE OUTPUT strided_kernels.cpp
  CONTENT "#define STRIDED_DEFINE_KERNELS\n#include <strided/strided.hpp>\n")
add_library(strided_kernels STATIC "${CMAKE_CURRENT_BINARY_DIR}/strided_kernels.cpp")
target_link_libraries(strided_kernels PUBLIC strided::strided strided_developer)
target_compile_definitions(strided_kernels INTERFACE STRIDED_EXTERN_KERNELS)
if(STRIDED_BUILD_FUZZERS)
  # Fuzzers are told which parts of the kernels an input reached; other programs do not ask.
  target_compile_options(strided_kernels PRIVATE -fsanitize=fuzzer-no-link)
endif()
