"""Holds a worksheet's key against NumPy.

    worksheet.py KEY.txt TENSORS.npz

KEY.txt is what pdftotext reads in the key of the lesson in tests/commands.sh, TENSORS.npz
what the same call wrote. Everything is computed anew from the given tables. Says what
differs; ends with 1 when anything does."""

import re
import sys
import unicodedata

if len(sys.argv) < 3:
    sys.exit(__doc__)

import numpy

TOKENS = ["a", "b", "c"]


def computed(given):
    """The lesson in NumPy."""
    x, w, v = given["X"], given["W"], given["V"]
    q = x @ w
    s = q @ x.T
    z = s / 4
    a = numpy.exp(z) / numpy.exp(z).sum(axis=1, keepdims=True)
    return {"Q": q, "S": s, "Z": z, "A": a, "O": a @ v}


def place(label):
    return TOKENS.index(label) if label in TOKENS else int(label)


def main(key, tensors):
    tables = computed(numpy.load(tensors))
    text = unicodedata.normalize("NFKC", open(key, encoding="utf-8").read())
    answers = re.findall(r"^ *(\w) ?\[(\w), (\w)\] = .*?(-?[\d.]+)$", text, re.M)
    for name, row, col, number in answers:
        right = tables[name][place(row), place(col)]
        if not abs(float(number) - right) <= 5.001e-4:
            print(f"{name}[{row}, {col}] is {right}, not {number}")
            return 1
    asked = {(name, row, col) for name, row, col, _ in answers}
    if not {("S", "c", "b"), ("A", "b", "b"), ("O", "a", "1")} <= asked:
        print("a number that the lesson asks for is not in the key")
        return 1
    print(f"{len(answers)} answers")
    return 0


sys.exit(main(*sys.argv[1:]))
