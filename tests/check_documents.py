#!/usr/bin/env python3
"""Holds the READMEs and the manual page against the program: every key of the keyboard and
of lesson files, every call, every way to draw, every command and option has to be named. And
what a learner reads speaks of a lesson's source only in the layer that is for it.

    tests/check_documents.py [TREE]

First tries itself on documents that lack something. Prints TAP."""

import pathlib
import re
import subprocess
import sys

TREE = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1])

# How the README writes keys that SDL calls otherwise. Keys of the keypad and second names
# are like the first.
SHOWN = {"Right": "→", "Left": "←", "Down": "↓", "Up": "↑", "PageDown": "Page Down",
         "PageUp": "Page Up", "Return": "Enter", "Escape": "Esc"}


# What nobody has seen who learns here; and the keys of the layer that may speak of it.
SOURCES = re.compile(r"(?:\b|_)(?:documents?|reports?)\b|文档|报告|资料|\b\d{3}_[0-9a-f]{6}", re.I)
LAYER = re.compile(r"( *)(?:source|sources|document|section|compare):")


def text(path):
    return (TREE / path).read_text(encoding="utf-8")


def table(path, start):
    """What stands in a table of a C file."""
    return re.search(re.escape(start) + r" = \{(.*?)\n\};", text(path), re.S)[1]


def file_keys():
    """What lesson files may have, from the rows that they are read by."""
    return sorted(set(re.findall(r'\{"(\w+)",\s*SCHEMA_', text("core/lesson/read/spec.c"))))


def actions():
    """The tables of actions: lists of name, keys, how the help writes them ("" where another line
    of the table has them), and traits."""
    row = r'\{(?:\.name = )?"(\w+)",\s+(?:\.keys = )?"([^"]*)"(?:,\s+"([^"]*)")?((?:,\s+\.[^{}]*)?)\}'
    tables = r"\nstatic const Action \w+\[\] = \{(.*?)\n\};|&\(const Action\)(\{.*?\})\};\n"
    return [[(name, keys.split("|"), shown, traits)
             for name, keys, shown, traits in re.findall(row, several or one)]
            for path in sorted((TREE / "app").rglob("*.c"))
            for several, one in re.findall(tables, path.read_text(encoding="utf-8"), re.S)]


def keyboard():
    """Every key that stands for an action, as the README writes it."""
    found = set()
    for key in (key for rows in actions() for _, keys, _, _ in rows for key in keys):
        parts = re.split(r"(?<=.)\+", key)
        found.add("+".join(SHOWN.get(part, part) for part in parts))
    return found


def manual_keys():
    """The manual page's lines: one for each line of the help, with the keys of the actions
    behind it that share it."""
    words = dict(re.findall(r'^  (\w+): "(.*)"$', text("assets/strings/en.yaml").split("\nkey:\n")[1]
                            .split("\n\n")[0], re.M))
    lines = []
    for rows in actions():
        shared = False
        for name, keys, shown, traits in rows:
            if shown:
                lines.append([", ".join(keys), words[name]])
            elif shared and "ACTION_OF_KEYS" not in traits:
                lines[-1][0] += ", " + ", ".join(keys)
            shared = shared or shown != ""
    return [f".TP\n.B {keys}\n{said}\n".replace("-", "\\-") for keys, said in lines]


def views():
    return re.findall(r'\.name = "(\w+)"', text("core/lesson/content/view.c"))


def options():
    rows = table("app/commands/command_options.c", "const Option options[]")
    return re.findall(r"\{'.', \"([a-z-]+)\"", rows)


def commands():
    rows = table("app/commands/command_line.c", "const Command commands[]")
    return [name for name in re.findall(r"\n    \{\"(\w*)\"", "\n" + rows) if name]


def calls():
    """Composites, and the operations whose rows say how they are called."""
    found = re.findall(r"\{\"(\w+)\", \d", table("core/lesson/formula/calls.c", "const Call composites[]"))
    for path in sorted((TREE / "core/tensor/operations").glob("operations_*.c")):
        rows = path.read_text(encoding="utf-8").split("\nconst Operation operation_")[1:]
        found += [re.search(r'\.name = "(\w+)"', row)[1] for row in rows
                  if "\n    .arguments = " in row.split("\n};")[0]]
    return found


def lacking(readme, lessons, manual):
    """A line for each thing that is named nowhere."""
    code = "\n".join(re.findall(r"```.*?```", lessons, re.S)
                     + re.findall(r"`[^`\n]+`", lessons))
    plain = manual.replace("\\-", "-")
    heading = readme.split("## Keys")[-1].split("\n## ")[0]
    for key in file_keys():
        if not re.search(rf"(?<![\w.]){re.escape(key)}(:|`)", code):
            yield f"lessons/README.md: the key '{key}' (core/lesson/read/spec.c)"
    for key in set(re.findall(r"`([^`]+)`", " ".join(re.findall(r"^\| (`.*?) \|", heading, re.M)))):
        if key not in keyboard():
            yield f"README.md: {key} is no key of app/session"
    for line in manual_keys():
        if line not in manual:
            yield f"glassformer.1: its keys lack {line!r}"
    for view in views():
        if not re.search(rf"\b{view}\b", code):
            yield f"lessons/README.md: 'as: {view}' (core/lesson/content/view.c)"
    for call in calls():
        if not re.search(rf"\b{call}\b", code):
            yield f"lessons/README.md: the call {call}"
    for command in commands():
        if f"glassformer {command}" not in readme:
            yield f"README.md: the command {command}"
        if not re.search(rf"\.B[IR]? {command}\b", manual):
            yield f"glassformer.1: the command {command}"
    for option in options():
        if f"--{option}" not in plain:
            yield f"glassformer.1: the option --{option}"


def spoken(source):
    """The lines of a YAML file of texts, outside the layer, that speak of a source."""
    found, deep = [], None
    for number, line in enumerate(source.splitlines(), 1):
        indent = len(line) - len(line.lstrip())
        if deep is not None and (not line.strip() or indent > deep):
            continue
        layer = LAYER.match(line)
        deep = len(layer[1]) if layer else None
        if not layer and not line.lstrip().startswith("#") and SOURCES.search(line):
            found.append(number)
    return found


def paths(document):
    """Files and folders that a document names."""
    return re.findall(r"`((?:app|assets|core|lessons|tests)/[\w./-]*)`", document)


def rooms(document):
    """The folders of core/ and app/ that the tables and sentences of core/README.md name: a
    word in a layer's row is a folder of that layer, in another table's row one of
    core/picture, and behind the first cell one of the row's own."""
    found = set(re.findall(r"`(core/\w+|app/\w+)`", document))
    for first, rest in re.findall(r"^\| (`.*?) \| (.*?)(?: \|.*)?$", document, re.M):
        layer = re.match(r"`(core/\w+)`$", first)
        names = [layer[1]] if layer else ["core/picture/" + name for name in re.findall(r"`(\w+)`", first)]
        found.update(names)
        found.update(f"{names[0]}/{name}" for name in re.findall(r"`([a-z]+)`", rest))
    return found


def misnamed_rooms(document):
    """A line for each folder that is named and isn't there, or is there and isn't named."""
    document = document.split("\n## ")[0]
    there = {str(path.relative_to(TREE)) for top in ("core", "app") for path in (TREE / top).rglob("*")
             if path.is_dir() and path.name != "__pycache__" and "app/windows/" not in str(path)}
    for name in sorted(rooms(document) - there):
        yield f"core/README.md: there is no folder {name}"
    for name in sorted(there - rooms(document)):
        yield f"core/README.md: the folder {name} is not named"


number = 0
bad = 0


def ok(good, name, lines=()):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}")
    for line in lines:
        print(f"# {line}")


readme, manual = text("README.md"), text("assets/glassformer.1")
sizes = {"keys of lesson files": len(file_keys()), "keys": len(manual_keys()), "views": len(views()),
         "calls": len(calls()), "commands": len(commands()), "options": len(options())}
ok(min(sizes.values()) >= 5, "every table is found",
   [f"{count} {name}" for name, count in sizes.items()])
everything = sum(sizes.values()) + sizes["commands"]
ok(len(set(lacking("", "", ""))) >= everything - 6, "an empty README and manual lack everything")
missing = list(lacking(readme, text("lessons/README.md"), manual))
ok(not missing, "README and manual name all that there is", missing)
ok(readme.count("\n") <= 120, "the README is short")
house = paths(text("core/README.md"))
gone = [f"core/README.md: there is no {path}" for path in house if not (TREE / path).exists()]
ok(len(house) > 20 and not gone, "core/README.md names files and folders that there are", gone)
tried = "| `core/base` | `strings`, `nowhere` |\n| `gone`, `draw` | pens |\n"
wrong = "\n".join(misnamed_rooms(tried))
ok(all(name in wrong for name in ("no folder core/base/nowhere", "no folder core/picture/gone",
                                  "folder core/picture/page is not", "folder app/files is not"))
   and "core/picture/draw" not in wrong and "core/base/strings" not in wrong,
   "folders that are gone or not named are found")
wrong = list(misnamed_rooms(text("core/README.md")))
ok(not wrong, "core/README.md names every folder of core/ and app/", wrong)
tried = 'say: "Document 001"\nsource:\n  en: "the report"\nabout: 资料\n  - do: S_report = X\n'
ok(spoken(tried) == [1, 4, 5], "what speaks of a source is found")
told = [f"{path.relative_to(TREE)}:{line}" for folder in ("lessons", "assets")
        for path in sorted((TREE / folder).rglob("*.yaml"))
        for line in spoken(path.read_text(encoding="utf-8"))]
ok(not told, "no text speaks of its source outside the layer for that", told)
programs = [path for path in sorted((TREE / "tests").rglob("*.py"))
            if not path.name.startswith("check_")
            and re.search(r"sys\.argv\[1(:|\])(?! if|\) if)", path.read_text(encoding="utf-8"))]
lost = []
for path in programs:
    run = subprocess.run([sys.executable, "-I", path], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if run.returncode != 1 or "Traceback" in run.stderr or path.name not in run.stderr:
        lost.append(f"{path.relative_to(TREE)} without arguments: {run.stderr.strip()[-100:]}")
ok(len(programs) > 10 and not lost, "a test's program says what arguments it lacks", lost)
print(f"1..{number}")
sys.exit(bad != 0)
