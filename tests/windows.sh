#!/bin/bash
# The program for Windows, under Wine: its pictures and numbers, and paths of drives. Prints TAP.
#
#   tests/windows.sh PROGRAM build-windows/Glassformer/glassformer.exe
set -u
program=$(realpath -e "$1") || exit 1
folder=$(dirname "$(realpath -e "$2")") || exit 1
. "$(dirname "$0")/tap.sh"
cd "$work" || exit 1
grep -rlF "$(dirname "$tests")" "$folder" >err 2>&1
[ $? -eq 1 ] # 1: no match; 2: an error
ok "no file of it names the folder it was built in"

# Somebody unpacks it where names have blanks and letters of their language.
cp -R "$folder" "$work/Grüße an 课程"
windows="$work/Grüße an 课程/$(basename "$2")"
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml=
printf '#!/bin/sh\nexec wine "%s" "$@"\n' "$windows" >in_wine
chmod +x in_wine
here="Z:$(pwd | tr / '\\')"

"$tests/same_numbers.sh" "$program" "$work/in_wine" >out 2>err
ok "all numbers are the same to the last bit"

for lesson in 08-one-head 28-kv-cache; do
    "$program" export "$lesson" --size 1280x720 --out wanted </dev/null >out 2>err &&
        ./in_wine export "$lesson" --size 1280x720 --out "$here\\made" </dev/null >out 2>err &&
        diff -r "wanted/$lesson" "made/$lesson" >err
    ok "$lesson: its pictures have the same bytes"
done
./in_wine new "$here\\of mine.yaml" >out 2>err && ./in_wine check "$here\\of mine.yaml" >out 2>err &&
    ./in_wine export "$here\\of mine.yaml" --format npz,svg --out "$here\\a\\b c" >out 2>err &&
    [ -f "a/b c/of mine.npz" ]
ok "paths have drives, backslashes and blanks"
./in_wine export "$here\\of mine.yaml" --format npz --out "$here\\a\\b c" >out 2>err &&
    [ "$(ls "a/b c" | tr '\n' ' ')" = "of mine of mine.npz " ]
ok "what is there already is written over"
./in_wine check "$here\\nowhere.yaml" >out 2>err
[ $? -eq 3 ] && grep -q "nowhere.yaml" err
ok "what can't be read is told, and the status says so"
./in_wine new "$here\\vidět 词.yaml" >out 2>err && [ -f "vidět 词.yaml" ] &&
    ./in_wine export "$here\\vidět 词.yaml" --format npz --out "$here\\où" >out 2>err &&
    [ -f "où/vidět 词.npz" ]
ok "paths have letters of any language"
wineserver -k 2>/dev/null
plan
