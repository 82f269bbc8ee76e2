#include "picture/scene/scene.h"

#include "base/strings/writer.h"

#include <math.h>

static const double BLANK = 0.15; /* gap between two words, in ems */
/* Least rise of an exponent, as a fraction of the line's size. */
static const double RAISED = 0.2;

/* Reports whether a text continues the line of the text before it. */
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

/* Reports whether a text stands above and beside a line, as an exponent does. */
static bool is_raised(const SceneItem *line, const SceneItem *item) {
    return line && item->size < line->size && goes_on(line, item) &&
           item->origin.y < line->origin.y - RAISED * line->size;
}

/* Number of texts that are raised together, from item `at` on. */
static size_t count_raised(const Scene *scene, const SceneItem *line, size_t at) {
    size_t count = 0;
    while (at + count < scene->count && scene->items[at + count].kind == SCENE_TEXT &&
           is_raised(line, &scene->items[at + count]))
        count++;
    return count;
}

const char *scene_read(const Scene *scene, Arena *arena) {
    Writer writer = {.arena = arena};
    /* Last item, and last item that is not raised. */
    const SceneItem *before = NULL, *line = NULL;
    size_t raised = 0; /* raised items left to skip */
    writer_text(&writer, "");
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_TEXT || item->angle != 0)
            continue;
        size_t begun = raised ? 0 : count_raised(scene, line, i);
        if (begun > 1)
            writer_text(&writer, "^(");
        else if (before)
            writer_text(&writer, begun ? "^" : gap(before, item));
        writer_text(&writer, item->text);
        raised += begun > 1 ? begun : 0;
        if (raised && --raised == 0)
            writer_text(&writer, ")");
        if (!is_raised(line, item))
            line = item;
        before = item;
    }
    return writer.text;
}
