/* Units: what a playlist makes of the course. A unit is a course itself, with the
 * playlist's lessons in its order and under its parts' names, so that all that goes
 * through a course goes through it. */
#pragma once

#include "course/course.h"

/* True if the data folder has a playlist of that ID, "university". */
bool unit_is_id(const char *word);

/* Makes a unit of a playlist, which is named by its path or its ID: of the course's
 * lessons and of files beside the playlist; all but its lessons is the course's, which
 * outlives it. It joins the ring of course->next, unless it is there already; the course
 * finishes it. NULL with errors at their places: what playlist_read finds, and ERROR_NAME
 * for a lesson that there isn't. */
Course *unit_open(Course *course, const char *name, ErrorList *errors);

/* Opens all playlists of the data folder; those with errors are left out. */
void unit_open_all(Course *course);
