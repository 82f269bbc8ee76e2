/* Notes of a session in its memory, and their use when a lesson is opened (opening.c). */
#ifndef APP_REMEMBER_H
#define APP_REMEMBER_H

#include "course/memory.h"
#include "lesson/play/changes_draft.h"
#include "session/state.h"

/* Where one was in a lesson, into the arrival; as it is where nothing is noted. */
void remember_place(const Session *session, const CourseLesson *entry, Arrival *arrival);

/* Returns the changes of a lesson in the arena; false for none. */
bool remember_draft(const Session *session, const CourseLesson *entry, Arena *arena,
                    MemoryDraft *noted, ChangesDraft *draft);

/* Changes the lesson shown as a list of changes says; NULL: as its draft does, and says
 * so. */
void remember_changes(Session *session, const char *list);

/* True if a lesson is being read, rather than shown by the tour or by practice. */
bool session_reads(const Session *session);

/* Notes a lesson that is shown now among those opened from files, where it is one. */
void remember_opened(Session *session);

#endif
