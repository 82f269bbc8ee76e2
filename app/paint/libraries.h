/* Libraries that don't survive it when they are refused memory: fontconfig, and
 * FreeType's hinter, which go on with what they weren't given. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns true if `bytes` of memory are available; called before one of these libraries
 * is. */
bool libraries_have(size_t bytes);
