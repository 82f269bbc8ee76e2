#include "session/action.h"
#include "session/state.h"

#include <string.h>

/* A text of the learner's own in place of the lesson's. */

enum { SCRATCH_BYTES = 4 << 20, WORDS_SHOWN = 60 };

/* Whether a lesson knows all words of a text; else says which it doesn't, and some that
 * it does. */
static bool knows_words(Session *session, const char *text) {
    Arena *arena = arena_create(SCRATCH_BYTES);
    const char *unknown =
        arena ? lesson_unknown_word(session->lesson, text, arena) : NULL;
    if (unknown)
        session_say(session, "text.unknown_word", unknown,
                    lesson_some_words(session->lesson, WORDS_SHOWN, arena));
    bool knows = !unknown;
    arena_destroy(arena);
    return knows;
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
static bool use_own_text(Session *session, const char *text) {
    const Lesson *plain = session->entry->lesson;
    if (is_text(text, session->lesson->text))
        return true;
    if (!text[strspn(text, " ")] || (plain && is_text(text, plain->text))) {
        if (!is_its_own(session))
            drop_own_text(session);
        return true;
    }
    return knows_words(session, text) && put_text(session, text);
}

/* A panel of switches is closed: it would stand over what is written. */
static bool write_own_text(Session *session) {
    mode_leave(session, &mode_switches);
    static const Prompt prompt = {"text.title", "text.keys", use_own_text, false};
    prompt_begin(session, &prompt, session->lesson->text);
    return true;
}

static const char *has_no_text(const Session *session) {
    return session->lesson->text ? NULL : "text.none";
}

static const Action actions[] = {
    {"own_text", {"E"}, "E", write_own_text, has_no_text, 0},
    {"lessons_text", {"Shift+E"}, "Shift+E", drop_own_text, is_its_own, ACTION_QUIET},
};

const ActionGroup actions_text = ACTION_GROUP(&mode_lesson, actions);
