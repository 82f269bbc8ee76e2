/* Keeping what was changed in a lesson, as a lesson file of its own. */
#ifndef APP_SAVE_LESSON_H
#define APP_SAVE_LESSON_H

#include "session/session.h"

/* Writes the session's lesson with all its changes (lesson/play/changes_file.h) into
 * `folder`, made where it isn't there; NULL: beside the lesson's file, or where nobody
 * may write there and for a lesson of the course, where the user keeps lessons. The file
 * is called NAME-changed.yaml, or NAME-changed-2.yaml …, what no file is called yet. The
 * session says where it is, or why not. Gives the path, in the arena; NULL with
 * ERROR_FILE, ERROR_VALUE or ERROR_MEMORY.
 */
const char *save_lesson_copy(Session *session, const char *folder, Arena *arena,
                             Error *error);

#endif
