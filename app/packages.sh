# Installs missing packages, from a table; sourced by app/run, app/release.sh, app/deb.sh,
# app/libraries.sh, tests/run and tests/bench/run.
#
# A table has one line a package: Debian's name for it, a way to find out that it is there, and
# its names elsewhere:
#
#   DEBIAN KIND NAME [FEDORA ARCH OPENSUSE HOMEBREW]
#
#   command NAME    a program on the path
#   module NAME     a library that pkg-config knows
#   header NAME     a header that the compiler finds
#   file NAME       a file
#   python NAME     a module that Debian's own python3 can import
#   sanitizer NAME  clang's library for -fsanitize=NAME
#
# A `?` before the kind marks an optional package: it is installed where Debian has it. A `-`
# stands for a name that a system doesn't have.

program_packages='
gcc command cc gcc gcc gcc gcc
libc6-dev header stdio.h glibc-devel glibc glibc-devel gcc
meson command meson meson meson meson meson
ninja-build command ninja ninja-build ninja ninja ninja
pkg-config command pkg-config pkgconf-pkg-config pkgconf pkg-config pkgconf
libsdl2-dev module sdl2 SDL2-devel sdl2-compat SDL2-devel sdl2
libsdl2-ttf-dev module SDL2_ttf SDL2_ttf-devel sdl2_ttf SDL2_ttf-devel sdl2_ttf
libyaml-dev module yaml-0.1 libyaml-devel libyaml libyaml-devel libyaml
libutf8proc-dev module libutf8proc utf8proc-devel libutf8proc utf8proc-devel utf8proc
libjansson-dev module jansson jansson-devel jansson libjansson-devel jansson
libpcre2-dev module libpcre2-8 pcre2-devel pcre2 pcre2-devel pcre2
libfreetype-dev module freetype2 freetype-devel freetype2 freetype2-devel freetype
libharfbuzz-dev module harfbuzz harfbuzz-devel harfbuzz harfbuzz-devel harfbuzz
libfontconfig-dev module fontconfig fontconfig-devel fontconfig fontconfig-devel fontconfig
libdeflate-dev module libdeflate libdeflate-devel libdeflate libdeflate-devel libdeflate
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
    file) [ -e "$2" ] ;;
    python) /usr/bin/python3 -I -c "import $2" >/dev/null 2>&1 ;;
    sanitizer)
        echo 'int main(void) { return 0; }' |
            clang "-fsanitize=$2" -x c -o /dev/null - >/dev/null 2>&1
        ;;
    *) return 1 ;;
    esac
}

# package_manager: prints the name of this system's.
package_manager() {
    for manager in apt-get pacman zypper dnf brew; do
        if command -v "$manager" >/dev/null 2>&1; then
            echo "$manager"
            return
        fi
    done
    echo none
}

# apt_has PACKAGE: true also where the lists of packages were never fetched.
apt_has() {
    ! ls /var/lib/apt/lists/*Packages* >/dev/null 2>&1 || apt-cache show "$1" >/dev/null 2>&1
}

# missing_packages TABLE MANAGER: prints the packages that are not there, by MANAGER's names,
# each once.
missing_packages() {
    seen=' '
    printf '%s\n' "$1" | while read -r debian kind name fedora arch opensuse homebrew; do
        case $seen in *" $debian "*) continue ;; esac
        seen="$seen$debian "
        [ -n "$debian" ] || continue
        is_there "${kind#\?}" "$name" && continue
        case $2 in
        apt-get) package=$debian ;;
        dnf) package=$fedora ;;
        pacman) package=$arch ;;
        zypper) package=$opensuse ;;
        brew) package=$homebrew ;;
        *) package= ;;
        esac
        case $kind in
        \?*) [ "$2" = apt-get ] && apt_has "$debian" || continue ;;
        esac
        case $package in
        '' | -) printf '%s ' "$debian(Debian)" ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

# install_missing TABLE: true when all of the table is there in the end. Says on stderr what
# it does; where it can't install, the line that would.
install_missing() {
    manager=$(package_manager)
    wanted=$(missing_packages "$1" "$manager")
    wanted=${wanted% }
    [ -n "$wanted" ] || return 0
    case $manager in
    apt-get) ;;
    none)
        echo "These packages are missing (Debian's names): $wanted" >&2
        return 1
        ;;
    *)
        case $manager in
        brew) line="brew install" ;;
        pacman) line="sudo pacman -S --needed" ;;
        *) line="sudo $manager install" ;;
        esac
        echo "Packages are missing. Install them, then run this again: $line $wanted" >&2
        case $wanted in
        *'(Debian)'*) echo "(Debian) marks Debian's name for a package; look for this system's own." >&2 ;;
        esac
        return 1
        ;;
    esac
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            root_must_run "Packages are missing, and there is no sudo to install them with."
            return 1
        fi
        as_root=sudo
    fi
    echo "Installing $wanted" >&2
    # The lists of a fresh machine are empty, and only then is an optional package unknown.
    # apt-get fails with 100, sudo refuses with 1.
    $as_root apt-get -o DPkg::Lock::Timeout=300 -q update </dev/null >&2
    if [ $? -eq 1 ]; then
        root_must_run "Packages are missing, and sudo doesn't let this user install them."
        return 1
    fi
    wanted=$(missing_packages "$1" "$manager")
    # shellcheck disable=SC2086 # a list of words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q -y \
        --no-install-recommends install $wanted </dev/null >&2
    wanted=$(missing_packages "$1" "$manager")
    wanted=${wanted% }
    [ -n "$wanted" ] || return 0
    root_must_run "Packages are still missing after installing: $wanted."
    return 1
}

# print_usage: prints the comment at the top of the running script, which says how it is called.
print_usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0"
}

# project_version FOLDER: prints the version of the program with its sources in FOLDER.
project_version() {
    sed -n "s/^ *version: '\(.*\)',\$/\1/p" "$1/meson.build" | grep .
}

# root_must_run WHY: says why, and which line installs $wanted.
root_must_run() {
    echo "$1 Run as root, then run this again: apt-get update && apt-get install --no-install-recommends $wanted" >&2
}

# has_debian_sources: whether this system has sources of packages, which the builds for browsers
# and for Windows take their libraries from; says so where it hasn't.
has_debian_sources() {
    command -v apt-get >/dev/null 2>&1 && return
    echo "The builds for browsers and for Windows need Debian or Ubuntu: they take their" \
        "libraries from the sources of its packages, by apt-get, which this system lacks." >&2
    return 1
}
