#!/bin/sh
# Checks that scripts with set -e see every failure: none may be lost in an argument, in a
# declaration or in a pipe.
set -u
cd "$(dirname "$0")/.." || exit 1
status=0
scripts=$(grep -rlE --include='*.sh' '^set -e' app assets tests) || exit 1
# shellcheck disable=SC2086 # a list of words
shellcheck -o check-extra-masked-returns -i SC2155,SC2312 -f gcc $scripts || status=1
for script in $scripts; do
    if ! grep -q '^set -.*pipefail' "$script" && grep -nE '[^|]\|( |$)' "$script"; then
        echo "$script: has a pipe, but not 'set -o pipefail'"
        status=1
    fi
done
exit $status
