#include "picture/explain/explain.h"

#include "base/strings/aloud.h"
#include "lesson/content/content.h"
#include "picture/formula/formula.h"
#include "picture/stage/stage.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Largest size of an unnamed tensor's formula, relative to its font size. */
static const double LONGEST_NAME = 320.0 / 23, TALLEST_NAME = 44.0 / 23;
static const double GAP_UNITS = 3; /* between a name and its bracket */

static const char *place_label(const Canvas *canvas, const char *const *labels,
                               size_t count, size_t index) {
    return index == PLAYER_NONE ? "?" : canvas_place(canvas, labels, count, index);
}

static const char *place_text(const Canvas *canvas, const Tensor *tensor,
                              const CellName *name) {
    const char *const *rows = name->numbered ? NULL : tensor->row_labels;
    if (name->cell.row == PLAYER_NONE)
        return "";
    return canvas_format(
        canvas, "[%s, %s]", place_label(canvas, rows, tensor->rows, name->cell.row),
        place_label(canvas, tensor->col_labels, tensor->cols, name->cell.col));
}

/* Name of the other text that a node is computed from; NULL: it is the lesson's own. */
static const char *text_of(const Lesson *lesson, const TapeNode *node) {
    for (size_t i = 0; i < lesson->other_text_count; i++) {
        size_t length = strlen(lesson->other_texts[i]);
        if (strncmp(node->name, lesson->other_texts[i], length) == 0 &&
            node->name[length] == '.')
            return lesson->other_texts[i];
    }
    return NULL;
}

/* Name of a node in a sentence. If a lesson generates text more than once, the
 * generation's name precedes it, "beam: sums"; so does the name of another text. */
static const char *sentence_name(const Canvas *canvas, const Lesson *lesson,
                                 const TapeNode *node, const char *name) {
    const char *turn = strstr(node->name, ".turn_");
    const char *text = text_of(lesson, node);
    size_t times = 0;
    if (text)
        return canvas_format(canvas, "\\text{%s: }%s", text, name);
    for (size_t i = 0; turn && i < lesson->step_count; i++)
        times += lesson->steps[i].generate != NULL;
    return times < 2 ? name
                     : canvas_format(canvas, "\\tensor{%.*s}\\text{: }%s",
                                     (int)(turn - node->name), node->name, name);
}

/* Typeset name of a cell's node; for an unnamed one its formula if that is short, else
 * its operation. */
static const char *name_of(const Canvas *canvas, const Player *player, FollowCell cell,
                           double size) {
    size_t node = cell.node;
    Stage stage = {.canvas = canvas, .player = player, .tape = player->lesson->tape};
    const char *formula = cell.row == PLAYER_NONE ? stage_formula_name(&stage, node)
                                                  : stage_formula_part(&stage, node);
    const char *name =
        sentence_name(canvas, player->lesson, tape_node(stage.tape, node), formula);
    FormulaExtent extent = canvas_formula_extent(canvas, name, size);
    bool fits = extent.width <= LONGEST_NAME * size &&
                extent.ascent + extent.descent <= TALLEST_NAME * size;
    bool named = tape_node(stage.tape, node)->name[0] != 0;
    return fits || named ? name : stage_operation_words(&stage, node);
}

/* Insets of a label: names are formulas in labels that are sentences, "d_k = 64". */
static const Insets *insets_of(const Canvas *canvas, const char *text) {
    return strstr(text, " = ") ? canvas->insets : NULL;
}

/* A name as text: "A[I, am]", or, if it is heard, "A, row I, column am". */
static const char *words_of(const Canvas *canvas, const Tensor *tensor,
                            const CellName *name, const char *formula) {
    Arena *arena = canvas->scene->arena;
    const char *of = formula_aloud(arena, canvas->language, formula);
    const char *const *rows = name->numbered ? NULL : tensor->row_labels;
    if (name->cell.row == PLAYER_NONE)
        return of;
    if (!canvas->heard)
        return canvas_format(canvas, "%s%s", of, place_text(canvas, tensor, name));
    const char *row = place_label(canvas, rows, tensor->rows, name->cell.row);
    const char *col =
        place_label(canvas, tensor->col_labels, tensor->cols, name->cell.col);
    return canvas_words(canvas, "aloud.cell", of,
                        aloud_text(arena, canvas->language, row),
                        aloud_text(arena, canvas->language, col), NULL);
}

/* Draws a name, or only measures it; returns its right end. */
static double put_name(const Canvas *canvas, const Player *player, const CellName *name,
                       const CellStyle *style, bool draw, Point baseline) {
    const Tensor *tensor = &tape_node(player->lesson->tape, name->cell.node)->output;
    const char *formula = name_of(canvas, player, name->cell, style->name_size);
    const char *text = place_text(canvas, tensor, name);
    const Insets *insets = insets_of(canvas, text);
    double size = fmax(style->size, label_min_size(text));
    FormulaExtent extent = canvas_formula_extent(canvas, formula, style->name_size);
    double right = baseline.x + extent.width + GAP_UNITS;
    if (draw) {
        scene_begin_aloud(canvas->scene, words_of(canvas, tensor, name, formula));
        formula_draw(canvas->scene, canvas->metrics, canvas->theme, formula,
                     style->name_size, baseline);
        label_draw_with(canvas->scene, canvas->metrics, insets, style->font, size,
                        style->ink, (Point){right, baseline.y}, LABEL_LEFT, text);
        scene_end_aloud(canvas->scene);
    }
    return right + label_width_with(canvas->metrics, insets, style->font, size, text);
}

double cell_name_draw(const Canvas *canvas, const Player *player, const CellName *name,
                      const CellStyle *style, Point baseline) {
    return put_name(canvas, player, name, style, true, baseline);
}

double cell_name_width(const Canvas *canvas, const Player *player, const CellName *name,
                       const CellStyle *style) {
    return put_name(canvas, player, name, style, false, (Point){0, 0});
}

/* ---- sentences ---- */

/* Number in "{1}", or -1 for other text. */
static int slot_at(const char *text) {
    bool slot = text[0] == '{' && text[1] >= '0' && text[1] <= '3' && text[2] == '}';
    return slot ? text[1] - '0' : -1;
}

/* Draws a label of the sentence, or only measures it; returns its width. */
static double put_label(const Canvas *canvas, FontRole font, const CellStyle *style,
                        bool draw, Point baseline, const char *text) {
    if (draw)
        canvas_text(canvas, font, style->size, style->ink, baseline, LABEL_LEFT, text);
    return baseline.x + canvas_text_width(canvas, font, style->size, text);
}

static double lay_out(const Canvas *canvas, const Player *player,
                      const CellSentence *sentence, const CellStyle *style, bool draw,
                      Point baseline) {
    for (const char *at = sentence->pattern; *at;) {
        int slot = slot_at(at);
        size_t length = slot < 0 ? 1 + strcspn(at + 1, "{") : 3;
        if (slot < 0)
            baseline.x = put_label(canvas, style->font, style, draw, baseline,
                                   canvas_format(canvas, "%.*s", (int)length, at));
        else if (slot > 1)
            baseline.x = put_label(canvas, FONT_BOLD, style, draw, baseline,
                                   sentence->texts[slot - 2]);
        else
            baseline.x =
                put_name(canvas, player, &sentence->cells[slot], style, draw, baseline);
        at += length;
    }
    return baseline.x;
}

double cell_sentence_draw(const Canvas *canvas, const Player *player,
                          const CellSentence *sentence, const CellStyle *style,
                          Point baseline) {
    return lay_out(canvas, player, sentence, style, true, baseline);
}

double cell_sentence_width(const Canvas *canvas, const Player *player,
                           const CellSentence *sentence, const CellStyle *style) {
    return lay_out(canvas, player, sentence, style, false, (Point){0, 0});
}

void cell_sentence_fit(const Canvas *canvas, const Player *player,
                       const CellSentence *sentence, CellStyle *style, double least,
                       double width) {
    double factor = style->name_size / style->size;
    while (style->size > least &&
           cell_sentence_width(canvas, player, sentence, style) > width) {
        style->size--;
        style->name_size = round(style->size * factor);
    }
}
