#!/usr/bin/env python3
"""Runs the command lines of every README literally, in order, compares the README's pictures
with what the program draws now, and looks for the scripts that workflows run.

    tests/readme.py PROGRAM [DOCUMENT…]     PROGRAM: build/app/glassformer

A command line is a line of a block without a language or marked `sh`, or a command with
arguments between backquotes. Each document has two folders: an empty one, and for commands
that name the checkout's files or its build folder one that looks like a checkout. A command
fails when its status is not 0, or when a file named in its comment was not written. Commands
with a word in capitals, which stands for something else, are left out. A block below
"…, `NAME`:" is saved under that name first. Prints TAP."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[1]
if len(sys.argv) < 2:
    sys.exit("tests/readme.py PROGRAM [DOCUMENT…]: PROGRAM is missing")
PROGRAM = pathlib.Path(sys.argv[1]).resolve()
BUILD = PROGRAM.parents[1]
FUZZER = TREE / "build-clang/tests/fuzzer"

# Commands that install packages, build, change the system or write into the checkout, and
# the equivalent that is run instead. The first pattern that matches the whole line counts.
EQUIVALENTS = [
    (r"app/run(?: \w+)*((?: --\w+)*)", r"python3 tests/readme.py --options app/run\1"),
    (r"(app/(?:release|deb|web/build|windows/build)\.sh|tests/bench/run)", r"test -x \1"),
    (r"tests/run((?: --[\w-]+)*)((?: \w+)*)",
     r"python3 tests/readme.py --options tests/run\1 && python3 tests/readme.py --tests build\2"),
    (r"(?:GLASSFORMER_WRITE_GOLDEN=1 )?meson test -C build(?:-clang)?((?: [a-z_]+)*)",
     r"python3 tests/readme.py --tests build\1"),
    (r"(?:sudo )?meson install -C build(?: --no-rebuild)?",
     'DESTDIR="$PWD/root" meson install -C build --no-rebuild && '
     'find root -path "*/bin/glassformer" | grep .'),
    (r"(?:sudo )?ninja -C build uninstall",
     '(cd build && meson --internal uninstall) && ! find root -type f | grep .'),
    (r"meson setup --reconfigure build", "meson introspect --buildoptions build"),
    (r"ninja -C build", "test -f build/meson-private/install.dat"),
    (r"(assets/animate\.sh build/app/glassformer)", r"\1 ."),
    (r"alias glassformer=\"'(\S+)'\"", r'test -x "\1"'),
]

# Commands that are never run literally, in case that an equivalent is missing.
REFUSED = r"sudo |apt|app/(?:run|release|deb)|app/\w+/build|tests/run|tests/bench/run|ninja |meson test"

# Commands that run for minutes or hours: they only have to begin without an error.
LONG = r"tests/(faults|fuzz|bench)/\S+|tests/mutate|tests/events\.sh|build/tests/damage"
BEGIN_SECONDS = 2

IN_CHECKOUT = r"(?:sudo |alias |\w+=\S+ )*(?:(?:app|assets|build|tests)/|meson |ninja |alias|gdb )"
INLINE = r"glassformer |(?:app|assets|build|tests)/\S+ |meson |ninja |sudo |eval "
PLACEHOLDER = r"(?<![\w=$])[A-Z]{3,}(?![\w=])"
WRITTEN = r"(?<![\w/.-])(?:[\w.-]+/)*[\w.-]+\.(?:gif|html|npz|pdf|png|pptx|safetensors|svg|yaml)\b"

number = 0
bad = 0


def ok(good, name, said=""):
    global number, bad
    number += 1
    bad += not good
    print(f"{'ok' if good else 'not ok'} {number} - {name}", flush=True)
    if not good:
        for line in said.splitlines()[-20:]:
            print(f"# {line}")


def parts(document):
    """The document's commands and files in order: (line, "command", text), or
    (line, name, content)."""
    lines = document.splitlines()
    at, above = 0, ""
    while at < len(lines):
        fence = re.match(r" *```(\w*)$", lines[at])
        if not fence:
            for code in re.findall(r"`([^`]+)`", lines[at]):
                if re.match(INLINE, code) and not re.search(PLACEHOLDER + "|…", code):
                    yield at + 1, "command", code
            above = lines[at] or above
            at += 1
            continue
        first = at = at + 1
        while not re.match(r" *```$", lines[at]):
            at += 1
        block = lines[first:at]
        name = re.search(r"`([\w.-]+)`:$", above)
        if fence[1] in ("", "sh"):
            command = ""
            for line, text in enumerate(block, first + 1):
                command += text
                if command.endswith("\\"):
                    command = command[:-1]
                    continue
                if command.strip() and not re.search(PLACEHOLDER, command.split(" #")[0]):
                    yield line, "command", command
                command = ""
        elif name:
            yield first + 1, name[1], "\n".join(block) + "\n"
        at += 1


def make_checkout(folder):
    """What looks like a checkout that was built, and can be installed from."""
    folder.mkdir()
    for path in TREE.iterdir():
        if not path.name.startswith("build") and path.name != ".git":
            (folder / path.name).symlink_to(path)
    build = folder / "build"
    build.mkdir()
    shutil.copytree(BUILD / "meson-private", build / "meson-private")
    shutil.copytree(BUILD / "meson-info", build / "meson-info")
    (build / "meson-logs").mkdir()
    for name in "app", "tests":
        (build / name).symlink_to(BUILD / name)
    if FUZZER.exists():
        (folder / "build-clang").symlink_to(TREE / "build-clang")


def environment(scratch):
    found = {name: value for name, value in os.environ.items()
             if not name.startswith(("XDG_", "GLASSFORMER_", "LC_", "MESON"))
             and name not in ("DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE")}
    for name in "home", "bin", "tmp":
        (scratch / name).mkdir()
    (scratch / "bin" / "glassformer").symlink_to(PROGRAM)
    return found | {"PATH": f"{scratch / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                    "HOME": str(scratch / "home"), "TMPDIR": str(scratch / "tmp")}


def run_instead(code):
    """The command, or its equivalent. LookupError where it may not be run and has none."""
    for pattern, equivalent in EQUIVALENTS:
        match = re.fullmatch(pattern, code)
        if match:
            return match.expand(equivalent)
    if re.match(REFUSED, code):
        raise LookupError(f"{code}: EQUIVALENTS in tests/readme.py lacks it")
    return code


def run(command, folder, env):
    """What is wrong after running the command, or ""; None where it can't be run here."""
    code, _, comment = command.partition(" #")
    code = code.strip()
    try:
        literal = " && ".join(map(run_instead, code.split(" && ")))
    except LookupError as lacking:
        return str(lacking)
    if re.search(r"build-clang|tests/fuzz/run", literal) and not FUZZER.exists():
        return None
    if re.search(r"\bgdb\b", literal) and not shutil.which("gdb"):
        return None
    long = re.match(LONG, literal)
    before = folder.parent / "before"
    before.touch()
    child = subprocess.Popen(["bash", "-o", "pipefail", "-c", literal], cwd=folder, env=env,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.STDOUT, start_new_session=True)
    try:
        said, _ = child.communicate(timeout=BEGIN_SECONDS if long else 200)
        status = child.returncode
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        said, _ = child.communicate()
        status = 0 if long else "none after 200 seconds"
    if status != 0:
        return f"{literal}\n{said}exit status {status}"
    lost = [name for name in re.findall(WRITTEN, comment) if not (folder / name).is_file()
            or (folder / name).stat().st_mtime_ns < before.stat().st_mtime_ns]
    return f"not written: {', '.join(lost)}" if lost else ""


def try_document(document):
    """(line, command, what is wrong) of each command; files are written on the way."""
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        empty, checkout = scratch / "empty", scratch / "checkout"
        empty.mkdir()
        make_checkout(checkout)
        env = environment(scratch)
        for line, kind, text in parts(document):
            if kind != "command":
                (empty / kind).write_text(text, encoding="utf-8")
                continue
            folder = checkout if re.match(IN_CHECKOUT, text.strip()) else empty
            yield line, text.strip(), run(text, folder, env)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def different_pixels(drawn, kept):
    """The number of pixels of two pictures that differ visibly, or what went wrong."""
    run = subprocess.run(["compare", "-metric", "AE", "-fuzz", "4%", drawn, kept, "null:"],
                         capture_output=True, text=True)
    return int(float(run.stderr)) if re.fullmatch(r"[\d.e+]+\s*", run.stderr) else run.stderr


def check_pictures():
    if not shutil.which("compare"):
        ok(True, "the README's pictures # SKIP ImageMagick is not installed")
        return
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run([TREE / "assets/animate.sh", PROGRAM, scratch], check=True)
        for name in "home.png", "steps.gif":
            files = [f"{folder}/{name}" for folder in (scratch, TREE / "assets")]
            if name.endswith(".gif"):  # its last frame, whole
                for at, file in enumerate(files):
                    files[at] = f"{scratch}/{at}.png"
                    subprocess.run(["convert", file, "-coalesce", "-delete", "0--2", files[at]],
                                   check=True)
            pixels = different_pixels(*files)
            ok(isinstance(pixels, int) and pixels <= 20,
               f"assets/{name} is what the program draws",
               f"{pixels} pixels differ. Draw both pictures anew, look at them and commit them:\n"
               "assets/animate.sh build/app/glassformer")


def check_workflows():
    found = [script for path in sorted(TREE.glob(".github/workflows/*.yml"))
             for script in re.findall(r"\brun: (\w+/\S+)", path.read_text(encoding="utf-8"))]
    lost = [script for script in found if not os.access(TREE / script, os.X_OK)]
    ok(found and not lost, "workflows run scripts that there are", "\n".join(lost))


if sys.argv[1] == "--tests":  # BUILD NAME…: fails unless these are tests, or checks of tests/run
    known = subprocess.run(["meson", "introspect", "--tests", sys.argv[2]], check=True,
                           capture_output=True, text=True).stdout
    known += re.sub(r'\bcheck "?([\w-]+)"? ', r'"name": "\1" ', (TREE / "tests/run").read_text())
    unknown = [name for name in sys.argv[3:] if f'"name": "{name}"' not in known]
    sys.exit(f"no such test: {', '.join(unknown)}" if unknown else 0)
if sys.argv[1] == "--options":  # SCRIPT OPTION…: fails unless the script can be run and reads them
    unread = [option for option in sys.argv[3:]
              if not re.search(rf"{option}\b", pathlib.Path(sys.argv[2]).read_text())]
    sys.exit(f"{sys.argv[2]} doesn't know {', '.join(unread)}" if unread else
             not os.access(sys.argv[2], os.X_OK))

tried = """Lists, `glassformer list`, and opens `glassformer no-such-lesson`, in `a.yaml`:

```yaml
title: A
```
```
glassformer export a.yaml --out p     # p/a/01.png
ls a.yaml                             # a.yaml
```
"""
found = [(line, wrong is not None and wrong != "") for line, _, wrong in try_document(tried)]
ok(found == [(1, False), (1, True), (7, True), (8, True)],
   "commands that fail, and files that are not written, are found", str(found))

documents = [pathlib.Path(name) for name in sys.argv[2:]] or sorted(
    [*TREE.glob("*.md"), *TREE.glob(".github/**/*.md"), *TREE.glob("*/README.md")])
counts = {}
for path in documents:
    counts[path.name, path.parent.name] = 0
    for line, command, wrong in try_document(path.read_text(encoding="utf-8")):
        counts[path.name, path.parent.name] += 1
        name = f"{path.resolve().relative_to(TREE)}:{line}: {re.sub(' *#.*', '', command)}"
        if wrong is None:
            ok(True, f"{name} # SKIP it needs build-clang or gdb")
        else:
            ok(not wrong, name, wrong or "")
if len(sys.argv) == 2:
    ok(counts["README.md", TREE.name] > 20, "the README's commands are found", str(counts))
    check_workflows()
    check_pictures()
print(f"1..{number}")
sys.exit(bad != 0)
