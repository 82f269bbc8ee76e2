#!/usr/bin/env python3
"""What a lesson's size costs: time of the processor and memory to open it, to draw a page of
it, and to list so many lessons, as a table.

    growth.py PROGRAM [MOST]     MOST: the largest size that is tried; all without it

Opening is `check`, drawing what `play --png` takes beyond that, and of a model an average page
what `export` takes beyond it."""
import os
import subprocess
import sys
import tempfile

GIVEN = "title: x\ngiven:\n  X: [[1, 2], [3, 4]]\nsteps:\n"


def steps(count):
    return GIVEN + "- do: X.T\n" * count


def chapters(count):
    return GIVEN + "- {do: X.T, chapter: abc}\n" * count


def tokens(count):
    text = ("abc" * count)[:count]
    return ("title: x\nvocabularies: {V: {corpus: [abc], tokenizer: characters}}\ngiven:\n"
            f"  T: {{text: \"{text}\", vocabulary: V}}\nsteps:\n- show: T\n  as: chips\n")


def cells(count):
    side = int(count**0.5)
    return ("title: x\ngiven:\n  X: {random: [%d, %d], seed: 1}\n" % (side, side) +
            "steps:\n- do: A = X * 2\n")


def named(count):
    side = int(count**0.5)
    words = ", ".join(f"w{i}" for i in range(side))
    return (f"title: x\ngiven:\n  X: {{random: [{side}, {side}], seed: 1}}\n"
            f"labels: {{A: {{rows: [{words}], cols: [{words}]}}}}\n"
            "steps:\n- do: A = X * 2\n  say: " + "Look at “w0” and at “w1”. " * 20 + "\n")


def model(d_model=8, layers=1, words=6, vocabulary=1000):
    names = [f"w{i}" for i in range(vocabulary - 3)]  # and padding, start and end
    text = " ".join(names[:words])
    return (f"title: x\nmodel:\n  d_model: {d_model}\n  heads: {max(2, d_model // 64)}\n"
            f"  d_ff: {4 * d_model}\n  layers: {layers}\n  vocabulary: [{', '.join(names)}]\n"
            f"  source: {text}\n  target: {text}\n")


# Sizes that grow in a model, beside those above.
MODELS = [("d_model", [8, 64, 256, 768]), ("layers", [1, 4, 12]), ("words", [6, 64, 512]),
          ("vocabulary", [1000, 4000, 10000])]

# What grows, and its sizes up to the limits: 100,000 operations, 1 MiB of text, 4,194,304 cells.
GROWS = [(steps, [100, 1000, 10000, 99999]), (chapters, [100, 1000, 10000, 99999]),
         (tokens, [100, 1000, 10000, 100000, 1000000]),
         (cells, [100, 1000, 10000, 100000, 1000000, 4194304]), (named, [100, 10000, 1000000])]
LISTS = [1, 10, 100, 1000]


def cost(program, folder, *arguments):
    """Seconds of the processor, and MiB at the most."""
    child = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL,
                             env=dict(os.environ, XDG_DATA_HOME=folder))
    status, usage = os.wait4(child.pid, 0)[1:]
    if status:
        sys.exit(f"{' '.join(arguments)} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, most = os.path.realpath(sys.argv[1]), float((sys.argv[2:] or ["inf"])[0])
    with tempfile.TemporaryDirectory() as folder:
        path, picture = os.path.join(folder, "x.yaml"), os.path.join(folder, "x.png")
        for make, sizes in GROWS:
            for size in [size for size in sizes if size <= most]:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(make(size))
                opened = cost(program, folder, "check", path)
                played = cost(program, folder, "play", path, "--keys", "")
                drawn = cost(program, folder, "play", path, "--keys", "", "--png", picture)
                print(f"{make.__name__:9}{size:8}  open {opened[0]:5.2f} s {opened[1]:4.0f} MiB"
                      f"  page {max(drawn[0] - played[0], 0):5.2f} s {drawn[1]:4.0f} MiB",
                      flush=True)
        for name, sizes in MODELS:
            for size in [size for size in sizes if size <= most]:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(model(**{name: size}))
                opened = cost(program, folder, "check", path)
                with tempfile.TemporaryDirectory() as out:
                    drawn = cost(program, folder, "export", path, "--out", out, "--threads", "1")
                    pages = sum(len(files) for _, _, files in os.walk(out))
                page = (drawn[0] - opened[0]) / pages
                print(f"{name:11}{size:6}  open {opened[0]:5.2f} s {opened[1]:4.0f} MiB"
                      f"  page {page:5.3f} s {drawn[1]:4.0f} MiB, {pages} pages", flush=True)
        own = os.path.join(folder, "glassformer", "lessons")
        os.makedirs(own)
        for size in [size for size in LISTS if size <= most]:
            for i in range(size):
                with open(os.path.join(own, f"{i:03}.yaml"), "w", encoding="utf-8") as file:
                    file.write(steps(100))
            listed = cost(program, folder, "list")
            print(f"{'lessons':9}{size:8}  list {listed[0]:5.2f} s {listed[1]:4.0f} MiB", flush=True)


main()
