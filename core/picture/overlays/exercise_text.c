#include "picture/overlays/overlays_parts.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"
#include "picture/stage/stage.h"

#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

const char *exercise_text(const Canvas *canvas, const char *what, const char *name) {
    return canvas_string(canvas, canvas_format(canvas, "practise.%s.%s", what, name));
}

static const Tensor *table_of(const Practise *practise, size_t node) {
    return &tape_node(practise->player->lesson->tape, node)->output;
}

const char *exercise_text_column(const Canvas *canvas, const Practise *practise,
                                 FollowCell cell) {
    const Tensor *out = table_of(practise, cell.node);
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

/* Sets the position of a cell as the sentence's texts. */
static void name_place(const Canvas *canvas, const Tensor *out, FollowCell cell,
                       const char *wording, CellSentence *sentence) {
    sentence->texts[0] =
        place_words(canvas, "row", wording, out->row_labels, out->rows, cell.row);
    sentence->texts[1] =
        place_words(canvas, "column", "counted", out->col_labels, out->cols, cell.col);
}

void exercise_text_lines(const Canvas *canvas, const Practise *practise, FollowCell cell,
                         CellSentence *sentence) {
    const TapeNode *node = tape_node(practise->player->lesson->tape, cell.node);
    for (size_t i = 0; i < 2; i++)
        sentence->cells[i] = (CellName){{node->inputs[i], PLAYER_NONE, 0}, false};
    name_place(canvas, &node->output, cell, "counted_too", sentence);
}

/* Sets a question's name of a number: its lesson's own words, or its table and position.
 * Returns a short version in case that doesn't fit; NULL: none. */
static const char *name_cell(const Canvas *canvas, const Practise *practise,
                             CellSentence *sentence) {
    const Exercise *exercise = practise_exercise(practise);
    const Tensor *out = table_of(practise, exercise->cell.node);
    const char *own =
        exercise->question ? text_in(&exercise->question->text, canvas->language) : "";
    sentence->cells[0].cell.row = PLAYER_NONE;
    name_place(canvas, out, exercise->cell, out->col_labels ? "counted" : "counted_too",
               sentence);
    if (!own[0])
        return exercise_text(canvas, "ask", "cell_brief");
    sentence->pattern = own;
    return NULL;
}

/* Question about a direction: "If S[0, 2] grows by 1, what does A[0, 1] do?" */
static CellSentence ask_direction(const Canvas *canvas, const Practise *practise) {
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
        const Tensor *out = table_of(practise, what->changed);
        sentence.cells[0].cell.row = PLAYER_NONE;
        sentence.texts[1] = place_words(canvas, "row", "counted", out->row_labels,
                                        out->rows, what->changed_row);
    }
    return sentence;
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
        return ask_direction(canvas, practise);
    if (exercise->kind == EXERCISE_CELL)
        *brief = name_cell(canvas, practise, &sentence);
    else
        sentence.cells[0].cell.col = PLAYER_NONE;
    return sentence;
}

void exercise_text_draw(const Canvas *canvas, const Player *player, CellSentence sentence,
                        const char *brief, FontRole font, double units, Point at,
                        double width) {
    CellStyle style = cell_style(canvas, font, units, canvas->theme->ink), usual = style;
    cell_sentence_fit(canvas, player, &sentence, &style, canvas_least(canvas, "一"),
                      width);
    bool fits = cell_sentence_width(canvas, player, &sentence, &style) <= width;
    if (!fits && !brief && !strchr(sentence.pattern, '{')) {
        TextBlock lines =
            text_block(canvas, font, style.size, style.ink, 2, sentence.pattern);
        double top = at.y - style.size * lines.spacing * 1.5;
        text_block_draw(canvas, &lines, (Box){at.x, round(top), width, 0});
        return;
    }
    if (!fits && brief) {
        sentence.pattern = brief;
        style = usual;
    }
    cell_sentence_fit(canvas, player, &sentence, &style, label_min_size("一"), width);
    cell_sentence_draw(canvas, player, &sentence, &style, at);
}

const char *exercise_text_option(const Canvas *canvas, const Exercise *exercise,
                                 size_t place) {
    size_t option = exercise->shown[place];
    static const char *const trends[] = {"up", "down", "same"};
    return exercise->kind == EXERCISE_DIRECTION
               ? exercise_text(canvas, "trend", trends[option])
               : text_in(&exercise->question->options[option].text, canvas->language);
}

bool exercise_text_is_right(const Exercise *exercise, size_t place) {
    size_t option = exercise->shown[place];
    return exercise->kind == EXERCISE_DIRECTION
               ? option + 1 == exercise->trend
               : exercise->question->options[option].right;
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

Box exercise_number_draw(const Canvas *canvas, const PractisePanel *panel, Point baseline,
                         LabelAlign align) {
    const char *number = canvas_count(canvas, panel->number),
               *of = canvas_count(canvas, panel->of);
    scene_begin_aloud(canvas->scene,
                      canvas_words(canvas, "aloud.exercise", number, of, NULL));
    Box box = canvas_label(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_faint,
                           baseline, align, canvas_format(canvas, "%s / %s", number, of));
    scene_end_aloud(canvas->scene);
    return box;
}

enum { HEARD_NUMBERS = 12 };

/* A row of an input, or a column, as text: "X, row am: 0, 1."; "" for a long one. */
static const char *line_aloud(const Canvas *canvas, const Player *player, size_t node,
                              FollowCell cell, bool column) {
    Stage stage = {.canvas = canvas, .player = player, .tape = player->lesson->tape};
    const Tensor *tensor = &tape_node(stage.tape, node)->output;
    size_t lines = column ? tensor->cols : tensor->rows;
    size_t count = column ? tensor->rows : tensor->cols;
    size_t at = lines == 1 ? 0 : column ? cell.col : cell.row;
    const char *numbers = "";
    if (at >= lines || count > HEARD_NUMBERS)
        return "";
    for (size_t i = 0; i < count; i++)
        numbers =
            canvas_format(canvas, "%s%s%s", numbers, i ? ", " : "",
                          term_number_text(canvas, column ? tensor_at(tensor, i, at)
                                                          : tensor_at(tensor, at, i)));
    const char *name = formula_aloud(canvas->scene->arena, canvas->language,
                                     stage_formula_name(&stage, node));
    const char *const *labels = column ? tensor->col_labels : tensor->row_labels;
    return canvas_words(canvas, column ? "aloud.column" : "aloud.row", name,
                        canvas_place(canvas, labels, lines, at), numbers, NULL);
}

const char *exercise_inputs_aloud(const Canvas *canvas, const Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    const Player *player = practise->player;
    const TapeNode *node = tape_node(player->lesson->tape, exercise->cell.node);
    const char *text = "";
    for (size_t i = 0; i < node->input_count; i++) {
        bool column = node->operation == OPERATION_MATMUL && i == 1;
        const char *line =
            line_aloud(canvas, player, node->inputs[i], exercise->cell, column);
        text = canvas_format(canvas, "%s%s%s", text, text[0] && line[0] ? " " : "", line);
    }
    return text;
}
