#!/bin/sh
# Makes assets/steps.gif, the README's picture: a few steps of the seventh lesson.
#
#   assets/animate.sh PROGRAM        PROGRAM: build/app/glassformer; needs ImageMagick
set -eu
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
keys="Right Right"
for frame in 1 2 3 4 5 6 7; do
    "$program" play 07-one-head --keys "$keys" --size 1280x720 --png "$frames/$frame.png" \
        --lang en --theme light >/dev/null
    keys="$keys Right"
done
convert -delay 160 -loop 0 "$frames"/*.png -resize 960x540 -dither None -colors 96 \
    -layers OptimizeTransparency "$here/steps.gif"
