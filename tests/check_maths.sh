#!/bin/sh
# Whether core/ computes with the functions of base/maths.h alone: no object of its own may
# call the C library's exp, log, sin …, whose last bits differ between machines.
#
#   tests/check_maths.sh [BUILD]     (build, where none is named)
set -u
build=${1:-build}
symbols=$(find "$build/core" -name '*.o' -exec nm -Au {} +) || exit 1
[ -n "$symbols" ] || {
    echo "no objects in $build/core" >&2
    exit 1
}
inexact='a?(sin|cos|tan)h?|sincos|atan2|exp|exp2|exp10|expm1|log|log2|log10|log1p|logb|pow|cbrt|hypot|erfc?|[lt]gamma|fma'
found=$(printf '%s\n' "$symbols" | grep -E " U ($inexact)[fl]?(@.*)?$")
[ -z "$found" ] || {
    printf '%s\n' "$found" "include base/maths.h instead of <math.h>"
    exit 1
}
