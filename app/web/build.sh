#!/bin/bash
# Builds the program for browsers, into build-web/: site/, a folder for any server of files, and
# glassformer.html, the same in one file, which opens from a disk. Says so on standard output.
# QUICK=1 in the environment: packs without zopfli, in seconds and with some more bytes.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build-web

# Debian's Python starts emcc faster than a wrapper's; ccache keeps clang's object files.
export EMSDK_PYTHON=/usr/bin/python3
! command -v ccache >/dev/null || export EM_COMPILER_WRAPPER=ccache

# HarfBuzz without what the program's fonts lack and the program doesn't call: it is a third of
# what a visitor downloads.
harfbuzz=-DHB_NO_MT
for part in AAT BITMAP BUFFER_MESSAGE BUFFER_SERIALIZE BUFFER_VERIFY COLOR FACE_COLLECT_UNICODES \
    LANGUAGE_LONG LAYOUT_COLLECT_GLYPHS LAYOUT_FEATURE_PARAMS META NAME OT_FONT_GLYPH_NAMES STYLE VAR \
    VERTICAL; do
    harfbuzz="$harfbuzz -DHB_NO_$part"
done
CC=emcc CXX="em++ $harfbuzz" AR=emar OPTIMIZE=-Os "$top/app/libraries.sh" "$build/libraries" >&2

# Where Debian keeps the modules that emcc writes JavaScript with.
export NODE_PATH=/usr/share/nodejs
if [ ! -f "$build/program/build.ninja" ]; then
    meson setup "$build/program" "$top" --cross-file "$top/app/web/emscripten.ini" -Doptimization=s \
        "-Dpkg_config_path=$build/libraries/lib/pkgconfig" >&2
fi
ninja -C "$build/program" >&2
"$top/app/web/pack.py" "$build/program/app" "$build/site" ${QUICK:+--quick}
