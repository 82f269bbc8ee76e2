#!/bin/sh
# Makes assets/steps.gif, the README's picture: a few steps of the seventh lesson, moving.
#
#   assets/animate.sh PROGRAM        PROGRAM: build/app/glassformer; needs ImageMagick
set -eu
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
keys="Right Right"
stays=""
for step in 1 2 3 4 5 6 7; do
    "$program" play 07-one-head --keys "$keys" --size 1280x720 --frames 24 \
        --png "$frames/$step.png" --lang en --theme light >/dev/null
    keys="$keys Right"
    stays="$stays -delay 10 $(echo "$frames/$step"-*.png | tr ' ' '\n' | sed '$d' | tr '\n' ' ')"
    stays="$stays -delay 120 $frames/$step-24.png"
done
# shellcheck disable=SC2086 # a list of words
convert -loop 0 $stays -resize 960x540 -dither None -colors 96 \
    -layers OptimizeTransparency "$here/steps.gif"
