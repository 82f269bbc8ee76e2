#include "picture/overlays/question_panel.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "picture/overlays/exercise_text.h"
#include "picture/overlays/practise_panel.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double PAD = 20, GAP = 10, QUESTION_UNITS = 26, OPTION_UNITS = 19,
                    REASON_UNITS = 18, LEADING = 1.3, OPTION_LEAST = 48, BADGE = 28,
                    FOOT = 44, READABLE = 1180, ANSWER_PAD = 14, ASKED_TEXT_UNITS = 14,
                    KEY_UNITS = 16;
enum { QUESTION_LINES = 3, OPTION_LINES = 3, REASON_LINES = 2, ANSWER_LINES = 10 };

/* Layout shared by measuring and drawing. */
typedef struct Layout {
    const char *question; /* NULL: the program's own, about cells */
    double question_size, question_height;
    size_t columns, rows;
    double option_size, option_width, option_height;
    double height;
} Layout;

static const Exercise *exercise_of(const PageParts *parts) {
    return practise_exercise(parts->page->practise->practise);
}

static double leading_of(double size) {
    return round(size * LEADING);
}

/* ---- texts ---- */

/* Reply to the last answer; "" if there is none. */
static const char *reason_words(const PageParts *parts) {
    const Canvas *canvas = parts->canvas;
    const Exercise *exercise = exercise_of(parts);
    const Hint *hint = &parts->page->practise->practise->hint;
    switch (hint->kind) {
    case HINT_REASON:
        return text_in(&exercise->question->options[hint->number - 1].because,
                       canvas->language);
    case HINT_TREND:
        return canvas_string(canvas, "practise.hint.trend");
    case HINT_ORDER:
        return hint->number ? canvas_words(canvas, "practise.hint.order",
                                           canvas_count(canvas, hint->number), NULL)
                            : canvas_string(canvas, "practise.hint.order_none");
    default:
        return exercise->kind == EXERCISE_ORDER
                   ? canvas_string(canvas, "practise.order_how")
                   : "";
    }
}

/* ---- layout ---- */

static size_t lines_of(const Canvas *canvas, double size, double width,
                       const char *text) {
    size_t lines;
    paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size, width,
                           leading_of(size), OPTION_LINES + 1, text, &lines);
    return lines;
}

/* Width limited to readable lines; larger type needs all of it. */
static double readable(const Canvas *canvas, double width) {
    return canvas->least > 0 ? width : fmin(width, READABLE);
}

static double badge_of(const Canvas *canvas) {
    return fmax(BADGE, round(canvas_size(canvas, KEY_UNITS, "1") * 1.5));
}

static double text_width(const Canvas *canvas, double option_width) {
    return option_width - badge_of(canvas) - (3 * GAP + 4);
}

/* Number of lines of the longest option in a number of columns. */
static size_t lines_in(const PageParts *parts, Layout *layout, size_t columns,
                       double width) {
    const Canvas *canvas = parts->canvas;
    const Exercise *exercise = exercise_of(parts);
    size_t most = 1;
    layout->columns = columns;
    layout->rows = (exercise->count + columns - 1) / columns;
    double gaps = GAP * (double)(columns - 1);
    layout->option_width = floor((width - gaps) / (double)columns);
    for (size_t i = 0; i < exercise->count; i++) {
        size_t lines = lines_of(canvas, layout->option_size,
                                text_width(canvas, layout->option_width),
                                exercise_text_option(canvas, exercise, i));
        most = lines > most ? lines : most;
    }
    return most;
}

/* Places options in the number of columns that makes them lowest, because presented pages
 * need the height for the picture's digits. Returns the lines of the longest. */
static size_t place_lowest(const PageParts *parts, Layout *layout, double width) {
    size_t least = SIZE_MAX, columns = 1, count = exercise_of(parts)->count;
    for (size_t tried = 1; tried <= count; tried++) {
        size_t lines = lines_in(parts, layout, tried, width);
        size_t height = layout->rows * (lines + 1);
        if (height <= least && (tried == 1 || lines <= OPTION_LINES)) {
            least = height;
            columns = tried;
        }
    }
    return lines_in(parts, layout, columns, width);
}

/* Places options in one row if all are short, else two by two, else one below the other;
 * smaller if even that takes too many lines. */
static size_t place_readable(const PageParts *parts, Layout *layout, double width) {
    size_t lines, count = exercise_of(parts)->count;
    for (double least = canvas_least(parts->canvas, "一");; layout->option_size--) {
        if ((lines = lines_in(parts, layout, count, width)) == 1)
            return lines;
        if (count > 3 && (lines = lines_in(parts, layout, 2, width)) <= 2)
            return lines;
        lines = lines_in(parts, layout, 1, width);
        if (lines <= 2 || layout->option_size <= least)
            return lines;
    }
}

static void place_options(const PageParts *parts, Layout *layout, double width) {
    layout->option_size = canvas_size(parts->canvas, OPTION_UNITS, "一");
    if (!exercise_of(parts)->count)
        return;
    size_t lines = parts->page->presents ? place_lowest(parts, layout, width)
                                         : place_readable(parts, layout, width);
    layout->option_height =
        fmax(OPTION_LEAST, (double)lines * leading_of(layout->option_size) + 20);
}

/* Reports whether there are buttons below; presented pages leave the room to the picture,
 * because a presenter's clicker moves on by any key. */
static bool has_foot(const PageParts *parts) {
    return !parts->page->presents || parts->page->practise->whole ||
           reason_words(parts)[0] || exercise_of(parts)->placed_count;
}

static Layout lay_out(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    const Exercise *exercise = exercise_of(parts);
    const Question *question = exercise->question;
    Layout layout = {.question_size = canvas_size(canvas, QUESTION_UNITS, "一")};
    width = readable(canvas, width) - 2 * PAD;
    if (question && !text_is_empty(&question->text))
        layout.question = text_in(&question->text, canvas->language);
    layout.question_height = leading_of(layout.question_size);
    double least = fmax(round(layout.question_size * 0.7), canvas_least(canvas, "一"));
    size_t lines = 1;
    do {
        if (layout.question)
            layout.question_height = paragraph_measure_with(
                canvas->metrics, canvas->insets, FONT_BOLD, layout.question_size, width,
                leading_of(layout.question_size), QUESTION_LINES + 1, layout.question,
                &lines);
    } while (lines > QUESTION_LINES && --layout.question_size > least);
    place_options(parts, &layout, width);
    double options =
        exercise->count ? (double)layout.rows * (layout.option_height + GAP) : 0;
    double foot = has_foot(parts) ? GAP + FOOT : 0;
    layout.height = layout.question_height + options + foot + 2 * PAD;
    return layout;
}

double question_panel_height(const PageParts *parts, double width) {
    return lay_out(parts, width).height;
}

/* ---- drawing ---- */

static void draw_question(const PageParts *parts, const Layout *layout, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    double size = layout->question_size;
    if (layout->question) {
        paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_BOLD,
                            size, theme->ink, area, leading_of(size), QUESTION_LINES,
                            layout->question);
        return;
    }
    CellSentence sentence =
        exercise_text_direction(canvas, parts->page->practise->practise);
    CellStyle style = {FONT_BOLD, theme->ink, size, round(size * 1.15)};
    const Player *player = parts->page->player;
    double least = canvas_least(canvas, "一");
    cell_sentence_fit(canvas, player, &sentence, &style, least, area.w);
    cell_sentence_draw(canvas, player, &sentence, &style,
                       (Point){area.x, round(area.y + size)});
}

/* Rank of an option in the order so far, from 1; 0: none. */
static size_t place_in_order(const Exercise *exercise, size_t place) {
    for (size_t i = 0; i < exercise->placed_count; i++) {
        if (exercise->placed[i] == place)
            return i + 1;
    }
    return 0;
}

/* Draws the key that chooses an option; for an order, once it is chosen, its rank. */
static void draw_badge(const Canvas *canvas, const Exercise *exercise, size_t place,
                       Point centre) {
    const Theme *theme = canvas->theme;
    size_t order = place_in_order(exercise, place);
    double radius = badge_of(canvas) / 2, size = canvas_size(canvas, KEY_UNITS, "1");
    Color ink = order                    ? theme->current_ink
                : exercise->tried[place] ? theme->ink_faint
                                         : theme->ink_soft;
    canvas_dot(canvas, centre, radius, order ? theme->current : theme->panel,
               order ? theme->current : theme->line, 1);
    const char *words =
        exercise->tried[place] ? "×" : canvas_count(canvas, order ? order : place + 1);
    canvas_text(canvas, FONT_BOLD, size, ink,
                (Point){centre.x, label_baseline(centre.y, size)}, LABEL_CENTER, words);
}

static void draw_option(const PageParts *parts, const Layout *layout, size_t place,
                        Box box) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const PractisePanel *panel = parts->page->practise;
    const Exercise *exercise = exercise_of(parts);
    bool chosen = panel->chosen == place, tried = exercise->tried[place];
    const char *words = exercise_text_option(canvas, exercise, place);
    double size = layout->option_size;
    canvas_link(canvas, panel->options[place]);
    scene_rectangle(canvas->scene, box, 8, theme->page,
                    chosen ? theme->accent : theme->line, chosen ? 3 : 1);
    double badge = badge_of(canvas);
    draw_badge(canvas, exercise, place,
               (Point){box.x + GAP + badge / 2 + 2, box.y + box.h / 2});
    double width = text_width(canvas, box.w);
    size_t lines = lines_of(canvas, size, width, words);
    Box text = {box.x + badge + 2 * GAP + 4,
                round(box.y + (box.h - (double)lines * leading_of(size)) / 2), width, 0};
    paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT, size,
                        tried ? theme->ink_faint : theme->ink, text, leading_of(size),
                        OPTION_LINES, words);
    canvas_unlink(canvas);
}

static void draw_options(const PageParts *parts, const Layout *layout, Box *area) {
    for (size_t i = 0; i < exercise_of(parts)->count; i++) {
        size_t row = i / layout->columns, col = i % layout->columns;
        draw_option(parts, layout, i,
                    (Box){area->x + (double)col * (layout->option_width + GAP),
                          area->y + (double)row * (layout->option_height + GAP),
                          layout->option_width, layout->option_height});
    }
    if (layout->rows)
        box_take_top(area, (double)layout->rows * (layout->option_height + GAP));
}

/* Draws the reply to a wrong answer, and further commands. */
static void draw_foot(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const PractisePanel *panel = parts->page->practise;
    const Exercise *exercise = exercise_of(parts);
    double right = area.x + area.w;
    if (panel->whole)
        right = practise_button(canvas, panel->stop, "practise.stop",
                                (Point){right, area.y}, FOOT, false) -
                GAP;
    right = practise_button(canvas, panel->see,
                            exercise->count ? "practise.see" : "practise.look",
                            (Point){right, area.y}, FOOT, !exercise->count) -
            GAP;
    if (exercise->placed_count)
        right = practise_button(canvas, panel->take_back, "practise.take_back",
                                (Point){right, area.y}, FOOT, false) -
                GAP;
    area.w = fmax(right - area.x - GAP, 0);
    const char *words = reason_words(parts);
    double size = canvas_size(canvas, REASON_UNITS, words),
           least = canvas_least(canvas, words);
    size_t lines;
    while (paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size,
                                  area.w, leading_of(size), REASON_LINES + 1, words,
                                  &lines),
           lines > REASON_LINES && size > least)
        size--;
    bool hint = parts->page->practise->practise->hint.kind != HINT_NONE;
    area.y = round(area.y + (FOOT - (double)lines * leading_of(size)) / 2);
    paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT, size,
                        hint ? canvas->theme->ink : canvas->theme->ink_faint, area,
                        leading_of(size), REASON_LINES, words);
}

void question_panel_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const PractisePanel *panel = parts->page->practise;
    Layout layout = lay_out(parts, area.w);
    double pad = PAD;
    area.w = readable(canvas, area.w);
    scene_rectangle(canvas->scene, area, 12, theme->panel, theme->line, 1);
    if (panel->whole)
        canvas_label(canvas, FONT_TEXT, 15, theme->ink_faint,
                     (Point){area.x + area.w, area.y - 8}, LABEL_RIGHT,
                     canvas_format(canvas, "%zu / %zu", panel->number, panel->of));
    Box inner = {area.x + pad, area.y + pad, area.w - 2 * pad, area.h - 2 * pad};
    Box question = box_take_top(&inner, layout.question_height);
    draw_question(parts, &layout, question);
    box_take_top(&inner, GAP);
    draw_options(parts, &layout, &inner);
    inner.h = FOOT;
    if (has_foot(parts))
        draw_foot(parts, inner);
}

/* ---- the answer ---- */

/* Layout of the answer, "Right   It becomes smaller", shared by measuring and drawing. */
typedef struct Answer {
    const char *end, *question, *words; /* "" if there is none */
    double size, small, badge, width;   /* the question is in small type */
    double question_height, number_height, words_height, height;
    bool again;  /* with a button that asks again */
    bool column; /* one below the other, beside the picture */
} Answer;

/* Draws the number asked for: "S[learning, learning] = 1.5". */
static void draw_number(const PageParts *parts, const Answer *answer, Point baseline) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    FollowCell cell = exercise_of(parts)->cell;
    const Tensor *tensor = &tape_node(player->lesson->tape, cell.node)->output;
    CellSentence sentence = {
        .pattern = "{0} = {2}",
        .cells = {{cell, false}},
        .texts = {term_number_text(canvas, tensor_at(tensor, cell.row, cell.col)), ""}};
    CellStyle style = {FONT_TEXT, canvas->theme->ink, answer->size,
                       round(answer->size * 1.15)};
    cell_sentence_draw(canvas, player, &sentence, &style, baseline);
}

/* Reason of the answer: the question's own, or the step's words if they stand nowhere
 * else. */
static const char *reason_of_answer(const PageParts *parts, const Exercise *exercise,
                                    double width) {
    const Page *page = parts->page;
    const char *because =
        exercise->question ? text_in(&exercise->question->because, page->language) : "";
    bool silent = page->presents || page->without_sentences;
    return because[0] || !silent ? because : words_in_brief(parts, width);
}

static double answer_part_height(const Canvas *canvas, double size, double width,
                                 const char *text) {
    return text[0]
               ? paragraph_measure_with(canvas->metrics, canvas->insets, FONT_TEXT, size,
                                        width, leading_of(size), ANSWER_LINES, text, NULL)
               : 0;
}

static void draw_answer_part(const Canvas *canvas, double size, Color ink, Box *area,
                             const char *text) {
    if (text[0])
        area->y +=
            paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, FONT_TEXT,
                                size, ink, *area, leading_of(size), ANSWER_LINES, text);
}

static Answer lay_out_answer(const PageParts *parts, double width) {
    static const char *const ends[] = {"", "at_once", "after_hints", "shown"};
    const Canvas *canvas = parts->canvas;
    const Exercise *exercise = exercise_of(parts);
    Answer answer = {.end =
                         canvas_string(canvas, canvas_format(canvas, "practise.ended.%s",
                                                             ends[exercise->outcome]))};
    answer.size = canvas_size(canvas, REASON_UNITS, answer.end);
    answer.badge = round(canvas_text_width(canvas, FONT_BOLD, answer.size, answer.end) +
                         2 * ANSWER_PAD);
    answer.again = !parts->page->presents;
    answer.column = parts->page->answer_beside;
    answer.width =
        answer.column ? width : readable(canvas, width) - answer.badge - 2 * ANSWER_PAD;
    if (answer.again && !answer.column)
        answer.width -= practise_button_width(canvas, "question.again") + ANSWER_PAD;
    const char *right = exercise_text_right(canvas, exercise);
    const char *because = reason_of_answer(parts, exercise, answer.width);
    answer.words = canvas_format(canvas, "%s%s%s", right,
                                 right[0] && because[0] ? "\n" : "", because);
    answer.question =
        exercise->question ? text_in(&exercise->question->text, canvas->language) : "";
    answer.small = canvas_size(canvas, ASKED_TEXT_UNITS, answer.question);
    answer.question_height =
        answer_part_height(canvas, answer.small, answer.width, answer.question);
    answer.words_height =
        answer_part_height(canvas, answer.size, answer.width, answer.words);
    if (exercise->kind == EXERCISE_CELL)
        answer.number_height = leading_of(answer.size);
    answer.height = answer.question_height + answer.number_height + answer.words_height;
    answer.height = answer.column
                        ? answer.height + (answer.again ? 2 : 1) * (FOOT + ANSWER_PAD)
                        : fmax(answer.height + 16, FOOT);
    double button = answer.again ? practise_button_width(canvas, "question.again") : 0;
    if (answer.column && fmax(answer.badge, button) > width)
        answer.height = INFINITY; /* no room: the column cuts the badge or the button */
    return answer;
}

double answer_line_height(const PageParts *parts, double width) {
    return practise_panel_answered(parts->page->practise)
               ? lay_out_answer(parts, width).height + 8
               : 0;
}

void answer_line_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    Answer answer = lay_out_answer(parts, area.w);
    box_take_top(&area, 8);
    double size = answer.size,
           texts = answer.question_height + answer.number_height + answer.words_height;
    Box mark = {area.x, area.y, answer.badge, answer.column ? FOOT : answer.height};
    double middle = round(mark.y + mark.h / 2);
    Box words = {mark.x + mark.w + ANSWER_PAD, round(middle - texts / 2), answer.width,
                 0};
    /* Right end of the button. */
    Point again = {area.x + readable(canvas, area.w), area.y};
    if (answer.column) {
        words = (Box){area.x, mark.y + mark.h + ANSWER_PAD, answer.width, 0};
        again = (Point){area.x + practise_button_width(canvas, "question.again"),
                        words.y + texts + ANSWER_PAD};
    }
    if (answer.again)
        practise_button(canvas, parts->page->practise->again, "question.again", again,
                        FOOT, false);
    canvas_fill(canvas, mark, 8, theme->good);
    canvas_text(canvas, FONT_BOLD, size, theme->good_ink,
                (Point){round(mark.x + mark.w / 2), label_baseline(middle, size)},
                LABEL_CENTER, answer.end);
    draw_answer_part(canvas, answer.small, theme->ink_soft, &words, answer.question);
    if (answer.number_height > 0)
        draw_number(parts, &answer,
                    (Point){words.x, round(words.y + size * LABEL_ASCENT)});
    words.y += answer.number_height;
    draw_answer_part(canvas, size, theme->ink, &words, answer.words);
}
