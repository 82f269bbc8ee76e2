/* A text of the learner's own in place of the lesson's. */
#pragma once

#include "session/session.h"

/* Reports whether another lesson takes any text; and opens that lesson with a text, or
 * with its own if the text is "". */
bool text_has_elsewhere(const Session *session);
bool text_take_elsewhere(Session *session, const char *text);
