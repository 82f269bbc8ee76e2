#!/bin/bash
# The window under events that nobody made. Prints TAP.
#
#   tests/events.sh PROGRAM [COUNT [SEED]]     PROGRAM is a build's tests/glassformer_faults
set -u
program=$(realpath -e "$1") || exit 1
. "$(dirname "$0")/tap.sh"
count=${2:-2000}
export SDL_VIDEODRIVER=dummy GLASSFORMER_DATA=$tests/..
export GLASSFORMER_EVENTS=$count:${3:-1}
mkdir -p "$HOME/Pictures"
cd "$work" || exit 1
cp "$tests/fuzz/everything.yaml" .
head -c 700 everything.yaml >damaged.yaml
timeout --foreground 3600 "$program" </dev/null >out 2>err
ok "$count events, and the window is closed"
[ ! -s err ]
ok "nothing was complained of"
[ -z "$(find "$HOME" -name '*.tmp' -o -name '*-damaged*')" ] &&
    python3 -I -c 'import json, sys; [json.load(open(path)) for path in sys.argv[1:]]' \
        "$HOME"/.local/share/glassformer/*.json
ok "what was noted can be read"
plan
