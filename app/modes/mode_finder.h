/* The finder: a few letters find all that can be done and gone to. */
#ifndef APP_MODE_FINDER_H
#define APP_MODE_FINDER_H

#include "session/session.h"

typedef struct FinderState {
    size_t chosen; /* row */
    size_t first;  /* row at the top of the view */
    size_t rows;   /* that the view has room for */
} FinderState;

FinderState *finder_state(const Session *session);

#endif
