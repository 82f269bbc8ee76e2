#!/usr/bin/env python3
"""Counts the single tests of one `meson test`: tests/tally.py BUILD

Reads BUILD/meson-logs/testlog.json, prints what failed and why on stderr and the line
`PASSED FAILED` on stdout. A program that crashes, times out or tells of fewer tests than it
announced is one failure more.
"""
import json
import pathlib
import re
import sys

LINE = re.compile(r"^(not )?ok\b *\d* *-? *([^#\n]*)(# *(?:SKIP|TODO))?", re.M | re.I)
PLAN = re.compile(r"^1\.\.(\d+)", re.M)
LINES_SHOWN = 60


def show(test, what, output):
    print(f"{test['name']}: {what}", file=sys.stderr)
    lines = output.strip().splitlines()
    if len(lines) > LINES_SHOWN:
        lines = [f"… {len(lines) - LINES_SHOWN} lines left out"] + lines[-LINES_SHOWN:]
    for line in lines:
        print(f"    {line}", file=sys.stderr)


def tally(test):
    """The numbers of tests passed and failed in one program's output."""
    output, errors = test.get("stdout") or "", test.get("stderr") or ""
    good = test["result"] in ("OK", "EXPECTEDFAIL")
    results = LINE.findall(output)
    if not results:  # a program that is one test, told by its exit status
        if not good:
            show(test, "FAILED, " + test["result"], output + errors)
        return (1, 0) if good else (0, 1)
    skipped = [name.strip() for _, name, note in results if note]
    if skipped:
        show(test, "not run: " + ", ".join(skipped), "")
    passed = sum(not failing and not note for failing, _, note in results)
    failed = sum(bool(failing) and not note for failing, _, note in results)
    planned = sum(map(int, PLAN.findall(output)))
    for failing, name, note in results:
        if failing and not note:
            show(test, "FAILED " + name.strip(), "")
    if failed:
        show(test, "all it said", output + errors)
    elif not good or planned > len(results):
        show(test, f"FAILED, {test['result']}, {len(results)} of {planned} tests told",
             output + errors)
        failed += 1
    return passed, failed


if len(sys.argv) < 2:
    sys.exit(__doc__)
log = pathlib.Path(sys.argv[1]) / "meson-logs" / "testlog.json"
tests = [json.loads(line) for line in log.read_text().splitlines() if line.strip()]
counts = [tally(test) for test in tests]
print(sum(passed for passed, _ in counts), sum(failed for _, failed in counts))
