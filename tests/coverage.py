"""Tells which lines and branches of the library the tests never take.

    python3 tests/coverage.py EXPORT.json [--report FILE]

EXPORT.json is what `llvm-cov export` writes. Instantiations of a template are taken together: a
branch counts as taken if one of them took it. A line or branch that no test can reach says so in the
headers: `// unreachable: <why>` at the end of its line or alone above its statement; it is then counted
apart.
"""

import argparse
import collections
import itertools
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADERS = ROOT / "include" / "strided"
# What the promise is about: what numbers mean, what callers ask for, how a copy is planned, and which
# way a kernel takes. The kernels themselves are compiled for machines that this one may not be.
WATCHED = ("core/", "view/", "ops/", "engine/")
LEFT_OUT = tuple(f"engine/kernels/{name}" for name in (
    "simd/", "sse2.", "avx2.", "avx512.", "neon.", "weave.", "portable."))
MARK = "// unreachable: "
# Conditions that are no branches once compiled.
CONSTANT = ("if constexpr", "is_constant_evaluated", "STRIDED_DEBUG_CHECKS")


def watched(name: str) -> bool:
    return name.startswith(WATCHED) and not name.startswith(LEFT_OUT)


def lines_of(segments: list) -> dict[int, int]:
    """How often each line with code ran, from where regions begin and end."""
    counts: dict[int, int] = {}
    for segment, following in zip(segments, segments[1:]):
        line, _, count, has_count, is_entry, is_gap = segment[:6]
        if not has_count or is_gap:
            continue
        for covered in range(line, following[0] + 1):
            if covered == following[0] and following[1] == 1 and covered != line:
                continue
            counts[covered] = max(counts.get(covered, 0), count)
    return counts


def branches_of(branches: list) -> dict[tuple, list[int]]:
    counts: dict[tuple, list[int]] = collections.defaultdict(lambda: [0, 0])
    for line, column, end_line, end_column, taken, not_taken, *_ in branches:
        both = counts[line, column, end_line, end_column]
        both[0] += taken
        both[1] += not_taken
    return counts


class File:
    def __init__(self, name: str, data: dict) -> None:
        self.name = name
        text = (HEADERS / name).read_text().splitlines()
        self.text = text
        self.marked = set()
        for number, line in enumerate(text, 1):
            if not line.strip().startswith(MARK):
                self.marked.update([number] if MARK in line else [])
                continue
            statement = itertools.takewhile(lambda at: not text[at - 1].endswith((";", "{")),
                                            range(number + 1, len(text)))
            self.marked.update([number + 1, *(at + 1 for at in statement)])
        lines = {number: count for number, count in lines_of(data["segments"]).items()
                 if text[number - 1].strip() not in ("", "}", "};")
                 and not text[number - 1].strip().startswith("//")}
        self.lines = len(lines)
        self.branches = 0
        self.missed: list[str] = []
        self.explained = 0
        reached = set(number for number, count in lines.items() if count > 0)
        for number, count in sorted(lines.items()):
            if count == 0:
                self.miss(number, "line", number in self.marked)
        for (line, column, *_), both in sorted(branches_of(data["branches"]).items()):
            if sum(both) == 0 and any(word in text[line - 1] for word in CONSTANT):
                continue
            self.branches += 2
            if line not in reached:
                continue  # missed already, as a line
            for way, count in zip(("true", "false"), both):
                if count == 0:
                    self.miss(line, f"column {column} never {way}", line in self.marked)

    def miss(self, line: int, what: str, is_explained: bool) -> None:
        if is_explained:
            self.explained += 1
        else:
            self.missed.append(f"{self.name}:{line}: {what}: {self.text[line - 1].strip()}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("export", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path)
    options = parser.parse_args()
    files = []
    for data in json.loads(options.export.read_text())["data"][0]["files"]:
        path = pathlib.Path(data["filename"])
        if path.is_relative_to(HEADERS) and watched(str(path.relative_to(HEADERS))):
            files.append(File(str(path.relative_to(HEADERS)), data))
    files.sort(key=lambda file: file.name)
    rows = ["| file | lines | branches | not reached | of them explained |", "|---|---|---|---|---|"]
    for file in files:
        rows.append(f"| {file.name} | {file.lines} | {file.branches} | "
                    f"{len(file.missed) + file.explained} | {file.explained} |")
    lines = sum(file.lines for file in files)
    branches = sum(file.branches for file in files)
    missed = [miss for file in files for miss in file.missed]
    explained = sum(file.explained for file in files)
    reached = 100 * (1 - (len(missed) + explained) / (lines + branches))
    total = (f"{lines} lines and {branches} branches in {len(files)} files: {reached:.2f} % reached, "
             f"{explained} cannot be, {len(missed)} are missed.")
    print("\n".join(missed))
    print(total)
    if options.report:
        options.report.write_text("\n".join([total, "", *rows, ""]))
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
