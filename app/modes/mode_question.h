/* Answering the question of a step (session/question.h); while practising, choosing from
 * an exercise's options. */
#ifndef APP_MODE_QUESTION_H
#define APP_MODE_QUESTION_H

#include "picture/overlays/practise_panel.h"
#include "session/session.h"

/* Returns the panel of the present exercise. */
PractisePanel questions_panel(const Session *session);

#endif
