/* The window: a session's pictures on the screen, driven by events.
 *
 * It waits for events and paints when the picture has changed; between them it takes no
 * processor time. The painter paints straight into the window's surface. */
#pragma once

#include "drive/drive.h"

typedef struct Window Window;

/* True if the environment has a screen to open a window on. */
bool window_possible(void);

/* A window for a session, which is borrowed, as is its memory (NULL: nothing is kept,
 * neither is the window's place). NULL with ERROR_FILE when there is no screen
 * to show it on or no font, ERROR_MEMORY. The caller destroys it. There can be one at a
 * time. */
Window *window_create(Session *session, Notes *memory, Error *error);

/* NULL is fine. */
void window_destroy(Window *window);

/* Shows the session until the user quits. False with ERROR_FILE when the screen went
 * away, ERROR_MEMORY; and with its errors when the first lesson can't be read. */
bool window_run(Window *window, ErrorList *errors);

/* Returns the watch for a session that opens lessons in the background; it wakes the
 * window. May be called before the window exists, in the thread that will own it. */
LoaderWatch window_watch(void);
