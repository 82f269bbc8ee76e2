#!/bin/bash
# Files that wish the reader no good, and folders that are in the way: what the commands do
# with them. Prints TAP.
#
#   tests/hostile.sh PROGRAM
set -u
program=$(realpath -e "$1") || exit 1
. "$(dirname "$0")/tap.sh"
unset DISPLAY
cd "$work" || exit 1
export XDG_DATA_HOME=$work/data
own=$XDG_DATA_HOME/glassformer/lessons
mkdir -p "$own"
# One lesson of the program's, so that a list is short.
mkdir -p small/lessons
ln -s "$tests/../assets" small/assets
export GLASSFORMER_DATA=$work/small
cat >small/lessons/01-first.yaml <<'END'
title: {en: "First", zh: "一"}
given:
  X: [[1, 2], [3, 4]]
steps:
  - do: Y = X @ X.T
END
slower=1 # factor of processor time compared with a build without sanitizers
! grep -q __asan_init "$program" || slower=20
lesson=small/lessons/01-first.yaml

# ---- files that are not regular ----

mkfifo "$own/pipe.yaml"
mkdir "$own/folder.yaml"
timeout 20 "$program" list >out 2>err
[ $? -ne 124 ] && grep -q pipe out
ok "a pipe among the lessons stops nobody"
timeout 20 "$program" check "$own/pipe.yaml" >out 2>err
[ $? -eq 3 ] && grep -q 'not a regular file' err
ok "check tells of a pipe"
timeout 20 "$program" check "$own/folder.yaml" >out 2>err
[ $? -eq 3 ] && grep -q 'it is a folder' err
ok "check tells of a folder"
rm -r "$own"/*

# ---- names ----

cp $lesson ...yaml
run export ./...yaml --out out-dots --size 640x360
[ $? -eq 0 ] && [ -z "$(find . -maxdepth 1 -name '*.png')" ] &&
    [ "$(find out-dots -name '*.png' | wc -l)" -eq 1 ]
ok "a lesson called '..' is exported into the folder that was asked for"
name=$'b\xffx'
cp $lesson "$name.yaml"
for command in 'check' 'show --json' 'show --code numpy' 'play --keys Right' \
    'export --size 640x360 --out out-bytes'; do
    run ${command%% *} "./$name.yaml" ${command#"${command%% *}"}
    ok "$command takes a file whose name is not UTF-8"
done

# ---- links that another user has made ----

mkdir planted
echo mine >mine
ln -s ../mine planted/own.png
ln -s ../mine planted/page.png
if [ "$(id -u)" -eq 0 ] && chown -h nobody planted/page.png 2>err; then
    run play $lesson --keys Right --png planted/page.png
    [ $? -eq 3 ] && grep -q 'planted/page.png.*a link that another user has made' err &&
        [ "$(cat mine)" = mine ]
    ok "nothing is written through a link that another user has made"
    run play $lesson --keys Right --png planted/own.png && grep -q PNG mine
    ok "a link of the user's own is followed"
    # A link to a folder, at each position of the path and behind a link of the user's own.
    mkdir -p target/in planted/deep
    ln -s ../target planted/away
    ln -s ../../target planted/deep/away
    chown -h nobody planted/away planted/deep/away
    ln -s planted/away mine-to-theirs
    export_npz() { run export $lesson --format npz --out "$1"; }
    tried=0
    for folder in planted/away planted/away/ planted/away/new planted/away/in planted/deep/away/in \
        planted/deep/../away/in ./planted/./away/in/new "$PWD/planted/away/in" mine-to-theirs mine-to-theirs/in/new; do
        tried=$((tried + 1))
        export_npz "$folder"
        [ $? -eq 3 ] && grep -q 'a link that another user has made' err && [ -z "$(find target -type f)" ] &&
            [ "$(find target -type d | wc -l)" -eq 2 ]
        ok "nothing is exported into a folder behind another user's link: $tried"
    done
    for command in "play $lesson --keys Right --png planted/away/x.png" "play $lesson --keys Right --frames 2 --png planted/away/x.png" \
        "train $tests/lessons/training.yaml --out planted/away/x.safetensors" "new planted/away/x.yaml"; do
        run $command
        grep -q 'a link that another user has made' out err && [ -z "$(find target -type f)" ]
        ok "nothing is written through another user's link to a folder: ${command%% *} ${command##* }"
    done
    run play $lesson --keys "Down ] Ctrl+S Return" --out planted/away
    grep -q 'a link that another user has made' err && [ -z "$(find target -type f)" ]
    ok "no changed lesson is kept behind another user's link"
    ln -s target own-away
    export_npz own-away/own && [ -n "$(find target/own -type f)" ]
    ok "a link of the user's own to a folder is followed"
else
    skip "nothing is written through a link that another user has made" "root alone can make one"
fi

# ---- what a script would run ----

# Where a name gets out of its quotes or its comment, a file called RAN is there.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
ran='__import__("os").system("touch RAN")'
mkdir scripts
"$python" -I - "$ran" >scripts/plain <<'END'
import sys
row = "[" + ", ".join(["0.5"] * 40) + "]"
title = ['"', "'", "\\", "*/", "</script>", "]]>", "$(touch RAN)", "`touch RAN`", '""" + ' + sys.argv[1]]
quoted = "'" + " ".join(title).replace("'", "''") + "'"
print("title:", quoted)
print("given:")
for name in "X", "print", "np", "torch", "data", "__builtins__":
    print(f"  {name}: [" + ", ".join([row] * 30) + "]")
print("steps:")
print("  - do: Y = X + print + np + torch + data + __builtins__")
print("    heading:", quoted)
END
libraries=()
for library in numpy torch; do
    "$python" -I -c "import $library" 2>/dev/null && libraries+=("$library")
done
tried=0
for name in "x\" + str($ran) + \"" "x'; touch RAN; '" $'x\n'"$ran"$'\n' 'x$(touch RAN)' 'x`touch RAN`' \
    -x --help '#x' 'x\' $'x\xff"' $'x\xe2\x80\xa8"' $'x\r'"$ran" "'\"\\"; do
    tried=$((tried + 1))
    cp scripts/plain "scripts/$name.yaml"
    (cd scripts && run export "./$name.yaml" --out . --format npz)
    ok "file name $tried: its numbers are exported"
    for library in "${libraries[@]}"; do
        (cd scripts && run show "./$name.yaml" --code $library && cp "$work/out" script.py &&
            "$python" script.py >said 2>"$work/err" && grep -q '^Y =$' said && [ ! -e RAN ])
        ok "file name $tried: its script in $library runs, and nothing else does"
        # The command in the comment, as a shell reads it.
        (cd scripts && words=$(sed -n 's/^# the file is written by: //p' script.py) &&
            glassformer() { printf '%s\n' "${*: -1}" >last; } &&
            eval "$words" 2>"$work/err" && [ ! -e RAN ] &&
            # What can't be shown of a name stands as another sign in the lesson's own.
            { [ "$(cat last)" = "$name" ] || LC_ALL=C grep -q $'\xef\xbf\xbd' last; })
        ok "file name $tried: the command in its script in $library asks for that name alone"
    done
    run show "./scripts/$name.yaml" --code numpy --json && json 'd["steps"][0]["code"]'
    ok "file name $tried: the code of its steps"
done
rm -rf scripts

# Every word of Python's as a tensor's name.
"$python" -I - >names.yaml <<'END'
import builtins
import keyword
names = sorted({*keyword.kwlist, *dir(builtins), "np", "torch", "F", "math", "data", "self", "match"})
print("title: names\ngiven:")
for name in names:
    print(f"  '{name}': [[1]]")
print("steps:")
for name in names:
    print(f"  - do: {name}_made = softmax({name})")
END
for library in "${libraries[@]}"; do
    run show names.yaml --code $library && "$python" out >said 2>err && grep -q 1 said
    ok "tensors called as Python's own words and names, in $library"
done

# The processor time for a script is proportional to its number of steps.
"$python" -I - <<'END'
for name, step in ("named", "Y{} = A + {}"), ("nameless", "relu(A)"):
    with open(f"many-{name}.yaml", "w") as lesson:
        lesson.write("title: T\ngiven:\n  A: [[1, 2], [3, 4]]\nsteps:\n")
        for i in range(49000):
            lesson.write(f"  - do: {step}\n".format(i, i))
END
for name in named nameless; do
    (ulimit -t $((4 * slower)) && run show many-$name.yaml --code torch && tail -n 1 out | grep -q '^print(')
    ok "the script of 49,000 steps, $name"
done

# ---- the limit on a command's computation ----

# limited WORDS ARGS…: succeeds if the command is refused with WORDS, in seconds of processor time.
limited() {
    (ulimit -t $((5 * slower)) && run "${@:2}")
    [ $? -eq 1 ] && grep -qF -- "$1" err
}

# Tiny tensors, but many layers and many tokens.
cat >layers.yaml <<'END'
title: T
model: {kind: decoder, d_model: 1, heads: 1, d_ff: 1, layers: 300, corpus: ["a b c"], target: a, weights: {random: 3},
  steps: false}
given: {X: [[1]]}
steps:
  - do: Y = X + 1
END
for options in "" "--rule sample --top-p 0.9" "--json"; do
    limited "--work" generate layers.yaml --length 1000 $options
    ok "the work of generation is limited: ${options:-greedy}"
done
run generate layers.yaml --length 2 --work 100000
ok "--work allows more work for generation"
printf '%s\n' 'title: T' 'given:' '  A: {random: [1500, 1500], seed: 1}' 'steps:' '  - do: Y = A @ A' >product.yaml
keys="Down C"
for value in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21; do
    keys="$keys Return Type:$value Return"
done
(ulimit -t $((20 * slower)) && run play product.yaml --keys "$keys" && grep -q 'larger --work' out)
ok "changes recompute no more than a lesson may take"

# ---- a playlist as a whole ----

mkdir lists
cp $lesson lists/own.yaml
"$python" -I - <<'END'
for count in 104, 105, 200000:
    with open(f"lists/{count}.playlist.yaml", "w") as playlist:
        playlist.write("title: x\nparts: [{title: y, lessons: [" + ", ".join(["own.yaml"] * count) + "]}]\n")
heavy = "title: Heavy\nvocabularies: {V: {corpus: [a b]}}\ngiven:\n" \
    "  ids: {text: a, vocabulary: V}\n  A: {random: [1000, 1000], seed: 1}\nsteps:\n" + \
    "".join(f"  - do: Y{i} = A @ A\n" for i in range(9))
for name, end in ("heavy", ""), ("changed", "changes:\n  - {text: b}\n"):
    with open(f"lists/{name}.yaml", "w") as lesson:
        lesson.write(heavy + end)
    with open(f"lists/{name}.playlist.yaml", "w") as playlist:
        playlist.write("title: x\nparts: [{title: y, lessons: [" +
                       ", ".join([f"{name}.yaml"] * 60) + "]}]\n")
END
for count in 105 200000; do
    (ulimit -t $((5 * slower)) && run list lists/$count.playlist.yaml)
    [ $? -eq 1 ] && grep -q ':2:.*at most [0-9]* lessons here, and this is one more' err && [ "$(wc -l <err)" -eq 1 ]
    ok "a playlist of $count lessons is refused at the first lesson beyond the limit"
done
(ulimit -t $((5 * slower)) && run list lists/heavy.playlist.yaml && [ ! -s err ] &&
    [ "$(grep -c ' 9  Heavy' out)" -eq 60 ])
ok "a playlist of heavy lessons is listed without opening them"
(ulimit -t $((60 * slower)) && run list lists/changed.playlist.yaml && grep -q 'the work of 5 lessons' err &&
    [ "$(grep -c ' 9  Heavy' out)" -ge 5 ] && [ "$(grep -c '?  Heavy' out)" -ge 50 ])
ok "a playlist of heavy lessons with other texts is listed without opening them all"
run list
! grep -q '    ?  ' out && grep -q 01-first out
ok "the course is listed whole"

# ---- files that begin with a byte order mark ----

mark=$'\xef\xbb\xbf'
mkdir marked
{ printf '%s' "$mark" && cat $lesson; } >marked/lesson.yaml
printf '%syou win\nyou die\n' "$mark" >marked/corpus.txt
printf '%s\n' 'title: T' 'vocabularies: {V: {corpus_file: corpus.txt}}' \
    'given: {I: {text: "you die", vocabulary: V}}' 'steps:' '  - do: Y = I + 0' >marked/corpus.yaml
printf '%s{"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"},
 "post_processor": null, "decoder": null, "model": {"type": "WordLevel", "vocab": {"a": 0, "b": 1}, "unk_token": "b"}}' \
    "$mark" >marked/inner.json
printf '%s\n' 'title: T' 'vocabularies: {V: {file: inner.json}}' 'given: {I: {text: "a a", vocabulary: V}}' \
    'steps:' '  - do: Y = I + 0' >marked/tokenizer.yaml
for name in lesson corpus tokenizer; do
    run check marked/$name.yaml
    ok "a byte order mark is skipped: $name"
done

# ---- what a terminal would obey ----

# quiet WHAT: whether nothing that was printed would steer a terminal.
quiet() {
    cat out err >both
    ok "$1: it runs"
    ! LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]' both
    ok "$1: nothing steers the terminal"
}

steers=$'\x1b[31m\xc2\x9b\xe2\x80\xae'
sed $'s/First/Fi\u009b\u202erst/' $lesson >"$own/a${steers}b.yaml"
printf 'title: x\nsteps:\n  - do: Y = X @ X.T\n' >"$own/bad${steers}.yaml"
run list
quiet "list"
run completions bash
quiet "completions"
run check "$own/a${steers}b.yaml"
quiet "check"
run check "$own/bad${steers}.yaml"
[ $? -eq 1 ]
quiet "check of what is wrong"
run show "$own/a${steers}b.yaml"
quiet "show"
run show "$own/a${steers}b.yaml" --json && json 'd["steps"]'
quiet "show --json"
run show "$own/a${steers}b.yaml" --code numpy
quiet "show --code"
run play "$own/a${steers}b.yaml" --keys Right && json 'd["path"]'
quiet "play"
run check "$steers"
[ $? -eq 2 ]
quiet "a name that is none"
run play --keys "$steers"
[ $? -eq 2 ]
quiet "a key that is none"

# The line that shows how far it has come, on a terminal; that goes back and clears itself.
on_terminal() {
    timeout 60 "$python" -I -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' \
        "$program" "$@" </dev/null >both 2>err && grep -q $'\r\x1b\\[K' both &&
        sed $'s/\r\x1b\\[K//g; s/\r$//' both >out
}
on_terminal export "$own/a${steers}b.yaml" --out steered --size 640x360 && grep -q '1 of 1' out
quiet "the progress of an export"
cp "$tests/lessons/training.yaml" "$own/t${steers}.yaml"
on_terminal train "$own/t${steers}.yaml" --out steered.safetensors && grep -q loss out
quiet "the progress of a training"
rm "$own"/*

# ---- what a file's reader refuses ----

# A token that XML can't have, and one whose bytes are no text.
cat >inner.json <<'END'
{"version": "1.0", "added_tokens": [], "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"},
 "post_processor": null, "decoder": null,
 "model": {"type": "WordLevel", "vocab": {"a": 0, "<\uffff\ufffe\u0001>": 1}, "unk_token": "<\uffff\ufffe\u0001>"}}
END
printf '%s\n' 'title: t' 'vocabularies: {V: {file: inner.json}}' 'given: {I: {text: "a b", vocabulary: V}}' \
    'steps:' '  - do: Y = I + 0' >xml.yaml
run export xml.yaml --format svg,pptx --out xml && python3 -I - <<'END' 2>err
import glob, xml.dom.minidom, zipfile
pages = glob.glob("xml/**/*.svg", recursive=True)
assert pages
for page in pages:
    xml.dom.minidom.parse(page)
(deck,) = glob.glob("xml/*.pptx")
with zipfile.ZipFile(deck) as deck:
    assert all(not name.startswith("/") and ".." not in name for name in deck.namelist())
    for name in deck.namelist():
        if name.endswith((".xml", ".rels", ".svg")):
            xml.dom.minidom.parseString(deck.read(name))
END
ok "a token that XML can't have"
name='a&"<%#?+ b'
cp $lesson "small/lessons/02-$name.yaml"
run export "02-$name" --format svg,pptx,pdf,html,npz,csv --out "out-$name" && run play "02-$name" --keys "Right Ctrl+S" --out .
ok "a lesson whose name has what files, pages and addresses are made of"
rm "small/lessons/02-$name.yaml"

# ---- what a shell completes ----

for id in '02-$(touch RAN)' '03-`touch RAN`' "04-'; touch RAN; '" '05-;touch RAN' '06-"$(touch RAN)"' \
    $'07-\ntouch RAN' '08-*' '09-a&touch RAN'; do
    cp $lesson "small/lessons/$id.yaml"
done
rm small/assets
cp -r "$tests/../assets" small/assets
sed -n '/^light:/,/^[a-z]*:$/{/^[a-z]*:$/!p}' small/assets/themes.yaml >theme
{ echo "\"x'; touch RAN; '\":" && cat theme; } >>small/assets/themes.yaml
run play 01-first --keys Right --theme "x'; touch RAN; '"
ok "a theme has any name"
run __complete -- show "" && grep -q 01-first out && ! grep -qE 'RAN|0[2-9]-' out
ok "completions leave out lessons whose names a shell would run"
run __complete -- export --theme "" && grep -q light out && ! grep -q RAN out
ok "completions leave out themes whose names a shell would run"
mkdir bin && printf '#!/bin/sh\nGLASSFORMER_DATA="%s" exec "%s" "$@"\n' "$PWD/small" "$program" >bin/glassformer &&
    chmod +x bin/glassformer && run completions bash &&
    PATH=$PWD/bin:$PATH bash -c '. ./out; COMP_WORDS=(glassformer show ""); COMP_CWORD=2; _glassformer
    printf "%s\n" "${COMPREPLY[@]}"' >said 2>err && grep -q 01-first said && [ ! -e RAN ]
ok "bash completes with them there and runs nothing"
rm small/lessons/0[2-9]*

# Tensors whose names and types steer.
python3 -I - "$work" "$steers" <<'END'
import json
import struct
import sys
folder, steers = sys.argv[1:]
header = json.dumps({"token_embedding" + steers: {"dtype": "F" + steers, "shape": [1], "data_offsets": [0, 4]},
                     steers: {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}}, ensure_ascii=False).encode()
open(folder + "/steers.safetensors", "wb").write(struct.pack("<Q", len(header)) + header + bytes(8))
END
sed 's/weights: .*/weights: {file: steers.safetensors}/' "$tests/lessons/model.yaml" >steers.yaml
run check steers.yaml
[ $? -ne 0 ] && grep -q steers err
quiet "weights"

# ---- files that a lesson reads ----

# reads NAME WORDS: whether a model whose weights are NAME is refused with WORDS and
# without a word of what is in the file.
reads() {
    sed "s|weights: .*|weights: {file: \"$1\"}|" "$tests/lessons/model.yaml" >inner/reads.yaml
    run check inner/reads.yaml
    [ $? -ne 0 ] && grep -qF -- "$2" err && ! grep -qiE "secret|$(printf 'secret: ' | od -An -tu8 | tr -d ' ')" err
}

mkdir -p inner/deep
echo 'secret: 1234567890' >hidden
echo 'secret: 1234567890' >inner/other
ln -s ../hidden inner/link
ln -s .. inner/up
ln -s other inner/within
for name in ../hidden deep/../../hidden link up/hidden; do
    reads $name "leads out of the lesson's folder"
    ok "a lesson doesn't read $name"
done
for name in other within deep/../other; do
    case $name in
    *..*) reads $name "leads out" ;;
    *) reads $name "another kind of file" ;;
    esac
    ok "of what is no weights nothing is told: $name"
done
reads "$work/hidden" "is a path from the root"
ok "a lesson doesn't read by an absolute path"
reads "$work/inner/other" "another kind of file"
ok "an absolute path into the lesson's own folder is read"
for key in corpus_file file; do
    printf 'title: x\nvocabularies: {V: {%s: %s}}\nsteps: []\n' $key /etc/passwd >inner/words.yaml
    run check inner/words.yaml
    [ $? -eq 3 ] && grep -q '^inner/words.yaml:2:.*is a path from the root' err
    ok "an absolute $key of a vocabulary is refused at its place"
done
sed "s|weights: .*|weights: {file: $work/hidden}|" "$tests/lessons/model.yaml" >"$own/kept.yaml"
mkdir "$own/stranger"
cp "$own/kept.yaml" "$own/stranger"
run check "$own/kept.yaml"
[ $? -ne 0 ] && grep -qF "another kind of file" err
ok "a lesson in the user's own folder reads by an absolute path"
run check "$own/stranger/kept.yaml"
[ $? -ne 0 ] && grep -qF "is a path from the root" err
ok "a lesson in a folder below that doesn't"
rm -r "$own"/*
# Kept in another folder, a lesson has what it reads with it.
mkdir moved
learnt() { sed "s|weights: .*|weights: {$1}|" "$tests/lessons/model.yaml"; }
learnt 'train: {pairs: [["you play the game", "you win"]], epochs: 1}' >inner/learn.yaml
learnt 'file: deep/learnt.safetensors' >inner/learnt.yaml
keys="Down ] Ctrl+S Return"
run train inner/learn.yaml --out inner/deep/learnt.safetensors && run check inner/learnt.yaml &&
    run play inner/learnt.yaml --keys "$keys" --out moved &&
    cmp -s inner/deep/learnt.safetensors moved/learnt.safetensors &&
    run check moved/learnt-changed.yaml && ! grep -q "$work" moved/learnt-changed.yaml
ok "a lesson that is kept elsewhere has its weights beside it"
run play inner/learnt.yaml --keys "$keys" --out . && run check learnt-changed.yaml &&
    grep -q 'inner/deep/learnt.safetensors' learnt-changed.yaml && [ ! -e learnt.safetensors ]
ok "a lesson that is kept above its weights names them where they are"
mkdir inner/list
cp $lesson inner/list/own.yaml
cp $lesson stranger.yaml
cp $lesson "inner/list/x${steers}.yaml"
for name in ../../stranger.yaml "$work/stranger.yaml" ../../small/lessons/01-first.yaml; do
    printf 'title: x\nparts: [{title: y, lessons: [own.yaml, "%s"]}]\n' "$name" >inner/list/p.playlist.yaml
    run list inner/list/p.playlist.yaml
    [ $? -ne 0 ] && grep -q "p.playlist.yaml:2:.*is not in the playlist's folder" err
    ok "a playlist doesn't read $name"
done
printf 'title: x\nparts: [{title: y, lessons: [own.yaml, "x%s.yaml"]}]\n' '\e[31m\x9b\u202e' >inner/list/p.playlist.yaml
run list inner/list/p.playlist.yaml && grep -q own out
quiet "a playlist's files"
reads gone "No such file"
ok "weights that are not there"
printf '{"secret": nonsense}' >inner/tokenizer.json
printf 'title: x\nvocabularies: {V: {file: tokenizer.json}}\nsteps: []\n' >inner/words.yaml
run check inner/words.yaml
[ $? -eq 1 ] && ! grep -qE 'secret|nonsense' err
ok "of what is no tokenizer nothing is told"
printf 'title: x\nvocabularies: {V: {corpus_file: ../hidden}}\nsteps: []\n' >inner/words.yaml
run check inner/words.yaml
[ $? -eq 3 ] && grep -q "leads out" err
ok "texts are read from the lesson's folder only"

# Each step takes the one before twice: two to the power of 60 ways lead to the first.
twice() {
    printf 'title: x\ngiven:\n  E: [[1, 2], [3, 4]]\n  X: [[1, 0]]\nsteps:\n- do: A0 = %s\n' "$1"
    for ((i = 0; i < 60; i++)); do
        printf -- "- do: A$((i + 1)) = $2\n" "A$i" "A$i"
    done
    echo "$3"
}
twice 'X + 0' 'concat(%s, %s)[:, 0:2]' '- do: Y = embed(E, A60)' >ids.yaml
twice 'softmax(X)' '%s * %s' '' >shares.yaml
for lesson in ids shares; do
    timeout 20 "$program" play $lesson.yaml --keys "Right Down C Return Type:1 Return Escape End" --png x.png >out 2>err
    ok "what is taken twice at each of 60 steps, $lesson, is looked at once"
done

{
    printf 'title: T\ngiven:\n  X: [[1]]\nsteps:\n'
    printf '  - show: X\n%.0s' {1..99000}
} >many.yaml
timeout $((12 * slower)) "$program" check many.yaml >out 2>err
ok "many steps that show a tensor are read in time that grows with their number"
rm many.yaml

# ---- large output from a small file ----

{
    printf 'title: T\ngiven:\n  X: [[1]]\nsteps:\n'
    for i in {1..4}; do echo "  - do: Y$i = causal_mask(2048)"; done
} >big.yaml
for command in 'show big.yaml --json' 'show big.yaml' 'export big.yaml --format csv --out big'; do
    run $command
    [ $? -eq 1 ] && grep -q 'most of them for printing numbers; .*--work 100000' err && [ ! -s out ] &&
        [ -z "$(find . -path './big/*' -type f)" ]
    ok "so many numbers are refused before the first is printed: $command"
done
run show big.yaml --tensor Y4 --rows 0:2 --json && [ "$(wc -c <out)" -gt 8192 ]
ok "a few rows of a large tensor are printed"
rm big.yaml

plan
