#!/bin/bash
# Builds a Debian package into build-deb/ and prints its path:
#
#   app/deb.sh
#
# The same checkout gives the same bytes: times are those of its last commit, and neither a path
# of this machine nor the committer is in it.
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/app/packages.sh"
build=$top/build-deb root=$top/build-deb/root doc=$top/build-deb/root/usr/share/doc/glassformer
SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct)
copyright=$(sed -n 's/^Copyright (c) //p' "$top/LICENSE" | grep .)
maintainer="${copyright#* } <noreply@example.org>" # a placeholder, because a package must have an address
date=$(date -uRd "@$SOURCE_DATE_EPOCH")
export SOURCE_DATE_EPOCH LC_ALL=C
version=$(project_version "$top")
architecture=$(dpkg --print-architecture)

rm -rf "$build"
meson setup "$build" "$top" --prefix=/usr -Dstrip=true \
    "-Dc_args=-ffile-prefix-map=$top=. -ffile-prefix-map=../=" \
    -Dc_link_args=-Wl,-z,now >&2
# What is generated is asked of the program, which finds its data here.
export GLASSFORMER_DATA="$top"
ninja -C "$build" app/glassformer app/lesson.schema.json app/glassformer.bash app/_glassformer \
    app/glassformer.fish >&2
DESTDIR=$root meson install -C "$build" --no-rebuild >&2

strip --remove-section=.comment --remove-section=.note "$root/usr/bin/glassformer"
gzip -9n "$root/usr/share/man/man1/glassformer.1"
mkdir -p "$doc" "$root/DEBIAN" "$build/debian" "$root/usr/share/lintian/overrides"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n'
    printf 'Files: *\nCopyright: %s\nLicense: Expat\n' \
        "$copyright"
    sed -n '/^Permission/,$p' "$top/LICENSE" | sed 's/^$/./; s/^/ /'
    for file in "$top"/assets/fonts/LICENSE-*; do
        [ -f "$file" ] || continue
        name=$(basename "$file" .txt)
        printf '\nFiles: assets/fonts, of %s\nCopyright: see below\nLicense: %s\n' "$name" "${name,,}"
        sed 's/^[[:space:]]*$/./; s/^/ /' "$file"
    done
} >"$doc/copyright"
printf 'glassformer (%s) unstable; urgency=medium\n\n  * This version.\n\n -- %s  %s\n' "$version" \
    "$maintainer" "$date" | gzip -9n >"$doc/changelog.gz"
# The program's own fonts are older or cut: pictures are the same bytes on every machine.
printf 'glassformer: %s\n' 'duplicate-font-file *' 'font-in-non-font-package *' \
    'font-outside-font-dir *' 'opentype-font-prohibits-installable-embedding *' \
    >"$root/usr/share/lintian/overrides/glassformer"

printf 'Source: glassformer\n\nPackage: glassformer\nArchitecture: any\n' >"$build/debian/control"
(cd "$build" && dpkg-shlibdeps -O root/usr/bin/glassformer) >"$build/substvars"
depends=$(sed -n 's/^shlibs:Depends=//p' "$build/substvars" | grep .)
size=$(du -k --apparent-size -s "$root/usr" | cut -f1)
cat >"$root/DEBIAN/control" <<END
Package: glassformer
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends, python3:any
Recommends: python3-numpy
Section: education
Priority: optional
Description: step through a transformer, number by number
 A transformer you can see through: a course of small lessons in which every
 number can be followed back to those that made it. Steps go forwards and
 backwards, cells can be changed, and what changes with them is seen at once.
 .
 It works offline, in English and Chinese, and writes slides, handouts and
 worksheets.
END
# Python's compiled modules come and go with the package.
printf '#!/bin/sh\nset -e\npy3compile -p glassformer\n' >"$root/DEBIAN/postinst"
printf '#!/bin/sh\nset -e\npy3clean -p glassformer\n' >"$root/DEBIAN/prerm"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f ! -path '*/bin/*' -exec chmod 644 {} +
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
package=$build/glassformer_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >&2
echo "$package"
