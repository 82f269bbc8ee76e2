#include "base/strings/writer.h"
#include "drive/drive.h"
#include "modes/modes.h"
#include "picture/page/page.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"
#include "session/state.h"

/* The session as a text for screen readers. */

/* Reads the overlay on the page. */
static const char *read_over(Session *session, const TextMetrics *metrics, Arena *arena) {
    Scene scene;
    scene_init(&scene, arena, PAGE_WIDTH, PAGE_HEIGHT, session->theme->page);
    Canvas canvas = {.scene = &scene,
                     .theme = session->theme,
                     .metrics = metrics,
                     .language = session->language};
    SentenceNames names;
    sentence_names_use(&names, &canvas, NULL);
    for (size_t i = 1; i < session->mode_count; i++) {
        if (session->modes[i]->draw)
            session->modes[i]->draw(session, &canvas);
    }
    return scene_read(&scene, arena);
}

static const char *read_home(const Session *session, Arena *arena) {
    Link chosen = home_state(session)->chosen;
    size_t lesson =
        chosen.kind == LINK_LESSON ? chosen.index : home_place(session).lesson;
    return chosen.kind == LINK_COMMAND
               ? session_title(session, arena)
               : course_title(session->course, lesson, session->language);
}

/* The text of a session for screen readers, made under the arena's guard. */
typedef struct Reading {
    Session *session;
    const TextMetrics *metrics;
    Arena *arena;
    const char *text; /* NULL until it is complete */
} Reading;

static void read_guarded(void *context) {
    Reading *this = context;
    Session *session = this->session;
    const TextMetrics *metrics = this->metrics;
    Arena *arena = this->arena;
    bool reads = mode_on(session, &mode_lesson) && !mode_overlaid(session);
    const char *said;
    if (mode_overlaid(session)) {
        said = read_over(session, metrics, arena);
    } else if (reads) {
        Page page = lesson_page(session, metrics, arena);
        page.width = PAGE_WIDTH; /* independent of the window's size */
        page.height = PAGE_HEIGHT;
        said = page_read(arena, &page);
    } else {
        said = read_home(session, arena);
    }
    Writer writer = {.arena = arena};
    writer_text(&writer, session->message);
    writer_text(&writer, session->message[0] ? "\n" : "");
    writer_text(&writer, said);
    this->text = writer.text;
}

const char *session_read(Session *session, const TextMetrics *metrics, Arena *arena) {
    Reading reading = {session, metrics, arena, NULL};
    arena_guard(arena, read_guarded, &reading);
    return reading.text;
}
