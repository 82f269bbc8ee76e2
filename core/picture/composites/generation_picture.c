#include "picture/composites/composites.h"

#include "base/maths.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/model/generate_step.h"
#include "picture/draw/patterns.h"
#include "picture/tensors/views.h"
#include "tensor/tape/tape.h"

#include <string.h>

static const double LARGEST_UNITS = 24, NAME_UNITS = 15, SQUARE = 15, SQUARE_GAP = 4;
/* Fractions of the width. */
static const double PREDICTED_FRACTION = 0.17, COMPUTES_FRACTION = 0.23,
                    COSTS_FRACTION = 0.15;
static const double READS_LEAST = 0.4;    /* of the width, without costs */
static const double TALLEST = 84;         /* units: tallest line */
static const double COST_BAR = 12;        /* units: height */
static const double CHIP_FRACTION = 0.84; /* of a line's height */
static const double SHORTEST = 26;        /* units: lowest line */
/* Size of the text below squares; its line height relative to that. */
static const double WORDS_UNITS = 13, WORDS_LINE = 1.7;

static const double CROWDED = 52;     /* units: lower lines have squares without text */
static const double LEAST_SQUARE = 7; /* points: narrower squares become one strip */
static const double CHANCE_UNITS = 18;
static const double GAP = 22, TRUNK = 30; /* points: between columns; before the texts */

enum { DECIMALS = 3 }; /* of a probability */

enum { AGAIN = 90 }; /* of 256: distance from the page's colour */

/* Columns from left to right. */
typedef enum Column { NAMES, READS, COMPUTES, COSTS, PREDICTED, CHANCES, COLUMNS } Column;

typedef struct GenerationView {
    const Stage *stage;
    const LessonGenerate *generate;
    const Generated *generated;
    size_t index;          /* step that is drawn */
    size_t count, longest; /* length of the text that it reads, and of the longest */
    bool crowded;          /* no text below the squares */
    double size;           /* size of the chips' letters in all steps */
    bool with_costs;       /* shows costs instead of probabilities */
    size_t source;         /* the encoder's text, or TAPE_NONE */
    Box columns[COLUMNS];  /* of the line that is drawn; without width: left out */
} GenerationView;

/* Node of the text that a step reads. */
static size_t text_of(const GenerationView *view, size_t index) {
    return view->generated->steps[index].ids[0];
}

static const Tensor *longest_text(const GenerationView *view) {
    return stage_tensor(view->stage, text_of(view, view->generated->step_count - 1));
}

static bool is_cached(const GenerationView *view) {
    return view->generated->options.cache;
}

/* Reports whether costs are shown: there is a cache, or the lesson asks for it. */
static bool shows_costs(const Stage *stage, const LessonGenerate *generate) {
    const Lesson *lesson = stage->player->lesson;
    bool asked = generate->generated.options.cache;
    for (size_t i = 0; i < lesson->step_count; i++)
        asked |= lesson_shows(&lesson->steps[i], generate->summary);
    return asked;
}

static const char *step_text(const GenerationView *view, size_t number) {
    const Canvas *canvas = view->stage->canvas;
    return canvas_words(canvas, "view.turn", canvas_count(canvas, number), NULL);
}

/* Cell whose column is the token that a step generates. */
static FollowCell predicted_by(const GenerationView *view, size_t index) {
    return lesson_generation_cell(view->generate, index);
}

/* ---- columns ---- */

/* Width of the widest generated token. */
static double widest_predicted(const GenerationView *view, double size) {
    double widest = 0;
    for (size_t i = 0; i < view->generated->step_count; i++)
        widest =
            fmax(widest,
                 sentence_next_width(view->stage->canvas, size,
                                     view->generate->words[predicted_by(view, i).col]));
    return widest;
}

/* Chooses the chips' size for all steps, which the longest text and a line's height
 * allow. */
static void choose_size(GenerationView *view, double height) {
    const Canvas *canvas = view->stage->canvas;
    const Tensor *longest = longest_text(view);
    double least = canvas_least(canvas, "");
    for (size_t i = 0; i < tensor_cells(longest); i++)
        least = fmax(least, canvas_least(canvas, sentence_words(longest)[i]));
    view->size = fmax(canvas_size(canvas, LARGEST_UNITS, ""), least);
    while (view->size > least &&
           (sentence_width(canvas, longest, 0, view->size) > view->columns[READS].w ||
            widest_predicted(view, view->size) > view->columns[PREDICTED].w ||
            token_height(view->size) > height * CHIP_FRACTION))
        view->size--;
}

static const char *heading_of(const GenerationView *view, Column column) {
    static const char *const keys[] = {[READS] = "view.reads",
                                       [COMPUTES] = "view.computes",
                                       [COSTS] = "view.multiplications",
                                       [PREDICTED] = "view.says",
                                       [CHANCES] = "view.chance"};
    bool two = view->source != TAPE_NONE;
    return canvas_string(view->stage->canvas,
                         column == READS && two ? "view.decoder_reads" : keys[column]);
}

/* Draws the heading of a column, above the first step. */
static void draw_heading(const GenerationView *view, Box column, const char *words) {
    const Canvas *canvas = view->stage->canvas;
    canvas_text_within(canvas, FONT_BOLD, canvas_size(canvas, WORDS_UNITS, words),
                       column.w, canvas->theme->ink_faint,
                       (Point){column.x, column.y - 6}, LABEL_LEFT, words);
}

static const char *rows_text(const GenerationView *view, size_t known, size_t fresh) {
    const Canvas *canvas = view->stage->canvas;
    return canvas_words(canvas, is_cached(view) ? "view.kept_new" : "view.again_new",
                        canvas_count(canvas, known), canvas_count(canvas, fresh), NULL);
}

/* Width of a text, in the smallest letters if `units` is 0. */
static double width_of(const GenerationView *view, FontRole font, double units,
                       const char *text) {
    const Canvas *canvas = view->stage->canvas;
    return ceil(canvas_text_width(canvas, font, canvas_size(canvas, units, text), text));
}

/* Sets the widths of the columns with costs, each with its gap; the texts have the
 * rest. */
static void measure_costs(const GenerationView *view, double width, double *widths) {
    double total =
        width_of(view, FONT_BOLD, WORDS_UNITS,
                 canvas_thousands(view->stage->canvas, view->generated->multiplications));
    double costs = fmax(width_of(view, FONT_BOLD, 0, heading_of(view, COSTS)), total);
    widths[COSTS] = fmax(width * COSTS_FRACTION, costs + GAP);
    double less = widths[COSTS] * 0.2;
    widths[COMPUTES] =
        fmax(width * COMPUTES_FRACTION - less,
             fmin(width_of(view, FONT_TEXT, 0, rows_text(view, 99, 9)) + GAP, width / 4));
    widths[PREDICTED] =
        fmax(width * PREDICTED_FRACTION - less,
             widest_predicted(view, canvas_least(view->stage->canvas, "")));
    widths[READS] = width - widths[COMPUTES] - widths[COSTS] - widths[PREDICTED];
}

/* Sets the widths of texts, tokens and their probabilities to those of their contents;
 * returns the width of all, or of the encoder's text above them. */
static double measure_chances(const GenerationView *view, double width, double *widths) {
    const Canvas *canvas = view->stage->canvas;
    double size = canvas_size(canvas, LARGEST_UNITS, "");
    widths[CHANCES] =
        fmax(width_of(view, FONT_BOLD, WORDS_UNITS, heading_of(view, CHANCES)),
             width_of(view, FONT_TEXT, CHANCE_UNITS, "0.000"));
    widths[PREDICTED] = ceil(widest_predicted(view, size)) + GAP;
    double rest = width - widths[PREDICTED] - widths[CHANCES];
    widths[READS] = fmin(ceil(sentence_width(canvas, longest_text(view), 0, size)) + GAP,
                         fmax(rest, width * READS_LEAST));
    widths[PREDICTED] = fmin(widths[PREDICTED], width - widths[READS] - widths[CHANCES]);
    double used = widths[READS] + widths[PREDICTED] + widths[CHANCES];
    return view->source == TAPE_NONE
               ? used
               : fmax(used,
                      sentence_width(canvas, stage_tensor(view->stage, view->source), 0,
                                     size));
}

/* Places the columns: names, texts, computed rows, generated tokens. Without costs they
 * are as wide as their content and centred. */
static void place_columns(GenerationView *view, Box *area) {
    double widths[COLUMNS] = {0};
    widths[NAMES] = width_of(view, FONT_BOLD, NAME_UNITS, step_text(view, 99)) +
                    (view->source == TAPE_NONE ? GAP : GAP + TRUNK);
    double width = area->w - widths[NAMES];
    if (view->with_costs)
        measure_costs(view, width, widths);
    else
        box_take_left(area,
                      round(fmax(width - measure_chances(view, width, widths), 0) / 2));
    Box rest = *area;
    for (Column i = 0; i < COLUMNS; i++) {
        view->columns[i] = box_take_left(&rest, widths[i]);
        if (i < PREDICTED)
            view->columns[i].w = fmax(view->columns[i].w - GAP, 0);
    }
    view->columns[CHANCES].w += view->with_costs ? 0 : rest.w;
}

/* ---- computed rows ---- */

/* Draws a cached row's square: hollow, with a broken outline. */
static void draw_cached(const Canvas *canvas, Box box) {
    double right = box.x + box.w, below = box.y + box.h;
    const Point corners[] = {
        {box.x, box.y}, {right, box.y}, {right, below}, {box.x, below}, {box.x, box.y}};
    pattern_path(canvas, (PatternDash){3, 2}, corners, 5, 1, 1, canvas->theme->ink_soft);
}

/* Draws a square for each row, of one size in all steps, and describes the rows below:
 * those of earlier tokens, which an earlier step has computed, are recomputed or cached.
 * Too many squares become one strip. */
static void draw_computes(const GenerationView *view) {
    const Canvas *canvas = view->stage->canvas;
    const Theme *theme = canvas->theme;
    Box column = view->columns[COMPUTES];
    size_t known = view->index == 0 ? 0 : view->count - 1;
    const char *words = rows_text(view, known, view->count - known);
    double letters = canvas_size(canvas, WORDS_UNITS, words);
    double below = WORDS_LINE * canvas_size(canvas, WORDS_UNITS, "一");
    double tall = view->crowded ? column.h * 0.5 : fmax(column.h - below, 1);
    double place = column.w / (double)view->longest;
    double side = fmin(fmin(SQUARE, place - SQUARE_GAP), tall);
    bool strip = side < LEAST_SQUARE;
    double high = strip ? fmin(SQUARE * 0.8, tall) : side,
           pitch = strip ? place : side + SQUARE_GAP;
    double y = column.y + column.h / 2 - (view->crowded ? high / 2 : high);
    for (size_t i = 0; i < view->count; i++) {
        double x = round(column.x + pitch * (double)i);
        double width = strip ? round(column.x + pitch * (double)(i + 1)) - x : side;
        Box box = {x, round(y), width, high};
        if (i >= known)
            canvas_fill(canvas, box, strip ? 0 : 2, theme->ink_soft);
        else if (is_cached(view))
            draw_cached(canvas, box);
        else
            scene_rectangle(canvas->scene, box, strip ? 0 : 2,
                            palette_mix(theme->page, theme->ink_soft, AGAIN),
                            theme->ink_faint, strip ? 0 : 1);
    }
    if (!view->crowded)
        canvas_text_within(canvas, FONT_TEXT, letters, column.w, theme->ink_soft,
                           (Point){column.x, round(box_middle(column).y + letters * 1.3)},
                           LABEL_LEFT, words);
}

/* ---- costs ---- */

static void draw_count(const GenerationView *view, const char *text, double middle,
                       FontRole font) {
    const Canvas *canvas = view->stage->canvas;
    Box costs = view->columns[COSTS];
    canvas_line(canvas, font, NAME_UNITS, canvas->theme->ink_soft,
                (Box){costs.x, middle, costs.w, 0}, text);
}

/* Draws the bar of a cost: the computed part is dark, the part saved by a cache is an
 * empty outline. */
static void draw_bar(const Canvas *canvas, Box bar, double done) {
    if (bar.w > done)
        scene_rectangle(canvas->scene, bar, 2, canvas->theme->page,
                        canvas->theme->ink_faint, 1);
    canvas_fill(canvas, (Box){bar.x, bar.y, done, bar.h}, 2, canvas->theme->ink_soft);
}

/* Draws the key of a bar's parts from right to left before the sum, or nothing if it
 * doesn't fit whole. */
static void draw_key(const GenerationView *view, double middle) {
    const Canvas *canvas = view->stage->canvas;
    static const char *const keys[] = {"view.saves", "view.computes"};
    double bar = COST_BAR, gap = 8, right = view->columns[COSTS].x - 2 * gap, lefts[2];
    const char *words[2];
    for (size_t i = 0; i < 2; i++) {
        words[i] = canvas_string(canvas, keys[i]);
        double size = canvas_size(canvas, WORDS_UNITS, words[i]);
        lefts[i] = floor(right - canvas_text_width(canvas, FONT_TEXT, size, words[i]));
        right = lefts[i] - gap - bar - 2 * gap;
    }
    for (size_t i = 0; right >= view->columns[READS].x && i < 2; i++) {
        Box box = {lefts[i] - gap - bar, round(middle - bar / 2), bar, bar};
        draw_bar(canvas, box, i ? bar : 0);
        canvas_label_at(canvas, FONT_TEXT, WORDS_UNITS, canvas->theme->ink_soft,
                        (Point){lefts[i], middle}, LABEL_LEFT, words[i]);
    }
}

/* Reports whether lines are tall enough for bars below their numbers. */
static bool has_bars(double height) {
    return height >= 3 * COST_BAR;
}

/* Writes the costs of all steps, and, with a cache, those without it: in words, or as
 * short as there is room for. */
static void draw_total(const GenerationView *view, double middle, double height) {
    const Canvas *canvas = view->stage->canvas;
    const Generated *generated = view->generated;
    const char *cost = canvas_thousands(canvas, generated->multiplications);
    if (generated->multiplications < generated->without_cache) {
        const char *all = canvas_thousands(canvas, generated->without_cache);
        const char *ways[] = {canvas_words(canvas, "view.of_all", cost, all, NULL),
                              canvas_format(canvas, "%s / %s", cost, all), cost};
        size_t form = 0;
        while (form < 2 &&
               width_of(view, FONT_BOLD, 0, ways[form]) > view->columns[COSTS].w)
            form++;
        cost = ways[form];
        if (has_bars(height))
            draw_key(view, middle);
    }
    draw_count(view, cost, middle, FONT_BOLD);
}

/* Writes the cost of a step; below it bars compare it with the cost without a cache, the
 * largest as wide as the column. */
static void draw_cost(const GenerationView *view, Box line) {
    const Canvas *canvas = view->stage->canvas;
    const DecodingStep *step = &view->generated->steps[view->index];
    Box column = view->columns[COSTS];
    double middle = line.y + line.h / 2, most = 1;
    bool bars = has_bars(line.h);
    draw_count(view, canvas_thousands(canvas, step->multiplications),
               middle - (bars ? COST_BAR : 0), FONT_TEXT);
    for (size_t i = 0; i < view->generated->step_count; i++)
        most = fmax(most, (double)view->generated->steps[i].without_cache);
    double whole = round(column.w * (double)step->without_cache / most);
    double done = round(column.w * (double)step->multiplications / most);
    if (bars)
        draw_bar(canvas, (Box){column.x, round(middle + COST_BAR * 0.5), whole, COST_BAR},
                 fmax(done, 2));
}

/* ---- steps ---- */

/* Draws the generated token with its probability, or the token that edited numbers
 * generate. */
static void draw_predicted(const GenerationView *view) {
    const Stage *stage = view->stage;
    const Canvas *canvas = stage->canvas;
    FollowCell cell = predicted_by(view, view->index);
    Box strip = view->columns[PREDICTED];
    const char *now = lesson_would_generate(view->generate, stage->tape, view->index,
                                            canvas->scene->arena);
    double chance = tensor_at(stage_tensor(stage, cell.node), cell.row, cell.col);
    if (now)
        strip.w += view->columns[CHANCES].w;
    else if (!view->with_costs)
        canvas_label_at(canvas, FONT_TEXT, CHANCE_UNITS, canvas->theme->ink,
                        (Point){view->columns[CHANCES].x, box_middle(strip).y},
                        LABEL_LEFT, canvas_number(canvas, chance, DECIMALS));
    sentence_draw_next(stage, strip, view->size, view->generate->words[cell.col], now,
                       (Link){LINK_CELL, cell.node, cell.row, cell.col}, false);
}

static void draw_step(GenerationView *view, Box line) {
    const Canvas *canvas = view->stage->canvas;
    size_t text = text_of(view, view->index);
    view->count = tensor_cells(stage_tensor(view->stage, text));
    for (Column i = 0; i < COLUMNS; i++) {
        view->columns[i].y = line.y;
        view->columns[i].h = line.h;
    }
    canvas_label_at(canvas, FONT_BOLD, NAME_UNITS, canvas->theme->ink_soft,
                    (Point){line.x, line.y + line.h / 2}, LABEL_LEFT,
                    step_text(view, view->index + 1));
    sentence_draw(view->stage, text, view->columns[READS], view->size, true);
    if (view->with_costs) {
        draw_computes(view);
        draw_cost(view, line);
    }
    draw_predicted(view);
}

/* Draws the encoder's text, with lines to each step. */
static void draw_source(const GenerationView *view, Box strip, Box lines, double height) {
    const Canvas *canvas = view->stage->canvas;
    Color color = canvas->theme->key;
    box_take_left(&strip, view->columns[READS].x - strip.x);
    draw_heading(view, strip, canvas_string(canvas, "view.encoder_reads"));
    sentence_draw(view->stage, view->source, strip, view->size, false);
    double trunk = round(strip.x - TRUNK * 0.6) + 0.5, head = 7, tip = strip.x - 5;
    double top = round(strip.y + strip.h / 2) + 0.5;
    for (double y = lines.y + height / 2; y < lines.y + lines.h; y += height) {
        double at = round(y) + 0.5;
        Point form[] = {
            {strip.x - 4, top}, {trunk, top}, {trunk, at}, {tip - head + 1, at}};
        scene_path(canvas->scene, form, 4, 2, color);
        canvas_arrow_head(canvas, form[3], (Point){tip, at}, head, color);
    }
}

/* Draws the last steps that there is room for, after a line with the encoder's text; then
 * the sum of the costs if they are shown. */
static void draw_steps(GenerationView *view) {
    Box area = view->stage->area, total = {0}, source = {0};
    double heading = round(canvas_size(view->stage->canvas, WORDS_UNITS, "一") * 2);
    size_t before = view->source != TAPE_NONE, steps = view->generated->step_count;
    box_take_top(&area, heading);
    if (view->with_costs)
        total = box_take_bottom(&area, 30);
    double least = fmax(SHORTEST, canvas_least(view->stage->canvas, "一") * 2);
    double room = area.h - (before ? heading : 0);
    size_t most = room > least * 2 ? (size_t)(room / least) - before : 1;
    size_t lines = steps < most ? steps : most;
    double height = fmin(room / (double)(lines + before), TALLEST);
    box_take_top(&area, round((room - height * (double)(lines + before)) * 0.35));
    view->crowded = height < CROWDED;
    view->longest = tensor_cells(longest_text(view));
    place_columns(view, &area);
    if (before) {
        source = box_take_top(&area, height);
        box_take_top(&area, heading);
    }
    for (Column i = READS; i < COLUMNS; i++) {
        view->columns[i].y = area.y;
        if (view->columns[i].w > 0)
            draw_heading(view, view->columns[i], heading_of(view, i));
    }
    choose_size(view, height);
    if (before)
        draw_source(view, source, (Box){area.x, area.y, 0, height * (double)lines},
                    height);
    for (view->index = steps - lines; view->index < steps; view->index++)
        draw_step(view, box_take_top(&area, height));
    if (view->with_costs)
        draw_total(view, fmin(area.y + total.h / 2, total.y + total.h / 2), height);
}

void generation_picture(const Stage *stage, const LessonGenerate *generate) {
    bool with_costs = shows_costs(stage, generate);
    draw_steps(&(GenerationView){
        .stage = stage,
        .generate = generate,
        .generated = &generate->generated,
        .with_costs = with_costs,
        .source = with_costs ? TAPE_NONE : generate->generated.steps[0].source});
}
