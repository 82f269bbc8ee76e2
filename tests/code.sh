#!/bin/bash
# The scripts that `show --code` prints run and give the very numbers, in NumPy and in
# PyTorch, of every lesson and of random ones; and so does the code that the page shows
# for each step. Random models are held against the published architectures in PyTorch, and read
# from files in the layouts of GPT-2, BERT and LLaMA.
# Prints TAP. A library that isn't installed is passed over, with a line
# that says so.
#
#   tests/code.sh PROGRAM [LESSON…]
set -u
program=$(realpath -e "$1") || exit 1
here=$(dirname "$(realpath "$0")")
shift

# The python3 that Debian's packages are for comes first: another one may lack them.
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3

# Of all lessons, and of random ones: GLASSFORMER_FUZZ says how many.
models=0
if [ $# -eq 0 ]; then
    models=${GLASSFORMER_FUZZ:-40}
    random=$(mktemp -d) || exit 1
    trap 'rm -rf "$random"' EXIT
    "$python" -I "$here/fuzz/lessons.py" "$random" "${GLASSFORMER_FUZZ:-40}" || exit 1
    set -- "$here"/../lessons/*.yaml "$here"/lessons/*.yaml "$random"/*.yaml
fi

number=0
bad=0

# Lines of TAP with this script's numbers; what has told of another number than $1 failed.
renumber() {
    told=0
    while IFS= read -r line; do
        case $line in
        ok*) number=$((number + 1)) told=$((told + 1)) && echo "ok $number ${line#ok }" ;;
        'not ok'*)
            number=$((number + 1)) told=$((told + 1)) bad=1
            echo "not ok $number ${line#not ok }"
            ;;
        1..*) ;;
        *) echo "$line" ;;
        esac
    done
    if [ $told -ne "$1" ]; then
        number=$((number + 1)) bad=1
        echo "not ok $number - $2 told of $told, not of $1"
    fi
}

for library in numpy torch; do
    if ! "$python" -I -c "import $library" 2>/dev/null; then
        number=$((number + 1))
        echo "ok $number - lessons in $library # SKIP python3-$library is not installed; tests/run --all installs it"
        continue
    fi
    renumber $# "$library" < <("$python" -I "$here/code.py" "$program" "$library" "$@")
    if [ "$library" = torch ] && [ "$models" -gt 0 ]; then
        for kind in models layouts; do
            renumber "$models" "$kind in PyTorch" \
                < <("$python" "$here/fuzz/$kind.py" "$program" "$models")
        done
    fi
done
echo "1..$number"
exit $bad
