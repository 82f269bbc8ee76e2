#include "base/strings/language.h"
#include "base/strings/writer.h"
#include "drive/drive.h"
#include "modes/modes.h"
#include "picture/page/page.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"
#include "session/state.h"

/* The session as a text for screen readers. */

/* Reads what the modes draw over the page; "" if none of them draws anything, as while an
 * exercise stands in the page itself. */
static const char *read_over(Session *session, const TextMetrics *metrics, Arena *arena) {
    Scene scene;
    scene_init(&scene, arena, PAGE_WIDTH, PAGE_HEIGHT, session->theme->page);
    scene_set_language(&scene, session->language);
    Canvas canvas = {.scene = &scene,
                     .theme = session->theme,
                     .metrics = metrics,
                     .language = session->language,
                     .heard = true};
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

static const char *read_page(Session *session, const TextMetrics *metrics, Arena *arena) {
    Page page = lesson_page(session, metrics, arena);
    page.width = PAGE_WIDTH; /* independent of the window's size */
    page.height = PAGE_HEIGHT;
    return page_read(arena, &page);
}

/* Reads the names of the modes that stand on the page's banners. */
static void read_banners(const Session *session, Writer *writer) {
    for (size_t i = 1; i < session->mode_count; i++) {
        const char *banner = session->modes[i]->banner;
        if (!banner)
            continue;
        const char *name[] = {language_words(session->language, banner)};
        writer_text(writer, language_sentence(session->language, "aloud.end", 1, name,
                                              writer->arena));
        writer_text(writer, "\n");
    }
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
    const char *over = read_over(session, metrics, arena);
    Writer writer = {.arena = arena};
    writer_text(&writer, session->message);
    writer_text(&writer, session->message[0] ? "\n" : "");
    if (!over[0] || !mode_overlaid(session)) {
        read_banners(session, &writer);
        writer_text(&writer, mode_on(session, &mode_lesson)
                                 ? read_page(session, metrics, arena)
                                 : read_home(session, arena));
        writer_text(&writer, over[0] ? "\n" : "");
    }
    writer_text(&writer, over);
    this->text = writer.text;
}

const char *session_read(Session *session, const TextMetrics *metrics, Arena *arena) {
    Reading reading = {session, metrics, arena, NULL};
    arena_guard(arena, read_guarded, &reading);
    return reading.text;
}
