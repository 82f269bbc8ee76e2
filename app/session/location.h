/* The present position in the course, and data that belongs to it. */
#pragma once

#include "lesson/play/follow.h"
#include "picture/stage/page_content.h"
#include "session/state.h"

/* Returns the view chosen by V for the present step; other steps are drawn as their
 * lesson asks. */
LessonView session_tensor_view(const Session *session);

/* Returns the tape that the present lesson's values are compared with: that of the lesson
 * as its file has it, or NULL for the originals in its own tape. */
const Tape *session_base(const Session *session);

/* True if the present lesson's steps are compared with their sources. */
bool session_shows_sources(const Session *session);

/* The cell that is explained: pinned, else under the pointer, else the step's own. False
 * when there is none. */
bool lesson_explained_cell(const Session *session, FollowCell *cell);

/* Why nothing can be done with that cell: the key of what is said where there is none,
 * else NULL. */
const char *lesson_no_cell_reason(const Session *session);

/* True if a step is an epoch of a training. */
bool scrub_is_epoch(const Session *session, size_t step);

/* True if the lesson ends at this place. */
bool lesson_ends(const Player *player);

/* Goes to a step of the tree; what is about the place that is left goes: a pinned cell,
 * the lens. */
void lesson_go_to_step(Session *session, size_t step);
void lesson_leave_place(Session *session);

void pin_put(Session *session, Link cell);

/* Puts a trail on a page, where it isn't NULL and there is room for one more. */
void lesson_add_trail(Page *page, const Trail *trail);

/* True if an entry is of a file that isn't in the course's list. */
bool opening_is_file(const Session *session, const CourseLesson *entry);
