#!/bin/bash
# Test on a bare machine: a chroot of this Debian's release with nothing but git, where the
# present commit is cloned, built and tested in part, by root and by an ordinary user. Takes
# some ten minutes and 3 GB of $TMPDIR. Prints TAP; skips itself where no chroot can be made.
#
#   tests/bare.sh
set -u
export TMPDIR=${TMPDIR:-/var/tmp}
. "$(dirname "$0")/tap.sh"
top=$(realpath "$tests/..")
root=$work/root
. "$top/app/packages.sh"

skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

[ "$(id -u)" -eq 0 ] || skip_all "only root can make a chroot"
command -v apt-get >/dev/null || skip_all "the chroot takes Debian's apt-get, which this system lacks"
install_missing '
debootstrap command debootstrap
git command git
util-linux command unshare
' 2>"$work/err" || skip_all "debootstrap can't be installed: $(tail -n 1 "$work/err")"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' \
    "Codename: $release" | head -n 1)
[ -n "$mirror" ] || skip_all "apt-get knows no mirror of the release '$release'"

# inside COMMAND…: runs it in the chroot, with none of this machine's environment but its
# proxies; its processes and mounts end with it.
inside() {
    unshare --mount --pid --fork --kill-child sh -c 'root=$1 && shift &&
        mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/dev/shm" &&
        exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
            "$@"' sh "$root" "$@" </dev/null
}

# Its packages' signatures are checked by this system's keys.
debootstrap --variant=minbase --include=git,ca-certificates "$release" "$root" "$mirror" \
    >"$work/err" 2>&1 || skip_all "debootstrap made no chroot: $(grep '^[EW]: ' "$work/err" | tail -n 1)"
mkdir -p "$root/dev/shm"
inside true 2>"$work/err" ||
    skip_all "no chroot with /proc can be entered: $(tail -n 1 "$work/err")"
apt-config dump | grep -i '^Acquire::.*proxy' >"$root/etc/apt/apt.conf.d/proxy"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io" # nothing of it is kept

git config --global safe.directory '*'
git clone -q --bare --depth 1 "file://$top" "$root/srv/glassformer.git" >"$work/err" 2>&1 &&
    inside useradd --create-home reader &&
    inside git clone -q /srv/glassformer.git /home/reader/glassformer >>"$work/err" 2>&1 &&
    [ "$(inside git -C /home/reader/glassformer rev-parse HEAD)" = "$(git -C "$top" rev-parse HEAD)" ]
ok "the commit is cloned"

here=/home/reader/glassformer
inside $here/app/run list >"$work/out" 2>"$work/err" && [ "$(grep -c '^[0-9]' "$work/out")" -gt 30 ]
ok "app/run installs, builds and lists the lessons"
inside $here/app/run export 08-one-head --out /tmp/pictures >"$work/out" 2>"$work/err" &&
    [ "$(find "$root/tmp/pictures" -name '*.png' -size +1k | wc -l)" -gt 10 ]
ok "and exports a lesson's pictures"

# all_pass COMMAND…: succeeds if tests/run passed and skipped only tests that need root.
all_pass() {
    "$@" >"$work/err" 2>&1 && tail -n 1 "$work/err" | grep -q '^[1-9][0-9]* passed, 0 failed, ' &&
        ! grep '^skipped: ' "$work/err" | grep -qv ': root alone can make one$'
}
# Those that need more than a compiler.
all_pass inside env HOME=/root $here/tests/run base files faults_calls faults_kills faults_short hardened texts_numbers \
    counting packages hostile window notebook benchmarks format valgrind_base
ok "tests/run installs what it needs, and its tests pass"
inside chown -R reader: /home/reader
all_pass inside setpriv --reuid=reader --regid=reader --clear-groups env HOME=/home/reader \
    $here/tests/run base files hostile counting packages window benchmarks
ok "they pass for an ordinary user"
plan
