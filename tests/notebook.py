"""app/glassformer.py in a Jupyter kernel. Prints TAP.

    tests/notebook.py PROGRAM        (Debian's python3-ipykernel, python3-nbclient, python3-numpy)
"""
import base64
import gzip
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.dom.minidom

if len(sys.argv) < 2:
    sys.exit(__doc__)

import nbclient
import nbformat

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
APP = pathlib.Path(__file__).resolve().parent.parent / "app"
CELLS = [
    "import sys; sys.path.insert(0, %r); import glassformer" % str(APP),
    'glassformer.show("08-one-head", step=8, lang="zh")',
    'glassformer.show("08-one-head", lang="en", present=True)',
    'glassformer.tensor("08-one-head", "A").tolist()',
    'glassformer.tensor("08-one-head", "Z")',
    'glassformer.show("nowhere")',
    'glassformer.show("08-one-head", step=99)',
    'glassformer.show("08-one-head", colour="red")',
    'sys.modules["numpy"] = None; glassformer.tensor("08-one-head", "A")',
    'import os; os.environ["PATH"] = ""; glassformer.HERE = glassformer.pathlib.Path("/nowhere");'
    'glassformer.show("08-one-head")',
]
number = 0


def ok(what, holds):
    global number
    number += 1
    print(f"{'ok' if holds else 'not ok'} {number} - {what}")


def run():
    """What each cell shows: its HTML, its text, or the sentence of its error."""
    os.environ["PATH"] = f"{PROGRAM.parent}:{os.environ['PATH']}"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        nbclient.NotebookClient(notebook, allow_errors=True, timeout=120, kernel_name="python3").execute()
    for cell in notebook.cells:
        (output,) = cell.outputs or [{}]
        shown = output.get("data", {})
        yield shown.get("text/html") or shown.get("text/plain") or output.get("evalue", "")


def main():
    imported, picture, deck, tensor, *errors = run()
    found = re.search(r'src="data:image/svg\+xml;base64,(.*)">$', picture)
    ok("it is imported", not imported)
    drawn = base64.b64decode(found[1]).decode() if found else "<svg/>"
    ok("a step is an image", xml.dom.minidom.parseString(drawn).getElementsByTagName("use"))
    packed = re.search(r'id="pages">([^<]*)<', html.unescape(deck))
    pages = gzip.decompress(base64.b64decode(packed[1])).decode() if packed else ""
    ok("a lesson is a deck", deck.startswith("<iframe") and pages.count("<section") > 10)
    said = json.loads(subprocess.run([PROGRAM, "show", "08-one-head", "--json"], check=True,
                                     stdin=subprocess.DEVNULL, capture_output=True).stdout)
    wanted = next(step["values"] for step in said["steps"] if step["name"] == "A")
    ok("a tensor has all its digits", json.loads(tensor) == wanted)
    for what, sentence, error in zip(
            ["a tensor", "a lesson", "a step", "an option", "NumPy", "the program"],
            ["no tensor 'Z'; it has X, W_Q", "no such lesson", "has 13 steps", "no option --colour", "needs NumPy; install it",
             "neither on the path nor in"], errors, strict=True):
        ok(f"{what} that isn't there is told of", sentence in error)
    print(f"1..{number}")


main()
