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
lesson=small/lessons/01-first.yaml

# ---- what is no ordinary file ----

mkfifo "$own/pipe.yaml"
mkdir "$own/folder.yaml"
timeout 20 "$program" list >out 2>err
[ $? -ne 124 ] && grep -q pipe out
ok "a pipe among the lessons stops nobody"
timeout 20 "$program" check "$own/pipe.yaml" >out 2>err
[ $? -eq 3 ] && grep -q 'no ordinary file' err
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

plan
