"""Prints the measured tables as markdown; with --into FILE, writes them between its two marks.

    python3 bench/report.py build/default/bench/results --into bench/README.md
"""

import argparse
import pathlib

import results

BEGIN = "<!-- results: written by report.py -->"
END = "<!-- end of results -->"


def number(multiple):
    if multiple is None:
        return ""
    return f"{multiple:.2f}" if multiple < 9.995 else f"{multiple:.1f}"


def megabytes(count):
    return f"{count / 1e6:.3g}" if count >= 1e4 else "0"


def line(cells):
    return "| " + " | ".join(cells) + " |"


def table(head, rows):
    return [line(head), "|" + "---|" * len(head), *map(line, rows), ""]


def summary(rows):
    total = results.Summary(rows)
    peer, floor = total.worst_over_peer, total.worst_over_floor
    return [
        f"{len(rows)} cases, geometric means: **{number(total.over_peer)}** of the best peer's time, "
        f"**{number(total.over_floor)}** of the floor (without the tiny cases).",
        f"Farthest from its best peer: {peer.case.name}, {number(results.over_peer(peer))}. "
        f"Farthest from the floor: {floor.case.name}, {number(results.over_floor(floor))}.",
        "",
    ]


def case_table(rows):
    peers = results.peers_of(rows)
    head = ["case", "MB", "floor", "**strided**", "unplanned", "best peer", *peers,
            "strided / best peer", "strided / floor"]
    lines = []
    for row in rows:
        best, who = row.best_peer
        lines.append([
            row.case.name.replace("_", "\\_"),
            megabytes(row.case.payload_bytes),
            number(row.floor),
            f"**{number(row.ours)}**",
            number(row.times.get("strided_unplanned")),
            f"{number(best)} {who}",
            *(number(row.times.get(peer)) for peer in peers),
            number(results.over_peer(row)),
            number(results.over_floor(row)),
        ])
    return table(head, lines)


KINDS = ("contiguous", "permuted", "transposed", "apart", "planes", "reversed")  # bench/layouts.hpp


def sizes_of(benchmarks, first):
    return sorted({int(name.split("/")[2]) for name in benchmarks if name.startswith(first)})


def size_text(size):
    return next(f"{size >> shift} {unit}" for shift, unit in
                ((30, "GiB"), (20, "MiB"), (10, "KiB")) if size >> shift)


def size_table(sweeps):
    kinds = [kind for kind in KINDS if any(name.startswith(f"size/{kind}/") for name in sweeps)]
    lines = []
    for size in sizes_of(sweeps, "size/"):
        found = [sweeps.get(f"size/{kind}/{size}") for kind in kinds]
        lines.append([size_text(size), *(f"{one['bytes_per_second'] / 1e9:.1f} ({number(one['x_memcpy'])})"
                              if one else "" for one in found)])
    return ["Copies of floats, GB/s (multiple of memcpy's time):", "",
            *table(["size", *kinds], lines)]


def transpose_table(sweeps):
    lines = []
    for width in (1, 2, 4, 8):
        found = {int(name.split("/")[2]): one for name, one in sweeps.items()
                 if name.startswith(f"transpose/{width}B/")}
        if not found:
            continue
        worst = max(found, key=lambda n: found[n]["x_neighbours"])
        speeds = [one["bytes_per_second"] / 1e9 for one in found.values()]
        lines.append([f"{width}", f"{min(speeds):.1f}", f"{max(speeds):.1f}",
                      number(found[worst]["x_neighbours"]), f"{worst}"])
    return ["Transposes of n x n, n from 1000 to 4200, powers of two and their neighbours included. "
            "The last columns: the largest time per byte as a multiple of that of n - 8, n - 1, n + 1 "
            "or n + 8, and where.", "",
            *table(["bytes an element", "slowest GB/s", "fastest GB/s", "worst neighbours", "at n"],
                   lines)]


def small_table(sweeps):
    rows = [("1 float", "contiguous/1"), ("16 floats", "contiguous/16"),
            ("64 floats", "contiguous/64"), ("16 floats, step 2", "step_2/16"),
            ("64 floats, step 2", "step_2/64"), ("4 x 4 floats transposed", "turned/4x4"),
            ("8 x 8 floats transposed", "turned/8x8")]
    lines = []
    for text, name in rows:
        found = [sweeps.get(f"small/{name}/{way}") for way in ("kept", "unplanned")]
        lines.append([text, *(f"{one['cpu_time']:.1f}" if one else "" for one in found)])
    plans = [f"{sweeps[name]['cpu_time']:.0f}" for name in
             (f"plan/rank/{rank}" for rank in range(1, 7)) if name in sweeps]
    return ["Small copies, ns:", "", *table(["copy", "kept plan", "`copy()`"], lines),
            f"Making a plan for ranks 1 to 6, ns: {', '.join(plans)}.", ""]


def threads_table(threads, count):
    """For each executor and layout: how many times one thread, and the multiple of memcpy's time."""
    executors = sorted({name.split("/")[3] for name in threads})
    lines = []
    for size in sizes_of(threads, "threads/"):
        found = [threads.get(f"threads/{kind}/{size}/{executor}")
                 for executor in executors for kind in KINDS]
        lines.append([size_text(size), *(f"{one['x_one']:.2f} ({number(one['x_memcpy'])})"
                                         if one else "" for one in found)])
    return [f"On {count} threads: how many times as fast as on one (time as a multiple of a memcpy on "
            f"all {count}):", "",
            *table(["size", *(f"{executor}, {kind}" for executor in executors for kind in KINDS)],
                   lines)]


def report(folder):
    rows, context = results.read_rows(folder)
    sweeps = results.read_sweeps(folder)
    threads, threads_context = results.read_threads(folder)
    lines = [f"Kernels: {context['strided_isa']}. Times are multiples of memcpy's.", "",
             *summary(rows), *case_table(rows), *size_table(sweeps), *transpose_table(sweeps),
             *small_table(sweeps)]
    if threads:
        lines += threads_table(threads, threads_context["threads"])
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where run.sh put what it measured")
    parser.add_argument("--into", type=pathlib.Path, help="file with the two marks")
    arguments = parser.parse_args()
    text = report(arguments.folder)
    if arguments.into is None:
        print(text)
        return
    before, rest = arguments.into.read_text().split(BEGIN)
    _, after = rest.split(END)
    arguments.into.write_text(f"{before}{BEGIN}\n{text}{END}{after}")


if __name__ == "__main__":
    main()
