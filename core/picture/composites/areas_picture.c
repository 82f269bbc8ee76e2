#include "picture/composites/areas_picture.h"

#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/composites/areas_products.h"
#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { COLUMNS_MOST = 4 };

/* Lengths in units, except the last. */
static const double NAME = 20, NUMBER = 26, WORDS = 18, CAPTION = 76, KEY = 44,
                    SWATCH = 15;
static const double ADDEND_GAP = 30, FIGURE_GAP = 96, CELL_HEIGHT = 50, CELL_PAD = 14;
static const double LARGEST = 64;              /* side of 1 if nothing is larger */
static const double THINNEST = 1.5, RULED = 5; /* points: of a tile, of a square of 1 */
static const double TILE_GAP = 0.04, TALLEST = 2;

typedef struct Areas {
    const Stage *stage;
    const Tensor *sum;
    Products products;
    double unit, height; /* points: side of 1; height of the tallest figure */
} Areas;

static bool find(Areas *areas) {
    const Stage *stage = areas->stage;
    areas->products = (Products){.stage = stage};
    const Tensor *sum = areas->sum = stage_tensor(stage, stage->node);
    bool named = sum->cols == 1 || sum->col_labels;
    return !stage->values && !stage->is_question && !stage->step->shown_count && named &&
           sum->cols <= COLUMNS_MOST && products_find(&areas->products);
}

/* ---- layout ---- */

/* End of an addend: terms of one owner belong together. */
static size_t addend_end(const Areas *areas, size_t first) {
    size_t end = first + 1;
    while (areas->products.all[first].owner != TAPE_NONE && end < areas->products.count &&
           areas->products.all[end].owner == areas->products.all[first].owner)
        end++;
    return end;
}

/* A term's rectangles at the scale; rectangles that are too thin become one square of
 * equal area. */
static Tiles scaled(const Areas *areas, size_t term, size_t col) {
    Tiles tiles;
    products_tiles(&areas->products, &areas->products.all[term], col, &tiles);
    if (fmin(tiles.w, tiles.h) * areas->unit < THINNEST) {
        tiles.w = tiles.h = sqrt((double)tiles.count * tiles.w * tiles.h);
        tiles.count = 1;
        tiles.ruled = false;
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

/* Size of an addend's terms below each other, as narrow as the height allows; height 0 if
 * there is no room. */
static Point addend_size(const Areas *areas, size_t first, size_t col) {
    Tiles tiles = scaled(areas, first, col);
    size_t end = addend_end(areas, first);
    for (size_t side = 1; side <= tiles.count; side++) {
        double w = (double)side * (tiles.w + gap_of(tiles)) - gap_of(tiles), h = 0;
        for (size_t i = first; i < end; i++)
            h += height_in(scaled(areas, i, col), w) + (i > first ? 10 : 0);
        for (size_t i = first; i < end; i++)
            w = fmax(w, scaled(areas, i, col).w);
        bool stands = h <= w * TALLEST || side == tiles.count;
        if (stands && h <= areas->height)
            return (Point){w, h};
    }
    return (Point){INFINITY, INFINITY};
}

static const char *value_text(const Areas *areas, double value) {
    return canvas_amount(areas->stage->canvas, value, HEATMAP_DECIMALS);
}

/* Caption of an addend: "12 · D²", or the name of an intermediate count. */
static const char *caption_of(const Areas *areas, size_t first) {
    const Canvas *canvas = areas->stage->canvas;
    const Product *term = &areas->products.all[first];
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

static double formula_width(const Areas *areas, const char *text) {
    const Canvas *canvas = areas->stage->canvas;
    return canvas_formula_extent(canvas, text, canvas_size(canvas, NAME, "")).width;
}

static double cell_width(const Areas *areas, size_t col) {
    const Canvas *canvas = areas->stage->canvas;
    return canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, NUMBER, ""),
                             value_text(areas, areas->sum->values[col])) +
           2 * CELL_PAD;
}

/* Width of an addend's place, including the caption below it in a single figure. */
static double place_width(const Areas *areas, size_t first, size_t col) {
    double width = addend_size(areas, first, col).x;
    return areas->sum->cols == 1
               ? fmax(width, formula_width(areas, caption_of(areas, first)))
               : width;
}

static double figure_width(const Areas *areas, size_t col) {
    double width = 0;
    for (size_t i = 0; i < areas->products.count; i = addend_end(areas, i))
        width += place_width(areas, i, col) +
                 round(areas->sum->cols == 1 ? ADDEND_GAP : ADDEND_GAP / 2);
    return areas->sum->cols == 1 ? width : fmax(width, cell_width(areas, col));
}

static double all_width(const Areas *areas) {
    double width = 0;
    for (size_t col = 0; col < areas->sum->cols; col++)
        width += figure_width(areas, col) + (col ? FIGURE_GAP : 0);
    return areas->sum->cols == 1 ? width + cell_width(areas, 0) + 60 : width;
}

static double tallest(const Areas *areas) {
    double tallest = 0;
    for (size_t col = 0; col < areas->sum->cols; col++) {
        for (size_t i = 0; i < areas->products.count; i = addend_end(areas, i))
            tallest = fmax(tallest, addend_size(areas, i, col).y);
    }
    return tallest;
}

/* Chooses the largest scale with room for all figures; returns false if there is none. */
static bool place(Areas *areas, Box area) {
    double least = 0, most = area.h;
    areas->height = area.h;
    if (areas->sum->cols == 1)
        most = fmin(most, LARGEST);
    for (int i = 0; i < 40; i++) {
        areas->unit = (least + most) / 2;
        if (all_width(areas) <= area.w && tallest(areas) <= area.h)
            least = areas->unit;
        else
            most = areas->unit;
    }
    areas->unit = least;
    return least > 0 && all_width(areas) <= area.w;
}

/* ---- drawing ---- */

static Color color_of(const Areas *areas, size_t addend) {
    const Theme *theme = areas->stage->canvas->theme;
    return palette_mix(theme->page, theme->other[addend % 4], 128);
}

/* Draws lines between the squares of 1 in a tile. */
static void rule(const Areas *areas, Box tile, size_t w, size_t h) {
    const Canvas *canvas = areas->stage->canvas;
    for (size_t i = 1; i < w; i++) {
        double x = tile.x + areas->unit * (double)i;
        scene_line(canvas->scene, (Point){x, tile.y}, (Point){x, tile.y + tile.h}, 1,
                   canvas->theme->page);
    }
    for (size_t i = 1; i < h; i++) {
        double y = tile.y + areas->unit * (double)i;
        scene_line(canvas->scene, (Point){tile.x, y}, (Point){tile.x + tile.w, y}, 1,
                   canvas->theme->page);
    }
}

static void draw_tiles(const Areas *areas, size_t term, size_t col, Tiles tiles,
                       Point corner, double width, Color color) {
    const Canvas *canvas = areas->stage->canvas;
    size_t side = across(tiles, width);
    for (size_t i = 0; i < tiles.count; i++) {
        Box tile = {corner.x + (tiles.w + gap_of(tiles)) * (double)(i % side),
                    corner.y + (tiles.h + gap_of(tiles)) * (double)(i / side), tiles.w,
                    tiles.h};
        canvas_fill(canvas, tile, 0, color);
        Tiles real;
        products_tiles(&areas->products, &areas->products.all[term], col, &real);
        if (tiles.ruled && areas->unit >= RULED)
            rule(areas, tile, (size_t)real.w, (size_t)real.h);
    }
}

static void draw_addend(const Areas *areas, size_t first, size_t col, Point corner,
                        double width, Color color) {
    for (size_t i = first; i < addend_end(areas, first); i++) {
        Tiles tiles = scaled(areas, i, col);
        draw_tiles(areas, i, col, tiles, corner, width, color);
        corner.y += height_in(tiles, width) + 10;
    }
}

/* Draws an addend's caption below it: "4 · d²" and its name. */
static void draw_caption(const Areas *areas, size_t first, Point top) {
    const Canvas *canvas = areas->stage->canvas;
    double value = 0;
    for (size_t i = first; i < addend_end(areas, first); i++) {
        Tiles tiles;
        products_tiles(&areas->products, &areas->products.all[i], 0, &tiles);
        value += (double)tiles.count * tiles.w * tiles.h;
    }
    canvas_formula(canvas, caption_of(areas, first), NAME, (Point){top.x, top.y + 22},
                   LABEL_CENTER);
    canvas_label(canvas, FONT_TEXT, NAME, canvas->theme->ink, (Point){top.x, top.y + 60},
                 LABEL_CENTER, value_text(areas, value));
}

/* Draws the number, which is the step's cell. */
static Box draw_cell(const Areas *areas, size_t col, double left, double middle) {
    const Stage *stage = areas->stage;
    const Canvas *canvas = stage->canvas;
    double size = canvas_size(canvas, NUMBER, "");
    Box cell = {round(left), round(middle - CELL_HEIGHT / 2),
                ceil(cell_width(areas, col)), CELL_HEIGHT};
    canvas_link_cell(canvas, stage->node, 0, col);
    canvas_fill(canvas, cell, 0, canvas->theme->bar);
    if (col < stage->visible)
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){cell.x + cell.w / 2, label_baseline(middle, size)},
                    LABEL_CENTER, value_text(areas, areas->sum->values[col]));
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node == stage->node && stage->focus_col == col)
        canvas_outline(canvas, box_inset(cell, -1), 2, canvas->theme->focus, 2);
    Heatmap printed = {.lesson = stage->player->lesson, .step = stage->step};
    if (stage->step->result == stage->node && col < stage->visible)
        heatmap_mark_differing(canvas, &printed, 0, col, cell);
    return cell;
}

/* Draws a figure on `ground`, with its name below; returns the left end of the next
 * one. */
static double draw_figure(const Areas *areas, size_t col, double x, double ground) {
    bool lone = areas->sum->cols == 1;
    double gap = round(lone ? ADDEND_GAP : ADDEND_GAP / 2), spare = 0;
    if (!lone) { /* the number may be wider */
        double used = -gap;
        for (size_t i = 0; i < areas->products.count; i = addend_end(areas, i))
            used += place_width(areas, i, col) + gap;
        spare = fmax(figure_width(areas, col) - used, 0) / 2;
    }
    size_t addend = 0;
    for (size_t i = 0; i < areas->products.count; i = addend_end(areas, i), addend++) {
        Point size = addend_size(areas, i, col);
        double room = place_width(areas, i, col), left = x + spare + (room - size.x) / 2;
        draw_addend(areas, i, col, (Point){left, ground - size.y}, size.x,
                    color_of(areas, addend));
        if (lone)
            draw_caption(areas, i, (Point){x + room / 2, ground});
        if (lone && addend)
            canvas_formula(areas->stage->canvas, "+", NAME,
                           (Point){x - gap / 2, ground + 60 - 7}, LABEL_CENTER);
        x += room + gap;
    }
    return x;
}

/* Draws the key: "■ 12 · D²", and the unit of the numbers. */
static void draw_key(const Areas *areas, Box strip) {
    const Canvas *canvas = areas->stage->canvas;
    double x = strip.x, y = strip.y + strip.h / 2;
    size_t addend = 0;
    for (size_t i = 0; i < areas->products.count; i = addend_end(areas, i), addend++) {
        canvas_fill(canvas, (Box){x, round(y - SWATCH / 2), SWATCH, SWATCH}, 0,
                    color_of(areas, addend));
        Box name = canvas_formula(canvas, caption_of(areas, i), NAME,
                                  (Point){x + SWATCH + 10, y}, LABEL_LEFT);
        x = name.x + name.w + 34;
    }
}

static void draw_columns(const Areas *areas, Box area, double ground) {
    const Canvas *canvas = areas->stage->canvas;
    const char *power = areas->sum->row_labels ? areas->sum->row_labels[0] : "";
    double x = area.x + (area.w - all_width(areas)) / 2;
    for (size_t col = 0; col < areas->sum->cols; col++) {
        double wide = figure_width(areas, col), middle = x + wide / 2;
        bool focus = areas->stage->has_focus && areas->stage->focus_col == col;
        draw_figure(areas, col, x, ground);
        canvas_label(canvas, focus ? FONT_BOLD : FONT_TEXT, WORDS, canvas->theme->ink,
                     (Point){middle, ground + 28}, LABEL_CENTER,
                     areas->sum->col_labels[col]);
        Box cell =
            draw_cell(areas, col, middle - cell_width(areas, col) / 2, ground + 66);
        canvas_label(
            canvas, FONT_TEXT, WORDS, canvas->theme->ink_soft,
            (Point){cell.x + cell.w + 8, label_baseline(cell.y + cell.h / 2, WORDS)},
            LABEL_LEFT, power);
        x += wide + FIGURE_GAP;
    }
}

static void draw_lone(const Areas *areas, Box area, double ground) {
    const Canvas *canvas = areas->stage->canvas;
    double x = area.x + (area.w - all_width(areas)) / 2, line = ground + 53;
    x = draw_figure(areas, 0, x, ground);
    canvas_formula(canvas, "=", NUMBER, (Point){x, line}, LABEL_CENTER);
    draw_cell(areas, 0, x + 30, line);
}

bool areas_picture(const Stage *stage) {
    Areas areas = {.stage = stage};
    Box area = stage->area;
    if (!find(&areas))
        return false;
    bool lone = areas.sum->cols == 1;
    Box key = box_take_bottom(&area, lone ? 0 : KEY);
    box_take_bottom(&area, lone ? CAPTION : CAPTION + 24);
    if (area.h <= 0 || !place(&areas, area))
        return false;
    double ground = round(area.y + (area.h + tallest(&areas)) / 2);
    if (lone) {
        draw_lone(&areas, area, ground);
    } else {
        draw_columns(&areas, area, ground);
        draw_key(&areas, key);
    }
    return true;
}
