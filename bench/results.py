"""What run.sh has measured, read from its folder: cases.json, sweeps.json, threads.json,
peers.jsonl."""

import json
import math
import pathlib
from dataclasses import dataclass, field

import cases

PEERS = ("loops", "NumPy", "PyTorch", "Eigen", "oneDNN", "OpenBLAS")
# Their unit is a memcpy called from Python. In a tiny case both are the price of a call.
FROM_PYTHON = ("NumPy", "PyTorch")


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


@dataclass
class Row:
    """A case and, by who did it, the time as a multiple of memcpy's."""

    case: cases.Case
    times: dict = field(default_factory=dict)

    @property
    def ours(self):
        return self.times["strided"]

    @property
    def floor(self):
        return self.times["floor"]

    @property
    def best_peer(self):
        """Its time and its name."""
        peers = [(self.times[name], name) for name in PEERS if name in self.times
                 and not (self.case.is_tiny and name in FROM_PYTHON)]
        if self.case.is_memcpy:
            peers.append((1.0, "memcpy"))
        return min(peers)


@dataclass
class Summary:
    """Multiples of the best peer's time and of the floor, the latter without the tiny cases."""

    over_peer: float
    over_floor: float
    worst_over_peer: Row
    worst_over_floor: Row

    def __init__(self, rows):
        large = [row for row in rows if not row.case.is_tiny]
        self.over_peer = geometric_mean(over_peer(row) for row in rows)
        self.over_floor = geometric_mean(over_floor(row) for row in large)
        self.worst_over_peer = max(rows, key=over_peer)
        self.worst_over_floor = max(large, key=over_floor)


def over_peer(row):
    return row.ours / row.best_peer[0]


def over_floor(row):
    return row.ours / row.floor


def read_json(path):
    """The benchmarks of a file by their names, without what Google Benchmark appends."""
    whole = json.loads(path.read_text())
    found = {}
    for benchmark in whole["benchmarks"]:
        if benchmark.get("error_occurred"):
            raise SystemExit(f"{benchmark['name']}: {benchmark['error_message']}")
        found[benchmark["name"].split("/iterations:")[0]] = benchmark
    return found, whole["context"]


def read_rows(folder):
    """The cases that were measured, in the order of cases.txt, and the context of the run."""
    folder = pathlib.Path(folder)
    benchmarks, context = read_json(folder / "cases.json")
    times = {name: benchmark["x_memcpy"] for name, benchmark in benchmarks.items()}
    for line in (folder / "peers.jsonl").read_text().splitlines():
        benchmark = json.loads(line)
        times[benchmark["name"]] = benchmark["x_memcpy"]
    rows = {case.name: Row(case) for case in cases.read()}
    for name, multiple in times.items():
        case, who = name.rsplit("/", 1)
        rows[case].times[who] = multiple
    return [row for row in rows.values() if "strided" in row.times], context


def peers_of(rows):
    """Those peers that did any case at all."""
    return [name for name in PEERS if any(name in row.times for row in rows)]


def read_sweeps(folder):
    return read_json(pathlib.Path(folder) / "sweeps.json")[0]


def read_threads(folder):
    """Nothing where OpenMP was not found."""
    path = pathlib.Path(folder) / "threads.json"
    return read_json(path) if path.is_file() else ({}, {})
