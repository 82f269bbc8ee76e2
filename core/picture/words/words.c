#include "picture/words/words.h"

#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "model/build/layers.h"
#include "picture/draw/canvas.h"
#include "picture/formula/formula.h"
#include "picture/stage/stage.h"
#include "picture/words/terms.h"
#include "picture/words/words_parts.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

static const double HEADING_UNITS = 29, TEXT_UNITS = 17.5, FORMULA_UNITS = 32;
static const double FORMULA_PART = 0.42; /* of the width, beside the text */
/* Units: sizes of a formula. */
static const double SMALLEST_BESIDE = 15, LARGEST_BELOW = 22;
static const double HEADING_LEADING = 1.25, TEXT_LEADING = 1.5, SMALLEST_FRACTION = 0.75;
/* Fraction of a line: a shorter last line is an orphan. */
static const double ORPHAN_FRACTION = 0.3;
enum { HEADING_LINES = 2, TEXT_LINES = 4, MOST_LINES = 10 };

/* Layout shared by words_height and words_draw. */
typedef struct Words {
    WordsText heading, say;
    const char *formula, *shapes;
    double formula_size;
    bool formula_below; /* below the text, because it is too long to stand beside it */
    double text_width;  /* width left by the formula beside it */
    FormulaExtent formula_extent;
    double formula_height;
} Words;

/* Shapes of inputs and output: "(3×2) · (2×3) → (3×3)". */
static const char *shapes_of(const PageParts *parts, size_t number) {
    const Canvas *canvas = parts->canvas;
    const Tape *tape = parts->page->player->lesson->tape;
    const TapeNode *node = tape_node(tape, number);
    const char *text = "";
    const char *between = node->operation == OPERATION_MATMUL ? " · " : ", ";
    for (size_t i = 0; i < node->input_count && i < 3; i++) {
        const TapeNode *input = tape_node(tape, node->inputs[i]);
        if (input->quiet && tensor_cells(&input->output) == 1)
            continue;
        const Tensor *shape = &input->output;
        text = canvas_format(canvas, "%s%s(%zu × %zu)", text, text[0] ? between : "",
                             shape->rows, shape->cols);
    }
    const char *arrow = text[0] ? " → " : "";
    return canvas_format(canvas, "%s%s(%zu × %zu)", text, arrow, node->output.rows,
                         node->output.cols);
}

/* A statement's formula is its author's; a composite or an operation inside one has its
 * own. */
const char *words_formula_of(const PageParts *parts) {
    const Player *player = parts->page->player;
    const PlayerStep *at = player_step(player);
    Stage stage = {
        .canvas = parts->canvas, .tape = player->lesson->tape, .player = player};
    if (at->words && at->words->formula)
        return at->words->formula;
    if (at->words && at->words->shown_count)
        return stage_formula_name(&stage, at->node);
    const char *composite =
        at->child_count ? layers_formula(player->lesson->tape, at->topic, at->node)
                        : NULL;
    return composite ? composite : stage_operation_formula(&stage, at->node);
}

const char *words_general(const PageParts *parts, const char *what) {
    const Canvas *canvas = parts->canvas;
    const PlayerStep *at = player_step(parts->page->player);
    const Tape *tape = parts->page->player->lesson->tape;
    const char *key = canvas_format(canvas, "%s.%s", what, at->topic);
    if (!language_has(canvas->language, key))
        key = canvas_format(canvas, "%s.%s", what,
                            operation_of(tape_node(tape, at->node)->operation)->name);
    return canvas_string(canvas, key);
}

const char *generated_words(const PageParts *parts, const char *what, bool *own) {
    const LessonStep *words = player_step(parts->page->player)->words;
    const char *text = NULL;
    if (words)
        text = text_in(strcmp(what, "say") == 0 ? &words->say : &words->heading,
                       parts->canvas->language);
    if (text && lesson_words_lost(parts->page->player->lesson, text))
        text = NULL; /* it describes tokens that are not there */
    if (own)
        *own = text && text[0];
    return text && text[0] ? text : words_general(parts, what);
}

/* Makes the formula as large as `width` allows; returns false if even the smallest size
 * is too wide. */
static bool fit_formula(const Canvas *canvas, Words *words, double largest,
                        double smallest, double width) {
    words->formula_size = largest;
    words->formula_extent =
        canvas_formula_fit(canvas, words->formula, smallest, width, &words->formula_size);
    return words->formula_extent.width <= width;
}

/* Places the formula beside the text; a long one below it; of one too long even for that
 * only the result's name. */
static void place_formula(const PageParts *parts, Words *words, double width) {
    const Canvas *canvas = parts->canvas;
    double shapes = canvas_text_width(
        canvas, FONT_TEXT, canvas_size(canvas, 14, words->shapes), words->shapes);
    double largest = canvas_size(canvas, FORMULA_UNITS, "");
    words->formula_below =
        !fit_formula(canvas, words, largest, canvas_size(canvas, SMALLEST_BESIDE, ""),
                     width * FORMULA_PART);
    if (words->formula_below &&
        !fit_formula(canvas, words, canvas_size(canvas, LARGEST_BELOW, ""),
                     label_min_size(""), width)) {
        Stage stage = {.canvas = canvas,
                       .tape = parts->page->player->lesson->tape,
                       .player = parts->page->player};
        words->formula =
            stage_formula_name(&stage, player_step(parts->page->player)->node);
        words->formula_below = !fit_formula(canvas, words, largest, label_min_size(""),
                                            width * FORMULA_PART);
    }
    double beside = words->formula_below ? 0 : words->formula_extent.width;
    words->text_width = width - fmax(beside, shapes) - 40;
    words->formula_height =
        words->formula_extent.ascent + words->formula_extent.descent + 34;
}

/* Reduces the size, down to SMALLEST_FRACTION of it, until the text fits its lines; if
 * that isn't enough, it takes up to MOST_LINES. Returns the height. */
static double fit_paragraph(const Canvas *canvas, FontRole font, double *size,
                            double leading, double width, size_t max_lines,
                            const char *text) {
    double smallest = fmax(round(*size * SMALLEST_FRACTION), canvas_least(canvas, text));
    size_t lines;
    double height;
    do {
        height =
            paragraph_measure_with(canvas->metrics, canvas->insets, font, *size, width,
                                   round(*size * leading), MOST_LINES, text, &lines);
    } while (lines > max_lines && --*size >= smallest);
    *size = fmax(*size, smallest);
    return height;
}

/* Width at which a paragraph keeps its number of lines without an orphan: if the last
 * line is nearly empty, all lines are made about equally long. */
static double balanced_width(const Canvas *canvas, FontRole font, double size,
                             double width, const char *text) {
    size_t lines, trial;
    paragraph_measure_with(canvas->metrics, canvas->insets, font, size, width, size,
                           MOST_LINES, text, &lines);
    if (lines < 2)
        return width;
    double least = width / 2, most = width;
    while (most - least > 4) {
        double middle = floor((least + most) / 2);
        paragraph_measure_with(canvas->metrics, canvas->insets, font, size, middle, size,
                               MOST_LINES + 1, text, &trial);
        if (trial > lines)
            least = middle;
        else
            most = middle;
    }
    /* Number of full lines, and the fraction of the last one. */
    double full = (double)lines - 1;
    return most * (double)lines < width * (full + ORPHAN_FRACTION) ? most : width;
}

double words_text(const PageParts *parts, const WordsText *text, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    double size = canvas_size(canvas, text->units, text->text);
    double height = fit_paragraph(canvas, text->font, &size, text->leading, area.w,
                                  text->lines, text->text);
    if (!draw)
        return height;
    double width = balanced_width(canvas, text->font, size, area.w, text->text);
    size_t first = canvas->scene->count;
    paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, text->font, size,
                        text->color, (Box){area.x, area.y, width, 0},
                        round(size * text->leading), MOST_LINES, text->text);
    terms_mark(parts, first);
    return height;
}

/* The step's question as a heading. */
static WordsText heading_of(const PageParts *parts) {
    return (WordsText){.font = FONT_BOLD,
                       .units = HEADING_UNITS,
                       .leading = HEADING_LEADING,
                       .lines = HEADING_LINES,
                       .color = parts->canvas->theme->ink,
                       .text = generated_words(parts, "heading", NULL)};
}

/* ---- usual words ---- */

static Words prepare_words(const PageParts *parts, double width) {
    const Player *player = parts->page->player;
    const PlayerStep *at = player_step(player);
    const TapeNode *node = tape_node(player->lesson->tape, at->node);
    bool computes = player->lesson->steps[at->statement].shown_count == 0;
    Words words = {.heading = heading_of(parts),
                   .say = {.font = FONT_TEXT,
                           .units = TEXT_UNITS,
                           .leading = TEXT_LEADING,
                           .lines = TEXT_LINES,
                           .color = parts->canvas->theme->ink_soft,
                           .text = generated_words(parts, "say", NULL)},
                   .formula = words_formula_of(parts),
                   .shapes =
                       node->input_count && computes ? shapes_of(parts, at->node) : ""};
    place_formula(parts, &words, width);
    return words;
}

/* Lays out or draws heading and sentences below each other; returns their height. */
static double lay_out_text(const PageParts *parts, const Words *words, Box area,
                           bool draw) {
    area.w = words->text_width;
    Box rest = area;
    rest.y += words_text(parts, &words->heading, rest, draw);
    if (!parts->page->without_sentences) {
        rest.y += 8;
        rest.y += words_text(parts, &words->say, rest, draw);
    }
    return rest.y - area.y + words_source(parts, rest, draw);
}

static double usual_height(const PageParts *parts, double width) {
    Words words = prepare_words(parts, width);
    double text = lay_out_text(parts, &words, (Box){0, 0, width, 0}, false);
    double usual = /* so that the stage seldom moves */
        parts->page->without_sentences ? 0 : 104;
    if (words.formula_below)
        return fmax(text + words.formula_height - 14, usual);
    return fmax(fmax(text, words.formula_height), usual);
}

static double heading_size(const Canvas *canvas, const Words *words) {
    const WordsText *heading = &words->heading;
    double size = canvas_size(canvas, heading->units, heading->text);
    fit_paragraph(canvas, heading->font, &size, heading->leading, words->text_width,
                  heading->lines, heading->text);
    return size;
}

/* Draws the formula beside the text with the shapes under it, or below the text with the
 * shapes beside it. */
static void draw_usual(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    Words words = prepare_words(parts, area.w);
    FormulaExtent extent = words.formula_extent;
    double text = lay_out_text(parts, &words, area, true), right = area.x + area.w;
    Point formula = {right - extent.width, area.y + extent.ascent};
    double shapes = formula.y + extent.descent + 24;
    if (words.formula_below) {
        formula.x = area.x;
        formula.y += text + 14;
        shapes = area.y + LABEL_ASCENT * heading_size(canvas, &words);
    }
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, words.formula,
                 words.formula_size, formula);
    canvas_label(canvas, FONT_TEXT, 14, canvas->theme->ink_faint, (Point){right, shapes},
                 LABEL_RIGHT, words.shapes);
}

/* ---- the depths ---- */

static const struct {
    const char *name;
    double (*part)(const PageParts *parts, Box area, bool draw);
} depths[WORDS_COUNT] = {
    [WORDS_USUAL] = {"usual", NULL},
    [WORDS_STORY] = {"story", words_story},
    [WORDS_NUMBERS] = {"numbers", words_numbers},
    [WORDS_FORMULA] = {"formula", words_formula},
    [WORDS_CODE] = {"code", words_code},
};

const char *words_name(WordsDepth depth) {
    return depths[depth].name;
}

bool words_from_name(const char *name, WordsDepth *depth) {
    for (WordsDepth i = WORDS_USUAL; i < WORDS_COUNT; i++) {
        if (strcmp(depths[i].name, name) == 0) {
            *depth = i;
            return true;
        }
    }
    return false;
}

static bool is_presented(const PageParts *parts) {
    return parts->page->presents && parts->page->words == WORDS_USUAL;
}

/* Reports whether the page is a lesson's last one, which has its summary at any depth. */
static bool closes(const PageParts *parts) {
    return player_words(parts->page->player, parts->page->player->step)->closes;
}

/* Lays out or draws the heading and the depth's words; returns their height. */
static double lay_out_depth(const PageParts *parts, Box area, bool draw) {
    Box rest = area;
    WordsText heading = heading_of(parts);
    box_take_top(&rest, words_text(parts, &heading, rest, draw) + 8);
    double (*part)(const PageParts *, Box, bool) =
        closes(parts) ? words_remember : depths[parts->page->words].part;
    rest.y += part(parts, rest, draw);
    return rest.y - area.y + words_source(parts, rest, draw);
}

/* Height without the goal. */
static double height_below_goal(const PageParts *parts, double width) {
    Box room = {0, 0, width, parts->page->height};
    if (closes(parts))
        return lay_out_depth(parts, room, false);
    if (is_presented(parts))
        return words_presented(parts, (Box){0, 0, width, 0}, false);
    if (!depths[parts->page->words].part)
        return usual_height(parts, width);
    double usual = 104;
    return fmax(lay_out_depth(parts, room, false), usual);
}

double words_height(const PageParts *parts, double width) {
    return words_goal(parts, (Box){0, 0, width, 0}, false) +
           height_below_goal(parts, width);
}

void words_draw(const PageParts *parts, Box area) {
    box_take_top(&area, words_goal(parts, area, true));
    if (!closes(parts) && is_presented(parts))
        words_presented(parts, area, true);
    else if (closes(parts) || depths[parts->page->words].part)
        lay_out_depth(parts, area, true);
    else
        draw_usual(parts, area);
}

/* ---- choice of depth ---- */

double words_choice_draw(const PageParts *parts, Box strip) {
    const Canvas *canvas = parts->canvas;
    WordsDepth present = parts->page->words;
    double right = strip.x + strip.w, baseline = round(strip.y + strip.h * 0.55);
    for (WordsDepth depth = WORDS_COUNT - 1; depth > WORDS_USUAL; depth--) {
        bool shown =
            depth == present ||
            (present == WORDS_USUAL && (depth == WORDS_STORY || depth == WORDS_FORMULA));
        const char *name =
            canvas_string(canvas, canvas_format(canvas, "words.%s", words_name(depth)));
        canvas_link(canvas, (Link){LINK_WORDS, depth, 0, 0});
        Box drawn = canvas_label(canvas, shown ? FONT_BOLD : FONT_TEXT, 18,
                                 shown ? canvas->theme->ink : canvas->theme->ink_faint,
                                 (Point){right, baseline}, LABEL_RIGHT, name);
        canvas_unlink(canvas);
        right = drawn.x - 16;
    }
    return right;
}
