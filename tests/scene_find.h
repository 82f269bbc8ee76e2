/* What tests look for in a scene. */
#ifndef TESTS_SCENE_FIND_H
#define TESTS_SCENE_FIND_H

#include "picture/scene/scene.h"

#include <string.h>

/* Whether one of its texts that can be seen has these words in it. */
static inline bool scene_shows(const Scene *scene, const char *words) {
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_TEXT && item->fill.a && strstr(item->text, words))
            return true;
    }
    return false;
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

#endif
