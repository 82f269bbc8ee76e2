#include "paint/paint_parts.h"

#include <stdlib.h>

bool libraries_have(size_t bytes) {
    void *some = malloc(bytes);
    free(some);
    return some != NULL;
}
