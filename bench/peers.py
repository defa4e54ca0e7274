"""NumPy and, where it can be imported, PyTorch on the cases of cases.txt.

Prints a JSON object a line, of the shape that Google Benchmark gives a benchmark. The unit of
x_memcpy is numpy.copyto of the payload as contiguous bytes, measured in turn with the peers.

    python3 bench/peers.py --filter '^T2d' --seconds 1
"""

import argparse
import json
import mmap
import os
import re
import statistics
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np

import cases

try:
    import torch
    torch.set_num_threads(1)
except ImportError:
    torch = None

HUGE_PAGE_BYTES = 2 << 20
CACHED_BYTES = 64 << 20  # up to here a repeated copy may find its data in a cache
BATCH_SECONDS = 100e-6
LEAST_ROUNDS, MOST_ROUNDS = 5, 301

NUMPY_TYPES = {1: "u1", 2: "u2", 4: "f4", 8: "f8", 16: "c16"}


def buffer(size):
    """Bytes aligned to a huge page, advised to be made of them, every page touched."""
    memory = mmap.mmap(-1, size + 2 * HUGE_PAGE_BYTES)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    whole = np.frombuffer(memory, np.uint8)
    start = -whole.ctypes.data % HUGE_PAGE_BYTES
    aligned = whole[start:start + size]
    aligned[:] = 1
    return aligned


def views(case, src, dst):
    kind = np.dtype(NUMPY_TYPES[case.element_bytes])

    def view(storage, strides, offset):
        return np.lib.stride_tricks.as_strided(
            storage.view(kind)[offset:], case.shape, [s * kind.itemsize for s in strides])

    return (view(src, case.src_strides, case.src_offset),
            view(dst, case.dst_strides, case.dst_offset))


def torch_views(case, src, dst):
    kind = np.dtype(NUMPY_TYPES[case.element_bytes])
    if kind == "u2":  # a type that PyTorch has
        kind = np.dtype("i2")
    return (torch.from_numpy(src.view(kind)).as_strided(
                case.shape, case.src_strides, case.src_offset),
            torch.from_numpy(dst.view(kind)).as_strided(
                case.shape, case.dst_strides, case.dst_offset))


def run(work, count):
    start = time.process_time()  # as timing.hpp: of all threads, and of this process only
    for _ in range(count):
        work()
    return time.process_time() - start


def median_seconds(works, budget, touched_bytes):
    """All works in turn, round after round; the median seconds of one run of each."""
    batches = []
    for work in works:
        work()
        batch = 1
        while run(work, batch) < BATCH_SECONDS:
            batch *= 2
        batches.append(batch)
    samples = [[] for _ in works]
    start = time.perf_counter()
    for count in range(MOST_ROUNDS):
        if count >= LEAST_ROUNDS and time.perf_counter() - start > budget:
            break
        for work, batch, times in zip(works, batches, samples):
            if touched_bytes <= CACHED_BYTES:
                work()
            times.append(run(work, batch) / batch)
    return [statistics.median(times) for times in samples]


def measure(case, seconds):
    src, dst = (buffer(n * case.element_bytes) for n in (case.src_elements, case.dst_elements))
    src[:] = np.random.default_rng(1).integers(32, 96, src.size, np.uint8)
    payload, payload_copy = buffer(case.payload_bytes), buffer(case.payload_bytes)
    from_view, to_view = views(case, src, dst)

    peers = {"NumPy": lambda: np.copyto(to_view, from_view)}
    if torch is not None and min(case.src_strides) >= 0:  # it knows no others
        from_tensor, to_tensor = torch_views(case, src, dst)
        peers["PyTorch"] = lambda: to_tensor.copy_(from_tensor)
    for name, copy in peers.items():
        dst[:] = 1
        copy()
        if not np.array_equal(from_view, to_view):
            sys.exit(f"{case.name}: the result of {name} is wrong")

    works = [lambda: np.copyto(payload_copy, payload), *peers.values()]
    memcpy, *times = median_seconds(works, seconds, min(src.size, case.payload_bytes) + dst.size)
    for name, own in zip(peers, times):
        print(json.dumps({
            "name": f"{case.name}/{name}",
            "real_time": own * 1e6,
            "time_unit": "us",
            "bytes_per_second": case.payload_bytes / own,
            "x_memcpy": own / memcpy,
        }), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default="", help="regular expression on the names of cases")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each case")
    arguments = parser.parse_args()
    for case in cases.read():
        if re.search(arguments.filter, case.name):
            measure(case, arguments.seconds)


if __name__ == "__main__":
    main()
