#include "picture/composites/composites.h"

#include "base/maths.h"
#include "base/number.h"
#include "lesson/model/generate_step.h"
#include "lesson/read/spec.h"
#include "picture/draw/curves.h"
#include "picture/tensors/tokens.h"
#include "tensor/tape/tape.h"

static const double CHIP_UNITS = 18, SUM_UNITS = 14, SUM_GAP = 4, TALLEST = 92,
                    ENDS_UNITS = 17, ENDS_LEADING = 1.6, ENDS_GAP = 14, ENDS_BETWEEN = 24;
static const double FRAME = 6;            /* points around a chip that is pointed at */
static const double CHIP_FRACTION = 0.78; /* of a column's width */
static const double SUM_LEADING = 1.35;   /* of a sum's size, below its chip */
static const double OF_COLUMN = 0.96; /* largest fraction of a column's width for text */
static const double EDGE_GAP = 6;     /* units between a text and an edge */
static const double CUT_GAP = 5;      /* units between a chip and the mark before it */
enum {
    ENDS_FEW = 3,
    CUT_SHOWN = 2,
    CUT_SHOWN_NOW = 5,
    NODES_MAX = 2 * GENERATE_WIDTH_MAX + 2
};

typedef struct TreeColumn TreeColumn;

typedef struct Tree {
    const Stage *stage;
    const LessonGenerate *generate;
    size_t present; /* step that is shown, or PLAYER_NONE */
    size_t columns; /* number of columns that are drawn, with the beginning's */
    const TreeColumn *drawn;
    double width; /* width of a column */
    double chip;  /* size of letters in points */
    bool sums;    /* sums have room below the chips */
    bool fates;   /* outcomes of hypotheses have room below the sums */
    size_t rows;  /* chips with their sums that a column has room for */
    Box area;
} Tree;

/* Nodes of one column, the best at the top. */
struct TreeColumn {
    size_t count, nodes[NODES_MAX];
    size_t hidden;            /* number of other pruned nodes */
    double places[NODES_MAX]; /* y of the nodes' middles */
};

static const Generated *generated_of(const Tree *tree) {
    return &tree->generate->generated;
}

static CandidateFate fate_of(const Tree *tree, size_t text) {
    return candidate_fate(generated_of(tree), tree->stage->tape, text);
}

static Link link_of(const Tree *tree, size_t text) {
    const DecodingStep *turns = generated_of(tree)->steps;
    GeneratedCell at;
    if (!generated_cell(generated_of(tree), text, &at))
        return (Link){LINK_CELL, turns[0].ids[0], 0, 0};
    return (Link){LINK_CELL, turns[at.step].result, at.row, at.col};
}

/* Present sum of a hypothesis's log probabilities. */
static double total_of(const Tree *tree, size_t text) {
    Link cell = link_of(tree, text);
    return tensor_at(stage_tensor(tree->stage, cell.index), cell.row, cell.col);
}

static bool is_on_best(const Tree *tree, size_t node) {
    size_t best = generated_of(tree)->best;
    while (best > node)
        best = generated_parent(generated_of(tree), best);
    return best == node;
}

/* ---- choice of nodes ---- */

/* Rank of a node in its column. */
static size_t rank_of(const TreeColumn *column, size_t node) {
    size_t rank = 0;
    while (rank < column->count && column->nodes[rank] != node)
        rank++;
    return rank;
}

/* Lists the kept hypotheses and the best of the pruned ones by their sums when they were
 * chosen, the best at the top; if the order changes, their paths cross. */
static void list_column(const Tree *tree, size_t depth, TreeColumn *column) {
    *column = (TreeColumn){.count = 1};
    if (!depth)
        return;
    const DecodingStep *turn = &generated_of(tree)->steps[depth - 1];
    const TapeNode *totals = tape_node(tree->stage->tape, turn->result);
    size_t all = tensor_cells(&totals->output);
    const size_t *order =
        generate_order(tree->stage->canvas->scene->arena,
                       totals->original ? totals->original : totals->output.values, all);
    bool now = tree->present != PLAYER_NONE && depth == tree->present + 1;
    size_t cut = now ? CUT_SHOWN_NOW : CUT_SHOWN, kept = turn->chosen_count;
    size_t room = kept < tree->rows ? tree->rows - kept : 0;
    column->count = kept + (cut < room ? cut : room);
    column->count = column->count < all ? column->count : all;
    column->hidden = all - column->count;
    for (size_t i = 0; order && i < column->count; i++)
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
                                      generated_token(generated_of(tree), node));
    const Tensor *ids = stage_tensor(tree->stage, generated_of(tree)->steps[0].ids[0]);
    return ids->col_labels ? ids->col_labels[ids->cols - 1] : "";
}

static double chip_width(const Tree *tree, size_t node) {
    return fmin(token_width(tree->stage->canvas, tree->chip, word_of(tree, node)),
                tree->width * CHIP_FRACTION);
}

/* Points of an S-shaped edge from a node's parent to the node. */
static void find_edge(const Tree *tree, size_t depth, size_t index,
                      Point points[CURVE_POINTS]) {
    const TreeColumn *before = &tree->drawn[depth - 1], *column = &tree->drawn[depth];
    size_t parent = generated_parent(generated_of(tree), column->nodes[index]);
    curve_points((Point){column_x(tree, depth - 1) + chip_width(tree, parent),
                         before->places[rank_of(before, parent)]},
                 (Point){column_x(tree, depth), column->places[index]}, false, points);
}

static void draw_edge(const Tree *tree, size_t depth, size_t index) {
    const Canvas *canvas = tree->stage->canvas;
    const Theme *theme = canvas->theme;
    size_t node = tree->drawn[depth].nodes[index];
    bool best = is_on_best(tree, node), cut = fate_of(tree, node) == CANDIDATE_CUT;
    Point points[CURVE_POINTS];
    find_edge(tree, depth, index, points);
    scene_path(canvas->scene, points, CURVE_POINTS, fmax(round(best ? 3 : 1.5), 1),
               best  ? theme->ink
               : cut ? theme->line
                     : theme->ink_faint);
}

/* Width for a line of text in a column, up to the first edge that crosses it. */
static double clear_width(const Tree *tree, size_t depth, double top, double bottom) {
    double right = tree->width * OF_COLUMN;
    size_t edges = depth + 1 < tree->columns ? tree->drawn[depth + 1].count : 0;
    for (size_t j = 0; j < edges; j++) {
        Point points[CURVE_POINTS];
        find_edge(tree, depth + 1, j, points);
        for (int i = 0; i + 1 < CURVE_POINTS; i++) {
            double high = fmin(points[i].y, points[i + 1].y),
                   low = fmax(points[i].y, points[i + 1].y);
            if (low > top && high < bottom)
                right = fmin(right, points[i].x - column_x(tree, depth));
        }
    }
    return right - EDGE_GAP;
}

/* Outcome of a hypothesis that ended, or NULL. */
static const char *fate_words(const Tree *tree, size_t node) {
    CandidateFate fate = fate_of(tree, node);
    const char *key = fate == CANDIDATE_FINISHED   ? "view.finished"
                      : fate == CANDIDATE_GIVEN_UP ? "view.given_up"
                                                   : NULL;
    return key && node ? canvas_string(tree->stage->canvas, key) : NULL;
}

static double sum_size(const Tree *tree, const char *text) {
    return canvas_size(tree->stage->canvas, SUM_UNITS, text);
}

/* Draws the sum below the chip and its outline, and the outcome below that. */
static void draw_sum(const Tree *tree, size_t node, Box chip) {
    const Canvas *canvas = tree->stage->canvas;
    const Theme *theme = canvas->theme;
    char number[NUMBER_SIZE];
    const char *lines[] = {number_format_shortest(number, total_of(tree, node), 3),
                           tree->fates ? fate_words(tree, node) : NULL};
    FontRole font = node == generated_of(tree)->best ? FONT_BOLD : FONT_TEXT;
    double top = chip.y + chip.h + SUM_GAP;
    for (size_t i = 0; i < 2 && lines[i]; i++) {
        LabelFit fit = canvas_fit(canvas, font, sum_size(tree, lines[i]),
                                  tree->width * OF_COLUMN, lines[i]);
        canvas_text(
            canvas, font, fit.size,
            fate_of(tree, node) == CANDIDATE_CUT ? theme->ink_faint : theme->ink_soft,
            (Point){chip.x + 2, round(top + fit.size * 1.05)}, LABEL_LEFT, fit.text);
        top += fit.size * SUM_LEADING;
    }
}

/* Reports whether the outcomes of all hypotheses that ended have room with rows at
 * distance `pitch`. */
static bool have_fates(const Tree *tree, double pitch) {
    double height = token_height(tree->chip), line = SUM_LEADING * sum_size(tree, "一");
    double below = height / 2 + SUM_GAP + line; /* from a chip's middle */
    bool room = tree->sums && height + SUM_GAP + 2 * line + FRAME <= pitch;
    for (size_t i = 1; i < tree->columns; i++) {
        const TreeColumn *column = &tree->drawn[i];
        for (size_t j = 0; room && j < column->count; j++) {
            const char *words = fate_words(tree, column->nodes[j]);
            double top = column->places[j] + below;
            room = !words || canvas_text_width(tree->stage->canvas, FONT_BOLD,
                                               sum_size(tree, words), words) <=
                                 clear_width(tree, i, top, top + line);
        }
    }
    return room;
}

/* Draws a stroke across the edge to a pruned chip. */
static void draw_cut(const Canvas *canvas, Box chip) {
    double x = chip.x - CUT_GAP;
    scene_line(canvas->scene, (Point){x, chip.y + chip.h * 0.2},
               (Point){x, chip.y + chip.h * 0.8}, 2, canvas->theme->ink_faint);
}

static void draw_node(const Tree *tree, size_t depth, size_t node, double y) {
    const Canvas *canvas = tree->stage->canvas;
    const Theme *theme = canvas->theme;
    CandidateFate fate = fate_of(tree, node);
    const char *word = word_of(tree, node);
    bool shows_best = tree->present == PLAYER_NONE && node == generated_of(tree)->best;
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
    canvas_link(canvas, link_of(tree, node));
    token_draw(cut ? &faint : canvas, &token, box);
    if (cut)
        draw_cut(canvas, box);
    if (node && fate == CANDIDATE_FINISHED && !shows_best)
        canvas_outline(canvas, box_inset(box, -3), 6, theme->ink_soft, 2);
    if (node && tree->sums)
        draw_sum(tree, node, box);
    canvas_unlink(canvas);
    Link link = link_of(tree, node);
    const Stage *stage = tree->stage;
    if (node && stage->has_focus && stage->focus_node == link.index &&
        stage->focus_row == link.row && stage->focus_col == link.col)
        canvas_outline(canvas, box_inset(box, -4), 7, theme->focus, 2);
}

/* Reports whether the present sums choose the same hypotheses. */
static bool survives(const Tree *tree, size_t turn) {
    return generate_choice_holds(generated_of(tree), tree->stage->tape, turn,
                                 tree->stage->canvas->scene->arena);
}

/* Draws the heading of a column: its step, and how many more were pruned. */
static void draw_heading(const Tree *tree, size_t depth, const TreeColumn *column,
                         double top) {
    const Canvas *canvas = tree->stage->canvas;
    if (!depth)
        return;
    const char *turn =
        canvas_words(canvas, survives(tree, depth - 1) ? "view.turn" : "view.turn_before",
                     canvas_count(canvas, depth), NULL);
    const char *hidden =
        canvas_words(canvas, "view.more_cut", canvas_count(canvas, column->hidden), NULL);
    bool now = tree->present != PLAYER_NONE && depth == tree->present + 1;
    const char *const lines[] = {turn, column->hidden ? hidden : ""};
    for (size_t i = 0; i < 2; i++) {
        double size = canvas_size(canvas, 13, lines[i]);
        canvas_text_within(
            canvas, i ? FONT_TEXT : FONT_BOLD, size, tree->width * OF_COLUMN,
            now && !i ? canvas->theme->ink : canvas->theme->ink_faint,
            (Point){column_x(tree, depth), top + (i ? 34 : 16)}, LABEL_LEFT, lines[i]);
    }
}

/* ---- outcomes ---- */

/* Hypotheses that ended, the best at the top. */
typedef struct Ends {
    size_t count, nodes[NODES_MAX];
} Ends;

static size_t length_of(const Tree *tree, size_t text) {
    GeneratedCell at;
    return generated_cell(generated_of(tree), text, &at) ? at.step + 1 : 0;
}

static double score_of(const Tree *tree, size_t text) {
    return generated_score(&generated_of(tree)->options, total_of(tree, text),
                           length_of(tree, text));
}

static void add_end(const Tree *tree, Ends *ends, size_t text) {
    size_t at = ends->count++;
    for (; at > 0 && score_of(tree, ends->nodes[at - 1]) < score_of(tree, text); at--)
        ends->nodes[at] = ends->nodes[at - 1];
    ends->nodes[at] = text;
}

/* Adds the kept hypotheses with a given outcome. */
static void add_ends(const Tree *tree, Ends *ends, CandidateFate fate) {
    const Generated *generated = generated_of(tree);
    for (size_t i = 0; i < generated->step_count; i++) {
        const DecodingStep *turn = &generated->steps[i];
        for (size_t j = 0; j < turn->chosen_count; j++) {
            if (ends->count < NODES_MAX && fate_of(tree, turn->chosen[j]) == fate)
                add_end(tree, ends, turn->chosen[j]);
        }
    }
}

/* Lists all finished hypotheses, and those given up if they are few; if none was
 * finished, the winner. */
static Ends list_ends(const Tree *tree) {
    Ends ends = {0};
    add_ends(tree, &ends, CANDIDATE_FINISHED);
    if (!ends.count)
        return (Ends){1, {generated_of(tree)->best}};
    Ends all = ends;
    add_ends(tree, &all, CANDIDATE_GIVEN_UP);
    return all.count <= ENDS_FEW && !(tree->stage->canvas->least > 0) ? all : ends;
}

static const char *words_of(const Tree *tree, size_t text) {
    const Canvas *canvas = tree->stage->canvas;
    const char *words = "";
    for (size_t i = length_of(tree, text); i > 0;
         i--, text = generated_parent(generated_of(tree), text))
        words =
            canvas_format(canvas, "%s%s%s",
                          lesson_generated_token(
                              tree->generate, generated_token(generated_of(tree), text)),
                          words[0] ? " " : "", words);
    return words;
}

/* Score of a hypothesis: "Σ log P = −1.182", or with its length penalty: "−1.182 ÷ 5 =
 * −0.236". */
static const char *score_text(const Tree *tree, size_t text) {
    const Canvas *canvas = tree->stage->canvas;
    double exponent = generated_of(tree)->options.length_exponent;
    char sum[NUMBER_SIZE], score[NUMBER_SIZE], power[NUMBER_SIZE];
    number_format_shortest(sum, total_of(tree, text), 3);
    if (!(exponent > 0))
        return canvas_format(canvas, "Σ log P = %s", sum);
    number_format_shortest(score, score_of(tree, text), 3);
    number_format_short(power, exponent, 2);
    bool plain = !(exponent < 1 || exponent > 1);
    return canvas_format(canvas, "%s ÷ %zu%s%s = %s", sum, length_of(tree, text),
                         plain ? "" : "^", plain ? "" : power, score);
}

static void draw_ends(const Tree *tree, const Ends *ends, Box strip) {
    const Canvas *canvas = tree->stage->canvas;
    double size = canvas_size(canvas, ENDS_UNITS, "一"), widest = 0, score = 0;
    for (size_t i = 0; i < ends->count; i++) {
        widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, size,
                                                words_of(tree, ends->nodes[i])));
        score = fmax(score, canvas_text_width(canvas, FONT_BOLD, size,
                                              score_text(tree, ends->nodes[i])));
    }
    for (size_t i = 0; i < ends->count; i++) {
        size_t text = ends->nodes[i];
        bool best = text == generated_of(tree)->best;
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
    const Canvas *canvas = tree->stage->canvas;
    double sum = SUM_LEADING * sum_size(tree, canvas_string(canvas, "view.finished"));
    return token_height(chip) + SUM_GAP + sum + FRAME;
}

static void choose_size(Tree *tree, size_t most) {
    double pitch = tree->area.h / (double)most;
    double least = canvas_least(tree->stage->canvas, "一");
    tree->chip = canvas_size(tree->stage->canvas, CHIP_UNITS, "一");
    while (tree->chip > least && row_height(tree, tree->chip) > pitch)
        tree->chip--;
    tree->sums = row_height(tree, tree->chip) <= pitch;
}

void tree_view(const Stage *stage, const LessonGenerate *generate, size_t turn) {
    const Canvas *canvas = stage->canvas;
    Tree tree = {.stage = stage, .generate = generate, .present = turn};
    tree.columns = (turn == PLAYER_NONE ? generate->generated.step_count : turn + 1) + 1;
    tree.area = stage->area;
    double top = tree.area.y;
    box_take_top(&tree.area, 44);
    Ends ends = turn == PLAYER_NONE ? list_ends(&tree) : (Ends){0};
    double line = ENDS_LEADING * canvas_size(canvas, ENDS_UNITS, "一");
    Box strip = box_take_bottom(&tree.area, line * (double)ends.count);
    box_take_bottom(&tree.area, ends.count ? ENDS_GAP : 0);
    tree.width = fmin(tree.area.w / (double)tree.columns, 230);
    tree.rows =
        (size_t)fmax(tree.area.h / row_height(&tree, canvas_least(canvas, "一")), 1);
    TreeColumn *columns =
        arena_alloc(canvas->scene->arena, tree.columns, sizeof *columns);
    size_t most = 1;
    for (size_t i = 0; i < tree.columns; i++) {
        list_column(&tree, i, &columns[i]);
        place_column(&tree, &columns[i]);
        most = columns[i].count > most ? columns[i].count : most;
    }
    choose_size(&tree, most);
    tree.drawn = columns;
    tree.fates = have_fates(&tree, fmin(tree.area.h / (double)most, TALLEST));
    for (size_t i = 1; i < tree.columns; i++) {
        for (size_t j = 0; j < columns[i].count; j++)
            draw_edge(&tree, i, j);
    }
    for (size_t i = 0; i < tree.columns; i++) {
        draw_heading(&tree, i, &columns[i], top);
        for (size_t j = 0; j < columns[i].count; j++)
            draw_node(&tree, i, columns[i].nodes[j], columns[i].places[j]);
    }
    draw_ends(&tree, &ends, strip);
}
