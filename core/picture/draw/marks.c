#include "picture/draw/marks.h"

#include "lesson/content/changes.h"
#include "lesson/content/problem.h"
#include "picture/scene/theme.h"

#include <math.h>
#include <string.h>

static const double SMALLEST = 4; /* smallest side in points of a box with a mark */
static const double SMALLEST_TROUBLE = 14, SMALLEST_BADGE = 4; /* points; a radius */
static const double WITHIN_CURVE = 0.293; /* 1 − √½: where a round corner's middle is */
static const double FRAME_GAP = 8; /* points: largest distance of a frame from its cell */
/* Height of a digit above its baseline, as a fraction of its size. */
static const double INK_ASCENT = 0.72;

typedef enum Mark { MARK_NONE, MARK_CHANGED, MARK_SET } Mark;

/* Reports whether an item is a cell's ground, not an invisible rectangle over a drawn
 * cell. */
static bool is_cell(const SceneItem *item) {
    return item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL &&
           item->box.w >= SMALLEST && item->box.h >= SMALLEST;
}

/* Reports whether a cell is not computed yet; such cells have no marks. */
static bool is_blank(const Canvas *canvas, const SceneItem *item) {
    Color page = canvas->theme->page;
    return item->stroke.a && item->fill.a && item->fill.r == page.r &&
           item->fill.g == page.g && item->fill.b == page.b;
}

static Color ink_on(const Canvas *canvas, const SceneItem *item) {
    Color ground = item->fill.a == 255 ? item->fill : canvas->theme->page;
    return item->fill.a
               ? palette_ink(ground, canvas->theme->cell_dark, canvas->theme->cell_light)
               : canvas->theme->accent;
}

static Mark mark_of(const Tape *tape, Link cell) {
    if (tape_cell_edited(tape, cell.index, cell.row, cell.col, NULL))
        return MARK_SET;
    return changes_cell_changed(tape, cell.index, cell.row, cell.col) ? MARK_CHANGED
                                                                      : MARK_NONE;
}

static void draw_corner(const Canvas *canvas, Box box, double side, Color ink) {
    const Point corner[] = {{box.x, box.y + box.h},
                            {box.x, box.y + box.h - side},
                            {box.x + side, box.y + box.h}};
    scene_polygon(canvas->scene, corner, 3, ink);
}

/* Draws a mark. `radius` is that of the ground's corners; the mark lies within a round
 * corner. */
static void draw_mark(const Canvas *canvas, Box box, double radius, Mark mark,
                      Color ink) {
    double side = fmin(fmin(box.w, box.h) * (mark == MARK_SET ? 0.34 : 0.22),
                       mark == MARK_SET ? 18 : 11);
    if (radius > side) /* less room within a round corner */
        side *= 0.7;
    draw_corner(canvas, box_inset(box, radius * WITHIN_CURVE), fmax(side, 2), ink);
    if (mark == MARK_SET && box.w >= 12 && box.h >= 12)
        canvas_outline(canvas, box, fmax(3, radius), ink, 2);
}

/* Height above a cell's number, which marks must not cover. */
static double free_above(const Scene *scene, size_t cell) {
    const SceneItem *ground = &scene->items[cell];
    double room = ground->box.h;
    for (size_t i = cell + 1; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (!link_equal(item->link, ground->link))
            break;
        if (item->kind == SCENE_TEXT)
            room = fmin(room, item->origin.y - INK_ASCENT * item->size - ground->box.y);
    }
    return room;
}

/* Draws "!" from shapes, because letters can't be as small as some cells need. */
static void draw_exclamation(const Canvas *canvas, Point centre, double radius) {
    double half = fmax(radius * 0.17, 0.75), ink = radius * 0.62;
    Color color = canvas->theme->bad_ink;
    const Point stroke[] = {{centre.x - half, centre.y - ink},
                            {centre.x + half, centre.y - ink},
                            {centre.x + half, centre.y + ink * 0.3},
                            {centre.x - half, centre.y + ink * 0.3}};
    const Point dot[] = {{centre.x - half, centre.y + ink - 2 * half},
                         {centre.x + half, centre.y + ink - 2 * half},
                         {centre.x + half, centre.y + ink},
                         {centre.x - half, centre.y + ink}};
    scene_polygon(canvas->scene, stroke, 4, color);
    scene_polygon(canvas->scene, dot, 4, color);
}

/* Draws a badge in the upper left corner, above the number; without room, a mark in the
 * corner itself. */
static void draw_trouble(const Canvas *canvas, Box box, double room) {
    if (box.w < SMALLEST_TROUBLE || box.h < SMALLEST_TROUBLE)
        return;
    double radius = fmin(8, floor(room / 2));
    if (radius < SMALLEST_BADGE) {
        double side = fmin(fmax(room, 4), box.h / 3);
        const Point corner[] = {
            {box.x, box.y}, {box.x + side, box.y}, {box.x, box.y + side}};
        scene_polygon(canvas->scene, corner, 3, canvas->theme->bad_ink);
        return;
    }
    Point centre = {box.x + radius + 1, box.y + radius};
    Link cell = canvas->scene->link; /* excludes the badge from the cell's items */
    canvas_unlink(canvas);
    canvas_dot(canvas, centre, radius, canvas->theme->bad, canvas->theme->bad_ink, 1);
    draw_exclamation(canvas, centre, radius);
    canvas_link(canvas, cell);
}

static bool is_in(const Tape *tape, Link cell) {
    if (cell.index >= tape_count(tape))
        return false;
    const Tensor *tensor = &tape_node(tape, cell.index)->output;
    return cell.row < tensor->rows && cell.col < tensor->cols;
}

static void mark_cell(const Canvas *canvas, const Tape *tape, size_t at) {
    /* Appending may move the list. */
    const SceneItem kept = canvas->scene->items[at], *item = &kept;
    const SceneItem *clip = at ? &canvas->scene->items[at - 1] : item;
    Link cell = item->link;
    Box box = clip->kind == SCENE_CLIP ? box_common(item->box, clip->box) : item->box;
    Mark mark = mark_of(tape, cell);
    double value = tensor_at(&tape_node(tape, cell.index)->output, cell.row, cell.col);
    bool trouble = isnan(value) ||
                   (!isfinite(value) && problem_of(tape, cell.index, cell.row, cell.col));
    Color ink = mark ? ink_on(canvas, item) : (Color){0};
    canvas_link(canvas, cell);
    if (mark)
        draw_mark(canvas, box, item->radius, mark, ink);
    if (trouble)
        draw_trouble(canvas, box, free_above(canvas->scene, at));
    canvas_unlink(canvas);
}

void marks_draw_tensor(const Canvas *canvas, const Tape *tape, size_t node, Box box) {
    double out = 3, side = fmin(box.h, 22);
    if (tape_changed(tape, node))
        draw_corner(canvas, (Box){box.x - out, box.y, 0, box.h + out}, side * 0.5,
                    canvas->theme->accent);
}

void marks_draw(const Canvas *canvas, const Tape *tape, size_t first) {
    size_t end = canvas->scene->count;
    Link before = {0};
    for (size_t i = first; i < end; i++) {
        const SceneItem item = canvas->scene->items[i]; /* appending may move the list */
        if (item.link.kind != LINK_CELL || !is_in(tape, item.link) ||
            item.kind == SCENE_CLIP)
            continue;
        if (item.kind == SCENE_IMAGE)
            marks_draw_tensor(canvas, tape, item.link.index, item.box);
        else if (is_cell(&item) && !is_blank(canvas, &item) &&
                 !(link_equal(item.link, before) && item.stroke.a))
            mark_cell(canvas, tape, i);
        before = item.link;
    }
}

/* Box of a cell where an item draws it: all of a shape, a part of an image, or around a
 * text. */
static Box cell_within(const SceneItem *item, Link cell) {
    if (item->kind == SCENE_TEXT)
        return box_inset(item->box, -4);
    if (item->kind != SCENE_IMAGE)
        return item->box;
    double w = item->box.w / (double)item->tensor->cols;
    double h = item->box.h / (double)item->tensor->rows;
    return (Box){item->box.x + w * (double)cell.col, item->box.y + h * (double)cell.row,
                 w, h};
}

/* Ranks how well an item shows a cell: 0 not at all, then in an image, as text, as an
 * area that can be pointed at, and as a shape. */
static int rank_of(const SceneItem *item, Link cell) {
    if (item->kind == SCENE_IMAGE)
        return item->link.kind == LINK_CELL && item->link.index == cell.index;
    if (!link_equal(item->link, cell))
        return 0;
    return item->kind == SCENE_RECTANGLE ? (item->fill.a || item->stroke.a ? 4 : 3)
           : item->kind == SCENE_TEXT    ? 2
                                         : 0;
}

/* Reports whether one of the items is a frame around a box in the colour of the focus. */
static bool is_framed(const Canvas *canvas, size_t first, Box box) {
    double gap = fmin(FRAME_GAP, fmax(fmin(box.w, box.h) / 2, 3));
    for (size_t i = first; i < canvas->scene->count; i++) {
        const SceneItem *item = &canvas->scene->items[i];
        if (item->kind == SCENE_RECTANGLE && item->width > 0 &&
            memcmp(&item->stroke, &canvas->theme->focus, sizeof item->stroke) == 0 &&
            fabs(item->box.x - box.x) <= gap && fabs(item->box.y - box.y) <= gap &&
            fabs(item->box.w - box.w) <= 2 * gap && fabs(item->box.h - box.h) <= 2 * gap)
            return true;
    }
    return false;
}

void marks_draw_focus(const Canvas *canvas, size_t first, Link cell) {
    const Scene *scene = canvas->scene;
    const SceneItem *best = NULL;
    for (size_t i = first; i < scene->count; i++) {
        int rank = rank_of(&scene->items[i], cell);
        if (rank && (!best || rank >= rank_of(best, cell)))
            best = &scene->items[i];
    }
    if (!best || is_framed(canvas, first, cell_within(best, cell)))
        return;
    double width = 3, radius = best->radius + width - 1;
    canvas_link(canvas, cell);
    canvas_outline(canvas, box_inset(cell_within(best, cell), 1 - width), radius,
                   canvas->theme->focus, width);
    canvas_unlink(canvas);
}

bool marks_cell_box(const Scene *scene, Link cell, Box *box) {
    for (size_t i = scene->count; i-- > 0;) {
        const SceneItem *item = &scene->items[i];
        if (is_cell(item) && link_equal(item->link, cell)) {
            *box = item->box;
            return true;
        }
    }
    return false;
}

void mark_left_out(const Canvas *canvas, Point middle, double gap) {
    double dot = 4;
    for (int k = -1; k <= 1; k++)
        canvas_fill(canvas,
                    (Box){round(middle.x - dot / 2),
                          round(middle.y + k * gap * 0.28 - dot / 2), dot, dot},
                    dot / 2, canvas->theme->ink_faint);
}
