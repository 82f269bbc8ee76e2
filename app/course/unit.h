/* Units: what a playlist makes of the course. A unit is a course itself, with the
 * playlist's lessons in its order and under its parts' names, so that all that goes
 * through a course goes through it. */
#ifndef APP_UNIT_H
#define APP_UNIT_H

#include "course/course.h"

/* Makes a unit of the course's lessons and of files beside the playlist; all but its
 * lessons is the course's, which outlives it. It joins the ring of course->next; the
 * course finishes it. NULL with errors at their places: what playlist_read finds, and
 * ERROR_NAME for a lesson that there isn't. */
Course *unit_open(Course *course, const char *path, ErrorList *errors);

/* The same for all playlists of the data folder; those with errors are left out. */
void unit_open_all(Course *course);

#endif
