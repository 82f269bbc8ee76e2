#!/bin/bash
# The mathematical functions give the same bits by every compiler that is here, optimized or
# not, with fused multiplication and without, in WebAssembly and on Windows. Prints TAP.
#
#   tests/same_maths.sh
set -u
. "$(dirname "$0")/tap.sh"
core=$tests/../core
cd "$work" || exit 1

# built COMPILER OPTION…: compiles the program that prints the bits, replacing the last one
built() {
    rm -f bits*
    "$@" -std=c17 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -I"$core" \
        "$tests/maths_bits.c" "$core/base/maths.c" "$core/base/random.c" -lm >err 2>&1
}

# same NAME COMMAND…: the command prints what the first one printed
same() {
    local name=$1
    shift
    "$@" >printed 2>>err
    [ -s first ] || cp printed first
    [ "$(wc -l <printed)" -ge 10 ] && diff first printed >>err
    ok "$name"
}

# skip NAME WHY
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP no $2"
}

for options in -O0 -O1 -O2 -O3 -Os "-O2 -mfma -mavx2" "-O3 -march=haswell"; do
    for compiler in gcc clang; do
        if ! command -v "$compiler" >/dev/null; then
            skip "$compiler $options" "$compiler"
        elif [[ $options = *-m* && $(uname -m) != x86_64 ]]; then
            skip "$compiler $options" "x86-64"
        elif [[ $options = *-m* ]] && ! grep -qw fma /proc/cpuinfo; then
            skip "$compiler $options" "fused multiplication"
        else
            built "$compiler" $options -o bits
            same "$compiler $options" ./bits
        fi
    done
done
if command -v emcc >/dev/null && command -v node >/dev/null; then
    NODE_PATH=/usr/share/nodejs built emcc -Oz -o bits.js
    same "emcc -Oz" node --no-experimental-fetch bits.js
else
    skip "emcc -Oz" "emcc or node"
fi
mingw=x86_64-w64-mingw32-gcc
if command -v $mingw >/dev/null && command -v wine >/dev/null; then
    export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
    built $mingw -O3 -D__USE_MINGW_ANSI_STDIO=1 -static -o bits.exe
    wine bits.exe 2>/dev/null | tr -d '\r' >windows
    same "mingw -O3" cat windows
    wineserver -k 2>/dev/null
else
    skip "mingw -O3" "mingw or wine"
fi
plan
