#include "picture/overlays/overlays_parts.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/draw/marks.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <math.h>

/* Fractions of the width for the question beside the answer, on a usual page, in one row,
 * and in one row without a button; and of a row's answer for its field. */
static const double LEFT_FRACTION = 0.6, ROW_FRACTION = 0.555, CLICKER_FRACTION = 0.71,
                    FIELD_FRACTION = 0.25, CLICKER_FIELD_FRACTION = 0.4;
static const double PAD = 28, FIELD_HEIGHT = 40, GAP = 4;
static const double HEIGHT = 230, ROW_HEIGHT = 104, ANSWER_TOP = 150, TALL = 310,
                    TALL_KEYS = 52;   /* heights */
static const double INPUTS_LINE = 30; /* below the question, where it is heard */
static const double QUESTION_LINE = 36, TEXT_LINE = 72, SUM_LINE = 107,
                    QUANTITY_LINE = 138; /* baselines, from the top */
static const double DO_TOP = 46, SUM_TOP = 42, SUM_HEIGHT = 84, NUMBER_GAP = 16;
enum { DO_LINES = 2 };

/* ---- hidden cells ---- */

static void mark_cell(const Canvas *canvas, FollowCell cell) {
    Link link = {LINK_CELL, cell.node, cell.row, cell.col};
    Box box;
    if (!marks_cell_box(canvas->scene, link, &box))
        return;
    double size =
        fmin(canvas_size(canvas, TYPE_HEAD, "?"), floor(fmin(box.w, box.h) * 0.7));
    canvas_link(canvas, link);
    canvas_outline(canvas, box, 3, canvas->theme->accent, 3);
    if (size >= label_min_size("?"))
        text_line(canvas, FONT_BOLD, size, canvas->theme->ink, box, LABEL_CENTER, "?");
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

static void draw_question(const PageParts *parts, const PractisePanel *panel, Point at,
                          double width) {
    const Canvas *canvas = parts->canvas;
    double left = at.x;
    if (panel->whole)
        left += exercise_number_draw(canvas, panel, at, LABEL_LEFT).w + NUMBER_GAP;
    const char *brief;
    CellSentence sentence = exercise_text_sentence(canvas, panel->practise, &brief);
    exercise_text_draw(canvas, parts->page->player, sentence, brief, FONT_BOLD,
                       is_one_row(parts) ? TYPE_HEAD : TYPE_LARGE, (Point){left, at.y},
                       width - (left - at.x));
    if (canvas->heard)
        canvas_label(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink,
                     (Point){at.x, at.y + INPUTS_LINE}, LABEL_LEFT,
                     exercise_inputs_aloud(canvas, panel->practise));
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
    TextBlock block =
        text_block(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink, DO_LINES, text);
    text_block_fit(canvas, &block, room.w, INFINITY);
    text_block_draw(canvas, &block, room);
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
    double size = cell_sum_fit(&sum, put_hint, practise, TYPE_LARGE, width);
    runs_draw(sum.value, size, (Point){at.x, at.y + SUM_LINE});
    size = cell_sum_fit_quantities(&sum, TYPE_SMALL, width);
    runs_draw(sum.quantities, size, (Point){at.x, at.y + QUANTITY_LINE});
}

/* ---- answers ---- */

static void draw_buttons(const PageParts *parts, const PractisePanel *panel, Box area) {
    bool hides = practise_hides(panel->practise), whole = panel->whole;
    bool skips = hides && !is_of_clicker(parts);
    const Button buttons[] = {{hides ? panel->check : panel->go_on,
                               hides ? "practise.check" : "practise.go_on", true},
                              {skips ? panel->skip : (Link){0},
                               whole ? "practise.skip" : "practise.see", false},
                              {whole ? panel->stop : (Link){0}, "practise.stop", false}};
    buttons_draw(parts->canvas, buttons, 3, (Point){area.x, area.y}, LABEL_LEFT);
}

/* Draws the accepted forms of an answer, and its tolerance. */
static void draw_field_note(const Canvas *canvas, const Practise *practise, Box room) {
    const char *key = practise_exercise(practise)->kind == EXERCISE_CELL
                          ? "practise.tolerance"
                          : "practise.column";
    TextBlock note = text_block(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_faint,
                                1, canvas_string(canvas, key));
    if (text_block_height(canvas, &note, room.w) <= room.h) /* large type may be taller */
        text_block_draw(canvas, &note, room);
}

static void draw_field(const Canvas *canvas, const PractisePanel *panel, Box box) {
    HelpField field = {
        .text = panel->answer, .caret = panel->caret, .selected = panel->selected};
    scene_rectangle(canvas->scene, box, 6, canvas->theme->page, canvas->theme->accent, 2);
    if (panel->paste.kind)
        tool_draw_button(canvas, TOOL_PASTE, panel->paste, box_take_right(&box, box.h),
                         canvas->theme->ink_soft);
    box = box_narrowed(box, 3 * GAP);
    field_draw_text(canvas, &field, TYPE_LARGE, box, NULL);
}

double practise_panel_height(const PageParts *parts) {
    bool hint = parts->page->practise->practise->hint.kind != HINT_NONE;
    return is_one_row(parts) && !hint ? ROW_HEIGHT : HEIGHT;
}

/* Draws field and buttons side by side. */
static void draw_row(const PageParts *parts, const PractisePanel *panel, Box row) {
    Box field = box_take_left(
        &row, row.w * (is_of_clicker(parts) ? CLICKER_FIELD_FRACTION : FIELD_FRACTION));
    field.w -= 2 * GAP;
    draw_field(parts->canvas, panel, field);
    draw_buttons(parts, panel, row);
}

static void draw_answer(const PageParts *parts, const PractisePanel *panel, Box area,
                        bool tall) {
    const Canvas *canvas = parts->canvas;
    bool hides = practise_hides(panel->practise);
    box_take_top(&area, GAP);
    Box field = box_take_top(&area, FIELD_HEIGHT);
    if (is_one_row(parts)) {
        draw_row(parts, panel, field);
        return;
    }
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
    draw_buttons(parts, panel, box_take_top(&area, BUTTON_HEIGHT));
    box_take_top(&area, GAP / 2);
    if (hides)
        draw_field_note(canvas, panel->practise, area);
}

/* Draws what is asked, or, once it is answered, how the number came to be. */
static void draw_asked(const PageParts *parts, const PractisePanel *panel, Box area,
                       Box left) {
    const Canvas *canvas = parts->canvas;
    const Practise *practise = panel->practise;
    Point question = {left.x, left.y + QUESTION_LINE};
    Box said = box_narrowed(area, PAD);
    if (!practise_hides(practise) && !has_number(practise_exercise(practise)))
        return;
    if (!practise_hides(practise)) {
        exercise_text_draw(canvas, parts->page->player, end_sentence(canvas, practise),
                           NULL, FONT_BOLD, TYPE_LARGE, question, left.w);
        inspector_draw(parts,
                       (Box){area.x, left.y + SUM_TOP, left.w + 2 * PAD, SUM_HEIGHT});
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
        exercise_text_draw(canvas, parts->page->player, hint_sentence(canvas, practise),
                           NULL, FONT_TEXT, TYPE_TEXT,
                           (Point){said.x, said.y + TEXT_LINE}, said.w);
    draw_hint_sum(parts, practise, (Point){said.x, said.y}, said.w);
}

/* The question is drawn before its buttons, as it is read before them. */
void practise_panel_draw(const PageParts *parts, Box area) {
    const PractisePanel *panel = parts->page->practise;
    if (!practise_exercise(panel->practise))
        return;
    Box inner = box_narrowed(area, PAD);
    double fraction = is_of_clicker(parts) ? CLICKER_FRACTION
                      : is_one_row(parts)  ? ROW_FRACTION
                                           : LEFT_FRACTION;
    bool tall = is_tall(parts, area);
    Box left = tall ? box_take_top(&inner, ANSWER_TOP)
                    : box_take_left(&inner, inner.w * fraction);
    left.w -= PAD;
    draw_asked(parts, panel, area, left);
    draw_answer(parts, panel, inner, tall);
}
