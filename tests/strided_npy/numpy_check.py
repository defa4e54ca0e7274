#!/usr/bin/env python3
"""Runs strided_npy on random cases and compares every byte of the results with NumPy.

    numpy_check.py --program build/strided_npy [--cases 1000] [--seed N] [--only CASE]

The expected bytes are NumPy's own: np.transpose, np.flip, np.lib.stride_tricks.as_strided, indexing
with slices, np.newaxis, Ellipsis and integers, and assignment to such an index. NumPy works on the
elements as raw bytes, so that paddings and NaN payloads count too.
"""
import argparse
import collections
import os
import random
import shlex
import subprocess
import sys
import tempfile
import warnings

import numpy as np

DTYPES = [np.dtype(d) for d in (
    "b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "g", "F", "D", "G",
    "m8[ns]", "M8[us]", "M8[25s]", "S1", "S5", "U1", "U7", "V2", "V3", "V16", "V33",
    "i4,f8", [("r", "u1"), ("g", "u1"), ("b", "u1")],
    [("x", "f4", (2, 3)), ("y", [("s", "S3"), ("t", "<M8[D]")])],
)] + [np.dtype([("a", "u1"), ("b", "f8")], align=True), np.dtype({"names": ["\u00e9", "\u6c34"],
                                                                  "formats": ["u2", "u1"]})]


class Case:
    """One command and what it must write; `expected` is None where it must be refused."""

    def __init__(self, op, arguments, inputs, expected, dtype):
        self.op = op
        self.arguments = arguments
        self.inputs = inputs
        self.expected = expected
        self.dtype = dtype


def raw(array):
    return array.view("V%d" % array.dtype.itemsize)


def random_array(rng, dtype, shape):
    count = 1
    for n in shape:
        count *= n
    content = rng.randbytes(count * dtype.itemsize)
    if dtype.kind == "b":
        content = bytes(b & 1 for b in content)
    array = np.frombuffer(content, dtype=dtype).reshape(shape)
    return np.asfortranarray(array) if shape and rng.random() < 0.4 else array


def random_shape(rng, smallest_rank=0, smallest=0):
    rank = rng.choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 5, 8])
    rank = max(rank, smallest_rank)
    largest = {0: 1, 1: 40, 2: 12, 3: 7, 4: 5, 5: 4}.get(rank, 2)
    shape = [rng.randint(1, largest) for _ in range(rank)]
    if smallest == 0 and shape and rng.random() < 0.06:
        shape[rng.randrange(rank)] = 0
    return tuple(shape)


def is_fortran_file(array):
    return array.flags.f_contiguous and not array.flags.c_contiguous


def flag(rng, name, values):
    """A list as an argument, in one of the ways in which it may be written."""
    text = ",".join(str(v) for v in values)
    if rng.random() < 0.2:
        text = rng.choice(["(%s)", "[%s]"]) % text
    return ["%s=%s" % (name, text)] if rng.random() < 0.5 else [name, text]


def case_permute(rng, dtype):
    x = random_array(rng, dtype, random_shape(rng))
    axes = rng.sample(range(x.ndim), x.ndim)
    given = [a - x.ndim if rng.random() < 0.3 else a for a in axes]
    return Case("permute", ["permute", "x.npy"] + flag(rng, "--axes", given), {"x.npy": x},
                np.transpose(raw(x), axes), dtype)


def case_flip(rng, dtype):
    x = random_array(rng, dtype, random_shape(rng, 1))
    axes = rng.sample(range(x.ndim), rng.randint(1, x.ndim))
    given = [a - x.ndim if rng.random() < 0.3 else a for a in axes]
    return Case("flip", ["flip", "x.npy"] + flag(rng, "--axis", given), {"x.npy": x},
                np.flip(raw(x), axes), dtype)


def case_as_strided(rng, dtype):
    rules = rng.choice(["ascend", "ascend", "strided", "torch"])
    x = random_array(rng, dtype, random_shape(rng, 0, 1))
    by_memory = rules != "ascend" and is_fortran_file(x)
    flat = raw(x).ravel(order="F" if by_memory else "C")
    size, stride, lowest, highest = [], [], 0, 0
    for _ in range(rng.randint(0, 5)):
        n = rng.randint(1, 5)
        s = rng.randint(-6 if rules == "strided" else 0, 6)
        low, high = min(0, (n - 1) * s), max(0, (n - 1) * s)
        if highest + high - lowest - low >= flat.size:
            s = low = high = 0
        size.append(n)
        stride.append(s)
        lowest += low
        highest += high
    offset = rng.randint(-lowest, flat.size - 1 - highest)
    refused = False
    if rules != "ascend" and size and rng.random() < 0.1:
        size[rng.randrange(len(size))] = 0
    elif rng.random() < 0.1:
        refused = True  # one element past the end
        offset = flat.size - highest
    arguments = ["as_strided", "x.npy"] + flag(rng, "--size", size) + flag(rng, "--stride", stride)
    if offset != 0 or rng.random() < 0.5:
        arguments += flag(rng, "--offset", [offset])
    if rules != "ascend" or rng.random() < 0.5:
        arguments += ["--rules", rules]
    expected = None
    if not refused:
        expected = np.lib.stride_tricks.as_strided(flat[offset:], size,
                                                   [s * dtype.itemsize for s in stride])
    return Case("as_strided", arguments, {"x.npy": x}, expected, dtype)


def random_bound(rng, extent):
    kind = rng.random()
    if kind < 0.85:
        return rng.randint(-extent - 2, extent + 2)
    return rng.choice([-2**63, 2**63 - 1, -1000, 1000])


def random_slice(rng, shape, ascend):
    """(arguments, index): a spec with masks, and the same as an index of NumPy."""
    kinds = ["range"] * rng.randint(0, len(shape))
    used = len(kinds)
    if rng.random() < 0.4:
        kinds.insert(rng.randint(0, len(kinds)), "ellipsis")
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        kinds.insert(rng.randint(0, len(kinds)), "new")
    begin, end, strides, index = [], [], [], []
    masks = collections.Counter()
    axis = 0
    for position, kind in enumerate(kinds):
        bit = 1 << position
        # What stands at positions that are not read does not matter.
        b, e, s = random_bound(rng, 5), random_bound(rng, 5), rng.randint(-3, 3)
        for name in ("begin", "end", "shrink-axis"):
            if rng.random() < 0.25:
                masks[name] |= bit
        if kind == "ellipsis":
            masks["ellipsis"] |= bit
            masks["new-axis"] |= bit if rng.random() < 0.3 else 0
            axis += len(shape) - used
            index.append(Ellipsis)
        elif kind == "new":
            masks["new-axis"] |= bit
            index.append(np.newaxis)
        else:
            extent = shape[axis]
            last = axis == len(shape) - 1
            axis += 1
            b, e = random_bound(rng, extent), random_bound(rng, extent)
            s = rng.choice([1, 1, 1, 2, 3, 2**63 - 1] if ascend else [1, 1, 2, 3, -1, -2, 7, -2**62])
            if ascend and last:
                s = 1
            if masks["shrink-axis"] & bit and extent > 0:
                b = rng.randint(-extent, extent - 1)
                s = 1
                index.append(b)
            else:
                masks["shrink-axis"] &= ~bit
                index.append(slice(None if masks["begin"] & bit else b,
                                   None if masks["end"] & bit else e, s))
        begin.append(b)
        end.append(e)
        strides.append(s)
    if Ellipsis not in index:
        index.append(Ellipsis)  # else NumPy makes a scalar where an array of rank 0 is meant
    arguments = flag(rng, "--begin", begin) + flag(rng, "--end", end)
    if any(s != 1 for s in strides) or rng.random() < 0.5:
        arguments += flag(rng, "--strides", strides)
    for name, mask in masks.items():
        if mask or rng.random() < 0.1:
            text = rng.choice([str, bin, hex])(mask)
            arguments += ["--%s-mask" % name, text]
    return arguments, tuple(index)


def index_text(rng, index):
    """The index as one writes it between brackets."""
    texts = []
    for entry in index:
        if entry is Ellipsis:
            texts.append("...")
        elif isinstance(entry, slice):
            ends = ["" if end is None else str(end) for end in (entry.start, entry.stop)]
            step = [] if entry.step == 1 and rng.random() < 0.5 else [str(entry.step)]
            texts.append(":".join(ends + step))
        else:
            texts.append(str(entry))
    text = rng.choice([",", ", "]).join(texts)
    return "[" + text + "]" if rng.random() < 0.2 else text


def case_slice(rng, dtype):
    x = random_array(rng, dtype, random_shape(rng))
    arguments, index = random_slice(rng, x.shape, False)
    if rng.random() < 0.5:
        arguments = [index_text(rng, index)]
    if rng.random() < 0.5:
        arguments += ["--rules", rng.choice(["strided", "tensorflow"])]
    return Case("slice", ["slice", "x.npy"] + arguments, {"x.npy": x}, raw(x)[index], dtype)


def case_assign(rng, dtype):
    ascend = rng.random() < 0.6
    x = random_array(rng, dtype, random_shape(rng, 1, 1) if ascend else random_shape(rng))
    arguments, index = random_slice(rng, x.shape, ascend)
    shape = list(raw(x)[index].shape)
    refused = False
    if not ascend:
        arguments += ["--rules", rng.choice(["tensorflow", "strided"])]
        if rng.random() < 0.5:  # what broadcasts to the slice
            shape = shape[rng.randint(0, len(shape)):]
            shape = [1 if rng.random() < 0.3 else n for n in shape]
    else:
        if rng.random() < 0.5:
            arguments += ["--rules", "ascend"]
        if rng.random() < 0.1:
            refused = True
            shape.append(1)
    value = random_array(rng, dtype, tuple(shape))
    expected = None
    if not refused:
        expected = raw(x).copy()
        expected[index] = raw(value)
    return Case("assign", ["assign", "x.npy", "value.npy"] + arguments,
                {"x.npy": x, "value.npy": value}, expected, dtype)


def large_cases(rng):
    image = random_array(rng, np.dtype("u1"), (480, 641, 3))
    yield Case("permute", ["permute", "x.npy", "--axes", "2,0,1"], {"x.npy": image},
               np.transpose(raw(image), (2, 0, 1)), image.dtype)
    half = random_array(rng, np.dtype("f2"), (513, 1025))
    yield Case("permute", ["permute", "x.npy", "--axes", "1,0"], {"x.npy": half},
               np.transpose(raw(half)), half.dtype)
    text = random_array(rng, np.dtype("U7"), (211, 307))
    yield Case("flip", ["flip", "x.npy", "--axis", "1"], {"x.npy": text}, np.flip(raw(text), 1),
               text.dtype)
    row = random_array(rng, np.dtype("i8"), (70001,))
    yield Case("as_strided", ["as_strided", "x.npy", "--size", "69990,9", "--stride", "1,1"],
               {"x.npy": row},
               np.lib.stride_tricks.as_strided(raw(row), (69990, 9), (8, 8)), row.dtype)
    pair = random_array(rng, np.dtype("D"), (300, 400))
    value = random_array(rng, np.dtype("D"), (150, 399))
    assigned = raw(pair).copy()
    assigned[0:300:2, 1:] = raw(value)
    yield Case("assign", ["assign", "x.npy", "value.npy", "--begin", "0,1", "--end", "300,0",
                          "--strides", "2,1", "--end-mask", "2"],
               {"x.npy": pair, "value.npy": value}, assigned, pair.dtype)


def fault_of(case, program, directory, extra):
    """Runs a case; what is wrong with the result, or nothing."""
    for name, array in case.inputs.items():
        np.save(os.path.join(directory, name), array)
    output = os.path.join(directory, "y.npy")
    if os.path.exists(output):
        os.remove(output)
    command = [program] + case.arguments + ["-o", "y.npy"] + extra
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    told = "\n  %s\n  exit code %d\n  %s%s" % (shlex.join(command), done.returncode, done.stdout,
                                              done.stderr)
    if case.expected is None:
        if done.returncode != 2 or os.path.exists(output):
            return "should have been refused" + told
        return None
    if done.returncode != 0:
        return "failed" + told
    if "--verify" in extra and "%d element" % case.expected.size not in done.stdout:
        return "did not verify all elements" + told
    result = np.load(output)
    if result.shape != case.expected.shape:
        return "shape %s, NumPy has %s" % (result.shape, case.expected.shape) + told
    # A field's padding has no name of its own in a file: sizes are compared there.
    same = (result.dtype == case.dtype if case.dtype.names is None
            else result.dtype.itemsize == case.dtype.itemsize)
    if not same:
        return "type %s, NumPy has %s" % (result.dtype, case.dtype) + told
    if not result.flags.c_contiguous:
        return "not in C order" + told
    if raw(result).tobytes() != case.expected.tobytes():
        return "the bytes differ from NumPy's" + told
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--only", type=int, help="run this case alone")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    print("seed %d" % options.seed, flush=True)
    warnings.filterwarnings("ignore", message="Stored array in format 3.0")

    makers = [case_permute, case_flip, case_as_strided, case_slice, case_slice, case_assign]
    seen = collections.Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        def run(name, case, extra, repeat):
            nonlocal wrong
            seen[case.op] += 1
            seen[str(case.dtype)] += 1
            seen["refused"] += case.expected is None
            seen["verified"] += "--verify" in extra and case.expected is not None
            seen["empty"] += case.expected is not None and case.expected.size == 0
            seen["Fortran"] += is_fortran_file(case.inputs["x.npy"])
            fault = fault_of(case, program, directory, extra)
            if fault:
                wrong += 1
                print("%s: %s\n  again: %s --program %s %s" % (name, fault, sys.argv[0],
                                                              options.program, repeat))

        for number in range(options.cases):
            if options.only is not None and number != options.only:
                continue
            rng = random.Random("%d %d" % (options.seed, number))
            case = makers[number % len(makers)](rng, DTYPES[number // len(makers) % len(DTYPES)])
            extra = ["--verify"] if rng.random() < 0.5 else []
            extra += ["--explain"] if rng.random() < 0.1 else []
            # The pages of a part: most cases then go one element or one row at a time.
            extra += ["--memory", str(rng.choice([1, 9000, 20000]))] if rng.random() < 0.4 else []
            run("case %d" % number, case, extra,
                "--seed %d --only %d" % (options.seed, number))
        if options.only is None:
            for extra in (["--verify", "--time"], ["--memory", "64KiB"]):
                for case in large_cases(random.Random(options.seed)):
                    run("large " + case.op, case, extra, "--seed %d --cases 0" % options.seed)

    total = sum(seen[op] for op in ("permute", "flip", "as_strided", "slice", "assign"))
    if wrong:
        print("%d of %d cases are wrong, seed %d" % (wrong, total, options.seed))
        return 1
    if options.only is None and options.cases >= 1000:
        unseen = [str(d) for d in DTYPES if not seen[str(d)]] + [
            k for k in ("refused", "empty", "Fortran", "verified") if not seen[k]]
        if unseen:
            print("never tried: %s" % ", ".join(unseen))
            return 1
    print("%d cases equal NumPy %s byte for byte (%s; %d verified by the reference too, %d of "
          "Fortran order, %d empty, %d refused as they should be), %d types" %
          (total, np.__version__,
           ", ".join("%d %s" % (seen[op], op)
                     for op in ("permute", "flip", "as_strided", "slice", "assign")),
           seen["verified"], seen["Fortran"], seen["empty"], seen["refused"], len(DTYPES)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
