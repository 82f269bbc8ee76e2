#include "picture/page/worksheet_parts.h"

#include "base/arena.h"
#include "base/maths.h"
#include "lesson/content/content.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/overlays/overlays.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"

#include "tensor/tape/tape.h"

#include <string.h>

static const double MARGIN = 64, NUMBER_ROOM = 36, GAP = 26, FOOT = 40, BESIDE = 28;
static const double WORKING = 48, WORKING_MOST = 120, ANSWER_LINE = 44, BOX = 18,
                    OPTION_GAP = 12, TITLE_LINE = 36, HEAD_GAP = 12, RULE_LINE = 34,
                    ROW_CELL = 104, ROW_HEIGHT = 40;
static const double SIDE_MOST = 0.6; /* of the column, for a picture beside the answer */
enum { LINES_MOST = 8, SENTENCE_LINES = 3, CONCEPTS_MOST = 40 };
static const char BETWEEN[] = "  ·  ";

/* ---- texts ---- */

Box paper_take(Paper *paper, double height) {
    Box *column = &paper->column;
    Box strip = {column->x, column->y, column->w, height};
    column->y += height;
    column->h -= height;
    return strip;
}

static const Exercise *exercise_at(const Worksheet *worksheet, size_t index) {
    const WorksheetQuestion *question = &worksheet->questions[index];
    return &question->round->exercises[question->exercise];
}

const Exercise *paper_exercise(const Paper *paper) {
    return exercise_at(paper->worksheet,
                       (size_t)(paper->question - paper->worksheet->questions));
}

static const char *string(const Paper *paper, const char *key) {
    return canvas_string(paper->canvas, key);
}

static void put_words(Paper *paper, FontRole font, double units, Color ink,
                      const char *text) {
    TextBlock block = text_block(paper->canvas, font, units, ink, LINES_MOST, text);
    text_block_take(paper->canvas, &block, &paper->column);
}

static void put_soft(Paper *paper, const char *text) {
    put_words(paper, FONT_TEXT, TYPE_SMALL, paper->canvas->theme->ink_soft, text);
}

/* Draws a line to write on below a text's baseline, in the middle of a strip. */
static void put_rule(const Canvas *canvas, Box strip) {
    canvas_fill(canvas, (Box){strip.x, strip.y + round(strip.h / 2) + 9, strip.w, 1}, 0,
                canvas->theme->ink_faint);
}

/* Draws "Name" with a line to write on, and behind it a text. */
static void put_blank(const Canvas *canvas, const char *key, Box strip,
                      const char *behind) {
    Color ink = canvas->theme->ink;
    Box word = text_line(canvas, FONT_TEXT, TYPE_TEXT, ink, strip, LABEL_LEFT,
                         canvas_string(canvas, key));
    box_take_left(&strip, word.w + HEAD_GAP);
    if (*behind) {
        word = text_line(canvas, FONT_TEXT, TYPE_TEXT, ink, strip, LABEL_RIGHT, behind);
        box_take_right(&strip, word.w + HEAD_GAP / 2);
    }
    put_rule(canvas, strip);
}

/* ---- head and foot ---- */

static const char *name_of(const Paper *paper) {
    const Worksheet *worksheet = paper->worksheet;
    return worksheet->minutes ? string(paper, "worksheet.exam")
                              : page_title(paper->canvas, &worksheet->page);
}

/* Title of a copy: "Answers · Copy 7"; `words` without one. */
static const char *name_copy(const Paper *paper, const char *words) {
    const Worksheet *worksheet = paper->worksheet;
    const char *key = worksheet->key ? string(paper, "worksheet.key") : "";
    return worksheet->copy
               ? canvas_format(paper->canvas, "%s%s%s", key, key[0] ? BETWEEN : "",
                               canvas_words(paper->canvas, words, worksheet->copy, NULL))
               : key;
}

/* Draws what every page has at its foot. */
static void put_foot(const Paper *paper) {
    const Canvas *canvas = paper->canvas;
    const Worksheet *worksheet = paper->worksheet;
    Color ink = canvas->theme->ink_soft;
    const char *which = name_copy(paper, "worksheet.copy");
    Box foot = {MARGIN, worksheet->page.height - MARGIN / 2 - FOOT / 2,
                WORKSHEET_WIDTH - 2 * MARGIN, FOOT / 2};
    if (worksheet->pages)
        which = canvas_format(canvas, "%s%s%zu / %zu", which, which[0] ? BETWEEN : "",
                              worksheet->at, worksheet->pages);
    Box end = text_line(canvas, FONT_TEXT, TYPE_SMALL, ink, foot, LABEL_RIGHT, which);
    box_take_right(&foot, end.w + GAP);
    text_line(canvas, FONT_TEXT, TYPE_SMALL, ink, foot, LABEL_LEFT,
              canvas_format(canvas, "Glassformer%s%s", BETWEEN, name_of(paper)));
}

static const char *concept_of(const Paper *paper, const WorksheetQuestion *question) {
    const Practise *round = question->round;
    const LessonStep *words =
        player_words(round->player, round->exercises[question->exercise].step);
    return text_in(&words->concept, paper->canvas->language);
}

/* The concepts of the questions, each once: "Embedding · Softmax". */
static const char *list_concepts(const Paper *paper) {
    const Worksheet *worksheet = paper->worksheet;
    const char *list = "";
    for (size_t i = 0; i < worksheet->count; i++) {
        const char *concept = concept_of(paper, &worksheet->questions[i]);
        bool known = !concept[0];
        for (size_t k = 0; k < i && !known; k++)
            known = strcmp(concept, concept_of(paper, &worksheet->questions[k])) == 0;
        if (!known)
            list = canvas_format(paper->canvas, "%s%s%s", list, *list ? BETWEEN : "",
                                 concept);
    }
    return list;
}

/* "40 questions · 100 points · 90 minutes" */
static const char *measure(const Paper *paper) {
    const Canvas *canvas = paper->canvas;
    return canvas_words(canvas, "worksheet.measure",
                        canvas_count(canvas, paper->worksheet->count),
                        canvas_count(canvas, PAPER_POINTS),
                        canvas_count(canvas, paper->worksheet->minutes), NULL);
}

/* Puts lines for name, date, and the points of an exam. */
static void put_blanks(Paper *paper) {
    const Canvas *canvas = paper->canvas;
    bool exam = paper->worksheet->minutes > 0;
    paper_take(paper, HEAD_GAP);
    Box rest = paper_take(paper, ANSWER_LINE);
    Box points = exam ? box_take_right(&rest, 0.26 * rest.w) : (Box){0};
    Box name = box_take_left(&rest, rest.w * 0.62);
    box_take_left(&rest, 2 * HEAD_GAP);
    put_blank(canvas, "worksheet.name", name, "");
    put_blank(canvas, "worksheet.date", rest, "");
    box_take_left(&points, 2 * HEAD_GAP);
    if (exam)
        put_blank(canvas, "worksheet.points", points,
                  canvas_format(canvas, "/ %d", PAPER_POINTS));
    put_soft(paper, string(paper, "worksheet.digits"));
}

/* Puts title, goal, concepts, and lines for name and date. */
static void put_head(Paper *paper) {
    const Canvas *canvas = paper->canvas;
    const Theme *theme = canvas->theme;
    const Worksheet *worksheet = paper->worksheet;
    bool exam = worksheet->minutes > 0;
    const char *title = name_of(paper), *concepts = exam ? "" : list_concepts(paper);
    const char *which = name_copy(
        paper, worksheet->redrawn || exam ? "worksheet.copy" : "worksheet.copy_own");
    double width = text_line_width(canvas, FONT_BOLD, TYPE_TITLE, title);
    Box end =
        text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink,
                  (Box){paper->column.x, paper->column.y, paper->column.w, TITLE_LINE},
                  LABEL_RIGHT, which);
    if (which[0] && paper->column.x + width + GAP > end.x)
        paper_take(paper, TITLE_LINE);
    put_words(paper, FONT_BOLD, TYPE_TITLE, theme->ink, title);
    paper_take(paper, HEAD_GAP / 2);
    put_words(
        paper, FONT_TEXT, TYPE_TEXT, theme->ink_soft,
        exam ? canvas_format(canvas, "%s%s%s", worksheet->title, BETWEEN, measure(paper))
             : text_in(&worksheet->page.player->lesson->goal, canvas->language));
    if (concepts[0])
        put_soft(paper, canvas_words(canvas, "worksheet.concepts", concepts, NULL));
    if (!worksheet->key)
        put_blanks(paper);
    paper_take(paper, HEAD_GAP);
    canvas_fill(canvas, paper_take(paper, 1.5), 0, theme->ink);
    paper_take(paper, GAP);
}

/* ---- answers ---- */

/* Puts the sum of a cell, "A[I, am] = 1 × 0 + 1 × 1 = 1", in type so small that it is
 * whole if possible, and its quantities below. */
static void put_sum(Paper *paper, FollowCell cell) {
    const Canvas *canvas = paper->canvas;
    const Player *player = paper->parts->page->player;
    CellName name = {cell, false};
    CellStyle style = cell_style(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink);
    CellSum sum = cell_sum_of(paper->parts, cell);
    double width = paper->column.w - cell_name_width(canvas, player, &name, &style);
    double size = cell_sum_fit_value(&sum, TYPE_TEXT, width);
    if (sum.writer.shortened) {
        style = cell_style(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink);
        width = paper->column.w - cell_name_width(canvas, player, &name, &style);
        size = cell_sum_fit_value(&sum, TYPE_SMALL, width);
    }
    Box line = paper_take(paper, ANSWER_LINE - HEAD_GAP);
    double baseline = label_baseline(line.y + line.h / 2, style.size);
    double end = cell_name_draw(canvas, player, &name, &style, (Point){line.x, baseline});
    runs_draw(sum.value, size, (Point){end, baseline});
    size = cell_sum_fit_quantities(&sum, TYPE_SMALL, paper->column.w);
    if (!sum.quantities->count)
        return;
    Box below = paper_take(paper, ANSWER_LINE / 2);
    runs_draw(sum.quantities, size,
              (Point){below.x, label_baseline(below.y + below.h / 2, size)});
}

/* Puts "S[learning, learning] = " and a line to write on. */
static void put_number(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    CellName name = {exercise->cell, false};
    CellStyle style = cell_style(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink);
    paper_take(paper, WORKING + paper->room);
    Box line = paper_take(paper, ANSWER_LINE);
    double baseline = label_baseline(line.y + line.h / 2, style.size);
    double end = cell_name_draw(canvas, paper->parts->page->player, &name, &style,
                                (Point){line.x, baseline});
    box_take_left(&line, end - line.x + OPTION_GAP / 2);
    Box sign = text_line(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink, line,
                         LABEL_LEFT, "=");
    box_take_left(&line, sign.w + OPTION_GAP / 2);
    put_rule(canvas, line);
}

/* Puts a row of blank cells below their columns' names, unless the picture has cells to
 * write into. */
static void put_row(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const Theme *theme = canvas->theme;
    const Practise *round = paper->question->round;
    FollowCell cells[PAPER_ROW_COLUMNS];
    size_t count = paper_cells(round, exercise, cells);
    paper_take(paper, WORKING + paper->room);
    if (paper->writes_into_picture)
        return;
    Box labels = paper_take(paper, ROW_HEIGHT / 2), row = paper_take(paper, ROW_HEIGHT);
    double width = fmin(ROW_CELL, floor(row.w / (double)count));
    for (size_t i = 0; i < count; i++) {
        text_line(canvas, FONT_TEXT, TYPE_SMALL, theme->ink_soft,
                  (Box){labels.x + width * (double)i, labels.y, width, labels.h},
                  LABEL_CENTER, exercise_text_column(canvas, round, cells[i]));
        canvas_outline(canvas, (Box){row.x + width * (double)i, row.y, width + 3, row.h},
                       0, theme->ink, 3);
    }
    paper_take(paper, OPTION_GAP);
}

/* Puts lines for sentences. */
static void put_lines(Paper *paper) {
    for (int i = 0; i < SENTENCE_LINES; i++)
        put_rule(paper->canvas, paper_take(paper, RULE_LINE));
    paper_take(paper, paper->room / 2 + OPTION_GAP);
}

/* Draws a box for a tick or for a rank; filled in on the key. */
static void put_box(const Paper *paper, const Exercise *exercise, size_t place, Box box) {
    const Canvas *canvas = paper->canvas;
    Color ink = canvas->theme->ink;
    canvas_outline(canvas, box, 2, ink, 1.5);
    if (!paper->worksheet->key)
        return;
    if (exercise->kind == EXERCISE_ORDER)
        text_line(canvas, FONT_BOLD, TYPE_SMALL, ink, box, LABEL_CENTER,
                  canvas_count(canvas, exercise->shown[place] + 1));
    else if (exercise_text_is_right(exercise, place))
        tool_draw(canvas, TOOL_USE, box_inset(box, 2), ink);
}

/* Reason why an option is wrong; "" if it is right, or there is none. */
static const char *wrong_because(const Paper *paper, const Exercise *exercise,
                                 size_t place) {
    if (exercise->kind != EXERCISE_CHOICE)
        return "";
    const QuestionOption *option = &exercise->question->options[exercise->shown[place]];
    return option->right ? "" : text_in(&option->because, paper->canvas->language);
}

/* Puts an option with its box; on the key with the reason why it is wrong. */
static void put_option(Paper *paper, const Exercise *exercise, size_t place) {
    const Canvas *canvas = paper->canvas;
    const Theme *theme = canvas->theme;
    Box column = paper->column;
    bool right = paper->worksheet->key && exercise->kind != EXERCISE_ORDER &&
                 exercise_text_is_right(exercise, place);
    put_box(paper, exercise, place, (Box){column.x, column.y + 2, BOX, BOX});
    box_take_left(&paper->column, BOX + OPTION_GAP);
    put_words(paper, right ? FONT_BOLD : FONT_TEXT, TYPE_TEXT, theme->ink,
              exercise_text_option(canvas, exercise, place));
    if (paper->worksheet->key)
        put_soft(paper, wrong_because(paper, exercise, place));
    paper->column.x = column.x;
    paper->column.w = column.w;
    paper_take(paper, OPTION_GAP / 2);
}

static void put_options(Paper *paper, const Exercise *exercise) {
    if (exercise->kind == EXERCISE_ORDER)
        put_soft(paper, string(paper, "worksheet.order"));
    paper_take(paper, OPTION_GAP);
    for (size_t i = 0; i < exercise->count; i++)
        put_option(paper, exercise, i);
}

/* Puts the reason for the answer: the question's own, or the step's text. */
static void put_reason(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const LessonStep *words = player_words(paper->parts->page->player, exercise->step);
    const Text *own = exercise->question ? &exercise->question->because : NULL;
    const Text *reason = own && !text_is_empty(own) ? own : &words->say;
    if (exercise->kind == EXERCISE_DIRECTION)
        put_words(paper, FONT_BOLD, TYPE_TEXT, canvas->theme->ink,
                  exercise_text_right(canvas, exercise));
    if (!paper->worksheet->redrawn || paper_fits(reason))
        put_words(paper, FONT_TEXT, TYPE_SMALL,
                  exercise->kind == EXERCISE_THOUGHT ? canvas->theme->ink
                                                     : canvas->theme->ink_soft,
                  text_in(reason, canvas->language));
}

/* ---- questions ---- */

/* Puts "Softmax · 8 · One attention head", and at the right end "3 points". */
static void put_topic(Paper *paper) {
    const Canvas *canvas = paper->canvas;
    const WorksheetQuestion *question = paper->question;
    const char *topic = concept_of(paper, question);
    Box line = {paper->column.x, paper->column.y, paper->column.w, TYPE_SMALL * 1.5};
    if (paper->worksheet->minutes) {
        Page page = {.player = paper->parts->page->player,
                     .language = canvas->language,
                     .number = question->lesson};
        topic = canvas_format(canvas, "%s%s%s", topic, topic[0] ? BETWEEN : "",
                              page_title(canvas, &page));
        const char *key =
            question->points == 1 ? "worksheet.point" : "worksheet.points_of";
        Box end = text_line(
            canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink, line, LABEL_RIGHT,
            canvas_words(canvas, key, canvas_count(canvas, question->points), NULL));
        box_take_right(&line, end.w + GAP);
    }
    if (!topic[0])
        return;
    text_line(canvas, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft, line, LABEL_LEFT,
              topic);
    paper_take(paper, line.h + 2);
}

/* Sentence of a question about a row: "A: fill in row “am”." */
static CellSentence row_sentence(const Paper *paper) {
    const char *brief;
    CellSentence sentence = exercise_text_sentence(
        paper->canvas, paper->parts->page->practise->practise, &brief);
    const Exercise *exercise = paper_exercise(paper);
    const Tape *tape = paper->question->round->player->lesson->tape;
    bool only = tape_node(tape, exercise->cell.node)->output.rows == 1;
    sentence.pattern = string(paper, only ? "worksheet.row_only" : "worksheet.row");
    return sentence;
}

static void put_question(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const Player *player = paper->parts->page->player;
    const LessonStep *words = player_words(player, exercise->step);
    const char *own =
        exercise->question ? text_in(&exercise->question->text, canvas->language) : "";
    if (exercise->kind == EXERCISE_THOUGHT) {
        put_words(paper, FONT_BOLD, TYPE_LARGE, canvas->theme->ink,
                  text_in(&words->heading, canvas->language));
        put_words(paper, FONT_TEXT, TYPE_TEXT, canvas->theme->ink,
                  paper->worksheet->key ? "" : string(paper, "worksheet.explain"));
        return;
    }
    if (own[0] && exercise->kind != EXERCISE_CELL) {
        put_words(paper, FONT_BOLD, TYPE_LARGE, canvas->theme->ink, own);
        return;
    }
    const char *brief = NULL;
    CellSentence sentence =
        exercise->whole_row ? row_sentence(paper)
                            : exercise_text_sentence(
                                  canvas, paper->parts->page->practise->practise, &brief);
    Box line = paper_take(paper, TITLE_LINE);
    exercise_text_draw(canvas, player, sentence, brief, FONT_TEXT, TYPE_LARGE,
                       (Point){line.x, label_baseline(line.y + line.h / 2, TYPE_LARGE)},
                       line.w);
}

/* Puts the formula of the number that is asked for or watched; returns its size. */
static Box put_formula(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const char *source = words_formula_of(paper->parts);
    bool is_idea = exercise->kind == EXERCISE_DIRECTION && !exercise->question;
    if ((exercise->kind != EXERCISE_CELL && !is_idea) || !strchr(source, '='))
        return (Box){0};
    double size = canvas_size(canvas, TYPE_HEAD, ""), least = canvas_least(canvas, "");
    FormulaExtent extent =
        canvas_formula_fit(canvas, source, least, paper->column.w, &size);
    Box line = paper_take(paper, extent.ascent + extent.descent + OPTION_GAP);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, source, size,
                 (Point){line.x, round(line.y + OPTION_GAP / 2 + extent.ascent)});
    return (Box){line.x, line.y, extent.width, line.h};
}

static void put_answer(Paper *paper, const Exercise *exercise) {
    bool key = paper->worksheet->key;
    if (exercise->count)
        put_options(paper, exercise);
    else if (key)
        return;
    else if (exercise->kind == EXERCISE_THOUGHT)
        put_lines(paper);
    else if (exercise->whole_row)
        put_row(paper, exercise);
    else
        put_number(paper, exercise);
}

/* Puts formula, picture and answer: the picture at the right if the others have room
 * beside it, else between them. */
static void put_body(Paper *paper, const Exercise *exercise) {
    Scene *scene = paper->canvas->scene;
    Box formula = put_formula(paper, exercise);
    paper_take(paper, HEAD_GAP / 2);
    Box column = paper->column;
    size_t first = scene->count;
    Box picture = paper_draw_picture(paper);
    double left = column.w - picture.w - BESIDE, up = formula.w <= left ? formula.h : 0;
    bool beside = picture.w > 0 && picture.w <= SIDE_MOST * column.w;
    if (beside) {
        scene_scale(scene, first, 1, (Point){column.w - picture.w, -up});
        paper->column.w = left;
    } else {
        paper_take(paper, picture.h > 0 ? picture.h + HEAD_GAP : 0);
    }
    if (!paper->worksheet->key)
        paper_put_givens(paper, first);
    put_answer(paper, exercise);
    double below = picture.y - up + picture.h + HEAD_GAP - paper->column.y;
    paper->column.w = column.w;
    if (beside && below > 0)
        paper_take(paper, below);
}

static void put_exercise(Paper *paper, const Exercise *exercise, size_t number) {
    const Canvas *canvas = paper->canvas;
    double size = canvas_size(canvas, TYPE_LARGE, "1");
    canvas_label(canvas, FONT_BOLD, TYPE_LARGE, canvas->theme->ink,
                 (Point){MARGIN, round(paper->column.y + size)}, LABEL_LEFT,
                 canvas_count(canvas, number));
    put_topic(paper);
    put_question(paper, exercise);
    put_body(paper, exercise);
    if (paper->worksheet->key) {
        FollowCell cells[PAPER_ROW_COLUMNS];
        size_t count = paper_cells(paper->question->round, exercise, cells);
        for (size_t i = 0; i < count; i++)
            put_sum(paper, cells[i]);
        put_reason(paper, exercise);
    }
    paper_take(paper, GAP);
}

/* Puts the name of the part of the course that an exam's question begins. */
static void put_part(Paper *paper, size_t index) {
    const Canvas *canvas = paper->canvas;
    const Worksheet *worksheet = paper->worksheet;
    const char *part = "", *before = "";
    for (size_t i = 0; i < 2 && i <= index; i++) {
        const Lesson *lesson = worksheet->questions[index - i].round->player->lesson;
        *(i ? &before : &part) = text_in(&lesson->part, canvas->language);
    }
    if (!worksheet->minutes || strcmp(part, before) == 0)
        return;
    put_words(paper, FONT_BOLD, TYPE_HEAD, canvas->theme->ink, part);
    paper_take(paper, HEAD_GAP);
}

/* Begins drawing for a page, with its lesson's names. */
static void begin_drawing(PageDrawing *drawing, Scene *scene, const Page *page) {
    page_drawing_init(drawing, scene, page);
    drawing->canvas.without_legends = drawing->canvas.without_verdicts = true;
}

/* Reports whether an exercise is about a cell that it has chosen itself; the picture of
 * another has the focus of the step's page, which its texts are about. */
static bool names_cell(const Exercise *exercise) {
    return exercise->kind != EXERCISE_CHOICE && exercise->kind != EXERCISE_ORDER &&
           exercise->kind != EXERCISE_THOUGHT;
}

/* Draws a question at the top of the column. */
static void draw_question(Paper *paper, size_t index) {
    const Worksheet *worksheet = paper->worksheet;
    WorksheetQuestion *question = &worksheet->questions[index];
    Practise practise = *question->round;
    practise.at = question->exercise;
    Exercise *exercise = &practise.exercises[practise.at];
    Player player = *practise.player;
    PractisePanel panel = {.practise = &practise, .answer = "", .chosen = PLAYER_NONE};
    Page page = worksheet->page;
    PageDrawing drawing;
    PageParts parts = {&drawing.canvas, &page};
    bool known = worksheet->key || exercise->kind == EXERCISE_DIRECTION ||
                 exercise->kind == EXERCISE_THOUGHT;
    exercise->outcome = known ? EXERCISE_AT_ONCE : EXERCISE_OPEN;
    player_jump(&player, exercise->step);
    page.player = &player;
    page.practise = &panel;
    page.has_focus = names_cell(exercise) && practise_panel_focus(&panel, &page.focus);
    begin_drawing(&drawing, paper->canvas->scene, &page);
    paper->parts = &parts;
    paper->question = question;
    put_part(paper, index);
    const Canvas *around = paper->canvas;
    paper->canvas = &drawing.canvas;
    put_exercise(paper, exercise, index + 1);
    paper->canvas = around;
}

/* ---- pages ---- */

static Box page_column(const Worksheet *worksheet) {
    return (Box){MARGIN, MARGIN, WORKSHEET_WIDTH - 2 * MARGIN,
                 worksheet->page.height - 1.5 * MARGIN - FOOT};
}

/* Arguments of a drawing that runs under the guard of the scene's arena. */
typedef struct Drawing {
    Paper paper;
    size_t first, next; /* questions of the page; or first == next: the one measured */
} Drawing;

static void draw_guarded(void *context) {
    Drawing *drawing = context;
    Paper *paper = &drawing->paper;
    const Worksheet *worksheet = paper->worksheet;
    put_foot(paper);
    if (drawing->first == 0)
        put_head(paper);
    box_take_left(&paper->column, NUMBER_ROOM);
    double left = paper->column.h + GAP;
    for (drawing->next = drawing->first; drawing->next < worksheet->count;
         drawing->next++) {
        double height = worksheet->questions[drawing->next].height;
        if (height > left && drawing->next > drawing->first)
            break;
        left -= height;
    }
    size_t writing = 0;
    for (size_t i = drawing->first; i < drawing->next; i++)
        writing += !exercise_at(worksheet, i)->count;
    if (!worksheet->key && left > 0 && writing)
        paper->room = fmin(floor(left / (double)writing), WORKING_MOST);
    for (size_t i = drawing->first; i < drawing->next; i++)
        draw_question(paper, i);
}

static void measure_guarded(void *context) {
    Drawing *drawing = context;
    Paper *paper = &drawing->paper;
    WorksheetQuestion *question = &paper->worksheet->questions[drawing->first];
    double top = paper->column.y;
    question->picture_width = 0;
    box_take_left(&paper->column, NUMBER_ROOM);
    draw_question(paper, drawing->first);
    question->height = paper->column.y - top;
}

/* Begins a scene and draws into it. */
static size_t draw(Scene *scene, Arena *arena, const Worksheet *worksheet, size_t first,
                   void (*guarded)(void *context)) {
    Page page = worksheet->page;
    PageDrawing drawing;
    page.player = worksheet->questions[0].round->player;
    scene_init(scene, arena, WORKSHEET_WIDTH, page.height, page.theme->page);
    begin_drawing(&drawing, scene, &page);
    Drawing this = {.paper = {.worksheet = worksheet,
                              .canvas = &drawing.canvas,
                              .column = page_column(worksheet)},
                    .first = first,
                    .next = first};
    arena_guard(arena, guarded, &this);
    return this.next;
}

size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first) {
    return draw(scene, arena, worksheet, first, draw_guarded);
}

bool worksheet_begin(Worksheet *worksheet, Arena *scratch) {
    size_t pages = 0;
    Scene scene;
    worksheet->at = worksheet->pages = 0;
    for (size_t i = 0; i < worksheet->count; i++) {
        arena_reset(scratch);
        draw(&scene, scratch, worksheet, i, measure_guarded);
        if (!scene_complete(&scene))
            return false;
    }
    for (size_t at = 0; at < worksheet->count; pages++) {
        arena_reset(scratch);
        at = worksheet_draw(&scene, scratch, worksheet, at);
        if (!scene_complete(&scene))
            return false;
    }
    arena_reset(scratch);
    worksheet->pages = pages;
    return true;
}
