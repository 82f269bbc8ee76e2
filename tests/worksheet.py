"""Holds a worksheet's key against NumPy, and sheets against each other.

    worksheet.py KEY.txt TENSORS.npz
    worksheet.py SHEET.txt KEY.txt
    worksheet.py SHEET.bbox KEY.bbox LETTER.bbox

SHEET.txt is the sheet of wide.yaml there, whose pictures print too few digits: its key's
answers are computed from what the sheet says is given.

SHEET.bbox and so on is what pdftotext -bbox reads in a sheet, its key and the same on
other paper: all have to ask the same questions under the same numbers.

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
TITLE = 45  # thousandths of the page's width: no question is set in type as tall


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


def numbers_in(text):
    text = unicodedata.normalize("NFKC", open(text, encoding="utf-8").read())
    found = re.findall(r"(\w) ?\[(\d), (\d)\] = (?:.*≈ )?(-?[\d.]+)", text.replace("−", "-"))
    return {(name, int(row), int(col)): float(number) for name, row, col, number in found}


def solvable(sheet, key):
    given, answers = numbers_in(sheet), numbers_in(key)
    product = sum(given["X", 0, k] * given["W", k, 0] for k in range(3))
    right = {("Y", 0, 1): given["X", 0, 1] ** 2, ("P", 0, 0): product}
    for place, number in right.items():
        if not abs(answers[place] - number) <= 5.001e-4:
            print(f"{place} is {number} by what is given, {answers[place]} in the key")
            return 1
    return 0


def asked_in(sheet):
    """The first line of each question, with its number: words that no formula has."""
    word = re.compile(r'<word xMin="(.+?)" yMin="(.+?)" xMax=".+?" yMax="(.+?)">(.*?)</word>')
    questions = []
    for page in open(sheet, encoding="utf-8").read().split("<page ")[1:]:
        scale = 1000 / float(re.match(r'width="([\d.]+)"', page)[1])
        words = [(float(x) * scale, float(y) * scale, (float(end) - float(y)) * scale, text)
                 for x, y, end, text in word.findall(page)]
        for left, top, height, number in sorted(words, key=lambda word: word[1]):
            if number.isdigit() and abs(left - 64) < 1 and height < TITLE:
                line = [text for x, y, _, text in sorted(words) if x > 99 and abs(y - top) < 7]
                plain = [re.fullmatch(r"\W*[A-Z]?([a-z]{3,})\W*", text) for text in line]
                questions.append(" ".join([number] + [text[1] for text in plain if text]))
    return questions


def same_questions(*sheets):
    first = asked_in(sheets[0])
    for sheet in sheets[1:]:
        other = asked_in(sheet)
        for mine, theirs in zip(first + [""], other + [""]):
            if mine != theirs:
                print(f"{sheets[0]} asks '{mine}' where {sheet} asks '{theirs}'")
                return 1
    print(f"{len(first)} questions")
    return 0 if first else 1


def main(key, tensors):
    tables = computed(numpy.load(tensors))
    text = unicodedata.normalize("NFKC", open(key, encoding="utf-8").read())
    answers = re.findall(r"^ *(\w) ?\[(\w), (\w)\] = .*?(-?[\d.]+)$", text, re.M)
    for name, row, col, number in answers:
        right = tables[name][place(row), place(col)]
        if not abs(float(number) - right) <= 5.001e-4:
            print(f"{name}[{row}, {col}] is {right}, not {number}")
            return 1
    print(f"{len(answers)} answers")
    return 0 if len(answers) > 2 else 1


CHECKS = {"npz": main, "txt": solvable, "bbox": same_questions}
sys.exit(CHECKS[sys.argv[2].rsplit(".")[-1]](*sys.argv[1:]))
