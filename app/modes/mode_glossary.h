/* The glossary: a term is searched for, chosen, and gone from to where it is at work. */
#pragma once

#include "session/list.h"

typedef struct GlossaryState {
    size_t term;  /* chosen, by its number in the glossary */
    List terms;   /* that are found */
    size_t place; /* chosen among the places that use the term */
} GlossaryState;

GlossaryState *glossary_state(const Session *session);

/* Opens the glossary at a term. */
void glossary_enter(Session *session, size_t term);
