/* Reloading: a lesson's file is read again when its author saves it, keeping the changes
 * by hand; errors in it are shown. */
#pragma once

#include "picture/draw/canvas.h"
#include "session/state.h"

/* The lesson shown was read just now: later changes of its file count. */
void reload_watch(Session *session);

/* Notes what is changed by hand now; and does that again in the lesson that has come in
 * the place of the present one, saying so where some of it has no place there. */
void reload_note_changes(Session *session);
void reload_change_again(Session *session);

/* Tells a file's errors over whatever is shown, or no more (NULL). */
void reload_report(Session *session, const char *path, const ErrorList *errors);

/* Takes errors away that are not the shown lesson's; false when there are none. */
bool reload_dismiss(Session *session);

/* Draws the strip with the errors, or only measures it; returns its height, 0 for none.
 */
double reload_strip(const Session *session, const Canvas *canvas, bool draw);
