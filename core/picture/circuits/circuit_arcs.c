#include "base/maths.h"
#include "picture/circuits/circuits_parts.h"
#include "picture/draw/canvas.h"
#include "picture/draw/token.h"
#include "tensor/tensor.h"

#include <math.h>
#include <string.h>

/* Tokens stand below the columns of the probabilities. Arcs lead to them from the chosen
 * token in self-attention; otherwise from a dot below that represents it. An arc is as
 * wide as its attention weight. */

static const double WORD_UNITS = 17, FLAT_UNITS = 15, WORD_GAP = 8, PITCH = 1.1,
                    TALLEST_WORDS = 96;
static const double WIDEST_ARC = 18, ARC_OF_PITCH = 0.42, RING_OF_ARCS = 0.42,
                    RING_OF_PITCH = 0.46, WIDTH_OF_RING = 0.8, DOT = 5, CHOSEN_DOT = 7;
static const double LEAST_PROBABILITY = 0.004; /* smaller weights have no arc */

static const Tensor *probabilities_of(const Circuit *circuit) {
    return circuit->probabilities.tensor;
}

/* ---- tokens ---- */

static double widest_word(const Circuit *circuit, double size) {
    const Canvas *canvas = circuit->stage->canvas;
    double widest = 0;
    for (size_t j = 0; j < probabilities_of(circuit)->cols; j++) {
        const char *text = token_text(canvas, probabilities_of(circuit)->col_labels[j]);
        widest =
            fmax(widest, canvas_text_width(canvas, FONT_BOLD,
                                           fmax(size, canvas_least(canvas, text)), text));
    }
    return widest;
}

static double word_size(const Circuit *circuit, double column) {
    double size = canvas_size(circuit->stage->canvas, WORD_UNITS, "");
    if (circuit->upright)
        return fmin(size, floor(column / PITCH));
    return widest_word(circuit, size) + 6 > column ? FLAT_UNITS : size;
}

double circuit_widest_word(const Circuit *circuit) {
    return probabilities_of(circuit)->col_labels ? widest_word(circuit, FLAT_UNITS) + 8
                                                 : 0;
}

void circuit_measure_words(Circuit *circuit, double column) {
    circuit->words = 0;
    if (!probabilities_of(circuit)->col_labels)
        return;
    double size = canvas_size(circuit->stage->canvas, FLAT_UNITS, "");
    circuit->upright = widest_word(circuit, size) + 6 > column;
    circuit->words = WORD_GAP + 1.5 * size;
    if (!circuit->upright)
        return;
    size = word_size(circuit, column);
    double least = canvas_least(circuit->stage->canvas, "");
    double most = fmax(TALLEST_WORDS, widest_word(circuit, least));
    circuit->words =
        size < least ? 0 : WORD_GAP + 4 + fmin(widest_word(circuit, size), most);
}

static bool same_words(const Circuit *circuit) {
    const Tensor *probabilities = probabilities_of(circuit);
    if (probabilities->rows != probabilities->cols)
        return false;
    for (size_t i = 0; i < probabilities->rows && probabilities->row_labels &&
                       probabilities->col_labels;
         i++) {
        if (strcmp(probabilities->row_labels[i], probabilities->col_labels[i]) != 0)
            return false;
    }
    return true;
}

static void draw_word(const Circuit *circuit, size_t col) {
    const Canvas *canvas = circuit->stage->canvas;
    const Theme *theme = canvas->theme;
    const char *text = token_text(canvas, probabilities_of(circuit)->col_labels[col]);
    Box cell = chosen_table_cell(&circuit->probabilities, 0, col);
    double top =
        circuit->probabilities.cells.y + circuit->probabilities.cells.h + WORD_GAP;
    double middle = cell.x + cell.w / 2;
    bool chosen = same_words(circuit) && col == circuit->row;
    FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
    double size = fmax(word_size(circuit, cell.w), canvas_least(canvas, text));
    Color ink = chosen ? theme->ink : theme->ink_soft;
    bool upright = circuit->upright;
    LabelFit fit = canvas_fit(canvas, font, size,
                              upright ? circuit->words - WORD_GAP - 2 : cell.w, text);
    if (size > cell.w / 1.02 && upright)
        return;
    if (upright)
        label_draw_upright(canvas->scene, canvas->metrics, font, fit.size, ink,
                           (Point){middle, top}, LABEL_RIGHT, fit.text);
    else
        canvas_text(canvas, font, fit.size, ink,
                    (Point){middle, top + fit.size * LABEL_ASCENT}, LABEL_CENTER,
                    fit.text);
}

/* ---- arcs ---- */

static double foot_of(const Circuit *circuit) {
    Box cells = circuit->probabilities.cells;
    return cells.y + cells.h + circuit->words + DOT + 3;
}

static Point place_of(const Circuit *circuit, size_t col) {
    Box cell = chosen_table_cell(&circuit->probabilities, 0, col);
    return (Point){cell.x + cell.w / 2, foot_of(circuit)};
}

/* Radius of the arc from a token to itself. */
static double ring_of(const Circuit *circuit) {
    double pitch = chosen_table_cell(&circuit->probabilities, 0, 0).w;
    return fmin((circuit->arcs - WIDEST_ARC) * RING_OF_ARCS, pitch * RING_OF_PITCH);
}

/* Points of half an ellipse below two tokens; of a ring from a token to itself. */
static void hang(const Circuit *circuit, size_t row, size_t col, Point *points) {
    Point from = place_of(circuit, row), to = place_of(circuit, col);
    double most = circuit->arcs - WIDEST_ARC,
           far = (double)probabilities_of(circuit)->cols;
    double distance = fabs((double)row - (double)col), ring = ring_of(circuit);
    double depth = most * (distance + 0.4) / fmax(far - 0.6, 1);
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        double part = (double)i / (CURVE_POINTS - 1), angle = PI * part;
        points[i] = row == col
                        ? (Point){from.x + ring * sin(2 * angle),
                                  from.y + ring * (1 - cos(2 * angle))}
                        : (Point){(from.x + to.x) / 2 - (to.x - from.x) / 2 * cos(angle),
                                  from.y + depth * sin(angle)};
    }
}

static Point asking_dot(const Circuit *circuit) {
    Box cells = circuit->probabilities.cells;
    return (Point){cells.x + cells.w / 2,
                   foot_of(circuit) + circuit->arcs - WIDEST_ARC - CHOSEN_DOT};
}

/* Points of an S-shaped curve from the dot below up to a token. */
static void rise(const Circuit *circuit, size_t col, Point *points) {
    curve_points(asking_dot(circuit), place_of(circuit, col), true, points);
}

static void draw_arc(const Circuit *circuit, size_t col, bool same) {
    const Canvas *canvas = circuit->stage->canvas;
    double probability = circuit_weight(circuit, col);
    if (!(probability >= LEAST_PROBABILITY))
        return;
    Point points[CURVE_POINTS];
    if (same)
        hang(circuit, circuit->row, col, points);
    else
        rise(circuit, col, points);
    double pitch = chosen_table_cell(&circuit->probabilities, 0, 0).w;
    double widest = fmin(WIDEST_ARC, fmax(pitch * ARC_OF_PITCH, 6));
    if (same && col == circuit->row)
        widest = fmin(widest, ring_of(circuit) * WIDTH_OF_RING);
    Color color = role_color(canvas->theme, ROLE_PROBABILITIES, canvas->theme->ink_soft);
    color.a = (uint8_t)(110 + 130 * fmin(probability, 1));
    canvas_link_cell(canvas, circuit->parts->probabilities, circuit->row, col);
    scene_path(canvas->scene, points, CURVE_POINTS, fmin(probability, 1) * widest, color);
    canvas_unlink(canvas);
}

/* Draws the dot of a query that is none of the tokens, with its label. */
static void draw_asking(const Circuit *circuit) {
    const Canvas *canvas = circuit->stage->canvas;
    const Tensor *probabilities = probabilities_of(circuit);
    Point dot = asking_dot(circuit);
    canvas_dot(canvas, dot, CHOSEN_DOT, canvas->theme->focus, (Color){0}, 0);
    if (probabilities->row_labels && circuit->words > 0)
        canvas_label(canvas, FONT_BOLD, WORD_UNITS, canvas->theme->ink,
                     (Point){dot.x + CHOSEN_DOT + 6, dot.y + 12}, LABEL_LEFT,
                     token_text(canvas, probabilities->row_labels[circuit->row]));
}

void circuit_draw_arcs(const Circuit *circuit) {
    const Canvas *canvas = circuit->stage->canvas;
    const Theme *theme = canvas->theme;
    bool same = same_words(circuit);
    size_t cols = probabilities_of(circuit)->cols;
    if (circuit->parts->bare) { /* no attention weights yet */
        for (size_t j = 0; j < cols && circuit->words > 0; j++)
            draw_word(circuit, j);
        return;
    }
    size_t row = circuit->row, far = row < cols ? cols : row + 1;
    for (size_t distance = far; distance-- > 0;) { /* long ones first */
        if (row >= distance && row - distance < cols)
            draw_arc(circuit, row - distance, same);
        if (distance && row + distance < cols)
            draw_arc(circuit, row + distance, same);
    }
    for (size_t j = 0; j < cols; j++) {
        bool chosen = same && j == row;
        double room = chosen_table_cell(&circuit->probabilities, 0, j).w / 2;
        canvas_dot(canvas, place_of(circuit, j), fmin(chosen ? CHOSEN_DOT : DOT, room),
                   chosen ? theme->focus : theme->ink_faint, (Color){0}, 0);
        if (circuit->words > 0)
            draw_word(circuit, j);
    }
    if (!same)
        draw_asking(circuit);
}
