/* Influence: the gradient of one cell, shown on all that it depends on. */
#pragma once

#include "picture/explain/explain.h"
#include "session/session.h"

typedef struct InfluenceState {
    Arena *arena;         /* owned; NULL while the mode is off */
    Gradients *gradients; /* in the arena */
    uint64_t digest;      /* of the values that the gradients were computed from */
    Influence shown;
} InfluenceState;

InfluenceState *influence_state(const Session *session);
