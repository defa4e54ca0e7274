#!/bin/sh
# Checks the format of every C++ file; with the argument `fix`, mends it. Needs clang-format 14.
set -eu
cd "$(dirname "$0")/.."

mode=--dry-run
[ "${1:-}" != fix ] || mode=-i
find include tests examples bench -type f \( -name '*.hpp' -o -name '*.inl' -o -name '*.cpp' \) -exec \
  clang-format --Werror "$mode" {} +
