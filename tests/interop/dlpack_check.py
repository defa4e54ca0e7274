#!/usr/bin/env python3
"""Hands DLPack tensors to NumPy and PyTorch and takes theirs, without a copy and without a leak.

    dlpack_check.py --library build/.../libstrided_dlpack_check.so

What the library takes is compared with the array it came from: shape, strides, address, every byte.
What it gives is compared with numpy.lib.stride_tricks.as_strided over the same bytes. References
are counted before, during and after. PyTorch is left out, and said to be, where it is not there.
"""
import argparse
import ctypes
import itertools
import sys

import numpy as np

try:
    import torch
except ImportError:
    torch = None

KINDS = {"i": 0, "u": 1, "f": 2, "c": 5}
DTYPES = [np.dtype(name) for name in
          ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")]
MAX_RANK = 32

cases = 0


def check(condition, *what):
    global cases
    cases += 1
    if not condition:
        raise SystemExit("dlpack_check: wrong: " + " ".join(str(part) for part in what))


# Capsules, as every Python library makes and takes them.
NAME, USED = b"dltensor", b"used_dltensor"
api = ctypes.pythonapi
Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)  # no py_object: it has no references left
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, Destructor]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", api))
get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", api))


class Library:
    def __init__(self, path):
        # Deleters of Python's tensors need Python's lock, so it is kept during calls.
        self.c = ctypes.PyDLL(path)
        for name in ("check_look", "check_clear", "check_pass_on", "check_export"):
            getattr(self.c, name).restype = ctypes.c_char_p
        self.c.check_take.restype = ctypes.c_void_p
        self.c.check_living.restype = ctypes.c_int64
        self.end_unused = Destructor(self._end_unused)

    def _end_unused(self, capsule):
        if is_valid(capsule, NAME):
            self.c.check_end(ctypes.c_void_p(get_pointer(capsule, NAME)))

    def living(self):
        return self.c.check_living()

    def capsule(self, managed):
        return api.PyCapsule_New(managed, NAME, self.end_unused)

    def exported(self, dtype, count, shape, strides, offset, code=None):
        """A capsule, and the address of the storage."""
        managed, address = ctypes.c_void_p(), ctypes.c_uint64()
        error = self.c.check_export(
            KINDS[dtype.kind] if code is None else code, 8 * dtype.itemsize, ctypes.c_int64(count),
            ctypes.c_int64(len(shape)), longs(shape), longs(strides), ctypes.c_int64(offset),
            ctypes.byref(managed), ctypes.byref(address))
        check(error is None, "export", dtype, shape, strides, offset, error)
        return self.capsule(managed), address.value


def longs(numbers):
    return (ctypes.c_int64 * max(len(numbers), 1))(*numbers)


class Taken:
    """A tensor that the library took out of a capsule."""

    def __init__(self, library, capsule):
        self.library = library
        managed = get_pointer(id(capsule), NAME)
        check(managed, "a capsule named dltensor")
        api.PyCapsule_SetName(capsule, USED)
        self.handle = ctypes.c_void_p(library.c.check_take(ctypes.c_void_p(managed)))

    def drop(self):
        self.library.c.check_drop(self.handle)

    def look(self, room, strict=False):
        """Shape, strides, address and the bytes of all elements; or the error's text."""
        rank, lists = ctypes.c_int64(), (ctypes.c_int64 * (2 * MAX_RANK))()
        address, content = ctypes.c_uint64(), ctypes.create_string_buffer(room + 1)
        error = self.library.c.check_look(self.handle, int(strict), ctypes.byref(rank), lists,
                                          ctypes.byref(address), content)
        if error is not None:
            return error.decode()
        n = rank.value
        return tuple(lists[:n]), tuple(lists[n:2 * n]), address.value, content.raw[:room]

    def clear(self):
        error = self.library.c.check_clear(self.handle)
        check(error is None, "clear", error)

    def pass_on(self, axes):
        managed = ctypes.c_void_p()
        error = self.library.c.check_pass_on(self.handle, longs(axes), ctypes.c_int64(len(axes)),
                                             ctypes.byref(managed))
        check(error is None, "pass on", error)
        return self.library.capsule(managed)


class Exporter:
    """What from_dlpack functions ask for; gives its capsule away once."""

    def __init__(self, capsule):
        self.held = [capsule]

    def __dlpack__(self, *, stream=None):
        return self.held.pop()

    def __dlpack_device__(self):
        return (1, 0)


def same_strides(shape, a, b):
    """Strides of axes that have less than two elements say nothing."""
    return 0 in shape or all(x == y for n, x, y in zip(shape, a, b) if n > 1)


def arrays(dtype):
    """Arrays of every kind of layout, each with memory of its own."""
    def base(*shape):
        count = int(np.prod(shape, dtype=int))
        content = (np.arange(count * dtype.itemsize) % 251).astype("u1").tobytes()
        return np.frombuffer(bytearray(content), dtype=dtype).reshape(shape)

    yield base(2, 3, 4)
    yield np.asfortranarray(base(3, 5))
    yield base(4, 6).T
    yield base(6, 8)[::-1, ::2]
    yield base(6, 8)[4:1:-2, ::-1]
    yield base(2, 3, 4).transpose(2, 0, 1)[::-1]
    yield base(5)[3:]
    yield base(1)[0:1].reshape(())
    yield base(3, 1, 4)[:, :, ::-1]
    yield base(*[1] * MAX_RANK)
    yield base(0)
    yield base(3, 0, 2)
    yield base(4, 4)[::-1, 2:2]
    yield np.lib.stride_tricks.as_strided(base(9), (3, 4), (2 * dtype.itemsize, dtype.itemsize))
    yield np.lib.stride_tricks.as_strided(base(4), (3, 4), (0, dtype.itemsize))


def views():
    """Elements of storage, shape, strides, offset."""
    yield 24, (2, 3, 4), (12, 4, 1), 0
    yield 24, (4, 3, 2), (1, 4, 12), 0
    yield 100, (6, 5), (10, 1), 22
    yield 100, (6, 5), (-10, 2), 70
    yield 100, (4, 3, 2), (-7, 20, -1), 50
    yield 6, (4, 3), (0, 2), 1
    yield 6, (3, 4), (1, 1), 0
    yield 6, (), (), 3
    yield 6, (1, 3, 1), (0, 2, -5), 1
    yield 6, (0,), (1,), 0
    yield 6, (2, 0, 3), (-4, 7, 9), 5
    yield 1, (1,) * MAX_RANK, (0,) * MAX_RANK, 0


def from_numpy(library):
    strict_refusals = 0
    for dtype in DTYPES:
        for array in arrays(dtype):
            label = (dtype, array.shape, array.strides)
            before = sys.getrefcount(array)
            taken = Taken(library, array.__dlpack__())
            check(sys.getrefcount(array) == before + 1, "one reference is held", *label)
            shape, strides, address, content = taken.look(array.nbytes)
            elements = [step // dtype.itemsize for step in array.strides]
            check(shape == array.shape, "shape", shape, *label)
            check(same_strides(shape, strides, elements), "strides", strides, *label)
            check(address == (array.ctypes.data if array.size else 0), "address", *label)
            check(content == array.tobytes(), "content", *label)
            strict = taken.look(array.nbytes, strict=True)
            if isinstance(strict, str):  # NumPy leaves out the strides of row-major arrays
                strict_refusals += 1
                check(strict == "dlpack_view: strides is null, %d %s needed; "
                      "DlpackNullStrides::row_major takes null as row-major"
                      % (array.ndim, "entry is" if array.ndim == 1 else "entries are"), strict, *label)
            taken.clear()
            check(not array.any(), "writes arrive", *label)
            taken.drop()
            check(sys.getrefcount(array) == before, "no reference is left", *label)
    print("null strides that the strict mode refused: %d" % strict_refusals)


def to_numpy(library):
    for dtype in DTYPES:
        for count, shape, strides, offset in views():
            label = (dtype, shape, strides, offset)
            capsule, address = library.exported(dtype, count, shape, strides, offset)
            array = np.from_dlpack(Exporter(capsule))
            del capsule
            check(library.living() == 1, "the storage lives", *label)
            content = (np.arange(count * dtype.itemsize) % 251).astype("u1").view(dtype)
            wanted = np.lib.stride_tricks.as_strided(
                content[offset:], shape, [step * dtype.itemsize for step in strides])
            check(array.dtype == dtype and array.shape == shape, "type and shape", array, *label)
            check(same_strides(shape, array.strides, wanted.strides), array.strides, *label)
            check(array.tobytes() == wanted.tobytes(), "content", *label)
            check(not array.size or array.ctypes.data == address + offset * dtype.itemsize,
                  "no copy", *label)
            part = array[..., :1] if array.ndim else array[()]
            del array
            check(library.living() == int(isinstance(part, np.ndarray)), "a part keeps it", *label)
            del part
            check(library.living() == 0, "the storage is gone", *label)
    capsule, _ = library.exported(DTYPES[0], 6, (6,), (1,), 0)
    check(library.living() == 1, "kept by a capsule")
    del capsule
    check(library.living() == 0, "a capsule that nobody takes ends its tensor")


def through_both(library):
    """An array of NumPy, turned by the library, back in NumPy: three owners in a row."""
    for dtype, rank in itertools.product(DTYPES, range(4)):
        array = np.arange(24).astype(dtype)[:2 ** rank].reshape((2,) * rank).copy()
        before = sys.getrefcount(array)
        for axes in itertools.permutations(range(rank)):
            taken = Taken(library, array.__dlpack__())
            turned = np.from_dlpack(Exporter(taken.pass_on(axes)))
            taken.drop()
            wanted = array.transpose(axes)
            wanted = wanted[::-1] if rank else wanted
            check(np.array_equal(turned, wanted), "turned", dtype, axes)
            check(turned.strides == wanted.strides, "strides", dtype, axes)
            check(turned.ctypes.data == wanted.ctypes.data, "no copy", dtype, axes)
            del wanted
            check(sys.getrefcount(array) == before + 1, "one reference", dtype, axes)
            del turned
            check(sys.getrefcount(array) == before, "no reference is left", dtype, axes)


def with_torch(library):
    types = [torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64, torch.float16,
             torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.complex128]
    for kind in types:
        base = torch.arange(60).to(kind)
        for tensor in (base, base.reshape(3, 4, 5), base.reshape(3, 4, 5).permute(2, 0, 1),
                       base[7:43:5], base[9], base[:0].reshape(2, 0), base[:4].expand(3, 4),
                       base.reshape(12, 5)[::2, 1:]):
            label = (kind, tuple(tensor.shape), tensor.stride())
            taken = Taken(library, tensor.__dlpack__())
            plain = tensor.contiguous()
            content = plain.reshape(-1).view(torch.uint8).numpy().tobytes()
            shape, strides, address, given = taken.look(len(content))
            check(shape == tuple(tensor.shape), "shape", *label)
            check(same_strides(shape, strides, tensor.stride()), "strides", strides, *label)
            check(not tensor.numel() or address == tensor.data_ptr(), "no copy", *label)
            check(given == content, "content", *label)
            axes = tuple(reversed(range(tensor.dim())))
            if not any(n > 1 for n in shape[-1:]):  # PyTorch has no negative strides
                back = torch.from_dlpack(Exporter(taken.pass_on(axes)))
                check(back.dtype == kind and back.tolist() == tensor.permute(axes).tolist(), *label)
            taken.drop()
        taken = Taken(library, base.__dlpack__())
        taken.clear()
        check(not any(base.tolist()), "writes arrive", kind)
        taken.drop()
    for dtype in DTYPES:
        if dtype.name in ("uint16", "uint32", "uint64"):
            continue  # not in PyTorch
        for count, shape, strides, offset in views():
            capsule, address = library.exported(dtype, count, shape, strides, offset)
            if any(step < 0 for n, step in zip(shape, strides) if n > 1) and 0 not in shape:
                del capsule
                check(library.living() == 0, "gone")
                continue
            tensor = torch.from_dlpack(Exporter(capsule))
            del capsule
            content = (np.arange(count * dtype.itemsize) % 251).astype("u1").view(dtype)
            wanted = np.lib.stride_tricks.as_strided(
                content[offset:], shape, [step * dtype.itemsize for step in strides])
            check(tensor.contiguous().numpy().tobytes() == wanted.tobytes(), dtype, shape, strides)
            check(not tensor.numel() or tensor.data_ptr() == address + offset * dtype.itemsize,
                  "no copy", dtype, shape, strides)
            check(library.living() == 1, "the storage lives")
            del tensor
            check(library.living() == 0, "the storage is gone", dtype, shape, strides)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True)
    parser.add_argument("--pytorch", action="store_true", help="with PyTorch instead of NumPy")
    options = parser.parse_args()
    if options.pytorch and torch is None:
        print("this machine lacks PyTorch")
        return
    library = Library(options.library)
    for part in (with_torch,) if options.pytorch else (from_numpy, to_numpy, through_both):
        part(library)
    version = f"PyTorch {torch.__version__}" if options.pytorch else f"NumPy {np.__version__}"
    print("%d checks with %s" % (cases, version))


if __name__ == "__main__":
    main()
