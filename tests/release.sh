#!/bin/sh
# release.sh [STEP...]   The release tier, hours: what tests/run.sh and tests/deep.sh have no time for.
# Steps, all in this order where none is named:
#   clang, clang19-libc++, asan, tsan, mingw
#             every test with this compiler, standard library or sanitizer
#   compilers tests/compilers.sh
#   mpich     the tests and examples of MPI with MPICH instead of Open MPI
#   large     tests that need some GB of memory
#   fuzz      each fuzzer for ten minutes
#   random    a million random copies an element type, from a new seed
#   slices    all 168 million slices of two dimensions
#   faults    every fault of tests/mutation against the fast tests
#   coverage  tests/coverage.sh
# A step leaves build/release/STEP.log and stops everything when it fails. What it found goes into
# tests/release_report.md, where the sections of other steps stay as they are.
set -eu
cd "$(dirname "$0")/.."

builds="clang clang19-libc++ asan tsan mingw"
steps="$builds compilers mpich large fuzz random slices faults coverage"
results=build/release
report=tests/release_report.md
mkdir -p "$results"

# With && since the shell does not stop at failures in what || follows.
with_default() { # COMMAND...
  cmake --preset default && cmake --build --preset default --parallel "$(nproc)" && "$@"
}

run_step() {
  case " $builds " in
    *" $1 "*)
      STRIDED_PRESETS=$1 sh tests/run.sh
      return
      ;;
  esac
  case $1 in
    compilers)
      sh cmake/apt_install.sh g++ clang clang-19 libc++-19-dev libc++abi-19-dev wine64 \
        g++-mingw-w64-x86-64-posix
      sh tests/compilers.sh
      ;;
    mpich)
      sh cmake/apt_install.sh mpich libmpich-dev
      cmake --preset default -B build/mpich -DMPI_CXX_COMPILER=mpicxx.mpich \
        -DMPIEXEC_EXECUTABLE="$(command -v mpiexec.mpich)" &&
        cmake --build build/mpich --parallel "$(nproc)" --target tests/mpi/all examples/all &&
        ctest --test-dir build/mpich --output-on-failure -L fast -R '^mpi[.]|^example[.]mpi'
      ;;
    large) with_default ctest --preset release ;;
    fuzz) sh tests/fuzz.sh 600 ;;
    random)
      with_default env STRIDED_TEST_CASES=1000000 STRIDED_TEST_SEED="$(date +%s)" \
        build/default/tests/test_property \
        --gtest_filter='CopyProperty/*:PlanProperty.AnyWidth*:PlanProperty.Common*'
      ;;
    slices)
      with_default env STRIDED_TEST_EVERY=1 build/default/tests/test_property \
        --gtest_filter=StridedSliceProperty.TwoDimensionsAllMasks
      ;;
    faults) python3 tests/mutation/run.py --jobs "$(nproc)" --report "$results/faults.md" ;;
    coverage) sh tests/coverage.sh ;;
    *) echo "release.sh: no step $1" >&2; exit 2 ;;
  esac
}

# What a log says in the end, and how much was tried.
told_by() {
  log=$results/$1.log
  case $1 in
    large | mpich) grep 'tests passed' "$log" ;;
    fuzz) grep '^fuzz_' "$log" ;;
    random | slices) grep -E 'cases, seed|slices|PASSED|FAILED' "$log" ;;
    faults | coverage) tail -n 1 "$log" ;;
    compilers) grep -E '^(passed|FAILED|skipped)' "$log" ;;
    *) sed -n '/^== .*: result$/,$p' "$log" | grep -E 'tests passed|^Total Test time' ;;
  esac
}

section_of() { # STEP
  printf '## %s\n\n' "$1"
  sed -n 's/^release: //p' "$results/$1.log"
  printf '\n```text\n'
  told_by "$1"
  printf '```\n\n'
  case $1 in
    faults) sed 1,2d "$results/faults.md" ;;
    coverage) sed 1,2d build/coverage/report.md ;;
    *) return ;;
  esac
  echo
}

# The report with this step's section made anew.
report_on() { # STEP
  : >>"$report"
  {
    printf '# Release report\n\nWritten by `tests/release.sh`, which describes the steps.\n\n'
    for step in $steps; do
      if [ "$step" = "$1" ]; then
        section_of "$step"
      else
        awk -v heading="## $step" '/^## / { inside = $0 == heading } inside' "$report"
      fi
    done
  } >"$results/report.md"
  sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$results/report.md" >"$report" # no empty lines at the end
}

for wanted in ${*:-$steps}; do
  log=$results/$wanted.log
  echo "$wanted: $log"
  # When, what and where, for the report.
  echo "release: $(date +%F), commit $(git rev-parse --short HEAD), $(nproc) processors" \
    "($(uname -m), $(grep -o -m 1 -w -e avx512_vbmi2 -e avx2 /proc/cpuinfo | tail -n 1))." >"$log"
  run_step "$wanted" >>"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
  report_on "$wanted"
done
