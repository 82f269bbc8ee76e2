#include "picture/composites/composites.h"

#include "base/maths.h"
#include "base/number.h"
#include "lesson/model/generate_step.h"
#include "lesson/read/spec.h"
#include "picture/draw/canvas.h"
#include "picture/draw/token.h"
#include "tensor/tape/tape.h"

static const double CHIP_UNITS = 18, SUM_UNITS = 14, SUM_GAP = 4, TALLEST = 92,
                    ENDS_UNITS = 17, ENDS_LEADING = 1.6, ENDS_GAP = 14, ENDS_BETWEEN = 24;
static const double FRAME = 6;            /* points around a chip that is pointed at */
static const double CHIP_FRACTION = 0.78; /* of a column's width */
static const double SUM_LEADING = 1.35;   /* of a sum's size, below its chip */
static const double OF_COLUMN = 0.96; /* largest fraction of a column's width for text */
static const double CUT_GAP = 5;      /* units between a chip and the mark before it */
enum {
    ENDS_FEW = 3,
    CUT_SHOWN = 2,
    CUT_SHOWN_NOW = 5,
    NODES_MAX = 2 * GENERATE_WIDTH_MAX + 2
};

/* Nodes of one column, the best at the top. */
typedef struct TreeColumn {
    size_t count, nodes[NODES_MAX];
    size_t hidden;            /* number of other pruned nodes */
    double places[NODES_MAX]; /* y of the nodes' middles */
} TreeColumn;

typedef struct Tree {
    const Stage *stage;
    const Canvas *canvas;
    const LessonGenerate *generate;
    const Generated *generated;
    size_t present;    /* step that is shown, or PLAYER_NONE */
    size_t columns;    /* number of columns that are drawn, with the beginning's */
    TreeColumn *drawn; /* the columns */
    double width;      /* width of a column */
    double chip;       /* size of letters in points */
    bool sums;         /* sums have room below the chips */
    bool fates;        /* outcomes of hypotheses have room below the sums */
    size_t rows;       /* chips with their sums that a column has room for */
    Box area;
} Tree;

static CandidateFate fate_of(const Tree *tree, size_t text) {
    return candidate_fate(tree->generated, tree->stage->tape, text);
}

static Link link_of(const Tree *tree, size_t text) {
    const DecodingStep *turns = tree->generated->steps;
    GeneratedCell at;
    if (!generated_cell(tree->generated, text, &at))
        return (Link){LINK_CELL, turns[0].ids[0], 0, 0};
    return (Link){LINK_CELL, turns[at.step].result, at.row, at.col};
}

/* Present sum of a hypothesis's log probabilities. */
static double total_of(const Tree *tree, size_t text) {
    Link cell = link_of(tree, text);
    return tensor_at(stage_tensor(tree->stage, cell.index), cell.row, cell.col);
}

static bool is_on_best(const Tree *tree, size_t node) {
    size_t best = tree->generated->best;
    while (best > node)
        best = generated_parent(tree->generated, best);
    return best == node;
}

/* Reports whether a column belongs to the step that is shown. */
static bool is_present(const Tree *tree, size_t depth) {
    return tree->present != PLAYER_NONE && depth == tree->present + 1;
}

/* ---- choice of nodes ---- */

/* Lists the kept hypotheses and the best of the pruned ones by their sums when they were
 * chosen, the best at the top; if the order changes, their paths cross. */
static void list_column(const Tree *tree, size_t depth, TreeColumn *column) {
    *column = (TreeColumn){.count = 1};
    if (!depth)
        return;
    const DecodingStep *turn = &tree->generated->steps[depth - 1];
    const TapeNode *totals = tape_node(tree->stage->tape, turn->result);
    size_t all = tensor_cells(&totals->output);
    const size_t *order =
        generate_order(tree->canvas->scene->arena,
                       totals->original ? totals->original : totals->output.values, all);
    size_t cut = is_present(tree, depth) ? CUT_SHOWN_NOW : CUT_SHOWN,
           kept = turn->chosen_count;
    size_t room = kept < tree->rows ? tree->rows - kept : 0;
    column->count = kept + (cut < room ? cut : room);
    column->count = column->count < all ? column->count : all;
    column->hidden = all - column->count;
    for (size_t i = 0; i < column->count; i++)
        column->nodes[i] = turn->first + order[i];
}

/* Spreads the nodes evenly over the column's height. */
static void place_column(const Tree *tree, TreeColumn *column) {
    double pitch = fmin(tree->area.h / (double)column->count, TALLEST);
    double top = tree->area.y + (tree->area.h - pitch * (double)column->count) / 2;
    for (size_t i = 0; i < column->count; i++)
        column->places[i] = round(top + pitch * ((double)i + 0.5));
}

/* ---- drawing ---- */

static double column_x(const Tree *tree, size_t depth) {
    return round(tree->area.x + tree->width * (double)depth);
}

static const char *word_of(const Tree *tree, size_t node) {
    if (node)
        return lesson_generated_token(tree->generate,
                                      generated_token(tree->generated, node));
    const Tensor *ids = stage_tensor(tree->stage, tree->generated->steps[0].ids[0]);
    return ids->col_labels ? ids->col_labels[ids->cols - 1] : "";
}

static double chip_width(const Tree *tree, size_t node) {
    return fmin(token_width(tree->canvas, tree->chip, word_of(tree, node)),
                tree->width * CHIP_FRACTION);
}

/* Draws the edge from a node's parent to the node. */
static void draw_edge(const Tree *tree, size_t depth, size_t index) {
    const Theme *theme = tree->canvas->theme;
    const TreeColumn *before = &tree->drawn[depth - 1], *column = &tree->drawn[depth];
    size_t node = column->nodes[index], rank = 0,
           parent = generated_parent(tree->generated, node);
    bool best = is_on_best(tree, node), cut = fate_of(tree, node) == CANDIDATE_CUT;
    while (rank < before->count && before->nodes[rank] != parent)
        rank++;
    curve_draw(tree->canvas,
               (Point){column_x(tree, depth - 1) + chip_width(tree, parent),
                       before->places[rank]},
               (Point){column_x(tree, depth), column->places[index]}, best ? 3 : 2,
               best  ? theme->ink
               : cut ? theme->line
                     : theme->ink_faint);
}

/* Outcome of a hypothesis that ended, or NULL. */
static const char *fate_words(const Tree *tree, size_t node) {
    CandidateFate fate = fate_of(tree, node);
    const char *key = fate == CANDIDATE_FINISHED   ? "view.finished"
                      : fate == CANDIDATE_GIVEN_UP ? "view.given_up"
                                                   : NULL;
    return key && node ? canvas_string(tree->canvas, key) : NULL;
}

static double sum_size(const Tree *tree, const char *text) {
    return canvas_size(tree->canvas, SUM_UNITS, text);
}

/* Draws the sum below the chip and its outline, and the outcome below that. */
static void draw_sum(const Tree *tree, size_t node, Box chip) {
    const Canvas *canvas = tree->canvas;
    const Theme *theme = canvas->theme;
    const char *lines[] = {canvas_number(canvas, total_of(tree, node), 3),
                           tree->fates ? fate_words(tree, node) : NULL};
    FontRole font = node == tree->generated->best ? FONT_BOLD : FONT_TEXT;
    double top = chip.y + chip.h + SUM_GAP;
    for (size_t i = 0; i < 2 && lines[i]; i++) {
        LabelFit fit = canvas_fit(canvas, font, sum_size(tree, lines[i]),
                                  tree->width * OF_COLUMN, lines[i]);
        Box ground = {chip.x, top,
                      canvas_text_width(canvas, font, fit.size, fit.text) + 4,
                      fit.size * SUM_LEADING};
        if (i) /* covers edges behind the outcome */
            canvas_fill(canvas, ground, 3, theme->page);
        canvas_text(
            canvas, font, fit.size,
            fate_of(tree, node) == CANDIDATE_CUT ? theme->ink_faint : theme->ink_soft,
            (Point){chip.x + 2, round(top + fit.size * 1.05)}, LABEL_LEFT, fit.text);
        top += ground.h;
    }
}

/* Draws a node's chip; across the edge to a pruned one is a stroke. */
static void draw_node(const Tree *tree, size_t depth, size_t node, double y) {
    const Canvas *canvas = tree->canvas;
    const Theme *theme = canvas->theme;
    CandidateFate fate = fate_of(tree, node);
    const char *word = word_of(tree, node);
    bool shows_best = tree->present == PLAYER_NONE && node == tree->generated->best;
    Token token = {.label = word,
                   .kind = token_kind(word),
                   .present = shows_best,
                   .size = tree->chip};
    double height = token_height(tree->chip);
    Box box = {column_x(tree, depth), round(y - height / 2),
               round(chip_width(tree, node)), height};
    bool cut = node && fate == CANDIDATE_CUT;
    Theme faint_theme = *theme;
    faint_theme.ink = theme->ink_faint;
    faint_theme.ink_faint = theme->line;
    Canvas faint = *canvas;
    faint.theme = &faint_theme;
    Link link = link_of(tree, node);
    canvas_link(canvas, link);
    token_draw(cut ? &faint : canvas, &token, box);
    if (cut)
        scene_line(canvas->scene, (Point){box.x - CUT_GAP, box.y + box.h * 0.2},
                   (Point){box.x - CUT_GAP, box.y + box.h * 0.8}, 2, theme->ink_faint);
    if (node && fate == CANDIDATE_FINISHED && !shows_best)
        canvas_outline(canvas, box_inset(box, -3), 6, theme->ink_soft, 2);
    if (node && tree->sums)
        draw_sum(tree, node, box);
    canvas_unlink(canvas);
    if (node && stage_focuses(tree->stage, link.index, link.row, link.col))
        canvas_outline(canvas, box_inset(box, -4), 7, theme->focus, 2);
}

/* Draws the heading of a column: its step, whether the present sums choose the same
 * hypotheses, and how many more were pruned. */
static void draw_heading(const Tree *tree, size_t depth, double top) {
    const Canvas *canvas = tree->canvas;
    size_t hidden = tree->drawn[depth].hidden;
    bool holds = generate_choice_holds(tree->generated, tree->stage->tape, depth - 1,
                                       canvas->scene->arena);
    const char *const lines[] = {
        canvas_words(canvas, holds ? "view.turn" : "view.turn_before",
                     canvas_count(canvas, depth), NULL),
        hidden ? canvas_words(canvas, "view.more_cut", canvas_count(canvas, hidden), NULL)
               : ""};
    for (size_t i = 0; i < 2; i++)
        canvas_text_within(
            canvas, i ? FONT_TEXT : FONT_BOLD, canvas_size(canvas, 13, lines[i]),
            tree->width * OF_COLUMN,
            is_present(tree, depth) && !i ? canvas->theme->ink : canvas->theme->ink_faint,
            (Point){column_x(tree, depth), top + (i ? 34 : 16)}, LABEL_LEFT, lines[i]);
}

/* ---- outcomes ---- */

/* Hypotheses that ended, the best at the top. */
typedef struct Ends {
    size_t count, nodes[NODES_MAX];
} Ends;

static size_t length_of(const Tree *tree, size_t text) {
    GeneratedCell at;
    return generated_cell(tree->generated, text, &at) ? at.step + 1 : 0;
}

static double score_of(const Tree *tree, size_t text) {
    return generated_score(&tree->generated->options, total_of(tree, text),
                           length_of(tree, text));
}

/* Adds the kept hypotheses with a given outcome. */
static void add_ends(const Tree *tree, Ends *ends, CandidateFate fate) {
    for (size_t i = 0; i < tree->generated->step_count; i++) {
        const DecodingStep *turn = &tree->generated->steps[i];
        for (size_t j = 0; j < turn->chosen_count; j++) {
            size_t text = turn->chosen[j], at = ends->count;
            if (ends->count == NODES_MAX || fate_of(tree, text) != fate)
                continue;
            ends->count++;
            for (; at > 0 && score_of(tree, ends->nodes[at - 1]) < score_of(tree, text);
                 at--)
                ends->nodes[at] = ends->nodes[at - 1];
            ends->nodes[at] = text;
        }
    }
}

/* Lists all finished hypotheses, and those given up if they are few; if none was
 * finished, the winner. */
static Ends list_ends(const Tree *tree) {
    Ends ends = {0};
    add_ends(tree, &ends, CANDIDATE_FINISHED);
    if (!ends.count)
        return (Ends){1, {tree->generated->best}};
    Ends all = ends;
    add_ends(tree, &all, CANDIDATE_GIVEN_UP);
    return all.count <= ENDS_FEW && !(tree->canvas->least > 0) ? all : ends;
}

static const char *words_of(const Tree *tree, size_t text) {
    const char *words = "";
    for (size_t i = length_of(tree, text); i > 0;
         i--, text = generated_parent(tree->generated, text))
        words = canvas_format(tree->canvas, "%s%s%s", word_of(tree, text),
                              words[0] ? " " : "", words);
    return words;
}

/* Score of a hypothesis: "Σ log P = −1.182", or with its length penalty: "−1.182 ÷ 5 =
 * −0.236". */
static const char *score_text(const Tree *tree, size_t text) {
    const Canvas *canvas = tree->canvas;
    double exponent = tree->generated->options.length_exponent;
    char power[NUMBER_SIZE];
    const char *sum = canvas_number(canvas, total_of(tree, text), 3);
    if (!(exponent > 0))
        return canvas_format(canvas, "Σ log P = %s", sum);
    number_format_short(power, exponent, 2);
    bool plain = !(exponent < 1 || exponent > 1);
    return canvas_format(canvas, "%s ÷ %zu%s%s = %s", sum, length_of(tree, text),
                         plain ? "" : "^", plain ? "" : power,
                         canvas_number(canvas, score_of(tree, text), 3));
}

static void draw_ends(const Tree *tree, const Ends *ends, Box strip) {
    const Canvas *canvas = tree->canvas;
    double size = canvas_size(canvas, ENDS_UNITS, "一"), widest = 0, score = 0;
    for (size_t i = 0; i < ends->count; i++) {
        widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, size,
                                                words_of(tree, ends->nodes[i])));
        score = fmax(score, canvas_text_width(canvas, FONT_BOLD, size,
                                              score_text(tree, ends->nodes[i])));
    }
    for (size_t i = 0; i < ends->count; i++) {
        size_t text = ends->nodes[i];
        bool best = text == tree->generated->best;
        Box line = box_take_top(&strip, strip.h / (double)(ends->count - i));
        Point at = {line.x, label_baseline(line.y + line.h / 2, size)};
        FontRole font = best ? FONT_BOLD : FONT_TEXT;
        Color ink = best ? canvas->theme->ink : canvas->theme->ink_soft;
        canvas_text(canvas, font, size, ink, at, LABEL_LEFT, words_of(tree, text));
        at.x += widest + ENDS_BETWEEN;
        canvas_text(canvas, font, size, ink, at, LABEL_LEFT, score_text(tree, text));
        at.x += score + ENDS_BETWEEN;
        const char *fate = fate_words(tree, text);
        if (fate && at.x + canvas_text_width(canvas, font, size, fate) <= line.x + line.w)
            canvas_text(canvas, font, size, ink, at, LABEL_LEFT, fate);
    }
}

/* Distance from one chip to the next, with its sum. */
static double row_height(const Tree *tree, double chip) {
    const char *sum = canvas_string(tree->canvas, "view.finished");
    return token_height(chip) + SUM_GAP + SUM_LEADING * sum_size(tree, sum) + FRAME;
}

/* Lists and places the columns and chooses the chips' size. */
static void place(Tree *tree) {
    double least = canvas_least(tree->canvas, "一");
    size_t most = 1;
    tree->width = fmin(tree->area.w / (double)tree->columns, 230);
    tree->rows = (size_t)fmax(tree->area.h / row_height(tree, least), 1);
    tree->drawn =
        arena_alloc(tree->canvas->scene->arena, tree->columns, sizeof *tree->drawn);
    for (size_t i = 0; i < tree->columns; i++) {
        list_column(tree, i, &tree->drawn[i]);
        place_column(tree, &tree->drawn[i]);
        most = tree->drawn[i].count > most ? tree->drawn[i].count : most;
    }
    double pitch = tree->area.h / (double)most;
    tree->chip = canvas_size(tree->canvas, CHIP_UNITS, "一");
    while (tree->chip > least && row_height(tree, tree->chip) > pitch)
        tree->chip--;
    tree->sums = row_height(tree, tree->chip) <= pitch;
    double line = SUM_LEADING * sum_size(tree, "一");
    tree->fates = tree->sums && token_height(tree->chip) + SUM_GAP + 2 * line + FRAME <=
                                    fmin(pitch, TALLEST);
}

void tree_view(const Stage *stage, const LessonGenerate *generate, size_t turn) {
    const Generated *generated = &generate->generated;
    Tree tree = {.stage = stage,
                 .canvas = stage->canvas,
                 .generate = generate,
                 .generated = generated,
                 .present = turn,
                 .columns = (turn == PLAYER_NONE ? generated->step_count : turn + 1) + 1,
                 .area = stage->area};
    box_take_top(&tree.area, 44);
    Ends ends = turn == PLAYER_NONE ? list_ends(&tree) : (Ends){0};
    double line = ENDS_LEADING * canvas_size(stage->canvas, ENDS_UNITS, "一");
    Box strip = box_take_bottom(&tree.area, line * (double)ends.count);
    box_take_bottom(&tree.area, ends.count ? ENDS_GAP : 0);
    place(&tree);
    for (size_t i = 1; i < tree.columns; i++) {
        for (size_t j = 0; j < tree.drawn[i].count; j++)
            draw_edge(&tree, i, j);
    }
    for (size_t i = 0; i < tree.columns; i++) {
        if (i)
            draw_heading(&tree, i, stage->area.y);
        for (size_t j = 0; j < tree.drawn[i].count; j++)
            draw_node(&tree, i, tree.drawn[i].nodes[j], tree.drawn[i].places[j]);
    }
    draw_ends(&tree, &ends, strip);
}
