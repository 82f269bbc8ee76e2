#!/bin/bash
# Equal exports give equal files: three lessons again and again, with four threads, while
# the machine is kept busy. Prints TAP.
#
#   tests/same_bytes.sh PROGRAM [COUNT]    COUNT: exports, 4 if left out
set -u
program=$(realpath -e "$1") || exit 1
count=${2:-4}
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 1

load=
for _ in 1 2 3; do
    while :; do :; done &
    load="$load $!"
done
trap 'kill $load; clean_up' EXIT

# export_to FOLDER: what is in it afterwards, as names and sums.
export_to() {
    run export 08-one-head 14-heads 25-next-word --out "$1" --threads 4 &&
        (cd "$1" && find . -type f | sort | xargs md5sum)
}

first=$(export_to first)
[ "$(echo "$first" | wc -l)" -gt 30 ]
ok "three lessons are exported"
differ=0
for ((i = 1; i < count; i++)); do
    [ "$(export_to again)" = "$first" ] || differ=$((differ + 1))
done
echo "# $differ of $count exports differ" >>err
[ $differ -eq 0 ]
ok "$count exports under load are equal, byte for byte"
plan
