#!/bin/sh
# Builds strided_npy and runs the demonstration with it.
set -eu
cd "$(dirname "$0")/.."

sh cmake/apt_install.sh g++ cmake ninja-build libcli11-dev libfp16-dev python3-numpy
cmake --preset demo
cmake --build --preset demo --parallel "$(nproc)" --target strided_npy
sh examples/demo/run.sh build/demo
