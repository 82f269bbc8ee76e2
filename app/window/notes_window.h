/* The notes' window: the lecturer's own page beside the window that the class sees, on
 * another screen where there is one; on the only screen it lies on top. It is painted
 * after the other, at most once a second where nothing but the time goes on. */
#pragma once

#include "drive/drive.h"
#include "paint/painter.h"

#include <SDL.h>

typedef struct NotesWindow NotesWindow;

/* Makes one for a session beside the class's window; all are borrowed. Nobody sees it
 * yet. NULL where there is no screen or no memory for it: then the class's window does
 * without. The caller destroys it when the program ends, and not before: SDL wakes itself
 * by messages to any of its windows, on a connection of its own to the X server, and one
 * that comes behind the window's end ends the program. */
NotesWindow *notes_window_create(Session *session, Fonts *fonts, SDL_Window *beside);

/* NULL is fine. */
void notes_window_destroy(NotesWindow *notes);

/* Opens or closes it, where it isn't so already, and says whether it wasn't; the class's
 * window may be painted over then. NULL is fine. */
bool notes_window_turn(NotesWindow *notes, bool open);

/* True if there is a second screen, beside the window of the class. */
bool notes_window_has_screen(SDL_Window *beside);

/* Takes an event of its own; NULL is fine. */
void notes_window_take(NotesWindow *notes, const SDL_Event *event);

/* Shows the present notes if the session (`changed`) or the second has changed. */
void notes_window_show(NotesWindow *notes, bool changed);

/* Returns the milliseconds until the next second; infinity while the window isn't open.
 */
double notes_window_until(const NotesWindow *notes);
