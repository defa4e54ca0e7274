#!/bin/sh
# The deep tier, what takes longer than tests/run.sh should: a minute of each fuzzer, all tests
# with clang's sanitizers and on imitated machines (NEON, big-endian, 32 bits), two million random
# copies on each instruction set, and every example against the single header.
set -eu
cd "$(dirname "$0")/.."

sh tests/fuzz.sh
STRIDED_PRESETS="clang-asan aarch64 s390x i686 deep" sh tests/run.sh
