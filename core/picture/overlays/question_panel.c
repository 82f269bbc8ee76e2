#include "picture/overlays/overlays_parts.h"

#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"

#include "tensor/tape/tape.h"

#include <math.h>
#include <stdint.h>

static const double PAD = 20, GAP = 10, OPTION_LEAST = 48, OPTION_PAD = 10, BADGE = 28,
                    FOOT = 44, READABLE = 1180, ANSWER_PAD = 14, ANSWER_GAP = 8;
enum { QUESTION_LINES = 3, OPTION_LINES = 3, REASON_LINES = 2, ANSWER_LINES = 10 };

/* Layout shared by measuring and drawing. */
typedef struct Layout {
    TextBlock question; /* "": the program's own, about cells */
    double question_height;
    size_t columns, rows;
    double option_size, option_width, option_height;
    double height;
} Layout;

static const Exercise *exercise_of(const PageParts *parts) {
    return practise_exercise(parts->page->practise->practise);
}

/* Text of the exercise's question; "": it has none of its own. */
static const char *question_of(const PageParts *parts) {
    const Question *question = exercise_of(parts)->question;
    return question ? text_in(&question->text, parts->canvas->language) : "";
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

/* Width limited to readable lines; larger type needs all of it. */
static double readable(const Canvas *canvas, double width) {
    return canvas->least > 0 ? width : fmin(width, READABLE);
}

static double badge_of(const Canvas *canvas) {
    return fmax(BADGE, round(canvas_size(canvas, TYPE_TEXT, "1") * 1.5));
}

static double text_width(const Canvas *canvas, double option_width) {
    return option_width - badge_of(canvas) - 3.5 * GAP;
}

static TextBlock option_text(const PageParts *parts, const Layout *layout, size_t place) {
    const Canvas *canvas = parts->canvas;
    const Exercise *exercise = exercise_of(parts);
    bool tried = exercise->tried[place];
    return (TextBlock){.font = FONT_TEXT,
                       .size = layout->option_size,
                       .spacing = layout->question.spacing,
                       .most = OPTION_LINES,
                       .ink = tried ? canvas->theme->ink_faint : canvas->theme->ink,
                       .text = exercise_text_option(canvas, exercise, place)};
}

/* Number of lines of the longest option in a number of columns; sets the options'
 * height. */
static size_t lines_in(const PageParts *parts, Layout *layout, size_t columns,
                       double width) {
    const Canvas *canvas = parts->canvas;
    const Exercise *exercise = exercise_of(parts);
    size_t most = 1;
    layout->columns = columns;
    layout->rows = (exercise->count + columns - 1) / columns;
    layout->option_width = floor((width + GAP) / (double)columns) - GAP;
    layout->option_height = OPTION_LEAST;
    for (size_t i = 0; i < exercise->count; i++) {
        double room = text_width(canvas, layout->option_width);
        TextBlock text = option_text(parts, layout, i);
        size_t lines = text_block_lines(canvas, &text, room);
        double height = text_block_height(canvas, &text, room) + 2 * OPTION_PAD;
        layout->option_height = fmax(layout->option_height, height);
        most = lines > most ? lines : most;
    }
    return most;
}

/* Places options in the number of columns that makes them lowest, because presented pages
 * need the height for the picture's digits. */
static void place_lowest(const PageParts *parts, Layout *layout, double width) {
    size_t least = SIZE_MAX, columns = 1, count = exercise_of(parts)->count;
    for (size_t tried = 1; tried <= count; tried++) {
        size_t lines = lines_in(parts, layout, tried, width);
        size_t height = layout->rows * (lines + 1);
        if (height <= least && (tried == 1 || lines <= OPTION_LINES)) {
            least = height;
            columns = tried;
        }
    }
    lines_in(parts, layout, columns, width);
}

/* Places options in one row if all are short, else two by two, else one below the other;
 * smaller if even that takes too many lines. */
static void place_readable(const PageParts *parts, Layout *layout, double width) {
    size_t count = exercise_of(parts)->count;
    double least = canvas_least(parts->canvas, "一");
    while (lines_in(parts, layout, count, width) > 1 &&
           (count <= 3 || lines_in(parts, layout, 2, width) > 2) &&
           lines_in(parts, layout, 1, width) > 2 && layout->option_size > least)
        layout->option_size--;
}

/* Reports whether there are buttons below; presented pages leave the room to the picture,
 * because a presenter's clicker moves on by any key. */
static bool has_foot(const PageParts *parts) {
    return !parts->page->presents || parts->page->practise->whole ||
           reason_words(parts)[0] || exercise_of(parts)->placed_count;
}

static Layout lay_out(const PageParts *parts, double width) {
    const Canvas *canvas = parts->canvas;
    Layout layout = {.question =
                         text_block(canvas, FONT_BOLD, TYPE_HEAD, canvas->theme->ink,
                                    QUESTION_LINES, question_of(parts)),
                     .option_size = canvas_size(canvas, TYPE_LARGE, "一")};
    width = readable(canvas, width) - 2 * PAD;
    layout.question_height =
        layout.question.text[0]
            ? text_block_fit(canvas, &layout.question, width, INFINITY)
            : round(layout.question.size * layout.question.spacing);
    if (exercise_of(parts)->count && parts->page->presents)
        place_lowest(parts, &layout, width);
    else if (exercise_of(parts)->count)
        place_readable(parts, &layout, width);
    layout.height = layout.question_height + 2 * PAD +
                    (double)layout.rows * (layout.option_height + GAP) +
                    (has_foot(parts) ? GAP + FOOT : 0);
    return layout;
}

double question_panel_height(const PageParts *parts, double width) {
    return lay_out(parts, width).height;
}

/* ---- drawing ---- */

static void draw_question(const PageParts *parts, const Layout *layout, Box area) {
    const Canvas *canvas = parts->canvas;
    const char *brief;
    if (layout->question.text[0])
        text_block_draw(canvas, &layout->question, area);
    else
        exercise_text_draw(
            canvas, parts->page->player,
            exercise_text_sentence(canvas, parts->page->practise->practise, &brief), NULL,
            FONT_BOLD, TYPE_HEAD, (Point){area.x, round(area.y + layout->question.size)},
            area.w);
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
                       Box box) {
    const Theme *theme = canvas->theme;
    size_t order = place_in_order(exercise, place);
    bool tried = exercise->tried[place];
    canvas_dot(canvas, box_middle(box), box.w / 2, order ? theme->current : theme->panel,
               order ? theme->current : theme->line, 1);
    const char *aloud = tried ? "aloud.tried" : order ? "aloud.placed" : "aloud.choice";
    scene_begin_aloud(canvas->scene,
                      canvas_words(canvas, aloud, canvas_count(canvas, place + 1),
                                   canvas_count(canvas, order), NULL));
    text_line(canvas, FONT_BOLD, TYPE_TEXT,
              order   ? theme->current_ink
              : tried ? theme->ink_faint
                      : theme->ink_soft,
              box, LABEL_CENTER,
              tried ? "×" : canvas_count(canvas, order ? order : place + 1));
    scene_end_aloud(canvas->scene);
}

static void draw_option(const PageParts *parts, const Layout *layout, size_t place,
                        Box box) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const PractisePanel *panel = parts->page->practise;
    bool chosen = panel->chosen == place;
    TextBlock text = option_text(parts, layout, place);
    canvas_link(canvas, panel->options[place]);
    scene_rectangle(canvas->scene, box, 8, theme->page,
                    chosen ? theme->accent : theme->line, chosen ? 3 : 1);
    box_take_left(&box, 1.25 * GAP);
    draw_badge(canvas, exercise_of(parts), place, box_take_left(&box, badge_of(canvas)));
    box_take_left(&box, 1.25 * GAP);
    box_take_right(&box, GAP);
    double height = text_block_height(canvas, &text, box.w);
    box.y = round(box.y + (box.h - height) / 2);
    text_block_draw(canvas, &text, box);
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
    box_take_top(area, (double)layout->rows * (layout->option_height + GAP));
}

/* Draws the reply to a wrong answer, and further commands. */
static void draw_foot(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const PractisePanel *panel = parts->page->practise;
    const Exercise *exercise = exercise_of(parts);
    const Button buttons[] = {
        {exercise->placed_count ? panel->take_back : (Link){0}, "practise.take_back",
         false},
        {panel->see, exercise->count ? "practise.see" : "practise.look",
         !exercise->count},
        {panel->whole ? panel->stop : (Link){0}, "practise.stop", false}};
    double left =
        buttons_draw(canvas, buttons, 3, (Point){area.x + area.w, area.y}, LABEL_RIGHT);
    area.w = fmax(left - area.x - GAP, 0);
    bool hint = panel->practise->hint.kind != HINT_NONE;
    TextBlock reason = text_block(canvas, FONT_TEXT, TYPE_LARGE,
                                  hint ? canvas->theme->ink : canvas->theme->ink_faint,
                                  REASON_LINES, reason_words(parts));
    double height = text_block_fit(canvas, &reason, area.w, INFINITY);
    area.y = round(area.y + (BUTTON_HEIGHT - height) / 2);
    text_block_draw(canvas, &reason, area);
}

void question_panel_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const PractisePanel *panel = parts->page->practise;
    Layout layout = lay_out(parts, area.w);
    area.w = readable(canvas, area.w);
    scene_rectangle(canvas->scene, area, 12, theme->panel, theme->line, 1);
    if (panel->whole)
        exercise_number_draw(canvas, panel, (Point){area.x + area.w, area.y - ANSWER_GAP},
                             LABEL_RIGHT);
    Box inner = box_inset(area, PAD);
    draw_question(parts, &layout, box_take_top(&inner, layout.question_height));
    box_take_top(&inner, GAP);
    draw_options(parts, &layout, &inner);
    if (has_foot(parts))
        draw_foot(parts, inner);
}

/* ---- the answer ---- */

/* Layout of the answer, "Right   It becomes smaller", shared by measuring and drawing. */
typedef struct Answer {
    const char *end; /* kind of the outcome, on a badge */
    /* "" if there is none; presented, the right one is in large type and the question in
     * that of the reason, otherwise the question is in small type */
    TextBlock question, right, reason;
    double badge, width;  /* of the badge, and of the texts */
    double number;        /* height of the number's line; 0: none */
    double texts, height; /* of number and texts, and of all */
    Button again;         /* asks again */
    bool column;          /* one below the other, beside the picture */
} Answer;

/* Draws the number asked for: "S[learning, learning] = 1.5". */
static void draw_number(const PageParts *parts, double size, Point baseline) {
    const Canvas *canvas = parts->canvas;
    const Player *player = parts->page->player;
    FollowCell cell = exercise_of(parts)->cell;
    const Tensor *tensor = &tape_node(player->lesson->tape, cell.node)->output;
    CellSentence sentence = {
        .pattern = "{0} = {2}",
        .cells = {{cell, false}},
        .texts = {term_number_text(canvas, tensor_at(tensor, cell.row, cell.col)), ""}};
    CellStyle style = cell_style(canvas, FONT_TEXT, size, canvas->theme->ink);
    cell_sentence_draw(canvas, player, &sentence, &style, baseline);
}

/* Reason of the answer: the question's own, or the step's words if they stand nowhere
 * else. An answer in words of its own can do without the latter. */
static const char *reason_of_answer(const PageParts *parts, const Exercise *exercise,
                                    bool in_words, double width) {
    const Page *page = parts->page;
    const char *because =
        exercise->question ? text_in(&exercise->question->because, page->language) : "";
    bool silent = page->presents || page->without_sentences;
    bool without = in_words && page->answer >= ANSWER_WITHOUT_REASON;
    return because[0] || !silent || without ? because : words_in_brief(parts, width);
}

static Answer lay_out_answer(const PageParts *parts, double width) {
    static const char *const ends[] = {"", "at_once", "after_hints", "shown"};
    const Canvas *canvas = parts->canvas;
    const Theme *theme = canvas->theme;
    const Page *page = parts->page;
    const Exercise *exercise = exercise_of(parts);
    Answer answer = {.end = exercise_text(canvas, "ended", ends[exercise->outcome]),
                     .again = {page->presents ? (Link){0} : page->practise->again,
                               "question.again", false},
                     .column = page->answer_beside};
    answer.badge = text_line_width(canvas, FONT_BOLD, TYPE_TEXT, answer.end);
    answer.badge = round(answer.badge + 2 * ANSWER_PAD);
    double button = buttons_width(canvas, &answer.again, 1);
    answer.width = answer.column
                       ? width
                       : readable(canvas, width) - answer.badge - 2 * ANSWER_PAD - button;
    bool presents = page->presents, number = exercise->kind == EXERCISE_CELL;
    const char *right = exercise_text_right(canvas, exercise);
    answer.question =
        text_block(canvas, FONT_TEXT, presents ? TYPE_TEXT : TYPE_SMALL, theme->ink_soft,
                   ANSWER_LINES, page->answer == ANSWER_ALONE ? "" : question_of(parts));
    double type = !presents                          ? TYPE_TEXT
                  : answer_has_heading(page->answer) ? TYPE_LARGE
                                                     : TYPE_HEAD;
    answer.right = text_block(canvas, presents ? FONT_BOLD : FONT_TEXT, type, theme->ink,
                              ANSWER_LINES, right);
    answer.reason =
        text_block(canvas, FONT_TEXT, TYPE_TEXT, theme->ink, ANSWER_LINES,
                   reason_of_answer(parts, exercise, right[0] || number, answer.width));
    if (number)
        answer.number = round(answer.right.size * answer.right.spacing);
    answer.texts = answer.number +
                   text_block_height(canvas, &answer.question, answer.width) +
                   text_block_height(canvas, &answer.right, answer.width) +
                   text_block_height(canvas, &answer.reason, answer.width);
    answer.height = answer.column
                        ? answer.texts + (button > 0 ? 2 : 1) * (FOOT + ANSWER_PAD)
                    : presents ? answer.texts + ANSWER_GAP /* the room is the picture's */
                               : fmax(answer.texts + 2 * ANSWER_GAP, FOOT);
    if (answer.column && fmax(answer.badge, button) > width)
        answer.height = INFINITY; /* no room: the column cuts the badge or the button */
    return answer;
}

double answer_line_height(const PageParts *parts, double width) {
    return practise_panel_answered(parts->page->practise)
               ? lay_out_answer(parts, width).height + ANSWER_GAP
               : 0;
}

void answer_line_draw(const PageParts *parts, Box area) {
    const Canvas *canvas = parts->canvas;
    Answer answer = lay_out_answer(parts, area.w);
    box_take_top(&area, ANSWER_GAP);
    Box mark = {area.x, area.y, answer.badge, answer.column ? FOOT : answer.height};
    Box words = {mark.x + mark.w + ANSWER_PAD,
                 round(mark.y + (mark.h - answer.texts) / 2), answer.width, answer.texts};
    if (answer.column)
        words = (Box){area.x, mark.y + mark.h + ANSWER_PAD, answer.width, answer.texts};
    Point again = {area.x + readable(canvas, area.w), area.y};
    if (answer.column)
        again = (Point){area.x, words.y + words.h + ANSWER_PAD};
    buttons_draw(canvas, &answer.again, 1, again,
                 answer.column ? LABEL_LEFT : LABEL_RIGHT);
    canvas_fill(canvas, mark, 8, canvas->theme->good);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, canvas->theme->good_ink, mark, LABEL_CENTER,
              answer.end);
    text_block_take(canvas, &answer.question, &words);
    double size = answer.right.size;
    Box number = box_take_top(&words, answer.number);
    if (answer.number > 0)
        draw_number(parts, size,
                    (Point){number.x, round(number.y + size * LABEL_ASCENT)});
    text_block_take(canvas, &answer.right, &words);
    text_block_draw(canvas, &answer.reason, words);
}
