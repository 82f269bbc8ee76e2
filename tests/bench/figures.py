#!/usr/bin/python3
"""The same pictures drawn with matplotlib, for tests/bench/compare.py to time.

    figures.py pictures NUMBERS DIR COUNT JOBS    COUNT heatmaps as PNG, by JOBS processes
    figures.py window NUMBERS                     a window, until its first frame is there

NUMBERS is what `glassformer show LESSON --json` prints, of one or more lessons, a line each.
Every figure is 1920×1080 and has what ours has: title, sentence, row and column numbers,
the number in each cell, a colour bar.
"""
import json
import math
import multiprocessing
import os
import sys

import matplotlib


def load_steps(path):
    steps = []
    for line in open(path, encoding="utf-8"):
        steps += json.loads(line)["steps"]
    return [step for step in steps if 1 < step["shape"][0] * step["shape"][1] <= 2000]


def draw(pyplot, step):
    values = [[float(value) for value in row] for row in step["values"]]
    finite = [v for row in values for v in row if math.isfinite(v)]
    shares = step["op"] == "softmax"
    low, high = (0, 1) if shares else (-max(map(abs, finite), default=1) or -1,
                                       max(map(abs, finite), default=1) or 1)
    figure, axes = pyplot.subplots(figsize=(19.2, 10.8), dpi=100)
    figure.suptitle(f"{step['name']}: {step['op']} of {', '.join(step['inputs'])}",
                    fontsize=22)
    axes.set_title("Each row is one word: its numbers say how it looks at all others.",
                   fontsize=14)
    image = axes.imshow(values, cmap="viridis" if shares else "RdBu", vmin=low, vmax=high)
    axes.set_xticks(range(step["shape"][1]))
    axes.set_yticks(range(step["shape"][0]))
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            dark = abs(value) < 0.6 * high
            axes.text(j, i, f"{value:.3f}", ha="center", va="center", fontsize=11,
                      color="black" if dark else "white")
    figure.colorbar(image)
    return figure


def draw_some(task):
    """Every `jobs`-th of `count` pictures, from the first-th on."""
    numbers, folder, count, first, jobs = task
    matplotlib.use("Agg")
    from matplotlib import pyplot

    steps = load_steps(numbers)
    for i in range(first, count, jobs):
        figure = draw(pyplot, steps[i % len(steps)])
        figure.savefig(os.path.join(folder, f"{i:03}.png"), dpi=100)
        pyplot.close(figure)


def pictures(numbers, folder, count, jobs):
    tasks = [(numbers, folder, count, first, jobs) for first in range(jobs)]
    if jobs == 1:
        draw_some(tasks[0])
        return
    with multiprocessing.Pool(jobs) as pool:
        pool.map(draw_some, tasks, chunksize=1)


def window(numbers):
    matplotlib.use("TkAgg")
    from matplotlib import pyplot

    draw(pyplot, load_steps(numbers)[0])
    pyplot.show(block=False)
    pyplot.pause(0.001)  # draws, and lets the window system show it
    os._exit(0)


if sys.argv[1] == "pictures":
    pictures(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
else:
    window(sys.argv[2])
