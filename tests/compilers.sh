#!/bin/sh
# Every compiler of the list that is installed, with C++20 and C++23: all headers that need no
# neighbour, without a warning, and three examples, whose output is compared. Half a minute for each.
set -eu
cd "$(dirname "$0")/.."

warnings="-Werror -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast
  -Wcast-align -Wundef -Wno-psabi"
wine=${WINE:-/usr/lib/wine/wine64}
work=$(mktemp -d)
export WINEPREFIX="$work/wine" WINEDEBUG=-all
clean_up() {
  if [ -d "$WINEPREFIX" ]; then "${wine%/*}/wineserver64" -w || :; fi  # it ends after its programs
  rm -rf "$work"
}
trap clean_up EXIT

find include -name '*.hpp' | sed 's|^include/||' | sort |
  grep -Ev 'interop/(dlpack|eigen|mdspan|mpi|openmp|tbb|xtensor)' | sed 's|.*|#include "&"|' >"$work/headers.cpp"

failed=
# try COMPILER OPTION...
try() {
  command -v "$1" >/dev/null 2>&1 || { echo "skipped, not installed: $*"; return 0; }
  echo 'int main() {}' >"$work/probe.cpp"
  "$@" "$work/probe.cpp" -o "$work/probe" 2>/dev/null || { echo "skipped, cannot: $*"; return 0; }
  run=
  case $1 in *mingw*) run=$wine; [ -x "$wine" ] || { echo "no Wine, compiled only: $*"; run=:; } ;; esac
  if check "$@"; then echo "passed: $*"; else echo "FAILED: $*"; failed=1; fi
}
check() {
  "$@" $warnings -Iinclude -fsyntax-only "$work/headers.cpp" || return 1
  for name in quick_start slice_assign_masks im2col; do
    "$@" $warnings -O1 -Iinclude "examples/$name.cpp" -o "$work/$name.exe" || return 1
    [ "$run" != : ] || continue
    $run "$work/$name.exe" | tr -d '\r' | sed -E 's/[0-9]+\.[0-9]+/<number>/g' >"$work/printed" || return 1
    sed -E 's/[0-9]+\.[0-9]+/<number>/g' "tests/examples/$name.txt" | diff - "$work/printed" || return 1
  done
}

for standard in c++20 c++2b; do  # 2b: clang 14 does not know 23 by its name
  for compiler in g++-12 g++-13 g++-14 g++-15 clang++-14 clang++-17 clang++-19 clang++-20 clang++-21; do
    try $compiler -std=$standard
  done
  try clang++-19 -std=$standard -stdlib=libc++
  try x86_64-w64-mingw32-g++-posix -std=$standard -static
done
[ -z "$failed" ]
