#include "picture/composites/composites.h"

#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/canvas.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { COLUMNS_MOST = 4, TILES_MOST = 600, PRODUCTS_MOST = 12, FACTORS_MOST = 2 };

static const double ROUNDING = 1e-9;

/* Lengths in units, except the last. */
static const double NAME = 20, NUMBER = 26, WORDS = 18, CAPTION = 76, KEY = 44,
                    SWATCH = 15;
static const double ADDEND_GAP = 30, FIGURE_GAP = 96, CELL_HEIGHT = 50, CELL_PAD = 14;
static const double LARGEST = 64;              /* side of 1 if nothing is larger */
static const double THINNEST = 1.5, RULED = 5; /* points: of a tile, of a square of 1 */
static const double TILE_GAP = 0.04, TALLEST = 2, TERM_GAP = 10;

/* A number of equal rectangles. */
typedef struct Product {
    double count, scale; /* product of the whole coefficients; product of the others */
    size_t factor_count, factors[FACTORS_MOST]; /* nodes: height and width */
    size_t owner; /* node of the intermediate count that it is a part of; TAPE_NONE */
} Product;

typedef struct Areas {
    const Stage *stage;
    const Canvas *canvas;
    const Tensor *sum; /* table of one row */
    bool lone;         /* it is one number */
    size_t count;
    Product all[PRODUCTS_MOST];
    /* Products of one owner are one addend: those from starts[i] to starts[i + 1]. */
    size_t addends, starts[PRODUCTS_MOST + 1];
    double unit, height; /* points: side of 1; height of the tallest figure */
} Areas;

/* Rectangles of a product in one column. */
typedef struct Tiles {
    size_t count;
    double w, h;
    size_t across, down; /* squares of 1 in each; 0: the sides are no whole numbers */
} Tiles;

/* ---- a sum of products ---- */

static bool is_constant(const Areas *areas, size_t node) {
    const TapeNode *at = stage_node(areas->stage, node);
    return at->quiet && at->operation == OPERATION_GIVEN &&
           tensor_cells(&at->output) == 1;
}

static bool is_given(const Areas *areas, size_t node) {
    return stage_node(areas->stage, node)->operation == OPERATION_GIVEN;
}

/* Reports whether a node is a factor as a whole: a given size, or a number from another
 * step. */
static bool is_whole(const Areas *areas, size_t node) {
    const TapeNode *at = stage_node(areas->stage, node);
    return node != areas->stage->node && at->name[0] && at->output.rows == 1 &&
           (at->output.cols == areas->sum->cols || at->output.cols == 1);
}

static bool times_factor(Product *term, size_t node) {
    if (term->factor_count == FACTORS_MOST)
        return false;
    term->factors[term->factor_count++] = node;
    return true;
}

static bool times_constant(const Areas *areas, Product *term, size_t node) {
    double value = stage_tensor(areas->stage, node)->values[0];
    bool whole = value >= 1 && !(fabs(value - floor(value)) > 0);
    *(whole ? &term->count : &term->scale) *= value;
    return value > 0;
}

/* Multiplies a term by a node; returns false if the node is more than a product. */
static bool times(const Areas *areas, Product *term, size_t node) {
    const TapeNode *at = stage_node(areas->stage, node);
    if (is_constant(areas, node))
        return times_constant(areas, term, node);
    if (is_whole(areas, node))
        return times_factor(term, node);
    return at->operation == OPERATION_MULTIPLY && !at->muted &&
           times(areas, term, at->inputs[0]) && times(areas, term, at->inputs[1]);
}

static bool push(Areas *areas, Product term) {
    if (areas->count == PRODUCTS_MOST || term.factor_count == 0)
        return false;
    areas->all[areas->count++] = term;
    return true;
}

static bool add_terms(Areas *areas, size_t node, Product outer);

/* Adds the products of a node's operation, multiplied by `outer`. */
static bool add_made(Areas *areas, size_t node, Product outer) {
    const TapeNode *at = stage_node(areas->stage, node);
    if (at->muted)
        return false;
    if (at->operation == OPERATION_ADD)
        return add_terms(areas, at->inputs[0], outer) &&
               add_terms(areas, at->inputs[1], outer);
    if (at->operation == OPERATION_DIVIDE && is_constant(areas, at->inputs[1])) {
        outer.scale /= stage_tensor(areas->stage, at->inputs[1])->values[0];
        return add_terms(areas, at->inputs[0], outer);
    }
    for (int i = 0; at->operation == OPERATION_MULTIPLY && i < 2; i++) {
        Product product = outer;
        if (times(areas, &product, at->inputs[i]))
            return add_terms(areas, at->inputs[1 - i], product);
    }
    return false;
}

static bool add_terms(Areas *areas, size_t node, Product outer) {
    if (is_constant(areas, node))
        return times_constant(areas, &outer, node) && push(areas, outer);
    if (!is_whole(areas, node))
        return add_made(areas, node, outer);
    bool alone = !outer.factor_count && outer.count <= 1 && outer.owner == TAPE_NONE;
    if (alone && !is_given(areas, node)) {
        outer.owner = node;
        return add_made(areas, node, outer);
    }
    return times_factor(&outer, node) && push(areas, outer);
}

/* ---- rectangles ---- */

static double value_of(const Areas *areas, size_t node, size_t col) {
    const Tensor *tensor = stage_tensor(areas->stage, node);
    return tensor->values[tensor->cols == 1 ? 0 : col];
}

static bool is_count(double value) {
    return value >= 1 && value <= TILES_MOST && !(fabs(value - round(value)) > 0);
}

/* An intermediate count from another step has no sides and becomes squares. Returns their
 * number, 0 if there are none; sets the area of one. */
static double squares_of(const Areas *areas, const Product *product, size_t col,
                         double *area) {
    double count = 0, others = product->count;
    *area = product->scale;
    for (size_t i = 0; i < product->factor_count; i++) {
        double value = value_of(areas, product->factors[i], col);
        bool made = !is_given(areas, product->factors[i]) && !(count > 0);
        *(made ? area : &others) *= value;
        count = made ? 1 : count;
    }
    return count * others;
}

/* Fills in a product's rectangles in a column; returns false if it has none, or too
 * many. */
static bool find_tiles(const Areas *areas, const Product *product, size_t col,
                       Tiles *tiles) {
    double area, count = squares_of(areas, product, col, &area);
    *tiles = (Tiles){.w = sqrt(area), .h = sqrt(area)};
    if (!(count > 0)) {
        bool two = product->factor_count == 2;
        double side = two ? sqrt(product->scale) : 1;
        count = product->count;
        tiles->w = value_of(areas, product->factors[two], col) * side;
        tiles->h =
            two ? value_of(areas, product->factors[0], col) * side : product->scale;
        if (is_count(tiles->w) && is_count(tiles->h)) {
            tiles->across = (size_t)tiles->w;
            tiles->down = (size_t)tiles->h;
        }
    }
    tiles->count = is_count(count) ? (size_t)count : 0;
    return tiles->count > 0 && tiles->w > 0 && isfinite(tiles->w) && tiles->h > 0;
}

/* Reports whether the products' sum is the step's result. */
static bool are_right(const Areas *areas) {
    bool large = false;
    for (size_t col = 0; col < areas->sum->cols; col++) {
        double sum = areas->sum->values[col], all = 0;
        for (size_t i = 0; i < areas->count; i++) {
            Tiles tiles;
            if (!find_tiles(areas, &areas->all[i], col, &tiles))
                return false;
            all += (double)tiles.count * tiles.w * tiles.h;
            large |= areas->all[i].factor_count > 1 || areas->count > 1;
        }
        if (!(fabs(all - sum) <= fabs(sum) * ROUNDING))
            return false;
    }
    return large;
}

/* Finds the products that the stage's node is the sum of; returns false if it is no such
 * sum, or the areas don't add up to it. */
static bool find(Areas *areas) {
    const Stage *stage = areas->stage;
    const Tensor *sum = areas->sum = stage_tensor(stage, stage->node);
    areas->lone = sum->cols == 1;
    if (stage->values || stage->is_question || stage->step->shown_count ||
        !(areas->lone || sum->col_labels) || sum->cols > COLUMNS_MOST || sum->rows != 1 ||
        !add_made(areas, stage->node,
                  (Product){.count = 1, .scale = 1, .owner = TAPE_NONE}) ||
        !are_right(areas))
        return false;
    for (size_t i = 0; i < areas->count; i++) {
        size_t owner = areas->all[i].owner;
        if (i == 0 || owner == TAPE_NONE || owner != areas->all[i - 1].owner)
            areas->starts[areas->addends++] = i;
    }
    areas->starts[areas->addends] = areas->count;
    return true;
}

/* ---- layout ---- */

/* A term's rectangles at the scale; rectangles that are too thin become one square of
 * equal area. */
static Tiles scaled(const Areas *areas, size_t term, size_t col) {
    Tiles tiles;
    find_tiles(areas, &areas->all[term], col, &tiles);
    if (fmin(tiles.w, tiles.h) * areas->unit < THINNEST) {
        tiles.w = tiles.h = sqrt((double)tiles.count * tiles.w * tiles.h);
        tiles.count = 1;
        tiles.across = tiles.down = 0;
    }
    tiles.w = fmax(tiles.w * areas->unit, THINNEST);
    tiles.h = fmax(tiles.h * areas->unit, THINNEST);
    return tiles;
}

static double gap_of(Tiles tiles) {
    return fmax(
        round(fmin(fmin(tiles.w, tiles.h) * 2, fmax(tiles.w, tiles.h)) * TILE_GAP), 1);
}

/* Number of tiles side by side in a width. */
static size_t across(Tiles tiles, double width) {
    double fit = floor((width + gap_of(tiles) + 0.5) / (tiles.w + gap_of(tiles)));
    return fit < 1 ? 1 : fit < (double)tiles.count ? (size_t)fit : tiles.count;
}

static double height_in(Tiles tiles, double width) {
    size_t side = across(tiles, width), rows = (tiles.count + side - 1) / side;
    return (double)rows * (tiles.h + gap_of(tiles)) - gap_of(tiles);
}

/* Size of an addend's terms below each other, as narrow as the height allows; infinite if
 * there is no room. */
static Point addend_size(const Areas *areas, size_t addend, size_t col) {
    size_t first = areas->starts[addend], end = areas->starts[addend + 1];
    Tiles tiles = scaled(areas, first, col);
    for (size_t side = 1; side <= tiles.count; side++) {
        double w = (double)side * (tiles.w + gap_of(tiles)) - gap_of(tiles),
               h = -TERM_GAP, widest = w;
        for (size_t i = first; i < end; i++) {
            h += height_in(scaled(areas, i, col), w) + TERM_GAP;
            widest = fmax(widest, scaled(areas, i, col).w);
        }
        if ((h <= widest * TALLEST || side == tiles.count) && h <= areas->height)
            return (Point){widest, h};
    }
    return (Point){INFINITY, INFINITY};
}

static const char *value_text(const Areas *areas, double value) {
    return canvas_amount(areas->canvas, value, HEATMAP_DECIMALS);
}

/* Caption of an addend: "12 · D²", or the name of an intermediate count. */
static const char *caption_of(const Areas *areas, size_t addend) {
    const Canvas *canvas = areas->canvas;
    const Product *term = &areas->all[areas->starts[addend]];
    if (term->owner != TAPE_NONE)
        return stage_formula_name(areas->stage, term->owner);
    const char *text =
        term->count > 1 ? canvas_format(canvas, "%.0f \\cdot ", term->count) : "";
    const char *one = stage_formula_name(areas->stage, term->factors[0]);
    if (term->factor_count == 1)
        return canvas_format(canvas, "%s%s", text, one);
    if (term->factors[0] == term->factors[1])
        return canvas_format(canvas, "%s%s^2", text, one);
    return canvas_format(canvas, "%s%s \\cdot %s", text, one,
                         stage_formula_name(areas->stage, term->factors[1]));
}

static double cell_width(const Areas *areas, size_t col) {
    return canvas_text_width(areas->canvas, FONT_BOLD,
                             canvas_size(areas->canvas, NUMBER, ""),
                             value_text(areas, areas->sum->values[col])) +
           2 * CELL_PAD;
}

/* Width of an addend's place, including the caption below it in a single figure. */
static double place_width(const Areas *areas, size_t addend, size_t col) {
    double size = canvas_size(areas->canvas, NAME, "");
    const char *caption = areas->lone ? caption_of(areas, addend) : "";
    return fmax(addend_size(areas, addend, col).x,
                canvas_formula_extent(areas->canvas, caption, size).width);
}

/* Width of all addends, each with a gap. */
static double addends_width(const Areas *areas, size_t col, double gap) {
    double width = 0;
    for (size_t i = 0; i < areas->addends; i++)
        width += place_width(areas, i, col) + gap;
    return width;
}

static double figure_width(const Areas *areas, size_t col) {
    return areas->lone
               ? addends_width(areas, col, ADDEND_GAP)
               : fmax(addends_width(areas, col, ADDEND_GAP / 2), cell_width(areas, col));
}

static double all_width(const Areas *areas) {
    double width = areas->lone ? cell_width(areas, 0) + 60 : 0;
    for (size_t col = 0; col < areas->sum->cols; col++)
        width += figure_width(areas, col) + (col ? FIGURE_GAP : 0);
    return width;
}

static double tallest(const Areas *areas) {
    double tallest = 0;
    for (size_t col = 0; col < areas->sum->cols; col++) {
        for (size_t i = 0; i < areas->addends; i++)
            tallest = fmax(tallest, addend_size(areas, i, col).y);
    }
    return tallest;
}

/* Chooses the largest scale with room for all figures; returns false if there is none. */
static bool place(Areas *areas, Box area) {
    double least = 0, most = areas->lone ? fmin(area.h, LARGEST) : area.h;
    areas->height = area.h;
    for (int i = 0; i < 40; i++) {
        areas->unit = (least + most) / 2;
        bool fits = all_width(areas) <= area.w && tallest(areas) <= area.h;
        *(fits ? &least : &most) = areas->unit;
    }
    areas->unit = least;
    return least > 0 && all_width(areas) <= area.w;
}

/* ---- drawing ---- */

static Color color_of(const Areas *areas, size_t addend) {
    const Theme *theme = areas->canvas->theme;
    return palette_mix(theme->page, theme->other[addend % 4], 128);
}

/* Draws rectangles in lines of a width, with lines between the squares of 1 in each. */
static void draw_tiles(const Areas *areas, Tiles tiles, Point corner, double width,
                       Color color) {
    const Canvas *canvas = areas->canvas;
    Color line = canvas->theme->page;
    size_t side = across(tiles, width);
    bool ruled = areas->unit >= RULED;
    for (size_t i = 0; i < tiles.count; i++) {
        Box tile = {corner.x + (tiles.w + gap_of(tiles)) * (double)(i % side),
                    corner.y + (tiles.h + gap_of(tiles)) * (double)(i / side), tiles.w,
                    tiles.h};
        canvas_fill(canvas, tile, 0, color);
        for (size_t j = 1; ruled && j < tiles.across; j++) {
            double x = tile.x + areas->unit * (double)j;
            scene_line(canvas->scene, (Point){x, tile.y}, (Point){x, tile.y + tile.h}, 1,
                       line);
        }
        for (size_t j = 1; ruled && j < tiles.down; j++) {
            double y = tile.y + areas->unit * (double)j;
            scene_line(canvas->scene, (Point){tile.x, y}, (Point){tile.x + tile.w, y}, 1,
                       line);
        }
    }
}

/* Draws an addend's terms below each other on `ground`. */
static void draw_addend(const Areas *areas, size_t addend, size_t col, double left,
                        double ground) {
    Point size = addend_size(areas, addend, col), corner = {left, ground - size.y};
    for (size_t i = areas->starts[addend]; i < areas->starts[addend + 1]; i++) {
        Tiles tiles = scaled(areas, i, col);
        draw_tiles(areas, tiles, corner, size.x, color_of(areas, addend));
        corner.y += height_in(tiles, size.x) + TERM_GAP;
    }
}

/* Draws an addend's caption below it: "4 · d²" and its value. */
static void draw_caption(const Areas *areas, size_t addend, Point top) {
    const Canvas *canvas = areas->canvas;
    double value = 0;
    for (size_t i = areas->starts[addend]; i < areas->starts[addend + 1]; i++) {
        Tiles tiles;
        find_tiles(areas, &areas->all[i], 0, &tiles);
        value += (double)tiles.count * tiles.w * tiles.h;
    }
    canvas_formula(canvas, caption_of(areas, addend), NAME, (Point){top.x, top.y + 22},
                   LABEL_CENTER);
    canvas_label(canvas, FONT_TEXT, NAME, canvas->theme->ink, (Point){top.x, top.y + 60},
                 LABEL_CENTER, value_text(areas, value));
}

/* Draws the number, which is the step's cell. */
static Box draw_cell(const Areas *areas, size_t col, double left, double middle) {
    const Stage *stage = areas->stage;
    const Canvas *canvas = areas->canvas;
    Box cell = {round(left), round(middle - CELL_HEIGHT / 2),
                ceil(cell_width(areas, col)), CELL_HEIGHT};
    canvas_link_cell(canvas, stage->node, 0, col);
    canvas_fill(canvas, cell, 0, canvas->theme->bar);
    if (col < stage->visible)
        canvas_label_at(canvas, FONT_BOLD, NUMBER, canvas->theme->ink,
                        (Point){cell.x + cell.w / 2, middle}, LABEL_CENTER,
                        value_text(areas, areas->sum->values[col]));
    canvas_unlink(canvas);
    if (stage_focuses(stage, stage->node, 0, col))
        canvas_outline(canvas, box_inset(cell, -1), 2, canvas->theme->focus, 2);
    Heatmap printed = {.lesson = stage->player->lesson, .step = stage->step};
    if (stage->step->result == stage->node && col < stage->visible)
        heatmap_mark_differing(canvas, &printed, 0, col, cell);
    return cell;
}

/* Draws a figure on `ground`, its addends in the middle of its width, where the number
 * may be wider. */
static void draw_figure(const Areas *areas, size_t col, double x, double ground) {
    double gap = areas->lone ? ADDEND_GAP : ADDEND_GAP / 2;
    if (!areas->lone)
        x += (figure_width(areas, col) - addends_width(areas, col, gap) + gap) / 2;
    for (size_t i = 0; i < areas->addends; i++) {
        double room = place_width(areas, i, col), middle = x + room / 2;
        draw_addend(areas, i, col, middle - addend_size(areas, i, col).x / 2, ground);
        if (areas->lone)
            draw_caption(areas, i, (Point){middle, ground});
        if (areas->lone && i)
            canvas_formula(areas->canvas, "+", NAME,
                           (Point){x - gap / 2, ground + 60 - 7}, LABEL_CENTER);
        x += room + gap;
    }
}

/* Draws the key: "■ 12 · D²". */
static void draw_key(const Areas *areas, Box strip) {
    double x = strip.x, y = strip.y + strip.h / 2;
    for (size_t i = 0; i < areas->addends; i++) {
        canvas_fill(areas->canvas, (Box){x, round(y - SWATCH / 2), SWATCH, SWATCH}, 0,
                    color_of(areas, i));
        Box name = canvas_formula(areas->canvas, caption_of(areas, i), NAME,
                                  (Point){x + SWATCH + 10, y}, LABEL_LEFT);
        x = name.x + name.w + 34;
    }
}

static void draw_columns(const Areas *areas, double x, double ground) {
    const Canvas *canvas = areas->canvas;
    const char *power = areas->sum->row_labels ? areas->sum->row_labels[0] : "";
    for (size_t col = 0; col < areas->sum->cols; col++) {
        double wide = figure_width(areas, col), middle = x + wide / 2;
        bool focus = areas->stage->has_focus && areas->stage->focus_col == col;
        draw_figure(areas, col, x, ground);
        canvas_label(canvas, focus ? FONT_BOLD : FONT_TEXT, WORDS, canvas->theme->ink,
                     (Point){middle, ground + 28}, LABEL_CENTER,
                     areas->sum->col_labels[col]);
        Box cell =
            draw_cell(areas, col, middle - cell_width(areas, col) / 2, ground + 66);
        canvas_label_at(canvas, FONT_TEXT, WORDS, canvas->theme->ink_soft,
                        (Point){cell.x + cell.w + 8, cell.y + cell.h / 2}, LABEL_LEFT,
                        power);
        x += wide + FIGURE_GAP;
    }
}

bool areas_picture(const Stage *stage) {
    Areas areas = {.stage = stage, .canvas = stage->canvas};
    Box area = stage->area;
    if (!find(&areas))
        return false;
    Box key = box_take_bottom(&area, areas.lone ? 0 : KEY);
    box_take_bottom(&area, areas.lone ? CAPTION : CAPTION + 24);
    if (area.h <= 0 || !place(&areas, area))
        return false;
    double ground = round(area.y + (area.h + tallest(&areas)) / 2);
    double x = area.x + (area.w - all_width(&areas)) / 2, line = ground + 53;
    if (!areas.lone) {
        draw_columns(&areas, x, ground);
        draw_key(&areas, key);
        return true;
    }
    draw_figure(&areas, 0, x, ground);
    x += figure_width(&areas, 0);
    canvas_formula(stage->canvas, "=", NUMBER, (Point){x, line}, LABEL_CENTER);
    draw_cell(&areas, 0, x + 30, line);
    return true;
}
