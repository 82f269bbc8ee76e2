# What tests/*.sh share; they source it. Tests run in a folder of their own, $work, with a
# home of its own, and print TAP.

work=$(mktemp -d) || exit 1
export LC_ALL=C.UTF-8 HOME=$work/home
unset WAYLAND_DISPLAY GLASSFORMER_CACHE GLASSFORMER_DATA XDG_CACHE_HOME XDG_PICTURES_DIR \
    XDG_CONFIG_HOME XDG_DATA_HOME LANGUAGE
mkdir -p "$HOME"
tests=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
export LSAN_OPTIONS=suppressions=$tests/leaks:print_suppressions=0
number=0
bad=0
longest=1800 # seconds after which a command counts as hanging, even on a loaded machine

clean_up() {
    chmod -R u+w "$work"
    rm -rf "$work"
}
trap clean_up EXIT

# ok NAME: after a command; takes its exit status.
ok() {
    local status=$?
    number=$((number + 1))
    if [ $status -eq 0 ]; then
        echo "ok $number - $1"
    else
        bad=$((bad + 1))
        echo "not ok $number - $1"
        tail -n 20 "$work/err" 2>/dev/null | sed 's/^/# /'
    fi
}

# skip NAME REASON: a test that can't be run here.
skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# run ARGS…: the program, with no input; its streams in $work/out and $work/err.
run() {
    timeout $longest "$program" "$@" </dev/null >"$work/out" 2>"$work/err"
}

# json EXPRESSION: whether that is true of what was printed, as `d`.
json() {
    python3 -I -c "import json, sys; d = json.load(open('$work/out')); sys.exit(not ($1))" \
        2>>"$work/err"
}

# plan: the last line; its status is the script's.
plan() {
    echo "1..$number"
    [ "$bad" -eq 0 ]
}
