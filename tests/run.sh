#!/bin/sh
# Builds the library's tests, examples and benchmarks and runs every test.
#
# STRIDED_PRESETS names other builds, one after the other: "clang asan clang-asan default" is both
# compilers, plain and with the address and undefined-behaviour sanitizers. "deep" is the long tests
# of the default build. It stops at the first build or test that fails.
set -eu
cd "$(dirname "$0")/.."

presets=${STRIDED_PRESETS:-default}
packages="g++ cmake doxygen ninja-build libgtest-dev libbenchmark-dev nlohmann-json3-dev libcli11-dev
  libdlpack-dev libeigen3-dev libfp16-dev libopenmpi-dev libpng-dev libtbb-dev libxtensor-dev
  openmpi-bin pkg-config python3 python3-numpy"
case "$presets" in *clang*) packages="$packages clang libclang-rt-dev libomp-dev" ;; esac
case "$presets" in
  *libc++*) packages="$packages googletest clang-19 libc++-19-dev libc++abi-19-dev" ;;
esac
case "$presets" in
  *mingw*) packages="$packages googletest g++-mingw-w64-x86-64-posix gcc-mingw-w64-x86-64-posix wine64" ;;
esac
for machine in aarch64 s390x i686; do
  case "$presets" in
    *$machine*) packages="$packages googletest qemu-user gcc-$machine-linux-gnu g++-$machine-linux-gnu" ;;
  esac
done
sh cmake/apt_install.sh $packages

# What the tests print beside GoogleTest's own lines: how much was tried, and from which seed.
figures() { # LOG
  awk '/^[0-9]+\/[0-9]+ Test: / { name = $3; inside = 0 }
       /^\[ RUN / { inside = 1; next }
       /^\[ +(OK|FAILED|SKIPPED) / { inside = 0 }
       inside { print name ": " $0 }' "$1"
}

jobs=$(nproc)
for preset in $presets; do
  echo "== $preset"
  build=build/$preset
  [ "$preset" != deep ] || build=build/default
  cmake --preset "$preset"
  cmake --build --preset "$preset" --parallel "$jobs"
  ctest --preset "$preset" --parallel "$jobs" --output-log "$build/ctest.log"
  echo "== $preset: what was tried"
  figures "$build/Testing/Temporary/LastTest.log"
  echo "== $preset: result"
  sed -n '/ tests passed, /,$p' "$build/ctest.log"
done
