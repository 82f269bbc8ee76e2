/* The quiz: questions over the course, one after another. Each is practised as a round of
 * one in its lesson; what came of them stands on one sheet at the end. */
#pragma once

#include "picture/overlays/quiz_sheet.h"
#include "session/session.h"

/* Begins the quiz of a seed. Returns false, and changes nothing, if no lesson has a
 * question. */
bool quiz_begin(Session *session, uint64_t seed);

/* Takes its present question up, whose lesson is shown now; false where it can't be. */
bool quiz_resume(Session *session);

/* Records the present question's outcome and goes on to the next one, or to the score
 * behind the last. */
bool quiz_go_on(Session *session);

/* Leaves it for the step of a question; for home where there is no such question. */
bool quiz_look(Session *session, size_t index);

/* Returns the score sheet behind the last question. */
QuizSheet quiz_sheet(Session *session, Arena *arena);

/* Begins the next quiz. */
bool quiz_again(Session *session);
