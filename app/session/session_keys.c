#include "session/session_actions.h"

#include "picture/tensors/views.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- what is done everywhere ---- */

static bool save(Session *session) {
    end_motion(session); /* a picture shows all that is there */
    session->request = SESSION_SAVE;
    return true;
}

static bool change_language(Session *session) {
    session->language = languages_next(&session->course->languages, session->language);
    return true;
}

static bool change_theme(Session *session) {
    const Themes *themes = &session->course->themes;
    size_t index = (size_t)(session->theme - themes->items);
    session->theme = &themes->items[(index + 1) % themes->count];
    return true;
}

LessonView session_tensor_view(const Session *session) {
    bool here = session->tensor_view_step == session->player.step;
    return here ? session->tensor_view : LESSON_VIEW_NONE;
}

static bool change_view(Session *session) {
    LessonView present = views_present(&session->player, session_tensor_view(session));
    session->tensor_view = views_next(&session->player, present);
    session->tensor_view_step = session->player.step;
    return session->tensor_view != present;
}

static bool full_screen(Session *session) {
    session->request = SESSION_FULLSCREEN;
    return true;
}

static bool toggle_help(Session *session) {
    session->help = !session->help;
    return true;
}

static bool quit(Session *session) {
    session->request = SESSION_QUIT;
    return true;
}

/* ---- one table for what keys do and for the help that lists them ---- */

typedef struct KeyEntry {
    const char *keys[3];     /* names, any of them */
    const char *shown;       /* as the help writes them; NULL: it doesn't */
    const char *words;       /* strings key */
    SessionAction in_lesson; /* NULL: nothing there */
    SessionAction in_overview;
    bool over_help; /* done while the help is open, which others close */
} KeyEntry;

static const KeyEntry keys[] = {
    {{"Right"}, "→   Space", "key.right", arrow_right, begin_or_choose_next, false},
    {{"Space"}, NULL, "key.right", go_right, begin_or_choose_next, false},
    {{"Left"}, "←", "key.left", arrow_left, choose_previous, false},
    {{"Down"}, "↓", "key.down", arrow_down, choose_below, false},
    {{"Up"}, "↑", "key.up", arrow_up, choose_above, false},
    {{"Home"}, "Home", "key.first", pin_first, choose_first, false},
    {{"End"}, "End", "key.last", pin_last, choose_last, false},
    {{"A"}, "A", "key.play", toggle_playing, NULL, false},
    {{"+", "=", "Keypad +"}, "+   −", "key.speed", play_faster, NULL, false},
    {{"-", "Keypad -"}, NULL, "key.speed", play_slower, NULL, false},
    {{"C"}, "C   ← → ↑ ↓", "key.pin", pin_next_tensor, NULL, false},
    {{"PageDown"}, "Page Down", "key.next_lesson", next_lesson, choose_next, false},
    {{"PageUp"},
     "Page Up",
     "key.previous_lesson",
     previous_lesson,
     choose_previous,
     false},
    {{"Return"}, "Enter", "key.enter", edit_cell, open_chosen, false},
    {{"["}, "[   ]", "key.nudge", nudge_down, NULL, false},
    {{"]"}, NULL, "key.nudge", nudge_up, NULL, false},
    {{"D"}, "D", "key.differences", toggle_differences, NULL, false},
    {{"Ctrl+Z"}, "Ctrl+Z   Ctrl+Y", "key.undo", undo, NULL, false},
    {{"Ctrl+Y", "Ctrl+Shift+Z"}, NULL, "key.undo", redo, NULL, false},
    {{"Ctrl+S"}, "Ctrl+S", "key.keep", keep_changes, NULL, false},
    {{"X"}, "X", "key.switches", open_switches, NULL, false},
    {{"O"}, "O", "key.overview", show_overview, NULL, false},
    {{"Escape"}, "Esc", "key.unpin", let_go, NULL, false},
    {{"Tab"}, "Tab", "key.words", next_words, NULL, false},
    {{"Shift+Tab"}, NULL, "key.words", previous_words, NULL, false},
    {{"V"}, "V", "key.view", change_view, NULL, false},
    {{"M"}, "M", "key.mute", toggle_mute, NULL, false},
    {{"R"}, "R", "key.restore", restore, NULL, false},
    {{"E"}, "E", "key.text", write_own_text, NULL, false},
    {{"Shift+E"}, "Shift+E", "key.drop_text", drop_own_text, NULL, false},
    {{"Backspace"}, "Backspace", "key.follow", follow_back, NULL, false},
    {{"Shift+Backspace"}, NULL, NULL, follow_return, NULL, false},
    {{"P"}, "P", "key.practise", practise_lesson, NULL, false},
    {{"Shift+P"}, "Shift+P", "key.practise_step", practise_step, NULL, false},
    {{"I"}, "I", "key.influence", toggle_influence, NULL, false},
    {{"S"}, "S", "key.save", save, save, false},
    {{"L"}, "L", "key.language", change_language, change_language, true},
    {{"T"}, "T", "key.theme", change_theme, change_theme, true},
    {{"F11"}, "F11", "key.fullscreen", full_screen, full_screen, true},
    {{"?", "F1", "H"}, "?", "key.help", toggle_help, toggle_help, true},
    {{"Q"}, "Q", "key.quit", quit, quit, true},
};

enum { KEY_COUNT = sizeof keys / sizeof *keys, KEY_NAMES = 3 };

/* What a key is called here that keyboards have another name for. */
static const char *plain_name(const char *key) {
    static const char *const names[][2] = {
        {"Enter", "Return"}, {"Keypad Enter", "Return"}, {"Esc", "Escape"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(key, names[i][0]) == 0)
            return names[i][1];
    }
    return key;
}

static const KeyEntry *find_key(const char *name) {
    for (size_t i = 0; i < KEY_COUNT; i++) {
        for (size_t j = 0; j < KEY_NAMES && keys[i].keys[j]; j++) {
            if (strcasecmp(name, keys[i].keys[j]) == 0)
                return &keys[i];
        }
    }
    return NULL;
}

bool session_key_exists(const char *name) {
    const char *key = plain_name(name);
    return find_key(key) || writing_key_exists(key);
}

const char *session_nearest_key(const char *key) {
    const char *names[KEY_COUNT * KEY_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        for (size_t j = 0; j < KEY_NAMES && keys[i].keys[j]; j++)
            names[count++] = keys[i].keys[j];
    }
    return error_nearest(key, names, count);
}

size_t key_count(void) {
    return KEY_COUNT;
}

HelpEntry key_help(size_t index) {
    return (HelpEntry){keys[index].shown, keys[index].words};
}

size_t key_index(const char *name) {
    const KeyEntry *entry = find_key(name);
    return entry ? (size_t)(entry - keys) : KEY_COUNT;
}

/* ---- pressing ---- */

/* Autoplay goes on until another key than its own is pressed. */
static bool is_of_playing(const KeyEntry *entry) {
    SessionAction action = entry->in_lesson;
    return action == toggle_playing || action == play_faster || action == play_slower;
}

static bool press(Session *session, const KeyEntry *entry) {
    if (!is_of_playing(entry))
        stop_playing(session);
    if (session->view != SESSION_LESSON)
        session->switching = false;
    if (session->help && !entry->over_help) {
        session->help = false; /* Escape too */
        return true;
    }
    switch (session->view) {
    case SESSION_LESSON:
        return entry->in_lesson && entry->in_lesson(session);
    case SESSION_OVERVIEW:
        return entry->in_overview && entry->in_overview(session);
    case SESSION_OPENING:
        return false;
    }
    return false;
}

bool press_entry(Session *session, size_t index) {
    session->message[0] = 0;
    return index < KEY_COUNT && press(session, &keys[index]);
}

/* While a lesson is being read, Escape lets go of it, Q quits, other keys wait. */
static bool press_while_opening(Session *session, const char *key) {
    SessionOpening *opening = &session->opening;
    if (strcasecmp(key, "Escape") == 0) {
        session_abandon_opening(session);
        if (session->view == SESSION_OPENING)
            show_overview(session);
        return true;
    }
    if (strcasecmp(key, "Q") == 0)
        return quit(session);
    if (opening->kept_count < SESSION_KEYS_KEPT)
        snprintf(opening->kept[opening->kept_count++], SESSION_KEY_SIZE, "%s", key);
    return false;
}

/* Language, theme, help, leaving: what is done anywhere; while letters are an answer's,
 * only the keys that write none. */
static bool is_open_while_practising(const Session *session, const char *key) {
    const KeyEntry *entry = find_key(key);
    bool writes = strlen(key) == 1 && practise_is_writing(session);
    return entry && entry->over_help && !writes;
}

static bool press_key(Session *session, const char *key) {
    if (session_is_opening(session))
        return press_while_opening(session, key);
    if (session->prompt)
        return press_while_writing(session, key);
    bool changed = false;
    if (is_practising(session) && !session->help) {
        if (press_while_practising(session, key, &changed) ||
            !is_open_while_practising(session, key))
            return changed;
    }
    if (session->switching && press_while_switching(session, key, &changed))
        return changed;
    const KeyEntry *entry = find_key(key);
    bool had_message = session->message[0] != 0;
    session->message[0] = 0;
    return (entry && press(session, entry)) || had_message;
}

/* A pointer that lies still says nothing about what a key brings. */
bool session_key(Session *session, const char *key) {
    bool hovered = session->has_hover && session_key_exists(key);
    bool changed = press_key(session, plain_name(key));
    if (hovered)
        session->has_hover = false;
    return changed || hovered;
}
