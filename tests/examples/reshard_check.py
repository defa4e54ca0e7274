"""reshard_check.py COMMAND...: runs the reshard example on files of NumPy's and compares with NumPy."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

random = np.random.default_rng(7)
with tempfile.TemporaryDirectory() as folder:
    source, target = pathlib.Path(folder, "x.npy"), pathlib.Path(folder, "y.npy")
    for shape, dtype, order in [((37, 53), "<f4", "C"), ((64, 8), "<f8", "F"), ((3, 200), "u1", "C"),
                                ((2, 3), "<c16", "C"), ((50, 1), "<i2", "C")]:
        x = np.asarray(random.integers(0, 255, shape), dtype=dtype, order=order)
        np.save(source, x)
        subprocess.run([*sys.argv[1:], str(source), str(target)], check=True)
        y = np.load(target)
        assert y.dtype == x.dtype and y.shape == x.T.shape and (y == x.T).all(), (shape, dtype)
