#!/usr/bin/env python3
"""Puts the page together: everything that the program needs in one compressed file, a page
beside it for servers, and a page that has it inside.

    app/web/pack.py PROGRAM_FOLDER SITE_FOLDER

A pack is gzip's of: the length of what follows as four bytes, the lowest first; JSON,
[[name, size], …]; the files' bytes.
"""
import base64
import gzip
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent


def data_files():
    """The data folder's files: lessons with their weights, and what the program reads."""
    for folder in ["lessons", "assets/fonts", "assets/glossary", "assets/strings"]:
        yield from sorted(path for path in (TOP / folder).rglob("*") if path.is_file())
    yield TOP / "assets/themes.yaml"
    yield TOP / "assets/new-lesson.yaml"


def pack(program):
    files = [("page.wasm", (program / "page.wasm").read_bytes())]
    files += [(str(path.relative_to(TOP)), path.read_bytes()) for path in data_files()
              if path.suffix not in (".py", ".build", ".md")]
    head = json.dumps([[name, len(content)] for name, content in files]).encode()
    body = len(head).to_bytes(4, "little") + head + b"".join(content for _, content in files)
    return gzip.compress(body, mtime=0)


def main():
    program, site = map(pathlib.Path, sys.argv[1:])
    site.mkdir(parents=True, exist_ok=True)
    packed = pack(program)
    icon = base64.b64encode((TOP / "assets/glassformer.svg").read_bytes()).decode()
    page = (HERE / "page.html").read_text()
    page = page.replace("{{ICON}}", "data:image/svg+xml;base64," + icon)
    page = page.replace("{{PROGRAM}}", (program / "page.js").read_text())
    page = page.replace("{{PAGE}}", (HERE / "page.js").read_text())
    inside = '<script id="pack" type="text/plain">%s</script>' % base64.b64encode(packed).decode()
    (site / "glassformer.pack").write_bytes(packed)
    (site / "index.html").write_text(page.replace("{{PACK}}", ""))
    (site.parent / "glassformer.html").write_text(page.replace("{{PACK}}", inside))
    for path in [site / "index.html", site / "glassformer.pack", site.parent / "glassformer.html"]:
        print(path, path.stat().st_size, "bytes")


main()
