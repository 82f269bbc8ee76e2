/* Entry point for libFuzzer: runs the target that FUZZ_TARGET names in the environment,
 * which restarted programs inherit. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const Target *target;
    const char *name = getenv("FUZZ_TARGET");
    if (!target)
        target = target_find(name ? name : "");
    if (!target) {
        fprintf(stderr, "FUZZ_TARGET should name a target; tests/fuzz/run does it\n");
        exit(2);
    }
    target->run(bytes, length);
    return 0;
}
