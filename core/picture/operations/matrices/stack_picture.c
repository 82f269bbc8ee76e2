#include "picture/draw/lanes.h"
#include "picture/operations/matrices/matrix_pictures.h"
#include "picture/stage/caption.h"
#include "picture/stage/ruler.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Stacked rows: the parts are below each other on the left, apart, and slide together
 * into one table on the right, where each part's rows keep its colour. Slices are the
 * reverse: rows cut from a table slide out of it to the right, at their height, and the
 * others stay behind, pale. */

/* units */
static const double LARGEST_ROW = 58, LEAST_ROW = 26, LANES = 210, APART = 26,
                    NAME_UNITS = 22, KEY = 17;
static const double FLAT = 1.6; /* width over height of a column with flat words */
/* Opacity; opacity; rows of a table that is cut. */
enum { MASK_INK = 165, BAND = 90, ROWS_MOST = 24 };
enum { NARROW = 3 }; /* fewer columns have cells no higher than wide */
enum { BAND_POINTS = 24 };

typedef struct Stacking {
    const Stage *stage;
    const TapeNode *node;
    bool cuts;
    size_t count;
    Heatmap parts[PANELS_MAX], whole;
    double head; /* room above a table for its name */
    /* Room above the first part and the whole for name and column labels. */
    double columns;
    bool bare; /* parts have no room for names; their row labels identify them */
    double labels, row, col;
} Stacking;

static const Tensor *whole_of(const Stacking *this) {
    return this->cuts ? this->node->operands[0] : &this->node->output;
}

static size_t whole_node(const Stacking *this) {
    return this->cuts ? this->node->inputs[0] : this->stage->node;
}

static const Tensor *part_of(const Stacking *this, size_t part) {
    return this->cuts ? &this->node->output : this->node->operands[part];
}

static size_t part_node(const Stacking *this, size_t part) {
    return this->cuts ? this->stage->node : this->node->inputs[part];
}

/* Returns the row of the whole that is a part's first, below the `above` rows of the
 * parts before it. */
static size_t first_row(const Stacking *this, size_t above) {
    return this->cuts ? this->node->options.row_begin : above;
}

static double widest_labels(const Stacking *this) {
    const Canvas *canvas = this->stage->canvas;
    double widest = heatmap_row_label_width(canvas, whole_of(this));
    for (size_t i = 0; i < this->count; i++)
        widest = fmax(widest, heatmap_row_label_width(canvas, part_of(this, i)));
    return fmin(widest, this->stage->area.w * 0.27);
}

static double head_of_part(const Stacking *this) {
    return this->bare ? 0 : this->head;
}

static void measure(Stacking *this, Box area) {
    const Canvas *canvas = this->stage->canvas;
    const Tensor *whole = whole_of(this);
    RoleTab tab = {.role = ROLE_KEY, .name = "K"};
    double margin = ROLE_FRAME_MARGIN;
    this->head = role_tab_height(canvas, &tab) + 2 * margin;
    this->labels = widest_labels(this);
    double fixed = 2 * this->labels + LANES + 4 * margin;
    double room = fmax(area.w - fixed, 2) / 2 / (double)whole->cols;
    double apart = (head_of_part(this) + APART) * (double)this->count;
    if (!this->bare && area.h - apart < (double)whole->rows * LEAST_ROW) {
        this->bare = true;
        apart -= this->head * (double)this->count;
    }
    this->row = fmin((area.h - apart) / (double)whole->rows, LARGEST_ROW);
    double flat = heatmap_col_labels(canvas, whole).flat + 1;
    for (int pass = 0; pass < 3; pass++) { /* labels of narrower columns become upright */
        double wanted = this->row * heatmap_aspect(canvas, whole, this->row);
        if (flat <= this->row * FLAT)
            wanted = fmax(wanted, flat);
        if (whole->cols <= NARROW)
            wanted = fmax(wanted, this->row * FLAT);
        this->col = fmin(wanted, room);
        this->columns = heatmap_col_label_height(canvas, whole, this->col, area.h * 0.25);
        this->row = fmax(
            fmin(this->row, (area.h - apart - this->columns) / (double)whole->rows), 0.5);
    }
    this->row = ruler_whole(this->row);
    this->col = ruler_whole(this->col);
}

static Heatmap table_at(const Stacking *this, size_t node, const Tensor *tensor, double x,
                        double y, double reach) {
    Box cells = {round(x), round(y), this->col * (double)tensor->cols,
                 this->row * (double)tensor->rows};
    Heatmap heatmap = stage_heatmap(this->stage, node, cells, reach);
    heatmap.row_labels = true;
    heatmap.label_room = this->labels;
    heatmap.col_label_room = this->columns;
    heatmap.written_as = whole_of(this);
    return heatmap;
}

/* Makes a heatmap the result: it has the focus, and its cells appear one by one. */
static void set_result(const Stacking *this, Heatmap *result) {
    stage_result(this->stage, result);
    stage_focus(this->stage, result, true, true);
}

/* Returns how many rows of a stack's first part come from an earlier table while others
 * are computed for it: cached keys or values. */
static size_t kept_rows(const Stacking *this) {
    const Stage *stage = this->stage;
    bool first = stage_node(stage, part_node(this, 0))->operation == OPERATION_SLICE;
    bool last = stage_node(stage, part_node(this, this->count - 1))->operation ==
                OPERATION_MATMUL;
    return !this->cuts && first && last ? part_of(this, 0)->rows : 0;
}

/* Places both tables with one cell size; rows that are cut are at their height in the
 * whole. */
static void place(Stacking *this, Box area) {
    const Tensor *whole = whole_of(this);
    double margin = ROLE_FRAME_MARGIN;
    double reach = heatmap_reach(whole), width = this->col * (double)whole->cols;
    double height = this->columns + this->row * (double)whole->rows +
                    (head_of_part(this) + APART) * (double)this->count - APART;
    double used = 2 * (width + this->labels) + LANES + 4 * margin;
    double left = area.x + (area.w - used) / 2 + this->labels + margin;
    double right = left + width + LANES + this->labels + 2 * margin;
    double tall = this->columns + this->head + this->row * (double)whole->rows;
    double y = area.y + fmax(area.h - tall, 0) * 0.45 + this->columns + this->head;
    this->whole =
        table_at(this, whole_node(this), whole, this->cuts ? left : right, y, reach);
    this->whole.col_labels = true;
    if (this->cuts) {
        y += this->row * (double)first_row(this, 0);
        this->parts[0] =
            table_at(this, part_node(this, 0), part_of(this, 0), right, y, reach);
        set_result(this, &this->parts[0]);
        return;
    }
    y = area.y + fmax(area.h - height, 0) * 0.45 + this->columns;
    for (size_t i = 0; i < this->count; i++) {
        y += head_of_part(this);
        this->parts[i] =
            table_at(this, part_node(this, i), part_of(this, i), left, y, reach);
        this->parts[i].col_labels = i == 0;
        y += this->parts[i].cells.h + APART;
    }
    set_result(this, &this->whole);
    this->whole.cached_rows = this->parts[0].cached_rows = kept_rows(this);
}

/* Draws a table below its name, or its tab if its role has one. A part with the whole's
 * name is identified by its rows. */
static void draw_table(const Stacking *this, size_t node, const Heatmap *heatmap) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    const char *name = stage_formula_name(stage, node);
    RoleTab tab = caption_tab(stage, name, node);
    Box table = heatmap->cells;
    double labels =
        heatmap->col_labels && heatmap->tensor->col_labels ? this->columns : 0;
    table.y -= labels;
    table.h += labels;
    bool bare = this->bare && node != whole_node(this);
    if (tab.name) {
        if (!bare)
            role_tab(canvas, &tab, role_frame_box(table));
        role_frame(canvas, tab.role, table);
    } else if (!bare && (node == stage->node ||
                         strcmp(name, stage_formula_name(stage, stage->node)) != 0)) {
        Caption caption = caption_fit(stage, name, node, heatmap->tensor, NAME_UNITS,
                                      table.w + LANES * 0.6);
        canvas_formula(canvas, caption.name, caption.units,
                       (Point){table.x, table.y - this->head / 2}, LABEL_LEFT);
    }
    heatmap_draw(canvas, heatmap);
}

/* Draws a band from a part to its rows of the whole, or back, as tall as the rows. */
static void draw_band(const Stacking *this, size_t part, size_t above) {
    const Canvas *canvas = this->stage->canvas;
    size_t first = first_row(this, above), rows = part_of(this, part)->rows;
    Box taken = heatmap_cells(&this->whole, first, first + rows, 0, whole_of(this)->cols),
        apart = this->parts[part].cells;
    const Box *from = this->cuts ? &taken : &apart, *to = this->cuts ? &apart : &taken;
    double left = from->x + from->w + ROLE_FRAME_MARGIN;
    double right = to->x - ROLE_FRAME_MARGIN;
    double bend = (right - this->labels - left) / 2;
    Point band[2 * BAND_POINTS];
    for (size_t i = 0; i < BAND_POINTS; i++) {
        double t = fmin((double)i / (BAND_POINTS - 2), 1);
        double x = i + 1 < BAND_POINTS ? left + 2 * bend * t : right;
        double y = from->y + (to->y - from->y) * t * t * (3 - 2 * t);
        band[i] = (Point){x, y};
        band[2 * BAND_POINTS - 1 - i] = (Point){x, y + from->h};
    }
    Role role = role_of_node(this->stage->tape, part_node(this, part));
    scene_polygon(
        canvas->scene, band, 2 * BAND_POINTS,
        palette_mix(canvas->theme->page, lane_color(canvas, role, false), BAND));
}

/* Outlines each part's rows in the whole in the part's colour. */
static void outline_parts(const Stacking *this) {
    const Stage *stage = this->stage;
    for (size_t i = 0, above = 0; i < this->count; i++) {
        size_t rows = part_of(this, i)->rows, cols = whole_of(this)->cols;
        size_t first = first_row(this, above);
        Color color = stage_color(stage, part_node(this, i), i);
        heatmap_outline(stage->canvas, &this->parts[i], 0, rows, 0, cols, color);
        heatmap_outline(stage->canvas, &this->whole, first, first + rows, 0, cols, color);
        above += rows;
    }
}

/* Fades the rows that aren't selected. */
static void fade_rest(const Stacking *this) {
    const Canvas *canvas = this->stage->canvas;
    const Tensor *whole = whole_of(this);
    size_t first = first_row(this, 0), end = first + part_of(this, 0)->rows;
    Color veil = canvas->theme->page;
    veil.a = MASK_INK;
    if (first > 0)
        canvas_fill(canvas, heatmap_cells(&this->whole, 0, first, 0, whole->cols), 0,
                    veil);
    if (end < whole->rows)
        canvas_fill(canvas, heatmap_cells(&this->whole, end, whole->rows, 0, whole->cols),
                    0, veil);
}

/* Draws the key of grey rows in the lower left corner. */
static void draw_key(const Stacking *this) {
    const Canvas *canvas = this->stage->canvas;
    Box area = this->stage->area, strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    double middle = round(strip.y + strip.h / 2), size = canvas_size(canvas, KEY, "");
    Box box = {strip.x, round(middle - size * 0.6), 2 * size, round(size * 1.2)};
    heatmap_draw_ground(canvas, box, 3, heatmap_cached_ground(canvas->theme));
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                (Point){box.x + box.w + 10, label_baseline(middle, size)}, LABEL_LEFT,
                canvas_string(canvas, "view.saves"));
}

static void draw_all(Stacking *this) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    measure(this, area);
    place(this, area);
    const Heatmap *result = this->cuts ? &this->parts[0] : &this->whole;
    size_t above = 0;
    for (size_t i = 0; i < this->count; i++) {
        draw_band(this, i, above);
        draw_table(this, part_node(this, i), &this->parts[i]);
        above += part_of(this, i)->rows;
    }
    draw_table(this, whole_node(this), &this->whole);
    if (this->cuts)
        fade_rest(this);
    outline_parts(this);
    if (stage->has_focus && stage->focus_node == stage->node)
        heatmap_outline_cell(canvas, result, stage->focus_row, stage->focus_col,
                             canvas->theme->focus);
    stage_legends(
        stage, stage->area,
        &(StageScale){stage_colors(stage->tape, stage->node), this->whole.reach}, 1);
    if (this->whole.cached_rows)
        draw_key(this);
}

void stack_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    Stacking this = {.stage = stage, .node = node, .count = node->input_count};
    if (this.count > PANELS_MAX)
        given_picture(stage);
    else
        draw_all(&this);
}

bool cut_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    const Tensor *whole = node->operands[0];
    if (node->output.cols != whole->cols || node->output.rows == whole->rows ||
        whole->rows > ROWS_MOST)
        return false;
    draw_all(&(Stacking){.stage = stage, .node = node, .cuts = true, .count = 1});
    return true;
}
