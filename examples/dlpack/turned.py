"""Hands NumPy arrays to turned() of turned.cpp and takes its results, both without a copy.

    python3 turned.py build/default/examples/libturned.so
"""
import ctypes
import sys

import numpy as np

# Not CDLL: the deleter of a NumPy tensor needs Python's lock.
library = ctypes.PyDLL(sys.argv[1])
library.turned.argtypes = [ctypes.c_void_p]
library.turned.restype = ctypes.c_void_p

api = ctypes.pythonapi
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_New.restype = ctypes.py_object

NAME, USED = b"dltensor", b"used_dltensor"  # capsules point to these


class Tensor:
    """A managed tensor as np.from_dlpack and torch.from_dlpack want it."""

    def __init__(self, managed):
        self.managed = managed

    def __dlpack__(self, **_):
        return api.PyCapsule_New(self.managed, NAME, None)

    def __dlpack_device__(self):
        return 1, 0  # kDLCPU


def turned(array):
    capsule = array.__dlpack__()
    managed = api.PyCapsule_GetPointer(capsule, NAME)
    api.PyCapsule_SetName(capsule, USED)  # the tensor is no longer the capsule's
    result = library.turned(managed)
    if result is None:
        raise ValueError("turned() wants an array of float32 with two dimensions or more")
    return np.from_dlpack(Tensor(result))


a = np.arange(6, dtype=np.float32).reshape(2, 3)
b = turned(a)
print(b)
a[0, 2] = 20
print(b[0, 0], "in the same memory" if np.shares_memory(a, b) else "COPIED")
