#!/bin/bash
# Test of tests/tally.py and of tests/tap.sh's skip: counts of made-up output; and of checks whose
# tool fails. Prints TAP.
set -u
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 1

# tally ARGS…: its streams in out and err; false where Python shows a traceback.
tally() {
    python3 -I "$tests/tally.py" "$@" >out 2>err
    ! grep -q Traceback err
}

# counts WANTED STATUS LINE…: whether a check that printed these lines and ended so is counted
# as WANTED.
counts() {
    local wanted=$1 status=$2
    shift 2
    printf '%s\n' "$@" >log
    tally made "$status" log && [ "$(head -n 1 out)" = "$wanted" ] ||
        { cat out >>err && return 1; }
}

# counts_meson WANTED LINE…: the same of a build, a line of JSON for each program.
counts_meson() {
    local wanted=$1
    shift
    mkdir -p build/meson-logs
    printf '%s\n' "$@" >build/meson-logs/testlog.json
    tally build && [ "$(head -n 1 out)" = "$wanted" ] || { cat out >>err && return 1; }
}

counts "2 0 0" 0 "1..2" "ok 1 - a" "ok 2 - b"
ok "tests that passed"
counts "1 1 0" 1 "ok 1 - a" "not ok 2 - b" "# why" "1..2" && grep -q "# why" err &&
    grep -q "FAILED: made: b" err
ok "one that failed, with what it said"
counts "1 0 1" 0 "ok 1 - a" "ok 2 - b # SKIP no strace" "1..2" &&
    [ "$(tail -n 1 out)" = "made: b: no strace" ]
ok "one that was skipped, with its reason"
counts "0 0 1" 0 "1..0 # SKIP strace is not installed" &&
    [ "$(tail -n 1 out)" = "made: strace is not installed" ]
ok "a program that was skipped"
counts "1 0 1" 0 "1..2" "ok 1 - a" "# no locale" "not ok 2 # SKIP test_b" &&
    [ "$(tail -n 1 out)" = "made: test_b: no locale" ]
ok "cmocka's way to skip"
counts "1 2 0" 0 "1..3" "ok 1 - a" "not ok 2 # SKIP test_b" "ok 3 - c # SKIP" &&
    grep -q "test_b: skipped without a reason" err
ok "tests that were skipped without a reason"
counts "0 0 1" 77 "no compiler" && [ "$(tail -n 1 out)" = "made: no compiler" ]
ok "an exit status that means skipped"
counts "1 1 0" 139 "1..3" "ok 1 - a" && grep -q "1 of 3" err
ok "a program that crashed"
counts "2 1 0" 139 "1..2" "ok 1 - a" "ok 2 - b" && grep -q "exit status 139" err
ok "one that crashed behind its tests"
counts "1 1 0" 0 "1..2" "ok 1 - a"
ok "fewer tests than planned"
counts "2 1 0" 0 "1..1" "ok 1 - a" "ok 2 - b"
ok "more tests than planned"
counts "1 1 0" 0 "ok 1 - a"
ok "tests without a plan"
counts "0 1 0" 0 "1..2"
ok "a plan without tests"
counts "1 1 0" 124 "1..2" "ok 1 - a" && grep -q "time limit" err
ok "one that was stopped"
counts "1 0 0" 0 "all well" && counts "0 1 0" 3 "not well" && grep -q "exit status 3" err
ok "programs that are one test each"

counts_meson "3 1 1" \
    '{"name": "a", "result": "OK", "returncode": 0, "stdout": "1..2\nok 1 - x\nok 2 - y\n"}' \
    '{"name": "b", "result": "SKIP", "returncode": 0, "stdout": "1..0 # SKIP no strace\n"}' \
    '{"name": "c", "result": "OK", "returncode": 0, "stdout": ""}' \
    '{"name": "d", "result": "FAIL", "returncode": -11, "stderr": "a crash"}' &&
    grep -q "a crash" err && [ "$(tail -n 1 out)" = "b: no strace" ]
ok "the tests of a build"
counts_meson "1 0 1" \
    '{"name": "a", "result": "FAIL", "returncode": 0, "stdout": "1..2\nok 1 - x\n# why\nnot ok 2 # SKIP y\n"}' &&
    [ "$(tail -n 1 out)" = "a: y: why" ]
ok "cmocka's way to skip, which meson takes for a failure"
counts_meson "1 1 0" \
    '{"name": "a", "result": "FAIL", "returncode": 0, "stdout": "1..2\nok 1 - x\nnot ok 2 - y\n"}'
ok "a failure that the exit status doesn't tell of"

# one_sentence ARGS…: whether it counts nothing, and one line says why.
one_sentence() {
    tally "$@" && [ -s out ] && return 1
    grep -q Traceback err && return 1
    [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ]
}
rm -r build
one_sentence build && grep -q "testlog.json" err
ok "a build whose tests didn't run"
mkdir -p build/meson-logs && echo '{"name"' >build/meson-logs/testlog.json && one_sentence build
ok "a log that was cut"
: >build/meson-logs/testlog.json && one_sentence build
ok "a log without tests"
one_sentence made 0 nowhere.log
ok "a check without a log"

(
    number=0 bad=0
    true
    ok "a"
    skip "b" "no strace"
    plan
) >log && tally made 0 log && [ "$(tr '\n' ' ' <out)" = "1 0 1 made: b: no strace " ]
ok "tests/tap.sh skips"

! grep -n '\bskip();' "$tests"/test_*.c >err
ok "tests in C skip themselves by skip_because"

# A check must not pass because its tool failed and therefore reported nothing.
mkdir -p tools made/core
: >made/core/empty.o
for tool in clang-format objdump nm; do
    printf '#!/bin/sh\nexit 1\n' >tools/$tool
done
chmod +x tools/*
for check in format globals maths; do
    ! PATH=$work/tools:$PATH "$tests/check_$check.sh" made >out 2>err
    ok "check_$check.sh fails when its tool does"
done
plan
