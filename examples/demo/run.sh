#!/bin/sh
# The main job of the library on real files, each result verified: sh run.sh <build directory>
set -eu

if [ $# -ne 1 ]; then
  echo "usage: run.sh <build directory>" >&2
  exit 2
fi
build=$1
for program in "$build/examples/strided_npy" "$build/strided_npy" ''; do
  [ -x "$program" ] && break
done
if [ -z "$program" ]; then
  echo "run.sh: no strided_npy in $build; build it first" >&2
  exit 2
fi
program=$(cd "$(dirname "$program")" && pwd)/strided_npy

python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
if ! "$python" -c 'import numpy' 2>/dev/null; then
  echo "run.sh: needs a python3 with NumPy (Debian: apt-get install python3-numpy)" >&2
  exit 2
fi

files=$build/demo_files
mkdir -p "$files"
cd "$files"
rm -f ./*.npy ./*.svg

title() { printf '\n== %s\n' "$1"; }

# Shows a command, then runs it; what fails ends the demonstration.
run() {
  printf '$ strided_npy'
  for argument in "$@"; do
    case $argument in
      '' | *[!A-Za-z0-9_.,=/:-]*) printf " '%s'" "$argument" ;;
      *) printf ' %s' "$argument" ;;
    esac
  done
  printf '\n'
  if ! "$program" "$@"; then
    echo "FAILED: the command above" >&2
    exit 1
  fi
}

# Runs a command that writes $1, verified, and shows some of its values.
make() {
  output=$1
  shift
  run "$@" --verify -o "$output"
  "$program" info "$output" --values 12 | sed -n 's/^  values  /  /p'
}

title 'Arrays made by NumPy: 3 x 3 int64, a float16 tensor, an image of bytes'
"$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
np.save("nine.npy", np.arange(1, 10, dtype="i8").reshape(3, 3))
np.save("half.npy", (np.arange(48, dtype="f2") / 4).reshape(2, 4, 6))
np.save("value.npy", np.full((2, 2, 3), -1, dtype="f2"))
row, column = np.mgrid[0:1080, 0:1920]
image = np.stack([row // 5, column // 8, rng.integers(0, 256, row.shape)], axis=2)
np.save("image.npy", image.astype("u1"))
PYTHON
run info half.npy --values 7

title 'AsStrided: y[i][j] = x[offset + 2 i + 3 j], the example of the specification'
make as_strided_0.npy as_strided nine.npy --size 2,2 --stride 2,3
make as_strided_2.npy as_strided nine.npy --size 2,2 --stride 2,3 --offset 2

title 'What (shape, strides, offset) means: which cells of a 10 x 10 storage are touched'
run show --storage 10x10 --size 6,5 --stride 10,1 --offset 22 --svg example_1.svg
run show --storage 10x10 --size 4,3 --stride 20,2 --offset 22 --svg example_2.svg

title 'StridedSlice with masks: half[..., 1, ::-2]'
make slice.npy slice half.npy --begin 0,1,0 --end 0,0,0 --strides 1,1,-2 \
  --ellipsis-mask 1 --shrink-axis-mask 0b010 --begin-mask 0b100 --end-mask 0b100

title 'StridedSliceAssign with masks: half[:, 1:4:2, 3:] = value'
make assign.npy assign half.npy value.npy --begin 0,1,3 --end 0,4,0 --strides 1,2,1 \
  --begin-mask 0b001 --end-mask 0b101

title 'An image of 1080 x 1920 x 3 bytes to planes, and mirrored: how, and how fast'
make planes.npy permute image.npy --axes 2,0,1 --explain --time
make mirrored.npy flip image.npy --axis 1 --time

# The reference has agreed in every step, else we were not here; NumPy is asked as well.
"$python" - <<'PYTHON'
import sys
import numpy as np
nine, half, value, image = (np.load(name + ".npy") for name in ("nine", "half", "value", "image"))
assigned = half.copy()
assigned[:, 1:4:2, 3:] = value
window = np.lib.stride_tricks.as_strided
expected = {
    "as_strided_0": window(nine.ravel(), (2, 2), (16, 24)),
    "as_strided_2": window(nine.ravel()[2:], (2, 2), (16, 24)),
    "slice": half[..., 1, ::-2],
    "assign": assigned,
    "planes": np.transpose(image, (2, 0, 1)),
    "mirrored": np.flip(image, 1),
}
count = 0
for name, wanted in expected.items():
    result = np.load(name + ".npy")
    if (result.dtype, result.shape, result.tobytes()) != (
            wanted.dtype, wanted.shape, wanted.tobytes()):
        sys.exit("FAILED: %s.npy differs from NumPy" % name)
    count += result.size
print("\nAll %d results, %d elements, were checked bit for bit, by the reference and by NumPy "
      "%s." % (len(expected), count, np.__version__))
PYTHON
