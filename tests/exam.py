"""Holds a mock exam's key against NumPy, and the exam against what it promises.

    exam.py GLASSFORMER SHEET.txt KEY.txt [OTHER.txt]

The texts are what pdftotext -layout reads in an exam of 40 questions over the course, in
its key, and in the sheet in another language. Every sum that the key prints is computed
anew from its printed numbers, and every answer has to be in the table that the lesson's
NumPy script computes. Says what differs; ends with 1 when anything does."""

import collections
import contextlib
import io
import re
import subprocess
import sys
import unicodedata

if len(sys.argv) < 4:
    sys.exit(__doc__)

import numpy

QUESTIONS, POINTS, USUAL = 40, 100, 5.001e-4
MARGIN = 20  # characters left of which a question's number stands
TOPIC = re.compile(r"^ *(\d+) +(.*\S) +(\d+) ?(?:points?|分)$", re.M)
ANSWER = re.compile(r"^ *([^\[\n]+?) ?\[(.+)\] = (.+?)$", re.M)
NAMES = {"exp": numpy.exp, "log": numpy.log, "sqrt": numpy.sqrt, "max": max, "min": min,
         "sin": numpy.sin, "cos": numpy.cos, "tanh": numpy.tanh, "inf": numpy.inf,
         "__builtins__": {}}


def read(path):
    text = open(path, encoding="utf-8").read().replace("²", "**2")
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("\f", "\n")


def topics(text):
    """Number, lesson and points of each question."""
    return [(int(number), topic.rsplit(" · ", 1)[-1], int(points))
            for number, topic, points in TOPIC.findall(text)]


def value_of(expression):
    """The value of a printed sum; None for a shortened one."""
    if "..." in expression:  # the normal form of "…"
        return None
    for printed, written in (("×", "*"), ("÷", "/"), ("·", "*"), ("∞", "inf"), ("√", "sqrt"),
                             ("e^", "exp")):
        expression = expression.replace(printed, written)
    expression = re.sub(r"(?:row|column|行|列) \S+ → ", "", expression)
    expression = re.sub(r"(?<=\d),(?=\d{3})", "", expression)
    expression = re.sub(r"(sqrt|exp)([\d.]+)", r"\1(\2)", expression)
    return float(eval(expression.replace("^", "**"), NAMES))


def number_of(text):
    return float(re.sub(r"(?<=\d),(?=\d{3})", "", text))


def table_of(glassformer, lesson, name, tables):
    """A tensor as the lesson's NumPy script computes it; None if it has none of this name."""
    if lesson not in tables:
        script = subprocess.run([glassformer, "show", lesson, "--code", "numpy"], check=False,
                                capture_output=True, text=True)
        tables[lesson] = {}
        if script.returncode == 0:
            with contextlib.redirect_stdout(io.StringIO()), \
                 contextlib.suppress(FileNotFoundError):  # tensors in a file of their own
                exec(script.stdout, tables[lesson])
    return tables[lesson].get(name.replace(" ", "_"))


def answers_in(key):
    """Each answer with the number of its question's lesson."""
    places = [(match.start(), match[2]) for match in TOPIC.finditer(key)]
    for match in ANSWER.finditer(key):
        before = [topic for start, topic in places if start < match.start()]
        lesson = re.search(r"(?:^|· )(\d+) · [^·]*$", before[-1]) if before else None
        parts = re.split(r" (?:=|≈) ", match[3])
        if before and len(parts) > 1:
            yield lesson[1] if lesson else "0", match[1], parts[-2], parts[-1]


def check_key(glassformer, key):
    tables, summed, found = {}, 0, 0
    for lesson, name, expression, result in answers_in(key):
        result = number_of(result)
        value = value_of(expression)
        if value is not None:
            summed += 1
            if not abs(value - result) <= 5e-3 * (1 + abs(result)):
                print(f"lesson {lesson}: {name} = {expression} is {value}, not {result}")
                return 1
        table = table_of(glassformer, lesson, name, tables)
        if isinstance(table, numpy.ndarray):
            found += 1
            if not numpy.any(numpy.abs(table - result) <= USUAL * max(1, abs(result))):
                print(f"lesson {lesson}: NumPy has no {result} in {name}")
                return 1
    print(f"{summed} sums, {found} answers in NumPy's tables")
    return 0 if summed >= 15 and found >= 8 else 1


def check_questions(sheet, *others):
    asked = topics(sheet)
    of_lesson = collections.Counter(lesson for _, lesson, _ in asked)
    wrong = [
        [number for number, _, _ in asked] != list(range(1, QUESTIONS + 1)) and "numbers",
        sum(points for _, _, points in asked) != POINTS and "points",
        max(of_lesson.values(), default=3) > 2 and "lessons",
        len(set(points for _, _, points in asked)) < 3 and "kinds"]
    for other in others:
        same = [(number, points) for number, _, points in topics(other)]
        wrong.append(same != [(number, points) for number, _, points in asked] and "other")
    wrong = [what for what in wrong if what]
    for what in wrong:
        print(f"the {what} are not as promised")
    return 1 if wrong else 0


texts = [read(path) for path in sys.argv[2:]]
sys.exit(check_questions(*texts) or check_key(sys.argv[1], texts[1]))
