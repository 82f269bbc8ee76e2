#include "picture/overlays/practise_panel.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/chrome/tools.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include "picture/draw/marks.h"
#include "picture/explain/explain.h"
#include "picture/overlays/exercise_text.h"
#include "picture/overlays/field_chips.h"
#include "picture/overlays/help.h"

#include <math.h>
#include <string.h>

static const double PAD = 28, LEFT_FRACTION = 0.6, QUESTION_UNITS = 20, TEXT_UNITS = 17,
                    SUM_UNITS = 19, QUANTITY_UNITS = 15, FIELD_HEIGHT = 40,
                    BUTTON_HEIGHT = 40, GAP = 4;
static const double HEIGHT = 230, ROW_HEIGHT = 104, ROW_FRACTION = 0.555,
                    FIELD_FRACTION = 0.25, CLICKER_FRACTION = 0.71,
                    CLICKER_FIELD_FRACTION = 0.4;
static const double ROW_QUESTION_UNITS = 26;
static const double QUESTION_LINE = 36, TEXT_LINE = 72, SUM_LINE = 107,
                    QUANTITY_LINE = 138; /* baselines, from the top */
static const double DO_TOP = 46, TEXT_LEADING = 1.25;
enum { DO_LINES = 2 };
static const double ANSWER_TOP = 150, TALL = 310, TALL_KEYS = 52;

/* ---- hidden cells ---- */

static void mark_cell(const Canvas *canvas, FollowCell cell) {
    Link link = {LINK_CELL, cell.node, cell.row, cell.col};
    Box box;
    if (!marks_cell_box(canvas->scene, link, &box))
        return;
    double size = fmin(canvas_size(canvas, 22, "?"), floor(fmin(box.w, box.h) * 0.7));
    canvas_link(canvas, link);
    canvas_outline(canvas, box, 3, canvas->theme->accent, 3);
    if (size >= label_min_size("?"))
        canvas_text(canvas, FONT_BOLD, size, canvas->theme->ink,
                    (Point){box.x + box.w / 2, label_baseline(box.y + box.h / 2, size)},
                    LABEL_CENTER, "?");
    canvas_unlink(canvas);
}

void practise_panel_mark(const Canvas *canvas, const PractisePanel *panel) {
    if (!panel || !practise_hides(panel->practise))
        return;
    const Practise *practise = panel->practise;
    const Exercise *exercise = practise_exercise(practise);
    FollowCell cell = exercise->cell;
    if (exercise->kind == EXERCISE_CELL) {
        mark_cell(canvas, cell);
        return;
    }
    if (exercise->kind != EXERCISE_LARGEST && exercise->kind != EXERCISE_NEXT_WORD)
        return; /* the question stands above */
    const Tape *tape = practise->player->lesson->tape;
    for (cell.col = 0; cell.col < tape_node(tape, cell.node)->output.cols; cell.col++)
        mark_cell(canvas, cell);
}

/* Reports whether question, field and buttons are in one row without keys, with the reply
 * to an answer below, as for a class that answers aloud. */
static bool is_one_row(const PageParts *parts) {
    return parts->page->presents && practise_hides(parts->page->practise->practise);
}

/* Reports whether a presenter's clicker shows the answer by moving on, so that the
 * button's room is free for the question. */
static bool is_of_clicker(const PageParts *parts) {
    return is_one_row(parts) && !parts->page->practise->whole;
}

/* Reports whether there is room below the question for the field, with keys for
 * fingers. */
static bool is_tall(const PageParts *parts, Box area) {
    return !is_one_row(parts) && area.h >= TALL;
}

/* ---- sentences ---- */

/* Draws a sentence in one line, reduced if necessary; if the smallest size doesn't fit,
 * `brief` in its place, or else its text without cells in two lines. */
static void draw_sentence(const PageParts *parts, CellSentence sentence,
                          const char *brief, FontRole font, Color ink, double units,
                          Point at, double width) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    double size = canvas_size(canvas, units, sentence.pattern);
    double least = canvas_least(canvas, sentence.pattern);
    CellStyle style = {font, ink, size, round(size * 1.15)};
    cell_sentence_fit(canvas, player, &sentence, &style, least, width);
    bool wide = cell_sentence_width(canvas, player, &sentence, &style) > width;
    if (wide && !brief && !strchr(sentence.pattern, '{')) {
        double leading = round(style.size * TEXT_LEADING);
        canvas_paragraph(canvas, font, style.size, ink,
                         (Box){at.x, round(at.y - leading * 1.5), width, 0}, leading, 2,
                         sentence.pattern);
        return;
    }
    if (wide && brief) {
        sentence.pattern = brief;
        style = (CellStyle){font, ink, size, round(size * 1.15)};
    }
    cell_sentence_fit(canvas, player, &sentence, &style, label_min_size(sentence.pattern),
                      width);
    cell_sentence_draw(canvas, player, &sentence, &style, at);
}

static void draw_question(const PageParts *parts, const PractisePanel *panel, Point at,
                          double width) {
    const Canvas *canvas = parts->canvas;
    const Practise *practise = panel->practise;
    const char *number = canvas_format(canvas, "%zu / %zu", panel->number, panel->of);
    double left = at.x;
    if (panel->whole)
        left += canvas_label(canvas, FONT_TEXT, 15, canvas->theme->ink_faint, at,
                             LABEL_LEFT, number)
                    .w +
                16;
    const char *brief;
    CellSentence sentence = exercise_text_sentence(canvas, practise, &brief);
    draw_sentence(parts, sentence, brief, FONT_BOLD, canvas->theme->ink,
                  is_one_row(parts) ? ROW_QUESTION_UNITS : QUESTION_UNITS,
                  (Point){left, at.y}, width - (left - at.x));
}

/* Reply to the last answer. */
static CellSentence hint_sentence(const Canvas *canvas, const Practise *practise) {
    const Hint *hint = &practise->hint;
    CellSentence sentence = {
        .pattern = exercise_text(canvas, "hint", practise_hint_name(hint->kind)),
        .cells = {{hint->cell, false}},
        .texts = {hint->text, ""}};
    if (hint->kind == HINT_FAULT)
        sentence.pattern =
            exercise_text(canvas, "fault", answer_fault_name(hint->problem.fault));
    if (hint->kind == HINT_LINES)
        exercise_text_lines(canvas, practise, hint->cell, &sentence);
    if (hint->kind == HINT_CHOSEN)
        sentence.texts[0] = exercise_text_column(canvas, practise, hint->cell);
    else if (hint->number)
        sentence.texts[0] = canvas_count(canvas, hint->number);
    if (hint->kind != HINT_FAULT &&
        hint->kind != HINT_LABEL) /* a readable, wrong answer */
        sentence.pattern = canvas_format(
            canvas, "%s%s", canvas_string(canvas, "practise.not_yet"), sentence.pattern);
    return sentence;
}

/* Draws instructions if there is no specific hint: first the operation's own words, then
 * a part computed as an example. */
static void draw_instruction(const PageParts *parts, const Practise *practise, Box room) {
    const Canvas *canvas = parts->canvas;
    const Tape *tape = practise->player->lesson->tape;
    size_t node = practise_exercise(practise)->cell.node;
    const char *name = operation_of(tape_node(tape, node)->operation)->name;
    const char *does = canvas_string(canvas, canvas_format(canvas, "say.%s", name));
    bool all = practise->hint.term->value == practise->term->value;
    const char *text = canvas_format(
        canvas, "%s%s %s", canvas_string(canvas, "practise.not_yet"), does,
        exercise_text(canvas, "hint",
                      all ? "written_out" : practise_hint_name(HINT_FIRST)));
    double size = canvas_size(canvas, TEXT_UNITS, text),
           least = canvas_least(canvas, text);
    size_t lines;
    while (paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size,
                                  room.w, round(size * TEXT_LEADING), DO_LINES + 1, text,
                                  &lines),
           lines > DO_LINES && size > least)
        size--;
    canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink, room,
                     round(size * TEXT_LEADING), DO_LINES, text);
}

/* Reports whether an exercise is about one number; the answer of others stands above
 * only. */
static bool has_number(const Exercise *exercise) {
    return exercise->kind != EXERCISE_CHOICE && exercise->kind != EXERCISE_ORDER &&
           exercise->kind != EXERCISE_THOUGHT;
}

/* Final reply of an exercise about a number. */
static CellSentence end_sentence(const Canvas *canvas, const Practise *practise) {
    const Exercise *exercise = practise_exercise(practise);
    static const char *const ends[] = {"", "at_once", "after_hints", "shown"};
    bool number =
        exercise->kind != EXERCISE_LARGEST && exercise->kind != EXERCISE_NEXT_WORD;
    return (CellSentence){
        .pattern =
            exercise_text(canvas, number ? "end" : "end_row", ends[exercise->outcome]),
        .cells = {{exercise->cell, false}},
        .texts = {number ? "" : exercise_text_column(canvas, practise, exercise->cell),
                  ""}};
}

/* ---- sums ---- */

/* Writes a term with its value, "1 × 0 + 1 × 1 = 1"; a number alone without. */
static void put_term(CellSum *sum, const Term *term, bool with_value) {
    const Canvas *canvas = sum->parts->canvas;
    const Theme *theme = canvas->theme;
    if (term->count) {
        sum->writer.after_operator = false;
        term_write(&sum->writer, term);
        runs_add(sum->value,
                 with_value ? term_equals(&sum->writer, term, term->value) : " = ");
    }
    runs_add_bold(sum->value, with_value ? theme->ink : theme->accent,
                  with_value ? term_number_text(canvas, term->value) : "?");
}

/* Writes the sum of a hint in one line; the context is the practice. */
static void put_hint(CellSum *sum, const void *context) {
    const Canvas *canvas = sum->parts->canvas;
    const Practise *practise = context;
    const Hint *hint = &practise->hint;
    bool open = hint->kind == HINT_GAP ||
                (hint->kind == HINT_FIRST && hint->term->value == practise->term->value);
    if (hint->yours) {
        runs_add(sum->value, canvas_string(canvas, "practise.yours"));
        put_term(sum, hint->yours, true);
    }
    if (hint->yours && hint->term)
        runs_add(sum->value, canvas_string(canvas, "practise.ours"));
    if (hint->term)
        put_term(sum, hint->term, !open);
}

static void draw_hint_sum(const PageParts *parts, const Practise *practise, Point at,
                          double width) {
    if (!practise->hint.term && !practise->hint.yours)
        return;
    CellSum sum = cell_sum_of(parts, practise_exercise(practise)->cell);
    sum.writer.gap = practise->hint.gap;
    double size = cell_sum_fit(&sum, put_hint, practise, SUM_UNITS, width);
    runs_draw(sum.value, size, (Point){at.x, at.y + SUM_LINE});
    size = cell_sum_fit_quantities(&sum, QUANTITY_UNITS, width);
    runs_draw(sum.quantities, size, (Point){at.x, at.y + QUANTITY_LINE});
}

/* ---- answers ---- */

double practise_button_width(const Canvas *canvas, const char *key) {
    const char *words = canvas_string(canvas, key);
    return round(
        canvas_text_width(canvas, FONT_TEXT, canvas_size(canvas, 15, words), words) + 28);
}

double practise_button(const Canvas *canvas, Link link, const char *key, Point right,
                       double height, bool main) {
    const Theme *theme = canvas->theme;
    const char *words = canvas_string(canvas, key);
    double size = canvas_size(canvas, 15, words),
           width = practise_button_width(canvas, key);
    Box box = {round(right.x) - width, round(right.y), width, height};
    canvas_link(canvas, link);
    scene_rectangle(canvas->scene, box, 6, main ? theme->current : theme->panel,
                    theme->line, 1);
    canvas_text(
        canvas, FONT_TEXT, size, main ? theme->current_ink : theme->ink,
        (Point){round(box.x + width / 2), label_baseline(box.y + height / 2, size)},
        LABEL_CENTER, words);
    canvas_unlink(canvas);
    return box.x;
}

double practise_button_from(const Canvas *canvas, Link link, const char *key, Point at,
                            bool main) {
    at.x += practise_button_width(canvas, key);
    practise_button(canvas, link, key, at, BUTTON_HEIGHT, main);
    return at.x + 10;
}

static void draw_buttons(const PageParts *parts, const PractisePanel *panel, Point at) {
    const Canvas *canvas = parts->canvas;
    bool hides = practise_hides(panel->practise);
    if (hides)
        at.x = practise_button_from(canvas, panel->check, "practise.check", at, true);
    else
        at.x = practise_button_from(canvas, panel->go_on, "practise.go_on", at, true);
    if (hides && !is_of_clicker(parts))
        at.x = practise_button_from(canvas, panel->skip,
                                    panel->whole ? "practise.skip" : "practise.see", at,
                                    false);
    if (panel->whole)
        practise_button_from(canvas, panel->stop, "practise.stop", at, false);
}

/* Draws the accepted forms of an answer, and its tolerance. */
static void draw_field_note(const Canvas *canvas, const Practise *practise, Box room) {
    const char *key = practise_exercise(practise)->kind == EXERCISE_CELL
                          ? "practise.tolerance"
                          : "practise.column";
    const char *words = canvas_string(canvas, key);
    double size = canvas_size(canvas, 14, words);
    double leading = round(size * 1.35);
    if (paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size, room.w,
                               leading, 1, words, NULL) > room.h)
        return; /* large type may have no room for it */
    canvas_paragraph(canvas, FONT_TEXT, size, canvas->theme->ink_faint, room, leading, 1,
                     words);
}

static void draw_field(const Canvas *canvas, const PractisePanel *panel, Box box) {
    const Theme *theme = canvas->theme;
    canvas_link(canvas, (Link){LINK_FIELD, 0, 0, 0});
    scene_rectangle(canvas->scene, box, 6, theme->page, theme->accent, 2);
    double pad = 12, size = canvas_size(canvas, 20, panel->answer);
    Point at = {box.x + pad, label_baseline(box.y + box.h / 2, size)};
    HelpField field = {
        .text = panel->answer, .caret = panel->caret, .selected = panel->selected};
    Box paste = box_take_right(&box, panel->paste.kind ? box.h : 0);
    help_draw_written(canvas, &field, at, box.w - 2 * pad, size);
    canvas_unlink(canvas);
    if (panel->paste.kind)
        tool_draw_button(canvas, TOOL_PASTE, panel->paste, paste, theme->ink_soft);
}

double practise_panel_height(const PageParts *parts) {
    bool hint = parts->page->practise->practise->hint.kind != HINT_NONE;
    return is_one_row(parts) && !hint ? ROW_HEIGHT : HEIGHT;
}

static void draw_row(const PageParts *parts, const PractisePanel *panel, Box area) {
    box_take_top(&area, GAP);
    Box row = box_take_top(&area, FIELD_HEIGHT);
    Box field = box_take_left(
        &row, row.w * (is_of_clicker(parts) ? CLICKER_FIELD_FRACTION : FIELD_FRACTION));
    field.w -= 10;
    draw_field(parts->canvas, panel, field);
    draw_buttons(parts, panel, (Point){row.x, row.y});
}

static void draw_answer(const PageParts *parts, const PractisePanel *panel, Box area,
                        bool tall) {
    const Canvas *canvas = parts->canvas;
    bool hides = practise_hides(panel->practise);
    if (is_one_row(parts)) {
        draw_row(parts, panel, area);
        return;
    }
    box_take_top(&area, GAP);
    Box field = box_take_top(&area, FIELD_HEIGHT);
    if (hides)
        draw_field(canvas, panel, field);
    box_take_top(&area, GAP);
    if (practise_exercise(panel->practise)->kind == EXERCISE_CELL) {
        Link key = panel->check;
        key.row = 1; /* the buttons keep their position after the answer */
        Box keys = box_take_top(&area, tall ? TALL_KEYS : NUMBER_KEYS_HEIGHT);
        if (hides)
            number_keys_draw(canvas, key, keys);
        box_take_top(&area, GAP);
    }
    Box buttons = box_take_top(&area, BUTTON_HEIGHT);
    draw_buttons(parts, panel, (Point){buttons.x, buttons.y});
    box_take_top(&area, GAP / 2);
    if (hides)
        draw_field_note(canvas, panel->practise, area);
}

void practise_panel_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const PractisePanel *panel = parts->page->practise;
    const Practise *practise = panel->practise;
    if (!practise_exercise(practise))
        return;
    double pad = PAD;
    Box inner = {area.x + pad, area.y, area.w - 2 * pad, area.h}, said = inner;
    double fraction = is_of_clicker(parts) ? CLICKER_FRACTION
                      : is_one_row(parts)  ? ROW_FRACTION
                                           : LEFT_FRACTION;
    bool tall = is_tall(parts, area);
    Box left = tall ? box_take_top(&inner, ANSWER_TOP)
                    : box_take_left(&inner, inner.w * fraction);
    left.w -= pad;
    Point question = {left.x, left.y + QUESTION_LINE};
    draw_answer(parts, panel, inner, tall);
    if (!practise_hides(practise) && !has_number(practise_exercise(practise)))
        return;
    if (!practise_hides(practise)) {
        draw_sentence(parts, end_sentence(canvas, practise), NULL, FONT_BOLD,
                      canvas->theme->ink, QUESTION_UNITS, question, left.w);
        Box sum = {area.x, left.y + 42, left.w + 2 * pad, 84};
        inspector_draw(parts, sum);
        return;
    }
    draw_question(parts, panel, question, left.w);
    if (!practise->hint.kind)
        return;
    said.y += is_one_row(parts) ? 2 * GAP : 0; /* below the field */
    said.w = is_one_row(parts) ? said.w : left.w;
    if (practise->hint.kind == HINT_FIRST && !is_one_row(parts))
        draw_instruction(parts, practise, (Box){said.x, said.y + DO_TOP, said.w, 0});
    else
        draw_sentence(parts, hint_sentence(canvas, practise), NULL, FONT_TEXT,
                      canvas->theme->ink, TEXT_UNITS, (Point){said.x, said.y + TEXT_LINE},
                      said.w);
    draw_hint_sum(parts, practise, (Point){said.x, said.y}, said.w);
}

/* ---- the score ---- */

enum { COUNTS = 3, LISTED_MAX = 8 };
static const double SCORE_WIDTH = 760, SCORE_LINE = 36;

/* Draws one exercise to repeat: its path, its tensor, its outcome. */
static void draw_listed(const Canvas *canvas, const PractisePanel *panel, size_t index,
                        Box line) {
    const Theme *theme = canvas->theme;
    const Practise *practise = panel->practise;
    const Exercise *exercise = &practise->exercises[index];
    bool chosen = panel->chosen == index;
    Link link = panel->look;
    link.row = index + 1;
    line.h -= 4;
    canvas_link(canvas, link);
    scene_rectangle(canvas->scene, line, 6, theme->panel,
                    chosen ? theme->accent : theme->panel, 2);
    double gap = 12;
    double baseline = round(line.y + line.h * 0.66);
    Box path = canvas_label(canvas, FONT_TEXT, 15, theme->ink_soft,
                            (Point){line.x + gap, baseline}, LABEL_LEFT,
                            practise->player->steps[exercise->step].path);
    CellStyle style = {FONT_TEXT, theme->ink, canvas_size(canvas, 15, "一"),
                       canvas_size(canvas, 17, "")};
    CellName name = {exercise->cell, false};
    if (exercise->kind == EXERCISE_LARGEST || exercise->kind == EXERCISE_NEXT_WORD)
        name.cell.col = PLAYER_NONE;
    cell_name_draw(canvas, practise->player, &name, &style,
                   (Point){path.x + path.w + gap * 1.5, baseline});
    canvas_label(canvas, FONT_TEXT, 14, theme->ink_soft,
                 (Point){line.x + line.w - gap, baseline}, LABEL_RIGHT,
                 canvas_string(canvas, exercise->outcome == EXERCISE_AFTER_HINTS
                                           ? "practise.after_hints"
                                           : "practise.skipped"));
    canvas_unlink(canvas);
}

static size_t count_listed(const Practise *practise) {
    PractiseScore score = practise_score(practise);
    size_t count = score.after_hints + score.skipped;
    return count < LISTED_MAX ? count : LISTED_MAX;
}

static void draw_list(const Canvas *canvas, const PractisePanel *panel, Box *inner,
                      double each) {
    const Practise *practise = panel->practise;
    size_t left = count_listed(practise);
    const char *words =
        canvas_string(canvas, left ? "practise.look_again" : "practise.all_right");
    canvas_line(canvas, FONT_TEXT, 16, canvas->theme->ink_soft, box_take_top(inner, each),
                words);
    for (size_t i = 0; i < practise->count && left; i++) {
        if (practise->exercises[i].outcome == EXERCISE_AT_ONCE)
            continue;
        draw_listed(canvas, panel, i, box_take_top(inner, each));
        left--;
    }
}

static void draw_counts(const Canvas *canvas, PractiseScore score, Box line) {
    const size_t counts[COUNTS] = {score.at_once, score.after_hints, score.skipped};
    static const char *const keys[COUNTS] = {"practise.at_once", "practise.after_hints",
                                             "practise.skipped"};
    double width = line.w / COUNTS;
    for (size_t i = 0; i < COUNTS; i++) {
        Box part = box_take_left(&line, width);
        Box number = canvas_label(canvas, FONT_BOLD, 30, canvas->theme->ink,
                                  (Point){part.x, part.y + part.h * 0.62}, LABEL_LEFT,
                                  canvas_count(canvas, counts[i]));
        double used = number.w + 10;
        part.x += used;
        part.w -= used;
        canvas_line(canvas, FONT_TEXT, 16, canvas->theme->ink_soft, part,
                    canvas_string(canvas, keys[i]));
    }
}

void practise_score_draw(const Canvas *canvas, const PractisePanel *panel) {
    double pad = PAD;
    double width = fmin(SCORE_WIDTH, canvas->scene->width - pad);
    double lines = (double)count_listed(panel->practise) + 5.2;
    double height = lines * SCORE_LINE + 2 * pad;
    Box inner = box_inset(canvas_dialog(canvas, width, height), pad);
    canvas_line(canvas, FONT_BOLD, 22, canvas->theme->ink,
                box_take_top(&inner, SCORE_LINE),
                canvas_string(canvas, "practise.score"));
    draw_counts(canvas, practise_score(panel->practise),
                box_take_top(&inner, SCORE_LINE * 1.6));
    draw_list(canvas, panel, &inner, SCORE_LINE);
    box_take_top(&inner, SCORE_LINE * 0.5);
    Point at = {inner.x, inner.y};
    at.x = practise_button_from(canvas, panel->stop, "practise.close", at, true);
    practise_button_from(canvas, panel->again, "practise.again", at, false);
}
