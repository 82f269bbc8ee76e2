#include "picture/stage/layouts.h"

const LayoutChoice *layouts_find(const Layouts *layouts, uint64_t key) {
    for (size_t i = 0; layouts && i < LAYOUTS_KEPT && i < layouts->searches; i++) {
        if (layouts->keys[i] == key)
            return &layouts->choices[i];
    }
    return NULL;
}

void layouts_keep(Layouts *layouts, uint64_t key, const LayoutChoice *choice) {
    if (!layouts)
        return;
    size_t at = layouts->searches++ % LAYOUTS_KEPT;
    layouts->keys[at] = key;
    layouts->choices[at] = *choice;
}
