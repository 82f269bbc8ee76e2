/* How deep the words at the top go, kept from step to step and from lesson to lesson; and
 * how the present step's tensor is drawn. */
#ifndef APP_ACTIONS_WORDS_H
#define APP_ACTIONS_WORDS_H

#include "session/session.h"

/* Turns the words to a depth; to the usual one where it is that already. */
bool words_turn_to(Session *session, size_t depth);

#endif
