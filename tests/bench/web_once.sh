#!/bin/bash
# Starts the browser's benchmark once, with one round and one lesson, as once.sh does with the
# others. Prints TAP.
#
#   tests/bench/web_once.sh BUILD_WEB
set -u
bench=$(dirname "$(realpath "$0")")
build=$(realpath -e "$1") || exit 1
. "$bench/../tap.sh"

node "$bench/web.mjs" "$build" 1 08-one-head >"$work/out" 2>"$work/err" &&
    grep -q "steps at" "$work/out"
ok "the program for browsers"
plan
