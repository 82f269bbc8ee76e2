/* The lesson: its page, and what the pointer does on it. */
#ifndef APP_MODE_LESSON_H
#define APP_MODE_LESSON_H

#include "picture/stage/page_content.h"
#include "session/session.h"

/* The lesson's page as the modes would have it, without what is only for whoever sits
 * before it. */
Page lesson_page(Session *session, const TextMetrics *metrics, Arena *arena);

#endif
