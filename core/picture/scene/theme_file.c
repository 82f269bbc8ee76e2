#include "picture/scene/theme_file.h"

#include "lesson/schema/yaml.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Every colour by its name in the file and its place in a Theme. */
typedef struct Slot {
    const char *name;
    size_t offset;
    size_t count;    /* colours in a list; 0: a single colour */
    bool is_palette; /* any number of stops from 2 to PALETTE_MAX_STOPS */
} Slot;

#define SLOT(field)                                                                      \
    { #field, offsetof(Theme, field), 0, false }

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
    SLOT(shares),
    SLOT(norm),
    SLOT(feed_forward),
    {"other", offsetof(Theme, other), 4, false},
    SLOT(good),
    SLOT(good_ink),
    SLOT(bad),
    SLOT(bad_ink),
    SLOT(masked),
    SLOT(hatch),
    SLOT(cell_dark),
    SLOT(cell_light),
    {"diverging", offsetof(Theme, diverging), 0, true},
    {"sequential", offsetof(Theme, sequential), 0, true},
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

static bool read_slot(const Slot *slot, const YamlNode *node, Theme *theme,
                      ErrorList *errors) {
    void *place = (char *)theme + slot->offset;
    size_t count;
    if (slot->is_palette) {
        Palette *palette = place;
        return read_colors(node, 2, PALETTE_MAX_STOPS, palette->stops, &palette->count,
                           errors);
    }
    if (slot->count)
        return read_colors(node, slot->count, slot->count, place, &count, errors);
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
    for (const YamlNode *item = node->first; item; item = item->next) {
        const Slot *slot = item->key ? find_slot(item->key->text) : NULL;
        if (slot)
            good &= read_slot(slot, item, theme, errors);
        else
            good = unknown_color(item, errors);
    }
    for (size_t i = 0; i < SLOT_COUNT; i++) {
        if (!yaml_lookup(node, slots[i].name))
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
