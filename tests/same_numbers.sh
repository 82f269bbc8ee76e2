#!/bin/bash
# Whether all numbers of all lessons are the same to the last bit: with the processor's
# fused multiplication and wide vectors switched off, and in other builds. Prints TAP.
#
#   tests/same_numbers.sh PROGRAM [OTHER_PROGRAM…]
set -u
program=$(realpath -e "$1") || exit 1
shift
others=()
for other in "$@"; do
    others+=("$(realpath -e "$other")") || exit 1
done
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 1

# numbers PROGRAM: every tensor of every lesson, with all digits.
numbers() {
    for lesson in $lessons; do
        timeout $longest "$1" show "$lesson" --json </dev/null 2>err || return 1
    done
}

lessons=$("$program" list </dev/null | awk '{ print $1 }' | grep -E '^[0-9]')
numbers "$program" >first && [ "$(wc -c <first)" -gt 1000000 ]
ok "all lessons show their numbers"
for off in -FMA,-AVX2,-AVX512F -FMA,-AVX2,-AVX512F,-AVX,-SSE4_2; do
    GLIBC_TUNABLES=glibc.cpu.hwcaps=$off numbers "$program" | cmp - first >>err 2>&1
    ok "and the same ones with $off"
done
for other in "${others[@]}"; do
    numbers "$other" | cmp - first >>err 2>&1
    ok "and the same ones by $other"
done
plan
