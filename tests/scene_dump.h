/* A scene as text, for comparing it with what was looked at and found good. */
#pragma once

#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "tensor/tensor.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DUMPED_VALUES = 16 };

static inline void dump_length(double length, FILE *stream) {
    double tenths = round(length * 10) / 10;
    fprintf(stream, " %.1f", tenths == 0 ? 0.0 : tenths); /* no "-0.0" */
}

static inline void dump_box(Box box, FILE *stream) {
    dump_length(box.x, stream);
    dump_length(box.y, stream);
    dump_length(box.w, stream);
    dump_length(box.h, stream);
}

static inline void dump_color(const char *what, Color color, FILE *stream) {
    fprintf(stream, " %s #%02x%02x%02x", what, color.r, color.g, color.b);
    if (color.a != 255)
        fprintf(stream, "%02x", color.a);
}

static inline void dump_text(const char *text, FILE *stream) {
    fputs(" \"", stream);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            fprintf(stream, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            fprintf(stream, "\\x%02x", byte);
        else
            fputc(byte, stream);
    }
    fputc('"', stream);
}

static inline void dump_value(double value, FILE *stream) {
    if (isnan(value)) /* whose sign is an accident */
        fputs(" nan", stream);
    else
        fprintf(stream, " %.4g", value == 0 ? 0.0 : value);
}

static inline void dump_image(const SceneItem *item, FILE *stream) {
    const Tensor *tensor = item->tensor;
    fprintf(stream, " cells %zux%zu scale", tensor->rows, tensor->cols);
    fprintf(stream, " %.4g %.4g values", item->scale->low, item->scale->high);
    for (size_t i = 0; i < tensor_cells(tensor) && i < DUMPED_VALUES; i++)
        dump_value(tensor->values[i], stream);
    if (tensor_cells(tensor) > DUMPED_VALUES)
        fputs(" ...", stream);
}

static inline void dump_link(Link link, FILE *stream) {
    static const char *const names[] = {
        [LINK_NONE] = "none",     [LINK_CELL] = "cell",
        [LINK_SOURCE] = "source", [LINK_STEP] = "step",
        [LINK_LESSON] = "lesson", [LINK_COMMAND] = "command",
        [LINK_TRAIL] = "trail",   [LINK_WORDS] = "words",
        [LINK_TERM] = "term",     [LINK_TIMELINE] = "timeline",
        [LINK_FIELD] = "field"};
    if (link.kind == LINK_NONE)
        return;
    fprintf(stream, " link %s", names[link.kind]);
    if (link.kind != LINK_TIMELINE)
        fprintf(stream, " %zu", link.index);
    if (link.kind == LINK_CELL || link.kind == LINK_SOURCE)
        fprintf(stream, " %zu %zu", link.row, link.col);
}

static inline void dump_points(const SceneItem *item, FILE *stream) {
    fputs(" through", stream);
    for (size_t i = 0; i < item->count; i++) {
        dump_length(item->points[i].x, stream);
        dump_length(item->points[i].y, stream);
        if (i + 1 < item->count)
            fputc(',', stream);
    }
}

static inline void dump_item(const SceneItem *item, FILE *stream) {
    static const char *const kinds[] = {"rectangle", "line", "polygon", "text",
                                        "image",     "clip", "unclip"};
    static const char *const fonts[FONT_COUNT] = {"text", "bold", "math", "mono"};
    fputs(kinds[item->kind], stream);
    if (item->kind != SCENE_UNCLIP)
        dump_box(item->box, stream);
    switch (item->kind) {
    case SCENE_RECTANGLE:
        dump_color("fill", item->fill, stream);
        dump_color("stroke", item->stroke, stream);
        dump_length(item->width, stream);
        fputs(" radius", stream);
        dump_length(item->radius, stream);
        break;
    case SCENE_LINE:
        dump_color("color", item->fill, stream);
        dump_length(item->width, stream);
        dump_points(item, stream);
        break;
    case SCENE_POLYGON:
        dump_color("fill", item->fill, stream);
        dump_points(item, stream);
        break;
    case SCENE_TEXT:
        dump_text(item->text, stream);
        fprintf(stream, " %s", fonts[item->font]);
        dump_length(item->size, stream);
        dump_color("color", item->fill, stream);
        fputs(" at", stream);
        dump_length(item->origin.x, stream);
        dump_length(item->origin.y, stream);
        if (item->angle != 0) {
            fputs(" angle", stream);
            dump_length(item->angle, stream);
        }
        break;
    case SCENE_IMAGE:
        dump_image(item, stream);
        break;
    case SCENE_CLIP:
    case SCENE_UNCLIP:
        break;
    }
    if (item->kind != SCENE_CLIP && item->kind != SCENE_UNCLIP)
        dump_link(item->link, stream);
    fputc('\n', stream);
}

/* The scene as text, one item a line, lengths to a tenth: equal scenes, equal texts. */
static inline void scene_dump(const Scene *scene, FILE *stream) {
    fputs("scene", stream);
    dump_length(scene->width, stream);
    dump_length(scene->height, stream);
    dump_color("background", scene->background, stream);
    fputc('\n', stream);
    for (size_t i = 0; i < scene->count; i++)
        dump_item(&scene->items[i], stream);
}
