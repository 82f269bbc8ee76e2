#!/usr/bin/env python3
"""Checks the course as a whole: times, and the order of lessons in the course and its routes.

    tests/check_course.py [TREE]

- A lesson's `minutes:` are what it takes to read it aloud: its headings and texts at 130 words
  a minute, half a minute for each question, and a quarter for each step to be looked at. A lab
  takes longer, because the reader works in it.
- A lesson asks at least four questions, and each wrong choice of a question has a reason of its own.
- A lesson's `needs:` come before it: in the course, and in each route of lessons/playlists. What
  a route leaves out must be needed by none of its lessons.
- A route's part that says its minutes in its title ("… (90 minutes)") lasts that long: its lessons
  fill at least three quarters of that time, and fit in.

First tries itself on courses that are wrong. Prints TAP."""

import pathlib
import re
import sys

import yaml

TREE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])
WORDS_A_MINUTE, QUESTION, STEP = 130, 0.5, 0.25
LEAST_QUESTIONS = 4
LABS = {"39-lab"}

count = 0


def ok(good, what, *notes):
    global count
    count += 1
    print(f"{'ok' if good else 'not ok'} {count} - {what}")
    for note in notes if not good else ():
        print(f"# {note}")


def english(text):
    return text.get("en", "") if isinstance(text, dict) else text or ""


def minutes_of(lesson):
    """How long a lesson takes when it is read aloud."""
    words = questions = 0
    for step in lesson["steps"]:
        words += sum(len(english(step.get(key)).split()) for key in ("heading", "say"))
        questions += len(questions_of(step))
    return words / WORDS_A_MINUTE + questions * QUESTION + len(lesson["steps"]) * STEP


def wrong_times(lessons):
    for name, lesson in lessons.items():
        told, read = lesson.get("minutes"), minutes_of(lesson)
        if not told:
            yield f"{name} has no `minutes:`; reading takes {read:.0f}"
        elif told < 0.85 * read - 1 or told > 1.15 * read + 1 and name not in LABS:
            yield f"{name} says {told} minutes, and reading takes {read:.1f}"


def questions_of(step):
    asked = step.get("ask", [])
    return asked if isinstance(asked, list) else [asked]


def wrong_questions(lessons):
    for name, lesson in lessons.items():
        asked = [(i, question) for i, step in enumerate(lesson["steps"], 1) for question in questions_of(step)]
        if len(asked) < LEAST_QUESTIONS:
            yield f"{name} asks {len(asked)} questions"
        for i, question in asked:
            reasons = [choice["because"] for choice in question.get("choose", []) if "because" in choice]
            for language in ("en", "zh"):
                texts = [text.get(language) if isinstance(text, dict) else text for text in reasons]
                if len(set(texts)) < len(texts):
                    yield f"{name} step {i}: two choices are wrong for the same reason ({language})"


def wrong_order(lessons, order):
    """What is needed and doesn't come before; `order`: the ids of lessons."""
    seen = set()
    for name in order:
        if name not in lessons:
            yield f"there is no {name}"
            continue
        for need in lessons[name].get("needs", []):
            if need not in seen:
                yield f"{name} needs {need}, which doesn't come before it"
        seen.add(name)


def wrong_parts(lessons, route):
    for part in route["parts"]:
        told = re.search(r"\((\d+) minutes\)", english(part["title"]))
        takes = sum(lessons[name].get("minutes", 0) for name in part["lessons"] if name in lessons)
        if told and not 0.75 * int(told[1]) <= takes <= int(told[1]):
            yield f"“{english(part['title'])}”: its lessons take {takes} minutes"


def try_itself():
    """Each rule finds what it is for."""
    good = {"minutes": 2, "steps": [{"say": "word " * 195, "ask": {"cell": [0, 0]}}]}
    lessons = {"01-a": good, "02-b": {**good, "needs": ["01-a"]}}
    route = lambda minutes: {"parts": [{"title": f"A part ({minutes} minutes)", "lessons": ["01-a", "02-b"]}]}
    ok(not list(wrong_times(lessons)) and not list(wrong_order(lessons, ["01-a", "02-b"])) and
       not list(wrong_parts(lessons, route(5))), "a course that is right passes")
    ok(list(wrong_times({"01-a": {**good, "minutes": 5}})) and list(wrong_times({"01-a": {**good, "minutes": None}})),
       "a time that is wrong, or missing, is found")
    choices = [{"text": "a", "right": True}, *({"text": text, "because": {"en": because, "zh": text}}
                                               for text, because in (("b", "It is b."), ("c", "It isn't a.")))]
    four = lambda choices: {"01-a": {"steps": [{"ask": {"choose": choices}}] * 4}}
    same = [*choices[:2], {**choices[2], "because": {"en": "It is b.", "zh": "c"}}]
    ok(not list(wrong_questions(four(choices))) and len(list(wrong_questions(four(same)))) == 4 and
       list(wrong_questions({"01-a": good})), "too few questions, and a reason that is given twice, are found")
    ok(list(wrong_order(lessons, ["02-b", "01-a"])) and list(wrong_order(lessons, ["02-b"])),
       "a need that comes later, or not at all, is found")
    ok(list(wrong_parts(lessons, route(3))) and list(wrong_parts(lessons, route(10))),
       "a part that is too long or too short is found")


def main():
    lessons = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))
               for path in sorted((TREE / "lessons").glob("[0-9]*.yaml"))}
    try_itself()
    found = list(wrong_times(lessons))
    ok(not found, "each lesson says how long it takes", *found)
    found = list(wrong_questions(lessons))
    ok(not found, "each lesson asks enough, and each wrong choice has its own reason", *found)
    found = list(wrong_order(lessons, list(lessons)))
    ok(not found, "each lesson of the course comes after those that it needs", *found)
    for path in sorted((TREE / "lessons" / "playlists").glob("*.yaml")):
        route = yaml.safe_load(path.read_text(encoding="utf-8"))
        order = [name for part in route["parts"] for name in part["lessons"]]
        found = [*wrong_order(lessons, order), *wrong_parts(lessons, route)]
        ok(not found, f"{path.name}: a lesson comes after those that it needs, and parts fill their time", *found)
    print(f"1..{count}")
    return 0


sys.exit(main())
