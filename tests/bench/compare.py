#!/usr/bin/python3
"""Times the program against matplotlib: compare.py PROGRAM [ROUNDS]

Each line of the table is measured in this run, the two by turns (A B A B …), and shows the
medians and their ratio. Memory is the peak of the largest process. Under a display, the
first window is timed too.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

PICTURES = 40
here = pathlib.Path(__file__).resolve().parent
program = str(pathlib.Path(sys.argv[1]).resolve())
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
cores = len(os.sched_getaffinity(0))
work = tempfile.TemporaryDirectory()
folder = pathlib.Path(work.name)
figures = [sys.executable, str(here / "figures.py")]


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


def compare(what, ours, theirs, repeat=rounds, unit="s", per=1):
    """Runs both by turns; `ours` and `theirs` give (seconds, MB). Prints one line."""
    ours(), theirs()  # the first runs fill the caches
    pairs = [(ours(), theirs()) for _ in range(repeat)]
    a = statistics.median(pair[0][0] for pair in pairs)
    b = statistics.median(pair[1][0] for pair in pairs)
    a_memory = statistics.median(pair[0][1] for pair in pairs)
    b_memory = statistics.median(pair[1][1] for pair in pairs)
    if unit == "pictures/s":
        a, b, ratio = per / a, per / b, b / a
    else:
        ratio = b / a
    print(f"{what:<42} {a:>10.3f} {b:>10.3f} {unit:<10} {ratio:>7.1f}×"
          f"   {a_memory:>5.0f} {b_memory:>5.0f} MB {b_memory / a_memory:>5.1f}×",
          flush=True)


def lessons_and_numbers():
    """Lessons that together have PICTURES pictures or a few more; their numbers; how many."""
    listing = subprocess.run([program, "list"], check=True, capture_output=True, text=True)
    ids = [line.split()[0] for line in listing.stdout.splitlines()]
    ids.sort(key=lambda lesson: "head" not in lesson)  # attention first
    numbers = folder / "numbers.jsonl"
    chosen, count = [], 0
    with open(numbers, "w", encoding="utf-8") as stream:
        for lesson in ids:
            shown = subprocess.run([program, "show", lesson, "--json"], check=True,
                                   capture_output=True, text=True).stdout
            stream.write(" ".join(shown.split("\n")) + "\n")
            out = fresh("count")
            measure([program, "export", lesson, "--out", out, "--size", "1920x1080"])
            chosen.append(lesson)
            count += len(list(pathlib.Path(out).rglob("*.png")))
            if count >= PICTURES:
                break
    return chosen, str(numbers), count


lessons, numbers, count = lessons_and_numbers()
print(f"{count} pictures of 1920×1080 ({', '.join(lessons)}), {cores} cores, "
      f"medians of {rounds} rounds by turns")
print(f"{'':<42} {'ours':>10} {'matplotlib':>10} {'':<10} {'ratio':>8}   peak memory")


def export(core=None):
    return measure([program, "export", *lessons, "--out", fresh("ours"),
                    "--size", "1920x1080"], core)


def draw(jobs, core=None):
    return measure([*figures, "pictures", numbers, fresh("theirs"), str(count),
                    str(jobs)], core)


compare("pictures a second, all cores", export, lambda: draw(cores),
        unit="pictures/s", per=count)
compare("pictures a second, one core", lambda: export(0), lambda: draw(1, 0),
        unit="pictures/s", per=count)
compare("first picture, cold process",
        lambda: measure([program, "play", lessons[0], "--keys", "", "--png",
                         fresh("first") + "/first.png"]),
        lambda: measure([*figures, "pictures", numbers, fresh("first"), "1", "1"]),
        repeat=3 * rounds)
if os.environ.get("DISPLAY"):
    compare("first window, cold process",
            lambda: measure([program, lessons[0]],
                            environment={"GLASSFORMER_EXIT_AFTER_FIRST_FRAME": "1"}),
            lambda: measure([*figures, "window", numbers]), repeat=3 * rounds)
else:
    print("no display: the first window is not timed")
