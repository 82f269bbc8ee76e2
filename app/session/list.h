/* Lists: rows of a mode, one of which is chosen by keys, the pointer or the wheel. A mode
 * with a list has a ListControl; drive/dispatch.c hands it keys and clicks before the
 * mode's own functions get them. */
#pragma once

#include "session/mode.h"

/* The state of a list; its mode owns it. */
typedef struct List {
    size_t chosen; /* row; none if behind the last */
    size_t first;  /* row at the top of the view */
    size_t shown;  /* rows that the view has room for; 0: all */
} List;

/* The behaviour of a mode's list. */
struct ListControl {
    List *(*list)(Session *session);

    /* Number of rows; while it is 0 the list takes no keys. */
    size_t (*count)(Session *session);

    /* Follows a change of the chosen row; may be NULL. */
    void (*chosen)(Session *session);

    /* Does what the chosen row is for, by Return, Space or a click; true if the picture
     * may have changed. NULL: these are left to the mode. */
    bool (*use)(Session *session);

    /* Action whose link, with a row's number from 1 on as `row`, is under the row; NULL:
     * the pointer is left to the mode. */
    const char *link;

    size_t page; /* rows that Page Up and Page Down move by; 0: only Up and Down move */
    bool wraps;  /* the last row is above the first */
};

/* Chooses a row and scrolls it into view; false if it is no row, or chosen already. */
bool list_choose(Session *session, const ListControl *control, size_t row);

/* Sets the rows in view and scrolls no further than the chosen one needs. */
void list_scroll(List *list, size_t shown);

/* Takes Up, Down, Page Up, Page Down, Home and End, and what uses a row: Return, and
 * Space where no text is written. */
ModeAnswer list_key(Session *session, const ListControl *control, const char *key);

/* Chooses the row under the pointer. */
ModeAnswer list_point(Session *session, const ListControl *control, Link link);

/* Chooses the row that is clicked, and uses it. */
ModeAnswer list_press(Session *session, const ListControl *control, Link link);
