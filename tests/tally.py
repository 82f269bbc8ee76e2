#!/usr/bin/env python3
"""Counts tests: all that `meson test` ran in a build, or those of one check.

    tests/tally.py BUILD              reads BUILD/meson-logs/testlog.json
    tests/tally.py NAME STATUS LOG    reads LOG, the output of a check that ended with STATUS

Prints what failed, and why, on standard error; on standard output the line
`PASSED FAILED SKIPPED` and below it a line for each skipped test, `NAME: TEST: REASON`.

A program that prints no TAP is one test, told by its exit status; 77 means skipped. A program
that crashes, exceeds its time limit or prints fewer or more results than its plan announces is
one failure more, and so is a test that is skipped without a reason.
"""
import json
import pathlib
import re
import sys

RESULT = re.compile(r"^(not )?ok\b *\d* *(?:- *)?([^#\n]*)(?:# *SKIP\b *([^\n]*))?", re.I)
PLAN = re.compile(r"^1\.\.(\d+) *(?:# *SKIP\b *(.*))?", re.I)
COMMENT = re.compile(r"^# *(.*)")
LINES_SHOWN = 60
TIMED_OUT, SKIPPED = 124, 77  # statuses of timeout(1), and of what skips itself


class Tally:
    def __init__(self):
        self.passed = self.failed = 0
        self.skipped = []  # a line each

    def fail(self, name, what, output, number=1):
        self.failed += number
        print(f"FAILED: {name}: {what}", file=sys.stderr)
        lines = output.strip().splitlines()
        if len(lines) > LINES_SHOWN:
            lines = [f"… {len(lines) - LINES_SHOWN} lines left out", *lines[-LINES_SHOWN:]]
        for line in lines:
            print(f"    {line}", file=sys.stderr)

    def skip(self, name, test, reason):
        if reason.strip():
            self.skipped.append(": ".join(filter(None, [name, test.strip(), reason.strip()])))
        else:
            self.fail(name, f"{test.strip()}: skipped without a reason".lstrip(": "), "")

    def add(self, name, end, output, errors=""):
        """One program's output. `end` says how it ended, and is None where it ended well."""
        planned, results, failures, comment = None, 0, [], ""
        for line in output.splitlines():
            if plan := PLAN.match(line):
                planned = (planned or 0) + int(plan[1])
                if plan[2] is not None and plan[1] == "0":
                    self.skip(name, "", plan[2])
                    return
            elif result := RESULT.match(line):
                results += 1
                failing, test, reason = result.groups()
                if reason is None:
                    failures += [test.strip()] if failing else []
                    self.passed += not failing
                elif test.strip():
                    self.skip(name, test, reason)
                else:  # cmocka gives the name there, and a comment before says why
                    self.skip(name, reason, comment)
            if said := COMMENT.match(line):
                comment = said[1]
            elif RESULT.match(line):
                comment = ""
        if planned is None and not results:
            if end is None:
                self.passed += 1
            elif end == "skipped":
                self.skip(name, "", (output + errors).strip().rpartition("\n")[2])
            else:
                self.fail(name, end, output + errors)
        elif failures:
            self.fail(name, ", ".join(failures), output_of_failures(output) + errors,
                      len(failures))
        elif results != planned:
            self.fail(name, f"{results} of {'?' if planned is None else planned} tests told"
                      + (f", {end}" if end else ""), output + errors)
        elif end:
            self.fail(name, end, output + errors)

    def print(self):
        print(self.passed, self.failed, len(self.skipped))
        for line in self.skipped:
            print(line)


def output_of_failures(output):
    """TAP without the tests that went well."""
    shown, lines = True, []
    for line in output.splitlines(keepends=True):
        if result := RESULT.match(line):
            shown = bool(result[1]) and result[3] is None
        elif PLAN.match(line):
            shown = False
        if shown:
            lines.append(line)
    return "".join(lines)


def end_of_status(status):
    return {0: None, SKIPPED: "skipped", TIMED_OUT: "it exceeded its time limit"}.get(
        status, f"exit status {status}")


def end_of_meson(test):
    result = test.get("result")
    if result in ("OK", "EXPECTEDFAIL"):
        return None
    if result == "FAIL" and test.get("returncode") == 0:
        return None  # by its TAP alone, where meson takes cmocka's way to skip for a failure
    if result == "SKIP":
        return "skipped"
    if result == "TIMEOUT":
        return "it exceeded its time limit"
    return f"{result}, exit status {test.get('returncode')}"


def main():
    tally = Tally()
    if len(sys.argv) == 2:
        log = pathlib.Path(sys.argv[1], "meson-logs", "testlog.json")
        try:
            tests = [json.loads(line) for line in
                     log.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, ValueError) as error:
            sys.exit(f"{log} can't be read, so no test of {sys.argv[1]} was counted: {error}")
        if not tests:
            sys.exit(f"{log} has no tests")
        for test in tests:
            tally.add(test["name"], end_of_meson(test), test.get("stdout") or "",
                      test.get("stderr") or "")
    elif len(sys.argv) == 4:
        name, status, log = sys.argv[1:]
        try:
            output = pathlib.Path(log).read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            sys.exit(f"{log} can't be read, so {name} was not counted: {error}")
        tally.add(name, end_of_status(int(status)), output)
    else:
        sys.exit(__doc__)
    tally.print()


main()
