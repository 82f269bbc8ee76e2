/* The notes' window: the lecturer's own page beside the window that the class sees, on
 * another screen where there is one; on the only screen it lies on top. It is painted
 * after the other, at most once a second where nothing but the time goes on. */
#ifndef APP_NOTES_WINDOW_H
#define APP_NOTES_WINDOW_H

#include "paint/painter.h"
#include "session/session.h"

#include <SDL.h>

typedef struct NotesWindow NotesWindow;

/* Opens one for a session beside the class's window; all are borrowed. NULL where there
 * is no screen or no memory for it: then the class's window does without. */
NotesWindow *notes_window_open(Session *session, Fonts *fonts, SDL_Window *beside);

/* Whether there is a screen without the class's window. */
bool notes_window_has_screen(SDL_Window *beside);

/* NULL is fine. */
void notes_window_close(NotesWindow *notes);

/* Takes an event of its own; NULL is fine. */
void notes_window_take(NotesWindow *notes, const SDL_Event *event);

/* Shows the present notes, where the session (`changed`) or the second is another. */
void notes_window_show(NotesWindow *notes, bool changed);

/* In how many milliseconds the second is another; infinity for NULL. */
double notes_window_until(const NotesWindow *notes);

#endif
