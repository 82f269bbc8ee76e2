/* The lesson: its page, and what the pointer does on it. */
#pragma once

#include "picture/stage/page_content.h"
#include "session/session.h"

/* Returns the lesson's page as the modes make it, without the parts for the learner at
 * the screen. */
Page lesson_page(Session *session, const TextMetrics *metrics, Arena *arena);
