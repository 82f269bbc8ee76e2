#include "picture/overlays/exercise_text.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "tensor/tape/tape.h"

#include <math.h>

const char *exercise_text(const Canvas *canvas, const char *what, const char *name) {
    return canvas_string(canvas, canvas_format(canvas, "practise.%s.%s", what, name));
}

const char *exercise_text_column(const Canvas *canvas, const Practise *practise,
                                 FollowCell cell) {
    const Tensor *out = &tape_node(practise->player->lesson->tape, cell.node)->output;
    return canvas_place(canvas, out->col_labels, out->cols, cell.col);
}

/* Text of a position: "row “cat”", "column 1 (counted from 0)", like the cell's name
 * elsewhere. `wording` is the wording for an axis without labels. */
static const char *place_words(const Canvas *canvas, const char *axis,
                               const char *wording, const char *const *labels,
                               size_t count, size_t index) {
    const char *key =
        canvas_format(canvas, "practise.ask.%s_%s", axis, labels ? "named" : wording);
    return canvas_words(canvas, key, canvas_place(canvas, labels, count, index), NULL);
}

void exercise_text_lines(const Canvas *canvas, const Practise *practise, FollowCell cell,
                         CellSentence *sentence) {
    const TapeNode *node = tape_node(practise->player->lesson->tape, cell.node);
    const Tensor *out = &node->output;
    for (size_t i = 0; i < 2; i++)
        sentence->cells[i] = (CellName){{node->inputs[i], PLAYER_NONE, 0}, false};
    sentence->texts[0] =
        place_words(canvas, "row", "counted_too", out->row_labels, out->rows, cell.row);
    sentence->texts[1] =
        place_words(canvas, "column", "counted", out->col_labels, out->cols, cell.col);
}

/* Sets a question's name of a number: its lesson's own words, or its table and position.
 * Returns a short version in case that doesn't fit; NULL: none. */
static const char *name_cell(const Canvas *canvas, const Practise *practise,
                             CellSentence *sentence) {
    const Exercise *exercise = practise_exercise(practise);
    FollowCell cell = exercise->cell;
    const Tensor *out = &tape_node(practise->player->lesson->tape, cell.node)->output;
    const char *own =
        exercise->question ? text_in(&exercise->question->text, canvas->language) : "";
    sentence->cells[0].cell.row = PLAYER_NONE;
    sentence->texts[0] =
        place_words(canvas, "row", out->col_labels ? "counted" : "counted_too",
                    out->row_labels, out->rows, cell.row);
    sentence->texts[1] =
        place_words(canvas, "column", "counted", out->col_labels, out->cols, cell.col);
    if (!own[0])
        return exercise_text(canvas, "ask", "cell_brief");
    sentence->pattern = own;
    return NULL;
}

CellSentence exercise_text_sentence(const Canvas *canvas, const Practise *practise,
                                    const char **brief) {
    const Exercise *exercise = practise_exercise(practise);
    CellSentence sentence = {
        .pattern = exercise_text(canvas, "ask", practise_kind_name(exercise->kind)),
        .cells = {{exercise->cell, false}},
        .texts = {"", ""}};
    *brief = NULL;
    if (exercise->kind == EXERCISE_DIRECTION)
        return exercise_text_direction(canvas, practise);
    if (exercise->kind == EXERCISE_CELL)
        *brief = name_cell(canvas, practise, &sentence);
    else
        sentence.cells[0].cell.col = PLAYER_NONE;
    return sentence;
}

static const char *trend_words(const Canvas *canvas, size_t option) {
    static const char *const keys[] = {"practise.trend.up", "practise.trend.down",
                                       "practise.trend.same"};
    return canvas_string(canvas, keys[option]);
}

const char *exercise_text_option(const Canvas *canvas, const Exercise *exercise,
                                 size_t place) {
    size_t option = exercise->shown[place];
    return exercise->kind == EXERCISE_DIRECTION
               ? trend_words(canvas, option)
               : text_in(&exercise->question->options[option].text, canvas->language);
}

bool exercise_text_is_right(const Exercise *exercise, size_t place) {
    size_t option = exercise->shown[place];
    return exercise->kind == EXERCISE_DIRECTION
               ? option + 1 == exercise->trend
               : exercise->question->options[option].right;
}

CellSentence exercise_text_direction(const Canvas *canvas, const Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    const WhatIf *what = &exercise->what;
    bool part = what->changed_row != TAPE_NONE;
    bool row = part && what->changed_col == TAPE_NONE;
    bool scales = what->times > 1 || what->times < 1;
    double by = scales ? what->times : fabs(what->add);
    const char *change = what->mutes     ? "mute"
                         : scales        ? "times"
                         : what->add > 0 ? "add"
                                         : "less";
    const char *pattern = canvas_format(canvas, "practise.direction.%s%s", change,
                                        what->mutes ? ""
                                        : row       ? "_row"
                                        : part      ? ""
                                                    : "_all");
    CellSentence sentence = {.pattern = canvas_string(canvas, pattern),
                             .cells = {{{what->changed, part ? what->changed_row : 0,
                                         part && !row ? what->changed_col : 0},
                                        false},
                                       {{what->node, what->row, what->col}, false}},
                             .texts = {term_number_text(canvas, by), ""}};
    if (row) {
        const Tensor *out =
            &tape_node(practise->player->lesson->tape, what->changed)->output;
        sentence.cells[0].cell.row = PLAYER_NONE;
        sentence.texts[1] = place_words(canvas, "row", "counted", out->row_labels,
                                        out->rows, what->changed_row);
    }
    return sentence;
}

/* The texts of an order, one behind the other. */
static const char *ordered(const Canvas *canvas, const Question *question) {
    const char *text = "";
    for (size_t i = 0; i < question->count; i++)
        text = canvas_format(canvas, "%s%s%s", text, i ? " → " : "",
                             text_in(&question->options[i].text, canvas->language));
    return text;
}

const char *exercise_text_right(const Canvas *canvas, const Exercise *exercise) {
    const Question *question = exercise->question;
    if (exercise->kind == EXERCISE_ORDER)
        return ordered(canvas, question);
    if (exercise->kind == EXERCISE_DIRECTION) {
        static const char *const keys[] = {"practise.went.up", "practise.went.down",
                                           "practise.went.same"};
        return canvas_words(canvas, keys[exercise->trend - 1],
                            term_number_text(canvas, exercise->before),
                            term_number_text(canvas, exercise->after), NULL);
    }
    for (size_t i = 0; exercise->kind == EXERCISE_CHOICE && i < question->count; i++) {
        if (question->options[i].right)
            return text_in(&question->options[i].text, canvas->language);
    }
    return "";
}
