#include "picture/composites/composites.h"

#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/model/generate_step.h"
#include "picture/draw/patterns.h"
#include "picture/tensors/tokens.h"
#include "tensor/tape/tape.h"

#include <string.h>

static const double LARGEST_UNITS = 24, NAME_UNITS = 15, SQUARE = 15, SQUARE_GAP = 4;
static const double READS_FRACTION = 0.6, COMPUTES_FRACTION = 0.23; /* of the width */
static const double TALLEST = 84;          /* units: tallest line */
static const double COSTS_FRACTION = 0.15; /* of the width, taken from the others */
static const double COST_BAR = 12;         /* units: height */
static const double CHIP_FRACTION = 0.84;  /* of a line's height */
static const double SHORTEST = 26;         /* units: lowest line */
/* Size of the text below squares; its line height relative to that. */
static const double WORDS_UNITS = 13, WORDS_LINE = 1.7;

static const double CROWDED = 52;     /* units: lower lines have squares without text */
static const double LEAST_SQUARE = 7; /* points: narrower squares become one strip */
static const double CHANCE_UNITS = 18;
static const char CHANCE[] = "view.chance";
static const double GAP = 22, TRUNK = 30; /* points: between columns; before the texts */

enum { DECIMALS = 3 }; /* of a probability */

enum { AGAIN = 90 }; /* of 256: distance from the page's colour */

typedef struct GenerationView {
    const Stage *stage;
    const LessonGenerate *generate;
    size_t index, node;    /* index and node of the step that is drawn */
    const Tensor *ids;     /* text that the step reads */
    size_t count, longest; /* length of that text, and of the longest */
    bool crowded;          /* no text below the squares */
    double size;           /* size of the chips' letters in all steps */
    bool with_costs;       /* shows costs instead of probabilities */
    size_t source;         /* the encoder's text, or TAPE_NONE */
    Box reads, computes, costs, predicted, chances; /* columns; without width: left out */
} GenerationView;

/* Node of the text that a step reads. */
static size_t text_of(const GenerationView *view, size_t index) {
    return view->generate->generated.steps[index].ids[0];
}

static bool is_cached(const GenerationView *view) {
    return view->generate->generated.options.cache;
}

/* Reports whether costs are shown: there is a cache, or the lesson asks for it. */
static bool shows_costs(const Stage *stage, const LessonGenerate *generate) {
    const Lesson *lesson = stage->player->lesson;
    if (generate->generated.options.cache)
        return true;
    for (size_t i = 0; i < lesson->step_count; i++) {
        if (lesson_shows(&lesson->steps[i], generate->summary))
            return true;
    }
    return false;
}

static const char *step_text(const GenerationView *view) {
    const Canvas *canvas = view->stage->canvas;
    return canvas_words(canvas, "view.turn", canvas_count(canvas, view->index + 1), NULL);
}

/* Cell whose column is the generated token. */
static FollowCell predicted_by(const GenerationView *view) {
    return lesson_generation_cell(view->generate, view->index);
}

/* Width of the widest generated token. */
static double widest_predicted(const GenerationView *view, double size) {
    GenerationView turn = *view;
    double widest = 0;
    for (turn.index = 0; turn.index < view->generate->generated.step_count; turn.index++)
        widest = fmax(
            widest, sentence_next_width(view->stage->canvas, size,
                                        view->generate->words[predicted_by(&turn).col]));
    return widest;
}

/* Chooses the chips' size for all steps, which the longest text and a line's height
 * allow. */
static void choose_size(GenerationView *view, double height) {
    const Stage *stage = view->stage;
    const Canvas *canvas = stage->canvas;
    const Tensor *longest =
        stage_tensor(stage, text_of(view, view->generate->generated.step_count - 1));
    double least = canvas_least(canvas, "");
    for (size_t i = 0; i < tensor_cells(longest); i++)
        least = fmax(least, canvas_least(canvas, sentence_words(longest)[i]));
    view->size = fmax(canvas_size(canvas, LARGEST_UNITS, ""), least);
    while (view->size > least &&
           (sentence_width(canvas, longest, 0, view->size) > view->reads.w ||
            widest_predicted(view, view->size) > view->predicted.w ||
            token_height(view->size) > height * CHIP_FRACTION))
        view->size--;
}

/* Draws the heading of a column, above the first step. */
static void draw_heading(const GenerationView *view, Box column, const char *key) {
    const Canvas *canvas = view->stage->canvas;
    const char *words = canvas_string(canvas, key);
    double size = canvas_size(canvas, WORDS_UNITS, words);
    canvas_text_within(canvas, FONT_BOLD, size, column.w, canvas->theme->ink_faint,
                       (Point){column.x, column.y - 6}, LABEL_LEFT, words);
}

/* Number of a step's rows that an earlier step has computed. */
static size_t known_rows(const GenerationView *view) {
    return view->index == 0 ? 0 : view->count - 1;
}

static const char *rows_text(const GenerationView *view, size_t known, size_t fresh) {
    const Canvas *canvas = view->stage->canvas;
    return canvas_words(canvas, is_cached(view) ? "view.kept_new" : "view.again_new",
                        canvas_count(canvas, known), canvas_count(canvas, fresh), NULL);
}

/* Width of the widest text below a step's squares. */
static double widest_counts(const GenerationView *view) {
    const char *words = rows_text(view, 99, 9);
    return ceil(canvas_text_width(view->stage->canvas, FONT_TEXT,
                                  canvas_least(view->stage->canvas, words), words));
}

/* Describes a step's rows below the squares. */
static void draw_rows_text(const GenerationView *view, Box column) {
    const Canvas *canvas = view->stage->canvas;
    size_t known = known_rows(view);
    const char *words = rows_text(view, known, view->count - known);
    double size = canvas_size(canvas, 13, words);
    LabelFit fit = canvas_fit(canvas, FONT_TEXT, size, column.w, words);
    canvas_text(canvas, FONT_TEXT, fit.size, canvas->theme->ink_soft,
                (Point){column.x, round(column.y + column.h / 2 + fit.size * 1.3)},
                LABEL_LEFT, fit.text);
}

/* Draws a cached row's square: hollow, with a broken outline. */
static void draw_cached(const Canvas *canvas, Box box) {
    double right = box.x + box.w, below = box.y + box.h;
    const Point corners[] = {
        {box.x, box.y}, {right, box.y}, {right, below}, {box.x, below}, {box.x, box.y}};
    pattern_path(canvas, (PatternDash){3, 2}, corners, 5, 1, 1, canvas->theme->ink_soft);
}

/* Draws a square for each row, of one size in all steps: rows of earlier tokens are
 * recomputed or cached. Too many squares become one strip. */
static void draw_computes(const GenerationView *view) {
    const Canvas *canvas = view->stage->canvas;
    const Theme *theme = canvas->theme;
    Box column = view->computes;
    double words = WORDS_LINE * canvas_size(canvas, WORDS_UNITS, "一");
    double tall = view->crowded ? column.h * 0.5 : fmax(column.h - words, 1);
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
        if (i >= known_rows(view))
            canvas_fill(canvas, box, strip ? 0 : 2, theme->ink_soft);
        else if (is_cached(view))
            draw_cached(canvas, box);
        else
            scene_rectangle(canvas->scene, box, strip ? 0 : 2,
                            palette_mix(theme->page, theme->ink_soft, AGAIN),
                            theme->ink_faint, strip ? 0 : 1);
    }
    if (!view->crowded)
        draw_rows_text(view, column);
}

static bool count_fits(const GenerationView *view, FontRole font, const char *text) {
    const Canvas *canvas = view->stage->canvas;
    double size = canvas_size(canvas, NAME_UNITS, text);
    return strcmp(canvas_fit(canvas, font, size, view->costs.w, text).text, text) == 0;
}

static void draw_count(const GenerationView *view, const char *text, double middle,
                       FontRole font) {
    const Canvas *canvas = view->stage->canvas;
    double size = canvas_size(canvas, NAME_UNITS, text);
    LabelFit fit = canvas_fit(canvas, font, size, view->costs.w, text);
    canvas_text(canvas, font, fit.size, canvas->theme->ink_soft,
                (Point){view->costs.x, label_baseline(middle, fit.size)}, LABEL_LEFT,
                fit.text);
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
    double bar = COST_BAR, gap = 8;
    double right = view->costs.x - 2 * gap, lefts[2], size = 0;
    const char *words[2];
    for (size_t i = 0; i < 2; i++) {
        words[i] = canvas_string(canvas, keys[i]);
        size = canvas_size(canvas, WORDS_UNITS, words[i]);
        lefts[i] = floor(right - canvas_text_width(canvas, FONT_TEXT, size, words[i]));
        right = lefts[i] - gap - bar - 2 * gap;
    }
    if (right < view->reads.x)
        return;
    for (size_t i = 0; i < 2; i++) {
        Box box = {lefts[i] - gap - bar, round(middle - bar / 2), bar, bar};
        draw_bar(canvas, box, i ? bar : 0);
        canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink_soft,
                    (Point){lefts[i], label_baseline(middle, size)}, LABEL_LEFT,
                    words[i]);
    }
}

/* Reports whether lines are tall enough for bars below their numbers. */
static bool has_bars(double height) {
    return height >= 3 * COST_BAR;
}

/* Writes the costs of all steps, and, with a cache, those without it. */
static void draw_total(const GenerationView *view, double middle, double height) {
    const Canvas *canvas = view->stage->canvas;
    const Generated *generated = &view->generate->generated;
    if (generated->multiplications < generated->without_cache && has_bars(height))
        draw_key(view, middle);
    const char *cost = canvas_thousands(canvas, generated->multiplications);
    if (generated->multiplications < generated->without_cache) {
        const char *all = canvas_thousands(canvas, generated->without_cache);
        const char *ways[] = {canvas_words(canvas, "view.of_all", cost, all, NULL),
                              canvas_format(canvas, "%s / %s", cost, all), cost};
        size_t form = 0; /* in words, or as short as there is room for */
        while (form < 2 && !count_fits(view, FONT_BOLD, ways[form]))
            form++;
        cost = ways[form];
    }
    draw_count(view, cost, middle, FONT_BOLD);
}

/* Writes the cost of a step; below it bars compare it with the cost without a cache, the
 * largest as wide as the column. */
static void draw_cost(const GenerationView *view, Box line) {
    const Canvas *canvas = view->stage->canvas;
    const Generated *generated = &view->generate->generated;
    const DecodingStep *turn = &generated->steps[view->index];
    double middle = line.y + line.h / 2, most = 1;
    double lift = has_bars(line.h) ? COST_BAR : 0;
    draw_count(view, canvas_thousands(canvas, turn->multiplications), middle - lift,
               FONT_TEXT);
    for (size_t i = 0; i < generated->step_count; i++)
        most = fmax(most, (double)generated->steps[i].without_cache);
    double whole = round(view->costs.w * (double)turn->without_cache / most);
    double done = round(view->costs.w * (double)turn->multiplications / most);
    if (lift == 0)
        return;
    draw_bar(canvas,
             (Box){view->costs.x, round(middle + COST_BAR * 0.5), whole, COST_BAR},
             fmax(done, 2));
}

static const char *chance_text(const GenerationView *view) {
    char text[NUMBER_SIZE];
    FollowCell cell = predicted_by(view);
    const Tensor *chances = stage_tensor(view->stage, cell.node);
    return canvas_format(
        view->stage->canvas, "%s",
        number_format_shortest(text, tensor_at(chances, cell.row, cell.col), DECIMALS));
}

static void draw_chance(const GenerationView *view) {
    const Canvas *canvas = view->stage->canvas;
    double size = canvas_size(canvas, CHANCE_UNITS, "");
    double middle = view->predicted.y + view->predicted.h / 2;
    canvas_text(canvas, FONT_TEXT, size, canvas->theme->ink,
                (Point){view->chances.x, label_baseline(middle, size)}, LABEL_LEFT,
                chance_text(view));
}

/* Draws the generated token with its probability, or the token that edited numbers
 * generate. */
static void draw_predicted(const GenerationView *view) {
    FollowCell cell = predicted_by(view);
    const Stage *stage = view->stage;
    Box strip = view->predicted;
    const char *now = lesson_would_generate(view->generate, stage->tape, view->index,
                                            stage->canvas->scene->arena);
    if (now)
        strip.w += view->chances.w;
    else if (!view->with_costs)
        draw_chance(view);
    sentence_draw_next(stage, strip, view->size, view->generate->words[cell.col], now,
                       (Link){LINK_CELL, cell.node, cell.row, cell.col}, false);
}

static void draw_step(GenerationView *view, Box line) {
    const Canvas *canvas = view->stage->canvas;
    const char *name = step_text(view);
    view->reads.y = view->computes.y = view->predicted.y = line.y;
    view->reads.h = view->computes.h = view->predicted.h = line.h;
    double size = canvas_size(canvas, NAME_UNITS, name);
    canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink_soft,
                (Point){line.x, label_baseline(line.y + line.h / 2, size)}, LABEL_LEFT,
                name);
    sentence_draw(view->stage, view->node, view->reads, view->size, true);
    if (view->with_costs) {
        draw_computes(view);
        draw_cost(view, line);
    }
    draw_predicted(view);
}

/* Places the columns between texts and tokens. */
static void place_costs(GenerationView *view, Box *rest) {
    const Canvas *canvas = view->stage->canvas;
    const char *heading = canvas_string(canvas, "view.multiplications");
    const char *all = canvas_thousands(canvas, view->generate->generated.multiplications);
    double least = fmax(
        canvas_text_width(canvas, FONT_BOLD, canvas_least(canvas, heading), heading),
        canvas_text_width(canvas, FONT_BOLD, canvas_size(canvas, WORDS_UNITS, all), all));
    double width = rest->w;
    double costs = fmax(width * COSTS_FRACTION, ceil(least) + GAP);
    double computes = fmax(width * COMPUTES_FRACTION - costs * 0.2,
                           fmin(widest_counts(view) + GAP, width * 0.25));
    double predicted =
        fmax(width * (1 - READS_FRACTION - COMPUTES_FRACTION) - costs * 0.2,
             widest_predicted(view, canvas_least(canvas, "")));
    view->reads = box_take_left(rest, width - computes - costs - predicted);
    view->computes = box_take_left(rest, computes);
    view->costs = box_take_left(rest, costs);
    view->predicted = *rest;
    view->reads.w -= GAP;
    view->computes.w -= GAP;
    view->costs.w -= GAP;
}

/* Width of the column of probabilities: of its heading or the widest number. */
static double chances_width(const GenerationView *view) {
    const Canvas *canvas = view->stage->canvas;
    const char *words = canvas_string(canvas, CHANCE);
    return ceil(fmax(canvas_text_width(canvas, FONT_BOLD,
                                       canvas_size(canvas, WORDS_UNITS, words), words),
                     canvas_text_width(canvas, FONT_TEXT,
                                       canvas_size(canvas, CHANCE_UNITS, ""), "0.000")));
}

/* Places tokens and their probabilities behind the longest text, centred on the stage. */
static void place_chances(GenerationView *view, Box *rest) {
    const Canvas *canvas = view->stage->canvas;
    double size = canvas_size(canvas, LARGEST_UNITS, "");
    double chances = chances_width(view),
           predicted = ceil(widest_predicted(view, size)) + GAP;
    const Tensor *longest = stage_tensor(
        view->stage, text_of(view, view->generate->generated.step_count - 1));
    double reads = ceil(sentence_width(canvas, longest, 0, size)) + GAP;
    reads = fmin(reads, fmax(rest->w - predicted - chances, rest->w * 0.4));
    view->reads = box_take_left(rest, reads);
    view->chances = box_take_right(rest, fmax(rest->w - predicted, chances));
    view->predicted = *rest;
    view->reads.w -= GAP;
}

/* Places the columns: names, texts, computed rows, generated tokens. */
static void place_columns(GenerationView *view, Box area) {
    const Canvas *canvas = view->stage->canvas;
    view->index = 98; /* widest name */
    const char *name = step_text(view);
    Box rest = area;
    box_take_left(&rest, canvas_text_width(canvas, FONT_BOLD,
                                           canvas_size(canvas, NAME_UNITS, name), name) +
                             (view->source == TAPE_NONE ? GAP : GAP + TRUNK));
    if (view->with_costs)
        place_costs(view, &rest);
    else
        place_chances(view, &rest);
}

static void draw_headings(const GenerationView *view) {
    bool two = view->source != TAPE_NONE;
    draw_heading(view, view->reads, two ? "view.decoder_reads" : "view.reads");
    draw_heading(view, view->predicted, "view.says");
    if (!view->with_costs) {
        draw_heading(view, view->chances, CHANCE);
        return;
    }
    draw_heading(view, view->computes, "view.computes");
    draw_heading(view, view->costs, "view.multiplications");
}

/* Draws the encoder's text, with lines to each step. */
static void draw_source(const GenerationView *view, Box strip, Box lines, double height) {
    const Canvas *canvas = view->stage->canvas;
    Color color = canvas->theme->key;
    strip.w -= view->reads.x - strip.x;
    strip.x = view->reads.x;
    draw_heading(view, strip, "view.encoder_reads");
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

/* Centres columns on the stage that are as wide as their content. */
static void place_in_middle(GenerationView *view, Box *area) {
    const Canvas *canvas = view->stage->canvas;
    place_columns(view, *area);
    if (view->with_costs)
        return;
    double right = view->chances.x + chances_width(view);
    if (view->source != TAPE_NONE)
        right = fmax(right,
                     view->reads.x +
                         sentence_width(canvas, stage_tensor(view->stage, view->source),
                                        0, canvas_size(canvas, LARGEST_UNITS, "")));
    box_take_left(area, round(fmax(area->x + area->w - right, 0) / 2));
    place_columns(view, *area);
}

/* Draws the last steps that there is room for, after a line with the encoder's text; then
 * the sum of the costs if they are shown. */
static void draw_steps(GenerationView *view) {
    Box area = view->stage->area;
    double heading = round(canvas_size(view->stage->canvas, WORDS_UNITS, "一") * 2);
    size_t before = view->source != TAPE_NONE;
    box_take_top(&area, heading);
    Box total = {0}, source = {0};
    if (view->with_costs)
        total = box_take_bottom(&area, 30);
    double least = fmax(SHORTEST, canvas_least(view->stage->canvas, "一") * 2);
    double room = area.h - (before ? heading : 0);
    size_t most = room > least * 2 ? (size_t)(room / least) - before : 1;
    size_t first = view->generate->generated.step_count > most
                       ? view->generate->generated.step_count - most
                       : 0;
    size_t lines = view->generate->generated.step_count - first;
    double height = fmin(room / (double)(lines + before), TALLEST);
    box_take_top(&area, round((room - height * (double)(lines + before)) * 0.35));
    view->crowded = height < CROWDED;
    view->longest = tensor_cells(stage_tensor(
        view->stage, text_of(view, view->generate->generated.step_count - 1)));
    place_in_middle(view, &area);
    if (before) {
        source = box_take_top(&area, height);
        box_take_top(&area, heading);
    }
    view->reads.y = view->computes.y = view->costs.y = view->predicted.y =
        view->chances.y = area.y;
    draw_headings(view);
    choose_size(view, height);
    if (before)
        draw_source(view, source, (Box){area.x, area.y, 0, height * (double)lines},
                    height);
    for (view->index = first; view->index < view->generate->generated.step_count;
         view->index++) {
        view->node = text_of(view, view->index);
        view->ids = stage_tensor(view->stage, view->node);
        view->count = tensor_cells(view->ids);
        draw_step(view, box_take_top(&area, height));
    }
    if (view->with_costs)
        draw_total(view, fmin(area.y + total.h / 2, total.y + total.h / 2), height);
}

void generation_picture(const Stage *stage, const LessonGenerate *generate) {
    bool with_costs = shows_costs(stage, generate);
    draw_steps(&(GenerationView){
        .stage = stage,
        .generate = generate,
        .with_costs = with_costs,
        .source = with_costs ? TAPE_NONE : generate->generated.steps[0].source});
}
