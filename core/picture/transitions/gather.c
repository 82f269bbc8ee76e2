#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/canvas.h"
#include "picture/draw/heatmap.h"
#include "picture/scene/theme.h"
#include "picture/transitions/sources.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <string.h>

/* A sum as it is gathered: in a product the row's number moves to the column's number,
 * and their product drops into the cell. */

enum { PARTS_MOST = 48, PAIR_MOST = 4, ABREAST_MOST = 8 };
/* From then on the cell has its own number. */
static const double TELLS = (1 + TRANSITION_EXPLAINED) / 2;
/* Distance of a mark from its line, relative to a dot. */
static const double MARK_REACH = 2;
/* Fraction of a part's time until its pair is together. */
static const double TOGETHER = 0.5;

typedef struct Pair {
    const Moving *moving;
    size_t count;
    size_t items[PAIR_MOST];
} Pair;

static void take_cell(void *context, const Term *cell) {
    Pair *pair = context;
    const Moving *moving = pair->moving;
    if (pair->count == PAIR_MOST || cell->input >= moving->at->input_count)
        return;
    const StillTable *table = still_table(moving->still, moving->at->inputs[cell->input]);
    size_t item = still_cell(table, cell->row, cell->col, cell->input > 0);
    if (item != STILL_NONE)
        pair->items[pair->count++] = item;
    if (table)
        return;
    Sources through = {.moving = moving, .user = moving->node, .most = 1};
    sources_take(&through, cell);
    if (through.count)
        pair->items[pair->count++] = through.items[0][DRAWN_LAST];
}

/* Takes the cells of a part; cells of a quantity that is computed elsewhere are
 * ignored. */
static void take_part(Pair *pair, const Term *part) {
    if (part->kind == TERM_QUANTITY)
        return;
    if (part->kind == TERM_CELL)
        take_cell(pair, part);
    for (size_t i = 0; i < part->count; i++)
        take_part(pair, part->parts[i]);
}

/* Text that a cell is drawn as, or NULL. */
static const SceneItem *text_in_cell(const Moving *moving, size_t item) {
    const SceneItem *items = moving->still->canvas->scene->items;
    size_t end = item == STILL_NONE ? item : still_run_end(moving->still, item);
    for (size_t i = item; i < end; i++) {
        if (items[i].kind == SCENE_TEXT)
            return &items[i];
    }
    return NULL;
}

/* Size of the digits in a cell, or 0. */
static double digits_of(const Moving *moving, size_t item) {
    const SceneItem *text = text_in_cell(moving, item);
    return text ? text->size : 0;
}

/* Largest number of decimals of the output's numbers at the end; 0 if all are whole, or
 * none is written. */
static int decimals_of(const Moving *moving) {
    const StillTable *out = moving->out;
    size_t most = 0;
    for (size_t i = 0; i < 2 * out->rows * out->cols; i++) {
        size_t item = still_cell(out, i / 2 / out->cols, i / 2 % out->cols, i % 2);
        const SceneItem *text = text_in_cell(moving, item);
        const char *point = text ? strchr(text->text, '.') : NULL;
        if (point && strlen(point + 1) > most)
            most = strlen(point + 1);
    }
    return (int)most;
}

static void draw_number(const Moving *moving, Box box, double size, double value,
                        double shown) {
    const Canvas *canvas = moving->still->canvas;
    char text[NUMBER_SIZE];
    if (!(size > 0) || isnan(value))
        return;
    int decimals = decimals_of(moving);
    if (decimals)
        number_format_shortest(text, value, decimals);
    else /* parts of whole numbers may be fractions */
        number_format_short(text, value, HEATMAP_DECIMALS);
    Color ink = canvas->theme->ink;
    ink.a = (uint8_t)lround(255 * fmax(2 * shown - 1, 0));
    double wide = canvas_text_width(canvas, FONT_TEXT, size, text);
    if (wide > box.w * 0.96)
        size = floor(size * box.w * 0.96 / wide);
    canvas_text(canvas, FONT_TEXT, size, ink,
                (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                LABEL_CENTER, text);
}

/* Box to the left of a place. */
static Box beside(Box place, Box first) {
    return (Box){place.x - first.w * 0.92, place.y + (place.h - first.h) / 2, first.w,
                 first.h};
}

/* Place of the second cell of a pair: to the left of its table, so that it covers no
 * number; without room, its own cell. */
static Box meeting_of(const Pair *pair) {
    const Still *still = pair->moving->still;
    size_t item = pair->items[pair->count - 1];
    const StillTable *table =
        still_table(still, still->canvas->scene->items[item].link.index);
    Box own = still_box(still, item), place = own;
    if (table)
        place.x = table->box.x - own.w * 1.2;
    return beside(place, still_box(still, pair->items[0])).x >= still->area.x ? place
                                                                              : own;
}

static void draw_product(const Moving *moving, Box box, double digits, double value,
                         double shown) {
    const Canvas *canvas = moving->still->canvas;
    Color ground = canvas->theme->panel, edge = canvas->theme->ink_soft;
    ground.a = (uint8_t)lround(255 * shown);
    edge.a = (uint8_t)lround(255 * shown);
    scene_rectangle(canvas->scene, box, 4, ground, edge, 1);
    draw_number(moving, box, digits, value, shown);
}

void gather_product(const Moving *moving, size_t item, Box box, double value,
                    double shown) {
    draw_product(moving, box, digits_of(moving, item), value, shown);
}

void gather_sum(const Moving *moving, size_t item, Box box, double value) {
    draw_number(moving, box, digits_of(moving, item), value, 1);
}

/* Place where a cell that is drawn twice is gathered: beside its source, if it has its
 * mark there. */
static Box gathered_in(const Moving *moving, size_t row, size_t col, const Term *part) {
    const Still *still = moving->still;
    Pair pair = {.moving = moving};
    Box own = still_box(still, still_cell(moving->out, row, col, true));
    Box mark = still_box(still, still_cell(moving->out, row, col, false));
    take_part(&pair, part);
    if (!pair.count)
        return own;
    Box from = still_box(still, pair.items[0]);
    bool beside = fabs(mark.y - from.y) < MARK_REACH * from.h;
    return beside && mark.w < own.w
               ? (Box){mark.x + (mark.w - from.w) / 2, from.y, from.w, from.h}
               : own;
}

/* Draws the sign between a pair. */
static void draw_sign(const Moving *moving, Box last, double digits) {
    const Canvas *canvas = moving->still->canvas;
    if (digits > 0)
        canvas_text(
            canvas, FONT_BOLD, digits, canvas->theme->ink,
            (Point){last.x + last.w * 0.29, label_baseline(last.y + last.h / 2, digits)},
            LABEL_CENTER, "×");
}

static void draw_part(const Moving *moving, const Term *part, Box to, double digits,
                      double progress) {
    const Still *still = moving->still;
    Pair pair = {.moving = moving};
    take_part(&pair, part);
    if (!pair.count || !(progress > 0 && progress < 1))
        return;
    Box last = still_box(still, pair.items[pair.count - 1]);
    bool in_pair = pair.count > 1;
    Box meeting = in_pair ? meeting_of(&pair) : last;
    double joined = in_pair ? motion_ease(motion_between(progress, 0, TOGETHER)) : 1;
    double fallen =
        motion_ease(motion_between(progress, in_pair ? TOGETHER + 0.1 : 0, 1));
    Box together =
        in_pair ? (Box){meeting.x - last.w * 0.25, last.y, last.w, last.h} : last;
    Box product = motion_box_between(together, to, fallen);
    double gone = motion_between(fallen, 0, 0.25);
    for (size_t i = 0; i < pair.count; i++) {
        Box from = still_box(still, pair.items[i]);
        Box pairs = i + 1 < pair.count ? beside(meeting, from) : meeting;
        Box at =
            motion_box_between(motion_box_between(from, pairs, joined), product, gone);
        ghost_draw(still, pair.items[i], at, 1 - (in_pair ? gone : fallen * fallen));
    }
    if (!in_pair)
        return;
    if (joined >= 1 && !(gone > 0))
        draw_sign(moving, together, digits);
    if (!(gone > 0))
        return;
    draw_product(moving, product, digits, part->value,
                 gone * (1 - motion_between(fallen, 0.9, 1)));
}

void gather_cell(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    const Canvas *canvas = still->canvas;
    size_t own = still_cell(moving->out, row, col, true);
    const Term *term =
        tape_explain(still->tape, moving->node, row, col, canvas->scene->arena);
    const Term *adds = term ? pace_sum(term) : NULL;
    if (own == STILL_NONE || !term)
        return;
    double sum = fmin(progress / TRANSITION_EXPLAINED, 1);
    double digits = digits_of(moving, own), so_far = 0, landed = 0;
    const Term *const alone[] = {term};
    const Term *const *parts = adds ? adds->parts : alone;
    size_t count = adds ? adds->count : 1, stride = count / PARTS_MOST + 1;
    Box to = gathered_in(moving, row, col, parts[0]);
    for (size_t i = 0; i < count; i++) {
        double part = pace_part(sum, count, i);
        so_far += part >= 1 ? parts[i]->value : 0;
        landed += part >= 1;
        if (i % stride == 0)
            draw_part(moving, parts[i], to, digits, part);
    }
    if (adds && adds == term && adds->kind == TERM_SUM && landed > 0 && progress < TELLS)
        draw_number(moving, still_box(still, own), digits, so_far, 1);
}

/* ---- all parts at once ---- */

/* Fraction of a flight until all pairs are in the cell. */
static const double GATHERED = 0.7;

/* Moves a part's numbers into the cell, one above the other. */
static void draw_pair(const Moving *moving, const Term *part, Box to, double progress) {
    Pair pair = {.moving = moving};
    take_part(&pair, part);
    double eased = motion_ease(motion_between(progress, 0, GATHERED));
    to.h /= fmax((double)pair.count, 1);
    for (size_t i = 0; i < pair.count; i++) {
        Box from = still_box(moving->still, pair.items[i]);
        Box place = {to.x, to.y + to.h * (double)i, to.w, to.h};
        ghost_draw(moving->still, pair.items[i], motion_box_between(from, place, eased),
                   1 - motion_between(progress, GATHERED, 1));
    }
}

void gather_pairs(const Moving *moving, size_t row, size_t col, double progress) {
    const Still *still = moving->still;
    size_t own = still_cell(moving->out, row, col, true);
    const Term *term =
        tape_explain(still->tape, moving->node, row, col, still->canvas->scene->arena);
    if (own == STILL_NONE || !term)
        return;
    const Term *adds = pace_sum(term);
    const Term *const alone[] = {term};
    const Term *const *parts = adds ? adds->parts : alone;
    size_t count = adds ? adds->count : 1, stride = (count - 1) / ABREAST_MOST + 1;
    double width = 1 / (double)((count - 1) / stride + 1);
    Box to = still_box(still, own);
    for (size_t i = 0; i < count; i += stride)
        draw_pair(
            moving, parts[i],
            (Box){to.x + to.w * width * (double)(i / stride), to.y, to.w * width, to.h},
            progress);
}
