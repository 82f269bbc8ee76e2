#!/bin/bash
# The program from outside: every command, every lesson, what it prints, writes and returns.
# Prints TAP.
#
#   tests/program.sh PROGRAM
#
# $GLASSFORMER_SAMPLE: of how many lessons one is checked and shown by itself.
set -u
case $1 in /*) program=$1 ;; *) program=$PWD/$1 ;; esac
cd "$(dirname "$0")/.." || exit 1
top=$PWD
. tests/tap.sh
unset DISPLAY

# ends_with STATUS ARGS…: runs and wants that exit status, and a sentence when it isn't 0.
ends_with() {
    local wanted=$1 status
    shift
    run "$@"
    status=$?
    [ $status -eq "$wanted" ] || {
        echo "exit status $status, not $wanted" >>"$work/err"
        return 1
    }
    [ "$wanted" -eq 0 ] || [ -s "$work/err" ]
}

if [ ! -x "$program" ]; then
    echo "not ok 1 - $program is there"
    exit 1
fi

run list
ok "list works"
lessons=$(awk '{ print $1 }' "$work/out")
files=$(cd lessons && ls *.yaml 2>/dev/null | sed 's/\.yaml$//')
[ -n "$lessons" ] && [ "$(echo "$lessons" | sort)" = "$(echo "$files" | sort)" ]
ok "list names every file of lessons/"
first=$(echo "$lessons" | head -n 1)

for lesson in $(echo "$lessons" | awk -v one_in="${GLASSFORMER_SAMPLE:-1}" 'NR % one_in == 0'); do
    run check "$lesson"
    ok "check $lesson"
    run show "$lesson" --json && python3 -I - "$lesson" "$work/out" 2>>"$work/err" <<'END'
import json
import math
import sys

lesson = json.load(open(sys.argv[2]))
assert lesson["lesson"] == sys.argv[1], lesson["lesson"]
assert lesson["steps"], "no steps"
for step in lesson["steps"]:
    rows, cols = step["shape"]
    values = step["values"]
    assert len(values) == rows and all(len(row) == cols for row in values), step["path"]
    for row in values:
        for value in row:
            number = float(value)  # "inf" and "-inf" are strings
            assert not math.isnan(number), step["path"]
            assert isinstance(value, (int, float)) != math.isinf(number), value
    if "printed" in step:
        printed = step["printed"]
        assert len(printed["values"]) == rows, step["path"]
        for row, col in printed["differs"]:
            assert 0 <= row < rows and 0 <= col < cols, step["path"]
END
    ok "show $lesson --json is whole"
    run show "$lesson" && [ -s "$work/out" ] && [ ! -s "$work/err" ]
    ok "show $lesson"
done

# Pictures: one or more a lesson, all PNGs of the size asked for, the same bytes again.
run export $lessons --out "$work/en" --size 1280x720
ok "export of every lesson"
run export $lessons --out "$work/zh" --size 1280x720 --lang zh --theme dark
ok "export of every lesson in Chinese and dark"
for folder in en zh; do
    pictures=$(find "$work/$folder" -name '*.png' | sort)
    [ "$(echo "$pictures" | wc -l)" -ge "$(echo "$lessons" | wc -l)" ] &&
        sizes=$(identify -format '%m %w %h\n' $pictures 2>"$work/err" | sort -u) &&
        [ "$sizes" = "PNG 1280 720" ]
    ok "every picture of $folder is a PNG of 1280 by 720"
done
run export "$first" --out "$work/again" --size 1280x720 &&
    (cd "$work/again" && find . -type f | sort | xargs cksum) >"$work/sums" &&
    (cd "$work/en" && cksum $(cut -d' ' -f3- "$work/sums")) | cmp -s - "$work/sums"
ok "exporting again gives the same bytes"
[ -z "$(find "$work" -name '*.png' -prune -o -path "$work/??/*" -type f -print)" ]
ok "export leaves nothing but pictures"

run play "$first" --keys "Right Right Down" --png "$work/play.png" && json 'd["path"]' && [ "$(identify -format %m "$work/play.png")" = PNG ]
ok "play prints where it ended and writes what it shows"
run play "$first" --keys "Right Right Left Left" && cp "$work/out" "$work/back" &&
    run play "$first" --keys "" && cmp -s "$work/out" "$work/back"
ok "Left takes Right back"

# From the lesson to begin with Right alone goes through the whole course, as often as there
# are steps, less one. Left alone goes back to the lesson's first step.
begin=$(basename "$(grep -l '^begin_here: true' "$tests"/../lessons/*.yaml)" .yaml)
steps=$("$program" list | awk '{ all += $2 } END { print all }')
rights=$(yes Right | head -n "$((steps - 1))" | tr '\n' ' ')
last=$(echo "$lessons" | tail -n 1)
run play "$begin" --keys "$rights" && json "d['lesson'] == '$last' and d['message'] is None"
ok "Right alone goes from the lesson to begin with to the course's last step"
run play "$begin" --keys "$rights Right" && json "d['lesson'] == '$last' and d['message']"
ok "and stays there and says so"
run play "$begin" --keys "$rights ${rights//Right/Left}" &&
    json "d['lesson'] == '$last' and d['path'] == '1' and d['message']"
ok "Left alone goes back to the lesson's first step and stays there"

# What goes wrong: 1 bad data, 2 bad usage, 3 input and output.
printf 'title: x\nsteps:\n  - do: Q = X @ W\n' >"$work/bad.yaml"
ends_with 1 check "$work/bad.yaml"
ok "a lesson with an unknown name is bad data"
grep -qE "bad\.yaml:3:[0-9]+: " "$work/err"
ok "and is reported with its line"
: >"$work/empty.yaml"
ends_with 1 check "$work/empty.yaml"
ok "an empty file is bad data"
head -c 20000 /dev/zero | tr '\0' '[' >"$work/deep.yaml"
ends_with 1 check "$work/deep.yaml"
ok "deep nesting is bad data"
printf 'title: \377\n' >"$work/bytes.yaml"
ends_with 1 check "$work/bytes.yaml"
ok "bytes that are not UTF-8 are bad data"
head -c 5000000 /dev/zero | tr '\0' 'a' >"$work/large.yaml"
ends_with 1 check "$work/large.yaml"
ok "a file past 4 MiB is bad data"
printf 'title: x\nvocabularies: {V: {corpus: [a]}}\ngiven:\n  T: {text: "%s", vocabulary: V}\nsteps: [T]\n' \
    "$(yes a | head -n 1000000 | tr '\n' ' ')" >"$work/tokens.yaml"
ends_with 1 check "$work/tokens.yaml" && grep -q "4:.* at most 1048576" "$work/err"
ok "a text of a million tokens is bad data"
ends_with 3 check "$work/gone.yaml"
ok "a file that isn't there is an input error"
ends_with 2 chekc "$first"
ok "an unknown command is bad usage"
ends_with 2 export "$first"
ok "export without --out is bad usage"
ends_with 2 export "$first" --out "$work/x" --size 0x0
ok "an empty size is bad usage"
ends_with 2 export "$first" --out "$work/x" --size 1920
ok "half a size is bad usage"
ends_with 2 export "$first" --out "$work/x" --lang xx
ok "an unknown language is bad usage"
ends_with 2 export "$first" --out "$work/x" --theme none
ok "an unknown theme is bad usage"
ends_with 2 play "$first" --keys "NoSuchKey"
ok "an unknown key is bad usage"
: >"$work/file"
ends_with 3 export "$first" --out "$work/file/below"
ok "a folder that can't be made is an output error"
if [ -e /dev/full ]; then
    timeout 60 "$program" show "$first" >/dev/full 2>"$work/err" </dev/null
    [ $? -eq 3 ]
    ok "a full disk is an output error"
fi

# From another folder, and with no display.
(cd "$work" && run list) && [ "$(awk '{ print $1 }' "$work/out")" = "$lessons" ]
ok "the lessons are found from any folder"
mkdir "$work/bare" && (cd "$work/bare" && run) &&
    [ -n "$(find "$work/bare/lesson-pictures" -name '*.png')" ] && [ -s "$work/err" ]
ok "without a display the first lesson's pictures are written, and that is said"
if [ "$program" = "$top/build/app/glassformer" ]; then
    app/run list </dev/null 2>"$work/err" | awk '{ print $1 }' >"$work/out"
    [ "$(cat "$work/out")" = "$lessons" ]
    ok "app/run prints just what the program prints"
fi

plan
