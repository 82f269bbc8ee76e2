/* The finder: a few letters find all that can be done and gone to. */
#pragma once

#include "session/list.h"

/* The rows that are found. */
List *finder_state(Session *session);
