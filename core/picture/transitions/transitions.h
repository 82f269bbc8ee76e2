/* Transitions: how the result of an operation appears, a table row for each kind
 * (lesson/play/transition.h). */
#pragma once

#include "picture/transitions/moving.h"

/* Draws what moves below the still, from under which it emerges. */
void transitions_draw_below(const Moving *moving);

/* Shows the output's items according to their progress, and draws what moves above the
 * still. */
void transitions_play(const Moving *moving);

/* Reports whether a kind has a row; a test checks all of them. */
bool transitions_has_row(TransitionKind kind);
