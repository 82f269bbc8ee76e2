# Installs what is missing, from a table; sourced by app/run, app/release.sh, tests/run and
# tests/bench/run.
#
# A table has one line a package: Debian's name for it, then how to tell that it is there:
#   command NAME    a program on the path
#   module NAME     a library that pkg-config knows
#   header NAME     a header that the compiler finds
#   python NAME     a module that Debian's own python3 can import
#   sanitizer NAME  what clang links in for -fsanitize=NAME
# A `?` before the kind marks what is used where it can be had and done without elsewhere.

program_packages='
gcc command cc
libc6-dev header stdio.h
meson command meson
ninja-build command ninja
pkg-config command pkg-config
libsdl2-dev module sdl2
libyaml-dev module yaml-0.1
libutf8proc-dev module libutf8proc
libjansson-dev module jansson
libfreetype-dev module freetype2
libharfbuzz-dev module harfbuzz
libfontconfig-dev module fontconfig
libdeflate-dev module libdeflate
'

web_packages='
meson command meson
ninja-build command ninja
pkg-config command pkg-config
emscripten command emcc
dpkg-dev command dpkg-source
zopfli ?command zopfli
python3-fonttools python fontTools
'

windows_packages='
g++-mingw-w64-x86-64-win32 command x86_64-w64-mingw32-g++
dpkg-dev command dpkg-source
zip command zip
'

# is_there KIND NAME
is_there() {
    case $1 in
    command) command -v "$2" >/dev/null 2>&1 ;;
    module) pkg-config --exists "$2" 2>/dev/null ;;
    header) printf '#include <%s>\n' "$2" | "${CC:-cc}" -E - >/dev/null 2>&1 ;;
    python) /usr/bin/python3 -c "import $2" >/dev/null 2>&1 ;;
    sanitizer)
        echo 'int main(void) { return 0; }' |
            clang "-fsanitize=$2" -x c -o /dev/null - >/dev/null 2>&1
        ;;
    *) return 1 ;;
    esac
}

# missing_packages TABLE: prints the packages that are not there.
missing_packages() {
    printf '%s\n' "$1" | while read -r package kind name; do
        [ -n "$package" ] || continue
        is_there "${kind#\?}" "$name" && continue
        case $kind in
        \?*) apt-cache show "$package" >/dev/null 2>&1 || continue ;;
        esac
        printf '%s ' "$package"
    done
}

# install_missing TABLE: true when all of the table is there in the end. Says on stderr what
# it does; where it can't install, which packages are wanted.
install_missing() {
    wanted=$(missing_packages "$1")
    [ -n "$wanted" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "These packages are missing (by Debian's names): $wanted" >&2
        echo "Install them with this system's package manager, then run this again." >&2
        return 1
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "These packages are missing, and there is no sudo to install them: $wanted" >&2
            echo "As root: apt-get install $wanted" >&2
            return 1
        fi
        as_root=sudo
    fi
    echo "Installing $wanted" >&2
    # The lists of a fresh machine are empty, and only then is an optional package unknown.
    $as_root apt-get -o DPkg::Lock::Timeout=300 -q update </dev/null >&2
    wanted=$(missing_packages "$1")
    # shellcheck disable=SC2086 # a list of words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q -y \
        --no-install-recommends install $wanted </dev/null >&2
    wanted=$(missing_packages "$1")
    [ -n "$wanted" ] || return 0
    echo "Still missing after installing: $wanted" >&2
    return 1
}
