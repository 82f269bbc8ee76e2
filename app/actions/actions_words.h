/* Depth of the words at the top, kept from step to step and from lesson to lesson; and
 * the view of the present step's tensor. */
#pragma once

#include "session/session.h"

/* Turns the words to a depth; to the usual one where it is that already. */
bool words_turn_to(Session *session, size_t depth);
