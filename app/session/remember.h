/* What a session notes in its memory, and what it takes from there when a lesson is
 * opened (opening.c). */
#ifndef APP_REMEMBER_H
#define APP_REMEMBER_H

#include "course/memory.h"
#include "lesson/play/changes_draft.h"
#include "session/state.h"

/* Where one was in a lesson, into the arrival; as it is where nothing is noted. */
void remember_place(const Session *session, const CourseLesson *entry, Arrival *arrival);

/* What was changed in a lesson; false for nothing. In the arena. */
bool remember_draft(const Session *session, const CourseLesson *entry, Arena *arena,
                    MemoryDraft *noted, ChangesDraft *draft);

/* Changes the lesson shown as a list of changes says; NULL: as its draft does, and says
 * so. */
void remember_changes(Session *session, const char *list);

/* Whether a lesson is read: the tour passes through, and who practises is asked there. */
bool session_reads(const Session *session);

/* Notes a lesson that is shown now among those opened from files, where it is one. */
void remember_opened(Session *session);

#endif
