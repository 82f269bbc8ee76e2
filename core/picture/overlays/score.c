#include "picture/overlays/overlays_parts.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/scene/theme.h"

#include <math.h>

static const double SCORE_WIDTH = 760, SHEET_WIDTH = 980, LINE = 44, PAD = 28, GAP = 12,
                    MARK = 8, QUESTION_FRACTION = 0.54;
enum { COUNTS = 3, LISTED_MAX = 8 };

static const char *const endings[] = {[EXERCISE_OPEN] = "practise.skipped",
                                      [EXERCISE_AT_ONCE] = "quiz.right",
                                      [EXERCISE_AFTER_HINTS] = "practise.after_hints",
                                      [EXERCISE_SKIPPED] = "practise.skipped"};

/* Begins the row of an exercise that can be repeated, with its outcome at the right end;
 * returns the room inside. */
static Box begin_row(const Canvas *canvas, const PractisePanel *panel, size_t index,
                     ExerciseOutcome outcome, Box line) {
    Link link = panel->look;
    link.row = index + 1;
    line.h -= 4;
    Box inner = list_row_begin(canvas, outcome == EXERCISE_AT_ONCE ? (Link){0} : link,
                               line, panel->chosen == index);
    Box end = text_line(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft, inner,
                        LABEL_RIGHT, canvas_string(canvas, endings[outcome]));
    box_take_right(&inner, end.w + GAP);
    return inner;
}

/* Opens the dialog of a score with `lines` lines below a title and a sentence. */
static Box begin_score(const Canvas *canvas, double width, double lines, double *each,
                       const char *title, const char *sentence) {
    const Theme *theme = canvas->theme;
    double most = canvas->scene->height - PAD, all = lines + 3.4;
    *each = fmin(LINE, (most - 2 * PAD) / all);
    width = fmin(width, canvas->scene->width - PAD);
    Box inner = box_inset(canvas_dialog(canvas, width, all * *each + 2 * PAD), PAD);
    text_line(canvas, FONT_BOLD, TYPE_HEAD, theme->ink, box_take_top(&inner, *each * 1.1),
              LABEL_LEFT, title);
    text_line(canvas, FONT_TEXT, TYPE_TEXT, theme->ink_soft, box_take_top(&inner, *each),
              LABEL_LEFT, sentence);
    return inner;
}

/* ---- a round ---- */

/* Draws one exercise to repeat: its path, its tensor, its outcome. */
static void draw_exercise(const Canvas *canvas, const PractisePanel *panel, size_t index,
                          Box line) {
    const Theme *theme = canvas->theme;
    const Practise *practise = panel->practise;
    const Exercise *exercise = &practise->exercises[index];
    Box inner = begin_row(canvas, panel, index, exercise->outcome, line);
    Box path = text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft, inner,
                         LABEL_LEFT, practise->player->steps[exercise->step].path);
    CellStyle style = cell_style(canvas, FONT_TEXT, TYPE_SMALL, theme->ink);
    CellName name = {exercise->cell, false};
    if (exercise->kind == EXERCISE_LARGEST || exercise->kind == EXERCISE_NEXT_WORD)
        name.cell.col = PLAYER_NONE;
    cell_name_draw(canvas, practise->player, &name, &style,
                   (Point){path.x + path.w + GAP,
                           label_baseline(inner.y + inner.h / 2, style.size)});
    canvas_unlink(canvas);
}

static void draw_counts(const Canvas *canvas, PractiseScore score, Box line) {
    const size_t counts[COUNTS] = {score.at_once, score.after_hints, score.skipped};
    static const char *const keys[COUNTS] = {"practise.at_once", "practise.after_hints",
                                             "practise.skipped"};
    double width = line.w / COUNTS;
    for (size_t i = 0; i < COUNTS; i++) {
        Box part = box_take_left(&line, width);
        Box number = text_line(canvas, FONT_BOLD, TYPE_TITLE, canvas->theme->ink, part,
                               LABEL_LEFT, canvas_count(canvas, counts[i]));
        box_take_left(&part, number.w + GAP);
        text_line(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink_soft, part, LABEL_LEFT,
                  canvas_string(canvas, keys[i]));
    }
}

void practise_score_draw(const Canvas *canvas, const PractisePanel *panel) {
    const Practise *practise = panel->practise;
    PractiseScore score = practise_score(practise);
    size_t missed = score.after_hints + score.skipped;
    size_t left = missed < LISTED_MAX ? missed : LISTED_MAX;
    double each;
    Box inner = begin_score(
        canvas, SCORE_WIDTH, (double)left + 1.3, &each,
        canvas_string(canvas, "practise.score"),
        canvas_string(canvas, missed ? "practise.look_again" : "practise.all_right"));
    draw_counts(canvas, score, box_take_top(&inner, each * 1.3));
    for (size_t i = 0; i < practise->count && left; i++) {
        if (practise->exercises[i].outcome == EXERCISE_AT_ONCE)
            continue;
        draw_exercise(canvas, panel, i, box_take_top(&inner, each));
        left--;
    }
    const Button buttons[] = {{panel->stop, "practise.close", true},
                              {panel->again, "practise.again", false}};
    buttons_draw(canvas, buttons, 2, (Point){inner.x, inner.y + GAP}, LABEL_LEFT);
}

/* ---- a quiz ---- */

static void draw_mark(const Canvas *canvas, Box box, bool right) {
    const Theme *theme = canvas->theme;
    if (right)
        tool_draw(canvas, TOOL_USE, box, theme->value);
    else
        canvas_dot(canvas, box_middle(box), box.w * 0.35, (Color){0}, theme->bad_ink,
                   box.w / 6);
}

/* Draws a mark, the question and its lesson. */
static void draw_question(const Canvas *canvas, const PractisePanel *panel,
                          const QuizLine *question, size_t index, Box line) {
    const Theme *theme = canvas->theme;
    Box inner = begin_row(canvas, panel, index, question->outcome, line);
    Box mark = box_take_left(&inner, 2 * MARK);
    draw_mark(canvas, (Box){mark.x, mark.y + mark.h / 2 - MARK, 2 * MARK, 2 * MARK},
              question->outcome == EXERCISE_AT_ONCE);
    box_take_left(&inner, GAP);
    Box words = box_take_left(&inner, round(inner.w * QUESTION_FRACTION));
    words.w -= GAP;
    text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink, words, LABEL_LEFT,
              question->question);
    text_line(canvas, FONT_BOLD, TYPE_SMALL, theme->ink_soft, inner, LABEL_LEFT,
              question->lesson);
    canvas_unlink(canvas);
}

void quiz_sheet_draw(const Canvas *canvas, const PractisePanel *panel,
                     const QuizSheet *sheet) {
    double each;
    Box inner = begin_score(
        canvas, SHEET_WIDTH, (double)sheet->count, &each,
        canvas_words(canvas, "quiz.score", canvas_count(canvas, sheet->right),
                     canvas_count(canvas, sheet->count), NULL),
        canvas_string(canvas, sheet->right < sheet->count ? "quiz.read_again"
                                                          : "practise.all_right"));
    for (size_t i = 0; i < sheet->count; i++)
        draw_question(canvas, panel, &sheet->lines[i], i, box_take_top(&inner, each));
    const Button buttons[] = {{panel->stop, "quiz.close", true},
                              {panel->again, "quiz.again", false},
                              {panel->save, "quiz.save", false}};
    buttons_draw(canvas, buttons, 3, (Point){inner.x, inner.y + GAP}, LABEL_LEFT);
}
