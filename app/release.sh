#!/bin/bash
# Builds the release of the last commit into build-release/, and prints its checksums: the
# sources, a Debian package, the folder and the one file for browsers, a folder for Windows, the
# course as a PDF in each language. It has no trace of this machine or of the time, and the same
# commit gives the same bytes. The first step that fails ends it.
#
#   app/release.sh
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
. "$top/app/packages.sh"
case ${1:-} in
'') ;;
-h | --help)
    print_usage
    exit
    ;;
*)
    print_usage >&2
    exit 2
    ;;
esac
install_missing "$program_packages $web_packages $windows_packages" || exit 3
version=$(project_version "$top")
name=glassformer-$version release=$top/build-release
SOURCE_DATE_EPOCH=$(git -C "$top" log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C
changes=$(git -C "$top" status --porcelain)
if [ -n "$changes" ]; then
    echo "app/release.sh: there are changes that are not committed (git status)" >&2
    exit 3
fi
rm -rf "$release" "$top/build-web/program" "$top/build-web/site" \
    "$top/build-windows/program"
mkdir -p "$release"

# tree FOLDER NAME: NAME.zip of it
tree() {
    cp -R "$1" "$release/$2"
    (
        cd "$release"
        chmod -R u=rwX,go=rX "$2"
        find "$2" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
        find "$2" | sort | TZ=UTC zip -q9X "$2.zip" -@
        rm -rf "$2"
    )
}

git -C "$top" archive --prefix="$name/" --output="$release/$name.tar" HEAD
gzip -9n "$release/$name.tar"
package=$("$top/app/deb.sh")
cp "$package" "$release/"
"$top/app/web/build.sh" >&2
tree "$top/build-web/site" "$name-web"
cp "$top/build-web/glassformer.html" "$release/$name.html"
windows=$("$top/app/windows/build.sh")
tree "$windows" "$name-windows"
for language in en zh; do
    GLASSFORMER_DATA=$top "$top/build-deb/app/glassformer" export --format pdf --frame --lang $language \
        --out "$release/$name-course-$language.pdf" </dev/null >&2
done
cd "$release"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
