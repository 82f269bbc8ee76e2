/* Answering the question of a step (session/question.h); while practising, choosing from
 * an exercise's options. */
#pragma once

#include "picture/overlays/practise_panel.h"
#include "session/session.h"

/* Returns the panel of the present exercise. */
PractisePanel questions_panel(const Session *session);
