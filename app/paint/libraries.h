/* Libraries that don't survive it when they are refused memory: fontconfig, and
 * FreeType's hinter, which go on with what they weren't given. */
#ifndef APP_LIBRARIES_H
#define APP_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether there is so much memory now; asked before one of these is called. */
bool libraries_have(size_t bytes);

#endif
