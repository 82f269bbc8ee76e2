/* The finder: a few letters find all that can be done and gone to. */
#ifndef APP_MODE_FINDER_H
#define APP_MODE_FINDER_H

#include "session/list.h"

/* The rows that are found. */
List *finder_state(Session *session);

#endif
