#!/bin/bash
# Test of app/packages.sh on systems that are made up of a few commands, and of running no
# Python files of the working folder. Prints TAP.
set -u
. "$(dirname "$0")/tap.sh"
top=$(realpath "$tests/..")
cd "$work" || exit 1

table='
nowhere-dev command nowhere nowhere-devel nowhere-arch nowhere-suse nowhere-brew
maybe-dev ?command maybe
debian-dev command debian
sh command sh
'

# command_of SYSTEM NAME LINE…: a shell script NAME on SYSTEM's path.
command_of() {
    local path=$1/$2
    mkdir -p "$1"
    shift 2
    printf '%s\n' '#!/bin/sh' "$@" >"$path"
    chmod +x "$path"
}

# install_on SYSTEM TABLE: its status; what it says in err, what was called in calls.
install_on() {
    : >calls
    ln -sf /bin/sh "$1/sh"
    ln -sf "$(command -v ls)" "$1/ls"
    PATH=$work/$1 /bin/sh -c '. "$0"; install_missing "$1"' "$top/app/packages.sh" "$2" 2>err
}

says() {
    ! install_on "$1" "$table" && [ "$(wc -l <err)" -eq "$2" ] && grep -qF -- "$3" err
}

for system in dnf pacman zypper brew; do
    command_of $system $system 'exit 1'
done
says dnf 2 "sudo dnf install nowhere-devel debian-dev(Debian)"
ok "Fedora's names"
says pacman 2 "sudo pacman -S --needed nowhere-arch debian-dev(Debian)"
ok "Arch's names"
says zypper 2 "sudo zypper install nowhere-suse debian-dev(Debian)"
ok "openSUSE's names"
says brew 2 "brew install nowhere-brew debian-dev(Debian)"
ok "Homebrew's names"
mkdir none
says none 1 "nowhere-dev(Debian) debian-dev(Debian)"
ok "Debian's names where no package manager is known"
(
    . "$top/app/packages.sh"
    while read -r debian kind name fedora arch opensuse homebrew more; do
        [ -z "$debian" ] || [ -n "$homebrew" ] && [ -z "$more" ] || echo "$debian"
    done <<<"$program_packages"
) >err
[ ! -s err ]
ok "each package of the program has a name on every system"

# An apt-get that does as it is told, once it is called by root.
apt='echo "apt-get $*" >>calls; case $* in *install*) for p in nowhere debian; do printf "" >debian/$p; done;; esac'
for system in debian refuses nosudo; do
    command_of $system apt-get "$apt"
    command_of $system apt-cache 'exit 1'
    command_of $system id 'echo 1000'
    command_of $system env 'shift; "$@"'
done
command_of refuses sudo 'echo "sudo $*" >>calls; exit 1'
root="apt-get update && apt-get install --no-install-recommends nowhere-dev"
says refuses 2 "Run as root, then run this again: $root" && [ "$(wc -l <calls)" -eq 1 ]
ok "a user whom sudo refuses is asked once, and reads what root must run"
says nosudo 1 "Run as root, then run this again: $root" && [ ! -s calls ]
ok "so does one without sudo"
command_of debian sudo '"$@"'
ln -s "$(command -v chmod)" debian/chmod
sed -i 's/printf "" >debian\/\$p/printf "" >debian\/$p; chmod +x debian\/$p/' debian/apt-get
install_on debian "$table" && grep -q "install nowhere-dev" calls
ok "a user with sudo has them installed"
cp -r debian fails && rm fails/nowhere fails/debian && command_of fails apt-get 'exit 100' &&
    says fails 2 "Run as root, then run this again: $root"
ok "what can't be installed is told with the line that would"

install_on nosudo "$table$table"
[ "$(grep -o nowhere-dev err | wc -l)" -eq 1 ]
ok "a package of two tables is listed once"

# Usage is printed before anything is installed.
mkdir usage
ln -s "$(command -v sed)" "$(command -v dirname)" usage
status=0
for script in app/run app/release.sh tests/run; do
    PATH=$work/usage "$BASH" "$top/$script" --help >out 2>err && grep -qF "$script" out && [ ! -s err ] || status=1
done
[ $status -eq 0 ]
ok "scripts print their usage without any package"

# What needs Debian's sources says so at once, and installs nothing.
ln -s "$(command -v dirname)" dnf/dirname
PATH=$work/dnf /bin/sh "$top/app/run" --web >out 2>err
status=$?
PATH=$work/dnf CC=cc CXX=c++ AR=ar "$BASH" "$top/app/libraries.sh" libraries >>out 2>>err && status=0
[ $status -eq 3 ] && [ ! -s out ] && [ ! -e libraries ] && [ "$(grep -c "need Debian or Ubuntu" err)" -eq 2 ]
ok "a build for browsers says that it needs Debian"

# Files that Python would find first where it looks in the working folder.
mkdir -p trap/http
for file in http/server http/__init__ fontTools json re yaml numpy torch sys os; do
    echo "open('$work/ran', 'a').write('$file ')" >trap/$file.py
done
(
    cd trap || exit 1
    . "$top/app/packages.sh"
    for module in fontTools yaml numpy torch; do
        is_there python "$module"
    done
    cp "$work/out" out && json "1"
    mkdir bin && printf '#!/bin/sh\nexit 0\n' >bin/build.sh && chmod +x bin/build.sh
    # The program for browsers as it is served, without its build.
    mkdir -p copy/app/web copy/build-web/site && cp "$top"/app/run "$top"/app/packages.sh copy/app/ &&
        cp bin/build.sh copy/app/web/ && echo 'web_packages=' >>copy/app/packages.sh &&
        timeout 2 copy/app/run --web 0
) >out 2>err
[ ! -e ran ]
ok "no Python file of the working folder is run"
(cd trap && python3 -c 'import fontTools')
[ -e ran ]
ok "without -I, a Python file of the working folder is run"

# Without -I, Python's -c, -m and standard input put the working folder first on its path. This file
# itself is excluded, because it has such a line.
cd "$top" && grep -rnIE \
    '(python3?|"\$python"|sys\.executable\]?)"? +(-c|-m|-|<<)( |$)' app assets lessons tests .ci \
    >"$work/out" 2>"$work/err" && ! grep -v '^tests/packages.sh:' "$work/out" >>"$work/err"
ok "Python is called with -I"
plan
