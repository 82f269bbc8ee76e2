/* Notes of a session in its memory, and their use when a lesson is opened (opening.c). */
#pragma once

#include "course/memory.h"
#include "lesson/play/changes_file.h"
#include "session/state.h"

/* Sets the arrival to the last position in a lesson; leaves it unchanged if none is
 * noted. */
void remember_place(const Session *session, const CourseLesson *entry, Arrival *arrival);

/* Returns the changes of a lesson in the arena; false for none. */
bool remember_draft(const Session *session, const CourseLesson *entry, Arena *arena,
                    MemoryDraft *noted, ChangesDraft *draft);

/* Changes the lesson shown as a link's list of changes says; NULL: as its draft does, and
 * says so.
 *
 * A list that isn't the draft's begins a visit. A visit notes no draft until something is
 * changed in it, and none at all where the reader has a draft already: that is there
 * again when the lesson is left and opened anew. */
void remember_changes(Session *session, const char *list);

/* True if opening a lesson ends a visit to it, because the reader has a draft of it. */
bool remember_ends_visit(const Session *session, const CourseLesson *entry);

/* True if a lesson is being read, rather than shown by the tour or by practice. */
bool session_reads(const Session *session);

/* Notes a lesson that is shown now among those opened from files, where it is one. */
void remember_opened(Session *session);
