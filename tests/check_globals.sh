#!/bin/sh
# Whether core/ keeps state anywhere but in what its callers give it: its objects may have
# tables that never change, but no writable data. json_watch.c is exempt: jansson calls its
# allocator without a context, so that whether memory was refused is noted for each thread.
#
#   tests/check_globals.sh [BUILD]     (build, where none is named)
set -u
build=${1:-build}
objects=$(find "$build/core" -name '*.o' ! -name base_json_watch.c.o)
[ -n "$objects" ] || {
    echo "no objects in $build/core" >&2
    exit 1
}
status=0
for object in $objects; do
    # .data.rel.ro, tables of pointers, is made read-only when the program starts.
    sections=$(objdump -h "$object") || status=1
    printf '%s\n' "$sections" | awk -v object="$object" '
        $2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ && $3 !~ /^0+$/ {
            print object ": writable " $2; found = 1
        }
        END { exit found }' || status=1
done
exit $status
