/* Whether a text is a formula that is understood whole; else the first thing wrong. */
#ifndef TESTS_FORMULA_CHECK_H
#define TESTS_FORMULA_CHECK_H

#include "picture/formula/formula_parse.h"

static inline bool formula_check(const char *source, Error *error) {
    Error found = {0};
    Arena *arena = arena_create(4 << 20); /* more than FORMULA_MAX_BYTES can need */
    formula_parse(arena, source, &found);
    arena_destroy(arena);
    if (error && found.code != ERROR_NONE)
        *error = found;
    return found.code == ERROR_NONE;
}

#endif
