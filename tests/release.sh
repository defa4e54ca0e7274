#!/bin/sh
# release.sh [STEP...]   The release tier, hours. Steps, all in this order where none is named:
#   builds    every test with each compiler, standard library and sanitizer
#   deep      tests/deep.sh
#   large     tests that need some GB of memory
#   fuzz      each fuzzer for ten minutes
#   random    a million random copies an element type, from a new seed
#   slices    all 168 million slices of two dimensions
#   faults    every fault of tests/mutation against the fast tests
#   coverage  tests/coverage.sh
#   report    what the steps found, to tests/release_report.md
# A step leaves build/release/STEP.log and stops everything when it fails.
set -eu
cd "$(dirname "$0")/.."

results=build/release
mkdir -p "$results"

# With && since the shell does not stop at failures in what || follows.
with_default() { # COMMAND...
  cmake --preset default && cmake --build --preset default --parallel "$(nproc)" && "$@"
}

run_step() {
  case $1 in
    builds) STRIDED_PRESETS="default clang clang19-libc++ asan tsan mingw" sh tests/run.sh ;;
    deep) sh tests/deep.sh ;;
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
  case $1 in
    builds | deep)
      sed -n 's/^== \([^:]*\): result$/\1:/p; s/^\([0-9]*% tests passed.*\)/  \1/p
        /^Total Test time/s/^/  /p; /^fuzz_/s/^/  /p; /^random[.].*cases from/s/^/  /p' "$results/$1.log"
      ;;
    large) grep 'tests passed' "$results/large.log" ;;
    fuzz) grep '^fuzz_' "$results/fuzz.log" ;;
    random | slices) grep -E 'cases from seed|slices|PASSED|FAILED' "$results/$1.log" ;;
    faults) tail -n 1 "$results/faults.log" ;;
    coverage) tail -n 1 "$results/coverage.log" ;;
  esac
}

report() {
  echo "# Release report"
  echo
  echo "Written by \`tests/release.sh\`; the steps are described there."
  for step in builds deep large fuzz random slices faults coverage; do
    [ -f "$results/$step.log" ] || continue
    printf '\n## %s\n\n' "$step"
    sed -n 's/^release: //p' "$results/$step.log"
    printf '\n```text\n'
    told_by "$step"
    printf '```\n'
  done
  # The tables.
  [ ! -f "$results/faults.md" ] || { printf '\n## The faults\n\n'; sed 1,2d "$results/faults.md"; }
  [ ! -f build/coverage/report.md ] || { printf '\n## The coverage\n\n'; sed 1,2d build/coverage/report.md; }
}

for step in ${*:-builds deep large fuzz random slices faults coverage report}; do
  if [ "$step" = report ]; then
    report >tests/release_report.md
    echo "tests/release_report.md"
    continue
  fi
  log=$results/$step.log
  echo "$step: $log"
  # When, what and where, for the report.
  echo "release: $(date +%F), commit $(git rev-parse --short HEAD), $(nproc) processors" \
    "($(uname -m), $(grep -o -m 1 -w -e avx512_vbmi2 -e avx2 /proc/cpuinfo | tail -n 1))." >"$log"
  run_step "$step" >>"$log" 2>&1 || { tail -n 40 "$log"; exit 1; }
done
