#!/bin/sh
# The release tier, hours: every fault of tests/mutation against the fast tests, all 168 million
# slices of two dimensions, ten times the random cases. Its tables go to build/release.
set -eu
cd "$(dirname "$0")/.."

sh tests/deep.sh
report=build/release
mkdir -p "$report"
STRIDED_TEST_EVERY=1 build/default/tests/test_property \
  --gtest_filter=StridedSliceProperty.TwoDimensionsAllMasks | tee "$report/slices.txt"
STRIDED_TEST_CASES=1000000 STRIDED_TEST_SEED="$(date +%s)" build/default/tests/test_property \
  --gtest_filter='CopyProperty/*:PlanProperty.AnyWidth*:PlanProperty.Common*' \
  | tee "$report/random.txt"
python3 tests/mutation/run.py --jobs "$(nproc)" --report "$report/mutation.md"
