/* Search for texts in a scene. */
#pragma once

#include "picture/scene/scene.h"

#include <string.h>

/* Returns true if one of the visible texts contains these words. */
static inline bool scene_shows(const Scene *scene, const char *words) {
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT && item->fill.a && strstr(item->text, words))
            return true;
    }
    return false;
}

/* The first of its texts that is this one, or NULL; whether there is one; how many are.
 */
static inline const SceneItem *scene_find_text(const Scene *scene, const char *text) {
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT && strcmp(item->text, text) == 0)
            return item;
    }
    return NULL;
}

static inline bool scene_says(const Scene *scene, const char *text) {
    return scene_find_text(scene, text) != NULL;
}

static inline size_t scene_count_texts(const Scene *scene, const char *text) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        count += item->kind == SCENE_TEXT && strcmp(item->text, text) == 0;
    }
    return count;
}

/* How many rectangles are filled with this colour. */
static inline size_t scene_filled(const Scene *scene, Color color) {
    size_t count = 0;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        count += item->kind == SCENE_RECTANGLE &&
                 memcmp(&item->fill, &color, sizeof color) == 0;
    }
    return count;
}
