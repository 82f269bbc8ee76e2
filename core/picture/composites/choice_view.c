#include "picture/composites/composites.h"

#include "base/number.h"
#include "lesson/model/generate_step.h"
#include "picture/charts/probability_bar.h"
#include "picture/draw/emphasis.h"
#include "picture/tensors/tokens.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <math.h>

static const double CHIP_UNITS = 24, ROW_UNITS = 64, SMALLEST_ROW = 19,
                    LEAST_UNITS = 16.5, MOST_UNITS = 24;
static const double BAR_FRACTION = 0.62, LETTER_FRACTION = 0.4; /* of a row's height */
static const double COLUMN_GAP = 18, ARROW_GAP = 34;            /* units */
static const double PAD = 6;               /* of the frame in focus */
static const double WHY_GAP = 10;          /* behind the bar of an excluded token */
static const double LEAST_LISTED = 0.0005; /* half a unit of the third decimal */
enum { DECIMALS = 3, ROWS_MOST = 14, ROWS_LEAST = 5 };

/* Columns from left to right. */
typedef enum Column {
    COLUMN_WORD,
    COLUMN_BAR,
    COLUMN_FRACTION,
    COLUMN_CHANCE,
    COLUMN_DRAWN,
    COLUMN_COUNT
} Column;

typedef struct Choice {
    const Stage *stage;
    const LessonGenerate *generate;
    const DecodingStep *turn;
    size_t number;
    const Tensor *probabilities, *chances;
    const size_t *order;       /* tokens by descending probability */
    size_t chosen;             /* chosen token */
    size_t rows;               /* number of tokens with a row */
    double row;                /* height of a row */
    double size;               /* size of the letters in points */
    bool cuts;                 /* a rule excludes tokens */
    Box columns[COLUMN_COUNT]; /* without width: left out */
} Choice;

/* ---- tokens and rules ---- */

static bool is_out(const Choice *choice, size_t node, size_t word) {
    return node != TAPE_NONE &&
           tensor_at(stage_tensor(choice->stage, node), 0, word) == -INFINITY;
}

/* Node that excludes a token; TAPE_NONE if it remains. */
static size_t cut_by(const Choice *choice, size_t word) {
    const DecodingStep *turn = choice->turn;
    return is_out(choice, turn->top_k, word)   ? turn->top_k
           : is_out(choice, turn->top_p, word) ? turn->top_p
                                               : TAPE_NONE;
}

/* Description of the rule of an excluding node. */
static const char *why_cut(const Choice *choice, size_t cut) {
    const Canvas *canvas = choice->stage->canvas;
    const DecodingOptions *options = &choice->generate->generated.options;
    return cut == choice->turn->top_k
               ? canvas_words(canvas, "view.cut_top_k",
                              canvas_count(canvas, options->top_k), NULL)
               : canvas_words(canvas, "view.cut_top_p",
                              canvas_format(canvas, "%g", options->top_p), NULL);
}

/* Label of a token. */
static const char *word_of(const Choice *choice, size_t word) {
    return choice->generate->words[word];
}

/* ---- a row ---- */

static const char *number_text(const Choice *choice, double value) {
    char text[NUMBER_SIZE];
    return canvas_format(choice->stage->canvas, "%s",
                         number_format_shortest(text, value, DECIMALS));
}

static Link cell_of(size_t node, size_t row, size_t col) {
    return (Link){LINK_CELL, node, row, col};
}

/* Draws a token's label, struck out if it is excluded. */
static void draw_word(const Choice *choice, Box line, size_t word, size_t cut) {
    const Canvas *canvas = choice->stage->canvas;
    const Theme *theme = canvas->theme;
    const char *text = token_text(canvas, word_of(choice, word));
    bool chosen = word == choice->chosen, stays = cut == TAPE_NONE;
    Box column = choice->columns[COLUMN_WORD];
    FontRole font = chosen ? FONT_BOLD : FONT_TEXT;
    LabelFit fit =
        label_fit(canvas->scene->arena, canvas->metrics, font, choice->size,
                  fmin(choice->size, canvas_least(canvas, text)), column.w, text);
    double middle = line.y + line.h / 2;
    canvas_link(canvas, cell_of(choice->turn->all_probabilities, 0, word));
    Box drawn =
        canvas_text(canvas, font, fit.size, stays ? theme->ink : theme->ink_faint,
                    (Point){column.x + column.w, label_baseline(middle, fit.size)},
                    LABEL_RIGHT, fit.text);
    if (stays)
        return;
    canvas_link(canvas, cell_of(cut, 0, word));
    scene_line(canvas->scene, (Point){drawn.x - 2, round(middle) + 0.5},
               (Point){drawn.x + drawn.w + 2, round(middle) + 0.5}, 1, theme->ink_soft);
}

/* Draws a token's probability as a bar, hatched if it is excluded, and its renormalized
 * probability as an outline around it; returns the right end. */
static double draw_bar(const Choice *choice, Box line, size_t word, size_t cut) {
    const Canvas *canvas = choice->stage->canvas;
    const Theme *theme = canvas->theme;
    Box column = choice->columns[COLUMN_BAR];
    double probability = tensor_at(choice->probabilities, 0, word);
    double chance = tensor_at(choice->chances, 0, word);
    bool chosen = word == choice->chosen, stays = cut == TAPE_NONE;
    double height = round(line.h * BAR_FRACTION);
    Box bar = {column.x, round(line.y + (line.h - height) / 2), 0, height};
    bar.w = isfinite(probability) ? fmax(round(probability * column.w), 1) : 1;
    canvas_link(canvas, cell_of(choice->turn->all_probabilities, 0, word));
    canvas_fill(canvas, bar, stays ? 2 : 0, emphasis_bar(theme, chosen));
    canvas_link(canvas, cell_of(stays ? choice->turn->probabilities : cut, 0, word));
    if (!stays) {
        canvas_masked(canvas, bar);
    } else if (choice->cuts && isfinite(chance)) {
        bar.w = fmax(round(chance * column.w), 1);
        canvas_outline(canvas, bar, 2, theme->ink_soft, 2);
    }
    return bar.x + bar.w;
}

/* Writes behind a bar which rule excluded the token and those below it. */
static void draw_why(const Choice *choice, Box line, double bar, const char *why) {
    const Canvas *canvas = choice->stage->canvas;
    Box column = choice->columns[COLUMN_BAR];
    double left = bar + WHY_GAP, size = fmax(choice->size - 1, canvas_least(canvas, why));
    LabelFit fit = canvas_fit(canvas, FONT_TEXT, size, column.x + column.w - left, why);
    canvas_text(canvas, FONT_TEXT, fit.size, canvas->theme->ink_soft,
                (Point){left, label_baseline(line.y + line.h / 2, fit.size)}, LABEL_LEFT,
                fit.text);
}

static void draw_cell(const Choice *choice, Column column, Box line, FontRole font,
                      Color color, const char *text) {
    const Canvas *canvas = choice->stage->canvas;
    Box box = choice->columns[column];
    double size = fmax(choice->size - 1, canvas_least(canvas, text));
    if (box.w > 0)
        canvas_text(canvas, font, size, color,
                    (Point){box.x + box.w, label_baseline(line.y + line.h / 2, size)},
                    LABEL_RIGHT, text);
}

/* Draws an arrow from the probability to the renormalized one. */
static void draw_arrow(const Choice *choice, Box line) {
    const Canvas *canvas = choice->stage->canvas;
    Box to = choice->columns[COLUMN_CHANCE];
    double y = round(line.y + line.h / 2) + 0.5, head = 6, pad = 7;
    canvas_arrow(canvas, (Point){to.x - ARROW_GAP + pad, y}, (Point){to.x - pad, y}, 1.5,
                 head, canvas->theme->ink_faint);
}

/* Draws row `row` in order of probability; the rule is written once for all tokens that
 * it excludes. */
static void draw_row(const Choice *choice, Box line, size_t row) {
    size_t word = choice->order[row];
    const Stage *stage = choice->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    const DecodingStep *turn = choice->turn;
    size_t cut = cut_by(choice, word);
    size_t above = row > 0 ? cut_by(choice, choice->order[row - 1]) : TAPE_NONE;
    bool stays = cut == TAPE_NONE;
    canvas_link(canvas, cell_of(turn->probabilities, 0, word));
    canvas_target(canvas, line);
    draw_word(choice, line, word, cut);
    double bar = draw_bar(choice, line, word, cut);
    if (!stays && cut != above)
        draw_why(choice, line, bar, why_cut(choice, cut));
    canvas_link(canvas, cell_of(turn->probabilities, 0, word));
    draw_cell(choice, COLUMN_CHANCE, line, stays ? FONT_BOLD : FONT_TEXT,
              stays ? theme->ink : theme->ink_faint,
              number_text(choice, tensor_at(choice->chances, 0, word)));
    if (choice->cuts && stays)
        draw_arrow(choice, line);
    canvas_link(canvas, cell_of(turn->all_probabilities, 0, word));
    draw_cell(choice, COLUMN_FRACTION, line, FONT_TEXT, theme->ink_soft,
              number_text(choice, tensor_at(choice->probabilities, 0, word)));
    if (choice->columns[COLUMN_DRAWN].w > 0) {
        size_t node = choice->generate->drawn;
        canvas_link(canvas, cell_of(node, choice->number, word));
        draw_cell(choice, COLUMN_DRAWN, line, FONT_TEXT, theme->ink_soft,
                  number_text(choice, tensor_at(stage_tensor(stage, node), choice->number,
                                                word)));
    }
    canvas_unlink(canvas);
    if (stage->has_focus && stage->focus_node >= turn->all_probabilities &&
        stage->focus_node <= turn->probabilities && stage->focus_col == word)
        canvas_outline(canvas, line, 4, theme->focus, 2);
}

/* Draws the total probability of the tokens without a row. */
static void draw_others(const Choice *choice, Box line) {
    const Canvas *canvas = choice->stage->canvas;
    size_t words = choice->probabilities->cols;
    double sum = 0;
    for (size_t i = choice->rows; i < words; i++)
        sum += tensor_at(choice->probabilities, 0, choice->order[i]);
    const char *text = canvas_words(canvas, "view.others_share",
                                    canvas_count(canvas, words - choice->rows),
                                    number_text(choice, sum), NULL);
    double size = canvas_size(canvas, 14, text);
    canvas_text(
        canvas, FONT_TEXT, size, canvas->theme->ink_faint,
        (Point){choice->columns[COLUMN_BAR].x, label_baseline(line.y + line.h / 2, size)},
        LABEL_LEFT, text);
}

/* ---- the table ---- */

static const char *heading_of(const Choice *choice, Column column) {
    const Canvas *canvas = choice->stage->canvas;
    switch (column) {
    case COLUMN_FRACTION:
        return canvas_string(canvas, "view.uncut");
    case COLUMN_CHANCE:
        return canvas_string(canvas, choice->cuts ? "view.kept" : "part.chances");
    case COLUMN_DRAWN:
        return canvas_words(canvas, "view.draws",
                            canvas_count(canvas, choice->generate->draws), NULL);
    default:
        return "";
    }
}

static double widest_word(const Choice *choice) {
    const Canvas *canvas = choice->stage->canvas;
    double widest = 0;
    for (size_t i = 0; i < choice->rows; i++) {
        const char *text = token_text(canvas, word_of(choice, choice->order[i]));
        widest = fmax(widest, canvas_text_width(canvas, FONT_BOLD, choice->size, text));
    }
    return widest;
}

/* Width of a column of text or numbers; 0: it is left out. */
static double column_width(const Choice *choice, Column column) {
    const Canvas *canvas = choice->stage->canvas;
    const char *heading = heading_of(choice, column), *widest = "0.000";
    if (column == COLUMN_FRACTION && !choice->cuts)
        return 0;
    bool draws = choice->generate->drawn != TAPE_NONE && !choice->cuts;
    if (column == COLUMN_DRAWN &&
        !draws) /* for excluded tokens the rule is shown instead */
        return 0;
    double cells = canvas_text_width(
        canvas, FONT_BOLD, fmax(choice->size - 1, canvas_least(canvas, widest)), widest);
    return fmax(cells, canvas_text_width(canvas, FONT_BOLD,
                                         canvas_size(canvas, 13, heading), heading));
}

static double gap_after(const Choice *choice, Column column) {
    return column == COLUMN_FRACTION && choice->cuts ? ARROW_GAP : COLUMN_GAP;
}

/* Places the columns: tokens on the left, numbers on the right, and bars in the rest, no
 * wider than necessary; centred in the area. */
static void place_columns(Choice *choice, Box area) {
    double used = 0, widths[COLUMN_COUNT];
    for (Column i = 0; i < COLUMN_COUNT; i++) {
        widths[i] = i == COLUMN_WORD  ? fmin(widest_word(choice) + 4, area.w * 0.25)
                    : i == COLUMN_BAR ? 0
                                      : column_width(choice, i);
        used += widths[i] > 0 || i == COLUMN_BAR ? widths[i] + gap_after(choice, i) : 0;
    }
    widths[COLUMN_BAR] = fmax(fmin(area.w - used, PROBABILITY_AXIS), COLUMN_GAP);
    double x = area.x + fmax(round((area.w - used - widths[COLUMN_BAR]) * 0.4), 0);
    for (Column i = 0; i < COLUMN_COUNT; i++) {
        choice->columns[i] = (Box){round(x), area.y, round(widths[i]), area.h};
        x += widths[i] > 0 ? widths[i] + gap_after(choice, i) : 0;
    }
}

static void draw_headings(const Choice *choice, double baseline) {
    const Canvas *canvas = choice->stage->canvas;
    for (Column i = COLUMN_FRACTION; i < COLUMN_COUNT; i++) {
        Box box = choice->columns[i];
        const char *text = heading_of(choice, i);
        if (box.w > 0)
            canvas_label(canvas, FONT_BOLD, 13, canvas->theme->ink_faint,
                         (Point){box.x + box.w, baseline}, LABEL_RIGHT, text);
    }
}

/* Draws the text read and the generated token. */
static void draw_text(const Choice *choice, Box strip) {
    const Stage *stage = choice->stage;
    const Canvas *canvas = stage->canvas;
    const char *reads = canvas_string(canvas, "view.reads");
    double size = canvas_size(canvas, 14, reads), gap = 14;
    Box label = canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_faint,
                            (Point){strip.x, label_baseline(strip.y + strip.h / 2, size)},
                            LABEL_LEFT, reads);
    box_take_left(&strip, label.w + gap);
    double chip = canvas_size(canvas, CHIP_UNITS, "一");
    const char *word = word_of(choice, choice->chosen);
    const char *now = lesson_would_generate(choice->generate, stage->tape, choice->number,
                                            canvas->scene->arena);
    Box text = strip;
    text.w -= token_width(canvas, chip, word) + 40 + 2 * gap;
    text.w -=
        now ? canvas_text_width(canvas, FONT_BOLD, chip, sentence_now(canvas, now)) : 0;
    box_take_left(&strip,
                  sentence_draw(stage, choice->turn->ids[0], text, chip, false) + gap);
    sentence_draw_next(stage, strip, chip, word, now,
                       cell_of(choice->turn->probabilities, 0, choice->chosen), true);
}

/* Number of tokens listed: those with a probability that doesn't read as zero and the
 * generated one, but at least a few. */
static size_t count_listed(const Choice *choice) {
    size_t listed = 0;
    for (size_t i = 0; i < choice->probabilities->cols; i++) {
        size_t word = choice->order[i];
        if (i < ROWS_LEAST || word == choice->chosen ||
            tensor_at(choice->probabilities, 0, word) >= LEAST_LISTED)
            listed = i + 1;
    }
    return listed;
}

void choice_view(const Stage *stage, const LessonGenerate *generate, size_t turn) {
    const Canvas *canvas = stage->canvas;
    Choice choice = {.stage = stage,
                     .generate = generate,
                     .turn = &generate->generated.steps[turn],
                     .number = turn,
                     .chosen = lesson_generation_cell(generate, turn).col};
    choice.probabilities = stage_tensor(stage, choice.turn->all_probabilities);
    choice.chances = stage_tensor(stage, choice.turn->probabilities);
    Box area = stage->area;
    Box strip = box_take_top(&area, token_height(canvas_size(canvas, CHIP_UNITS, "一")));
    box_take_top(&area, 44);
    size_t words = choice.probabilities->cols;
    double smallest = fmax(SMALLEST_ROW, canvas_least(canvas, "一") + 2);
    size_t fit = area.h > smallest ? (size_t)(area.h / smallest) : 1;
    fit = fit < ROWS_MOST ? fit : ROWS_MOST;
    choice.order =
        generate_order(canvas->scene->arena, choice.probabilities->values, words);
    choice.rows = words <= fit ? words : fit > 1 ? fit - 1 : 1;
    size_t listed = count_listed(&choice);
    choice.rows = listed < choice.rows ? listed : choice.rows;
    size_t lines = choice.rows + (choice.rows < words);
    choice.row = fmin(floor(area.h / (double)lines), ROW_UNITS);
    double letters = fmax(choice.row * LETTER_FRACTION, round(LEAST_UNITS));
    choice.size = floor(fmin(fmin(letters, MOST_UNITS), choice.row * 0.8));
    choice.size = fmax(choice.size, canvas_least(canvas, "一"));
    for (size_t i = 0; i < words; i++)
        choice.cuts |= cut_by(&choice, i) != TAPE_NONE;
    draw_text(&choice, strip);
    place_columns(&choice, area);
    draw_headings(&choice, area.y - 8);
    Box bars = choice.columns[COLUMN_BAR];
    bars.h = choice.row * (double)choice.rows;
    probability_axis_draw(canvas, bars, 1);
    for (size_t i = 0; i < choice.rows; i++) {
        Box line = box_take_top(&area, choice.row);
        Box last = choice.columns[choice.cuts ? COLUMN_CHANCE : COLUMN_DRAWN];
        line.x = choice.columns[COLUMN_WORD].x - PAD;
        line.w = last.x + last.w + PAD - line.x;
        draw_row(&choice, line, i);
    }
    if (choice.rows < words)
        draw_others(&choice, box_take_top(&area, choice.row));
}
