#!/bin/sh
# fuzz.sh [SECONDS [BODY...]]   Builds the fuzzers with clang's address and undefined-behaviour
# sanitizers and runs each for so many seconds (60), or those named. Inputs that reach new code are
# kept in build/fuzz/found; the corpus in tests/fuzz/corpus is only read. Fails on the first finding:
# its input is in build/fuzz/found too, and the fuzzer with that file as its argument repeats it.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
[ "$#" -eq 0 ] || shift
bodies=${*:-as_strided copy layout npy_header overlap strided_slice}
sh cmake/apt_install.sh clang libclang-rt-dev cmake ninja-build libgtest-dev nlohmann-json3-dev
cmake --preset fuzz
cmake --build --preset fuzz --parallel "$(nproc)"

for body in $bodies; do
  found=build/fuzz/found/$body
  log=build/fuzz/$body.log
  dictionary=tests/fuzz/$body.dict
  mkdir -p "$found"
  [ -f "$dictionary" ] && use_dictionary=-dict=$dictionary || use_dictionary=
  # An input takes about a millisecond: one of several seconds is a finding as well.
  if ! "build/fuzz/tests/fuzz/fuzz_$body" -max_total_time="$seconds" -timeout=10 -max_len=512 \
    -len_control=0 -print_final_stats=1 -artifact_prefix="$found/finding-" $use_dictionary \
    "$found" "tests/fuzz/corpus/$body" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "fuzz_$body: a finding; all of it is in $log"
    exit 1
  fi
  awk -v body="$body" '/stat::number_of_executed_units/ { executions = $2 }
    /stat::new_units_added/ { new = $2 }
    END { print "fuzz_" body ": " executions " executions, " new " inputs added" }' "$log"
done
