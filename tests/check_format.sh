#!/bin/sh
# Whether every C file is as clang-format writes it. Prints the lines that aren't.
set -u
cd "$(dirname "$0")/.." || exit 1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
find core app tests -name '*.[ch]' -exec clang-format --dry-run --Werror {} + 2>"$log" && exit
wrong=$(grep 'error:' "$log" | cut -d: -f1,2 | sort -u -t: -k1,1 -k2,2n)
if [ -n "$wrong" ]; then
    printf '%s\n' "$wrong" "clang-format -i would put them right"
else
    echo "clang-format failed:"
    cat "$log"
fi
exit 1
