/* Opening lessons, at once or in the background. */
#pragma once

#include "session/state.h"

/* Opens an entry; `options`: read anew with these, NULL: as it stands. True when it is
 * open, or on its way in the background. */
bool opening_begin(Session *session, CourseLesson *entry, Arrival arrival,
                   const LessonOptions *options, ErrorList *errors);

/* Shows what the loader has read. */
bool opening_finish(Session *session, ErrorList *errors);

/* Opens lesson number `index` of the course where the arrival says, at none of its cells;
 * true, too, where a message says why it isn't open. */
bool opening_number(Session *session, size_t index, Arrival arrival);

/* Opens lesson number `index` of the course on the step of a tensor, or ("") on its
 * first, wherever it was left. */
bool opening_at(Session *session, size_t index, const char *tensor);

/* Opens lesson number `index` of the course on its first step, with a text in place of
 * its own; NULL: to write one. */
bool opening_with_text(Session *session, size_t index, const char *text);

/* Shows another variant of the present lesson at the same place. False, with a message
 * that says why, when it can't be; the lesson then stays. */
bool opening_variant(Session *session, const Variant *variant, VariantMove move);
