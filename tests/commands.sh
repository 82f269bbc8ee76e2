#!/bin/bash
# The commands: what they print and write, that they do it twice alike, and that they find
# their lessons wherever they are. Prints TAP.
#
#   tests/commands.sh PROGRAM [BUILD]    BUILD: a build folder to install from
set -u
here=$(dirname "$(realpath "$0")")
program=$(realpath -e "$1") || exit 1
build=${2:+$(realpath "$2")}
. "$(dirname "$0")/tap.sh"
unset DISPLAY
cd "$work" || exit 1

# ends_with STATUS WORDS ARGS…: runs and wants that exit status, WORDS on standard error
# and nothing on standard output.
ends_with() {
    local wanted=$1 words=$2 status
    shift 2
    run "$@"
    status=$?
    [ $status -eq "$wanted" ] && grep -qF -- "$words" "$work/err" &&
        [ ! -s "$work/out" ] || {
            echo "exit status $status, not $wanted; wanted '$words'" >>"$work/err"
            return 1
        }
}

# pictures FOLDER: names and sums of all that is in it.
pictures() {
    (cd "$1" && find . -type f | LC_ALL=C sort | xargs cksum)
}

cat >"$work/small.yaml" <<'END'
title: {en: "A small lesson", zh: "一小课"}
tokens: [a, b]
given:
  X: [[1, 2], [3, 4]]
  M: [[0, -inf], [0, 0]]
steps:
  - do: Y = X @ X.T
    printed: [[5, 11], [11, 24.4]]
    source: {en: "Its last number is too small.", zh: "最后一个数太小。"}
  - do: A = softmax(Y / sqrt(2) + M)
  - do: X / 3
  - show: [X, A]
END

# ---- list, show, check ----

run list
ok "list"
first=$(awk 'NR == 1 { print $1 }' out)
awk '$2 !~ /^[1-9][0-9]*$/ || NF < 3 { bad = 1 } END { exit bad || !NR }' out
ok "list gives each lesson's id, steps and title"
run list --lang zh && LC_ALL=C grep -q '[^ -~]' out
ok "list --lang zh is in Chinese"
cp out chinese
# in_chinese ARGS…: runs on a Chinese desktop.
in_chinese() {
    timeout $longest env LC_ALL=zh_CN.UTF-8 "$program" "$@" >"$work/out" 2>"$work/err"
}
in_chinese list && cmp out chinese &&
    in_chinese play "$first" --keys "" && json 'd["language"] == "zh"' &&
    in_chinese list --lang en && ! cmp -s out chinese
ok "every command speaks the desktop's language where none is asked for"

run show small.yaml
ok "show, from a path"
grep -qE '^1 +Y = matmul\(X, X\.T\)  \[2,2\]$' out
ok "show names a step's operation and inputs as written"
grep -qE '^ +a +0\.333 +0\.667$' out && grep -qE '^ +b +11 +25$' out
ok "show writes rows with their labels, three decimals where there are fractions"
run show small.yaml --json
ok "show --json"
json 'd["lesson"] == "small" and [s["path"] for s in d["steps"]] == \
    ["given", "given", "1", "2.1", "2.2", "2.3", "3", "4"]'
ok "show --json has the given tensors and every operation"
json 'd["steps"][2]["inputs"] == ["X", "X.T"] and d["steps"][3]["inputs"] == \
    ["Y", "sqrt(2)"] and d["steps"][4]["inputs"] == ["2.1", "M"]'
ok "inputs are named by name, by source, or by the step that made them"
json 'd["steps"][1]["values"][0][1] == "-inf" and d["steps"][6]["values"][0][0] == 1/3'
ok "values have all their digits, infinities are strings"
grep -q '0\.33333333333333331' out
ok "numbers have 17 significant digits"
json 'not any("printed" in s or "source" in s for s in d["steps"])'
ok "what a source prints is left out"
json 'abs(sum(d["steps"][5]["values"][1]) - 1) < 1e-15 and d["steps"][5]["name"] == "A"'
ok "a step's last operation has the step's name"

run show small.yaml --json --tensor A --rows 1:2 && json 'len(d["steps"]) == 1 and \
    d["steps"][0]["shape"] == [2, 2] and len(d["steps"][0]["values"]) == 1 and \
    d["steps"][0]["values"][0][1] > 0.99' && run show small.yaml --tensor Y --rows 1:9 &&
    grep -qE '^ +b +11 +25$' out && ! grep -qE '^ +a +5' out
ok "show --tensor prints one tensor, and --rows some of its rows"
run show small.yaml --tensor nowhere
[ $? -eq 1 ] && grep -qF "no tensor 'nowhere'" err && ends_with 2 "as in 0:2" show small.yaml --rows 2:1
ok "or says that there is none"

run show small.yaml --json --sources &&
    json 'd["steps"][2]["printed"]["differs"] == [[1, 1]] and \
    d["steps"][2]["printed"]["values"][1][1] == 24.4 and \
    d["steps"][2]["source"] == "Its last number is too small."'
ok "with --sources printed numbers stand with their result, and those that differ are told"
run export small.yaml --out plain && run export small.yaml --out compared --sources &&
    ! cmp -s plain/small/01-Y.png compared/small/01-Y.png &&
    cmp -s plain/small/03-divide.png compared/small/03-divide.png
ok "export --sources shows them on the pages that they are about, and on no others"

run check small.yaml &&
    grep -qF 'small step 1 (Y) [1,1]: the source prints 24.4, computed 25' out
ok "check tells where a printed number differs, and goes on"
printf 'title: x\nsteps:\n  - do: Q = X @ W\n' >bad.yaml
sed 's/^title: .*/title: {en: Small, zz: Small}/' small.yaml >strange.yaml
run check strange.yaml && grep -q "^strange.yaml:1:20: has a text in 'zz'.* en (English)" out &&
    run check small.yaml && ! grep -q 'has a text' out
ok "check tells of languages that the program hasn't got"
sed -e 's/^title: .*/title: Small # small/' -e '/do: X/a\    say: {en: "a # b", zh: c # d' -e '/do: X/a\      }' \
    small.yaml >comments.yaml
run check comments.yaml && [ "$(grep -o '^comments.yaml:[0-9:]* a comment begins here' out)" = \
    'comments.yaml:1:14: a comment begins here
comments.yaml:12:30: a comment begins here' ] && run check small.yaml && ! grep -q 'a comment' out
ok "check tells where a comment cuts off a text"
printf '%s\n' 'title: x' 'given: {X: [[0, 4]], M: [[0, -inf]]}' 'steps:' '  - do: R = 1 / X' \
    '  - do: S = R + R' '  - do: A = softmax(X + M + causal_mask(2))' '  - do: L = log(A)' \
    '  - do: N = A @ X.T / 0' >infinite.yaml
run check infinite.yaml && grep -qxF 'infinite step 1 (R): 1 of 2 cells is no finite number; [0,0] is ∞' out &&
    grep -qxF 'infinite step 5.2 (N): 2 of 2 cells are no finite numbers; [0,0] is NaN' out &&
    [ "$(wc -l <out)" -eq 3 ]
ok "check tells where cells are no finite numbers, but not of masks and what comes from them"
cat >away.yaml <<'END'
title: Away
model:
  {kind: decoder, d_model: 4, heads: 1, d_ff: 4, layers: 1, corpus: ["you win"], target: you,
   weights: {train: {texts: ["you win"], epochs: 3, learning_rate: 1e200}}}
END
run check away.yaml && grep -q "^away: training reached no finite loss; .*'learning_rate:' than 1e+200" out &&
    run train away.yaml --out away.safetensors && grep -q "loss NaN" out && grep -q "'learning_rate:'" err
ok "a training that ran away is told with what to make smaller"
run check small.yaml bad.yaml "$first"
[ $? -eq 1 ] && grep -qE '^bad\.yaml:3:[0-9]+: ' err && grep -q "^$first: no errors" out
ok "check goes through all lessons and ends with the worst"
run check && [ "$(grep -c ': no errors' out)" -eq "$("$program" list | wc -l)" ]
ok "check without a lesson checks them all"
! grep -q 'the source prints' out
ok "and counts the printed numbers that differ, which it lists of lessons that are named"
mkdir -p "$HOME/.local/share/glassformer/lessons"
own=$HOME/.local/share/glassformer/lessons
cp bad.yaml "$own/" && cp small.yaml "$own/$first.yaml"
run check
[ $? -eq 1 ] && grep -q "^$own/bad.yaml:3:" err && [ "$(grep -c "^$first: no errors" out)" -eq 2 ]
ok "check without a lesson checks the user's own too"
run list
grep -q "^$own/$first.yaml .*A small lesson" out && run check "$own/$first.yaml"
ok "a lesson of one's own that is called as one of the course is listed by its path"
rm -r "$own"

cat >unseen.yaml <<'END'
title: Unseen
model: {kind: decoder, d_model: 4, heads: 1, d_ff: 4, layers: 1, corpus: ["you win"], target: you, steps: false}
steps:
  - show: probabilities
  - at: decoder.0.norm_1
    heading: Norm
END
run check unseen.yaml && grep -q "^unseen.yaml:5: no step shows the words at 'decoder.0.norm_1'" out &&
    sed -i 's/, steps: false//' unseen.yaml && run check unseen.yaml && ! grep -q 'no step shows' out
ok "check tells of words that no step shows"

printf '%s\n' 'title: x' 'tokens: [I, am]' 'given: {X: [[1, 0], [0, 1], [1, 1]], W: [[1, 0], [0, 1]]}' \
    'steps:' '  - do: Q = X @ W' >words.yaml
run check words.yaml && grep -q "^words.yaml:2:9: 'tokens:' has 2 words, but X has 3 rows" out &&
    grep -q '^words: 1 warning, 1 step$' out &&
    sed -i 's/, am/, am, here/' words.yaml && run check words.yaml && [ "$(wc -l <out)" -eq 1 ]
ok "check tells of words that label no rows"
printf '%s\n' 'title: x' 'tokens: [I, am]' 'steps:' '  - do: P = positional_encoding(3, 2)' >computed.yaml
run check computed.yaml && [ "$(wc -l <out)" -eq 1 ]
ok "check compares words with given tensors only"
printf '%s\n' '    say: "{Q[am, 0]}"' >>words.yaml
run check words.yaml && sed -i 's/, here//' words.yaml && ! run check words.yaml &&
    [ "$(wc -l <err)" -eq 2 ] && sed -n 1p err | grep -q "^words.yaml:2:9: 'tokens:' has 2 words" &&
    sed -n 2p err | grep -q "^words.yaml:6:14: Q has no row 'am', because its rows have no labels"
ok "check reports labels that fit no rows before the names that are therefore unknown"

printf '%s\n' 'title: x' 'needs: [08-one-head, words, nothing, 08-one-heads]' 'given: {X: 1}' \
    'steps: [do: Y = X + 1]' >needs.yaml
run check needs.yaml && grep -q "^needs.yaml:2:29: there is no lesson 'nothing' in the course" out &&
    grep -q "^needs.yaml:2:38: .*did you mean '08-one-head'?" out &&
    grep -q '^needs: 2 warnings, 1 step$' out && [ "$(wc -l <out)" -eq 3 ]
ok "check reports needed lessons that don't exist"
printf 'title: x\ngiven: {V: [[1, 2]]}\nsteps: [do: A = v + 1]\n' >case.yaml
ends_with 1 "unknown name 'v'; did you mean 'V'?" check case.yaml
ok "check proposes a name that differs in case only"
printf 'title: x\nparts: [{title: y, lessons: [small]}]\n' >unit.yaml
ends_with 1 "'parts' can't stand in the lesson: it belongs to a playlist" check unit.yaml
ok "check says how a playlist's file is called"
ends_with 2 "'all.pdf' is named like a file of the format pdf" export small.yaml --out all.pdf &&
    ends_with 2 "add --format pptx" export small.yaml --out x.pptx --format pdf && [ ! -e all.pdf ]
ok "export makes no folder that is named like a file"
run export small.yaml --out csv-5 --format csv --seed 5 &&
    run export small.yaml --out csv-own --format csv && ! cmp -s csv-5/small.csv csv-own/small.csv
ok "a seed replaces the numbers of tensors without a worksheet, too"
printf 'title: x\nsteps: [do: 1 + 1]\n' >nameless.yaml
ends_with 1 "no tensor 'Z'; it has X M Y A" show small.yaml --tensor Z &&
    ends_with 1 "no tensor 'Z'; none of its tensors has a name" show nameless.yaml --tensor Z
ok "show lists the lesson's tensors if the requested one is missing"
run show small.yaml --code numpy && [ "$(grep -c '^print(' out)" -eq 2 ] &&
    grep -q '^print("A =", A' out
ok "a script prints each result that no other uses"

# ---- new, schema ----

run new mine.yaml && [ ! -s err ] && grep -q '^title:' mine.yaml && cp mine.yaml before
ok "new writes a lesson"
run check mine.yaml && grep -q '^mine: no errors' out
ok "a new lesson has no errors"
[ "$(head -n 1 mine.yaml)" = '# yaml-language-server: $schema=lesson.schema.json' ] &&
    sed -n 2p mine.yaml | grep -qF 'glassformer schema >lesson.schema.json' &&
    ! grep -q "$(dirname "$program")" mine.yaml
ok "a new lesson names the schema beside it, and how it comes there"
page=$(sed -n 's/^# With examples: //p' mine.yaml)
[ -f "$page" ] && [ "$page" = "$(realpath "$page")" ] &&
    mkdir bare && cp -r "${page%/lessons/README.md}"/{assets,lessons} bare &&
    rm bare/lessons/README.md && GLASSFORMER_DATA=bare run new plain.yaml &&
    grep -q 'glassformer schema --reference' plain.yaml && ! grep -q README plain.yaml
ok "a new lesson names the page about lessons where that is, and no page that isn't"
ends_with 3 "it exists already" new mine.yaml && cmp -s mine.yaml before
ok "new writes over nothing"
mkdir names && cd names || exit 1
refused=0
for name in "" . .. / " " "  .yaml" .yaml ./ names/ ../.. ... ./.yml "names/ " ". .yml"; do
    ends_with 2 "must be named, as in 'glassformer new my-lesson'" new "$name" && refused=$((refused + 1))
done
[ $refused -eq 14 ] && [ -z "$(ls -A)" ]
ok "new refuses a name of dots, blanks and slashes alone"
cd .. || exit 1
printf '\xEF\xBB\xBFyou win\nyou die\n' >marked.txt
printf 'title: t\nvocabularies: {V: {corpus_file: marked.txt}}\ngiven: {X: {text: you win die, vocabulary: V}}\nsteps: [{show: X}]\n' >marked.yaml
run show marked.yaml --json && ! grep -q "$(printf '\xEF\xBB\xBF')" out && tr -d ' \n' <out | grep -qF '"values":[[0.0,1.0,2.0]]'
ok "a file of texts may begin with a byte order mark"
printf 'you win\tyes\r\n\nyou die\tno\n' >pairs.txt
pairs_lesson() { # the pairs: given in the lesson, or as a file's name
    printf 'title: t\nmodel:\n  d_model: 4\n  d_ff: 4\n  layers: 1\n  source: you\n  target: "no"\n'
    printf '  vocabulary: [you, win, die, yes, "no", <sos>, <eos>]\n'
    printf '  weights: {train: {epochs: 2, %s}}\n' "$1"
}
pairs_lesson 'pairs: [[you win, "yes"], [you die, "no"]]' >given-pairs.yaml
pairs_lesson 'pairs_file: pairs.txt' >file-pairs.yaml
run show given-pairs.yaml --json && sed 's/given-pairs//' out >given-pairs && run show file-pairs.yaml --json &&
    sed 's/file-pairs//' out | cmp -s - given-pairs
ok "pairs_file: has the pairs that pairs: would have"
printf 'you win\tyes\nyou lose\tno\n' >pairs.txt
ends_with 1 "'pairs.txt', line 2: the vocabulary has no token for 'lose'" check file-pairs.yaml
ok "a token that a file of pairs alone has is told with its line"
printf 'you win\tyes\nyou die no\n' >pairs.txt
ends_with 1 "'pairs.txt', line 2: a pair is a source, a tab and its target" check file-pairs.yaml
ok "a line without a tab is no pair"
pairs_lesson 'pairs_file: ../pairs.txt' >file-pairs.yaml
ends_with 3 "leads out of the lesson's folder" check file-pairs.yaml
ok "a file of pairs is in the lesson's folder"
run new 08-one-head && grep -q "'glassformer 08-one-head.yaml' opens it" out &&
    run check 08-one-head.yaml && grep -q '^08-one-head: no errors, 6 steps' out
ok "a new lesson's file ends in .yaml, and is told from the course's by that"
ends_with 3 "can't write" new nowhere/mine.yaml
ok "new says where it can't write"
run schema --reference && grep -q '^| `d_model:` | a whole number from 1 to 2048; required | Dimension of the embeddings' out && grep -q '^- `relu(x)`$' out &&
    grep -q '^- `attention(Q, K, V\[, M\])`$' out
ok "schema --reference is a page for people, with all that an expression can call"
run schema --playlist && grep -q '"lessons"' out && ! grep -q '"given"' out
ok "schema --playlist is of playlists"
sed -n '/^## A full example/,$p' "$here/../lessons/README.md" | sed '1,/^```yaml/d' | sed '/^```/,$d' >example.yaml
run check example.yaml && grep -q 'of 2 numbers that its source prints, 0 differ' out
ok "the full example of the page for authors has no errors"
cat >two.playlist.yaml <<'END'
title: Two
parts:
  - title: Only
    lessons: [13-masks, small.yaml]
END
run list two.playlist.yaml && [ "$(cut -d' ' -f1 out)" = "13-masks
small" ] && run export two.playlist.yaml --out unit --size 640x360 && [ -e unit/small ] &&
    run check two.playlist.yaml && sed 's/13-masks/13-mask/' two.playlist.yaml >bad.playlist.yaml &&
    ends_with 1 "bad.playlist.yaml:4:15: there is no lesson '13-mask'; did you mean '13-masks'?" \
        list bad.playlist.yaml
ok "a playlist stands for the course"
run list --playlist &&
    [ "$(cut -d' ' -f1 out | paste -sd' ')" = "30-minutes afternoon university" ] &&
    awk '$2 !~ /^[1-9][0-9]*$/ || NF < 3 { bad = 1 } END { exit bad || !NR }' out
ok "list --playlist gives each playlist's ID, lessons and title"
run list "$here/../lessons/playlists/university.playlist.yaml" && cp out unit.txt &&
    run list university && cmp out unit.txt && run list --playlist university &&
    [ "$(wc -l <out)" -eq 3 ] && run export university 8 --out by-id --size 640x360 &&
    [ "$(ls by-id)" = 08-one-head ] && run play university --keys "Right" &&
    json 'd["lesson"] == "01-tokens"' && cd / && run list university &&
    cmp "$work/out" "$work/unit.txt"
ok "a playlist of the program's is found by its ID, wherever it is asked for"
cd "$work" || exit 1
ends_with 2 "there is no such lesson or playlist; did you mean 'university'?" universiti &&
    ends_with 2 "'glassformer list --playlist'" show nothing-of-that-name &&
    ends_with 2 "list can't take 'nowhere': glassformer list [PLAYLIST]" list nowhere
ok "a name that is neither a lesson nor a playlist is told with what there is"
# Debian's python3 may have what another lacks.
python=python3
/usr/bin/python3 -I -c "import jsonschema, yaml" 2>/dev/null && python=/usr/bin/python3
run schema
if "$python" -I -c "import jsonschema, yaml" 2>/dev/null; then
    "$python" -I - out mine.yaml "$here"/../lessons/*.yaml "$here"/lessons/*.yaml 2>err <<'END'
import copy, json, sys
import jsonschema, yaml
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)
lessons = [yaml.safe_load(open(path, encoding="utf-8")) for path in sys.argv[2:]]
for path, lesson in zip(sys.argv[2:], lessons):
    for error in validator.iter_errors(lesson):
        sys.exit(f"{path}: {list(error.path)}: {error.message}")
for key, value in {"stepps": [], "steps": [], "title": None, "tokens": "a", "given": 3,
                   "model": {"heads": 2}, "changes": [{"mask": "some"}],
                   "labels": {"X": {"row": ["a"]}}}.items():
    bad = copy.deepcopy(lessons[0])
    bad[key] = value
    if validator.is_valid(bad):
        sys.exit(f"{key}: {value} is let through")
lessons[0].update(given={"X": [[1, 2]], "V": {"random": [2, 2], "seed": 1}},
                  steps=[{"do": "Y = X"}], changes=[{"cell": ["X", 0, 0], "value": 1}])
if not validator.is_valid(lessons[0]):
    sys.exit("a good lesson is refused")
for key, value in [("changes", [{"cell": ["X", 0, 0]}]), ("given", {"W 1": 2}),
                   ("changes", [{"cell": ["X", -1, 0], "value": 1}]),
                   ("given", {"X": {"text": "a"}}), ("given", {"inf": 2}),
                   ("given", {"X": {"random": [2, 2], "seed": -1}}),
                   ("given", {"X": {"random": [0, 2]}}), ("title", {"EN": "x"}),
                   ("title", {"en": ""}), ("title", {}),
                   ("steps", [{"train": {"watch": ["a", "b", "c", "d", "e"]}}])]:
    if validator.is_valid({**lessons[0], key: value}):
        sys.exit(f"{key}: {value} is let through")
END
    ok "the schema takes every lesson, and refuses what the reader refuses"
else
    skip "the schema takes every lesson" "python3-jsonschema or python3-yaml is not installed"
fi

# ---- export ----

cat >huge.yaml <<'END'
title: Huge
given: {X: [[1.7e308, -1.7e308], [9e307, 1]]}
steps:
  - {show: X, as: heatmap}
  - {show: X, as: bars}
  - {show: X, as: waves}
  - do: Y = X * 10
END
run export huge.yaml --out huge --all-steps --size 640x400 && [ "$(ls huge/huge | wc -l)" -eq 4 ]
ok "the largest numbers that there are have pictures"

run export small.yaml "$first" --out one/deep --size 1024x640
ok "export makes the folders it needs"
[ "$(ls one/deep/small)" = "$(printf '01-Y.png\n02-A.png\n03-divide.png\n04-A.png')" ]
ok "pictures are named by step and result, or by operation"
head -c 4 one/deep/small/01-Y.png | grep -q PNG
ok "pictures are PNG files"
run export small.yaml "$first" --out two --size 1024x640 --threads 1 &&
    run export small.yaml "$first" --out three --size 1024x640 --threads 7 &&
    pictures one/deep >one.sums && pictures two >two.sums && pictures three >three.sums &&
    cmp one.sums two.sums && cmp one.sums three.sums
ok "the same bytes from one thread, two or seven"
run export small.yaml --out steps --all-steps --size 1024x640 &&
    [ "$(ls steps/small | tr '\n' ' ')" = "01-Y.png 02-A.png 02.01-divide.png \
02.02-add.png 02.03-A.png 03-divide.png 04-A.png " ]
ok "--all-steps writes the operations within a step too"
cmp steps/small/02-A.png one/deep/small/02-A.png &&
    ! cmp -s steps/small/02-A.png steps/small/02.01-divide.png
ok "a step's picture is the same with and without --all-steps"
{
    printf 'title: x\ngiven: {X: [[1]]}\nsteps:\n'
    seq -f '  - do: Y_%.0f = X + 1' 101
} >long.yaml
run export long.yaml --out long --size 640x360 &&
    [ "$(ls long/long | sed -n '1p;101p' | tr '\n' ' ')" = "001-Y_1.png 101-Y_101.png " ]
ok "names sort as the lesson goes, however long it is"
run export small.yaml --out zh --size 1024x640 --lang zh --theme dark &&
    ! cmp -s zh/small/01-Y.png one/deep/small/01-Y.png
ok "language and theme change the picture"
run export bad.yaml small.yaml --out partly --size 1024x640
[ $? -eq 1 ] && [ "$(ls partly)" = small ] && [ "$(ls partly/small | wc -l)" -eq 4 ]
ok "a lesson with errors is left out of an export, which ends with 1"
mkdir blocked blocked/small blocked/small/02-A.png
ends_with 3 "02-A.png" export small.yaml --out blocked --size 1024x640 --threads 1
ok "a picture that can't be written is an output error"
[ -z "$(find blocked -type f ! -name '*.png')" ] && [ -d blocked/small/02-A.png ]
ok "and leaves nothing half-written"
if [ "$(id -u)" -ne 0 ]; then
    mkdir readonly && chmod a-w readonly
    ends_with 3 "readonly" export small.yaml --out readonly
    ok "a folder that can't be written to is an output error"
fi
ends_with 3 "can't be made" export small.yaml --out /proc/none/pictures
ok "a folder that can't be made is an output error"
if [ -d /sys/kernel ]; then # where there is none, /sys is a folder like any other
    ends_with 3 "can't be made" export small.yaml --out /sys/glassformer &&
        ! grep -q "No such file" err
    ok "and what is said is why it can't be, not what was looked at afterwards"
fi
mkdir twin && cp small.yaml twin
ends_with 2 "two of the lessons are called 'small'" export small.yaml twin/small.yaml \
    --out twins
ok "two lessons of one name are refused before anything is written"
[ ! -e twins ]
ok "and nothing is written"

# ---- export as lines ----

# looks_like PNG PNG: as far as letters drawn with other edges can; says how far it is off.
looks_like() {
    convert "$1" -resize '320x180!' one.png && convert "$2" -resize '320x180!' other.png &&
        compare -metric RMSE one.png other.png null: 2>&1 |
        awk -F '[()]' -v page="$2" '!($2 < 0.03) { print page, $0; exit 1 }'
}

run export small.yaml "$first" --out lines --size 1600x900 --format svg,png --lang zh &&
    run export small.yaml --out lines-again --size 1600x900 --format svg --lang zh &&
    cmp lines/small/02-A.svg lines-again/small/02-A.svg && [ ! -e lines-again/small/02-A.png ]
ok "export --format svg writes a file a page, the same bytes again"
python3 -I - lines/*/*.svg 2>err <<'END'
import sys
import xml.dom.minidom
for name in sys.argv[1:]:
    page = xml.dom.minidom.parse(name)
    ids = {node.getAttribute("id") for node in page.getElementsByTagName("path")}
    for use in page.getElementsByTagName("use"):
        assert use.getAttribute("xlink:href")[1:] in ids, name
    words = [text.firstChild.data for text in page.getElementsByTagName("text")]
    assert any("Glassformer" in word for word in words), words
    assert any(ord(letter) > 0x4E00 for word in words for letter in word), words
END
ok "and each is XML that has all letters it draws, and its words"
if command -v rsvg-convert >/dev/null; then
    for page in lines/*/*.svg; do
        rsvg-convert -w 1600 -h 900 "$page" -o drawn.png 2>>err
        looks_like drawn.png "${page%.svg}.png" || break
    done >err
    [ ! -s err ]
    ok "and rsvg draws what the program paints"
else
    skip "rsvg draws what the program paints" "librsvg2-bin is not installed"
fi

# ---- export some of it ----

run export small.yaml --out some --steps 2-3 --size 1024x640 &&
    [ "$(ls some/small | tr '\n' ' ')" = "02-A.png 03-divide.png " ] &&
    cmp some/small/02-A.png one/deep/small/02-A.png
ok "export --steps writes these steps alone"
ends_with 2 "has 4 steps" export small.yaml --out some --steps 5
ok "steps that there aren't are refused"
ends_with 2 "as in 3-7" export small.yaml --out some --steps 3-2
ok "and a range that ends before it begins"
run export small.yaml --out alone --picture-only --format svg && run export small.yaml --out around --format svg &&
    ! grep -q Glassformer alone/small/02-A.svg && grep -q Glassformer around/small/02-A.svg
ok "--picture-only leaves out what stands around the picture"
run export small.yaml --out wide --steps 2 --format svg --width-mm 120 && grep -q 'width="120mm" height="67.5mm"' wide/small/02-A.svg
ok "--width-mm says how wide it is on paper"
ends_with 2 "--width-mm is for figures" export small.yaml --out x --width-mm 120
ok "which a PNG can't be told"

# ---- export as decks ----

run export small.yaml "$first" --out decks --format pdf --frame &&
    [ "$(ls decks | tr '\n' ' ')" = "$first.pdf small.pdf " ] && cp -r decks decks-before &&
    run export small.yaml "$first" --out decks --format pdf --frame && cmp decks/small.pdf decks-before/small.pdf
ok "export --format pdf writes a deck a lesson, the same bytes again"
run export small.yaml "$first" --out in/one.pdf --format pdf --frame --lang zh &&
    [ "$(ls in)" = one.pdf ]
ok "and one of all lessons where a file is named"
run export small.yaml "$first" --out sheets --format pdf --handout 4
ok "and handouts"
if command -v pdftotext >/dev/null; then
    pages() { pdfinfo "$1" 2>>err | awk '$1 == "Pages:" { print $2 }'; }
    long=$(pages "decks/$first.pdf")
    [ "$(pages decks/small.pdf)" = 4 ] && [ "$(pages in/one.pdf)" = $((4 + long)) ] &&
        [ "$(pages sheets/small.pdf)" = 1 ] &&
        [ "$(pages "sheets/$first.pdf")" = $(((long + 3) / 4)) ]
    ok "a page a step, or a sheet for four"
    pdftotext decks/small.pdf - 2>err | grep -q "A small lesson"
    ok "pdftotext finds the title in it"
    pdftotext decks/small.pdf - >out 2>err && grep -q "A equals softmax of" out && ! LC_ALL=C grep -q $'\xf0\x9d' out
    ok "and formulas as words in plain letters"
    "$python" -I -c 'import re
deck = open("in/one.pdf", "rb").read()
links, pages = set(re.findall(rb"/Dest/(P\d+)", deck)), set(re.findall(rb"/(P\d+)\[", deck))
raise SystemExit(not pages or links != pages)' 2>err && [ "$(pdfinfo -dests in/one.pdf 2>err | grep -c Fit)" = $((4 + long)) ]
    ok "whose small pictures lead from page to page"
    pdftotext in/one.pdf - 2>err | grep -q 第
    ok "and Chinese words"
    run export small.yaml "$first" --out slides --format pdf && pdftotext slides/small.pdf - >out 2>err &&
        ! grep -q "A small lesson" out && grep -q "A equals softmax of" out
    ok "without --frame they are slides in large type"
    pdftoppm -png -r 120 "decks/$first.pdf" seen 2>err
    run export "$first" --out decks-painted --size 1600x900
    for page in decks-painted/"$first"/*.png; do
        set -- seen-*.png
        looks_like "$1" "$page" || break
        rm "$1"
    done >err
    [ ! -s err ]
    ok "and poppler draws what the program paints"
else
    skip "what is in a deck" "poppler-utils is not installed"
fi
if command -v qpdf >/dev/null; then
    qpdf --check in/one.pdf >out 2>err && qpdf --check "sheets/$first.pdf" >out 2>err
    ok "qpdf finds nothing wrong with them"
else
    skip "qpdf finds nothing wrong with them" "qpdf is not installed"
fi

python=/usr/bin/python3 # which Debian's NumPy belongs to
[ -x "$python" ] || python=python3

# ---- export for browsers, and what moves ----

run export small.yaml "$first" --out decks --format html --frame && ! grep -qE '(src|href)="?(https?:|//)' decks/small.html &&
    run export small.yaml --out decks/zh --format html --lang zh && grep -q '<html lang="zh">' decks/zh/small.html
ok "export --format html writes a deck that fetches nothing"
if command -v node >/dev/null && command -v chromium >/dev/null; then
    node "$here/deck.mjs" decks/small.html >out 2>err
    ok "Chromium turns its pages, and tells of its cells"
else
    skip "Chromium opens it" "nodejs or chromium is not installed; tests/run --all installs them"
fi
run export small.yaml --out decks --format pptx && run export small.yaml --out decks/again --format pptx &&
    cmp decks/small.pptx decks/again/small.pptx && "$python" -I -c 'import xml.dom.minidom, zipfile
deck = zipfile.ZipFile("decks/small.pptx")
texts = {name: xml.dom.minidom.parseString(deck.read(name)) for name in deck.namelist() if name[-4:] != ".png"}
assert not deck.testzip() and len(texts) > 20
def words(node):
    return " ".join(text.firstChild.data for text in node.getElementsByTagName("a:t") if text.firstChild)
for number in range(1, 5):
    slide = texts[f"ppt/slides/slide{number}.xml"]
    shapes = slide.getElementsByTagName("p:sp")
    assert [shape.getElementsByTagName("p:ph")[0].getAttribute("type") for shape in shapes] == ["title", "body"]
    title, text = map(words, shapes)
    assert title and title == slide.getElementsByTagName("p:cSld")[0].getAttribute("name"), title
    assert text.startswith(f"Step {number} of 4"), text
    picture = slide.getElementsByTagName("p:pic")[0].getElementsByTagName("p:cNvPr")[0].getAttribute("descr")
    assert " equals " in picture and picture not in text, picture
assert "Formula: A equals softmax of" in words(texts["ppt/slides/slide2.xml"])
for name, text in texts.items():
    for part in text.getElementsByTagName("Relationship"):
        target = part.getAttribute("Target").replace("../", "ppt/")
        assert any(each.endswith(target) for each in deck.namelist()), (name, target)' 2>err
ok "--format pptx writes slides with titles, words and descriptions, whose parts are all there"
if command -v soffice >/dev/null && command -v pdfinfo >/dev/null; then
    HOME=$work timeout 120 soffice --headless --convert-to pdf --outdir opened decks/small.pptx >out 2>err &&
        [ "$(pdfinfo opened/small.pdf | awk '$1 == "Pages:" { print $2 }')" = 4 ] &&
        pdftotext opened/small.pdf - | grep -q "Formula: A equals softmax of"
    ok "and LibreOffice opens them, and finds their words"
    HOME=$work timeout 120 soffice --headless --convert-to fodp --outdir opened decks/small.pptx >out 2>err &&
        [ "$(grep -o 'presentation:class="title"' opened/small.fodp | wc -l)" = 5 ] # one is the master's
    ok "with a title each for its outline"
else
    skip "LibreOffice opens them, with their titles" "libreoffice-impress or poppler-utils is not installed; tests/run --all installs both"
fi
run export small.yaml --out films --format png,gif,apng --size 640x360 &&
    run export small.yaml --out films/again --format gif,apng --size 640x360 &&
    cmp films/small.gif films/again/small.gif && cmp films/small.apng films/again/small.apng
ok "gif and apng move, with the same bytes again"
if "$python" -I -c 'import PIL, numpy' 2>err; then
    "$python" -I "$here/film.py" films/small.apng films/small 0 >out 2>err &&
        "$python" -I "$here/film.py" films/small.gif films/small 24 >out 2>err
    ok "Pillow finds each step's picture in them"
else
    skip "Pillow opens them" "python3-pil or python3-numpy is not installed"
fi

# ---- export as worksheets ----

cat >paper.yaml <<'END'
title: {en: "On paper", zh: "纸上"}
tokens: [a, b, c]
given:
  X: [[1, 2], [3, 0], [2, 2]]
  W: [[1, 0], [2, 1]]
  V: [[0.5, 1], [2, 0.25], [1, 1.5]]
steps:
  - do: Q = X @ W
  - do: S = Q @ X.T
    ask: {cell: [2, 1]}
  - do: Z = S / 4
  - do: A = softmax(Z)
    ask: {cell: [1, 1]}
  - do: O = A @ V
    ask: {cell: [0, 1]}
END
run export paper.yaml --out paper --format worksheet --key &&
    run export paper.yaml --out paper/5 --format worksheet,npz --key --seed 5 &&
    run export paper.yaml --out paper/6 --format worksheet,npz --key --seed 6 --paper letter &&
    run export paper.yaml --out paper/again --format worksheet,npz --key --seed 5 &&
    [ "$(ls paper | tr '\n' ' ')" = "5 6 again paper-worksheet-key.pdf paper-worksheet.pdf " ] &&
    [ "$(ls paper/5 | tr '\n' ' ')" = "paper-worksheet-5-key.pdf paper-worksheet-5.pdf paper.npz " ]
ok "export --format worksheet writes worksheets, their keys and copies"
cmp paper/5/paper-worksheet-5-key.pdf paper/again/paper-worksheet-5-key.pdf && cmp paper/5/paper.npz paper/again/paper.npz &&
    ! cmp -s paper/5/paper.npz paper/6/paper.npz
ok "a seed gives the same numbers again, another one others"
if command -v pdftotext >/dev/null && "$python" -I -c 'import numpy' 2>err; then
    agree=
    for seed in 5 6; do
        pdftotext -layout paper/$seed/paper-worksheet-$seed-key.pdf key.txt 2>err &&
            "$python" -I "$here/worksheet.py" key.txt paper/$seed/paper.npz >out 2>err && grep -q answers out &&
            agree+=$seed
    done
    [ "$agree" = 56 ] && pdfinfo paper/6/paper-worksheet-6.pdf | grep -q "612 x 792"
    ok "the key has NumPy's numbers, on letter paper, too"
    pdftotext -layout paper/paper-worksheet.pdf key.txt 2>err && grep -q "Round results" key.txt &&
        ! "$python" -I "$here/worksheet.py" key.txt paper/5/paper.npz >out 2>err
    ok "which the sheet hasn't"
    sed '/W_V:/s/:.*/: [[1.884, 0.19], [1.302, -1.91]]/' mine.yaml >digits.yaml
    run export digits.yaml --out paper/digits --format worksheet && pdftotext paper/digits/*.pdf key.txt 2>err &&
        grep -q 1.884 key.txt && grep -q 1.302 key.txt
    ok "what is reckoned with has as many digits as are asked for"
fi
if command -v pdftotext >/dev/null; then
    cat >wide.yaml <<'END'
title: "Many digits"
given:
  X: [[0.3643, -1.2716, 25.1348]]
  W: [[31.2718, 1], [-12.4463, 0], [7.9182, 2]]
steps:
  - do: Y = X * X
    ask: {cell: [0, 1]}
  - do: P = X @ W
    ask: {cell: [0, 0]}
END
    run export wide.yaml --out wide --format worksheet --key &&
        pdftotext -layout wide/wide-worksheet.pdf wide.txt && pdftotext -layout wide/wide-worksheet-key.pdf key.txt &&
        "$python" -I "$here/worksheet.py" wide.txt key.txt >out 2>err
    ok "a sheet gives the digits that its answers take"
    different=
    run list && lessons=$(awk -v one_in="${GLASSFORMER_SAMPLE:-1}" 'NR % one_in == 0 { print $1 }' out)
    for seed in 1 3 11; do
        run export $lessons --out sheets.pdf --format worksheet --seed $seed --key &&
            run export $lessons --out letter.pdf --format worksheet --seed $seed --paper letter || different=$seed
        for paper in sheets sheets-key letter; do
            pdftotext -bbox $paper.pdf $paper.bbox || different=$seed
        done
        "$python" -I "$here/worksheet.py" sheets.bbox sheets-key.bbox letter.bbox \
            >out 2>err || different=$seed
    done
    [ ! "$different" ]
    ok "sheet, key and other paper ask the same of the whole course"
fi
run export --out exam.pdf --format exam --seed 3 --key && run export --out again --format exam --seed 3 --lang zh --key &&
    run export --out other --format exam --seed 4 && run export --out exam2.pdf --format exam --seed 3 --key &&
    [ "$(ls again other | tr -s '\n' ' ')" = "again: exam-3-key.pdf exam-3.pdf other: exam-4.pdf " ] &&
    cmp exam.pdf exam2.pdf && cmp exam-key.pdf exam2-key.pdf
ok "export --format exam writes an exam over the course and its key, the same for the same seed"
if command -v pdftotext >/dev/null && "$python" -I -c 'import numpy' 2>err; then
    for paper in exam exam-key again/exam-3 other/exam-4; do
        pdftotext -layout $paper.pdf $paper.txt
    done
    "$python" -I "$here/exam.py" "$program" exam.txt exam-key.txt again/exam-3.txt >out 2>err && grep -q sums out &&
        ! cmp -s exam.txt other/exam-4.txt
    ok "it has 40 questions for 100 points in each language, and NumPy's answers; another seed asks others"
    sed 's/^\( *[A-Z][^=]*\] = .*\)[0-9]$/\19876/' exam-key.txt >wrong.txt
    ! "$python" -I "$here/exam.py" "$program" exam.txt wrong.txt again/exam-3.txt >out 2>err
    ok "a wrong answer in the key would be found"
fi
run export 8 9 10 --out short --format exam --questions 6 && run export 8 --out short --format worksheet --questions 3 &&
    [ "$(ls short | tr '\n' ' ')" = "08-one-head-worksheet.pdf exam.pdf " ]
ok "--questions sets how many there are"
ends_with 2 "--questions is for worksheets" export paper.yaml --out x --questions 3
ok "and is of worksheets alone"
ends_with 2 "--key is for worksheets" export paper.yaml --out x --key &&
    ends_with 2 "--seed is for worksheets and tensors" export paper.yaml --out x --seed 7
ok "a key is of worksheets alone"
ends_with 2 "--paper is for what is printed" export paper.yaml --out x --paper letter
ok "and paper for what is printed"

# ---- export for NumPy ----

cat >"$work/tables.yaml" <<'END'
title: t
given:
  X: [[1, -0.0], [3.25, inf]]
  M: [[0, -inf], [0, 0]]
steps:
  - do: A = attention(X[:, 0:1], M[:, 0:1], M)
  - do: X / 3
  - do: attention(M[:, 0:1], M[:, 0:1], X[:, 0:1])
  - do: attention(M[:, 0:1], M[:, 0:1], X[:, 0:1])
  - show: [X, A]
END
tables=$here/npz.py
run export tables.yaml small.yaml --out tables --format npz &&
    [ "$(ls tables | tr '\n' ' ')" = "small.npz tables.npz " ] &&
    printf '%s\n' tables/tables.npz tables/small.npz | cmp - out
ok "export --format npz writes one file per lesson and no pictures, and prints the paths"
run export small.yaml --out sheets --format worksheet,npz --key &&
    printf '%s\n' sheets/small-worksheet.pdf sheets/small-worksheet-key.pdf sheets/small.npz | sort >wanted && sort out | cmp - wanted
ok "export prints the paths of worksheets with answers"
for lesson in small tables; do
    run show $lesson.yaml --json && cp out shown.json &&
        "$python" -I "$tables" tables/$lesson.npz shown.json >out 2>err && grep -q tensors out
    ok "$lesson.npz has the tensors of show --json, to the last bit"
done
run export tables.yaml small.yaml --out again --format png,npz --size 1024x640 &&
    cmp again/tables.npz tables/tables.npz && cmp again/small.npz tables/small.npz &&
    [ "$(ls again/small | wc -l)" -eq 4 ]
ok "--format png,npz writes both, the npz with the same bytes"
{
    printf 'title: x\ngiven: {X: [[1]]}\nsteps:\n'
    seq -f '  - do: Y_%.0f = X + X' 66000
} >many.yaml
run export many.yaml --out many --format npz &&
    "$python" -I -c 'import zipfile
archive = zipfile.ZipFile("many/many.npz")
assert len(archive.namelist()) == 66001 and archive.read("Y_66000.npy")[-8:] == b"\0" * 7 + b"@"' \
        2>err
ok "an npz may have more tensors than a plain zip can count"
mkdir -p blocked/npz/small.npz
ends_with 3 "small.npz" export small.yaml --out blocked/npz --format npz &&
    [ "$(ls blocked/npz)" = small.npz ]
ok "an npz that can't be written is an output error and leaves nothing half-written"

run export tables.yaml --out tables --format csv && run show tables.yaml --json && python3 -I -c 'import csv, json
cells = {}
for row in csv.DictReader(open("tables/tables.csv", newline="")):
    cells[row["tensor"], int(row["row"]), int(row["column"])] = float(row["value"])
steps = json.load(open("out"))["steps"]
named = [step for step in steps if step["name"] in ("X", "M", "A")]
for step in named:
    for i, values in enumerate(step["values"]):
        for j, value in enumerate(values):
            assert cells[step["name"], i, j] == float(value), (step["name"], i, j)
assert named and cells["X", 1, 0] == 3.25 and cells["M", 0, 1] == float("-inf")' 2>err
ok "export --format csv has the numbers of show --json, to the last bit"
printf 'title: x
given: {X: {random: [400, 300], seed: 1}, W: [[1, 2]]}
steps: [do: Y = mean(X * X)]
' >large.yaml
run export large.yaml --out large --format csv && grep -q 'leaves out 2 tensors' err &&
    grep -q '^"W",0,1,2' large/large.csv && grep -q '^"Y",399,0,' large/large.csv &&
    [ "$(wc -l <large/large.csv)" -eq 403 ]
ok "a csv of very many numbers has the results of steps, and says what it leaves out"
run export large.yaml --out large --format csv --all-steps && [ ! -s err ] &&
    grep -q '^"X",399,299,' large/large.csv && [ "$(wc -l <large/large.csv)" -eq 240403 ]
ok "with --all-steps it has all of them"

# ---- play ----

run play --help && grep -q 'Type:0.5 types' out
ok "play's help names what is no key"
run play small.yaml --keys "Right Down Down Right Down" && json 'd["lesson"] == "small" \
    and d["path"] == "2.1" and d["name"] == "divide" and d["depth"] == 3 and \
    d["cell"] == [0, 1]'
ok "play goes where the keys lead, down to a cell"
run play small.yaml --keys "Right Down" && json 'd["path"] == "2.1" and d["depth"] == 2 \
    and d["cell"] is None and d["edited"] == [] and d["muted"] == []'
ok "play tells path, depth, and that there is no cell"
run play small.yaml --keys "right RIGHT l t" && json 'd["path"] == "3" and \
    d["language"] != "en" and d["theme"] == "dark" and d["view"] == "picture"'
ok "keys are taken in any case; L and T change language and theme"
run play small.yaml --keys "" && json 'd["words"] == "story"' &&
    run play small.yaml --keys "Tab Tab Right Tab" && json 'd["words"] == "code"' &&
    run play small.yaml --keys "Tab Shift+Tab Shift+Tab" && json 'd["words"] == "code"' &&
    run play small.yaml --keys "Tab Tab Tab Tab" && json 'd["words"] == "story"'
ok "Tab goes round the depths of the words"
for depth in usual story numbers formula code; do
    run export small.yaml --out depths --size 1024x640 --words $depth &&
        pictures depths >>"$work/depth_sums" || break
done
[ "$(grep -c '/01-' "$work/depth_sums")" -eq 5 ] &&
    [ "$(grep '/01-' "$work/depth_sums" | sort -u | wc -l)" -eq 5 ]
ok "export --words gives each depth a picture of its own"
ends_with 2 "story, numbers, formula or code" export small.yaml --out x --words poem
ok "an unknown depth is refused with those that there are"
run show small.yaml --code torch --json && json 'd["lesson"] == "small" and \
    d["steps"][1] == {"path": "2", "result": "A", "code": ["A = torch.softmax(Y / 2 ** 0.5 + M, dim=1)"]}'
ok "show --code --json has the code of each step"
run export small.yaml --out told --steps 2 --size 1024x640 --words story &&
    run play small.yaml --keys "Right" --png play.png --size 1024x640 &&
    cmp play.png told/small/02-A.png
ok "play --png writes the bytes that export writes"
run play small.yaml --keys "Right ?" --png help.png --size 1024x640 &&
    json 'd["help"] is True' && ! cmp -s play.png help.png
ok "with the help open, the picture shows it"
run play --keys "Right" && json "d['lesson'] == '40-the-whole-path' and d['path'] == '1'"
ok "play without a lesson begins at home, where Right begins the whole path"
run play --keys "Down Down Return" && json 'd["lesson"] and d["station"] == 1' &&
    run play --keys "Down Down Return Right Right Left" && json 'd["station"] == 2' &&
    run play --keys "Down Down Return Right Escape" && json 'd["view"] == "home"'
ok "the second card begins the tour; Right and Left go along it, Escape leaves it"
run play --keys "Tab Right Return" && json 'd["lesson"] and d["path"] == "1"' &&
    ! json "d['lesson'] == '$first'"
ok "once something is being chosen, Right goes on choosing"
run play "$first" --keys "O" && json 'd["view"] == "home" and \
    d["lesson"] is None and d["chosen"]' && run play "$first" --keys "O" --png home.png
ok "O leads home, which has a picture too"
run play small.yaml --keys "Right q q Right" && json 'd["path"] == "2"'
ok "Q ends it"
run play small.yaml --keys "Right Ctrl+S Ctrl+S" --out saved --size 1024x640 &&
    [ "$(ls saved | wc -l)" -eq 2 ] && [ "$(grep -c '^Saved saved/' err)" -eq 2 ] &&
    for picture in saved/*; do cmp "$picture" told/small/02-A.png || exit 1; done
ok "Ctrl+S saves the picture that export writes, and never over another"
mkdir -p "$HOME/.config" "$HOME/My pictures" &&
    echo 'XDG_PICTURES_DIR="$HOME/My pictures"' >"$HOME/.config/user-dirs.dirs" &&
    run play small.yaml --keys Ctrl+S && [ "$(ls "$HOME/My pictures/Glassformer" | wc -l)" -eq 1 ] &&
    grep -q "^Saved $HOME/My pictures/Glassformer/small-" err
ok "Ctrl+S saves where the desktop keeps pictures, in a folder of its own, and says where"
echo 'XDG_PICTURES_DIR="$HOME/"' >"$HOME/.config/user-dirs.dirs" && mkdir -p "$HOME/Pictures" &&
    run play small.yaml --keys Ctrl+S && [ "$(ls "$HOME/Pictures/Glassformer" | wc -l)" -eq 1 ] &&
    rm -r "$HOME/Pictures" && run play small.yaml --keys Ctrl+S &&
    [ "$(ls "$HOME/Glassformer" | wc -l)" -eq 1 ] && rm -r "$HOME/Glassformer" &&
    [ ! -e "$work/Glassformer" ] && [ -z "$(find "$HOME" -maxdepth 1 -name '*.png')" ]
ok "where that is home itself they go to Pictures, else to a folder at home, not loose"
run play small.yaml --keys "Right Down Down Up Right V" && json 'd["view"] == "heatmap"'
ok "play tells how the tensor is drawn"
run play small.yaml --keys "Down Right" && cell=$(cat "$work/out") &&
    run play small.yaml --keys "Down Wait:1" && json 'd["moving"] or d["cell"] is None' &&
    run play small.yaml --keys "Down Wait:60000" && json 'd["moving"] is False' &&
    run play small.yaml --keys "Down Wait:60000 Right" && [ "$cell" = "$(cat "$work/out")" ]
ok "play shows how a cell comes to be only while the keys wait"
run play small.yaml --keys "Right" --frames 5 --png moving.png --size 1024x640 &&
    [ "$(ls moving-0?.png | wc -l)" -eq 5 ] && cmp moving-05.png told/small/02-A.png &&
    ! cmp -s moving-01.png moving-02.png
ok "play --frames writes a motion, and its end is the step's picture"
run play small.yaml --keys "Right" --frames 5 --png ends.png --size 1024x640 \
    --reduced-motion && [ "$(ls ends-0?.png | wc -l)" -eq 2 ] &&
    cmp ends-01.png moving-01.png && cmp ends-02.png moving-05.png
ok "with --reduced-motion the first and the last frame are left of it"
run play small.yaml --keys "+ A Wait:600000" && json 'd["speed"] == 4 and \
    d["playing"] is False and d["message"]' && run play small.yaml --keys "A Wait:10 A" &&
    json 'd["playing"] is False' && run play small.yaml --keys "A" && json 'd["playing"] \
    and d["path"] == "1"'
ok "A plays by itself, faster with +, until it ends or is stopped"
steps="Right Right Right Right"
run play 31-training --keys "$steps" && json 'd["path"] == "5" and d["epoch"] == 120' &&
    run play 31-training --keys "$steps Down" && cp "$work/out" "$work/untrained" &&
    json 'd["path"] == "5.0" and d["epoch"] == 0 and d["updates"] == 0' &&
    run play 31-training --keys "$steps Down Right Right" && json 'd["epoch"] == 2' &&
    run play 31-training --keys "$steps Down Right Right Left Left" &&
    cmp -s "$work/out" "$work/untrained"
ok "a training opens into its epochs, Left is the inverse of Right"
run play 31-training --keys "$steps Down A Wait:4000" && json '20 < d["epoch"] < 120'
ok "A plays a training"
run export 33-alignment --out aligned --size 1024x640 &&
    [ "$(ls aligned/33-alignment | grep -c '^04')" -eq 2 ]
ok "of a training export writes the end and the beginning"
run play small.yaml --keys "Right C Shift+Home Shift+Up" && json 'd["pinned"][1:] == [0, 0] and \
    d["path"] == "2"' && run play small.yaml --keys "Right C Shift+Home Shift+Up Right Escape" &&
    json 'd["pinned"] is None and d["path"] == "3"'
ok "C pins a cell that arrows with Shift move"
cat >practise.yaml <<'END'
title: To practise
tokens: [I, am, learning]
given:
  X: [[1, 0], [0, 1], [1, 2]]
  K: [[2, 1], [0, 3], [5, 5]]
steps:
  - do: S = X @ K.T
    ask: {cell: [2, 1]}
END
run play practise.yaml --keys "P" && json 'd["practise"]["question"] == "cell" and \
    d["practise"]["cell"] == ["S", 2, 1] and d["practise"]["asked"] and \
    d["practise"]["hidden"] and d["writing"] == ""'
ok "P asks the lesson's question"
run play practise.yaml --keys "P Type:1*0+2*3 Return" && json 'd["practise"]["hidden"] is False \
    and d["practise"]["score"]["at_once"] == 1 and d["writing"] is None' &&
    run play practise.yaml --keys 'P "1*0 + 2*1" Return' && json 'd["practise"]["tries"] == 1 \
    and d["practise"]["hint"] == "part" and d["practise"]["hidden"]' &&
    run play practise.yaml --keys 'P Type:9 Return Type:8 Return' &&
    json 'd["practise"]["tries"] == 2 and d["practise"]["hint"] == "gap"' &&
    run play practise.yaml --keys 'P Type:9 Return Type:8 Return Type:7 Return' &&
    json 'd["practise"]["hint"] == "whole" and d["practise"]["score"]["skipped"] == 1'
ok "sums are answers, and wrong ones get three hints"
run play practise.yaml --keys "P Type:0,5,1 Return" && json 'd["practise"]["hint"] == "fault" \
    and d["practise"]["tries"] == 0' && run play practise.yaml --keys "P Type:6,0 Return" &&
    json 'd["practise"]["hidden"] is False'
ok "a decimal comma is a point, a list no try"
run play 08-one-head --keys "Ctrl+K M A Space 3" && json 'd["writing"] == "ma 3"'
ok "keys of letters write where something is written"
progress=$HOME/.local/share/glassformer/progress.json
run play practise.yaml --ask --keys "" && json 'd["practise"]["question"] == "cell" and \
    d["practise"]["hidden"]' && run play practise.yaml --ask --keys "Type:6 Return" &&
    json 'd["practise"]["score"]["at_once"] == 1' &&
    run play practise.yaml --ask --keys "" && json 'd["practise"] is None' &&
    rm "$progress" && run play practise.yaml --ask --keys "Right" && json 'd["practise"]["hidden"] is False and \
    d["practise"]["score"]["skipped"] == 1 and d["path"] == "1"' &&
    run play practise.yaml --keys "" && json 'd["practise"] is None'
ok "with --ask a step hides its result until it is answered, once for all, or Right shows it"
run play practise.yaml --keys "P" --png asked.png --size 1024x640 &&
    run play practise.yaml --keys "P Type:6 Return" --png told.png --size 1024x640 &&
    ! cmp -s asked.png told.png && run play practise.yaml --keys "P Escape" --png left.png \
    --size 1024x640 && run play practise.yaml --keys "" --png never.png --size 1024x640 &&
    cmp left.png never.png
ok "the answer is hidden until it is given, and Escape leaves no trace"
rm -f "$progress"
run play practise.yaml --keys "Shift+P Shift+Return Return Escape" && json 'd["practise"] is None' &&
    [ ! -e "$progress" ] &&
    run play practise.yaml --keys "P Type:6 Return Right" &&
    json 'd["practise"]["question"] == "direction"' &&
    run play practise.yaml --keys "P Type:6 Return Right Shift+Return Right" &&
    json 'd["practise"]["question"] == "score" and d["practise"]["again"] == ["1"]' &&
    grep -q '"at_once": 1' "$progress"
ok "the score of a round is kept"
run play practise.yaml --keys "P Shift+Return Return Shift+Return Return Down Return" && json 'd["practise"] is None \
    and d["path"] == "1" and d["pinned"] == ["S", 2, 1]'
ok "what was shown can be looked at again"
cat >asks-twice.yaml <<'END'
title: To leave
given: {X: [[1, 2], [3, 4]]}
steps:
  - do: S = X @ X.T
    ask: {cell: [0, 0]}
  - do: T = X @ X
    ask: {cell: [1, 1]}
END
run play asks-twice.yaml --keys "P Escape" && ! grep -q asks-twice "$progress" &&
    run play asks-twice.yaml --keys "P Type:5 Return Return Escape" &&
    grep -A6 asks-twice "$progress" | grep -q '"at_once": 1' &&
    grep -A6 asks-twice "$progress" | grep -q '"skipped": 0'
ok "a round that is left keeps what was answered, and nothing where nothing was"
echo '{"version": 1, "less' >"$progress"
run play practise.yaml --keys "" && json '"progress-damaged.json" in d["message"]' &&
    grep -q less "$HOME/.local/share/glassformer/progress-damaged.json" &&
    run play practise.yaml --keys "" && json 'd["message"] is None'
ok "damaged notes are set aside, and that is said"
ends_with 2 "as in Wait:500" play small.yaml --keys "Wait:soon"
ok "a wait without a time is refused"
ends_with 2 "as in Wait:500" play small.yaml --keys "Wait:600001"
ok "and one that is too long"
run play small.yaml --keys "Right Down M" && json 'd["muted"] == ["divide"]' &&
    run play small.yaml --keys "Right Down M R" && json 'd["muted"] == []' &&
    run play small.yaml --keys "M" && json 'd["muted"] == [] and d["message"]'
ok "M mutes a step that can be muted, R restores"
run play small.yaml --keys "Right Down M" --png muted.png --size 1024x640 &&
    run play small.yaml --keys "Right Down" --png loud.png --size 1024x640 &&
    ! cmp -s muted.png loud.png
ok "a muted step looks another"
run play small.yaml --keys 'Down C Return "1/4" Return' &&
    json 'd["edited"] == [["Y", 0, 0, 0.25]] and d["changed"] == {"cells": 3, "tensors": 3, "computed": 4} and \
    d["undo"] == 1 and d["writing"] is None'
ok "Enter changes the pinned cell, and all that depends on it"
run play small.yaml --keys 'Down C Enter "1/4" Enter' && json 'd["edited"] == [["Y", 0, 0, 0.25]]' &&
    run play small.yaml --keys "Down C Enter Esc" && json 'd["writing"] is None'
ok "Enter and Esc are keys by the names that keyboards have for them"
run play small.yaml --keys 'Down C Return "0,5" Return' && json 'd["edited"] == [["Y", 0, 0, 0.5]]' &&
    run play small.yaml --keys 'Down C Return "0,5,1" Return' &&
    json 'd["writing"] == "0,5,1" and "0.5" in d["message"] and d["edited"] == []'
ok "what is no number stays in the field, with what would be right"
run play small.yaml --keys "Down ] ] [ Ctrl+Z" && json 'd["edited"][0][3] == 9 and \
    d["undo"] == 2 and d["redo"] == 1' &&
    run play small.yaml --keys "Down ] ] Ctrl+Z Ctrl+Z Ctrl+Z Ctrl+Y" &&
    json 'd["edited"][0][3] == 7 and d["redo"] == 1' &&
    run play small.yaml --keys "Down ] R" && json 'd["edited"] == [] and d["undo"] == 2' &&
    run play small.yaml --keys "Down ] R Ctrl+Z" && json 'd["edited"][0][3] == 7'
ok "brackets nudge, Ctrl+Z and Ctrl+Y go back and forth, R restores and is undone"
run play small.yaml --keys "Down ]" --png nudged.png --size 1024x640 &&
    run play small.yaml --keys "Down ] Ctrl+Z" --png undone.png --size 1024x640 &&
    run play small.yaml --keys "Down" --png plain.png --size 1024x640 &&
    cmp -s undone.png plain.png && ! cmp -s nudged.png plain.png
ok "undoing draws the very picture before"
run play small.yaml --keys "D" && json 'd["differences"] is False and d["message"]' &&
    run play small.yaml --keys "Down ] Up D" --png differences.png --size 1024x640 &&
    json 'd["differences"] is True' &&
    run play small.yaml --keys "Down ] Up" --png values.png --size 1024x640 &&
    ! cmp -s differences.png values.png
ok "D shows differences where something is changed"
run play small.yaml --keys 'Right Down C Return "0.5" Return M Ctrl+S Return Ctrl+S Return' --out kept &&
    [ "$(ls kept)" = "small-changed-2.yaml
small-changed.yaml" ] && cmp kept/small-changed.yaml kept/small-changed-2.yaml &&
    cmp -n "$(wc -c <small.yaml)" small.yaml kept/small-changed.yaml &&
    [ "$(tail -n 3 kept/small-changed.yaml)" = 'changes:
  - {cell: [2.1, 1, 1], value: 0.5}
  - {mute: 2.1}' ]
ok "Ctrl+S keeps the changes behind the lesson's own bytes"
for _ in 1 2 3 4 5 6 7 8; do
    "$program" play small.yaml --keys "Down ] Ctrl+S Return" --out at-once >/dev/null 2>&1 &
done
wait
[ "$(ls at-once | wc -l)" -eq 8 ] && [ "$(cat at-once/* | grep -c "value: 7")" -eq 8 ]
ok "what is kept at once has names of its own"
run check kept/small-changed.yaml && grep -q "of 4 numbers that its source prints, 1 differs" out &&
    run show kept/small-changed.yaml --json &&
    json '[s for s in d["steps"] if s["path"] == "2.1"][0]["values"] == [[5, 11], [11, 0.5]]'
ok "show is of the changed lesson, printed numbers are held against the original"
sed 's/cell: \[2.1, 1, 1\]/cell: [Yy, 1, 1]/' kept/small-changed.yaml >wrong.yaml
ends_with 1 "wrong.yaml:14:13: there is no tensor 'Yy' to change; did you mean 'Y'" check wrong.yaml
ok "a change of what there isn't is told with its place"
before=$(ls "$here/../lessons")
run play "$first" --keys "Down ] Ctrl+S Return" && grep -q "$HOME/.local/share/glassformer/lessons" err &&
    [ "$(ls "$here/../lessons")" = "$before" ] &&
    cp small.yaml mine.yaml && run play mine.yaml --keys "Down ] Ctrl+S Return" &&
    [ -e mine-changed.yaml ]
ok "a lesson of the course is kept among the user's own, the user's beside its file"
kept=$first-changed
run list && [ "$(tail -n 2 out | head -n 1)" = "My lessons" ] &&
    [ "$(tail -n 1 out | cut -d' ' -f1)" = "$kept" ] &&
    run check "$kept" && run show "$kept" --json && json "d['lesson'] == '$kept'" &&
    run play "$kept" --keys Right && json "d['lesson'] == '$kept'" &&
    run export "$kept" --out kept-pictures --size 640x400 && [ -n "$(ls kept-pictures)" ] &&
    ends_with 2 "did you mean '$kept'" show "${kept}s"
ok "what is kept is listed, and found by its id"
rm -r "$HOME/.local/share/glassformer/lessons"
run play small.yaml --keys "Ctrl+S" --out kept && [ "$(ls kept/*.yaml | wc -l)" -eq 2 ] &&
    [ "$(ls kept/*.png | wc -l)" -eq 1 ] && json 'd["message"]'
ok "of what isn't changed Ctrl+S saves the picture"
cat >text.yaml <<'END'
title: A text
vocabularies: {V: {corpus: ["you win or you die"], first: 1}}
given: {ids: {text: "you win", vocabulary: V}}
steps:
  - show: ids
    as: chips
  - do: Y = ids + ids
END
run play text.yaml --keys 'Right E "you die" Home Delete' &&
    json 'd["writing"] == "ou die" and d["path"] == "2"'
ok "E opens the lesson's text, which is written and edited in place"
run play text.yaml --keys 'E "you zebra" Return' &&
    json '"zebra" in d["message"] and d["writing"] == "you zebra"'
ok "a word that is not in the vocabulary is told"
run play text.yaml --keys 'E "or or or or" Return Right Down End' && json 'd["cell"] == [0, 3]' &&
    run play text.yaml --keys 'E "or or or or" Return Shift+E Right Down End' &&
    json 'd["cell"] == [0, 1]'
ok "the learner's text takes its place, and Shift+E takes it back"
run play small.yaml --keys "Right Backspace" && json 'd["path"] == "2.2" and \
    d["pinned"] == ["add", 0, 0] and d["trail"] == [["A", 0, 0], ["add", 0, 0]] and \
    d["trail_ends"] is None' &&
    run play small.yaml --keys "Right Backspace Backspace Backspace Backspace Backspace" &&
    json 'd["trail"][2:] == [["divide", 0, 0], ["Y", 0, 0], ["X", 0, 1]] and \
    d["trail_ends"] == "given" and d["path"] == "1" and d["message"]'
ok "Backspace follows a number back, into the operations of a step, to what is given"
run play small.yaml --keys "Right" --png start.png --size 1024x640 &&
    run play small.yaml --keys "Right Backspace Backspace Shift+Backspace Shift+Backspace" \
        --png back.png --size 1024x640 && cmp start.png back.png &&
    json 'd["trail"] == [] and d["pinned"] is None and d["path"] == "2"' &&
    run play small.yaml --keys "Right Backspace Backspace Backspace" --png trail.png \
        --size 1024x640 && ! cmp -s start.png trail.png
ok "Shift+Backspace returns to the very picture"
run play small.yaml --keys "Right I Left" --png moved.png --size 1024x640 &&
    json 'd["influence"] == ["A", 0, 0] and d["path"] == "1"' && ! cmp -s start.png moved.png &&
    run play small.yaml --keys "Right I I" --png back.png --size 1024x640 &&
    json 'd["influence"] is None' && cmp start.png back.png &&
    run play small.yaml --keys "Right Right Right I" && json 'd["influence"] or d["message"]'
ok "I shows the influence of earlier numbers, and leaves it"
ends_with 2 "Ctrl+Q" play small.yaml --keys "Ctrl+Q"
ok "a key with modifiers that stands for nothing is refused"
ends_with 2 "did you mean 'Right'" play small.yaml --keys "Down Rigth"
ok "an unknown key is refused with the nearest"
ends_with 3 "none" play small.yaml --keys "" --png /proc/none/p.png
ok "a picture that can't be written is an output error in play as well"
for keys in "30-the-whole-transformer X Ctrl+Right Right" "27-one-word-at-a-time X Ctrl+Left Right" \
    "31-training X Ctrl+Left Right" "31-training X O Right Right"; do
    run play "${keys%% *}" --keys "${keys#* }" && json 'd["switching"] is False'
    ok "the panel of switches goes with its lesson: $keys"
done

# ---- generate ----

cat >"$work/says.yaml" <<'END'
title: t
model:
  d_model: 8
  heads: 2
  corpus: ["when you play the game of thrones", "you win or you die"]
  source: "when you play"
  target: "you win"
  weights: {random: 3}
END
cat >"$work/goes-on.yaml" <<'END'
title: t
model:
  kind: decoder
  d_model: 8
  corpus: ["you win or you die"]
  target: "you win"
  weights: {random: 3}
END
run generate says.yaml --length 5 && [ "$(wc -w <out)" -le 5 ] && [ "$(wc -l <out)" -eq 1 ]
ok "generate predicts at most that many tokens"
grep -qx 'The encoder reads the source ".*". The decoder predicts:' err && run generate goes-on.yaml --length 2 &&
    grep -qx 'The decoder reads "<sos> you win" and predicts:' err &&
    run generate says.yaml --text "thrones of die" --length 2 && grep -qF '"thrones of die"' err
ok "and which text the model reads, outside of what it predicts"
sed 's/^  kind: decoder$/&\n  context: 4/' goes-on.yaml >short.yaml
run generate short.yaml --length 20 &&
    grep -qx "The text ends here because the model's context of 4 tokens is full." err &&
    run generate short.yaml --length 20 --json && json 'd["context_full"] and not d["ended"]' &&
    run generate goes-on.yaml --length 2 --json && json 'not d["context_full"]' &&
    run generate short.yaml --length 1 && ! grep -q 'is full' err
ok "generate says that the model's context is full"
run generate says.yaml --length 5
cp out greedy
run generate says.yaml --length 5 --cache && cmp out greedy
ok "and the same with the cache"
run generate says.yaml --length 5 --json && json 'd["rule"] == "greedy" and \
    d["source"] == ["when", "you", "play"] and d["begin"] == ["<sos>"] and \
    " ".join(d["words"]) == open("greedy").read().strip() and \
    [t["chosen"] for t in d["turns"]] == d["words"] and \
    sum(t["multiplications"] for t in d["turns"]) == d["multiplications"]'
ok "generate --json has every turn"
json 'all(abs(sum(w["share"] for w in t["words"]) - 1) < 1e-12 and \
    [w["logit"] for w in t["words"]] == sorted((w["logit"] for w in t["words"]), \
    reverse=True) and t["words"][0]["word"] == t["chosen"] for t in d["turns"])'
ok "with each word's share, the likeliest first"
# The vocabulary is the corpus's words in their order, from 1 on, then <sos> and <eos>.
cat >"$work/generated.py" <<'END'
import json, math, sys
words = list(dict.fromkeys("when you play the game of thrones you win or you die".split())) + ["<sos>", "<eos>"]
d = json.load(open(sys.argv[1]))
assert d["ids"] == [1 + words.index(word) for word in d["words"]], d["ids"]
if "tree" in d:
    node, path = d["best"], []
    while d["tree"][node]["parent"] is not None:
        path.insert(0, d["tree"][node]["id"])
        node = d["tree"][node]["parent"]
    assert path == d["ids"], path
    assert all(1 + words.index(node["word"]) == node["id"] for node in d["tree"])
    sys.exit()
assert len(d["turns"]) == len(d["ids"]) == int(sys.argv[2]), len(d["ids"])
for i, turn in enumerate(d["turns"]):
    assert turn["read"] == d["begin"] + d["words"][:i], turn["read"]
    assert turn["chosen"] == d["words"][i] == turn["words"][0]["word"]
    assert sorted(word["id"] for word in turn["words"]) == list(range(1, 1 + len(words)))
    total = sum(math.exp(word["logit"]) for word in turn["words"])
    for word in turn["words"]:
        assert word["id"] == 1 + words.index(word["word"]), word
        assert abs(word["share"] - math.exp(word["logit"]) / total) < 1e-12, word
        assert word["chance"] == (word["word"] == turn["chosen"]), word
END
python3 -I "$work/generated.py" out 5
ok "whose IDs, rows read and shares are those of its words and logits"
run generate says.yaml --text "thrones of die" --top-k 3 --temperature 2 --seed 5 \
    --length 5 --json && json 'd["rule"] == "sample" and \
    d["source"] == ["thrones", "of", "die"] and all([w["fate"] for w in t["words"]] == \
    3 * ["kept"] + (len(t["words"]) - 3) * ["top_k"] for t in d["turns"])'
ok "generate samples from a text of one's own, and tells what was cut"
cp out sampled
run generate says.yaml --text "thrones of die" --top-k 3 --temperature 2 --seed 5 \
    --length 5 --json && cmp out sampled
ok "one seed says one text"
run generate says.yaml --beam 3 --length 4 --json && json 'd["rule"] == "beam" and \
    d["tree"][0]["parent"] is None and d["tree"][d["best"]]["fate"] == "finished" and \
    d["tree"][d["best"]]["total"] == max(n["total"] for n in d["tree"] if \
    n["fate"] == "finished") and d["tree"][d["best"]]["word"] == d["words"][-1]'
ok "generate --beam has the whole tree"
python3 -I "$work/generated.py" out
ok "whose branch to the best text has its IDs"
run generate goes-on.yaml --length 3 --json && json 'd["source"] == [] and \
    d["begin"] == ["<sos>", "you", "win"] and \
    d["turns"][0]["read"] == ["<sos>", "you", "win"]'
ok "a decoder goes on with the lesson's text"
run generate goes-on.yaml --text "or" --length 3 --json && json 'd["begin"] == ["<sos>", "or"]'
ok "or with one's own"

# ---- generate steps ----

cat >"$work/said.yaml" <<'END'
title: t
model:
  kind: decoder
  d_model: 8
  steps: false
  corpus: ["you win or you die"]
  target: "you win"
  weights: {random: 3}
steps:
  - generate: {length: 4}
  - generate: {name: tree, rule: beam, beam: 2, length: 3, cache: true}
END
run generate goes-on.yaml --length 4 --json && cp out loop
run show said.yaml --json && json 'all([[t["chosen"] for t in g["turns"]] == g["words"] and \
    g["words"] == json.load(open("loop"))["words"] for g in d["generated"][:1]]) and \
    [g["rule"] for g in d["generated"]] == ["greedy", "beam"] and \
    d["generated"][0]["turns"][1]["name"] in [s["name"] for s in d["steps"]]'
ok "show --json lists a generate step's turns, which are what generate says"
json '[t["chance"] for t in d["generated"][0]["turns"]] == [max(max(row) for row in s["values"]) \
    for t in d["generated"][0]["turns"] for s in d["steps"] if s["name"] == t["name"]] and \
    [t["reads"] for t in d["generated"][0]["turns"]] == [[["<sos>", "you", "win"] + \
    d["generated"][0]["words"][:i]] for i in range(len(d["generated"][0]["words"]))]'
ok "with the tape's probabilities and the tokens that each reads"
run show said.yaml && grep -q "^1 *said = generate(greedy): " out &&
    grep -q "^2 *tree = generate(beam): " out
ok "show tells what was said"
run show small.yaml --json && json '"generated" not in d'
ok "and nothing where nothing is"
run play said.yaml --keys "Down Right" --png turn.png && json 'd["path"] == "1.2" and \
    d["name"] == "said.turn_2.chances" and d["depth"] == 2' && [ -s turn.png ] &&
    run play said.yaml --keys "Down Right Left Up" && json 'd["path"] == "1"'
ok "play opens a generate step into its turns"
run export said.yaml --out turns && [ "$(ls turns/said | wc -l)" -eq 2 ]
ok "export has a picture of each"
sed -i 's/rule: beam/rule: bream/' said.yaml
ends_with 1 "said.yaml:11:34: rule is 'bream'" check said.yaml
ok "a rule that there is not is told with its place"
ends_with 1 "no word 'zebra'; its words are when, you" generate says.yaml --text "you zebra"
ok "a word that the model has not is refused with some that it has"
ends_with 1 "has no model" generate small.yaml
ok "so is a lesson without a model"
printf 'title: t\nmodel: {d_model: 4, vocabulary: 5, source: [1], target: [2]}\n' >ids.yaml
run generate ids.yaml --length 2 && grep -qE '^[1-5] [1-5]$' out &&
    ends_with 1 "leave --text out" generate ids.yaml --text "a"
ok "a model of IDs says IDs, and reads no text"
ends_with 2 "--top-k is for sampling only" generate says.yaml --rule beam --top-k 3
ok "an option of another rule is refused"

# ---- what is typed wrong ----

ends_with 2 "did you mean 'check'" chekc small.yaml bad.yaml
ok "an unknown command is refused with the nearest"
ends_with 2 "did you mean 'list'" lsit
ok "a single word that is nearly a command is not taken for a lesson"
ends_with 2 "did you mean '$first'" show "${first}x"
ok "an unknown lesson is refused with the nearest"
ends_with 2 "did you mean --json" show small.yaml --jsn
ok "an unknown option is refused with the nearest"
ends_with 2 "the themes are light, dark, contrast, print" export small.yaml --out x --theme blue
ok "an unknown theme is refused with those that there are"
ends_with 2 "--handout is for decks" export small.yaml --out x --handout 4
ok "a handout is of decks alone"
ends_with 2 "png or svg" export small.yaml --out x --format bmp
ok "an unknown format is refused with those that there are"
ends_with 3 "gone.yaml" show gone.yaml
ok "a file that isn't there is an input error"
ends_with 1 "bad.yaml:3:" show bad.yaml --json
ok "show tells a bad lesson's errors and prints nothing"
[ ! -e x ]
ok "what is refused leaves no folder behind"
run --version && grep -qE '^glassformer [0-9]' out
ok "--version"
run --help && grep -q export out && run export --help && grep -q -- --size out
ok "--help, of the program and of a command"
for command in "" show export; do
    run help $command && cp out helped && run $command --help && cmp -s out helped
    ok "help ${command:-alone} says what --help does"
done
run show 8 && cp out by-number && run show 08 && cmp -s out by-number &&
    run show 08-one-head && cmp -s out by-number && run play 8 --keys Right &&
    json 'd["lesson"] == "08-one-head"' && run check 8 29 &&
    run export 8 --out by-number-pictures --size 640x400 && [ -d by-number-pictures/08-one-head ]
ok "a lesson goes by its number, too"
ends_with 2 "there is no such lesson" show 700
ok "a number that no lesson has is told"

# ---- completions ----

mkdir -p complete/deep && ln -s "$program" complete/glassformer && touch complete/a.yaml \
    "complete/b c.yaml"
# in_shell COMMAND…: runs it in a folder with the scripts, below the program's name.
in_shell() {
    (cd complete && PATH=$PWD:$PATH timeout 60 "$@")
}
# Each prints the answers for the last of the words after the program's name.
in_bash() {
    in_shell bash -c 'set -u; . ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _glassformer; echo "${COMPREPLY[*]}"' bash glassformer "$@"
}
in_zsh() {
    in_shell zsh -f -c 'compdef() :; compset() :; . ./script.zsh
        _describe() { local answer; for answer in "${(@P)2}"; do print -rn -- "${answer%%:*} "; done }
        _files() print -rn -- "files$1 "
        words=("$@") CURRENT=$#; _glassformer' zsh glassformer "$@"
}
in_fish() {
    in_shell fish --no-config -c '. ./script.fish; complete -C "$argv" | string replace -r "\t.*" ""' \
        "glassformer $*" | tr '\n' ' '
}
# answers WANTED WORDS…: whether the program completes the last of them so.
answers() {
    local wanted=$1
    shift
    run __complete -- "$@" && [ "$(cut -f 1 out | tr '\n' ' ')" = "${wanted:+$wanted }" ]
}
for shell in bash zsh fish; do
    run completions $shell && [ ! -s err ] && cp out complete/script.$shell || break
done
ok "completions prints a script for each shell"
in_shell bash -i -c '. ./script.bash; complete -p glassformer' 2>err | grep -q _glassformer &&
    [ "$(in_bash sh)" = show ] && [ "$(in_bash show 29)" = 29-eleven-steps ] &&
    [ "$(in_bash export --theme = d)" = dark ] &&
    [ "$(in_bash export --theme =)" = "light dark contrast print" ] &&
    [ "$(in_bash export --format = png,n)" = png,npz ] &&
    [ "$(in_bash new b)" = "b c.yaml" ] && [ "$(in_bash export --out '')" = deep ] &&
    [ -z "$(in_bash play --keys R)" ]
ok "bash completes by its script"
if command -v zsh >/dev/null; then
    [ "$(in_zsh export --th)" = "--theme --threads " ] && [ "$(in_zsh new '')" = "files " ] &&
        [ "$(in_zsh export --out=)" = "files-/ " ] &&
        [ "$(in_zsh show --theme=d)" = "" ] && [ "$(in_zsh play --theme=d)" = "--theme=dark " ]
    ok "zsh completes by its script"
else
    skip "zsh completes by its script" "zsh is not installed; tests/run --all installs it"
fi
if command -v fish >/dev/null; then
    [ "$(in_fish export --th)" = "--theme --threads " ] && [ "$(in_fish new b)" = "b c.yaml " ] &&
        [ "$(in_fish export --out=)" = "--out=deep/ " ] &&
        [ "$(in_fish play --theme=d)" = "--theme=dark " ]
    ok "fish completes by its script"
else
    skip "fish completes by its script" "fish is not installed; tests/run --all installs it"
fi
answers "show :files" sh && answers "08-one-head :files" 08 &&
    answers "29-eleven-steps :files" show 29 && answers generate help ge &&
    answers fish completions f && answers :files new x && answers "check :files" --lang en ch
ok "commands, lessons and what a command takes are completed"
answers "university :files" univ && answers university list u &&
    answers "university :files" export univ
ok "and playlists"
answers "--theme --threads" export --th && answers --fresh --fr && answers "" list --si &&
    answers torch show --code t && answers --theme=dark export --theme=d &&
    answers en play --lang e && answers "" play --keys R && answers :folders export --out x &&
    answers "png,npz" export --format png,n && answers :files train 31 --weights ""
ok "and options and their values"
answers "" schema x && answers "" show --nothing= && [ ! -s err ]
ok "nothing is offered where nothing fits"
mkdir odd && cp -r "$tests/../assets" odd && mkdir odd/lessons &&
    sed 's/^title:.*/title: "A\\n$(touch x)"/' small.yaml >odd/lessons/good.yaml && cp small.yaml 'odd/lessons/a$(touch x).yaml' &&
    cp small.yaml 'odd/lessons/a b.yaml' && GLASSFORMER_DATA=odd answers "good :files" show ""
ok "no part of a lesson that a shell would split or run is offered"
ends_with 2 "the shells are bash, zsh and fish" completions csh
ok "and for no other"

# ---- without a display ----

mkdir none && (cd none && run) && [ -d "none/lesson-pictures/$first" ] &&
    [ -n "$(ls "none/lesson-pictures/$first")" ] && grep -q "screen" err
ok "without a display the first lesson's pictures are written, and that is said"
(cd none && run ../small.yaml) && [ "$(ls none/lesson-pictures/small | wc -l)" -eq 4 ]
ok "or those of the lesson that was asked for"
(cd none && DISPLAY=:12345 run ../small.yaml) && grep -q "screen" err
ok "a display that isn't there is no display"

# ---- where it finds its lessons ----

GLASSFORMER_DATA=$work/nowhere ends_with 3 "GLASSFORMER_DATA" list
ok "a data folder that isn't one is an input error"
if [ -n "$build" ]; then
    "$program" list >listed
    meson install -C "$build" --no-rebuild --destdir "$work/root" >"$work/err" 2>&1
    ok "meson install"
    installed=$(find "$work/root" -name glassformer -type f -perm -u+x)
    mv "$work/root" "$work/moved root"
    installed=${installed/$work\/root/$work/moved root}
    lessons=$(find "$work/moved root" -path '*/course/lessons')
    cp small.yaml "$lessons/00-a-mine.yaml"
    (cd / && "$installed" list) >out 2>err &&
        [ "$(awk 'NR == 1 { print $1 }' out)" = 00-a-mine ] &&
        [ "$(tail -n +2 out | awk '{ print $1 }')" = "$(awk '{ print $1 }' listed)" ]
    ok "an installed program finds the lessons installed with it, wherever it was moved"
    mv "$lessons/00-a-mine.yaml" .
    export XDG_DATA_HOME=${lessons%/glassformer/course/lessons}
    mkdir -p "$XDG_DATA_HOME/glassformer/lessons"
    cp small.yaml "$XDG_DATA_HOME/glassformer/lessons/"
    (cd / && "$installed" list --lang en) >out 2>err &&
        [ "$(head -n -3 out)" = "$(cat listed)" ] &&
        [ "$(tail -n 2 out | head -n 1)" = "My lessons" ] && tail -n 1 out | grep -q '^small '
    ok "the user's own lessons stand apart where both are kept below ~/.local"
    unset XDG_DATA_HOME
    version=$("$installed" --version | sed 's/^glassformer //')
    grep -q "Glassformer $version\"" "$(find "$work/moved root" -name glassformer.1)" &&
        grep -q "release version=\"$version\"" "$(find "$work/moved root" -name '*.metainfo.xml')"
    ok "the manual page and the desktop's description name the program's version"
    (cd / && "$installed" list university) >out 2>err && cmp out unit.txt
    ok "an installed playlist is found by its ID"
    for file in glassformer.desktop glassformer.svg glassformer.1 glassformer.bash \
        _glassformer glassformer.fish; do
        [ -n "$(find "$work/moved root" -name "$file*")" ]
        ok "$file is installed"
    done
fi

plan
