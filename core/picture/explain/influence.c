#include "picture/explain/explain.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/content.h"
#include "picture/scene/theme.h"
#include "picture/stage/stage.h"
#include "tensor/tape/gradient.h"

#include <string.h>

static const double TEXT_UNITS = 19, TITLE_UNITS = 16, NAME_FRACTION = 1.2;
enum { NAMES_MOST = 6 };
static const double SMALL_STEP = 0.01; /* change of a number in the sentence */

/* ---- what is drawn in place of values ---- */

/* A copy, because what is drawn may outlive the gradients of this frame. */
const Tensor *influence_tensor(const Influence *influence, Arena *arena, size_t node) {
    const Tensor *like = &tape_node(influence->tape, node)->output;
    const double *gradients = gradients_get(influence->gradients, node);
    Tensor *tensor = arena_alloc(arena, 1, sizeof *tensor);
    double *values = arena_alloc(arena, tensor_cells(like), sizeof *values);
    if (gradients)
        memcpy(values, gradients, tensor_cells(like) * sizeof *values);
    *tensor = *like;
    tensor->values = values;
    return tensor;
}

bool difference_base(const Tape *tape, const Tape *base, FollowCell cell, double *value) {
    size_t other = stage_counterpart(tape, base, cell.node);
    if (other != TAPE_NONE)
        *value = tape_original(base ? base : tape, other, cell.row, cell.col);
    return other != TAPE_NONE;
}

double difference_of(double present, double base) {
    bool same = present == base || (isnan(present) && isnan(base));
    return same ? 0 : present - base;
}

/* Differences of a node with the node's labels; NULL if it has no counterpart. */
static const Tensor *difference_tensor(const Page *page, Arena *arena, size_t node) {
    const Tape *tape = page->player->lesson->tape;
    size_t other = stage_counterpart(tape, page->base, node);
    if (other == TAPE_NONE)
        return NULL;
    Tensor *tensor = arena_alloc(arena, 1, sizeof *tensor);
    *tensor = tape_node(tape, node)->output;
    const double *present = tensor->values;
    double *values = arena_alloc(arena, tensor_cells(tensor), sizeof *values);
    tensor->values = values;
    for (size_t i = 0; i < tensor_cells(tensor); i++)
        values[i] =
            difference_of(present[i], tape_original(page->base ? page->base : tape, other,
                                                    i / tensor->cols, i % tensor->cols));
    return tensor;
}

typedef struct InPlace {
    const Page *page;
    Arena *arena;
    const Tensor **made; /* tensor of each node once it was requested */
} InPlace;

static const Tensor *tensor_in_place(void *context, size_t node) {
    InPlace *this = context;
    const Page *page = this->page;
    if (!this->made[node])
        this->made[node] = page->influence
                               ? influence_tensor(page->influence, this->arena, node)
                               : difference_tensor(page, this->arena, node);
    return this->made[node];
}

const StageValues *values_in_place(const PageParts *parts, const char **legend) {
    const Page *page = parts->page;
    const Tape *tape = page->player->lesson->tape;
    Arena *arena = parts->canvas->scene->arena;
    bool compares =
        page->compares &&
        stage_counterpart(tape, page->base, player_step(page->player)->node) != TAPE_NONE;
    if (!page->influence && !compares)
        return NULL;
    *legend = page->influence ? "influence.legend" : "change.difference";
    InPlace *context = arena_alloc(arena, 1, sizeof *context);
    StageValues *values = arena_alloc(arena, 1, sizeof *values);
    *context = (InPlace){page, arena,
                         arena_alloc(arena, tape_count(tape), sizeof *context->made)};
    *values = (StageValues){tensor_in_place, context};
    return values;
}

/* ---- influence in words ---- */

/* Derivative of the root by a cell. */
static double slope_at(const Influence *influence, FollowCell cell) {
    const double *gradients = gradients_get(influence->gradients, cell.node);
    size_t cols = tape_node(influence->tape, cell.node)->output.cols;
    return gradients ? gradients[cell.row * cols + cell.col] : 0;
}

/* Draws a sentence fitted into a line. */
static void say(const PageParts *parts, const CellSentence *sentence, double units,
                Box line) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    double size = canvas_size(canvas, units, sentence->pattern);
    CellStyle style = {FONT_TEXT, canvas->theme->ink_soft, size, size * NAME_FRACTION};
    cell_sentence_fit(canvas, player, sentence, &style, label_min_size(sentence->pattern),
                      line.w);
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

/* A number with three significant digits: 0.00023, −1.5. */
static const char *small_number(const Canvas *canvas, double value) {
    double decimals = fmin(fmax(2 - floor(log10(fabs(value))), 0), 12);
    char text[NUMBER_SIZE];
    return canvas_format(canvas, "%s", number_format_short(text, value, (int)decimals));
}

void influence_describe(const PageParts *parts, FollowCell cell, Box line) {
    const Canvas *canvas = parts->canvas;
    const Influence *influence = parts->page->influence;
    FollowCell root = influence->root;
    double moved = SMALL_STEP * slope_at(influence, cell);
    CellSentence sentence = {.cells = {{cell, false}, {root, false}},
                             .texts = {small_number(canvas, SMALL_STEP), ""}};
    const char *key = "influence.moves";
    if (follow_same(cell, root))
        key = "influence.root";
    else if (!isfinite(moved))
        key = "influence.unknown";
    else if (fabs(moved) < 1e-12)
        key = tape_cell_edited(influence->tape, root.node, root.row, root.col, NULL)
                  ? "influence.by_hand"
                  : "influence.none"; /* a cell set by hand depends on nothing */
    else
        sentence.texts[1] = small_number(canvas, moved);
    sentence.pattern = canvas_string(canvas, key);
    say(parts, &sentence, TEXT_UNITS, line);
}
