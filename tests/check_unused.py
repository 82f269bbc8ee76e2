#!/usr/bin/env python3
"""Whether the program needs every function that its headers declare: none is there for the
tests alone.

    tests/check_unused.py [TREE]

First tries itself on a small tree. Prints TAP."""
import collections
import pathlib
import re
import sys
import tempfile

# Asked by tests alone: how much work a lesson took, whether a table is complete, and why an action is
# not possible.
ASKED_BY_TESTS = {"operation_has_row", "operation_has_picture", "transition_has_row",
                  "transitions_has_row", "action_why_not", "arena_spent"}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
DECLARED = re.compile(r"^(?!static|typedef|extern|#)[\w \t*]*?\b(\w+)\([^;{}]*\)\s*"
                      r"(?:__attribute__\(\(.*?\)\)\s*)?;", re.M | re.S)


def plain(path):
    return COMMENT.sub(" ", path.read_text(encoding="utf-8"))


def unused(tree):
    """`HEADER: FUNCTION` of each declared function that nothing in the program names."""
    files = {path: plain(path) for top in ("core", "app") for path in (tree / top).rglob("*.[ch]")
             if path.name != "maths.h"}
    pages = [plain(path) for path in (tree / "app").rglob("*.js")]
    words = collections.Counter(word for text in [*files.values(), *pages] for word in re.findall(r"\w+", text))
    # Its declaration and its body name it, too.
    return [f"{header.relative_to(tree)}: {name}"
            for header in sorted(path for path in files if path.suffix == ".h")
            for name in DECLARED.findall(files[header])
            if words[name] <= 2 and name not in ASKED_BY_TESTS]


number = 0
bad = 0


def ok(good, name, lines=()):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in () if good else lines:
        print(f"# {line}")


small = pathlib.Path(tempfile.mkdtemp())
(small / "core").mkdir()
(small / "app").mkdir()
(small / "core/a.h").write_text("/* a(); */\nint a_used(int x);\nbool a_dead(\n    int x);\n"
                                "int a_own(int x);\n")
(small / "core/a.c").write_text('#include "a.h"\nint a_used(int x) {\n    return a_own(x);\n}\nint a_own(int x) {\n    return x;\n}\n'
                                "bool a_dead(int x) {\n    return x;\n}\n")
(small / "app/b.c").write_text("int main(void) {\n    return a_used(1); /* a_dead() */\n}\n")
ok(unused(small) == ["core/a.h: a_dead"], "an unused function is found", unused(small))
tree = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
found = unused(tree)
ok(not found, "the program needs every function of its headers", found)
print(f"1..{number}")
sys.exit(bad != 0)
