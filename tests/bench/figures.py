#!/usr/bin/python3
"""The program's pictures drawn with matplotlib, for tests/bench/compare.py to time.

    figures.py pictures FIGURES DIR COUNT JOBS    COUNT of them as PNG, by JOBS processes
    figures.py window FIGURES                     a window, until its first frame is there

FIGURES is a file that tests/bench/figure_data.py has made, or several joined by commas.
Every figure is 1920×1080 and has what the program's picture of that step has. One figure
serves for all, text is placed in one page-wide axes, and PNGs are compressed as lightly as
the program's own.
"""
import json
import multiprocessing
import os
import sys

if len(sys.argv) < 3:
    sys.exit(__doc__)

import matplotlib

WIDTH, HEIGHT = 1920, 1080
INK, SOFT, FAINT, LINE, PANEL = "#10141c", "#465061", "#606c81", "#dfe4ec", "#f3f5f9"
STAGE = (380, 250, 1840, 850)  # left, top, right, bottom
DIVERGING = ["#1c5ea8", "#5b91c8", "#a6c5e2", "#f7f7f7", "#f2cdac", "#e59a5e", "#d65f14"]
SEQUENTIAL = ["#f3f8f9", "#cde0e4", "#9cc2ca", "#649eaa", "#2d7b8a", "#055b6b"]
STYLE = {"font.family": "DejaVu Sans", "mathtext.fontset": "stix", "path.simplify": False,
         "toolbar": "None"}


def load(paths):
    figures = []
    for path in paths.split(","):
        with open(path, encoding="utf-8") as stream:
            figures += json.load(stream)
    return figures


class Page:
    """A figure with one axes whose units are pixels, y downwards."""

    def __init__(self, figure):
        from matplotlib import colors

        self.figure = figure
        self.signed = colors.LinearSegmentedColormap.from_list("signed", DIVERGING)
        self.shares = colors.LinearSegmentedColormap.from_list("shares", SEQUENTIAL)
        for palette in (self.signed, self.shares):
            palette.set_bad("#e6eaf0")

    def draw(self, data):
        self.figure.clear()
        self.figure.set_facecolor("#fcfdfe")
        self.axes = self.figure.add_axes((0, 0, 1, 1), autoscale_on=False, frame_on=False,
                                         xlim=(0, WIDTH), ylim=(HEIGHT, 0), xticks=[],
                                         yticks=[])
        self.boxes()
        self.words(data)
        self.map(data)
        self.stage(data)
        self.legends(data)
        self.inspector(data)
        self.timeline(data)

    # ---- parts that others are made of ----

    def text(self, x, y, text, size, color=INK, ha="left", va="center", **more):
        return self.axes.text(x, y, text, size=0.72 * size, color=color, ha=ha, va=va,
                              **more)

    def box(self, left, top, width, height, radius=6, **more):
        from matplotlib.patches import FancyBboxPatch

        self.axes.add_patch(FancyBboxPatch((left, top), width, height, mutation_aspect=1,
                                           boxstyle=f"round,pad=0,rounding_size={radius}",
                                           **more))

    def outline(self, left, top, width, height, color):
        self.box(left, top, width, height, 4, fill=False, edgecolor=color, linewidth=2.6)

    def runs(self, x, y, runs, size):
        """Pieces of text in colours of their own, one behind the other."""
        renderer = self.figure.canvas.get_renderer()
        for text, color, *bold in runs:
            drawn = self.text(x, y, text, size, color, va="baseline",
                              weight="bold" if bold else "normal")
            x += drawn.get_window_extent(renderer).width
            x += 0.32 * size * (len(text) - len(text.rstrip(" ")))

    # ---- the page ----

    def boxes(self):
        from matplotlib.collections import PatchCollection
        from matplotlib.patches import Rectangle

        parts = [((0, 0), WIDTH, 66, "white"), ((0, 66), 300, 822, PANEL),
                 ((0, 888), WIDTH, 192, "white"), ((0, 66), WIDTH, 1, LINE),
                 ((0, 888), WIDTH, 1, LINE), ((300, 66), 1, 822, LINE)]
        self.axes.add_collection(PatchCollection(
            [Rectangle(corner, width, height) for corner, width, height, _ in parts],
            facecolors=[color for *_, color in parts], linewidths=0))

    def words(self, data):
        self.text(34, 35, "Glassformer", 22, weight="bold")
        title = self.text(236, 35, data["title"], 22)
        end = title.get_window_extent(self.figure.canvas.get_renderer()).x1
        self.text(end + 52, 34, data["source"], 16, SOFT,
                  bbox={"boxstyle": "round,pad=0.55,rounding_size=0.9", "facecolor": PANEL,
                        "edgecolor": "none"})
        self.text(1885, 36, f"step {data['at'] + 1} of {len(data['places'])}", 16, SOFT,
                  ha="right")
        self.text(348, 118, data["heading"], 34, weight="bold")
        for i, line in enumerate(data["say"]):
            self.text(348, 167 + 32 * i, line, 20, SOFT)
        self.text(1872, 118, data["formula"], 38, ha="right")
        self.text(1872, 166, data["shapes"], 17, FAINT, ha="right")

    def map(self, data):
        chapters = sum(place["chapter"] is not None for place in data["places"])
        step = min(55, 760 / (len(data["places"]) + 0.7 * chapters))
        y = 92
        for i, place in enumerate(data["places"]):
            if place["chapter"] is not None:
                self.text(29, y + 0.36 * step, place["chapter"], 15, FAINT, weight="bold")
                y += 0.7 * step
            present, height = i == data["at"], 0.8 * step
            self.box(30, y, 240, height, facecolor=INK if present else "white",
                     edgecolor=LINE, linewidth=0.8)
            ink = "white" if present else INK if i < data["at"] else FAINT
            if place["thumbnail"]:
                self.thumbnail(place["thumbnail"], 42, y + 8, height - 16)
            else:
                self.axes.plot(54, y + height / 2, "o", markersize=5, mfc="none", mec=FAINT)
            long = len(place["formula"]) > 60
            self.text(82, y + height / 2, place["formula"], 12 if long else 18, ink)
            y += step

    def thumbnail(self, tensor, left, top, side):
        values, palette, norm = self.colors(tensor)
        wide = side * min(1, values.shape[1] / values.shape[0])
        high = side * min(1, values.shape[0] / values.shape[1])
        left, top = left + (side - wide) / 2, top + (side - high) / 2
        self.axes.imshow(values, cmap=palette, norm=norm, aspect="auto",
                         interpolation="nearest", zorder=2,
                         extent=(left, left + wide, top + high, top))

    # ---- the stage ----

    def colors(self, tensor, reach=None):
        import numpy
        from matplotlib import colors

        values = numpy.ma.masked_invalid(numpy.array(tensor["values"], dtype=float))
        if tensor["shares"]:
            return values, self.shares, colors.Normalize(0, 1)
        reach = reach or float(abs(values).max() or 1)
        return values, self.signed, colors.Normalize(-reach, reach)

    def reach(self, data):
        """The largest magnitude of all signed tensors: they share one scale."""
        largest = [abs(float(v)) for tensor in data["tensors"] if not tensor["shares"]
                   for row in tensor["values"] for v in row if abs(float(v)) < 1e6]
        return max(largest, default=1) or 1

    def stage(self, data):
        if data["kind"] == "product":
            self.product(data)
        else:
            self.row(data)

    def row(self, data):
        """Tensors beside each other, with what happens between them."""
        left, top, right, bottom = STAGE
        tensors, room = data["tensors"], [60]
        for tensor, between in zip(tensors[1:], data["between"]):
            noted = 140 if "notes" in tensors[len(room) - 1] else 0
            room.append(24 + 22 * max(map(len, between.split("\n"))) ** 0.8 + noted)
        labelled = max((len(label) for label in tensors[0]["rows"]), default=0) * 12 + 20
        cols = sum(len(tensor["values"][0]) for tensor in tensors)
        rows = max(len(tensor["values"]) for tensor in tensors)
        width = min(116, (right - left - labelled - sum(room[1:])) / cols)
        height = min(115, (bottom - top - 130) / rows, 1.1 * width)
        used = labelled + width * cols + sum(room[1:])
        x = (left + right - used) / 2 + labelled
        y = (top + bottom - 70 - height * rows) / 2
        for i, tensor in enumerate(tensors):
            if i:
                self.text(x + room[i] / 2 + (60 if "notes" in tensors[i - 1] else 0),
                          y + height * rows / 2, data["between"][i - 1], 24, ha="center")
                x += room[i]
            own = y + height * (rows - len(tensor["values"])) / 2
            end = self.heatmap(tensor, x, own, width, height, self.reach(data), i == 0)
            self.name(tensor, x + width * len(tensor["values"][0]) / 2, end + 34)
            for r, note in enumerate(tensor.get("notes", [])):
                self.text(x + width * len(tensor["values"][0]) + 18,
                          own + height * (r + 0.5), note, 20, family="STIXGeneral")
            x += width * len(tensor["values"][0])

    def product(self, data):
        """Falk's scheme: A to the left, B above, the product where row and column meet."""
        left, top, right, bottom = STAGE
        a, b, c = data["tensors"]
        inner, rows, cols = len(b["values"]), len(a["values"]), len(c["values"][0])
        labelled = max((len(label) for label in a["rows"]), default=0) * 12 + 20
        many = inner > 16
        fine = 0.55 * (bottom - top - 150) / inner if many else None
        height = min(94, (bottom - top - 130 - (fine or 0) * inner) /
                     (rows if many else rows + inner))
        width = min(116, 1.25 * height,
                    (right - left - labelled - 150) / (cols + (0 if many else inner)))
        inner_w, inner_h = (8, fine) if many else (width, height)
        used = labelled + inner_w * inner + 54 + width * cols + 110
        x = (left + right - used) / 2 + labelled
        y = (top + bottom - 80 - height * rows - inner_h * inner - 54) / 2 + 20
        over, under = x + inner_w * inner + 54, y + inner_h * inner + 54
        reach = self.reach(data)
        row, col = c["focus"][0], c["focus"][2]
        self.box(x + inner_w * inner, under + height * row, 54, height, 0, linewidth=0,
                 facecolor=a["color"], alpha=0.11)
        self.box(over + width * col, under - 54, width, 54, 0, linewidth=0,
                 facecolor=b["color"], alpha=0.11)
        end = self.heatmap(a, x, under, inner_w, height, reach, True)
        self.name(a, x + inner_w * inner / 2, end + 34)
        self.heatmap(b, over, y, width, inner_h, reach, True)
        self.name(b, over + width * cols + 62, y + inner_h * inner / 2)
        self.heatmap(c, over, under, width, height, reach, False, col_labels=False)
        self.name(c, over + width * cols + 62, under + height * rows / 2)

    def name(self, tensor, x, y):
        self.text(x, y, tensor["name"], 28, tensor["color"], ha="center")
        self.text(x, y + 32, tensor["shape"], 17, FAINT, ha="center")
        if "below" in tensor:
            self.text(x, y + 62, tensor["below"], 17, SOFT, ha="center")

    def heatmap(self, tensor, left, top, width, height, reach, row_labels,
                col_labels=True):
        """Coloured, numbered, labelled; gives back its lower edge."""
        values, palette, norm = self.colors(tensor, reach)
        rows, cols = values.shape
        xs = [left + width * i for i in range(cols + 1)]
        ys = [top + height * i for i in range(rows + 1)]
        gap = {"edgecolors": "#fcfdfe", "linewidth": 1.6} if min(width, height) > 12 else {}
        self.axes.pcolormesh(xs, ys, values, cmap=palette, norm=norm, **gap)
        if width > 25 and height > 12:
            self.numbers(tensor, values, palette(norm(values)), left, top, width, height)
        focus = tensor["focus"] or [-1] * 4
        size = min(20, max(13, 0.3 * width))
        if row_labels:
            for i, label in enumerate(tensor["rows"]):
                bold = focus[0] <= i < focus[1]
                self.text(left - 14, top + height * (i + 0.5), label, size,
                          INK if bold else SOFT, ha="right",
                          weight="bold" if bold else "normal")
        for j, label in enumerate(tensor["cols"] if col_labels else []):
            bold = focus[2] <= j < focus[3]
            self.text(left + width * (j + 0.5), top - 18, label, size,
                      INK if bold else SOFT, ha="center",
                      weight="bold" if bold else "normal")
        self.corners(tensor, left, top, width, height)
        if tensor["focus"]:
            self.outline(left + width * focus[2], top + height * focus[0],
                         width * (focus[3] - focus[2]), height * (focus[1] - focus[0]),
                         tensor["color"])
        return top + height * rows

    def numbers(self, tensor, values, colors, left, top, width, height):
        from matplotlib.collections import PatchCollection
        from matplotlib.patches import Rectangle

        whole = bool((values == values.round()).all())
        size = min(34, 0.6 * height, width / (2.6 if whole else 3.6))
        masked = []
        for i, row in enumerate(tensor["values"]):
            for j, value in enumerate(map(float, row)):
                r, g, b, _ = colors[i, j]
                infinite = abs(value) == float("inf")
                text = "∞" if infinite else f"{abs(value):.{0 if whole else 3}f}"
                text = text if len(text) < 9 else f"{abs(value):.1e}"
                text = "−" + text if value < 0 and text.strip("0.") else text
                dark = infinite or 0.2126 * r ** 2.2 + 0.7152 * g ** 2.2 + \
                    0.0722 * b ** 2.2 > 0.18
                x, y = left + width * j, top + height * i
                self.text(x + width / 2, y + height / 2, text, size,
                          "black" if dark else "white", ha="center", va="center_baseline")
                if infinite:
                    masked.append(Rectangle((x + 1, y + 1), width - 2, height - 2))
        if masked:
            self.axes.add_collection(PatchCollection(masked, hatch="////", linewidths=0,
                                                     facecolor="#e6eaf0",
                                                     edgecolor="#a5aebc"))

    def corners(self, tensor, left, top, width, height):
        """Red corners on cells that a document prints otherwise."""
        from matplotlib.collections import PolyCollection

        side = 0.22 * min(width, height)
        right = [(left + width * (j + 1) - 1, top + height * i + 1)
                 for i, j in tensor["differs"]]
        if right:
            self.axes.add_collection(PolyCollection(
                [[(x - side, y), (x, y), (x, y + side)] for x, y in right],
                facecolor="#a81f1f", linewidths=0))

    def legends(self, data):
        import numpy

        right, reach = 1872, self.reach(data)
        kinds = {tensor["shares"] for tensor in data["tensors"]}
        for shares in sorted(kinds):
            palette = self.shares if shares else self.signed
            ends = ("0", "0.5", "1") if shares else (f"−{reach:.4g}", "0", f"{reach:.4g}")
            self.axes.imshow(numpy.linspace(0, 1, 240)[None, :], cmap=palette, vmin=0,
                             vmax=1, aspect="auto", extent=(right - 240, right, 844, 829))
            for place, text in enumerate(ends):
                self.text(right - 240 + 120 * place, 858, text, 16, SOFT,
                          ha=("left", "center", "right")[place])
            right -= 292

    # ---- below ----

    def inspector(self, data):
        for i, runs in enumerate(data["inspector"]):
            self.runs(34, 930 + 40 * i, runs, (22, 18)[i])
        if data["note"]:
            good = data["note"]["good"]
            self.text(1868, 924, data["note"]["text"], 17, "#1a693c" if good else "#a81f1f",
                      ha="right",
                      bbox={"boxstyle": "round,pad=0.6,rounding_size=0.9",
                            "facecolor": "#e6f5eb" if good else "#fdeae9",
                            "edgecolor": "none"})

    def timeline(self, data):
        count, at = len(data["places"]), data["at"]
        xs = [34 + (WIDTH - 68) * i / max(1, count - 1) for i in range(count)]
        self.axes.plot(xs, [1014] * count, color=LINE, linewidth=4)
        self.axes.plot(xs[:at + 1], [1014] * (at + 1), color=INK, linewidth=4)
        named = [i for i, place in enumerate(data["places"]) if place["chapter"] is not None]
        sizes = [200 if i == at else 130 if i in named else 70 for i in range(count)]
        colors = ["#f0a25e" if i == at else INK if i < at else LINE for i in range(count)]
        self.axes.scatter(xs, [1014] * count, s=sizes, c=colors, zorder=3)
        for i, following in zip(named, [*named[1:], count]):
            present = i <= at < following
            self.text(xs[i], 1052, data["places"][i]["chapter"], 16,
                      INK if present else SOFT, weight="bold" if present else "normal",
                      ha="left" if i == 0 else "right" if i == count - 1 else "center")


def draw_some(task):
    """Every `jobs`-th of `count` pictures, from the first-th on."""
    paths, folder, count, first, jobs = task
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)
    FigureCanvasAgg(figure)
    figures, page = load(paths), Page(figure)
    with matplotlib.rc_context(STYLE):
        for i in range(first, count, jobs):
            page.draw(figures[i % len(figures)])
            figure.savefig(os.path.join(folder, f"{i:03}.png"), facecolor="auto",
                           pil_kwargs={"compress_level": 1})


def pictures(paths, folder, count, jobs):
    tasks = [(paths, folder, count, first, jobs) for first in range(jobs)]
    if jobs == 1:
        draw_some(tasks[0])
        return
    with multiprocessing.Pool(jobs) as pool:
        pool.map(draw_some, tasks, chunksize=1)


def window(paths):
    matplotlib.use("TkAgg")
    from matplotlib import pyplot

    with matplotlib.rc_context(STYLE):
        figure = pyplot.figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)
        Page(figure).draw(load(paths)[0])
        pyplot.show(block=False)
        pyplot.pause(0.001)  # draws, and lets the window system show it
    os._exit(0)


if __name__ == "__main__":
    if sys.argv[1] == "pictures":
        pictures(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        window(sys.argv[2])
