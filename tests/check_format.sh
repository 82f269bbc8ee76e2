#!/bin/sh
# Whether every C file is as clang-format writes it. Prints the lines that aren't.
set -u
cd "$(dirname "$0")/.." || exit 1
wrong=$(find core app tests -name '*.[ch]' | sort |
    xargs clang-format --dry-run --Werror 2>&1 | grep 'error:' | cut -d: -f1,2 | uniq)
[ -z "$wrong" ] || {
    printf '%s\n' "$wrong" "clang-format -i would put them right"
    exit 1
}
