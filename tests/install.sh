#!/bin/bash
# Installing from the sources, for one user and into a virtual environment, and uninstalling:
# Python finds the module without being told where it is. Prints TAP.
#
#   tests/install.sh PROGRAM BUILD    BUILD: the folder whose files are installed
set -u
program=$(realpath -e "$1") || exit 1
build=$(realpath -e "$2") || exit 1
. "$(dirname "$0")/tap.sh"
top=$(dirname "$tests")
cd "$work" || exit 1
python=/usr/bin/python3
[ -x $python ] || python=python3

# install_to PREFIX: configures a build folder of that prefix in $work/build, with the files that
# are built already, and installs it.
install_to() {
    rm -rf build
    meson setup build "$top" --prefix "$1" >out 2>err || return
    (cd "$build" && cp --parents app/lesson.schema.json app/*glassformer* "$work/build" 2>/dev/null)
    cp "$program" build/app/glassformer
    meson install -C build --no-rebuild >out 2>err
}

# imports PYTHON…: that Python computes with the module, from another folder.
imports() {
    (cd / && "$@" -c 'import glassformer
print(glassformer.tensor("08-one-head", "S").shape)') >out 2>err && grep -q '^([0-9]*, [0-9]*)$' out
}

# none_left PREFIX: uninstalls; no file may stay that was not there in $work/before.
none_left() {
    ninja -C build uninstall >out 2>err && find "$1" ! -type d ! -name '*.pyc' | sort >after &&
        diff before after >>err
}

numpy=
$python -I -c "import numpy" 2>/dev/null || numpy="# SKIP: NumPy is not installed"

mkdir -p "$HOME/.local/bin"
find "$HOME/.local" ! -type d | sort >before
install_to "$HOME/.local"
ok "meson install into ~/.local"
(cd / && "$HOME/.local/bin/glassformer" list) >out 2>err && [ "$(cat out)" = "$("$program" list)" ]
ok "the program installed there lists each lesson once"
[ -n "$numpy" ] || imports $python
ok "the module installed there is imported, and finds its program $numpy"
none_left "$HOME/.local"
ok "uninstalling leaves no file"

$python -I -m venv --without-pip --system-site-packages venv >out 2>err
find venv ! -type d | sort >before
install_to "$work/venv"
ok "meson install into a virtual environment"
[ -n "$numpy" ] || imports "$work/venv/bin/python3" -I
ok "the module installed there is imported, and finds its program $numpy"
none_left venv
ok "uninstalling leaves no file"

for prefix in /usr /usr/local; do
    meson setup build-plan "$top" --prefix $prefix >out 2>err
    folder=$(meson introspect build-plan --install-plan |
        $python -I -c 'import json, os, re, sys
print(os.path.dirname(re.search(r"\"destination\": \"([^\"]*/glassformer\.py)\"", sys.stdin.read())[1]))')
    $python -I -c 'import site, sys; sys.exit(sys.argv[1] not in site.getsitepackages())' \
        "$folder" 2>err
    ok "below $prefix the module is in $folder, where Python looks"
    rm -rf build-plan
done
plan
