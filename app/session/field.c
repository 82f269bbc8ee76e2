#include "session/mode.h"

#include "base/strings/utf8.h"
#include "picture/overlays/overlays.h"

#include <string.h>
#include <strings.h>

void field_begin(Field *field, const char *text) {
    size_t length = strlen(text);
    if (length >= sizeof field->text)
        length = utf8_check(text, sizeof field->text - 1);
    memcpy(field->text, text, length);
    field->text[length] = 0;
    field->caret = length;
    field->selected = length > 0;
}

static bool is_continuation(char byte) {
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* The place of the character before or behind a place. */
static size_t before(const Field *field, size_t at) {
    while (at > 0 && is_continuation(field->text[--at])) {
    }
    return at;
}

static size_t behind(const Field *field, size_t at) {
    size_t length = strlen(field->text);
    while (at < length && is_continuation(field->text[++at])) {
    }
    return at;
}

/* ---- keys ---- */

static bool put_caret(Field *field, size_t at) {
    bool changed = at != field->caret || field->selected;
    field->caret = at;
    field->selected = false;
    return changed;
}

/* Takes [from, to) away, or all that is selected. */
static bool cut(Field *field, size_t from, size_t to) {
    if (field->selected) {
        from = 0;
        to = strlen(field->text);
    }
    memmove(field->text + from, field->text + to, strlen(field->text + to) + 1);
    field->caret = from;
    field->selected = false;
    return from < to;
}

static bool go_left(Field *field) {
    return put_caret(field, field->selected ? 0 : before(field, field->caret));
}

static bool go_right(Field *field) {
    return put_caret(field,
                     field->selected ? strlen(field->text) : behind(field, field->caret));
}

static bool go_home(Field *field) {
    return put_caret(field, 0);
}

static bool go_end(Field *field) {
    return put_caret(field, strlen(field->text));
}

static bool cut_before(Field *field) {
    return cut(field, before(field, field->caret), field->caret);
}

static bool cut_after(Field *field) {
    return cut(field, field->caret, behind(field, field->caret));
}

static bool select_all(Field *field) {
    bool changed = !field->selected && field->text[0];
    field->selected = field->text[0] != 0;
    field->caret = strlen(field->text);
    return changed;
}

static const struct {
    const char *key;
    bool (*act)(Field *field);
} keys[] = {
    {"Left", go_left},         {"Right", go_right},    {"Home", go_home},
    {"End", go_end},           {"Ctrl+A", select_all}, {"Delete", cut_after},
    {"Backspace", cut_before},
};

enum { KEY_COUNT = sizeof keys / sizeof *keys };

bool field_key_exists(const char *key) {
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcasecmp(keys[i].key, key) == 0)
            return true;
    }
    return false;
}

bool field_key(Field *field, const char *key) {
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcasecmp(keys[i].key, key) == 0)
            return keys[i].act(field);
    }
    return false;
}

/* ---- text ---- */

bool field_insert(Field *field, const char *text) {
    size_t added = strlen(text), kept = field->selected ? 0 : strlen(field->text);
    if (!added || kept + added + 1 > sizeof field->text ||
        utf8_check(text, added) != added)
        return false;
    if (field->selected)
        cut(field, 0, 0);
    char *at = field->text + field->caret;
    memmove(at + added, at, strlen(at) + 1);
    memcpy(at, text, added);
    for (size_t i = 0; i < added; i++) {
        if ((unsigned char)at[i] < ' ' || at[i] == 127)
            at[i] = ' ';
    }
    field->caret += added;
    return true;
}

bool field_number_key(Field *field, size_t key) {
    const char *text = number_key_text(key);
    return text ? field_insert(field, text) : cut_before(field);
}
