#include "picture/scene/scene.h"

#include "base/strings/aloud.h"

#include <math.h>
#include <string.h>

static const double BLANK = 0.15, APART = 1.5; /* gap between two words, and two texts
                                                  that no sentence joins, in ems */

/* Reports whether a text continues the line of the text before it. */
static bool goes_on(const SceneItem *before, const SceneItem *item) {
    Box a = before->box, b = item->box;
    double shared = fmin(a.y + a.h, b.y + b.h) - fmax(a.y, b.y);
    return shared > fmin(a.h, b.h) / 4 && b.x > a.x;
}

/* Reports whether a text stands directly behind the one before it. */
static bool touches(const SceneItem *before, const SceneItem *item) {
    bool apart =
        before->aloud || item->aloud || item->text[0] == ' ' || !goes_on(before, item);
    return !apart && item->box.x - before->box.x - before->box.w <= BLANK * item->size;
}

/* Reports whether a text on a line has a wide gap before it. */
static bool is_apart(const SceneItem *before, const SceneItem *item) {
    double gap = item->box.x - before->box.x - before->box.w;
    return !before->aloud && gap > APART * fmax(before->size, item->size);
}

/* Reports whether a text ends without punctuation. */
static bool ends_openly(const Writer *writer) {
    char last = writer->length ? writer->text[writer->length - 1] : ':';
    return !strchr(".;:,!? \n", last);
}

/* Words of an item: those of its group, its text with its signs in words, or, for code,
 * the text as it stands. */
static const char *words_of(const Scene *scene, const SceneItem *item, Arena *arena) {
    if (item->aloud)
        return item->aloud;
    return scene->language && item->font != FONT_MONO
               ? aloud_text(arena, scene->language, item->text)
               : item->text;
}

const char *scene_read(const Scene *scene, Arena *arena) {
    Writer writer = {.arena = arena};
    const SceneItem *before = NULL; /* last text */
    writer_text(&writer, "");
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind != SCENE_TEXT || item->angle != 0)
            continue;
        if (before && item->aloud && item->aloud == before->aloud) {
            before = item;
            continue;
        }
        const char *words = words_of(scene, item, arena);
        if (!words[0])
            continue;
        bool same_line = before && (item->flows || goes_on(before, item));
        writer_text(&writer, before && !same_line ? "\n" : "");
        if (same_line && is_apart(before, item) && ends_openly(&writer))
            writer_text(&writer, ";");
        if (same_line && !touches(before, item))
            aloud_put(&writer, words);
        else
            writer_text(&writer, words);
        before = item;
    }
    return writer.text;
}
