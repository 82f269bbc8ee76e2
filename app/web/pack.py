#!/usr/bin/python3
"""Puts the page together: what the program needs in two compressed files, a page beside them
for servers, and a page that has them inside. The first has all that an English page shows;
the fonts have more letters in the second, which can come later.

    app/web/pack.py PROGRAM_FOLDER SITE_FOLDER

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
import pathlib
import shutil
import subprocess
import sys
import tempfile

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent


# Latin, Greek, punctuation, arrows, the italics of formulas. Scripts are whole, as what a
# letter looks like rests on others of its script.
SCRIPTS = [(0x20, 0x17F), (0x370, 0x3FF), (0x2000, 0x22FF), (0x1D434, 0x1D467),
           (0x1D6E2, 0x1D71B)]
HAN = range(0x2E80, 0xA000)


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


def compress(body):
    """zopfli's is smaller, and takes longer."""
    if not shutil.which("zopfli"):
        return gzip.compress(body, mtime=0)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "pack"
        path.write_bytes(body)
        subprocess.run(["zopfli", "--i5", str(path)], check=True)
        return path.with_name("pack.gz").read_bytes()


def pack(files):
    head = json.dumps([[name, len(content), step_of(name)] for name, content in files]).encode()
    body = len(head).to_bytes(4, "little") + head
    body += b"".join(split(content, step_of(name)) for name, content in files)
    return compress(body)


def packs(program):
    letters = letters_first()
    first, second = [("page.wasm", (program / "page.wasm").read_bytes())], []
    for path in data_files():
        name, content = str(path.relative_to(TOP)), path.read_bytes()
        font = path.suffix in (".ttf", ".otf")
        first.append((name, subset(path, letters) if font else content))
        if font:
            second.append((name, content))
    return {"glassformer.pack": pack(first), "letters.pack": pack(second)}


def hashes(elements):
    digests = [hashlib.sha256(text.encode()).digest() for text in elements]
    return " ".join("'sha256-%s'" % base64.b64encode(digest).decode() for digest in digests)


def policy(style, scripts):
    """Content-Security-Policy: only the page's own style and scripts apply, WebAssembly included,
    and requests go to the page's own server. Source: Content Security Policy, level 3."""
    return ("default-src 'none'; script-src 'wasm-unsafe-eval' %s; style-src %s; img-src data:; "
            "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
            % (hashes(scripts), hashes([style])))


def main():
    program, site = map(pathlib.Path, sys.argv[1:])
    site.mkdir(parents=True, exist_ok=True)
    packed = packs(program)
    icon = base64.b64encode((TOP / "assets/glassformer.svg").read_bytes()).decode()
    page = (HERE / "page.html").read_text()
    page = page.replace("{{ICON}}", "data:image/svg+xml;base64," + icon)
    scripts = [(program / "page.js").read_text(), (HERE / "page.js").read_text()]
    style = page.partition("<style>")[2].partition("</style>")[0]
    page = page.replace("{{POLICY}}", policy(style, scripts))
    page = page.replace("{{PROGRAM}}", scripts[0]).replace("{{PAGE}}", scripts[1])
    inside = "".join('<script id="%s" type="text/plain">%s</script>'
                     % (name, base64.b64encode(content).decode())
                     for name, content in packed.items())
    for name, content in packed.items():
        (site / name).write_bytes(content)
    (site / "index.html").write_text(page.replace("{{PACK}}", ""))
    version = hashlib.sha256(page.encode() + b"".join(packed.values())).hexdigest()[:16]
    offline = (HERE / "offline.js").read_text().replace("{{VERSION}}", version)
    (site / "offline.js").write_text(offline)
    alone = site.parent / "glassformer.html"
    alone.write_text(page.replace("{{PACK}}", inside))
    for path in [*sorted(site.iterdir()), alone]:
        print(path, path.stat().st_size, "bytes")


main()
