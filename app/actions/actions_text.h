/* A text of the learner's own in place of the lesson's. */
#ifndef APP_ACTIONS_TEXT_H
#define APP_ACTIONS_TEXT_H

#include "session/session.h"

/* Whether another lesson takes any text; and opens it with this one, or ("") with its
 * own. */
bool text_has_elsewhere(const Session *session);
bool text_take_elsewhere(Session *session, const char *text);

#endif
