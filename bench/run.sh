#!/bin/sh
# Builds the benchmarks, runs them, and writes bench/cases.svg and the tables of bench/README.md.
#
# --quick measures briefly, and writes picture and tables beside the build instead. PyTorch takes
# part where python3 can import it (Debian: python3-torch).
set -eu
cd "$(dirname "$0")/.."

quick=
case ${1:-} in
  '') ;;
  --quick) quick=1 ;;
  *) echo "usage: run.sh [--quick]" >&2; exit 2 ;;
esac

sh cmake/apt_install.sh g++ cmake ninja-build libgtest-dev nlohmann-json3-dev libcli11-dev \
  libfp16-dev libbenchmark-dev libeigen3-dev libdnnl-dev libopenblas-dev libtbb-dev python3-numpy python3-matplotlib
cmake --preset default
cmake --build --preset default --target bench_cases bench_sweeps bench_threads

python=python3
"$python" -c 'import numpy, matplotlib' 2>/dev/null || python=/usr/bin/python3

results=build/default/bench/results
mkdir -p "$results"
seconds=0.6
picture=bench/cases.svg
if [ -n "$quick" ]; then
  seconds=0.03
  picture=$results/cases.svg
fi

# One thread, and nothing else running: the figures are ratios, but noise is noise.
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
build/default/bench/bench_cases --seconds="$seconds" --benchmark_counters_tabular=true \
  --benchmark_out="$results/cases.json" --benchmark_out_format=json
echo "NumPy and PyTorch ..."
"$python" bench/peers.py --seconds "$seconds" > "$results/peers.jsonl"
build/default/bench/bench_sweeps --seconds="$seconds" --benchmark_min_time=0.05 \
  --benchmark_out="$results/sweeps.json" --benchmark_out_format=json
env -u OMP_NUM_THREADS build/default/bench/bench_threads --seconds="$seconds" \
  --benchmark_out="$results/threads.json" --benchmark_out_format=json

"$python" bench/plot.py "$results" "$picture"
if [ -n "$quick" ]; then
  "$python" bench/report.py "$results" > "$results/report.md"
  cat "$results/report.md"
else
  "$python" bench/report.py "$results" --into bench/README.md
fi
echo "Picture: $picture"
