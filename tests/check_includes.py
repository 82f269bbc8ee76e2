#!/usr/bin/env python3
"""Holds the includes against the house: layers and rooms see only what lies below them, no
two units include each other, however far around, nothing in core/ knows SDL, each library
that draws is known to one unit, what a header declares its own room defines, so that no
call goes up behind an include, and few .c files see the headers that are used most, so that
few are compiled again when one of them changes.

    tests/check_includes.py [TREE]

First tries itself on a small tree that breaks each rule. Prints TAP."""
import collections
import pathlib
import re
import sys
import tempfile

# The layers of core/, and which others each may include. app/ may include them all.
LAYERS = {
    "base": [],
    "tensor": ["base"],
    "text": ["base"],
    "model": ["base", "tensor", "text"],
    "lesson": ["base", "tensor", "text", "model"],
    "picture": ["base", "tensor", "text", "model", "lesson"],
}

# The rooms of a layer, from below: each may include those before it, and what lies on the
# layer's own floor, below them all.
ROOMS = {
    "core/base": ["strings"],
    "core/text": ["file"],
    "core/tensor": ["terms", "operations", "tape"],
    "core/model": ["build", "weights", "learn", "generate"],
    "core/lesson": ["formula", "schema", "content", "read", "play", "practise", "model", "load",
                    "code"],
    "core/picture": ["scene", "formula", "draw", "charts", "stage", "tensors",
                     "operations/matrices", "operations/rows", "operations/embeddings",
                     "operations", "circuits", "layers", "composites", "transitions",
                     "animation", "explain", "chrome", "map", "words", "home", "overlays",
                     "page"],
    "app": ["files", "course", "session", "actions", "modes", "drive", "paint", "formats",
            "window", "web", "commands"],
}

# A header that names what lies above it, and no function: which modes and which groups of
# actions there are.
TABLES = ("app/session/mode.h",)

# Libraries that draw text and shapes, by how their headers begin, and the one file that
# includes each; the file says why.
DRAWING = {
    "SDL_ttf": "app/paint/letters.c",
    "hb": "app/paint/typeface.c",
    "ft2build": "app/paint/shapes.c",
}

# Headers that declare the most used types, and the largest share of the .c files of core/ and app/
# that may see each, directly or through other headers.
SEEN = {
    "core/base/arena.h": 0.70,
    "core/tensor/tape/tape.h": 0.50,
    "core/lesson/content/content.h": 0.40,
    "core/lesson/content/lesson.h": 0.20,
    "core/picture/scene/scene.h": 0.70,
}

FUNCTION = re.compile(r"^(?!static|typedef|return|else|#)[A-Za-z_][\w *]*?\b(\w+)\([^;{}]*?\)\s*([;{])",
                      re.M)
DATA = re.compile(r"^(extern )?const [\w ]+?[ *](\w+(?:,\s*\w+)*)(?:\[.*?\])?\s*(?:;|= )", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^">]+)', re.M)


def sources(tree):
    return sorted(path for top in ("core", "app") for path in (tree / top).rglob("*.[ch]"))


def place(name):
    """(layer or app, room): ("core/picture", "page"), ("core/base", ""), ("app", "files")."""
    parts = pathlib.PurePath(name).parts[:-1]
    if parts and parts[0] == "core":
        return "/".join(parts[:2]), "/".join(parts[2:])
    return "app", "/".join(parts[1:])


def wrong_arrow(source, target):
    """What is wrong with a file's include of another of the project's; None if nothing."""
    (layer, room), (other, below) = place(source), place(target)
    if layer == "app" or other == "app":
        if layer != "app":
            return f"{target} is outside core/"
    elif other != layer and other.split("/")[1] not in LAYERS.get(layer.split("/")[1], []):
        return f"{layer} may not include {other}"
    rooms = ROOMS.get(layer)
    if layer == other and rooms and room != below and (room or layer != "app"):
        order = [""] + rooms
        if below not in order or room not in order:
            return f"{layer} has no room '{room if room not in order else below}'"
        if order.index(below) > order.index(room):
            return f"{layer}/{room} may not include {layer}/{below}, which lies above it"
    return None


def look(tree):
    """Lines that say what is wrong, and the graph of units (a path without .c or .h)."""
    wrong, units = [], {}
    names = {str(path.relative_to(tree)) for path in sources(tree)}
    for source in sorted(names):
        unit = source[:-2]
        units.setdefault(unit, set())
        layer = place(source)[0]
        if layer != "app" and layer.split("/")[-1] not in LAYERS:
            wrong.append(f"{source}:1: core/ has no layer '{layer.split('/')[-1]}'")
        text = (tree / source).read_text(encoding="utf-8")
        for include in INCLUDE.finditer(text):
            quote, name = include.groups()
            at = f"{source}:{text.count(chr(10), 0, include.start(1)) + 1}"
            if layer != "app" and name.startswith("SDL"):
                wrong.append(f"{at}: core/ knows no SDL")
            library = next((one for one in DRAWING if re.match(one + r"\b", name)), None)
            if library and DRAWING[library] != source:
                wrong.append(f"{at}: only {DRAWING[library]} includes {name}")
            if quote == "<":
                continue
            target = next((top + name for top in ("core/", "app/") if top + name in names), None)
            if not target:
                if not name.startswith("SDL"):
                    wrong.append(f"{at}: {name} is not named from core/ or app/ on")
                continue
            problem = wrong_arrow(source, target)
            if problem:
                wrong.append(f"{at}: {problem}")
            if target[:-2] != unit:
                units[unit].add(target[:-2])
    return wrong, units


def defined_above(tree):
    """Functions and tables that a header declares and only another room's files define. Where
    Windows has no header of POSIX, app/windows has one under the same name."""
    declared, defined = {}, collections.defaultdict(list)
    for path in sources(tree):
        name = str(path.relative_to(tree))
        bare = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        found = [(function, end == "{") for function, end in FUNCTION.findall(bare)] + [
            (one, not outside) for outside, names in DATA.findall(bare)
            for one in re.findall(r"\w+", names) if name not in TABLES]
        for what, here in found if not name.startswith("app/windows/") else ():
            if here:
                defined[what].append(name)
            elif name.endswith(".h"):
                declared[what] = name
    return [f"{name}: {what} is defined in {defined[what][0]}"
            for what, name in sorted(declared.items())
            if defined[what] and place(name) not in map(place, defined[what])]


def circles(units):
    """Sets of units each of which reaches all the others."""
    reach = {unit: set(below) for unit, below in units.items()}
    changed = True
    while changed:
        changed = False
        for unit, below in reach.items():
            more = set().union(*(reach.get(other, set()) for other in below)) - below
            changed |= bool(more)
            below |= more
    around = {frozenset(other for other in reach[unit] if unit in reach.get(other, set()))
              for unit in reach if unit in reach[unit]}
    return sorted(" and ".join(sorted(circle)) for circle in around)


def seen_by(tree):
    """For each header, the .c files that see it and the headers that include it."""
    names = {str(path.relative_to(tree)) for path in sources(tree)}
    direct = {}
    for name in names:
        found = INCLUDE.findall((tree / name).read_text(encoding="utf-8"))
        direct[name] = {top + target for _, target in found for top in ("core/", "app/")
                        if top + target in names}
    seen, parents = collections.defaultdict(set), collections.defaultdict(set)
    for name, targets in direct.items():
        for target in targets:
            parents[target].add(name)
    for name in names:
        below, rest = set(), [name] if name.endswith(".c") else []
        while rest:
            more = direct[rest.pop()] - below
            below |= more
            rest += more
        for target in below:
            seen[target].add(name)
    return seen, parents


def seen_too_often(tree, most):
    """(lines that say what is wrong, lines with the figures)"""
    seen, parents = seen_by(tree)
    count = sum(path.suffix == ".c" for path in sources(tree))
    wrong, figures = [], []
    for name, share in most.items():
        figures.append(f"{name}: seen by {len(seen[name])} of {count} .c files")
        if len(seen[name]) > share * count:
            through = sorted(((len(seen[by]), by) for by in parents[name] if by.endswith(".h")),
                             reverse=True)[:3]
            wrong.append(f"{figures[-1]}, more than {share:.0%}; included by " + (", ".join(
                f"{by} ({files})" for files, by in through) or "no header") +
                ": a header declares a type that it only points to (core/README.md)")
    return wrong, figures


def broken_tree():
    """A tree in which each line numbered in `expected` is wrong in a way of its own."""
    tree = pathlib.Path(tempfile.mkdtemp())
    files = {
        "core/base/arena.h": '#include "tensor/tape/tape.h"\n',
        "core/tensor/tensor.h": '#include "tensor/tape/tape.h"\n',
        "core/tensor/tape/tape.h": "int tape;\nbool tape_up(int a,\n    int b);\n",
        "core/tensor/terms/up.c": "bool tape_up(int a,\n    int b) {\n}\n",
        "core/tensor/tape/tape.c": '#include "tensor/tape/tape.h"\n#include "lesson/read/lesson.h"\n'
                              '  #  include   <SDL2/SDL.h>\n#include "SDL.h"\n'
                              '#include "../app/window.h"\n#include "tape.h"\n'
                              '#include <string.h>\n#include "window/window.h"\n',
        "core/lesson/read/lesson.h": '#include "lesson/read/field.h"\n',
        "core/lesson/read/field.h": '#include "lesson/play/player.h"\n',
        "core/lesson/play/player.h": '#include "lesson/read/lesson.h"\n',
        "core/odd/odd.c": "int nothing;\n",
        "app/window/window.h": '#include "commands/list.h"\n',
        "app/paint/shapes.c": "#include <ft2build.h>\n#include <hb-ot.h>\n"
                              "# include <SDL_ttf.h>\n#include <hbox.h>\n",
        "app/commands/list.h": "int list;\nbool list_two(int a);\n",
        "app/commands/list.c": "bool list_two(int a) {\n}\n",
        "app/web/list.c": "bool list_two(int a) {\n}\n",
        "app/session/mode.h": "extern const Mode mode_home,\n    mode_help;\nbool mode_up(int a);\n",
        "app/session/messages.h": "extern const Word say_word;\n",
        "app/modes/home.c": "const Mode mode_home = {0}, mode_help;\nconst Word say_word = {0};\n"
                            "bool mode_up(int a) {\n}\n",
    }
    for name, text in files.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(text)
    expected = ["app/paint/shapes.c:2", "app/paint/shapes.c:3", "app/window/window.h:1",
                "core/base/arena.h:1", "core/lesson/read/field.h:1", "core/odd/odd.c:1"] + [
                    f"core/tensor/tape/tape.c:{i}" for i in (2, 3, 4, 5, 6, 8)] + [
                    "core/tensor/tensor.h:1"]
    return tree, expected


number = 0
bad = 0


def ok(good, name, lines=()):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in () if good else lines:
        print(f"# {line}")


tree, expected = broken_tree()
wrong, units = look(tree)
found = sorted({":".join(line.split(":")[:2]) for line in wrong})
ok(found == expected, "each broken rule is found", found)
ok(circles(units) == ["core/lesson/play/player and core/lesson/read/field and "
                      "core/lesson/read/lesson"], "a circle is found", circles(units))
ok(defined_above(tree) == ["app/session/mode.h: mode_up is defined in app/modes/home.c",
                           "app/session/messages.h: say_word is defined in app/modes/home.c",
                           "core/tensor/tape/tape.h: tape_up is defined in core/tensor/terms/up.c"],
   "what another room defines is found", defined_above(tree))
wrong, figures = seen_too_often(tree, {"core/tensor/tape/tape.h": 0.1, "core/odd/odd.h": 0})
ok(len(wrong) == 1 and wrong[0].startswith("core/tensor/tape/tape.h: seen by 1 of 7 .c files, more"),
   "a header that too many files see is found", wrong + figures)
tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
wrong, units = look(tree)
ok(len(units) > 50 and not wrong,
   "includes go down only, core knows no SDL, and one file each library that draws", wrong)
ok(not circles(units), "no units include each other", circles(units))
ok(not defined_above(tree), "a room defines what its headers declare", defined_above(tree))
wrong, figures = seen_too_often(tree, SEEN)
ok(not wrong, "few files see the headers that are used most", wrong)
for line in figures:
    print(f"# {line}")
print(f"1..{number}")
sys.exit(bad != 0)
