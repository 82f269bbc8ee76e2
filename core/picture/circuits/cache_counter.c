#include "picture/circuits/circuits_parts.h"
#include "picture/draw/canvas.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double BAR = 26, LABEL = 18;

/* Multiplications for one row of keys or values: those of the product that computed the
 * new rows; 0 if unknown. */
static size_t row_cost(const Circuit *circuit, size_t table) {
    const TapeNode *stack = stage_node(circuit->stage, table);
    const TapeNode *fresh =
        stage_node(circuit->stage, stack->inputs[stack->input_count - 1]);
    return fresh->operation == OPERATION_MATMUL
               ? fresh->operands[0]->cols * fresh->output.cols
               : 0;
}

/* Draws the cost of keys or of values, with their letter. */
static void draw_done(const Canvas *canvas, Role role, const char *letter, Box box) {
    const Theme *theme = canvas->theme;
    Color color = role_color(theme, role, theme->accent);
    canvas_fill(canvas, box, 3, color);
    if (box.w >= box.h)
        canvas_label(canvas, FONT_BOLD, LABEL,
                     palette_ink(color, theme->cell_dark, theme->cell_light),
                     (Point){box.x + box.w / 2, round(box.y + box.h * 0.74)},
                     LABEL_CENTER, letter);
}

/* Draws a bar for the multiplications of all rows, with those of cached rows in grey, and
 * their numbers above each part. */
void circuit_draw_counter(const Circuit *circuit, Box strip) {
    const Canvas *canvas = circuit->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t key = row_cost(circuit, circuit->parts->key.table);
    size_t each = key + row_cost(circuit, circuit->parts->value.table);
    size_t count = circuit->probabilities.tensor->cols,
           saved = each * circuit->cached_rows;
    if (!each)
        return;
    Box bar = {strip.x, strip.y + strip.h - BAR, strip.w, BAR}, grey = bar;
    grey.w = round(bar.w * (double)circuit->cached_rows / (double)count);
    Box done = {grey.x + grey.w, bar.y, bar.w - grey.w, bar.h};
    double keys = round(done.w * (double)key / (double)each);
    canvas_fill(canvas, grey, 3, heatmap_cached_ground(theme));
    canvas_outline(canvas, grey, 3, theme->line, 1);
    draw_done(canvas, ROLE_KEY, "K", (Box){done.x, done.y, keys, done.h});
    draw_done(canvas, ROLE_VALUE, "V",
              (Box){done.x + keys, done.y, done.w - keys, done.h});
    for (size_t i = 1; i < count && bar.w / (double)count > 8; i++) {
        double x = round(bar.x + bar.w * (double)i / (double)count);
        scene_line(canvas->scene, (Point){x, bar.y}, (Point){x, bar.y + bar.h}, 2,
                   theme->page);
    }
    const char *kept =
        canvas_words(canvas, "view.saved", canvas_count(canvas, saved), NULL);
    const char *made = canvas_words(canvas, "view.done",
                                    canvas_count(canvas, each * count - saved), NULL);
    double size = canvas_size(canvas, LABEL, made);
    double right =
        fmin(done.x, bar.x + bar.w - canvas_text_width(canvas, FONT_BOLD, size, made));
    canvas_label(canvas, FONT_TEXT, LABEL, theme->ink_soft, (Point){grey.x, bar.y - 10},
                 LABEL_LEFT, kept);
    canvas_label(canvas, FONT_BOLD, LABEL, theme->ink, (Point){right, bar.y - 10},
                 LABEL_LEFT, made);
}
