#include "session/action.h"
#include "session/state.h"

#include <string.h>

/* A text of the learner's own in place of the lesson's. */

enum { SCRATCH_BYTES = 4 << 20 };

/* Whether a lesson knows all words of a text; else says which it doesn't. Those that it
 * does stand below the field. */
static bool knows_words(Session *session, const char *text, Arena *arena) {
    const char *unknown = lesson_unknown_word(session->lesson, text, arena);
    if (unknown)
        session_say(session, "text.unknown_word", unknown, NULL);
    return !unknown;
}

static const char *const *words_of(const Session *session, Arena *arena, size_t *count) {
    return lesson_own_words(session->lesson, arena, count);
}

static bool put_text(Session *session, const char *text) {
    Variant variant = variant_of(session->lesson, session->entry);
    variant.text = text;
    return opening_vary(session, &variant, VARIANT_NEW);
}

static bool drop_own_text(Session *session) {
    Variant plain = {0};
    return opening_vary(session, &plain, VARIANT_NEW);
}

static const char *is_its_own(const Session *session) {
    return session->lesson == session->entry->own ? NULL : "action.why.own_text";
}

static bool is_text(const char *text, const char *other) {
    return other && strcmp(text, other) == 0;
}

/* An empty text, or the lesson's, is the lesson's own again; the present one is left. */
static bool use_text(Session *session, const char *typed, Arena *arena) {
    const Lesson *plain = session->entry->lesson;
    const char *text = lesson_text_in_its_words(session->lesson, typed, arena);
    if (is_text(text, session->lesson->text))
        return true;
    if (!text[strspn(text, " ")] || (plain && is_text(text, plain->text))) {
        if (!is_its_own(session))
            drop_own_text(session);
        return true;
    }
    return knows_words(session, text, arena) && put_text(session, text);
}

static bool use_own_text(Session *session, const char *text) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    bool used = arena && use_text(session, text, arena);
    arena_destroy(arena);
    return used;
}

/* A panel of switches is closed: it would stand over what is written. */
static bool write_own_text(Session *session) {
    mode_leave(session, &mode_switches);
    static const Prompt prompt = {.title = "text.title",
                                  .keys = "text.keys",
                                  .use = use_own_text,
                                  .words = words_of};
    prompt_begin(session, &prompt, session->lesson->text);
    return true;
}

static const char *has_no_text(const Session *session) {
    return session->lesson->text ? NULL : "text.none";
}

static const Action actions[] = {
    {"own_text", {"E"}, "E", write_own_text, has_no_text, ACTION_TOOL(TOOL_TEXT)},
    {"lessons_text", {"Shift+E"}, "Shift+E", drop_own_text, is_its_own, ACTION_QUIET},
};

const ActionGroup actions_text = ACTION_GROUP(&mode_lesson, actions);
