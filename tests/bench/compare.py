#!/usr/bin/python3
"""Times pictures and windows against matplotlib: compare.py PROGRAM [ROUNDS]

Both draw the same pictures of the same steps (figures.py), at the same size, with as light
a compression. Memory is the peak of the largest process. Under a display, the first window
is timed too, in wall time until its process has ended.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

if len(sys.argv) < 2:
    sys.exit(__doc__)

here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
import measure

LESSONS = ["08-one-head", "09-shapes", "11-why-scale", "13-masks", "15-seven-words"]
source = here.parent.parent / "lessons"
program = str(pathlib.Path(sys.argv[1]).resolve())
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
cores = len(os.sched_getaffinity(0))
work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)
matplotlib = [sys.executable, "-I", str(here / "figures.py")]


def fresh():
    return tempfile.mkdtemp(dir=folder)


def gather(lesson):
    """Writes what figures.py draws of a lesson; its path."""
    shown, figures = folder / f"{lesson}.shown", folder / f"{lesson}.json"
    with open(shown, "wb") as stream:
        subprocess.run([program, "show", lesson, "--json"], check=True, stdout=stream)
    with open(figures, "wb") as stream:
        subprocess.run([sys.executable, "-I", str(here / "figure_data.py"), str(shown),
                        str(source / f"{lesson}.yaml")], check=True, stdout=stream)
    return str(figures)


def export(out, core=None):
    return measure.process([program, "export", *LESSONS, "--out", out, "--size", "1920x1080"],
                           core)


def draw(out, jobs, core=None, count=None):
    return measure.process([*matplotlib, "pictures", data, out, str(count or pictures),
                            str(jobs)], core)


def png_sizes(out):
    return [file.stat().st_size for file in pathlib.Path(out).rglob("*.png")]


def compare(what, ours, theirs, repeat=rounds):
    costs = measure.by_turns(repeat, ours, theirs)
    measure.print_row(what, costs[0], peer, costs[1])


def first_picture():
    return measure.process([program, "play", LESSONS[0], "--keys", "", "--png",
                            fresh() + "/first.png"])


def first_window(*lesson):
    return measure.process([program, *lesson],
                           environment={"GLASSFORMER_EXIT_AFTER_FIRST_FRAME": "1"})


data = ",".join(map(gather, LESSONS))
peer = "matplotlib " + subprocess.run(
    [sys.executable, "-I", "-c", "import matplotlib; print(matplotlib.__version__)"],
    check=True, capture_output=True, text=True).stdout.strip()
ours, theirs = fresh(), fresh()
export(ours)
pictures = len(png_sizes(ours))
draw(theirs, cores)
if len(png_sizes(theirs)) != pictures:
    sys.exit(f"{pictures} pictures here, {len(png_sizes(theirs))} from matplotlib")
sizes = [f"{sum(png_sizes(out)) / pictures / 1024:.0f} KB" for out in (ours, theirs)]
what = f"{pictures} pages of 1920×1080 ({sizes[0]} each; peer {sizes[1]})"
compare(f"{what}, one core", lambda: export(fresh(), 0), lambda: draw(fresh(), 1, 0))
compare(f"{what}, {cores} cores", lambda: export(fresh()), lambda: draw(fresh(), cores))
compare("first picture, cold process", first_picture, lambda: draw(fresh(), 1, count=1),
        3 * rounds)
if os.environ.get("DISPLAY"):
    peer += ", TkAgg"
    for what, lesson in (("a lesson", LESSONS[:1]), ("home", [])):
        compare(f"first window, cold process, {what}", lambda: first_window(*lesson),
                lambda: measure.process([*matplotlib, "window", data]), 3 * rounds)
