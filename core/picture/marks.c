#include "picture/marks.h"

#include "lesson/changes.h"
#include "lesson/trouble.h"

#include <math.h>

static const double SMALLEST = 4; /* points: nothing is marked in what is smaller */

typedef enum Mark { MARK_NONE, MARK_CHANGED, MARK_SET } Mark;

/* A cell's ground: invisible rectangles lie over one that is drawn already. */
static bool is_cell(const SceneItem *item) {
    return item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL &&
           item->box.w >= SMALLEST && item->box.h >= SMALLEST;
}

/* A cell that is not computed yet shows nothing, and no mark either. */
static bool is_blank(const Canvas *canvas, const SceneItem *item) {
    Color page = canvas->theme->page;
    return item->stroke.a && item->fill.a && item->fill.r == page.r &&
           item->fill.g == page.g && item->fill.b == page.b;
}

static Color ink_on(const Canvas *canvas, const SceneItem *item) {
    Color ground = item->fill.a == 255 ? item->fill : canvas->theme->page;
    return item->fill.a ? palette_ink(ground, canvas->theme->cell_dark,
                                      canvas->theme->cell_light)
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

static void draw_mark(const Canvas *canvas, Box box, Mark mark, Color ink) {
    double side = fmin(fmin(box.w, box.h) * (mark == MARK_SET ? 0.34 : 0.22),
                       canvas_length(canvas, mark == MARK_SET ? 18 : 11));
    draw_corner(canvas, box, fmax(side, 2), ink);
    if (mark == MARK_SET && box.w >= 12 && box.h >= 12)
        scene_rectangle(canvas->scene, box, canvas_length(canvas, 3), (Color){0}, ink,
                        fmax(canvas_length(canvas, 2), 1));
}

static void draw_trouble(const Canvas *canvas, Box box) {
    double size = canvas_size(canvas, 13, "!");
    if (box.w < 1.6 * size || box.h < 1.6 * size)
        return;
    double radius = round(size * 0.62);
    Point centre = {box.x + radius + 2, box.y + radius + 2};
    scene_rectangle(canvas->scene,
                    (Box){centre.x - radius, centre.y - radius, 2 * radius, 2 * radius},
                    radius, canvas->theme->bad, canvas->theme->bad_ink, 1);
    label_draw(canvas->scene, canvas->metrics, FONT_BOLD, size, canvas->theme->bad_ink,
               (Point){centre.x, round(centre.y + size * 0.36)}, LABEL_CENTER, "!");
}

static bool is_in(const Tape *tape, Link cell) {
    if (cell.index >= tape_count(tape))
        return false;
    const Tensor *tensor = &tape_node(tape, cell.index)->output;
    return cell.row < tensor->rows && cell.col < tensor->cols;
}

static void mark_cell(const Canvas *canvas, const Tape *tape, const SceneItem *item) {
    Link cell = item->link;
    Box box = item->box;
    Mark mark = mark_of(tape, cell);
    double value = tensor_at(&tape_node(tape, cell.index)->output, cell.row, cell.col);
    bool trouble = isnan(value) || trouble_of(tape, cell.index, cell.row, cell.col);
    Color ink = mark ? ink_on(canvas, item) : (Color){0};
    scene_link(canvas->scene, cell);
    if (mark)
        draw_mark(canvas, box, mark, ink);
    if (trouble)
        draw_trouble(canvas, box);
    scene_link(canvas->scene, (Link){0});
}

/* A tensor that is one image has one mark for all its cells. */
static void mark_image(const Canvas *canvas, const Tape *tape, const SceneItem *item) {
    Box box = item->box;
    size_t node = item->link.index;
    if (tape_changed(tape, node))
        draw_corner(canvas,
                    (Box){box.x - canvas_length(canvas, 4), box.y, 0,
                          box.h + canvas_length(canvas, 4)},
                    canvas_length(canvas, 14), canvas->theme->accent);
}

void marks_draw(const Canvas *canvas, const Tape *tape, size_t first) {
    size_t end = canvas->scene->count;
    Link before = {0};
    for (size_t i = first; i < end; i++) {
        const SceneItem item = canvas->scene->items[i]; /* the list may move */
        if (item.link.kind != LINK_CELL || !is_in(tape, item.link))
            continue;
        if (item.kind == SCENE_IMAGE)
            mark_image(canvas, tape, &item);
        else if (is_cell(&item) && !is_blank(canvas, &item) &&
                 !(link_equal(item.link, before) && item.stroke.a))
            mark_cell(canvas, tape, &item);
        before = item.link;
    }
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
