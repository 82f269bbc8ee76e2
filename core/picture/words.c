#include "picture/page.h"

#include "picture/stage.h"

#include <math.h>

static const double HEADING_UNITS = 29, SAY_UNITS = 17.5, FORMULA_UNITS = 32;
static const double FORMULA_SHARE = 0.42; /* of the width, at most */
enum { HEADING_LINES = 2, SAY_LINES = 4 };

/* All that words_height and words_draw have to agree on. */
typedef struct Words {
    const char *heading, *say, *formula, *shapes;
    double heading_size, say_size, formula_size;
    double text_width; /* what the formula beside it leaves */
    FormulaExtent formula_extent;
    double heading_height, say_height, formula_height;
} Words;

/* "(3×2) · (2×3) → (3×3)": the shapes that go in and come out. */
static const char *shapes_of(const PageParts *parts, size_t number) {
    const Canvas *canvas = parts->canvas;
    const Tape *tape = parts->page->player->lesson->tape;
    const TapeNode *node = tape_node(tape, number);
    const char *text = "";
    for (size_t i = 0; i < node->input_count && i < 3; i++) {
        const TapeNode *input = tape_node(tape, node->inputs[i]);
        if (input->quiet && tensor_cells(&input->output) == 1)
            continue;
        const Tensor *shape = &input->output;
        text = canvas_format(canvas, "%s%s(%zu × %zu)", text, text[0] ? " · " : "",
                             shape->rows, shape->cols);
    }
    const char *arrow = text[0] ? " → " : "";
    return canvas_format(canvas, "%s%s(%zu × %zu)", text, arrow, node->output.rows,
                         node->output.cols);
}

/* A statement's formula is its author's; an operation inside one has its own. */
static const char *formula_of(const PageParts *parts) {
    const Player *player = parts->page->player;
    const PlayerStep *at = player_step(player);
    const LessonStep *step = &player->lesson->steps[at->statement];
    if (at->depth == 1)
        return step->formula ? step->formula : "";
    Stage stage = {
        .canvas = parts->canvas, .tape = player->lesson->tape, .player = player};
    return stage_operation_formula(&stage, at->node);
}

static Words prepare(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    const PlayerStep *at = player_step(player);
    const LessonStep *step = &player->lesson->steps[at->statement];
    const TapeNode *node = tape_node(player->lesson->tape, at->node);
    Words words = {.heading = text_in(&step->heading, canvas->language),
                   .say = text_in(&step->say, canvas->language),
                   .formula = formula_of(parts)};
    const char *operation = operation_of(node->operation)->name;
    if (!words.heading[0] || at->depth > 1)
        words.heading =
            canvas_string(canvas, canvas_format(canvas, "heading.%s", operation));
    if (!words.say[0] || at->depth > 1)
        words.say = canvas_string(canvas, canvas_format(canvas, "say.%s", operation));
    words.shapes = node->input_count ? shapes_of(parts, at->node) : "";
    words.heading_size = canvas_size(canvas, HEADING_UNITS, words.heading);
    words.say_size = canvas_size(canvas, SAY_UNITS, words.say);
    words.formula_size = canvas_size(canvas, FORMULA_UNITS, "");
    double smallest = canvas_size(canvas, 15, "");
    do {
        words.formula_extent =
            formula_measure(canvas->scene->arena, canvas->metrics, canvas->theme,
                            words.formula, words.formula_size);
    } while (words.formula_extent.width > width * FORMULA_SHARE &&
             --words.formula_size >= smallest);
    double shapes = label_width(canvas->metrics, FONT_TEXT,
                                canvas_size(canvas, 14, words.shapes), words.shapes);
    words.text_width =
        width - fmax(words.formula_extent.width, shapes) - canvas_length(canvas, 40);
    words.formula_height = words.formula_extent.ascent + words.formula_extent.descent +
                           canvas_length(canvas, 34);
    words.heading_height = paragraph_measure(
        canvas->metrics, FONT_BOLD, words.heading_size, words.text_width,
        round(words.heading_size * 1.25), HEADING_LINES, words.heading, NULL);
    words.say_height =
        paragraph_measure(canvas->metrics, FONT_TEXT, words.say_size, words.text_width,
                          round(words.say_size * 1.5), SAY_LINES, words.say, NULL);
    return words;
}

double words_height(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    Words words = prepare(parts, width);
    double text = words.heading_height + canvas_length(canvas, 8) + words.say_height;
    double usual = canvas_length(canvas, 104); /* so that the stage seldom moves */
    return fmax(fmax(text, words.formula_height), usual);
}

void words_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    Words words = prepare(parts, area.w);
    double top = area.y;
    paragraph_draw(canvas->scene, canvas->metrics, FONT_BOLD, words.heading_size,
                   theme->ink, (Box){area.x, top, words.text_width, 0},
                   round(words.heading_size * 1.25), HEADING_LINES, words.heading);
    top += words.heading_height + canvas_length(canvas, 8);
    paragraph_draw(canvas->scene, canvas->metrics, FONT_TEXT, words.say_size,
                   theme->ink_soft, (Box){area.x, top, words.text_width, 0},
                   round(words.say_size * 1.5), SAY_LINES, words.say);

    double right = area.x + area.w;
    double baseline = area.y + words.formula_extent.ascent;
    formula_draw(canvas->scene, canvas->metrics, theme, words.formula, words.formula_size,
                 (Point){right - words.formula_extent.width, baseline});
    double below = baseline + words.formula_extent.descent + canvas_length(canvas, 24);
    canvas_label(canvas, FONT_TEXT, 14, theme->ink_faint, (Point){right, below},
                 LABEL_RIGHT, words.shapes);
}
