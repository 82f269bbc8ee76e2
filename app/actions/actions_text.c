#include "actions/actions.h"

#include "lesson/content/lesson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCRATCH_BYTES = 4 << 20 };

/* ---- the lesson that takes any text ---- */

/* Its place in the course; the course's count where it is this one, or there is none. */
static size_t elsewhere(const Session *session) {
    size_t index = course_find(session->course, COURSE_TYPE_ANYTHING);
    return session->number == index + 1 ? session->course->count : index;
}

bool text_has_elsewhere(const Session *session) {
    return elsewhere(session) < session->course->count;
}

bool text_take_elsewhere(Session *session, const char *text) {
    bool any = text[strspn(text, " ")] != 0;
    return opening_with_text(session, elsewhere(session), any ? text : NULL);
}

/* Says a sentence, and where any text is taken if there is such a place. */
static void refuse(Session *session, const char *key, const char *word,
                   const char *offer) {
    char number[8];
    snprintf(number, sizeof number, "%lu", strtoul(COURSE_TYPE_ANYTHING, NULL, 10));
    const char *const both[] = {word, number};
    bool has = text_has_elsewhere(session);
    Arena *arena = arena_create(SCRATCH_BYTES);
    if (arena)
        snprintf(session->message, sizeof session->message, "%s%s",
                 language_sentence(session->language, key, 2, both, arena),
                 has ? language_sentence(session->language, offer, 2, both, arena) : "");
    arena_destroy(arena);
}

/* ---- writing one ---- */

/* Reports whether a lesson's vocabulary has all words of a text; if not, a message names
 * those that it hasn't. The vocabulary stands below the field. */
static bool has_words(Session *session, const char *text, Arena *arena) {
    const char *unknown = lesson_unknown_word(session->lesson, text, arena);
    if (unknown)
        refuse(session, "text.unknown_word", unknown, "text.elsewhere");
    return !unknown;
}

static const char *const *words_of(const Session *session, Arena *arena, size_t *count) {
    return lesson_own_words(session->lesson, arena, count);
}

static bool put_text(Session *session, const char *text) {
    Variant variant = variant_of(session->lesson, session->entry);
    variant.text = text;
    return opening_variant(session, &variant, VARIANT_NEW);
}

static bool drop_own_text(Session *session) {
    Variant plain = {0};
    return opening_variant(session, &plain, VARIANT_NEW);
}

static const char *is_its_own(const Session *session) {
    return session->lesson == session->entry->own ? NULL : "action.why.own_text";
}

static bool is_text(const char *text, const char *other) {
    return other && strcmp(text, other) == 0;
}

/* Uses a text. An empty text, or the lesson's, returns to the lesson's own; the present
 * one leaves all as it is. */
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
    return has_words(session, text, arena) && put_text(session, text);
}

/* A text that is used under its arena's guard. */
typedef struct Typed {
    Session *session;
    const char *text;
    Arena *arena;
    bool used;
} Typed;

static void use_guarded(void *context) {
    Typed *this = context;
    this->used = use_text(this->session, this->text, this->arena);
}

static bool use_own_text(Session *session, const char *text) {
    Typed typed = {session, text, arena_create(SCRATCH_BYTES), false};
    if (!typed.arena || !arena_guard(typed.arena, use_guarded, &typed))
        session_report_no_memory(session);
    arena_destroy(typed.arena);
    return typed.used;
}

/* A panel of switches is closed: it would stand over what is written. */
static bool write_own_text(Session *session) {
    if (!session->lesson->text) {
        bool offered = session->offers_text;
        session->offers_text = true;
        if (!offered)
            refuse(session, "text.none", "", "text.none_elsewhere");
        return offered ? text_take_elsewhere(session, "") : true;
    }
    mode_leave(session, &mode_switches);
    static const Prompt prompt = {.title = "text.title",
                                  .keys = "text.keys",
                                  .use = use_own_text,
                                  .words = words_of};
    prompt_begin(session, &prompt, session->lesson->text);
    return true;
}

static const char *has_no_text(const Session *session) {
    return session->lesson->text || text_has_elsewhere(session) ? NULL : "text.none";
}

static const Action actions[] = {
    {"own_text", "E", "E", .act = write_own_text, .why_not = has_no_text,
     .traits = ACTION_TOOL(TOOL_TEXT)},
    {"lessons_text", "Shift+E", "Shift+E", .act = drop_own_text, .why_not = is_its_own,
     .traits = ACTION_QUIET},
};

const ActionGroup actions_text = ACTION_GROUP(&mode_lesson, actions);
