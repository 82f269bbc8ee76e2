#!/bin/sh
# Makes assets/steps.gif, the README's picture: four steps of the seventh lesson, moving.
#
#   assets/animate.sh PROGRAM        PROGRAM: build/app/glassformer; needs ImageMagick
set -eu
program=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT
stays=""
keys="Right Right Right Right"
for step in scores scaled shares blend; do
    keys="$keys Right"
    "$program" play 08-one-head --keys "$keys" --size 800x450 --frames 16 \
        --png "$frames/$step.png" --lang en --theme light >/dev/null
    stays="$stays -delay 15 $(echo "$frames/$step"-*.png) -delay 150 $frames/$step-16.png"
done
# shellcheck disable=SC2086 # a list of words
convert -loop 0 $stays -dither None -colors 64 \
    -layers OptimizeTransparency "$here/steps.gif"
