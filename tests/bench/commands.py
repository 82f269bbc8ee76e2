#!/usr/bin/python3
"""Times commands that have no peer: commands.py PROGRAM [ROUNDS]

`list`, `check` of all lessons, and exports of the whole course; of those two rounds at most.
"""
import os
import pathlib
import sys
import tempfile

if len(sys.argv) < 2:
    sys.exit(__doc__)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import measure

program = str(pathlib.Path(sys.argv[1]).resolve())
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5


def print_command(name, repeat, *arguments, folder=None):
    """With a folder, the name has the size of what is there in the end."""
    costs = measure.by_turns(repeat, lambda: measure.process([program, *arguments]))
    if folder:
        size = sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*.*")
                   if file.is_file())
        name += f", {size / 1e6:.0f} MB"
    measure.print_row(name, *costs)


print_command("list", rounds, "list")
print_command("check, all lessons", rounds, "check")
for form in ("png", "pptx", "csv", "pdf", "html", "svg"):
    with tempfile.TemporaryDirectory() as out:
        print_command(f"the course as {form}", min(rounds, 2), "export", "--out", out, "--format",
                      form, folder=out)
