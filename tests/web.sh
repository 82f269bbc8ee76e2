#!/bin/bash
# Compares numbers and pictures of the program for browsers, run by node, with those of the desktop
# program. Prints TAP.
#
#   tests/web.sh PROGRAM WEB_FOLDER
# WEB_FOLDER is the folder that app/web/build.sh writes.
# $GLASSFORMER_SAMPLE: N to compare pictures of every Nth lesson.
set -u
program=$(realpath -e "$1") || exit 1
web=$(realpath -e "$2/program/app") || exit 1
. "$(dirname "$0")/tap.sh"
top=$(realpath "$tests/..")
cd "$work" || exit 1

# No distributed file contains the path where it was built.
cat "$web/page.js" "$web/page.wasm" >page 2>err && ! grep -qF "$top" page
ok "the page doesn't name this folder"

# zopfli, if it was used, compresses differently, so the uncompressed contents are compared.
/usr/bin/python3 "$top/app/web/pack.py" "$web" again/site --quick >out 2>err
for pack in "$web"/../../site/*.pack; do
    name=$(basename "$pack")
    cmp <(gzip -dc "$pack") <(gzip -dc "again/site/$name") >err 2>&1
    ok "$name has the same contents when it is packed again"
done

# Its output is of another time than node's own fetch.
cat >in_node <<END
#!/bin/sh
export GLASSFORMER_DATA="$top"
exec node --no-experimental-fetch "$web/glassformer.js" "\$@"
END
chmod +x in_node

"$tests/same_numbers.sh" "$program" "$work/in_node" >out 2>err
ok "all numbers are the same to the last bit"

lessons=$("$program" list </dev/null | awk '{ print $1 }' |
    awk -v one_in="${GLASSFORMER_SAMPLE:-1}" 'NR % one_in == 0 || /one-head/')
[ -n "$lessons" ]
ok "lessons are listed"
for lesson in $lessons; do
    "$program" export "$lesson" --size 1280x720 --out wanted </dev/null >out 2>err &&
        ./in_node export "$lesson" --size 1280x720 --out made </dev/null >out 2>err &&
        diff -r "wanted/$lesson" "made/$lesson" >err
    ok "$lesson: its pictures have the same bytes"
done
./in_node check nowhere.yaml >out 2>err
[ $? -eq 3 ] && grep -q "nowhere.yaml" err
ok "what can't be read is told, and the status says so"
plan
