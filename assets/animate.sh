#!/bin/sh
# Draws the README's pictures: home.png, and steps.gif, four animated steps of a lesson.
# tests/readme.py fails when they differ from what the program draws.
#
#   assets/animate.sh PROGRAM [FOLDER]     into assets/, or FOLDER; PROGRAM: build/app/glassformer
set -eu
program=$(realpath "$1")
own=$(realpath "$0")
folder=${2:-$(dirname "$own")}
drawn=$(mktemp -d)
trap 'rm -rf "$drawn"' EXIT
"$program" export 08-one-head --out "$drawn" --format gif --steps 6-9 --size 800x450 \
    --lang en --theme light >/dev/null
# Lessons and progress of the person who draws them don't belong in the picture of the home page.
XDG_DATA_HOME=$drawn/none "$program" play --keys "" --png "$drawn/home.png" --size 1280x720 \
    --lang en --theme light >/dev/null
mv "$drawn/08-one-head.gif" "$folder/steps.gif"
mv "$drawn/home.png" "$folder/home.png"
