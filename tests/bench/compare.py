#!/usr/bin/python3
"""Times the program against matplotlib: compare.py PROGRAM [ROUNDS]

Both draw the same pictures of the same steps (figures.py), at the same size, with as light
a compression. Each line of the table is measured in this run, the two by turns (A B A B …);
it shows medians, in brackets the least and the greatest, and the medians' ratio. Memory is
the peak of the largest process. Under a display, the first window is timed too.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

if len(sys.argv) < 2:
    sys.exit(__doc__)

LESSONS = ["08-one-head", "09-shapes", "11-why-scale", "13-masks", "14-heads"]
here = pathlib.Path(__file__).resolve().parent
source = here.parent.parent / "lessons"
program = str(pathlib.Path(sys.argv[1]).resolve())
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
cores = len(os.sched_getaffinity(0))
work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)
matplotlib = [sys.executable, "-I", str(here / "figures.py")]


def measure(command, core=None, environment=None):
    """Wall seconds and peak memory in MB of a command that must succeed."""
    if core is not None:
        command = ["taskset", "-c", str(core), *command]
    log = open(folder / "log", "w+b")
    began = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                               env={**os.environ, **(environment or {})})
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        log.seek(0)
        sys.exit(f"{' '.join(command)}\n{log.read().decode()}"
                 f"exit status {process.returncode}")
    return seconds, usage.ru_maxrss / 1024


def fresh(name):
    path = folder / f"{name}-{time.monotonic_ns()}"
    path.mkdir()
    return str(path)


def spread(values):
    values = sorted(values)
    return f"{statistics.median(values):8.3f} ({values[0]:.3f}–{values[-1]:.3f})"


def compare(what, ours, theirs, repeat=rounds, pictures=0):
    """Runs both by turns; `ours` and `theirs` give (seconds, MB). Prints one line, in
    seconds or in pictures a second."""
    ours(), theirs()  # the first runs fill the system's caches
    pairs = [(ours(), theirs()) for _ in range(repeat)]
    times = [[pair[side][0] for pair in pairs] for side in (0, 1)]
    memory = [statistics.median(pair[side][1] for pair in pairs) for side in (0, 1)]
    ratio = statistics.median(times[1]) / statistics.median(times[0])
    shown = [[pictures / t for t in side] for side in times] if pictures else times
    print(f"{what:<30} {spread(shown[0]):>26} {spread(shown[1]):>26} {ratio:>7.1f}×"
          f"   {memory[0]:>5.0f} {memory[1]:>5.0f} MB {memory[1] / memory[0]:>5.1f}×",
          flush=True)


def gather(lesson):
    """Writes what figures.py draws of a lesson; its path."""
    shown, figures = folder / f"{lesson}.shown", folder / f"{lesson}.json"
    with open(shown, "wb") as stream:
        subprocess.run([program, "show", lesson, "--json"], check=True, stdout=stream)
    with open(figures, "wb") as stream:
        subprocess.run([sys.executable, "-I", str(here / "figure_data.py"), str(shown),
                        str(source / f"{lesson}.yaml")], check=True, stdout=stream)
    return str(figures)


def export(core=None, lessons=LESSONS):
    out = fresh("ours")
    return measure([program, "export", *lessons, "--out", out,
                    "--size", "1920x1080"], core), out


def draw(jobs, core=None, count=None):
    out = fresh("theirs")
    return measure([*matplotlib, "pictures", data, out, str(count or pictures),
                    str(jobs)], core), out


def bytes_in(path):
    return [file.stat().st_size for file in pathlib.Path(path).rglob("*.png")]


data = ",".join(map(gather, LESSONS))
ours_size = bytes_in(export()[1])
pictures = len(ours_size)
theirs_size = bytes_in(draw(cores)[1])
if len(theirs_size) != pictures:
    sys.exit(f"{pictures} pictures here, {len(theirs_size)} from matplotlib")
print(f"{pictures} pictures of 1920×1080 ({', '.join(LESSONS)}), {cores} cores, "
      f"{rounds} rounds by turns;\na picture has {sum(ours_size) / pictures / 1024:.0f} KB "
      f"here, {sum(theirs_size) / pictures / 1024:.0f} KB from matplotlib\n")
print(f"{'median (least–greatest)':<30} {'ours':>26} {'matplotlib':>26} {'ratio':>8}"
      "   peak memory")
compare("pictures a second, all cores", lambda: export()[0], lambda: draw(cores)[0],
        pictures=pictures)
compare("pictures a second, one core", lambda: export(0)[0], lambda: draw(1, 0)[0],
        pictures=pictures)
compare("first picture, cold process, s",
        lambda: measure([program, "play", LESSONS[0], "--keys", "", "--png",
                         fresh("first") + "/first.png"]),
        lambda: draw(1, count=1)[0], repeat=3 * rounds)
if os.environ.get("DISPLAY"):
    compare("first window, cold process, s",
            lambda: measure([program, LESSONS[0]],
                            environment={"GLASSFORMER_EXIT_AFTER_FIRST_FRAME": "1"}),
            lambda: measure([*matplotlib, "window", data]), repeat=3 * rounds)
else:
    print("no display: the first window is not timed")
