#include "picture/scene/theme.h"

#include "base/error.h"
#include "base/number.h"
#include "lesson/schema/yaml.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum SlotKind {
    SLOT_COLOR,
    SLOT_COLORS,  /* a list of a fixed number of colours */
    SLOT_PALETTE, /* any number of stops from 2 to PALETTE_MAX_STOPS */
    SLOT_NUMBER,  /* from 0.5 to 4; default 1 */
    SLOT_SWITCH   /* true or false; default false */
} SlotKind;

/* An entry of a theme: its key in the file and its offset in a Theme. */
typedef struct Slot {
    const char *name;
    size_t offset;
    SlotKind kind;
    size_t count; /* number of colours in a list */
} Slot;

#define SLOT(field)                                                                      \
    { #field, offsetof(Theme, field), SLOT_COLOR, 1 }

static const Slot slots[] = {
    SLOT(page),
    SLOT(panel),
    SLOT(bar),
    SLOT(line),
    SLOT(ink),
    SLOT(ink_soft),
    SLOT(ink_faint),
    SLOT(current),
    SLOT(current_ink),
    SLOT(accent),
    SLOT(focus),
    SLOT(query),
    SLOT(key),
    SLOT(value),
    SLOT(residual),
    SLOT(probabilities),
    SLOT(norm),
    SLOT(feed_forward),
    {"other", offsetof(Theme, other), SLOT_COLORS, 4},
    SLOT(good),
    SLOT(good_ink),
    SLOT(bad),
    SLOT(bad_ink),
    SLOT(masked),
    SLOT(hatch),
    SLOT(cell_dark),
    SLOT(cell_light),
    {"diverging", offsetof(Theme, diverging), SLOT_PALETTE, 0},
    {"sequential", offsetof(Theme, sequential), SLOT_PALETTE, 0},
    {"lines", offsetof(Theme, lines), SLOT_NUMBER, 0},
    {"patterns", offsetof(Theme, patterns), SLOT_SWITCH, 0},
};

enum { SLOT_COUNT = sizeof slots / sizeof *slots };

static bool read_color(const YamlNode *node, Color *color, ErrorList *errors) {
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    bool good = text[0] == '#' && strlen(text) == 7;
    for (size_t i = 1; good && i < 7; i++)
        good = isxdigit((unsigned char)text[i]);
    if (!good)
        return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                              "'%.40s' is not a colour; write it as \"#rrggbb\"", text);
    unsigned long value = strtoul(text + 1, NULL, 16);
    *color = (Color){(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value, 255};
    return true;
}

static bool read_colors(const YamlNode *node, size_t least, size_t most, Color *colors,
                        size_t *count, ErrorList *errors) {
    if (node->kind != YAML_SEQUENCE || node->count < least || node->count > most)
        return error_list_add(errors, ERROR_VALUE, node->line, node->column,
                              "a list of %zu to %zu colours is needed here", least, most);
    bool good = true;
    *count = 0;
    for (const YamlNode *item = node->first; item; item = item->next)
        good &= read_color(item, &colors[(*count)++], errors);
    return good;
}

static bool read_number(const YamlNode *node, double *number, ErrorList *errors) {
    static const double least = 0.5, most = 4;
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    return (number_parse(text, number, NULL) && *number >= least && *number <= most) ||
           error_list_add(errors, ERROR_VALUE, node->line, node->column,
                          "a number from %g to %g is needed here", least, most);
}

static bool read_switch(const YamlNode *node, bool *on, ErrorList *errors) {
    const char *text = node->kind == YAML_SCALAR ? node->text : "";
    *on = strcmp(text, "true") == 0;
    return *on || strcmp(text, "false") == 0 ||
           error_list_add(errors, ERROR_VALUE, node->line, node->column,
                          "true or false is needed here");
}

static bool read_slot(const Slot *slot, const YamlNode *node, Theme *theme,
                      ErrorList *errors) {
    void *place = (char *)theme + slot->offset;
    Palette *palette = place;
    size_t count;
    switch (slot->kind) {
    case SLOT_PALETTE:
        return read_colors(node, 2, PALETTE_MAX_STOPS, palette->stops, &palette->count,
                           errors);
    case SLOT_COLORS:
        return read_colors(node, slot->count, slot->count, place, &count, errors);
    case SLOT_NUMBER:
        return read_number(node, place, errors);
    case SLOT_SWITCH:
        return read_switch(node, place, errors);
    case SLOT_COLOR:
        break;
    }
    return read_color(node, place, errors);
}

static const Slot *find_slot(const char *name) {
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        if (strcmp(slots[i].name, name) == 0)
            return &slots[i];
    }
    return NULL;
}

static bool unknown_color(const YamlNode *item, ErrorList *errors) {
    const char *name = item->key ? item->key->text : "";
    const char *names[SLOT_COUNT];
    for (size_t i = 0; i < SLOT_COUNT; i++)
        names[i] = slots[i].name;
    const char *nearest = error_nearest(name, names, SLOT_COUNT);
    return error_list_add(errors, ERROR_NAME, item->line, item->column,
                          "a theme has no colour '%.40s'%s%s%s", name,
                          nearest ? "; did you mean '" : "", nearest ? nearest : "",
                          nearest ? "'?" : "");
}

static bool read_theme(const YamlNode *node, Theme *theme, ErrorList *errors) {
    bool good = true;
    theme->lines = 1;
    for (const YamlNode *item = node->first; item; item = item->next) {
        const Slot *slot = item->key ? find_slot(item->key->text) : NULL;
        if (slot)
            good &= read_slot(slot, item, theme, errors);
        else
            good = unknown_color(item, errors);
    }
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        bool needed = slots[i].kind != SLOT_NUMBER && slots[i].kind != SLOT_SWITCH;
        if (needed && !yaml_lookup(node, slots[i].name))
            good = error_list_add(errors, ERROR_NAME, node->line, node->column,
                                  "the theme lacks the colour '%s'", slots[i].name);
    }
    return good;
}

bool themes_load(Arena *arena, const char *path, Themes *themes, ErrorList *errors) {
    errors->file = path;
    size_t length;
    const char *text = yaml_read_file(arena, path, &length, errors);
    const YamlNode *root = text ? yaml_read(arena, text, length, errors) : NULL;
    if (!root || errors->count)
        return false;
    if (root->kind != YAML_MAPPING || root->count == 0)
        return error_list_add(errors, ERROR_SYNTAX, root->line, root->column,
                              "a theme file is a mapping from names to colours");
    Theme *items = arena_alloc(arena, root->count, sizeof *items);
    if (!items)
        return error_list_add(errors, ERROR_MEMORY, 0, 0,
                              "there is no memory for themes");
    bool good = true;
    size_t count = 0;
    for (const YamlNode *item = root->first; item; item = item->next) {
        items[count].name = item->key->text;
        good &= read_theme(item, &items[count++], errors);
    }
    *themes = (Themes){count, items};
    return good;
}

const Theme *themes_lookup(const Themes *themes, const char *name) {
    for (size_t i = 0; i < themes->count; i++) {
        if (strcmp(themes->items[i].name, name) == 0)
            return &themes->items[i];
    }
    return NULL;
}
