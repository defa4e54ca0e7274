"""Draws the picture of the cases: ours, the best peer and the floor on one logarithmic axis.

    python3 bench/plot.py build/default/bench/results bench/cases.svg
"""

import argparse

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

import results

OURS, PEER, FLOOR, INK = "#1558b0", "#e07b1a", "#8a8f98", "#22262c"

# The first group whose beginnings match takes a case.
GROUPS = (
    ("Contiguous", ("contig",)),
    ("2-D transposes", ("T2d",)),
    ("Channels first and last", ("NHWC", "NCHW", "BSHD")),
    ("Permutations", ("P3", "P4", "P5", "P6")),
    ("Slices", ("slice",)),
    ("Steps", ("gather", "scatter", "strided")),
    ("Windows and broadcasts", ("window", "bcast", "repeat")),
    ("Reversed", ("flip",)),
    ("Tiny", ("tiny",)),
)


def grouped(rows):
    """(height, title) of the groups and (height, row) of the cases, from the top down."""
    titles, placed, height = [], [], 0.0
    for title, beginnings in GROUPS:
        members = [row for row in rows if row.case.name.startswith(beginnings)]
        if not members:
            continue
        titles.append((height, title))
        for row in members:
            height -= 1.0
            placed.append((height, row))
        height -= 1.4
    return titles, placed


def draw(rows, path):
    titles, placed = grouped(rows)
    bottom = placed[-1][0] - 0.9
    figure, axes = plt.subplots(figsize=(10, 1.6 - bottom * 0.19))
    axes.set_xscale("log")
    axes.set_ylim(bottom, 0.8)

    for height, row in placed:
        peer, who = row.best_peer
        axes.plot([row.ours, peer], [height] * 2, color="#cfd4da", linewidth=2.2, zorder=1,
                  solid_capstyle="round")
        axes.plot(row.floor, height, marker="|", color=FLOOR, markersize=9, markeredgewidth=2.2,
                  zorder=2)
        axes.plot(peer, height, marker="o", color="white", markeredgecolor=PEER, markersize=6,
                  markeredgewidth=1.6, zorder=3)
        axes.plot(row.ours, height, marker="o", color=OURS, markersize=6.5, markeredgewidth=0,
                  zorder=4)
        axes.annotate(who, (max(peer, row.ours, row.floor), height), (8, 0),
                      textcoords="offset points", va="center", fontsize=7.5, color="#9a5209")

    axes.axvline(1.0, color=INK, linewidth=0.9, zorder=0)
    axes.set_yticks([height for height, _ in placed], [row.case.name for _, row in placed],
                    fontsize=8.5)
    for height, title in titles:
        axes.annotate(title, (0, height), (-6, 0), xycoords=("axes fraction", "data"),
                      textcoords="offset points", ha="right", va="center", fontsize=9.5,
                      fontweight="bold", color=INK, annotation_clip=False)

    every = [time for _, row in placed for time in (row.ours, row.floor, row.best_peer[0])]
    axes.set_xlim(min(every) / 1.25, max(every) * 1.9)
    ticks = [t for t in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200)
             if min(every) / 1.25 <= t <= max(every) * 1.9]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()
    axes.grid(axis="x", color="#e9ecef", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=INK, labeltop=True)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("time, as a multiple of one memcpy of the same bytes (further left is faster)",
                    color=INK, fontsize=9.5)

    # Titles and legend stand in the margin above, at distances in inches.
    inches = figure.get_figheight()
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.85 / inches))
    middle = axes.get_position().x0 + axes.get_position().width / 2
    total = results.Summary(rows)
    figure.text(0.5, 1 - 0.14 / inches,
                f"{1 / total.over_peer:.1f} times as fast as the best peer of each case, "
                f"{total.over_floor:.2f} times the floor of memory",
                ha="center", va="top", fontsize=13.5, fontweight="bold", color=INK)
    figure.text(0.5, 1 - 0.42 / inches,
                "geometric means, one thread; peers: " + ", ".join(results.peers_of(rows)),
                ha="center", va="top", fontsize=9.5, color="#555b64")
    handles = [
        Line2D([], [], marker="o", color=OURS, linestyle="", markersize=6.5, label="strided"),
        Line2D([], [], marker="o", color="white", markeredgecolor=PEER, markeredgewidth=1.6,
               linestyle="", markersize=6, label="best peer"),
        Line2D([], [], marker="|", color=FLOOR, markeredgewidth=2.2, linestyle="", markersize=9,
               label="floor: every cache line once"),
    ]
    figure.legend(handles=handles, loc="upper center", ncol=3, frameon=False, fontsize=9.5,
                  bbox_to_anchor=(middle, 1 - 0.6 / inches))
    figure.savefig(path, facecolor="white", metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where run.sh put what it measured")
    parser.add_argument("picture", help="the file to write; its ending says which kind")
    arguments = parser.parse_args()
    # Text stays text, and the same numbers give the same file.
    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "strided",
                         "font.family": "sans-serif"})
    rows, _ = results.read_rows(arguments.folder)
    draw(rows, arguments.picture)


if __name__ == "__main__":
    main()
