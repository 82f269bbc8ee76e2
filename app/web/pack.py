#!/usr/bin/python3
"""Puts the page together: compressed files with the program and all it reads, a page beside
them for servers, and a page that has them inside.

    app/web/pack.py PROGRAM_FOLDER SITE_FOLDER [--quick]

program.pack is the program; glassformer.pack has all that an English page shows. The others
are fetched when they are needed: letters.pack has fonts with all letters, and LESSON.pack what
a lesson reads and what its training computes, if that is much. --quick: without zopfli.

A pack is gzip's of: the length of what follows as four bytes, the lowest first; JSON,
[[name, size, step], …]; the files' bytes. Of a file with a step the bytes that stand so many
apart follow each other: of numbers all first bytes, then all second ones, which takes less
room.
"""
import base64
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent


# Latin with its raised and lowered letters and its ligatures, Greek, punctuation, arrows, the
# italics of formulas. Scripts are whole, because FreeType hints a letter by others of its
# script (its autofit/afranges.c lists them), and only letters that have a code point: a
# ligature, too.
SCRIPTS = [(0x20, 0x17F), (0x2B0, 0x2FF), (0x370, 0x3FF), (0x1D2C, 0x1DBF), (0x2000, 0x22FF),
           (0x2C7C, 0x2C7D), (0xFB00, 0xFB06), (0x1D434, 0x1D467), (0x1D6E2, 0x1D71B)]
HAN = range(0x2E80, 0xA000)
SMALL = 24 << 10  # bytes of what a lesson reads that are fetched with the first picture


def data_files():
    """The data folder's files: lessons with their weights, and what the program reads."""
    for folder in ["lessons", "assets/fonts", "assets/glossary", "assets/strings"]:
        yield from sorted(path for path in (TOP / folder).rglob("*")
                          if path.is_file() and path.suffix not in (".py", ".build", ".md"))
    yield TOP / "assets/themes.yaml"
    yield TOP / "assets/new-lesson.yaml"


def letters_first():
    """What is shown before the second pack is there: in an English page there is more of other
    scripts than the languages' own names only where somebody writes it."""
    letters = {letter for first, last in SCRIPTS for letter in range(first, last + 1)}
    for path in TOP.glob("assets/*/en.yaml"):
        letters |= set(map(ord, path.read_text(encoding="utf-8")))
    for path in [*TOP.glob("lessons/*.yaml"), *TOP.glob("core/**/*.c"), *TOP.glob("app/**/*.c")]:
        letters |= set(map(ord, path.read_text(encoding="utf-8"))) - set(HAN)
    return letters | set(map(ord, "中文"))


def subset(path, letters):
    font = TTFont(path, recalcTimestamp=False)
    options = Options(drop_tables=["FFTM"], layout_features=["*"], name_IDs=["*"], notdef_outline=True, hinting=True,
                      glyph_names=False, recalc_bounds=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)
    content = io.BytesIO()
    font.save(content)
    return content.getvalue()


def step_of(name):
    """Weights are numbers of four bytes."""
    return 4 if name.endswith(".safetensors") else 1


def split(content, step):
    whole = len(content) - len(content) % step
    return b"".join(content[i:whole:step] for i in range(step)) + content[whole:]


def compress(body, quick):
    """zopfli's is smaller, and takes longer."""
    if quick or not shutil.which("zopfli"):
        return gzip.compress(body, mtime=0)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pack"
        path.write_bytes(body)
        subprocess.run(["zopfli", "--i5", str(path)], check=True)
        return path.with_name("pack.gz").read_bytes()


def pack(files, quick):
    head = json.dumps([[name, len(content), step_of(name)] for name, content in files]).encode()
    body = len(head).to_bytes(4, "little") + head
    body += b"".join(split(content, step_of(name)) for name, content in files)
    return compress(body, quick)


def trained(program, lesson):
    """[(name, bytes)] of what the program stores of a lesson's training."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, GLASSFORMER_DATA=str(TOP), GLASSFORMER_CACHE=folder)
        subprocess.run(["node", "--no-experimental-fetch", program / "glassformer.js", "check", lesson],
                       env=environment, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
        return [("cache/" + str(path.relative_to(folder)), path.read_bytes())
                for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()]


def lesson_packs(program):
    """{name of the pack: its files} and [[name, file of the lesson, its weights or null], …]."""
    found, listed = {}, []
    for lesson in sorted(TOP.glob("lessons/*.yaml")):
        text = lesson.read_text(encoding="utf-8")
        weights = re.search(r"data/[\w.-]*\.safetensors", text)
        files = [] if not weights else [("lessons/" + weights[0],
                                         (TOP / "lessons" / weights[0]).read_bytes())]
        if re.search(r"^ *train:", text, re.MULTILINE):
            files += trained(program, lesson)
        if files:
            name = lesson.stem + ".pack"
            found[name] = files
            listed.append([name, str(lesson.relative_to(TOP)), weights and weights[0]])
    return found, listed


def packs(program, quick):
    letters = letters_first()
    lessons, listed = lesson_packs(program)
    small = [name for name, files in lessons.items()
             if sum(len(content) for _, content in files) <= SMALL]
    listed = [entry for entry in listed if entry[0] not in small]
    at_once = dict(entry for name in small for entry in lessons.pop(name))
    later = {name for files in lessons.values() for name, _ in files}
    first, fonts = [("later.json", json.dumps(listed).encode()), *at_once.items()], []
    for path in data_files():
        name, content = str(path.relative_to(TOP)), path.read_bytes()
        font = path.suffix in (".ttf", ".otf")
        if name not in later:
            first.append((name, subset(path, letters) if font else content))
        if font:
            fonts.append((name, content))
    made = {"program.pack": compress((program / "page.wasm").read_bytes(), quick)}
    for name, files in {"glassformer.pack": first, "letters.pack": fonts, **lessons}.items():
        made[name] = pack(files, quick)
    return made


def hashes(elements):
    digests = [hashlib.sha256(text.encode()).digest() for text in elements]
    return " ".join("'sha256-%s'" % base64.b64encode(digest).decode() for digest in digests)


def policy(style, scripts):
    """Content-Security-Policy: only the page's own style and scripts apply, WebAssembly included,
    and requests go to the page's own server. Source: Content Security Policy, level 3."""
    return ("default-src 'none'; script-src 'wasm-unsafe-eval' %s; style-src %s; img-src data:; "
            "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
            % (hashes(scripts), hashes([style])))


def inside(packed, names):
    return "".join('<script id="%s" type="text/plain">%s</script>'
                   % (name, base64.b64encode(packed[name]).decode()) for name in names)


def preload(name):
    return '<link rel="preload" href="%s" as="fetch" crossorigin>' % name


FIRST = ["program.pack", "glassformer.pack"]


def main():
    program, site = map(pathlib.Path, sys.argv[1:3])
    site.mkdir(parents=True, exist_ok=True)
    for old in site.iterdir():
        old.unlink()
    packed = packs(program, sys.argv[3:] == ["--quick"])
    icon = base64.b64encode((TOP / "assets/glassformer.svg").read_bytes()).decode()
    page = (HERE / "page.html").read_text()
    page = page.replace("{{ICON}}", "data:image/svg+xml;base64," + icon)
    scripts = [(program / "page.js").read_text(), (HERE / "page.js").read_text()]
    style = page.partition("<style>")[2].partition("</style>")[0]
    page = page.replace("{{POLICY}}", policy(style, scripts))
    page = page.replace("{{PROGRAM}}", scripts[0]).replace("{{PAGE}}", scripts[1])
    for name, content in packed.items():
        (site / name).write_bytes(content)
    served = page.replace("{{PRELOAD}}", "".join(map(preload, FIRST)))
    (site / "index.html").write_text(served.replace("{{FIRST}}", "").replace("{{LATER}}", ""))
    version = hashlib.sha256(page.encode() + b"".join(packed.values())).hexdigest()[:16]
    offline = (HERE / "offline.js").read_text().replace("{{VERSION}}", version)
    offline = offline.replace("{{FILES}}", ", ".join(map(repr, packed)))
    (site / "offline.js").write_text(offline)
    alone = site.parent / "glassformer.html"
    page = page.replace("{{PRELOAD}}", "").replace("{{FIRST}}", inside(packed, FIRST))
    later = [name for name in packed if name not in FIRST]
    alone.write_text(page.replace("{{LATER}}", inside(packed, later)))
    for path in [*sorted(site.iterdir()), alone]:
        print(path, path.stat().st_size, "bytes")


main()
