"""Runs the table of docs/guide.md under NumPy, and under PyTorch and TensorFlow where they are
installed, and compares what each row makes with what the last column's code printed.

    guide_check.py guide.md guide_rows
"""

import re
import subprocess
import sys


def text_of(value):
    """As guide_rows.hpp prints it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if type(value).__name__ in ("Size", "TensorShape"):
        return str(tuple(value))
    if isinstance(value, (list, tuple)):
        if value and not isinstance(value[0], int):
            return "".join(text_of(part) + "; " for part in value)
        return str(tuple(value))
    array = numpy.asarray(value)
    if array.ndim == 0:
        return text_of(array.item())
    return " ".join([str(array.shape)] + [str(element) for element in array.ravel()])


def result_of(code, names):
    try:
        value = eval(code, names)
        if code.startswith(("y.", "x.")) and re.search(r"_\(|assign\(", code):
            value = None  # returns what it wrote to
    except SyntaxError:
        exec(code, names)
        value = None
    if value is None:
        return text_of(names["x"]) + " and " + text_of(names["y"])
    return text_of(value)


def numpy_names():
    return {
        "np": numpy,
        "as_strided": numpy.lib.stride_tricks.as_strided,
        "sliding_window_view": numpy.lib.stride_tricks.sliding_window_view,
        "x": numpy.arange(60, dtype=numpy.int32).reshape(3, 4, 5),
        "y": numpy.zeros((3, 4, 5), dtype=numpy.int32),
    }


def torch_names():
    names = numpy_names()
    return {"torch": torch, "x": torch.from_numpy(names["x"]), "y": torch.from_numpy(names["y"])}


def tensorflow_names():
    names = numpy_names()
    return {"tf": tensorflow, "x": tensorflow.Variable(names["x"]), "y": tensorflow.Variable(names["y"])}


def main(guide, program):
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    rows = dict(line.split(": ", 1) for line in printed.splitlines())
    checked = {"NumPy": 0, "PyTorch": 0, "TensorFlow": 0}
    differing = 0
    for line in open(guide, encoding="utf-8"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != 6 or cells[0] not in rows:
            continue
        for neighbour, cell in zip(checked, cells[1:4]):
            if neighbour not in names_of or not cell.startswith("`"):
                continue
            code = cell.split("`")[1]
            try:
                made = result_of(code, names_of[neighbour]())
            except Exception as error:  # a row that does not run is as wrong as one that differs
                made = f"{type(error).__name__}: {error}"
            checked[neighbour] += 1
            if made.strip() != rows[cells[0]].strip():
                differing += 1
                print(f"{cells[0]}: {neighbour} {code}\n  {made}\n  strided\n  {rows[cells[0]]}")
    print(f"{len(rows)} rows; compared with", ", ".join(f"{n} {c}" for n, c in checked.items()))
    if differing or checked["NumPy"] < len(rows) / 2:
        sys.exit(f"{differing} cells differ")


import numpy  # noqa: E402

names_of = {"NumPy": numpy_names}
try:
    import torch

    names_of["PyTorch"] = torch_names
except ImportError:
    pass
try:
    import tensorflow

    names_of["TensorFlow"] = tensorflow_names
except ImportError:
    pass
main(*sys.argv[1:])
