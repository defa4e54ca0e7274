"""Plants faults in a copy of the headers, one at a time, and tells which tests notice them.

    python3 tests/mutation/run.py --build build/mutation --report build/mutation/table.md
    python3 tests/mutation/run.py --list              # do all blocks still fit the headers?

A block of mutants/<area>.txt is a fault that somebody could make: its name, why it is one, the file
below include/strided, a piece of its text with the expression to be replaced between « and », and
the replacement. White space does not matter, and the piece must be there exactly once. `likely`
names the programs to begin with where the area does not tell, `survives` why no test can notice.

Nothing is compiled twice: all faults stand in one copy of the tree, each behind a switch that the
environment variable STRIDED_MUTANT turns on (switch.hpp).
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIED = ("CMakeLists.txt", "README.md", "cmake", "docs", "examples", "include", "packaging", "tests")
FAST = ("core", "messages", "view", "ops", "interop", "draw", "verify", "reference", "engine", "property",
        "stepped")  # label fast of ctest, the longest last
NEAREST = {"kernels": "engine", "planner": "engine", "core": "core", "interop": "interop",
           "ops": "ops", "draw": "draw"}  # the program to begin with, by area
WANTED_PERCENT = 95
MOST_MEMORY = 8 << 30  # bytes; a fault may ask for any amount


class BlockError(Exception):
    """A block that is incomplete or does not fit the headers."""


@dataclass(frozen=True)
class Mutant:
    number: int
    area: str
    name: str
    why: str
    file: str
    find: str
    replace: str
    likely: str = ""
    survives: str = ""

    def programs(self) -> list[str]:
        first = (self.likely or NEAREST.get(self.area, "view")).split()
        return first + [program for program in FAST if program not in first]


@dataclass(frozen=True)
class Outcome:
    mutant: Mutant
    program: str = ""  # empty: no test noticed
    test: str = ""

    @property
    def is_killed(self) -> bool:
        return bool(self.program)

    def told(self) -> str:
        if self.program:
            return f"{self.program}: {self.test}"
        return f"SURVIVED: {self.mutant.survives or 'unexplained'}"


def read_mutants() -> list[Mutant]:
    mutants: list[Mutant] = []
    for path in sorted((HERE / "mutants").glob("*.txt")):
        text = re.sub(r"^#.*\n", "", path.read_text(encoding="utf-8"), flags=re.M)
        for block in filter(None, map(str.strip, re.split(r"\n\s*\n", text))):
            fields = dict(re.findall(r"^(\w+): (.*(?:\n .*)*)", block, flags=re.M))
            try:
                mutants.append(Mutant(len(mutants) + 1, path.stem, **fields))
            except TypeError as error:
                raise BlockError(f"{path.name}: {error} in\n{block}") from error
    names = [mutant.name for mutant in mutants]
    for name in {name for name in names if names.count(name) > 1}:
        raise BlockError(f"{name}: the name is there twice")
    return mutants


def locate(mutant: Mutant, text: str) -> tuple[int, int]:
    """Where the marked expression stands."""
    parts = re.split("[«»]", re.sub(r"\s", "", mutant.find))
    if len(parts) != 3 or not parts[1]:
        raise BlockError(f"{mutant.name}: no expression is marked with « »")
    places = [i for i, letter in enumerate(text) if not letter.isspace()]
    squeezed = "".join(text[i] for i in places)
    count = squeezed.count("".join(parts))
    if count != 1:
        raise BlockError(f"{mutant.name}: found {count} times in {mutant.file}")
    begin = squeezed.index("".join(parts)) + len(parts[0])
    return places[begin], places[begin + len(parts[1]) - 1] + 1


def plant(text: str, mutants: list[Mutant]) -> str:
    """The text of a header with all faults in it. Expressions may contain each other."""
    spans = [(*locate(mutant, text), mutant) for mutant in mutants]
    for begin, end, mutant in spans:
        for other_begin, other_end, other in spans:
            if begin < other_begin < end < other_end:
                raise BlockError(f"{mutant.name} and {other.name}: expressions cross")
    edits = []  # place, closing before opening, inner closes first and outer opens first, text
    for begin, end, mutant in spans:
        number = mutant.number
        edits.append((end, 0, -begin, -number, "))"))
        edits.append((begin, 1, -end, number,
                      f"(::strided_mutation::on<{number}>() ? ({mutant.replace}) : ("))
    planted, at = [], 0
    for place, _, _, _, edit in sorted(edits):
        planted += [text[at:place], edit]
        at = place
    return "".join(planted) + text[at:]


def mutated_headers(mutants: list[Mutant]) -> dict[pathlib.Path, str]:
    """The headers that have faults, by their place in the tree."""
    changed: dict[pathlib.Path, str] = {}
    for file in sorted({mutant.file for mutant in mutants}):
        path = pathlib.Path("include/strided") / file
        if not (ROOT / path).is_file():
            raise BlockError(f"{file}: no such header")
        text = (ROOT / path).read_text(encoding="utf-8")
        changed[path] = plant(text, [mutant for mutant in mutants if mutant.file == file])
    # Every header includes this one, before anything of its own.
    config = pathlib.Path("include/strided/core/config.hpp")
    text = changed.get(config, (ROOT / config).read_text(encoding="utf-8"))
    changed[config] = text.replace("#pragma once\n",
                                   '#pragma once\n#include "strided/core/mutation.hpp"\n', 1)
    changed[config.with_name("mutation.hpp")] = (HERE / "switch.hpp").read_text(encoding="utf-8")
    return changed


def write_tree(tree: pathlib.Path, changed: dict[pathlib.Path, str]) -> None:
    """Copies the project; files that stay as they are keep their time, for the next build."""
    wanted = {path: text.encode() for path, text in changed.items()}
    for top in COPIED:
        files = (ROOT / top).rglob("*") if (ROOT / top).is_dir() else [ROOT / top]
        for file in filter(pathlib.Path.is_file, files):
            wanted.setdefault(file.relative_to(ROOT), file.read_bytes())
    for old in [file for file in tree.rglob("*") if file.is_file()]:
        if old.relative_to(tree) not in wanted:
            old.unlink()
    for path, content in wanted.items():
        target = tree / path
        if target.is_file() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def build_tests(folder: pathlib.Path, jobs: int) -> None:
    # One arm of a switch is often something that compilers warn of.
    subprocess.run(["cmake", "-G", "Ninja", "-S", folder / "tree", "-B", folder / "build",
                    "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
                    "-DCMAKE_CXX_FLAGS=-w", "-DSTRIDED_BUILD_EXAMPLES=OFF",
                    "-DSTRIDED_BUILD_BENCH=OFF"], check=True)
    subprocess.run(["cmake", "--build", folder / "build", "--parallel", str(jobs), "--target",
                    *(f"test_{program}" for program in FAST)], check=True)


def limit_process() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def failing_test(folder: pathlib.Path, program: str, number: int, seconds: float,
                 tests: str = "*") -> str:
    """The first test of a program that fails with a fault; empty if none does."""
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith(("STRIDED_", "GTEST_"))}
    environment["STRIDED_MUTANT"] = str(number)
    command = [folder / "build/tests" / f"test_{program}", "--gtest_fail_fast",
               f"--gtest_filter={tests}"]
    suffix = ""
    try:
        done = subprocess.run(command, cwd=folder, env=environment, timeout=seconds, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              preexec_fn=limit_process)
        if done.returncode == 0:
            return ""
        output = done.stdout
        if done.returncode < 0:
            suffix = f" (signal {-done.returncode})"
    except subprocess.TimeoutExpired as late:
        output, suffix = late.stdout or b"", " (time-out)"
    text = output.decode(errors="replace")
    failed = re.findall(r"\[  FAILED  \] ([^\s,]+)", text)
    ran = re.findall(r"\[ RUN      \] (\S+)", text)
    return (failed[0] if failed else ran[-1] if ran else "before the first test") + suffix


def run_mutants(folder: pathlib.Path, mutants: list[Mutant]) -> list[Outcome]:
    limits = {}
    for program in FAST:
        start = time.monotonic()
        if test := failing_test(folder, program, 0, 3600):
            raise SystemExit(f"{program}: {test} fails without any fault")
        limits[program] = 10 + 4 * (time.monotonic() - start)
    memory = folder / "noticed.json"  # by whom the last time; only a shorter way to the same answer
    noticed = json.loads(memory.read_text()) if memory.is_file() else {}
    outcomes = []
    for mutant in mutants:
        tries = [(program, "*") for program in mutant.programs()]
        if last := noticed.get(mutant.name):
            tries.insert(0, tuple(last))
        outcome = Outcome(mutant)
        for program, tests in tries:
            if test := failing_test(folder, program, mutant.number, limits[program], tests):
                outcome = Outcome(mutant, program, test)
                break
        outcomes.append(outcome)
        print(f"{mutant.area:9} {mutant.name:44} {outcome.told()}", flush=True)
        if outcome.is_killed:
            noticed[mutant.name] = (outcome.program, outcome.test.split(" ")[0])
            memory.write_text(json.dumps(noticed))
    return outcomes


def summary(outcomes: list[Outcome]) -> tuple[str, bool]:
    """The counts in words, and whether they are good enough."""
    killed = sum(outcome.is_killed for outcome in outcomes)
    survivors = [outcome for outcome in outcomes if not outcome.program]
    unexplained = sum(not outcome.mutant.survives for outcome in survivors)
    percent = 100 * killed / len(outcomes)
    text = (f"{len(outcomes)} mutants: {killed} killed by the fast tests ({percent:.1f} %), "
            f"{len(survivors)} survived, {unexplained} of them unexplained.")
    return text, percent >= WANTED_PERCENT and unexplained == 0


def write_report(path: pathlib.Path, outcomes: list[Outcome], text: str) -> None:
    areas = sorted({outcome.mutant.area for outcome in outcomes})
    lines = [f"{datetime.date.today()}, {platform.system()} on {platform.machine()}. {text}", "",
             "| area | mutants | killed by the fast tests |", "|---|---|---|"]
    for area in areas:
        killed = [outcome.is_killed for outcome in outcomes if outcome.mutant.area == area]
        lines.append(f"| {area} | {len(killed)} | {sum(killed)} |")
    lines += ["", "| mutant | area | what is wrong | noticed by |", "|---|---|---|---|"]
    for outcome in outcomes:
        mutant = outcome.mutant
        cells = (mutant.name, mutant.area, " ".join(mutant.why.split()),
                 " ".join(outcome.told().split()))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/mutation",
                        help="where the copy is built")
    parser.add_argument("--jobs", type=int, default=1, help="of the build")
    parser.add_argument("--only", default="", metavar="REGEX", help="of area and name")
    parser.add_argument("--list", action="store_true", help="check the blocks, build nothing")
    parser.add_argument("--report", type=pathlib.Path, metavar="FILE", help="the table as Markdown")
    arguments = parser.parse_args()
    try:
        mutants = read_mutants()
        changed = mutated_headers(mutants)
    except BlockError as error:
        sys.exit(str(error))
    chosen = [mutant for mutant in mutants
              if re.search(arguments.only, f"{mutant.area} {mutant.name}")]
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.number:4} {mutant.area:9} {mutant.name:44} {mutant.file}")
        print(f"{len(chosen)} blocks, each fits the headers once")
        return
    folder = arguments.build.resolve()
    write_tree(folder / "tree", changed)
    build_tests(folder, arguments.jobs)
    outcomes = run_mutants(folder, chosen)
    text, is_good = summary(outcomes)
    print(text)
    if arguments.report:
        write_report(arguments.report, outcomes, text)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
