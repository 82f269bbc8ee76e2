#include "picture/composites/composites.h"

#include "base/maths.h"
#include "base/number.h"
#include "lesson/model/generate_step.h"
#include "picture/draw/canvas.h"
#include "picture/tensors/views.h"

enum { FEW_STEPS = 8, OTHERS_MOST = 6 };

/* Lengths in units. */
static const double WORDS = 16, NUMBER = 17.5, HEADING = 13.5, READS = 46, NUMBERS = 28,
                    CHIPS = 52, KEY = 34, SWATCH = 15;
static const double SIGN = 70; /* room for "T = 1.3" before the numbers */
static const double WIDEST = 150, NARROWEST = 52, GAP = 10, MORE = 26, LEAST_BARS = 90;
static const double LEAST_PART = 0.02; /* smaller probabilities are not distinguished */

enum { OTHER_FRACTION = 112, REST_FRACTION = 40 }; /* of 256: of a colour on the page */

typedef struct GeneratedRow {
    const Stage *stage;
    const Canvas *canvas;
    const LessonGenerate *generate;
    /* Steps [first, end) that are drawn: the last ones if not all have room. */
    size_t first, end;
    double left, pitch;
    double size;   /* size of the tokens' letters in points */
    bool tempered; /* probabilities at the temperature and, above them, at 1 */
    Box reads, plain, numbers, bars, chips, key;
} GeneratedRow;

static FollowCell cell_of(const GeneratedRow *row, size_t turn) {
    return lesson_generation_cell(row->generate, turn);
}

static double probability_at(const GeneratedRow *row, FollowCell cell, size_t col) {
    return fmax(tensor_at(stage_tensor(row->stage, cell.node), cell.row, col), 0);
}

/* Probability of a token at temperature 1. */
static double plain_probability(const GeneratedRow *row, size_t turn) {
    const Tensor *logits =
        stage_tensor(row->stage, row->generate->generated.steps[turn].logits);
    size_t col = cell_of(row, turn).col;
    double sum = 0;
    for (size_t i = 0; i < logits->cols; i++)
        sum += exp(tensor_at(logits, 0, i) - tensor_at(logits, 0, col));
    return sum > 0 ? 1 / sum : 0;
}

/* Bar of a step, with the height of probability 1. */
static Box bar_of(const GeneratedRow *row, size_t turn) {
    double x = row->left + row->pitch * (double)(turn - row->first);
    return (Box){round(x), row->bars.y, round(row->pitch - GAP), row->bars.h};
}

/* ---- layout ---- */

/* Width of the widest chip. */
static double widest_chip(const GeneratedRow *row, double size) {
    double widest = 0;
    for (size_t i = 0; i < row->generate->generated.step_count; i++)
        widest = fmax(widest, token_width(row->canvas, size,
                                          row->generate->words[cell_of(row, i).col]));
    return widest;
}

static bool place(GeneratedRow *row) {
    Box area = row->stage->area;
    double temperature = row->generate->generated.options.temperature;
    row->reads = box_take_top(&area, READS);
    row->tempered = temperature < 1 || temperature > 1;
    row->plain = box_take_top(&area, row->tempered ? NUMBERS : 0);
    box_take_left(&area, row->tempered ? SIGN : 0);
    row->numbers = box_take_top(&area, NUMBERS);
    row->chips = box_take_top(&area, CHIPS);
    row->key = box_take_bottom(&area, KEY);
    row->bars = area;
    row->end = row->generate->generated.step_count;
    double least = canvas_least(row->canvas, "一");
    double narrowest = fmax(NARROWEST, ceil(widest_chip(row, least)) + 2);
    if ((double)row->end > floor(area.w / narrowest)) {
        box_take_left(&area, MORE);
        row->first = row->end - (size_t)fmax(floor(area.w / narrowest), 1);
    }
    double shown = (double)(row->end - row->first);
    row->pitch = floor(fmin(area.w / shown, WIDEST));
    double spare = area.w - row->pitch * shown;
    row->left = area.x + (row->first ? spare : floor(spare / 2));
    row->size = canvas_size(row->canvas, WORDS, "");
    while (row->size > least && widest_chip(row, row->size) > row->pitch - 2)
        row->size--;
    return area.h >= LEAST_BARS;
}

/* ---- drawing ---- */

/* Draws the text that the first step reads, before the generated tokens. */
static void draw_reads(const GeneratedRow *row) {
    const Canvas *canvas = row->canvas;
    Box strip = row->reads;
    Box drawn = canvas_label_at(canvas, FONT_BOLD, HEADING, canvas->theme->ink_faint,
                                (Point){strip.x, strip.y + strip.h / 2}, LABEL_LEFT,
                                canvas_string(canvas, "view.reads"));
    box_take_left(&strip, drawn.w + 2 * GAP);
    sentence_draw(row->stage, row->generate->generated.steps[0].ids[0], strip,
                  canvas_size(canvas, WORDS, ""), false);
}

static void draw_part(const GeneratedRow *row, Box box, FollowCell cell, size_t col,
                      Color fill) {
    const Canvas *canvas = row->canvas;
    const char *word = token_text(canvas, row->generate->words[col]);
    canvas_link_cell(canvas, cell.node, cell.row, col);
    canvas_fill(canvas, box, 2, fill);
    if (row->size * 1.35 <= box.h &&
        canvas_text_width(canvas, FONT_TEXT, row->size, word) + 6 <= box.w)
        canvas_label_at(
            canvas, FONT_TEXT, row->size,
            palette_ink(fill, canvas->theme->cell_dark, canvas->theme->cell_light),
            box_middle(box), LABEL_CENTER, word);
    canvas_unlink(canvas);
}

/* Colours of a bar's parts, from top to bottom. */
typedef enum BarPart { PART_CHOSEN, PART_OTHER, PART_REST, PART_COUNT } BarPart;

static Color part_color(const GeneratedRow *row, BarPart part) {
    const Theme *theme = row->canvas->theme;
    Color full = emphasis_bar(theme, true), rest = full; /* tokens stand on it */
    rest.a = REST_FRACTION;
    return part == PART_CHOSEN  ? full
           : part == PART_OTHER ? palette_mix(theme->page, full, OTHER_FRACTION)
                                : rest;
}

/* Draws the key of the parts below the bars. */
static void draw_key(const GeneratedRow *row) {
    static const char *const keys[PART_COUNT] = {"view.said", "view.might_be_said",
                                                 "view.all_others"};
    const Canvas *canvas = row->canvas;
    double x = row->left, middle = row->key.y + row->key.h / 2 + GAP / 2;
    for (BarPart i = 0; i < PART_COUNT; i++) {
        Box swatch = {round(x), round(middle - SWATCH / 2), SWATCH, SWATCH};
        canvas_fill(canvas, swatch, 2, part_color(row, i));
        canvas_outline(canvas, swatch, 2, canvas->theme->line, 1);
        Box drawn = canvas_label_at(canvas, FONT_TEXT, HEADING, canvas->theme->ink_soft,
                                    (Point){x + SWATCH + GAP, middle}, LABEL_LEFT,
                                    canvas_string(canvas, keys[i]));
        x = drawn.x + drawn.w + 2 * GAP;
    }
}

/* Draws a bar: at the top the generated token's part, as tall as its probability; below
 * it the alternatives by probability, and pale the rest, which is too unlikely to be
 * distinguished. */
static void draw_place(const GeneratedRow *row, size_t turn) {
    const Canvas *canvas = row->canvas;
    FollowCell cell = cell_of(row, turn);
    Box place = bar_of(row, turn);
    double chosen = round(place.h * probability_at(row, cell, cell.col)), down = chosen;
    canvas_link_cell(canvas, cell.node, cell.row, cell.col);
    canvas_fill(canvas, (Box){place.x, place.y, place.w, chosen}, 0,
                part_color(row, PART_CHOSEN));
    canvas_fill(canvas, (Box){place.x, place.y + chosen, place.w, place.h - chosen}, 0,
                part_color(row, PART_REST));
    canvas_unlink(canvas);
    const Tensor *all = stage_tensor(row->stage, cell.node);
    const size_t *order = generate_order(canvas->scene->arena,
                                         all->values + cell.row * all->cols, all->cols);
    for (size_t i = 0, others = 0; i < all->cols && others < OTHERS_MOST; i++) {
        double probability = probability_at(row, cell, order[i]);
        double height = fmin(round(place.h * probability), place.h - down);
        if (order[i] == cell.col || probability < LEAST_PART)
            continue;
        if (height >= 3)
            draw_part(row, (Box){place.x, place.y + down + 1, place.w, height - 1}, cell,
                      order[i], part_color(row, PART_OTHER));
        down += height;
        others++;
    }
    scene_line(canvas->scene, (Point){place.x, place.y},
               (Point){place.x + place.w, place.y}, 2, canvas->theme->ink_faint);
}

static void draw_probability(const GeneratedRow *row, size_t turn, Box line,
                             double probability, Color ink) {
    const Canvas *canvas = row->canvas;
    FollowCell cell = cell_of(row, turn);
    Box bar = bar_of(row, turn);
    double size = canvas_size(canvas, NUMBER, "");
    const char *text = canvas_number(canvas, probability, HEATMAP_DECIMALS);
    if (canvas_text_width(canvas, FONT_TEXT, size, text) > row->pitch)
        return;
    canvas_link_cell(canvas, cell.node, cell.row, cell.col);
    canvas_text(canvas, FONT_TEXT, size, ink,
                (Point){bar.x + bar.w / 2, line.y + round(line.h * 0.7)}, LABEL_CENTER,
                text);
    canvas_unlink(canvas);
}

static void draw_number(const GeneratedRow *row, size_t turn) {
    const Theme *theme = row->canvas->theme;
    FollowCell cell = cell_of(row, turn);
    draw_probability(row, turn, row->numbers, probability_at(row, cell, cell.col),
                     theme->ink);
    if (row->tempered)
        draw_probability(row, turn, row->plain, plain_probability(row, turn),
                         theme->ink_faint);
}

/* Draws "T = 1.3" before a line of numbers. */
static void draw_sign(const GeneratedRow *row, Box line, double temperature, Color ink) {
    const Canvas *canvas = row->canvas;
    Theme plain = role_one_ink(canvas->theme, ink);
    Canvas toned = *canvas;
    char text[NUMBER_SIZE];
    toned.theme = &plain;
    canvas_formula(
        &toned,
        canvas_format(canvas, "T = %s", number_format_short(text, temperature, 2)),
        NUMBER, (Point){row->stage->area.x, line.y + round(line.h * 0.5)}, LABEL_LEFT);
}

/* Draws the token above its bar; with edited numbers also the one that they generate. */
static void draw_word(const GeneratedRow *row, size_t turn) {
    const Canvas *canvas = row->canvas;
    FollowCell cell = cell_of(row, turn);
    const char *word = row->generate->words[cell.col];
    Box bar = bar_of(row, turn);
    double width = fmin(token_width(canvas, row->size, word), row->pitch - 2);
    double height = fmin(token_height(row->size), row->chips.h);
    Box chip = {round(bar.x + (bar.w - width) / 2), round(row->chips.y + GAP),
                round(width), round(height)};
    canvas_link_cell(canvas, cell.node, cell.row, cell.col);
    token_draw(canvas,
               &(Token){.label = word,
                        .kind = token_kind(word),
                        .present = turn + 1 == row->end,
                        .size = row->size},
               chip);
    if (stage_focuses(row->stage, cell.node, cell.row, cell.col))
        canvas_outline(canvas, box_inset(chip, -3), chip.h / 2, canvas->theme->focus, 3);
    if (lesson_would_generate(row->generate, row->stage->tape, turn,
                              canvas->scene->arena))
        scene_line(canvas->scene, (Point){chip.x, chip.y + chip.h},
                   (Point){chip.x + chip.w, chip.y}, 2, canvas->theme->bad_ink);
    canvas_unlink(canvas);
}

bool generated_text_picture(const Stage *stage, const LessonGenerate *generate) {
    GeneratedRow row = {.stage = stage, .canvas = stage->canvas, .generate = generate};
    if (generate->generated.step_count <= FEW_STEPS || !place(&row))
        return false;
    draw_reads(&row);
    if (row.tempered) {
        draw_sign(&row, row.plain, 1, stage->canvas->theme->ink_faint);
        draw_sign(&row, row.numbers, generate->generated.options.temperature,
                  stage->canvas->theme->ink);
    }
    void (*const parts[])(const GeneratedRow *, size_t) = {draw_number, draw_place,
                                                           draw_word};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        for (size_t turn = row.first; turn < row.end; turn++)
            parts[i](&row, turn);
    }
    if (row.first > 0) /* steps are left out */
        canvas_label(stage->canvas, FONT_BOLD, NUMBER, stage->canvas->theme->ink_soft,
                     (Point){row.bars.x, round(box_middle(row.bars).y)}, LABEL_LEFT, "…");
    draw_key(&row);
    return true;
}
