#!/bin/sh
# fuzz.sh [SECONDS [BODY...]]   Builds the fuzzers with clang's address and undefined-behaviour
# sanitizers and runs each for so many seconds (60), or those named, as many at a time as there are
# processors. Inputs that reach new code are kept in build/fuzz/found; the corpus in
# tests/fuzz/corpus is only read. Fails on a finding: its input is in build/fuzz/found too, and the
# fuzzer with that file as its argument repeats it.
set -eu
cd "$(dirname "$0")/.."

run_one() { # BODY SECONDS
  found=build/fuzz/found/$1
  log=build/fuzz/$1.log
  dictionary=tests/fuzz/$1.dict
  mkdir -p "$found"
  [ -f "$dictionary" ] && use_dictionary=-dict=$dictionary || use_dictionary=
  # An input takes about a millisecond, bit maps of 64 MiB with sanitizers 8 seconds.
  if ! "build/clang-asan/tests/fuzz/fuzz_$1" -max_total_time="$2" -timeout=30 -max_len=512 \
    -len_control=0 -print_final_stats=1 -artifact_prefix="$found/finding-" $use_dictionary \
    "$found" "tests/fuzz/corpus/$1" >"$log" 2>&1; then
    tail -n 60 "$log"
    echo "fuzz_$1: a finding; all of it is in $log"
    return 1
  fi
  awk -v body="$1" '/stat::number_of_executed_units/ { executions = $2 }
    /stat::new_units_added/ { new = $2 }
    END { print "fuzz_" body ": " executions " executions, " new " inputs added" }' "$log"
}

if [ "${1:-}" = --one ]; then
  run_one "$2" "$3"
  exit
fi

seconds=${1:-60}
[ "$#" -eq 0 ] || shift
bodies=${*:-as_strided copy layout npy_header overlap strided_slice}
sh cmake/apt_install.sh clang libclang-rt-dev cmake ninja-build libgtest-dev nlohmann-json3-dev \
  libcli11-dev libfp16-dev
cmake --preset clang-asan
cmake --build --preset fuzz --parallel "$(nproc)"
printf '%s\n' $bodies | xargs -P "$(nproc)" -I BODY sh tests/fuzz.sh --one BODY "$seconds"
