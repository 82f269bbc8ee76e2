/* Check that a text is a formula that is parsed completely. */
#pragma once

#include "picture/formula/formula_parts.h"

static inline bool formula_check(const char *source) {
    Arena *arena = arena_create(4 << 20); /* more than FORMULA_MAX_BYTES can need */
    bool understood = false;
    formula_parse(arena, source, &understood);
    arena_destroy(arena);
    return understood;
}
