#include "session/session_actions.h"

#include <string.h>
#include <strings.h>

enum { SCRATCH_BYTES = 4 << 20, WORDS_SHOWN = 60 };

/* ---- writing a text, for whatever it is wanted ---- */

bool session_is_writing(const Session *session) {
    return session->prompt != NULL || practise_is_writing(session);
}

void begin_writing(Session *session, const SessionPrompt *prompt, const char *text) {
    session->prompt = prompt;
    field_begin(&session->field, text);
}

static bool paste(Session *session) {
    session->request = SESSION_PASTE;
    return false;
}

static bool leave(Session *session) {
    session->prompt = NULL;
    return true;
}

static bool use(Session *session) {
    const SessionPrompt *prompt = session->prompt;
    if (prompt->use(session, session->field.text))
        session->prompt = NULL;
    return true;
}

static const struct {
    const char *key;
    SessionAction action;
} writing_keys[] = {
    {"Escape", leave},
    {"Return", use},
    {"Ctrl+V", paste},
    {"Shift+Insert", paste},
};

enum { WRITING_KEY_COUNT = sizeof writing_keys / sizeof *writing_keys };

static SessionAction writing_action(const char *key) {
    for (size_t i = 0; i < WRITING_KEY_COUNT; i++) {
        if (strcasecmp(writing_keys[i].key, key) == 0)
            return writing_keys[i].action;
    }
    return NULL;
}

bool writing_key_exists(const char *key) {
    return writing_action(key) || field_key_exists(key);
}

bool press_while_writing(Session *session, const char *key) {
    SessionAction action = writing_action(key);
    bool had_message = session->message[0] != 0;
    session->message[0] = 0;
    return (action ? action(session) : field_key(&session->field, key)) || had_message;
}

bool session_type(Session *session, const char *text) {
    if (!session->prompt && practise_is_writing(session))
        return practise_type(session, text);
    if (!session->prompt || !field_insert(&session->field, text))
        return false;
    session->message[0] = 0;
    return true;
}

/* ---- a text of the learner's own ---- */

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

/* An empty text is the lesson's own again. */
static bool use_own_text(Session *session, const char *text) {
    if (!text[strspn(text, " ")]) {
        session_use_text(session, NULL);
        return true;
    }
    return knows_words(session, text) && session_use_text(session, text);
}

bool write_own_text(Session *session) {
    static const SessionPrompt prompt = {"text.title", "text.keys", use_own_text, false};
    if (!session->lesson->text)
        session_say(session, "text.none", NULL, NULL);
    else
        begin_writing(session, &prompt, session->lesson->text);
    return true;
}

bool drop_own_text(Session *session) {
    return session_use_text(session, NULL);
}
