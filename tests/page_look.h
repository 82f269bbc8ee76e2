/* Looks at pages: all of it is drawn, lies on the page, and can be read. Pages are laid
 * out with fixed advances, with wider ones (another font), and with the program's own
 * fonts where they are installed. */
#pragma once

#include "course_files.h"
#include "picture/page/page.h"
#include "picture/scene/theme.h"

#include <math.h>

enum { FAILURES_SHOWN = 40, FRAME_BYTES = 256 << 20 };

static const double INK_ASCENT = 0.72, INK_DESCENT = 0.20; /* of the size */
static const double BACK_ROW_TEXT = 30;   /* points: 24 pixels at 1280 × 720 */
static const double LEAST_CONTRAST = 4.5; /* WCAG 2.1, AA */

typedef struct Things Things;

/* One page being looked at, and how to name it in a report. */
typedef struct View {
    const char *lesson, *path, *metrics;
    size_t cell;
    const Language *language;
    LessonView drawn;
    bool chosen; /* a view other than the lesson's own */
    bool whole;  /* the page is a whole step, as it is first shown */
    bool presents;
    double larger; /* factor of the type's size; 0: usual size */
    const Theme *theme;
    const LessonStep *step;
    const Page *page; /* NULL: the picture isn't a page of a lesson */
    const Scene *scene;
    const Things *things; /* visible items of the scene */
    Arena *spare;         /* for a second scene; to be reset before it is drawn */
    size_t *failures;
    FILE *out; /* stream of the report; NULL: standard error */
} View;

/* Begins a report with the problem and the page. Returns NULL after FAILURES_SHOWN
 * reports. */
static inline FILE *report_place(const View *view, const char *what) {
    FILE *out = view->out ? view->out : stderr;
    if (++*view->failures > FAILURES_SHOWN)
        return NULL;
    fprintf(out, "%s: %s step %s", what, view->lesson, view->path);
    if (view->cell != PLAYER_NONE)
        fprintf(out, " cell %zu", view->cell);
    fprintf(out, " %.0fx%.0f %s %s %s %s: ", view->scene->width, view->scene->height,
            view->language->code, view->metrics, view->theme->name,
            lesson_view_name(view->drawn));
    return out;
}

static inline void report(const View *view, const char *what, const char *a, Box abox,
                          const char *b, Box bbox) {
    FILE *out = report_place(view, what);
    if (!out)
        return;
    fprintf(out, "'%s' (%.1f %.1f %.1f %.1f)", a, abox.x, abox.y, abox.w, abox.h);
    if (b)
        fprintf(out, " and '%s' (%.1f %.1f %.1f %.1f)", b, bbox.x, bbox.y, bbox.w,
                bbox.h);
    fputc('\n', out);
}

/* Reports a problem with a name and a number. */
static inline void report_number(const View *view, const char *what, const char *which,
                                 double number) {
    FILE *out = report_place(view, what);
    if (out)
        fprintf(out, "'%s' (%g)\n", which, number);
}

/* ---- boxes ---- */

static inline Box intersection(Box a, Box b) {
    double left = fmax(a.x, b.x), top = fmax(a.y, b.y);
    double right = fmin(a.x + a.w, b.x + b.w), bottom = fmin(a.y + a.h, b.y + b.h);
    return (Box){left, top, fmax(right - left, 0), fmax(bottom - top, 0)};
}

/* Returns the tolerated overlap in points, which grows with the size of the type. */
static inline double hair_of(const View *view) {
    return fmax(view->larger, 1);
}

static inline bool overlap(const View *view, Box a, Box b) {
    double hair = hair_of(view);
    Box both = intersection(a, b);
    return both.w > hair && both.h > hair;
}

static inline bool holds(const View *view, Box outer, Box inner) {
    double hair = hair_of(view);
    return inner.x >= outer.x - hair && inner.y >= outer.y - hair &&
           inner.x + inner.w <= outer.x + outer.w + hair &&
           inner.y + inner.h <= outer.y + outer.h + hair;
}

/* Where the ink of a text may be: its box without the room above and below letters. */
static inline Box ink_box(const SceneItem *item) {
    Box box = item->box;
    double up = INK_ASCENT * item->size, down = INK_DESCENT * item->size;
    Box tight = item->angle == 90 ? (Box){item->origin.x - up, box.y, up + down, box.h}
                                  : (Box){box.x, item->origin.y - up, box.w, up + down};
    return intersection(tight, box);
}

/* ---- what a page is made of ---- */

/* A text, a filled or outlined rectangle, or an image, with the clips around it. */
typedef struct Thing {
    const SceneItem *item;
    Box box;
    size_t order;
} Thing;

struct Things {
    size_t count;
    Thing *items;
};

static inline int compare_tops(const void *a, const void *b) {
    const Thing *left = a, *right = b;
    if (left->box.y != right->box.y)
        return left->box.y < right->box.y ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static inline Things things_of(const Scene *scene) {
    enum { CLIPS_MAX = 16 };
    Box clips[CLIPS_MAX] = {{0, 0, scene->width, scene->height}};
    size_t depth = 0;
    Things things = {0, malloc((scene->count + 1) * sizeof(Thing))};
    assert_non_null(things.items);
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        switch (item->kind) {
        case SCENE_CLIP:
            assert_true(depth + 1 < CLIPS_MAX);
            clips[depth + 1] = intersection(clips[depth], item->box);
            depth++;
            break;
        case SCENE_UNCLIP:
            depth--;
            break;
        case SCENE_TEXT:
            things.items[things.count++] = (Thing){
                item, depth ? intersection(ink_box(item), clips[depth]) : ink_box(item),
                i};
            break;
        case SCENE_RECTANGLE:
        case SCENE_IMAGE:
            things.items[things.count++] =
                (Thing){item, intersection(item->box, clips[depth]), i};
            break;
        default:
            break;
        }
    }
    qsort(things.items, things.count, sizeof(Thing), compare_tops);
    return things;
}

static inline bool is_text(const Thing *thing) {
    return thing->item->kind == SCENE_TEXT;
}

/* Returns true if an item is opaque. */
static inline bool is_opaque(const Thing *thing) {
    return thing->item->kind == SCENE_IMAGE ||
           (thing->item->kind == SCENE_RECTANGLE && thing->item->fill.a == 255);
}

static inline bool has_edge(const Thing *thing) {
    return is_opaque(thing) || (thing->item->kind == SCENE_RECTANGLE &&
                                thing->item->stroke.a > 0 && thing->item->width > 0);
}

static const char *name_of(const Thing *thing) {
    return is_text(thing)                            ? thing->item->text
           : thing->item->link.kind == LINK_CELL     ? "a cell"
           : thing->item->link.kind == LINK_TIMELINE ? "the timeline"
           : thing->item->kind == SCENE_IMAGE        ? "an image"
                                                     : "a rectangle";
}

/* ---- what is asked of them ---- */

static inline void check_text_and_shape(const View *view, const Thing *text,
                                        const Thing *shape) {
    bool cell = shape->item->link.kind == LINK_CELL && is_opaque(shape);
    if (shape->order > text->order && is_opaque(shape))
        report(view, "covered", name_of(text), text->box, name_of(shape), shape->box);
    else if (cell && !link_equal(text->item->link, shape->item->link))
        report(view, "foreign cell", name_of(text), text->box, name_of(shape),
               shape->box);
    else if (has_edge(shape) && !holds(view, shape->box, text->box))
        report(view, "on an edge", name_of(text), text->box, name_of(shape), shape->box);
}

static inline void check_pair(const View *view, const Thing *a, const Thing *b) {
    if (!overlap(view, a->box, b->box))
        return;
    if (is_text(a) && is_text(b))
        report(view, "overlap", name_of(a), a->box, name_of(b), b->box);
    else if (is_text(a))
        check_text_and_shape(view, a, b);
    else if (is_text(b))
        check_text_and_shape(view, b, a);
}

static inline void check_pairs(const View *view) {
    const Things *things = view->things;
    for (size_t i = 0; i < things->count; i++) {
        const Thing *a = &things->items[i];
        for (size_t j = i + 1; j < things->count; j++) {
            const Thing *b = &things->items[j];
            if (b->box.y >= a->box.y + a->box.h)
                break;
            check_pair(view, a, b);
        }
    }
}

/* The ground a text stands on: the last opaque rectangle under its middle. */
static inline void check_contrast(const View *view) {
    const Scene *scene = view->scene;
    for (size_t i = 0; i < scene->count; i++) {
        const SceneItem *text = &scene->items[i];
        if (text->kind != SCENE_TEXT)
            continue;
        Box ink = ink_box(text);
        Color ground = scene->background;
        for (size_t j = 0; j < i; j++) {
            const SceneItem *under = &scene->items[j];
            if (under->kind == SCENE_RECTANGLE && under->fill.a > 0 &&
                box_contains(under->box, ink.x + ink.w / 2, ink.y + ink.h / 2))
                ground = palette_mix(ground, under->fill, under->fill.a * 256 / 255);
        }
        ground.a = 255;
        bool most = view->theme->lines >= 1.5; /* of high contrast: AAA */
        if (palette_contrast(ground, text->fill) < (most ? 7 : LEAST_CONTRAST))
            report(view, view->theme->name, text->text, ink, "low contrast",
                   (Box){ground.r, ground.g, ground.b,
                         palette_contrast(ground, text->fill)});
    }
}

/* ---- every page ---- */

typedef struct Size {
    double width, height;
} Size;

/* In pixels, each of another shape. */
static const Size sizes[] = {{1280, 720}, {1024, 640}, {1024, 768}, {2560, 1080}};

enum { SIZE_COUNT = sizeof sizes / sizeof *sizes };
