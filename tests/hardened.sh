#!/bin/bash
# What the linker and the compiler are to have done to the program, read from its ELF file.
# Prints TAP.
#
#   tests/hardened.sh PROGRAM BUILD
set -u
program=$(realpath -e "$1") || exit 1
build=$(realpath -e "$2") || exit 1
. "$(dirname "$0")/tap.sh"
if ! command -v readelf >/dev/null; then
    echo "1..0 # SKIP binutils is not installed"
    exit 0
fi

# has WORDS ARGS…: whether readelf, asked so, prints a line with these words.
has() {
    local words=$1
    shift
    readelf -W "$@" >"$work/err" 2>&1 && grep -q -- "$words" "$work/err"
}

has ' DYN (' -h "$program"
ok "the program is loaded anywhere"
has GNU_RELRO -l "$program" && has 'Flags:.*NOW' -d "$program"
ok "its tables of addresses are read-only before it begins"
has 'GNU_STACK .* RW ' -l "$program"
ok "its stack is not run"
has ' LOAD ' -l "$program" && ! grep -q 'LOAD .* RWE ' "$work/err"
ok "nothing of it is written and run"
has __stack_chk_fail --dyn-syms "$program"
ok "an overflow of the stack is seen"
if grep -q -e -D_FORTIFY_SOURCE "$build/compile_commands.json"; then
    has '__[a-z]*_chk@' --dyn-syms "$program"
    ok "what the C library writes is held against the room it has"
fi
if grep -q -e '-fcf-protection' "$build/compile_commands.json"; then
    has 'IBT, SHSTK' -n "$build/app/glassformer.p/main.c.o"
    ok "jumps and returns lead only where they may"
fi
readelf -W --dyn-syms "$program" >"$work/err" && ! grep -qE \
    ' (socket|connect|getaddrinfo|gethostbyname|send(to|msg)?|exec[lv][pe]*|system|popen|posix_spawnp?|v?fork)@' "$work/err"
ok "it opens no connection and starts no program"

plan
