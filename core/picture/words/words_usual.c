#include "picture/words/words.h"
#include "picture/words/words_parts.h"

#include "base/strings/utf8.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "picture/draw/canvas.h"
#include "picture/explain/explain.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Usual words: heading, sentences and the formula. */

static const double FORMULA_UNITS = 32, SMALLEST_BESIDE = 15, LARGEST_BELOW = 22,
                    SHAPES_UNITS = 14;
static const double FORMULA_PART = 0.42; /* of the width, beside the text */
static const double BESIDE_GAP = 40, BELOW_GAP = 14;

/* ---- on a page ---- */

typedef struct Words {
    const char *heading, *shapes;
    WordsFormula formula;
    bool below;        /* the formula is below the text, because it is too long to stand
                          beside it */
    double text_width; /* width left by the formula beside it */
} Words;

enum { SHAPES_MOST = 3 /* inputs */ };

/* Shapes of a step's inputs and output: "(3×2) · (2×3) → (3×3)"; "" if it computes
 * nothing. */
static const char *shapes_of(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Lesson *lesson = parts->page->player->lesson;
    const PlayerStep *at = player_step(parts->page->player);
    const TapeNode *node = tape_node(lesson->tape, at->node);
    const char *text = "";
    const char *between = node->operation == OPERATION_MATMUL ? " · " : ", ";
    if (!node->input_count || lesson->steps[at->statement].shown_count)
        return "";
    for (size_t i = 0; i < node->input_count && i < SHAPES_MOST; i++) {
        const TapeNode *input = tape_node(lesson->tape, node->inputs[i]);
        const Tensor *shape = &input->output;
        if (!input->quiet || tensor_cells(shape) != 1)
            text = canvas_format(canvas, "%s%s(%zu × %zu)", text, text[0] ? between : "",
                                 shape->rows, shape->cols);
    }
    return canvas_format(canvas, "%s%s(%zu × %zu)", text, text[0] ? " → " : "",
                         node->output.rows, node->output.cols);
}

/* The shapes in words: "Q is 3 by 2; S is 3 by 3". */
static const char *shapes_aloud(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    Stage stage = {.canvas = canvas, .player = player, .tape = player->lesson->tape};
    const TapeNode *node = tape_node(stage.tape, player_step(player)->node);
    const char *text = "";
    for (size_t i = 0; i <= node->input_count && i <= SHAPES_MOST; i++) {
        bool last = i == node->input_count || i == SHAPES_MOST;
        size_t of = last ? player_step(player)->node : node->inputs[i];
        const TapeNode *table = tape_node(stage.tape, of);
        if (!last && table->quiet && tensor_cells(&table->output) == 1)
            continue;
        const char *name = formula_aloud(canvas->scene->arena, canvas->language,
                                         stage_formula_name(&stage, of));
        const char *shape = canvas_words(canvas, "aloud.shape", name,
                                         canvas_count(canvas, table->output.rows),
                                         canvas_count(canvas, table->output.cols), NULL);
        text = text[0] ? canvas_words(canvas, "aloud.next", text, shape, NULL) : shape;
    }
    return canvas_words(canvas, "aloud.end", text, NULL);
}

/* The step's formula; "" if it is only names, because nothing is computed. */
static const char *operation_formula(const PageParts *parts) {
    const Player *player = parts->page->player;
    const LessonStep *words = player_step(player)->words;
    const char *source = words_formula_of(parts);
    bool shows = words && words->shown_count && !words->film && !strchr(source, '=');
    return shows || strcmp(source, words_result_name(parts)) == 0 ? "" : source;
}

/* Places the formula beside the text; a long one below it; one too long even for that is
 * left out. */
static Words place_formula(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    Words words = {.heading = generated_words(parts, "heading", NULL),
                   .shapes = shapes_of(parts),
                   .formula.source = operation_formula(parts)};
    double shapes = canvas_text_width(
        canvas, FONT_TEXT, canvas_size(canvas, SHAPES_UNITS, words.shapes), words.shapes);
    double least = label_min_size(""), largest = canvas_size(canvas, FORMULA_UNITS, "");
    words.below =
        !words_fit(parts, &words.formula, largest,
                   canvas_size(canvas, SMALLEST_BESIDE, ""), width * FORMULA_PART);
    if (words.below && !words_fit(parts, &words.formula,
                                  canvas_size(canvas, LARGEST_BELOW, ""), least, width)) {
        words.formula = (WordsFormula){.source = ""};
        words.below = false;
    }
    double beside = fmax(words.below ? 0 : words.formula.extent.width, shapes);
    words.text_width = width - (beside > 0 ? beside + BESIDE_GAP : 0);
    return words;
}

/* Lays out or draws heading and sentences below each other; returns their height. */
static double lay_out_text(const PageParts *parts, const Words *words, Box area,
                           bool draw) {
    Box rest = {area.x, area.y, words->text_width, area.h};
    rest.y += words_text(parts, STYLE_HEADING, words->heading, rest, draw);
    if (!parts->page->without_sentences) {
        rest.y += 8;
        rest.y +=
            words_text(parts, STYLE_SAY, generated_words(parts, "say", NULL), rest, draw);
    }
    return rest.y - area.y + words_source(parts, rest, draw);
}

/* The formula is beside the text with the shapes under it, or below the text with the
 * shapes beside it. */
double words_usual(const PageParts *parts, Box area, bool draw) {
    const Canvas *canvas = parts->canvas;
    Words words = place_formula(parts, area.w);
    const WordsFormula *formula = &words.formula;
    double text = lay_out_text(parts, &words, area, draw), right = area.x + area.w;
    double tall = formula->extent.ascent + formula->extent.descent;
    Point top = {right - formula->extent.width, area.y};
    double shapes = area.y + tall + 24;
    if (words.below) {
        top = (Point){area.x, area.y + text + BELOW_GAP};
        shapes = area.y + LABEL_ASCENT * words_size(parts, STYLE_HEADING, words.heading);
    }
    if (draw) {
        if (formula->source[0])
            words_formula_draw(parts, formula, top.x, top.y);
        scene_begin_aloud(canvas->scene, canvas->heard && words.shapes[0]
                                             ? shapes_aloud(parts)
                                             : words.shapes);
        canvas_label(canvas, FONT_TEXT, SHAPES_UNITS, canvas->theme->ink_faint,
                     (Point){right, shapes}, LABEL_RIGHT, words.shapes);
        scene_end_aloud(canvas->scene);
    }
    return words.below ? text + tall + 20 : fmax(text, tall > 0 ? tall + 34 : 0);
}

/* ---- presented ----
 *
 * The question in one line, its formula at the end of the line if there is room, and as
 * many whole sentences as fit two lines. */

static const double SMALLEST_HEADING = 17, PRESENTED_FORMULA = 22, SMALLEST_FORMULA = 16;
static const double GAP = 28, BELOW_HEADING = 5;
static const double FORMULA_BESIDE = 1.1; /* relative to the heading's height */
/* Fraction of the width for sentences beside it. */
static const double LEAST_BESIDE = 0.45;
static const double LARGER_PART = 0.55; /* fraction of the width in larger type */
enum { TEXT_LINES = 2 };

/* End of a text's first sentence, behind its punctuation mark. */
static size_t sentence_end(const char *text) {
    static const char *const marks[] = {". ", "? ", "! ", "。", "？", "！"};
    size_t end = strlen(text);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *found = strstr(text, marks[i]);
        size_t mark = marks[i][1] == ' ' ? 1 : strlen(marks[i]);
        if (found && (size_t)(found - text) + mark < end)
            end = (size_t)(found - text) + mark;
    }
    return end;
}

const char *words_in_brief(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    const char *text = generated_words(parts, "say", NULL), *sentences = NULL;
    for (size_t end = 0; !sentences || text[end];) {
        end += sentence_end(text + end);
        const char *longer = canvas_format(canvas, "%.*s", (int)end, text);
        if (sentences &&
            words_lines(parts, STYLE_PRESENTED_SAY, width, longer) > TEXT_LINES)
            break;
        sentences = longer;
    }
    return sentences;
}

/* Draws the formula at the right end of the heading's line, if there is room beside a
 * heading of the given width; returns the area it takes. Larger type doesn't reduce the
 * formula: the heading has the rest. */
static Box draw_formula(const PageParts *parts, Box area, double heading, bool draw) {
    const Canvas *canvas = parts->canvas;
    WordsFormula formula = {.source = operation_formula(parts)};
    double room = area.w - heading - GAP;
    if (parts->page->text_scale > 1)
        room = fmax(room, area.w * LARGER_PART);
    if (!formula.source[0] ||
        !words_fit(parts, &formula, canvas_size(canvas, PRESENTED_FORMULA, ""),
                   canvas_size(canvas, SMALLEST_FORMULA, ""), room))
        return (Box){0};
    if (draw)
        words_formula_draw(parts, &formula, area.x + area.w - formula.extent.width,
                           area.y);
    return (Box){0, 0, formula.extent.width + GAP,
                 formula.extent.ascent + formula.extent.descent};
}

/* Size of the heading in one line, or in two if the smallest type is too large for
 * one. */
static double heading_size(const PageParts *parts, const char *heading, double room,
                           double *width) {
    const Canvas *canvas = parts->canvas;
    double least = canvas_size(canvas, SMALLEST_HEADING, heading);
    double size = words_size(parts, STYLE_PRESENTED_HEADING, heading);
    while ((*width = canvas_text_width(canvas, FONT_BOLD, size, heading)) > room &&
           size > least)
        size--;
    *width = fmin(ceil(*width) + 1, room);
    return size;
}

double words_presented(const PageParts *parts, Box area, bool draw) {
    if (!answer_has_heading(parts->page->answer))
        return 0;
    const char *heading = generated_words(parts, "heading", NULL);
    double width, size = heading_size(parts, heading, area.w, &width);
    Box formula = draw_formula(parts, area, width, draw), rest = area;
    rest.w -= formula.w;
    double height =
        words_sized(parts, STYLE_PRESENTED_HEADING, size, heading, rest, draw);
    if (formula.h > height * FORMULA_BESIDE && rest.w < area.w * LEAST_BESIDE) {
        height = formula.h; /* sentences beside it would be too narrow */
        formula.h = 0;
    }
    if (formula.h <= height * FORMULA_BESIDE)
        rest.w = area.w; /* nothing stands beside the sentences */
    rest.y += height;
    double source = words_source(parts, rest, draw);
    if (source > 0 || parts->page->without_sentences ||
        practise_panel_answered(parts->page->practise))
        return fmax(height + source, formula.h); /* nothing, or it replaces them */
    rest.y += BELOW_HEADING;
    height += BELOW_HEADING + words_text(parts, STYLE_PRESENTED_SAY,
                                         words_in_brief(parts, rest.w), rest, draw);
    return fmax(height, formula.h);
}
