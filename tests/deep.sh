#!/bin/sh
# The deep tier, what takes longer than tests/run.sh should: all tests with sanitizers, with another
# standard library and on imitated machines (NEON, big-endian, 32 bits, Windows), two million random
# copies on each instruction set, and a minute of each fuzzer.
set -eu
cd "$(dirname "$0")/.."

STRIDED_PRESETS="clang-asan clang19-libc++ aarch64 s390x i686 mingw" sh tests/run.sh
sh tests/fuzz.sh 60
cmake --preset default
cmake --build --preset default --parallel "$(nproc)" --target test_property isa_in_use
ctest --preset deep --parallel "$(nproc)"
