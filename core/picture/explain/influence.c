#include "picture/explain/influence.h"

#include "base/arena.h"
#include "base/maths.h"
#include "picture/explain/cell_name.h"
#include "picture/scene/theme.h"

#include <stdio.h>
#include <string.h>

static const double TEXT_UNITS = 19, TITLE_UNITS = 16, NAME_FRACTION = 1.2;
enum { NAMES_MOST = 6 };
static const double SMALL_STEP = 0.01; /* change of a number in the sentence */

/* ---- gradients in place of values ---- */

void influence_begin(InfluenceFrame *frame, const Influence *influence, Arena *arena) {
    *frame = (InfluenceFrame){.influence = influence, .arena = arena};
    frame->made = arena_alloc(arena, tape_count(influence->tape), sizeof *frame->made);
}

/* A copy, because what is drawn may outlive the gradients of this frame. */
static Tensor *make_tensor(const InfluenceFrame *frame, size_t node) {
    const Tensor *like = &tape_node(frame->influence->tape, node)->output;
    const double *gradients = gradients_get(frame->influence->gradients, node);
    Tensor *tensor = arena_alloc(frame->arena, 1, sizeof *tensor);
    double *values = arena_alloc(frame->arena, tensor_cells(like), sizeof *values);
    if (gradients)
        memcpy(values, gradients, tensor_cells(like) * sizeof *values);
    *tensor = *like;
    tensor->values = values;
    return tensor;
}

const Tensor *influence_tensor(void *context, size_t node) {
    InfluenceFrame *frame = context;
    if (!frame->made[node])
        frame->made[node] = make_tensor(frame, node);
    return frame->made[node];
}

/* Derivative of the root by a cell. */
static double slope_at(const Influence *influence, FollowCell cell) {
    const double *gradients = gradients_get(influence->gradients, cell.node);
    size_t cols = tape_node(influence->tape, cell.node)->output.cols;
    return gradients ? gradients[cell.row * cols + cell.col] : 0;
}

/* ---- in words ---- */

static CellStyle style_of(const Canvas *canvas, double size) {
    return (CellStyle){FONT_TEXT, canvas->theme->ink_soft, size,
                       round(size * NAME_FRACTION)};
}

/* Draws a sentence fitted into a line. */
static void say(const PageParts *parts, const CellSentence *sentence, double units,
                Box line) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    double least = label_min_size(sentence->pattern);
    CellStyle style = style_of(canvas, canvas_size(canvas, units, sentence->pattern));
    while (style.size > least &&
           cell_sentence_width(canvas, player, sentence, &style) > line.w)
        style = style_of(canvas, style.size - 1);
    scene_clip(canvas->scene, line);
    cell_sentence_draw(canvas, player, sentence, &style,
                       (Point){line.x, round(line.y + line.h * 0.68)});
    scene_unclip(canvas->scene);
}

/* Reports whether a named tensor has an influence on the root. */
static bool moves_root(const Influence *influence, size_t node) {
    const double *gradients = gradients_get(influence->gradients, node);
    const TapeNode *at = tape_node(influence->tape, node);
    bool moves = false;
    for (size_t i = 0; gradients && i < tensor_cells(&at->output) && !moves; i++)
        moves = gradients[i] < 0 || gradients[i] > 0;
    return moves && at->name[0] && !at->quiet && node != influence->root.node;
}

/* The first tensors with influence on the root, and their number: "X, W_Q, Q (3 in
 * all)". */
static const char *moving_words(const Canvas *canvas, const Influence *influence) {
    const char *names = "";
    size_t count = 0;
    for (size_t i = 0; i < influence->root.node; i++) {
        if (!moves_root(influence, i))
            continue;
        if (count < NAMES_MOST)
            names = canvas_format(canvas, "%s%s%s", names, count ? ", " : "",
                                  tape_node(influence->tape, i)->name);
        count++;
    }
    if (count > NAMES_MOST)
        names = canvas_format(canvas, "%s, …", names);
    return canvas_words(canvas, "influence.tensors", names, canvas_count(canvas, count),
                        NULL);
}

void influence_title(const PageParts *parts, Box line) {
    const Influence *influence = parts->page->influence;
    say(parts,
        &(CellSentence){.pattern = canvas_string(parts->canvas, "influence.title"),
                        .cells = {{influence->root, false}},
                        .texts = {moving_words(parts->canvas, influence), ""}},
        TITLE_UNITS, line);
}

/* A number with three significant digits and a true minus: 0.00023, −1.5. */
static const char *small_number(const Canvas *canvas, double value) {
    int digits = 2 - (int)floor(log10(fabs(value)));
    digits = digits < 0 ? 0 : digits > 12 ? 12 : digits;
    char text[512];
    snprintf(text, sizeof text, "%.*f", digits, fabs(value));
    size_t end = strlen(text);
    while (digits && text[end - 1] == '0')
        text[--end] = 0;
    if (text[end - 1] == '.')
        text[end - 1] = 0;
    return canvas_format(canvas, "%s%s", value < 0 ? "−" : "", text);
}

/* Reports whether the root is set by hand, so that nothing has an influence on it. */
static bool is_set_by_hand(const Influence *influence) {
    FollowCell root = influence->root;
    return tape_cell_edited(influence->tape, root.node, root.row, root.col, NULL);
}

void influence_describe(const PageParts *parts, FollowCell cell, Box line) {
    const Canvas *canvas = parts->canvas;
    const Influence *influence = parts->page->influence;
    double moved = SMALL_STEP * slope_at(influence, cell);
    CellSentence sentence = {.cells = {{cell, false}, {influence->root, false}},
                             .texts = {small_number(canvas, SMALL_STEP), ""}};
    const char *key = "influence.moves";
    if (follow_same(cell, influence->root))
        key = "influence.root";
    else if (!isfinite(moved))
        key = "influence.unknown";
    else if (fabs(moved) < 1e-12)
        key = is_set_by_hand(influence) ? "influence.by_hand" : "influence.none";
    else
        sentence.texts[1] = small_number(canvas, moved);
    sentence.pattern = canvas_string(canvas, key);
    say(parts, &sentence, TEXT_UNITS, line);
}
