#!/bin/sh
# Holds the includes against the architecture: an arrow goes down only, and nothing in core/
# knows SDL. First tries itself on a small tree that breaks each rule. Prints TAP.
#
#   tests/check_includes.sh [TREE]
set -u
tree=${1:-$(cd "$(dirname "$0")/.." && pwd)}

# allowed LAYER: what a file of that layer of core/ may include from core/.
allowed() {
    case $1 in
    base) echo base ;;
    tensor) echo base tensor ;;
    text) echo base text ;;
    model) echo base tensor text model ;;
    lesson) echo base tensor text model lesson ;;
    picture) echo base tensor text model lesson picture ;;
    esac
}

# violations TREE: one line each, `FILE:LINE: what is wrong`.
violations() {
    for file in $(cd "$1" && find core -path core/musl -prune -o -name '*.[ch]' -print | sort); do
        layer=$(echo "$file" | cut -d/ -f2)
        layers=$(allowed "$layer")
        [ -n "$layers" ] || echo "$file:1: core/ has no layer '$layer'"
        grep -nE '^[[:space:]]*#[[:space:]]*include' "$1/$file" |
            sed -E 's/^([0-9]+):.*include[[:space:]]*(["<][^">]*).*/\1 \2/' |
            while read -r line name; do
                case $name in
                [\"\<]SDL*) echo "$file:$line: core/ knows no SDL" ;;
                \"../* | \"app/*) echo "$file:$line: ${name#?} is outside core/" ;;
                \"*/*)
                    other=${name#?}
                    other=${other%%/*}
                    case " $layers " in
                    *" $other "*) ;;
                    *) echo "$file:$line: $layer may not include $other" ;;
                    esac
                    ;;
                \"*) echo "$file:$line: ${name#?} is not named from core/ on" ;;
                esac
            done
    done
}

# Each line is wrong in a way of its own; then come two that are right.
broken=$(mktemp -d) || exit 1
trap 'rm -rf "$broken"' EXIT
mkdir -p "$broken/core/base" "$broken/core/tensor" "$broken/core/picture" "$broken/core/odd"
cat >"$broken/core/tensor/tape.c" <<'END'
#include "tensor/tape.h"
#include "lesson/lesson.h"
  #  include   "picture/scene.h"
#include <SDL2/SDL.h>
#include "SDL.h"
#include "../app/window.h"
#include "tape.h"
#include <string.h>
END
echo '#include "tensor/tape.h"' >"$broken/core/base/arena.h"
echo '#include "lesson/lesson.h"' >"$broken/core/picture/scene.h"
echo 'int nothing;' >"$broken/core/odd/odd.c"
found=$(violations "$broken" | cut -d: -f1,2 | tr '\n' ' ')
wanted="core/base/arena.h:1 core/odd/odd.c:1 core/tensor/tape.c:2 core/tensor/tape.c:3 \
core/tensor/tape.c:4 core/tensor/tape.c:5 core/tensor/tape.c:6 core/tensor/tape.c:7 "

echo 1..2
status=0
if [ "$found" = "$wanted" ]; then
    echo "ok 1 - each broken rule is found"
else
    echo "not ok 1 - each broken rule is found"
    echo "# found $found"
    echo "# wanted $wanted"
    status=1
fi
wrong=$(violations "$tree")
if [ -z "$wrong" ] && [ -n "$(find "$tree/core" -name '*.c')" ]; then
    echo "ok 2 - includes go down only, and core knows no SDL"
else
    echo "not ok 2 - includes go down only, and core knows no SDL"
    printf '%s\n' "$wrong" | sed 's/^/# /'
    status=1
fi
exit $status
