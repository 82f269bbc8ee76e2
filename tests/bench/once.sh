#!/bin/bash
# Starts every benchmark once, with one round, so that none rots unseen; what it measures
# says nothing. Prints TAP.
#
#   tests/bench/once.sh BUILD
set -u
build=$(realpath -e "$1") || exit 1
bench=$(dirname "$(realpath "$0")")
lessons=$(realpath "$bench/../../lessons")
program=$build/app/glassformer
. "$bench/../tap.sh"
cd "$work" || exit 1

# python MODULES: whether Debian's python3 has all of them.
python() {
    /usr/bin/python3 -I -c "import $1" 2>/dev/null
}

ninja -C "$build" tests/bench/{frames,picture,model,train} >err 2>&1
ok "the benchmarks build"
"$build/tests/bench/frames" "$lessons/08-one-head.yaml" >out 2>err && [ -s out ]
ok "frames"
"$build/tests/bench/picture" picture.png >out 2>err && [ -s picture.png ]
ok "picture"
"$build/tests/bench/model" 8 2 24 1 5 23 1 >out 2>err && [ -s out ]
ok "model"
"$build/tests/bench/train" "$lessons/31-training.yaml" 1 >out 2>err && grep -q source out
ok "train"
"$bench/growth.py" "$program" 100 >out 2>err && grep -q lessons out
ok "growth"

if python numpy; then
    /usr/bin/python3 -I "$bench/model.py" "$build/tests/bench/model" 1 8 >out 2>err &&
        grep -q NumPy out
    ok "a forward pass beside its peers"
else
    skip "a forward pass beside its peers" "python3-numpy is not installed"
fi

figures=
if python "numpy, yaml"; then
    compared=$(sed -n 's/^LESSONS = \[\(.*\)\]/\1/p' "$bench/compare.py" | tr -d '",')
    [ -n "$compared" ]
    ok "lessons that are compared with matplotlib"
    for lesson in $compared; do
        run show "$lesson" --json && /usr/bin/python3 -I "$bench/figure_data.py" out \
            "$lessons/$lesson.yaml" >"$lesson.json" 2>err && [ -s "$lesson.json" ]
        ok "what matplotlib would draw of $lesson"
        figures=${figures:-$lesson.json}
    done
else
    skip "what matplotlib would draw" "python3-numpy or python3-yaml is not installed"
fi
if [ -n "$figures" ] && python matplotlib; then
    mkdir drawn
    /usr/bin/python3 -I "$bench/figures.py" pictures "$figures" drawn 1 1 2>err &&
        [ -s drawn/000.png ]
    ok "a picture by matplotlib"
else
    skip "a picture by matplotlib" "python3-matplotlib is not installed"
fi

plan
