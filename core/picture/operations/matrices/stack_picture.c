#include "picture/draw/canvas.h"
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

typedef struct Stacking {
    const Stage *stage;
    bool cuts;
    size_t count;
    Heatmap parts[PANELS_MAX], whole; /* cells are set by `place` */
    size_t first[PANELS_MAX];         /* rows of the whole that are the parts' first */
    double head;                      /* room above a table for its name */
    /* Room above the first part and the whole for name and column labels. */
    double columns;
    bool bare; /* parts have no room for names; their row labels identify them */
    double labels, row, col;
} Stacking;

static double head_of_part(const Stacking *this) {
    return this->bare ? 0 : this->head;
}

/* ---- layout ---- */

static void measure(Stacking *this, Box area) {
    const Canvas *canvas = this->stage->canvas;
    const Tensor *whole = this->whole.tensor;
    RoleTab tab = {.role = ROLE_KEY, .name = "K"};
    double margin = ROLE_FRAME_MARGIN, rows = (double)whole->rows;
    this->head = role_tab_height(canvas, &tab) + 2 * margin;
    this->labels = heatmap_row_label_width(canvas, whole);
    for (size_t i = 0; i < this->count; i++)
        this->labels =
            fmax(this->labels, heatmap_row_label_width(canvas, this->parts[i].tensor));
    this->labels = fmin(this->labels, this->stage->area.w * 0.27);
    double fixed = 2 * this->labels + LANES + 4 * margin;
    double room = fmax(area.w - fixed, 2) / 2 / (double)whole->cols;
    double apart = (this->head + APART) * (double)this->count;
    this->bare = area.h - apart < rows * LEAST_ROW;
    apart = fmax((head_of_part(this) + APART) * (double)this->count,
                 this->head); /* the whole has its name, too */
    this->row = fmin((area.h - apart) / rows, LARGEST_ROW);
    double flat = heatmap_col_labels(canvas, whole).flat + 1;
    for (int pass = 0; pass < 3; pass++) { /* labels of narrower columns become upright */
        double wanted = this->row * heatmap_aspect(canvas, whole, this->row);
        if (flat <= this->row * FLAT)
            wanted = fmax(wanted, flat);
        if (whole->cols <= NARROW)
            wanted = fmax(wanted, this->row * FLAT);
        this->col = fmin(wanted, room);
        this->columns = heatmap_col_label_height(canvas, whole, this->col, area.h * 0.25);
        this->row = fmax(fmin(this->row, (area.h - apart - this->columns) / rows), 0.5);
    }
    this->row = ruler_whole(this->row);
    this->col = ruler_whole(this->col);
}

static void place_table(const Stacking *this, Heatmap *table, double x, double y) {
    table->cells = (Box){round(x), round(y), this->col * (double)table->tensor->cols,
                         this->row * (double)table->tensor->rows};
    table->label_room = this->labels;
    table->col_label_room = this->columns;
}

/* Places both tables with one cell size; rows that are cut are at their height in the
 * whole. */
static void place(Stacking *this, Box area) {
    double margin = ROLE_FRAME_MARGIN, rows = (double)this->whole.tensor->rows;
    double width = this->col * (double)this->whole.tensor->cols;
    double height = this->columns + this->row * rows +
                    (head_of_part(this) + APART) * (double)this->count - APART;
    double used = 2 * (width + this->labels) + LANES + 4 * margin;
    double left = area.x + (area.w - used) / 2 + this->labels + margin;
    double right = left + width + LANES + this->labels + 2 * margin;
    double tall = this->columns + this->head + this->row * rows;
    double y = area.y + fmax(area.h - tall, 0) * 0.45 + this->columns + this->head;
    place_table(this, &this->whole, this->cuts ? left : right, y);
    if (this->cuts) {
        place_table(this, &this->parts[0], right, y + this->row * (double)this->first[0]);
        return;
    }
    y = area.y + fmax(area.h - height, 0) * 0.45 + this->columns;
    for (size_t i = 0; i < this->count; i++) {
        y += head_of_part(this);
        place_table(this, &this->parts[i], left, y);
        y += this->parts[i].cells.h + APART;
    }
}

/* ---- drawing ---- */

/* Draws a table below its name, or its tab if its role has one. A part with the whole's
 * name is identified by its rows. */
static void draw_table(const Stacking *this, const Heatmap *heatmap) {
    const Stage *stage = this->stage;
    const Canvas *canvas = stage->canvas;
    const char *name = stage_formula_name(stage, heatmap->node);
    RoleTab tab = caption_tab(stage, name, heatmap->node);
    Box table = heatmap->cells;
    double labels =
        heatmap->col_labels && heatmap->tensor->col_labels ? this->columns : 0;
    table.y -= labels;
    table.h += labels;
    bool bare = this->bare && heatmap != &this->whole;
    if (tab.name) {
        if (!bare)
            role_tab(canvas, &tab, role_frame_box(table));
        role_frame(canvas, tab.role, table);
    } else if (!bare && (heatmap->node == stage->node ||
                         strcmp(name, stage_formula_name(stage, stage->node)) != 0)) {
        Caption caption = caption_fit(stage, name, heatmap->node, heatmap->tensor,
                                      NAME_UNITS, table.w + LANES * 0.6);
        caption_draw_name(stage, &caption, (Point){table.x, table.y - this->head / 2},
                          LABEL_LEFT);
    }
    heatmap_draw(canvas, heatmap);
}

/* Returns the box of a part's rows in the whole. */
static Box rows_of(const Stacking *this, size_t part) {
    return heatmap_cells(&this->whole, this->first[part],
                         this->first[part] + this->parts[part].tensor->rows, 0,
                         this->whole.tensor->cols);
}

/* Draws a band from a part to its rows of the whole, or back, as tall as the rows; not
 * behind labels that are taller. */
static void draw_band(const Stacking *this, size_t part) {
    const Canvas *canvas = this->stage->canvas;
    Box from = this->cuts ? rows_of(this, part) : this->parts[part].cells,
        to = this->cuts ? this->parts[part].cells : rows_of(this, part);
    Role role = role_of_node(this->stage->tape, this->parts[part].node);
    Color color = palette_mix(canvas->theme->page, lane_color(canvas, role, false), BAND);
    from.w += ROLE_FRAME_MARGIN;
    to.x -= ROLE_FRAME_MARGIN + this->labels;
    to.w = this->labels;
    curve_band(canvas, from, to, false, color);
    const double ROUND = 4; /* points by which a label may lie off its row's middle */
    double line = (LABEL_ASCENT + LABEL_DESCENT) * canvas_least(canvas, "") + ROUND;
    if (to.w > 0 && to.h / (double)this->parts[part].tensor->rows >= line)
        canvas_fill(canvas, to, 0, color);
}

/* Outlines each part and its rows in the whole in the part's colour; of a table that is
 * cut, fades the other rows. */
static void mark_parts(const Stacking *this) {
    const Canvas *canvas = this->stage->canvas;
    const Tensor *whole = this->whole.tensor;
    for (size_t i = 0; i < this->count; i++) {
        size_t rows = this->parts[i].tensor->rows, first = this->first[i],
               end = first + rows;
        Color color = stage_color(this->stage, this->parts[i].node, i);
        Color veil = canvas->theme->page;
        veil.a = MASK_INK;
        if (this->cuts && first > 0)
            canvas_fill(canvas, heatmap_cells(&this->whole, 0, first, 0, whole->cols), 0,
                        veil);
        if (this->cuts && end < whole->rows)
            canvas_fill(canvas,
                        heatmap_cells(&this->whole, end, whole->rows, 0, whole->cols), 0,
                        veil);
        heatmap_outline(canvas, &this->parts[i], 0, rows, 0, whole->cols, color);
        heatmap_outline(canvas, &this->whole, first, end, 0, whole->cols, color);
    }
}

/* Draws the key of grey rows in the lower left corner. */
static void draw_key(const Stacking *this) {
    const Canvas *canvas = this->stage->canvas;
    Box area = this->stage->area, strip = box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    double middle = round(strip.y + strip.h / 2), size = canvas_size(canvas, KEY, "");
    Box box = {strip.x, round(middle - size * 0.6), 2 * size, round(size * 1.2)};
    heatmap_draw_ground(canvas, box, 3, heatmap_cached_ground(canvas->theme));
    canvas_label_at(canvas, FONT_TEXT, KEY, canvas->theme->ink_soft,
                    (Point){box.x + box.w + 10, middle}, LABEL_LEFT,
                    canvas_string(canvas, "view.saves"));
}

/* Sets a table's heatmap, without its place; the result has the focus, and its cells
 * appear one by one. */
static void set_table(const Stacking *this, Heatmap *table, size_t node, double reach) {
    const Stage *stage = this->stage;
    *table = stage_heatmap(stage, node, (Box){0}, reach);
    table->row_labels = true;
    if (node != stage->node)
        return;
    stage_result(stage, table);
    stage_focus(stage, table, true, true);
}

/* Sets the tables of a stack or, if it cuts rows off, of a slice. */
static void set_tables(Stacking *this) {
    const Stage *stage = this->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    size_t whole = this->cuts ? node->inputs[0] : stage->node;
    double reach = heatmap_reach(stage_tensor(stage, whole));
    set_table(this, &this->whole, whole, reach);
    this->whole.col_labels = true;
    for (size_t i = 0, row = 0; i < this->count; i++) {
        set_table(this, &this->parts[i], this->cuts ? stage->node : node->inputs[i],
                  reach);
        this->parts[i].written_as = this->whole.tensor;
        this->parts[i].col_labels = !this->cuts && i == 0;
        this->first[i] = this->cuts ? node->options.row_begin : row;
        row += this->parts[i].tensor->rows;
    }
    /* Cached keys or values: an earlier table's rows, and others computed for them. */
    size_t last = this->parts[this->count - 1].node;
    if (!this->cuts && stage_node(stage, last)->operation == OPERATION_MATMUL &&
        stage_node(stage, this->parts[0].node)->operation == OPERATION_SLICE)
        this->whole.cached_rows = this->parts[0].cached_rows =
            this->parts[0].tensor->rows;
}

static void draw_all(Stacking *this) {
    const Stage *stage = this->stage;
    Box area = stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    set_tables(this);
    measure(this, area);
    place(this, area);
    for (size_t i = 0; i < this->count; i++) {
        draw_band(this, i);
        draw_table(this, &this->parts[i]);
    }
    draw_table(this, &this->whole);
    mark_parts(this);
    stage_outline_focus(stage, this->cuts ? &this->parts[0] : &this->whole);
    stage_legends(
        stage, stage->area,
        &(StageScale){stage_colors(stage->tape, stage->node), this->whole.reach}, 1);
    if (this->whole.cached_rows)
        draw_key(this);
}

void stack_picture(const Stage *stage) {
    size_t count = stage_node(stage, stage->node)->input_count;
    if (count > PANELS_MAX)
        given_picture(stage);
    else
        draw_all(&(Stacking){.stage = stage, .count = count});
}

bool cut_picture(const Stage *stage) {
    const TapeNode *node = stage_node(stage, stage->node);
    const Tensor *whole = node->operands[0];
    if (node->output.cols != whole->cols || node->output.rows == whole->rows ||
        whole->rows > ROWS_MOST)
        return false;
    draw_all(&(Stacking){.stage = stage, .cuts = true, .count = 1});
    return true;
}
