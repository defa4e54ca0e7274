#!/bin/sh
# Which lines and branches of the library, kernels aside, do the fast tests never take? Builds them
# with clang's coverage, runs them, and prints each that is missed and says nothing of why; the table
# goes to build/coverage/report.md. Fails if one is missed.
set -eu
cd "$(dirname "$0")/.."

sh cmake/apt_install.sh clang llvm libclang-rt-dev cmake ninja-build libgtest-dev \
  nlohmann-json3-dev libcli11-dev libfp16-dev libdlpack-dev libeigen3-dev libxtensor-dev libtbb-dev \
  libomp-dev python3 python3-numpy
cmake --preset coverage
areas="core messages view engine ops reference verify interop draw faults property fuzz executors"
# shellcheck disable=SC2086
cmake --build --preset coverage --parallel "$(nproc)" --target isa_in_use \
  strided_dlpack_check $(printf 'test_%s ' $areas)

profiles=$PWD/build/coverage/profiles
rm -rf "$profiles"
# %m: the runs of a program add to one file, of which there are four, so that they need not wait.
LLVM_PROFILE_FILE="$profiles/%4m.profraw" ctest --preset coverage --parallel "$(nproc)" \
  --tests-regex "^($(echo $areas | tr ' ' '|')|isa)[.]"
llvm-profdata merge -o "$profiles/all.profdata" "$profiles"/*.profraw
programs=$(find build/coverage/tests -type f \( -name 'test_*' -o -name isa_in_use \) -perm -u+x \
  -printf ' -object %p')
# shellcheck disable=SC2086
llvm-cov export -instr-profile "$profiles/all.profdata" -skip-functions $programs \
  >"$profiles/all.json"
python3 tests/coverage.py "$profiles/all.json" --report build/coverage/report.md
