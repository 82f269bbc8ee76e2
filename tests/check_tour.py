#!/usr/bin/env python3
"""Holds the tour of core/README.md against the code: each file and function that it names is
there, and each stop leads to the next on the way that the tour tells.

    tests/check_tour.py [TREE]

The rule, of C whose comments and strings are blanked:

- a function is a name at a line's beginning with its arguments and a body that ends with `}` at a
  line's beginning; a name is looked for in the file at hand first, then, where it is not static,
  in all files of core/ and app/;
- `f` is called where the body at hand has the name and `(` behind it;
- `.m` of `T`: the body has `.m` or `->m`, and table T has the next function, as `.m = …` where it
  names its members;
- back in `f`: the walk was in f before, and goes on in its body;
- left in `x`: the body at hand and the next function's both have the name x.

It sees names and not values: that a call is reached, and with which numbers, it can't tell.
First tries itself on tours that are wrong. Prints TAP."""

import pathlib
import re
import sys

TREE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])

BLANKED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
FUNCTION = re.compile(r"^((?:\w+[ \t*]+)+)(\w+)\([^;{}]*\) \{\n(.*?)^\}", re.S | re.M)
TABLE = r"^( *)(?:static )?const [\w ]*\b%s(?:\[\w*\])* = \{(.*?)^\1\};|\b%s = \{([^;]*)\};"
STOP = re.compile(r"^\| (\d+) \| `([^`]+)` \| `(\w+)` \|.*\| ([^|]*)\|$", re.M)
PLACE = re.compile(r"^\| …[^|]*\| `([^`]+)` \| `(\w+)` \|$", re.M)
STEP = re.compile(r"(back in |left in )?`(\.?\w+)`(?: of `(\w+)`)?")


class Wrong(Exception):
    """What is wrong with a tour."""


class Code:
    def __init__(self, files):
        """`files`: the text of each C file by its path."""
        blank = lambda found: re.sub(r"[^\n]", " ", found[0])
        self.files = {path: BLANKED.sub(blank, text) for path, text in files.items()}
        self.bodies, self.shared = {}, {}
        for path, text in self.files.items():
            for kind, name, body in FUNCTION.findall(text):
                self.bodies[path, name] = body
                if "static" not in kind:
                    self.shared[name] = path

    def find(self, name, path):
        """The file that has the function, as seen from another."""
        if (path, name) in self.bodies:
            return path
        if name in self.shared:
            return self.shared[name]
        raise Wrong(f"{path} has no function {name}, nor has any other file one that is shared")

    def table(self, name, path):
        """A table's file and text; the nearest file's."""
        for file in [path] + list(self.files):
            found = re.search(TABLE % (name, name), self.files[file], re.S | re.M)
            if found:
                return file, found[2] or found[3] or ""
        raise Wrong(f"there is no table {name}")

    def has(self, place, pattern):
        return re.search(pattern, self.bodies[place]) is not None


def walk(code, stops):
    """Goes from the first stop to the last."""
    been, hand, pointer, last = [], None, None, None
    for number, file, function, way in stops:
        if file not in code.files:
            raise Wrong(f"stop {number}: there is no {file}")
        if (file, function) not in code.bodies:
            raise Wrong(f"stop {number}: {file} has no function {function}")
        arrives = hand is not None  # the first step leads to the stop itself
        if not arrives:
            hand = (file, function)
            been.append(hand)
        steps = [("", function, "")] * arrives + STEP.findall(way)
        if STEP.sub("", way).strip(" ,"):
            raise Wrong(f"stop {number}: can't read {way!r}")
        for place, (kind, name, table) in enumerate(steps):
            said = f"stop {number}: {hand[1]} ({hand[0]})"
            if kind == "back in ":
                found = [old for old in been if old[1] == name]
                if not found:
                    raise Wrong(f"{said}: the tour was in no {name} before")
                hand = found[-1]
                continue
            if kind == "left in ":
                if not code.has(hand, rf"\b{name}\b"):
                    raise Wrong(f"{said} names no {name}")
                last = name
                continue
            if table:
                if not code.has(hand, rf"(\.|->){name[1:]}\b"):
                    raise Wrong(f"{said} has no {name}")
                pointer = name[1:], table, code.table(table, hand[0])
                continue
            before = hand
            if pointer:
                member, table, (path, text) = pointer
                named = rf"\.{member} = {name}\b" if f".{member} = " in text else rf"\b{name}\b"
                if not re.search(named, text):
                    raise Wrong(f"{said}: .{member} of {table} is not {name}")
                hand = code.find(name, path), name
                pointer = None
            elif last:
                hand = (file if arrives and place == 0 else code.find(name, hand[0])), name
                if not code.has(hand, rf"\b{last}\b"):
                    raise Wrong(f"stop {number}: {name} names no {last}")
                last = None
            else:
                if not code.has(before, rf"(?<![\w.>]){name}\("):
                    raise Wrong(f"{said} doesn't call {name}")
                hand = code.find(name, before[0]), name
            if arrives and place == 0 and hand != (file, function):
                raise Wrong(f"stop {number}: {before[1]} leads to {name} of {hand[0]}, not {file}")
            been.append(hand)


def tours(document):
    """The stops of each walk."""
    tour = document.split("\n## A tour of the code\n")[-1].split("\n## ")[0]
    return {part.split("\n")[0]: STOP.findall(part) for part in tour.split("\n### ")[1:]
            if STOP.search(part)}, PLACE.findall(tour)


def problems(code, document):
    walks, places = tours(document)
    for name, stops in walks.items():
        try:
            walk(code, stops)
        except Wrong as wrong:
            yield f"{name}: {wrong}"
    for file, name in places:
        defined = (file, name) in code.bodies
        if file not in code.files or not (defined or re.search(TABLE % (name, name), code.files[file],
                                                               re.S | re.M)):
            yield f"Where is …?: {file} has no {name}"


number = 0
bad = 0


def ok(good, name, lines=()):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in lines:
        print(f"# {line}")


TRIED = {"core/a.c": "static void b(int x) {\n    tell(\"c(\"); /* d( */\n    table[x].act(x);\n}\n"
                     "\nvoid a(int x) {\n    b(x);\n}\n",
         "core/c.c": "static void act(int x) {\n    kept = x;\n}\n\nstatic const Row table[] = {\n"
                     "    {.act = act},\n};\n\nvoid show(void) {\n    draw(kept);\n}\n"}
GOOD = """
## A tour of the code

### One
| 1 | `core/a.c` | `a` | x | `b`, `.act` of `table` |
| 2 | `core/c.c` | `act` | x | back in `a`, `b`, `.act` of `table`, `act`, left in `kept` |
| 3 | `core/c.c` | `show` | x | |
### Where is …?
| … it? | `core/c.c` | `table` |
"""
code = Code(TRIED)
wrongs = [("`b`,", "`c`,"), ("`b`,", "`d`,"), ("core/a.c", "core/b.c"), ("`show`", "`shown`"),
          ("`.act` of `table` |", "`.call` of `table` |"), ("`.act` of `table` |", "`.act` of `rows` |"),
          ("left in `kept`", "left in `x`"), ("left in `kept`", "left in `gone`"), ("back in `a`", "back in `c`"),
          ("left in `kept`", "in `kept`"), ("it? | `core/c.c` | `table`", "it? | `core/c.c` | `rows`")]
tried = [list(problems(code, GOOD.replace(old, new, 1))) for old, new in wrongs]
ok(not list(problems(code, GOOD)), "a good tour is good", list(problems(code, GOOD)))
ok(all(len(found) == 1 for found in tried), "what is wrong with a tour is found",
   [f"{old} → {new}: {found}" for (old, new), found in zip(wrongs, tried) if len(found) != 1])

sources = {str(path.relative_to(TREE)): path.read_text(encoding="utf-8")
           for folder in ("core", "app") for path in sorted((TREE / folder).rglob("*.c"))}
document = (TREE / "core/README.md").read_text(encoding="utf-8")
code = Code(sources)
walks, places = tours(document)
ok(len(walks) == 3 and all(len(stops) == 10 for stops in walks.values()) and len(places) >= 12,
   "the tour has three walks of ten stops, and places",
   [f"{name}: {len(stops)} stops" for name, stops in walks.items()] + [f"{len(places)} places"])
found = list(problems(code, document))
ok(not found, "each stop of the tour leads to the next", found)
print(f"1..{number}")
sys.exit(bad != 0)
