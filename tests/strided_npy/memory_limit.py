#!/usr/bin/env python3
"""Permutes a .npy file larger than the memory that strided_npy may use, and counts what is read.

    memory_limit.py --program build/strided_npy [--mebibytes 1024] [--limit 192] [--folder DIR]

The limit is the kernel's: a memory control group, which counts the pages of mapped files too. Needs
root and a group that may be made; where that is not so, says that this machine lacks it. Beside the
copy runs `cp` of the same file under the same limit: the pace of the disk.
"""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np

MIB = 1 << 20
ROOTS = (("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"),
         ("/sys/fs/cgroup", "memory.max", "memory.peak"))


class Group:
    """A memory control group, version 1 or 2, with a limit."""

    def __init__(self, limit):
        for root, limit_name, peak_name in ROOTS:
            self.folder = pathlib.Path(root, f"strided_test_{os.getpid()}")
            try:
                self.folder.mkdir()
            except OSError:
                continue
            try:
                (self.folder / limit_name).write_text(str(limit))
            except OSError:
                self.folder.rmdir()
                continue
            self.peak_file = self.folder / peak_name
            return
        sys.exit("this machine lacks a memory control group that this user may make")

    def run(self, command):
        """Seconds, bytes read from the disk and bytes written to it."""
        def enter():
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        subprocess.run(command, check=True, preexec_fn=enter)
        seconds = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (seconds, 512 * (after.ru_inblock - before.ru_inblock),
                512 * (after.ru_oublock - before.ru_oublock))

    def peak(self):
        return int(self.peak_file.read_text()) if self.peak_file.is_file() else None

    def remove(self):
        for _ in range(50):
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.1)  # its last process is not quite gone


def forget(path):
    """Takes the pages of a file out of memory, so that they are read from the disk."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def write_input(path, shape):
    """Elements that tell where they were."""
    array = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint32, shape=shape)
    width = shape[1]
    for row in range(0, shape[0], 256):
        rows = array[row:row + 256]
        first = np.uint32(row * width)
        rows[:] = (np.arange(rows.size, dtype=np.uint32) + first).reshape(rows.shape)
    array.flush()


def is_transposed(path, shape):
    array = np.load(path, mmap_mode="r")
    if array.shape != shape[::-1] or array.dtype != np.uint32:
        return False
    down = np.arange(shape[0], dtype=np.uint32) * np.uint32(shape[1])
    return all(np.array_equal(array[row], down + np.uint32(row)) for row in range(shape[1]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--mebibytes", type=int, default=1024, help="of the file")
    parser.add_argument("--limit", type=int, default=192, help="MiB of memory")
    parser.add_argument("--folder", default=None, help="on a disk, not in memory")
    options = parser.parse_args()
    size = options.mebibytes * MIB
    group = Group(options.limit * MIB)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="strided_memory_", dir=options.folder))
    try:
        ok = True
        # Square, and so narrow that a column is megabytes.
        side = int((size // 4) ** 0.5)
        for shape in ((side, side), (size // 4 // 128, 128)):
            source, target = folder / "x.npy", folder / "y.npy"
            write_input(source, shape)
            forget(source)
            disk, *_ = group.run(["cp", source, target])
            target.unlink()
            forget(source)
            seconds, read, written = group.run(
                [options.program, "permute", source, "--axes", "1,0", "-o", target])
            forget(target)
            right = is_transposed(target, shape)
            print(f"{shape[0]} x {shape[1]}, {size / MIB:.0f} MiB with {options.limit} MiB of "
                  f"memory: {'right' if right else 'WRONG'}, {seconds:.1f} s (cp {disk:.1f} s), "
                  f"{read / size:.2f} of the file read, {written / size:.2f} written", flush=True)
            ok = ok and right and read < 1.5 * size and written < 1.5 * size
            target.unlink()
        if group.peak() is not None:
            print(f"at most {group.peak() / MIB:.0f} MiB at a time")
        sys.exit(not ok)
    finally:
        shutil.rmtree(folder)
        group.remove()


if __name__ == "__main__":
    main()
