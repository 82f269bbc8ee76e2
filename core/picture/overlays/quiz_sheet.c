#include "picture/overlays/quiz_sheet.h"

#include "picture/draw/canvas.h"
#include "picture/overlays/practise_panel.h"

#include <math.h>

static const double SHEET_WIDTH = 980, SHEET_LINE = 44, SHEET_PAD = 28;

static void draw_tick(const Canvas *canvas, Point centre, double radius, bool right) {
    const Theme *theme = canvas->theme;
    double width = fmax(radius / 3, 1.5);
    if (right) {
        Point corner = {centre.x - radius * 0.2, centre.y + radius * 0.6};
        scene_line(canvas->scene, (Point){centre.x - radius * 0.8, centre.y}, corner,
                   width, theme->value);
        scene_line(canvas->scene, corner,
                   (Point){centre.x + radius * 0.8, centre.y - radius * 0.7}, width,
                   theme->value);
        return;
    }
    canvas_dot(canvas, centre, radius * 0.7, (Color){0}, theme->bad_ink, width);
}

static const char *ending(ExerciseOutcome outcome) {
    return outcome == EXERCISE_AT_ONCE       ? "quiz.right"
           : outcome == EXERCISE_AFTER_HINTS ? "practise.after_hints"
                                             : "practise.skipped";
}

/* Draws a mark, the question, and below it the lesson; missed ones are links. */
static void draw_entry(const Canvas *canvas, const PractisePanel *panel,
                       const QuizLine *line, size_t index, Box box) {
    const Theme *theme = canvas->theme;
    bool right = line->outcome == EXERCISE_AT_ONCE, chosen = panel->chosen == index;
    Link link = panel->look;
    link.row = index + 1;
    if (!right)
        canvas_link(canvas, link);
    box.h -= 4;
    scene_rectangle(canvas->scene, box, 6, right ? theme->page : theme->panel,
                    chosen  ? theme->accent
                    : right ? theme->page
                            : theme->panel,
                    2);
    double gap = 12, radius = 8;
    Box inner = {box.x + gap, box.y, box.w - 2 * gap, box.h};
    Box mark = box_take_left(&inner, 2 * radius + gap);
    draw_tick(canvas, (Point){mark.x + radius, mark.y + mark.h / 2}, radius, right);
    Box question = box_take_left(&inner, round(inner.w * 0.54));
    question.w -= gap;
    Box end = canvas_label(canvas, FONT_TEXT, 14, theme->ink_soft,
                           (Point){inner.x + inner.w, round(box.y + box.h * 0.62)},
                           LABEL_RIGHT, canvas_string(canvas, ending(line->outcome)));
    inner.w -= end.w + gap;
    canvas_line(canvas, FONT_TEXT, 15, theme->ink, question, line->question);
    canvas_line(canvas, FONT_BOLD, 14, theme->ink_soft, inner, line->lesson);
    canvas_unlink(canvas);
}

void quiz_sheet_draw(const Canvas *canvas, const PractisePanel *panel,
                     const QuizSheet *sheet) {
    const Theme *theme = canvas->theme;
    double pad = SHEET_PAD, each = SHEET_LINE;
    double width = fmin(SHEET_WIDTH, canvas->scene->width - pad);
    double most = canvas->scene->height - pad, lines = (double)sheet->count;
    double height = fmin((lines + 3.4) * each + 2 * pad, most);
    each = fmin(each, (height - 2 * pad) / (lines + 3.4));
    Box inner = box_inset(canvas_dialog(canvas, width, height), pad);
    Box head = box_take_top(&inner, each * 1.2);
    canvas_line(canvas, FONT_BOLD, 28, theme->ink, head,
                canvas_words(canvas, "quiz.score", canvas_count(canvas, sheet->right),
                             canvas_count(canvas, sheet->count), NULL));
    Box say = box_take_top(&inner, each * 0.9);
    canvas_line(canvas, FONT_TEXT, 16, theme->ink_soft, say,
                canvas_string(canvas, sheet->right < sheet->count
                                          ? "quiz.read_again"
                                          : "practise.all_right"));
    for (size_t i = 0; i < sheet->count; i++)
        draw_entry(canvas, panel, &sheet->lines[i], i, box_take_top(&inner, each));
    box_take_top(&inner, each * 0.3);
    Point at = {inner.x, inner.y};
    at.x = practise_button_from(canvas, panel->stop, "quiz.close", at, true);
    at.x = practise_button_from(canvas, panel->again, "quiz.again", at, false);
    practise_button_from(canvas, panel->save, "quiz.save", at, false);
}
