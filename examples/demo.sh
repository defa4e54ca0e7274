#!/bin/sh
# Builds the examples and runs the demonstration.
set -eu
cd "$(dirname "$0")/.."

sh cmake/apt_install.sh g++ cmake ninja-build libcli11-dev python3-numpy
cmake --preset demo
cmake --build --preset demo --parallel "$(nproc)"
sh examples/demo/run.sh build/demo
