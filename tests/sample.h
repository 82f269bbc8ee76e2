/* How thoroughly the longest tests look: GLASSFORMER_SAMPLE=8 lets them look at one in
 * eight of what they go through, for builds and tools that take ten times as long. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* One in so many; 1 where nothing is said. */
static inline size_t sample_one_in(void) {
    const char *said = getenv("GLASSFORMER_SAMPLE");
    long number = said ? strtol(said, NULL, 10) : 1;
    return number > 1 ? (size_t)number : 1;
}
