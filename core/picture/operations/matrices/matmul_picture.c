#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"

#include <math.h>

/* Falk's scheme: the left factor stands to the left of the product, the right factor
 * above it, so that every cell of the product lies where its row and its column meet. A
 * query, a key or a value wears its tab where its caption would stand. */

static const double LARGEST_CELL = 96;
static const double LARGEST_INNER_SHARE = 0.55; /* of the room, for the summed axis */
static const double LARGEST_CAPTION_SHARE = 0.2, NAME_UNITS = 24;
static const double LEGEND_UNITS = 120, LEGEND_HEIGHT = 34;
static const double DOT = 6, NARROW_SHARE = 1, WIDEST_DOT = 30;
enum { NARROW_COLUMNS = 4 };
static const double TAIL_CAPTION = 40, BRACKET = 7, PART_UNITS = 19;
static const double FLAT_GAP = 8, TALLER = 1.1, WIDEST_FLAT = 3.5; /* of labels */

typedef struct Falk {
    size_t left, right, product; /* nodes */
    double inner_w, inner_h;     /* cells along the summed axis */
    double cell_w, cell_h;       /* cells of the product */
    double gap;
    double labels_left, labels_top; /* room for row and column labels */
    double captions_right, caption_bottom;
    Caption captions[3]; /* of left, right and product, … */
    RoleTab tabs[3];     /* … where their tabs have no name */
    Box frames[3];       /* what has a tab */
    StageScale scales[3];
    bool own_legends; /* each tensor has its own; else they stand in the corner */
} Falk;

/* One scale for all, unless one would look washed out beside a larger one: then each has
 * that of its own numbers. Where shares blend rows, rows and blend are compared: one
 * scale for both.
 */
static void choose_scales(const Stage *stage, Falk *f) {
    const size_t nodes[] = {f->left, f->right, f->product};
    double most = 0;
    for (int i = 0; i < 3; i++) {
        HeatmapColors colors = i < 2 || f->product != stage->node
                                   ? stage_colors(stage->tape, nodes[i])
                                   : HEATMAP_SIGNED;
        double reach = heatmap_scale_reach(stage_tensor(stage, nodes[i]));
        f->scales[i] = (StageScale){colors, colors == HEATMAP_PROBABILITIES ? 1 : reach};
        if (colors == HEATMAP_SIGNED)
            most = fmax(most, reach);
    }
    bool blends = f->scales[0].colors == HEATMAP_PROBABILITIES;
    f->own_legends = !blends && f->product != stage->node;
    for (int i = 0; i < 3; i++) {
        double least = most * stage_least_share(stage_tensor(stage, nodes[i]));
        f->own_legends |= !blends && f->scales[i].colors == HEATMAP_SIGNED &&
                          f->scales[i].reach < least;
    }
    for (int i = 0; i < 3; i++) {
        if (f->own_legends)
            f->scales[i].colors =
                stage_table_legend(stage_tensor(stage, nodes[i]), f->scales[i].colors);
        else if (f->scales[i].colors == HEATMAP_SIGNED)
            f->scales[i].reach = most;
    }
}

static void choose_names(const Stage *stage, Falk *f, double width) {
    const size_t nodes[] = {f->left, f->right, f->product};
    for (int i = 0; i < 3; i++) {
        f->captions[i] = caption_of(stage, nodes[i], NAME_UNITS, width);
        f->tabs[i] = caption_tab(stage, stage_formula_name(stage, nodes[i]), nodes[i]);
    }
    const TapeNode *right = stage_node(stage, f->right);
    if (!f->tabs[1].name && f->tabs[2].name && right->operation == OPERATION_GIVEN)
        f->tabs[1] = caption_tab_of(stage, stage_formula_name(stage, f->right), f->right,
                                    f->tabs[2].role, true); /* whatever it is called */
    f->tabs[0].side = ROLE_TAB_BELOW;
    f->tabs[1].side = f->tabs[2].side = ROLE_TAB_BESIDE;
}

/* How far a frame with its tab reaches down from the cells, and how wide a tab beside
 * them is. */
static double tab_drop(const Canvas *canvas, const RoleTab *tab) {
    return tab->name
               ? ROLE_FRAME_MARGIN + role_tab_height(canvas, tab) + ROLE_FRAME_MARGIN
               : 0;
}

static double side_width(const Canvas *canvas, const Falk *f, int part) {
    return f->tabs[part].name ? role_tab_width(canvas, &f->tabs[part])
                              : f->captions[part].width;
}

/* Splits `room` into cells for the summed axis (k of them) and for the product (m of
 * them): equal ones, unless the summed axis would take nearly all. */
static void split(double room, size_t k, size_t m, double largest, double *inner,
                  double *outer) {
    double equal = fmin(room / (double)(k + m), largest);
    *inner = *outer = equal;
    if ((double)k * equal > room * LARGEST_INNER_SHARE && k > 2 * m &&
        equal < largest / 3) {
        *inner = room * LARGEST_INNER_SHARE / (double)k;
        *outer = fmin((room - *inner * (double)k) / (double)m, largest);
    }
}

static double whole_points(double length) {
    return length > 24 ? floor(length) : length;
}

/* From the cells down to the end of what stands under them. */
static double caption_axis(const Caption *caption) {
    return fmax(26, caption->above + 8);
}

static double caption_height(const Canvas *canvas, const Caption *caption) {
    return caption_axis(caption) + caption_shape_drop(canvas, caption->below) + 10;
}

/* Cells are square unless one tensor's numbers need them wider; a tall product of dots
 * is no mere line. */
static double aspect_of(const Stage *stage, const Falk *f) {
    const size_t nodes[] = {f->left, f->right, f->product};
    const Tensor *product = stage_tensor(stage, f->product);
    double aspect = 1;
    if (f->cell_h < DOT && product->cols >= NARROW_COLUMNS)
        aspect =
            fmax(1, fmin(NARROW_SHARE * (double)product->rows / (double)product->cols,
                         WIDEST_DOT));
    for (int i = 0; i < 3; i++)
        aspect = fmax(aspect, heatmap_aspect(stage->canvas, stage_tensor(stage, nodes[i]),
                                             f->cell_h));
    return aspect;
}

/* Cells as large as there is room for: those of the summed axis are no larger. */
static void fit_cells(const Stage *stage, Falk *f, double width, double height) {
    const Tensor *a = stage_tensor(stage, f->left), *b = stage_tensor(stage, f->right);
    split(width, a->cols, b->cols, LARGEST_CELL * 1.2, &f->inner_w, &f->cell_w);
    split(height, b->rows, a->rows, LARGEST_CELL, &f->inner_h, &f->cell_h);
    f->cell_w = fmin(f->cell_w, f->cell_h * aspect_of(stage, f));
    f->cell_h = whole_points(fmin(f->cell_h, f->cell_w));
    f->cell_w = whole_points(f->cell_w);
    f->inner_w = whole_points(fmin(f->inner_w, f->cell_w));
    f->inner_h = whole_points(fmin(f->inner_h, f->cell_h));
}

/* Upright words take much of the height: where there is width for them to lie flat, cells
 * are so wide, and the taller for it. */
static void lay_labels_flat(const Stage *stage, Falk *f, double cell_w, double labels_top,
                            double width, double height) {
    const Tensor *a = stage_tensor(stage, f->left), *b = stage_tensor(stage, f->right);
    Falk flat = *f;
    flat.labels_top = labels_top;
    flat.cell_w = ceil(cell_w);
    flat.inner_w = fmin(flat.cell_w,
                        floor((width - flat.cell_w * (double)b->cols) / (double)a->cols));
    split(height - labels_top, b->rows, a->rows, fmin(LARGEST_CELL, flat.cell_w),
          &flat.inner_h, &flat.cell_h);
    flat.cell_h = whole_points(flat.cell_h);
    flat.inner_h = whole_points(flat.inner_h);
    if (flat.inner_w >= f->inner_w && flat.cell_h >= f->cell_h * TALLER &&
        flat.cell_w <= flat.cell_h * WIDEST_FLAT)
        *f = flat;
}

static Falk layout(const Stage *stage, size_t product, Box area) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Falk f = {.left = node->inputs[0], .right = node->inputs[1], .product = product};
    const Tensor *a = stage_tensor(stage, f.left), *b = stage_tensor(stage, f.right);
    f.gap = 44;
    choose_names(stage, &f, area.w * LARGEST_CAPTION_SHARE);
    choose_scales(stage, &f);
    f.captions_right = fmax(fmax(side_width(canvas, &f, 1), side_width(canvas, &f, 2)),
                            f.own_legends ? LEGEND_UNITS : 80) +
                       24;
    f.caption_bottom = f.tabs[0].name ? tab_drop(canvas, &f.tabs[0])
                                      : caption_height(canvas, &f.captions[0]);
    double left_label = heatmap_row_label_width(canvas, a);
    f.labels_left = fmin(left_label, area.w * 0.2);
    HeatmapColLabels labels = heatmap_col_labels(canvas, b);
    double flat = labels.flat > 0 ? 30 : 8;
    double width = area.w - f.labels_left - f.captions_right - f.gap;
    double height = area.h - f.caption_bottom - f.gap;
    f.labels_top = flat;
    for (int pass = 0; pass < 3; pass++) { /* labels may have to stand upright */
        fit_cells(stage, &f, width, height - f.labels_top);
        f.labels_top =
            fmax(f.labels_top,
                 heatmap_col_labels_height(canvas, labels, f.cell_w, area.h * 0.3));
    }
    if (f.labels_top > flat)
        lay_labels_flat(stage, &f, labels.flat + FLAT_GAP, flat, width, height);
    return f;
}

/* Bands from the focused row and column to the cell where they meet. */
static void draw_bands(const Stage *stage, const Heatmap *a, const Heatmap *b) {
    const Canvas *canvas = stage->canvas;
    Box row =
        heatmap_cells(a, stage->focus_row, stage->focus_row + 1, 0, a->tensor->cols);
    Box col =
        heatmap_cells(b, 0, b->tensor->rows, stage->focus_col, stage->focus_col + 1);
    Color left = stage_color(stage, a->node, 0), top = stage_color(stage, b->node, 1);
    left.a = top.a = 28;
    canvas_fill(canvas, (Box){row.x + row.w, row.y, b->cells.x - row.x - row.w, row.h}, 0,
                left);
    canvas_fill(canvas, (Box){col.x, col.y + col.h, col.w, a->cells.y - col.y - col.h}, 0,
                top);
}

static void draw_focus(const Stage *stage, const Heatmap *a, const Heatmap *b,
                       const Heatmap *c) {
    const Canvas *canvas = stage->canvas;
    size_t row = stage->focus_row, col = stage->focus_col;
    size_t pairs = a->tensor->cols;
    heatmap_outline(canvas, a, row, row + 1, 0, pairs, stage_color(stage, a->node, 0));
    heatmap_outline(canvas, b, 0, pairs, col, col + 1, stage_color(stage, b->node, 1));
    bool picks = stage_node(stage, a->node)->operation == OPERATION_ONE_HOT;
    for (size_t i = 0; picks && i < pairs; i++) { /* the row of b that it picks */
        if (tensor_at(a->tensor, row, i) > 0)
            heatmap_outline(canvas, b, i, i + 1, 0, b->tensor->cols,
                            stage_color(stage, a->node, 0));
    }
    heatmap_outline_cell(canvas, c, row, col, canvas->theme->focus);
}

/* A bracket from one point to another, straight above or left of it, its ticks and its
 * name on its far side. */
static void draw_bracket(const Canvas *canvas, Point from, Point to, const char *name) {
    bool above = from.y == to.y;
    double tick_x = above ? 0 : BRACKET, tick_y = above ? BRACKET : 0;
    const Point path[] = {
        {from.x + tick_x, from.y + tick_y}, from, to, {to.x + tick_x, to.y + tick_y}};
    scene_path(canvas->scene, path, 4, 2, canvas->theme->ink_soft);
    canvas_formula(canvas, name, PART_UNITS,
                   above ? (Point){(from.x + to.x) / 2, from.y - 2 * BRACKET}
                         : (Point){from.x - BRACKET, (from.y + to.y) / 2},
                   above ? LABEL_CENTER : LABEL_RIGHT);
}

/* Of parts side by side which columns are whose, and which rows meet them. */
static void draw_parts(const Stage *stage, const Heatmap *a, const Heatmap *b) {
    const Canvas *canvas = stage->canvas;
    const TapeNode *joined = stage_node(stage, a->node);
    if (joined->operation != OPERATION_CONCAT || a->col_labels || b->row_labels)
        return;
    double size = canvas_size(canvas, PART_UNITS, "");
    for (size_t i = 0, begin = 0; i < joined->input_count; i++) {
        size_t end = begin + joined->operands[i]->cols;
        const char *name = stage_formula_name(stage, joined->inputs[i]);
        Box cols = heatmap_cells(a, 0, 1, begin, end),
            rows = heatmap_cells(b, begin, end, 0, 1);
        begin = end;
        if (canvas_formula_extent(canvas, name, size).width > cols.w || rows.h < size)
            continue;
        draw_bracket(canvas, (Point){cols.x + 2, cols.y - 2 * BRACKET},
                     (Point){cols.x + cols.w - 2, cols.y - 2 * BRACKET}, name);
        draw_bracket(canvas, (Point){rows.x - 2 * BRACKET, rows.y + 2},
                     (Point){rows.x - 2 * BRACKET, rows.y + rows.h - 2}, name);
    }
}

/* A tensor's own scale, with its left end at `left`. */
static void draw_legend(const Canvas *canvas, const StageScale *scale, double left,
                        double top) {
    if (scale->colors != HEATMAP_PLAIN)
        heatmap_legend(canvas, (Box){round(left), round(top), LEGEND_UNITS, 0},
                       scale->colors, scale->reach);
}

/* The frame of what wears a tab, around its cells and the labels above them, and the tab,
 * one beside it about `middle`; gives back its box. */
static Box draw_tab(const Canvas *canvas, const Falk *f, int part, const Heatmap *heatmap,
                    double middle) {
    Box table = heatmap->cells;
    bool labelled = heatmap->col_labels && heatmap->tensor->col_labels;
    double labels =
        !labelled ? 0
        : heatmap->col_label_room > 0
            ? heatmap->col_label_room
            : heatmap_col_label_height(canvas, heatmap->tensor,
                                       table.w / (double)heatmap->tensor->cols, INFINITY);
    table.y -= labels;
    table.h += labels;
    RoleTab tab = f->tabs[part];
    tab.lift = table.y + table.h / 2 - middle;
    Box box = role_tab(canvas, &tab, role_frame_box(table));
    role_frame(canvas, tab.role, table);
    return box;
}

/* The left factor's caption: as wide as the room beside the product and the legends
 * allows, where that doesn't make it taller than was reckoned with. */
static Caption left_caption(const Stage *stage, const Falk *f, const Heatmap *a,
                            double limit, double *middle) {
    *middle = a->cells.x + a->cells.w / 2;
    double room = 2 * fmin(*middle - stage->area.x, limit - *middle);
    Caption caption = caption_of(stage, f->left, NAME_UNITS, fmax(room, a->cells.w));
    if (caption_height(stage->canvas, &caption) > f->caption_bottom)
        caption = f->captions[0];
    *middle = fmin(*middle, fmax(limit - caption.width / 2, a->cells.x));
    return caption;
}

/* Under the left factor, with its scale beside it. */
static void draw_left_caption(const Stage *stage, const Falk *f, const Heatmap *a,
                              double limit) {
    const Canvas *canvas = stage->canvas;
    double right, axis, middle;
    if (f->tabs[0].name) {
        Box tab = draw_tab(canvas, f, 0, a, 0);
        right = tab.x + tab.w;
        axis = tab.y + tab.h / 2;
    } else {
        Caption caption = left_caption(stage, f, a, limit, &middle);
        axis = a->cells.y + a->cells.h + caption_axis(&caption);
        caption_draw(stage, &caption, (Point){middle, axis},
                     caption_shape_drop(canvas, caption.below), LABEL_CENTER);
        right = middle + caption.width / 2;
    }
    if (f->own_legends)
        draw_legend(canvas, &f->scales[0], right + 28, axis - 4);
}

/* How tall what stands beside the cells is: a tab or a caption, and the scale below. */
static double name_height(const Canvas *canvas, const Falk *f, int part) {
    const Caption *caption = &f->captions[part];
    if (f->tabs[part].name)
        return role_tab_height(canvas, &f->tabs[part]);
    return caption->above + caption_shape_drop(canvas, caption->below) + 8;
}

static double block_height(const Canvas *canvas, const Falk *f, int part) {
    return name_height(canvas, f, part) + (f->own_legends ? LEGEND_HEIGHT + 4 : 0);
}

/* A tab or a caption and, below it, the scale, about `middle`. */
static void draw_right_caption(const Stage *stage, const Falk *f, int part,
                               const Heatmap *heatmap, double left, double middle) {
    const Canvas *canvas = stage->canvas;
    double top = middle - block_height(canvas, f, part) / 2;
    double height = name_height(canvas, f, part);
    if (f->tabs[part].name) {
        draw_tab(canvas, f, part, heatmap, top + height / 2);
    } else {
        const Caption *caption = &f->captions[part];
        caption_draw(stage, caption, (Point){left, round(top + caption->above)},
                     caption_shape_drop(canvas, caption->below), LABEL_LEFT);
    }
    if (f->own_legends)
        draw_legend(canvas, &f->scales[part], left,
                    top + height + (f->tabs[part].name ? 8 : 4));
}

static void draw_captions(const Stage *stage, const Falk *f, const Heatmap *a,
                          const Heatmap *b, const Heatmap *c, size_t legends) {
    const Canvas *canvas = stage->canvas;
    double gap = 24;
    double limit = stage->area.x + stage->area.w;
    if (legends)
        limit -= (double)legends * 244 - 44 + gap;
    draw_left_caption(stage, f, a, fmin(c->cells.x, limit));
    double right = b->cells.x + b->cells.w + gap;
    double upper = b->cells.y + b->cells.h / 2, lower = c->cells.y + c->cells.h / 2;
    double apart = (block_height(canvas, f, 1) + block_height(canvas, f, 2)) / 2 + 6;
    double push = fmax(apart - (lower - upper), 0) / 2; /* of low factors */
    draw_right_caption(stage, f, 1, b, right, upper - push);
    draw_right_caption(stage, f, 2, c, right, lower + push);
}

/* One scale for all, in the corner; shares have their own. */
static size_t corner_legends(const Falk *f, StageScale *scales) {
    if (f->own_legends)
        return 0;
    scales[0] = f->scales[2];
    for (int i = 0; i < 2; i++) {
        if (f->scales[i].colors == HEATMAP_PROBABILITIES) {
            scales[1] = f->scales[i];
            return 2;
        }
    }
    return 1;
}

/* In the free corner the left factor's column labels and the right factor's row labels,
 * which name the same axis, would meet: the right factor's are drawn where its rows have
 * room, the left factor's where they have it below those. */
static void label_corner(const Canvas *canvas, Heatmap *a, Heatmap *b, double gap,
                         double room) {
    double pitch = b->cells.h / (double)b->tensor->rows;
    b->row_labels = b->tensor->row_labels && pitch >= canvas_size(canvas, 17, "一") * 1.1;
    b->label_room = room;
    double cell_w = a->cells.w / (double)a->tensor->cols;
    double most = b->row_labels ? gap - 8 : gap + b->cells.h;
    double wanted = heatmap_col_label_height(canvas, a->tensor, cell_w, INFINITY);
    a->col_labels = wanted > 0 && wanted <= most;
}

void falk_picture(const Stage *stage, FalkTail *tail) {
    const Canvas *canvas = stage->canvas;
    Box area = stage->area;
    box_take_bottom(&area, tail->tables ? TAIL_CAPTION + STAGE_LEGEND_HEIGHT : 4);
    double most = tail->tables ? area.w * FALK_TAIL_SHARE : 0,
           tables = (double)tail->tables;
    Falk f = layout(stage, tail->instead ? tail->instead : stage->node,
                    (Box){area.x, area.y, area.w - most * tables, area.h});
    const Tensor *at = stage_tensor(stage, f.left), *bt = stage_tensor(stage, f.right);
    const Tensor *ct = stage_tensor(stage, f.product);
    double a_w = f.inner_w * (double)at->cols, c_w = f.cell_w * (double)ct->cols;
    double b_h = f.inner_h * (double)bt->rows, c_h = f.cell_h * (double)ct->rows;
    double tail_w = fmin(c_w, most - tail->gap);
    double used_w = f.labels_left + a_w + f.gap + c_w + f.captions_right +
                    tables * (tail->gap + tail_w);
    double used_h = f.labels_top + b_h + f.gap + c_h + f.caption_bottom;
    double x = round(area.x + fmax(area.w - used_w, 0) / 2 + f.labels_left);
    double y = round(area.y + fmax(area.h - used_h, 0) / 2 + f.labels_top);
    double cx = x + a_w + f.gap, cy = y + b_h + f.gap;

    Heatmap a = stage_heatmap(stage, f.left, (Box){x, cy, a_w, c_h}, f.scales[0].reach);
    Heatmap b = stage_heatmap(stage, f.right, (Box){cx, y, c_w, b_h}, f.scales[1].reach);
    Heatmap c =
        stage_heatmap(stage, f.product, (Box){cx, cy, c_w, c_h}, f.scales[2].reach);
    heatmap_same_digits(canvas, (Heatmap *const[]){&a, &b, &c}, 3);
    a.row_labels = b.col_labels = true;
    a.label_room = f.labels_left;
    stage_focus(stage, &a, true, false);
    stage_focus(stage, &b, false, true);
    stage_result(stage, &c);
    b.col_label_room = f.labels_top;
    label_corner(canvas, &a, &b, f.gap, cx - area.x);

    if (stage->has_focus)
        draw_bands(stage, &a, &b);
    StageScale corner[2];
    size_t legends = corner_legends(&f, corner);
    draw_captions(stage, &f, &a, &b, &c, legends);
    heatmap_draw(canvas, &a);
    heatmap_draw(canvas, &b);
    heatmap_draw(canvas, &c);
    draw_parts(stage, &a, &b);
    if (stage->has_focus)
        draw_focus(stage, &a, &b, &c);
    stage_legends(stage, stage->area, corner, legends);
    tail->reach = f.scales[2].reach;
    tail->first = (Box){cx + c_w + f.captions_right + tail->gap, cy, tail_w, c_h};
}

void matmul_picture(const Stage *stage) {
    FalkTail none = {0};
    falk_picture(stage, &none);
}

/* The product that a table of its shape is made of, as shares are of scores: its first
 * input's first input, and so on; 0: there is none. */
static size_t product_behind(const Stage *stage, size_t node) {
    const TapeNode *at = stage_node(stage, node);
    const Tensor *shape = &at->output;
    while (at->operation != OPERATION_MATMUL) {
        if (!at->input_count || at->output.rows != shape->rows ||
            at->output.cols != shape->cols)
            return 0;
        node = at->inputs[0];
        at = stage_node(stage, node);
    }
    return node;
}

bool meeting_picture(const Stage *stage) {
    const size_t *shown = stage->step->shown;
    if (stage->step->shown_count != 3 || stage->is_question || stage->values)
        return false;
    Stage drawn = *stage;
    drawn.node = product_behind(stage, shown[2]);
    const TapeNode *node = stage_node(stage, drawn.node);
    if (!drawn.node || drawn.node == shown[2] || node->inputs[0] != shown[0])
        return false;
    const TapeNode *right = stage_node(stage, node->inputs[1]);
    if (right->operation != OPERATION_TRANSPOSE || right->inputs[0] != shown[1])
        return false;
    FalkTail tail = {.instead = shown[2]};
    falk_picture(&drawn, &tail);
    return true;
}
