#include "picture/scene/scene_read.h"

#include "base/strings/writer.h"

#include <math.h>

static const double BLANK = 0.15; /* ems: what stands further apart are two words */

/* Whether a text goes on with the line that another has begun. */
static bool goes_on(const SceneItem *before, const SceneItem *item) {
    Box a = before->box, b = item->box;
    double shared = fmin(a.y + a.h, b.y + b.h) - fmax(a.y, b.y);
    return shared > fmin(a.h, b.h) / 4 && b.x > a.x;
}

static const char *gap(const SceneItem *before, const SceneItem *item) {
    if (!goes_on(before, item))
        return "\n";
    double free = item->box.x - before->box.x - before->box.w;
    return free > BLANK * item->size ? " " : "";
}

const char *scene_read(const Scene *scene, Arena *arena) {
    Writer writer = {.arena = arena};
    const SceneItem *before = NULL;
    writer_text(&writer, "");
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_TEXT || item->angle != 0)
            continue;
        if (before)
            writer_text(&writer, gap(before, item));
        writer_text(&writer, item->text);
        before = item;
    }
    return writer.full ? NULL : writer.text;
}
