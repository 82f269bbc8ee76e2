#!/bin/bash
# Builds the program for Windows, into build-windows/Glassformer: a folder that needs nothing
# else. Says where it is on standard output. Tried under Wine.
set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/build-windows host=x86_64-w64-mingw32
CC="$host-gcc -D__USE_MINGW_ANSI_STDIO=1" CXX=$host-g++ AR=$host-ar \
    "$top/app/libraries.sh" "$build/libraries" $host >&2
if [ ! -f "$build/program/build.ninja" ]; then
    meson setup "$build/program" "$top" --cross-file "$top/app/windows/mingw.ini" \
        "-Dpkg_config_path=$build/libraries/lib/pkgconfig" >&2
fi
ninja -C "$build/program" >&2
folder=$build/Glassformer
rm -rf "$folder"
mkdir -p "$folder/assets"
$host-strip -o "$folder/glassformer.exe" "$build/program/app/glassformer.exe"
cp -R "$top/lessons" "$folder/"
cp -R "$top/assets/fonts" "$top/assets/glossary" "$top/assets/strings" "$top/assets/templates" \
    "$top/assets/themes.yaml" "$top/assets/new-lesson.yaml" "$folder/assets/"
cp "$top/README.md" "$top/LICENSE" "$top/app/glassformer.py" "$folder/"
find "$folder" -name meson.build -delete
echo "$folder"
