/* Keeping what was changed in a lesson, as a lesson file of its own. */
#pragma once

#include "session/session.h"

/* Writes the session's lesson with all its changes (lesson/play/changes_file.h) into
 * `folder`, which is created if it doesn't exist. NULL: beside the lesson's file or, if
 * that folder isn't writable or the lesson is the course's, in the user's folder of
 * lessons. The file is called NAME-changed.yaml, or NAME-changed-2.yaml …, the first name
 * that isn't used yet. The session shows a message with its path or the error. Returns
 * the path, in the arena; NULL with ERROR_FILE, ERROR_VALUE or ERROR_MEMORY. */
const char *save_lesson_copy(Session *session, const char *folder, Arena *arena,
                             Error *error);
