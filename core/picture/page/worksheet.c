#include "picture/page/worksheet.h"

#include "lesson/content/changes.h"
#include "picture/draw/heatmap.h"
#include "picture/explain/cell_sum.h"
#include "picture/page/page_stage.h"
#include "picture/panels/asked.h"
#include "picture/scene/scene_scale.h"
#include "picture/stage/stage.h"
#include "picture/words/insets.h"

#include <math.h>
#include <string.h>

static const double MARGIN = 64, NUMBER_ROOM = 36, GAP = 34, FOOT = 40;
static const double TITLE_UNITS = 26, QUESTION_UNITS = 19, TEXT_UNITS = 17,
                    SMALL_UNITS = 15, LEADING = 1.3;
static const double CELL = 46, READ_CELL = 36, PICTURE_LEAST = 200, PICTURE_STEP = 30,
                    PICTURE_MOST = 560; /* heights */
static const double ANSWER_LINE = 44, RULE = 1, BOX = 20, OPTION_GAP = 14;
enum { LINES_MOST = 6, PAGES_WANTED = 2, WHOLE_ENOUGH = 4 };

/* The page being filled. */
typedef struct Paper {
    const Worksheet *worksheet;
    const PageParts *parts; /* of the exercise in hand */
    const Canvas *canvas;
    double y, bottom;
    double cell; /* no smaller are the cells that are written into */
} Paper;

/* ---- texts ---- */

static void put_words(Paper *paper, FontRole font, double units, Color ink, double left,
                      const char *text) {
    const Canvas *canvas = paper->canvas;
    if (!text || !text[0])
        return;
    double size = canvas_size(canvas, units, text);
    Box area = {left, paper->y, WORKSHEET_WIDTH - MARGIN - left, 0};
    paper->y +=
        paragraph_draw_with(canvas->scene, canvas->metrics, canvas->insets, font, size,
                            ink, area, round(size * LEADING), LINES_MOST, text);
}

static void put_sentence(Paper *paper, CellSentence sentence, const char *brief) {
    const Canvas *canvas = paper->canvas;
    const Player *player = paper->parts->page->player;
    double left = MARGIN + NUMBER_ROOM, width = WORKSHEET_WIDTH - MARGIN - left;
    double size = canvas_size(canvas, TEXT_UNITS, sentence.pattern);
    CellStyle style = {FONT_TEXT, canvas->theme->ink, size, round(size * 1.15)};
    if (brief && cell_sentence_width(canvas, player, &sentence, &style) > width)
        sentence.pattern = brief;
    while (style.size > canvas_least(canvas, "一") &&
           cell_sentence_width(canvas, player, &sentence, &style) > width) {
        style.size--;
        style.name_size = round(style.size * 1.15);
    }
    cell_sentence_draw(canvas, player, &sentence, &style,
                       (Point){left, round(paper->y + size)});
    paper->y += round(size * 1.6);
}

static void put_rule(const Canvas *canvas, double left, double right, double y) {
    canvas_fill(canvas, (Box){left, y, right - left, RULE}, 0, canvas->theme->ink_faint);
}

static void begin_page(Paper *paper, bool is_first) {
    const Canvas *canvas = paper->canvas;
    const Theme *theme = canvas->theme;
    const Worksheet *worksheet = paper->worksheet;
    const Lesson *lesson = worksheet->page.player->lesson;
    double right = WORKSHEET_WIDTH - MARGIN;
    const char *title = text_in(&lesson->title, canvas->language);
    if (worksheet->page.number)
        title = canvas_format(canvas, "%zu · %s", worksheet->page.number, title);
    const char *which = worksheet->key ? canvas_string(canvas, "worksheet.key") : "";
    if (worksheet->copy)
        which =
            canvas_format(canvas, "%s%s%s", which, which[0] ? "  ·  " : "",
                          canvas_words(canvas, "worksheet.copy", worksheet->copy, NULL));
    double foot = worksheet->page.height - MARGIN / 2;
    canvas_label(canvas, FONT_TEXT, SMALL_UNITS, theme->ink_soft, (Point){MARGIN, foot},
                 LABEL_LEFT, canvas_format(canvas, "Glassformer  ·  %s", title));
    canvas_label(canvas, FONT_TEXT, SMALL_UNITS, theme->ink_soft, (Point){right, foot},
                 LABEL_RIGHT, which);
    paper->bottom = worksheet->page.height - MARGIN / 2 - FOOT;
    paper->y = MARGIN;
    if (!is_first)
        return;
    double baseline = paper->y + TITLE_UNITS;
    canvas_label(canvas, FONT_BOLD, QUESTION_UNITS, theme->ink, (Point){right, baseline},
                 LABEL_RIGHT, which);
    put_words(paper, FONT_BOLD, TITLE_UNITS, theme->ink, MARGIN, title);
    paper->y += 6;
    put_words(paper, FONT_TEXT, TEXT_UNITS, theme->ink_soft, MARGIN,
              text_in(&lesson->goal, canvas->language));
    if (!worksheet->key) {
        paper->y += ANSWER_LINE * 0.9;
        Box name = canvas_label(canvas, FONT_TEXT, TEXT_UNITS, theme->ink,
                                (Point){MARGIN, paper->y}, LABEL_LEFT,
                                canvas_string(canvas, "worksheet.name"));
        double middle = WORKSHEET_WIDTH * 0.66;
        put_rule(canvas, name.x + name.w + 12, middle - 24, paper->y + 4);
        Box date = canvas_label(canvas, FONT_TEXT, TEXT_UNITS, theme->ink,
                                (Point){middle, paper->y}, LABEL_LEFT,
                                canvas_string(canvas, "worksheet.date"));
        put_rule(canvas, date.x + date.w + 12, right, paper->y + 4);
        paper->y += 20;
    }
    if (!worksheet->key)
        put_words(paper, FONT_TEXT, SMALL_UNITS, theme->ink_soft, MARGIN,
                  canvas_string(canvas, "worksheet.digits"));
    paper->y += GAP;
}

/* ---- pictures ---- */

static bool is_asked(const Worksheet *worksheet, const Tape *tape, Link link) {
    if (link.kind != LINK_CELL && link.kind != LINK_SOURCE)
        return false;
    changes_resolve(tape, &link.index, &link.row, &link.col);
    for (size_t i = 0; i < worksheet->practise->count; i++) {
        const Exercise *exercise = &worksheet->practise->exercises[i];
        FollowCell cell = exercise->cell;
        if (worksheet->left_out[i] || exercise->kind != EXERCISE_CELL)
            continue;
        changes_resolve(tape, &cell.node, &cell.row, &cell.col);
        if (cell.node == link.index && cell.row == link.row && cell.col == link.col)
            return true;
    }
    return false;
}

/* Of the cells that are asked for somewhere on the sheet nothing is left but a frame,
 * which is strong where they are to be filled in. */
static void make_blank(Paper *paper, size_t first, bool written) {
    Scene *scene = paper->canvas->scene;
    const Theme *theme = paper->canvas->theme;
    const Tape *tape = paper->worksheet->page.player->lesson->tape;
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        if (!is_asked(paper->worksheet, tape, item->link))
            continue;
        item->fill.a = 0;
        if (item->kind != SCENE_RECTANGLE)
            continue;
        item->fill = theme->page;
        item->stroke = written ? theme->ink : theme->line;
        item->width = written ? fmax(item->width, 2) : 1;
    }
}

/* How tall the smallest cell is that was drawn; 0 where none was. */
static double smallest_cell(const Scene *scene, size_t first) {
    double smallest = INFINITY;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL)
            smallest = fmin(smallest, fmin(item->box.w, item->box.h));
    }
    return isfinite(smallest) ? smallest : 0;
}

/* Whether numbers that are reckoned with were drawn with fewer digits behind the point
 * than are asked for. */
static bool rounds(const Scene *scene, size_t first, const Tape *tape) {
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        const char *point = item->kind == SCENE_TEXT && item->link.kind == LINK_CELL
                                ? strchr(item->text, '.')
                                : NULL;
        if (point && (int)strlen(point + 1) <
                         heatmap_decimals(&tape_node(tape, item->link.index)->output))
            return true;
    }
    return false;
}

/* Draws it as tall as its cells need to be written into, or to be read; and as its
 * numbers need to be whole, where a page has that. */
static void draw_picture(Paper *paper, bool written) {
    Scene *scene = paper->canvas->scene;
    const Tape *tape = paper->worksheet->page.player->lesson->tape;
    Box area = {MARGIN, paper->y, WORKSHEET_WIDTH - 2 * MARGIN, PICTURE_LEAST};
    double least = written ? paper->cell : READ_CELL, enough = PICTURE_MOST;
    size_t first = scene->count;
    bool whole = false;
    for (; area.h <= PICTURE_MOST && !whole; area.h += PICTURE_STEP) {
        scene->count = first;
        page_stage_draw(paper->parts, area);
        bool large = smallest_cell(scene, first) >= least;
        enough = large ? fmin(enough, area.h) : enough;
        whole = large && !(written && rounds(scene, first, tape));
    }
    if (whole)
        return;
    area.h = enough;
    scene->count = first;
    page_stage_draw(paper->parts, area);
}

/* The room above and below it is taken away. */
static void put_picture(Paper *paper, bool written) {
    Scene *scene = paper->canvas->scene;
    size_t first = scene->count;
    double top = INFINITY, bottom = -INFINITY;
    draw_picture(paper, written);
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP)
            continue;
        top = fmin(top, item->box.y);
        bottom = fmax(bottom, item->box.y + item->box.h);
    }
    if (!paper->worksheet->key)
        make_blank(paper, first, written);
    if (bottom > top)
        scene_scale(scene, first, 1, (Point){0, paper->y + 10 - top});
    paper->y += fmax(bottom - top, 0) + 20;
}

/* ---- answers ---- */

/* "S[learning, learning] = ", and a line to write on, or the sum. */
static void put_number(Paper *paper) {
    const Canvas *canvas = paper->canvas;
    const PageParts *parts = paper->parts;
    FollowCell cell = practise_exercise(parts->page->practise->practise)->cell;
    double left = MARGIN + NUMBER_ROOM, right = WORKSHEET_WIDTH - MARGIN;
    double size = canvas_size(canvas, QUESTION_UNITS, "一");
    double baseline = round(paper->y + ANSWER_LINE * 0.7);
    CellName name = {cell, false};
    CellStyle style = {FONT_TEXT, canvas->theme->ink, size, round(size * 1.15)};
    double end = cell_name_draw(canvas, parts->page->player, &name, &style,
                                (Point){left, baseline});
    paper->y += ANSWER_LINE;
    if (!paper->worksheet->key) {
        Box sign = canvas_label(canvas, FONT_TEXT, QUESTION_UNITS, canvas->theme->ink,
                                (Point){end + 8, baseline}, LABEL_LEFT, "=");
        put_rule(canvas, sign.x + sign.w + 10, right, baseline + 5);
        return;
    }
    CellSum sum = {.node = cell.node, .row = cell.row, .col = cell.col};
    SumLines lines;
    if (!cell_sum_init(&sum, parts) || !sum_lines_init(&lines, parts))
        return;
    size = sum_lines_fit_value(&lines, &sum, QUESTION_UNITS, right - end);
    runs_draw(lines.value, size, (Point){end, baseline});
    size = sum_lines_fit_quantities(&lines, &sum, SMALL_UNITS, right - left);
    if (!lines.quantities->count)
        return;
    runs_draw(lines.quantities, size, (Point){left, baseline + ANSWER_LINE * 0.6});
    paper->y += ANSWER_LINE * 0.5;
}

/* A box to tick, or to write a place into; on the key it is. */
static void put_box(const Paper *paper, const Exercise *exercise, size_t place,
                    Point corner) {
    const Canvas *canvas = paper->canvas;
    const Theme *theme = canvas->theme;
    Box box = {corner.x, corner.y, BOX, BOX};
    canvas_outline(canvas, box, 2, theme->ink, 1.5);
    if (!paper->worksheet->key)
        return;
    if (exercise->kind == EXERCISE_ORDER) {
        canvas_label(canvas, FONT_BOLD, SMALL_UNITS, theme->ink,
                     (Point){box.x + BOX / 2, box.y + BOX * 0.76}, LABEL_CENTER,
                     canvas_count(canvas, exercise->shown[place] + 1));
    } else if (asked_is_right(exercise, place)) {
        Point tick[] = {{box.x + 4, box.y + 10},
                        {box.x + 8.5, box.y + 15.5},
                        {box.x + 16.5, box.y + 4}};
        scene_path(canvas->scene, tick, 3, 2.5, theme->ink);
    }
}

/* In one line where they have room, else below each other. */
static void put_options(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    double left = MARGIN + NUMBER_ROOM, width = WORKSHEET_WIDTH - MARGIN - left;
    double size = canvas_size(canvas, TEXT_UNITS, "一");
    double each = width / (double)exercise->count;
    bool in_line = exercise->count <= 3;
    for (size_t i = 0; i < exercise->count; i++)
        in_line &= canvas_text_width(canvas, FONT_TEXT, size,
                                     asked_option(canvas, exercise, i)) <
                   each - BOX - 2 * OPTION_GAP;
    if (exercise->kind == EXERCISE_ORDER)
        put_words(paper, FONT_TEXT, SMALL_UNITS, canvas->theme->ink_soft, left,
                  canvas_string(canvas, "worksheet.order"));
    double y = paper->y + OPTION_GAP;
    for (size_t i = 0; i < exercise->count; i++) {
        double x = left + (in_line ? each * (double)i : 0);
        put_box(paper, exercise, i, (Point){x, y});
        paper->y = y - 1;
        put_words(paper, FONT_TEXT, TEXT_UNITS, canvas->theme->ink, x + BOX + 10,
                  asked_option(canvas, exercise, i));
        if (!in_line)
            y = paper->y + 8;
    }
    paper->y += 4;
}

static void put_reason(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    double left = MARGIN + NUMBER_ROOM;
    if (exercise->kind == EXERCISE_DIRECTION)
        put_words(paper, FONT_BOLD, SMALL_UNITS, canvas->theme->ink, left,
                  asked_right(canvas, exercise));
    if (exercise->question && !paper->worksheet->redrawn)
        put_words(paper, FONT_TEXT, SMALL_UNITS, canvas->theme->ink_soft, left,
                  text_in(&exercise->question->because, canvas->language));
}

/* ---- exercises ---- */

/* Whether what a lesson says may be shown: of other numbers than its own it says nothing
 * that has digits. */
static const char *fitting(const Worksheet *worksheet, const char *text) {
    return worksheet->redrawn && strpbrk(text, "0123456789") ? "" : text;
}

static bool has_picture(const Exercise *exercise) {
    return exercise->kind == EXERCISE_CELL || exercise->kind == EXERCISE_DIRECTION ||
           exercise->question->open;
}

static void put_question(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const Player *player = paper->parts->page->player;
    const LessonStep *words = player_words(player, exercise->step);
    const char *own =
        exercise->question ? text_in(&exercise->question->text, canvas->language) : "";
    bool cell = exercise->kind == EXERCISE_CELL, told = own[0] && !cell;
    const char *heading =
        told ? own
             : fitting(paper->worksheet, text_in(&words->heading, canvas->language));
    put_words(paper, FONT_BOLD, QUESTION_UNITS, canvas->theme->ink, MARGIN + NUMBER_ROOM,
              heading);
    if (told)
        return;
    const char *brief;
    CellSentence sentence =
        asked_sentence(canvas, paper->parts->page->practise->practise, &brief);
    paper->y += heading[0] ? 4 : 0;
    put_sentence(paper, sentence, brief);
}

static void put_exercise(Paper *paper, const Exercise *exercise, size_t number) {
    const Canvas *canvas = paper->canvas;
    double size = canvas_size(canvas, QUESTION_UNITS, "1");
    canvas_label(canvas, FONT_BOLD, QUESTION_UNITS, canvas->theme->ink,
                 (Point){MARGIN, round(paper->y + size)}, LABEL_LEFT,
                 canvas_count(canvas, number));
    put_question(paper, exercise);
    if (has_picture(exercise))
        put_picture(paper, exercise->kind == EXERCISE_CELL);
    if (exercise->count)
        put_options(paper, exercise);
    else
        put_number(paper);
    if (paper->worksheet->key)
        put_reason(paper, exercise);
    paper->y += GAP;
}

/* Draws it; false, with nothing drawn, where it has no room. */
static bool try_exercise(Paper *paper, size_t index, size_t number, bool is_first) {
    const Worksheet *worksheet = paper->worksheet;
    Scene *scene = paper->canvas->scene;
    Practise practise = *worksheet->practise;
    Exercise *exercise = &practise.exercises[index];
    Player player = *worksheet->page.player;
    PractisePanel panel = {.practise = &practise, .answer = "", .chosen = PLAYER_NONE};
    Page page = worksheet->page;
    PageParts parts = {paper->canvas, &page};
    practise.at = index;
    exercise->outcome = worksheet->key ? EXERCISE_AT_ONCE : EXERCISE_OPEN;
    player_jump(&player, exercise->step);
    page.player = &player;
    page.practise = &panel;
    page.has_focus = practise_panel_focus(&panel, &page.focus);
    paper->parts = &parts;
    size_t first = scene->count;
    double y = paper->y;
    put_exercise(paper, exercise, number);
    bool fits = is_first || paper->y - GAP <= paper->bottom;
    if (!fits) {
        scene->count = first;
        paper->y = y;
    }
    return fits;
}

size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first) {
    const Page *page = &worksheet->page;
    FormulaSizes sizes = {0};
    scene_init(scene, arena, WORKSHEET_WIDTH, page->height, page->theme->page);
    scene_set_lines(scene, page->theme->lines);
    Canvas canvas = {.scene = scene,
                     .theme = page->theme,
                     .metrics = page->metrics,
                     .language = page->language,
                     .sizes = &sizes,
                     .without_legends = true,
                     .without_verdicts = true};
    SentenceNames names = {.canvas = &canvas, .tape = page->player->lesson->tape};
    Insets insets = insets_of_names(&names);
    canvas.insets = &insets;
    Paper paper = {.worksheet = worksheet, .canvas = &canvas};
    size_t number = 1;
    for (size_t i = 0; i < first; i++)
        number += !worksheet->left_out[i];
    begin_page(&paper, number == 1);
    bool is_first = true;
    for (; first < worksheet->practise->count; first++) {
        if (worksheet->left_out[first])
            continue;
        paper.cell = CELL;
        if (!try_exercise(&paper, first, number, false)) {
            paper.cell = READ_CELL;
            if (!try_exercise(&paper, first, number, is_first))
                break;
        }
        is_first = false;
        number++;
    }
    return first;
}

/* ---- which ---- */

/* Whether another exercise before it is about the same numbers, as where a lesson puts
 * steps together that it went through one by one. */
static bool repeats(const Worksheet *worksheet, const Exercise *exercise) {
    const Tape *tape = worksheet->page.player->lesson->tape;
    const Tensor *own = &tape_node(tape, exercise->cell.node)->output;
    for (const Exercise *before = worksheet->practise->exercises; before < exercise;
         before++) {
        const Tensor *other = &tape_node(tape, before->cell.node)->output;
        if (before->kind == EXERCISE_CELL && other->rows == own->rows &&
            other->cols == own->cols &&
            memcmp(other->values, own->values, tensor_cells(own) * sizeof(double)) == 0)
            return true;
    }
    return false;
}

/* A number stands for a row's largest: where it is can be seen in other pictures. */
static bool can_be_asked(const Worksheet *worksheet, Exercise *exercise) {
    const Player *player = worksheet->page.player;
    const Question *question = exercise->question;
    if (exercise->kind == EXERCISE_LARGEST || exercise->kind == EXERCISE_NEXT_WORD)
        exercise->kind = EXERCISE_CELL;
    if (exercise->kind == EXERCISE_THOUGHT)
        return false;
    if (exercise->kind == EXERCISE_CELL && !question)
        return exercise_size_of_sum(
                   player, tape_node(player->lesson->tape, exercise->cell.node)) <=
                   EXERCISE_EASY_PARTS &&
               !repeats(worksheet, exercise);
    if (!worksheet->redrawn || !question)
        return true;
    const char *text = text_in(&question->text, worksheet->page.language);
    return exercise->kind == EXERCISE_CELL ? strcmp(fitting(worksheet, text), text) == 0
                                           : exercise->kind != EXERCISE_CHOICE;
}

/* What goes first where there is no room: the last idea, then the last number. */
static size_t to_leave_out(const Worksheet *worksheet) {
    const Practise *practise = worksheet->practise;
    static const ExerciseKind kinds[] = {EXERCISE_DIRECTION, EXERCISE_CELL};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t i = practise->count; i-- > 0;) {
            if (!worksheet->left_out[i] && !practise->exercises[i].question &&
                practise->exercises[i].kind == kinds[k])
                return i;
        }
    }
    return practise->count;
}

/* Parts of steps are not asked about where there are whole ones. */
static void leave_out_parts(Worksheet *worksheet) {
    const Practise *practise = worksheet->practise;
    const PlayerStep *steps = worksheet->page.player->steps;
    bool parts[PRACTISE_MAX];
    size_t whole = 0;
    for (size_t i = 0; i < practise->count; i++) {
        parts[i] = !practise->exercises[i].question &&
                   steps[practise->exercises[i].step].depth > 1;
        whole += !parts[i] && !worksheet->left_out[i];
    }
    for (size_t i = 0; whole >= WHOLE_ENOUGH && i < practise->count; i++)
        worksheet->left_out[i] |= parts[i];
}

bool worksheet_choose(Worksheet *worksheet, Arena *scratch) {
    Practise *practise = worksheet->practise;
    for (size_t i = 0; i < practise->count; i++)
        worksheet->left_out[i] = !can_be_asked(worksheet, &practise->exercises[i]);
    leave_out_parts(worksheet);
    for (;;) {
        size_t at = 0, pages = 0;
        for (; at < practise->count && pages <= PAGES_WANTED; pages++) {
            Scene scene;
            arena_reset(scratch);
            at = worksheet_draw(&scene, scratch, worksheet, at);
            if (!scene_complete(&scene) || arena_exhausted(scratch))
                return false;
        }
        size_t last = pages > PAGES_WANTED ? to_leave_out(worksheet) : practise->count;
        if (last == practise->count)
            break;
        worksheet->left_out[last] = true;
    }
    arena_reset(scratch);
    return true;
}
