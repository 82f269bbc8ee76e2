#include "picture/page/worksheet.h"

#include "base/arena.h"
#include "base/number.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/overlays/exercise_text.h"
#include "picture/page/page_stage.h"
#include "picture/scene/scene.h"
#include "picture/words/words.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include "base/maths.h"
#include <string.h>

static const double MARGIN = 64, NUMBER_ROOM = 36, GAP = 34, FOOT = 40;
static const double TITLE_UNITS = 26, QUESTION_UNITS = 19, TEXT_UNITS = 17,
                    SMALL_UNITS = 15, LEADING = 1.3;
static const double CELL = 46, READ_CELL = 36, PICTURE_LEAST = 200, PICTURE_STEP = 30,
                    PICTURE_USUAL = 440, PICTURE_MOST = 560; /* heights */
static const double WORKING = 60, WORKING_MOST = 200, FORMULA_UNITS = 23;
static const double ANSWER_LINE = 44, RULE = 1, BOX = 20, OPTION_GAP = 14;
enum { LINES_MOST = 6, DIGITS_LEAST = 3, DIGITS_MOST = 6 };
static const char BETWEEN[] = "  ·  ";
static const double HALF_A_DIGIT = 0.0005; /* of the digits asked for */

/* The page being filled. */
typedef struct Paper {
    const Worksheet *worksheet;
    const PageParts *parts; /* of the present exercise */
    const Canvas *canvas;
    double y, bottom;
    double cell; /* least height of cells that are written into */
    double room; /* additional room of each exercise for work */
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
    cell_sentence_fit(canvas, player, &sentence, &style, canvas_least(canvas, "一"),
                      width);
    cell_sentence_draw(canvas, player, &sentence, &style,
                       (Point){left, round(paper->y + size)});
    paper->y += round(size * 1.6);
}

static void put_rule(const Canvas *canvas, double left, double right, double y) {
    canvas_fill(canvas, (Box){left, y, right - left, RULE}, 0, canvas->theme->ink_faint);
}

/* Title of a copy: "Answers · Copy 7"; `words` without one. */
static const char *name_copy(const Canvas *canvas, const char *key, const char *copy,
                             const char *words) {
    return copy ? canvas_format(canvas, "%s%s%s", key, key[0] ? BETWEEN : "",
                                canvas_words(canvas, words, copy, NULL))
                : key;
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
    const char *key = worksheet->key ? canvas_string(canvas, "worksheet.key") : "";
    const char *which = name_copy(canvas, key, worksheet->copy, "worksheet.copy");
    double foot = worksheet->page.height - MARGIN / 2;
    Box end =
        canvas_label(canvas, FONT_TEXT, SMALL_UNITS, theme->ink_soft,
                     (Point){right, foot}, LABEL_RIGHT,
                     worksheet->pages ? canvas_format(canvas, "%s%s%zu / %zu", which,
                                                      which[0] ? BETWEEN : "",
                                                      worksheet->at, worksheet->pages)
                                      : which);
    canvas_line(canvas, FONT_TEXT, SMALL_UNITS, theme->ink_soft,
                (Box){MARGIN, end.y, end.x - GAP - MARGIN, end.h},
                canvas_format(canvas, "Glassformer%s%s", BETWEEN, title));
    paper->bottom = worksheet->page.height - MARGIN / 2 - FOOT;
    paper->y = MARGIN;
    if (!is_first)
        return;
    if (!worksheet->redrawn)
        which = name_copy(canvas, key, worksheet->copy, "worksheet.copy_own");
    double baseline = paper->y + TITLE_UNITS;
    Box beside = canvas_label(canvas, FONT_BOLD, QUESTION_UNITS, theme->ink,
                              (Point){right, baseline}, LABEL_RIGHT, which);
    double width = canvas_text_width(canvas, FONT_BOLD,
                                     canvas_size(canvas, TITLE_UNITS, title), title);
    if (which[0] && MARGIN + width + GAP > beside.x)
        paper->y += round(TITLE_UNITS * LEADING);
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

/* ---- blank cells ---- */

/* Empties the cells that the sheet hides; the cell asked for here keeps a frame. */
static void make_blank(Paper *paper, size_t first) {
    Scene *scene = paper->canvas->scene;
    const Theme *theme = paper->canvas->theme;
    const Practise *practise = paper->parts->page->practise->practise;
    const Exercise *exercise = practise_exercise(practise);
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        FollowCell cell = {item->link.index, item->link.row, item->link.col};
        if ((item->link.kind != LINK_CELL && item->link.kind != LINK_SOURCE) ||
            !paper_hides(practise, cell, paper->canvas->scene->arena))
            continue;
        bool here = exercise->kind == EXERCISE_CELL && follow_same(cell, exercise->cell);
        item->fill.a = 0;
        if (item->kind != SCENE_RECTANGLE)
            continue;
        item->fill = theme->page;
        item->stroke = here ? theme->ink : theme->line;
        item->width = here ? fmax(item->width, 2) : 1;
    }
}

/* ---- numbers for the computation ---- */

/* Number that a cell is printed with; NAN if it isn't, or reads as "≈0". */
static double printed(const Scene *scene, size_t first, const Tape *tape,
                      FollowCell cell) {
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        FollowCell at = {item->link.index, item->link.row, item->link.col};
        if (item->kind != SCENE_TEXT || item->link.kind != LINK_CELL)
            continue;
        changes_resolve(tape, &at.node, &at.row, &at.col);
        const char *minus = "−", *text = item->text;
        bool negative = strncmp(text, minus, strlen(minus)) == 0;
        double value;
        if (follow_same(at, cell) &&
            number_parse(negative ? text + strlen(minus) : text, &value, NULL))
            return negative ? -value : value;
    }
    return NAN;
}

/* A cell's leaves with their printed values. */
typedef struct Leaves {
    const Tape *tape;
    const TapeNode *node;
    size_t count;
    FollowCell cells[PAPER_LEAVES];
    double values[PAPER_LEAVES];
} Leaves;

/* A term with the printed values in place of its cells. */
static const Term *with_values(Arena *arena, const Leaves *leaves, const Term *term) {
    if (term->kind == TERM_CELL) {
        FollowCell cell = {leaves->node->inputs[term->input], term->row, term->col};
        changes_resolve(leaves->tape, &cell.node, &cell.row, &cell.col);
        for (size_t i = 0; i < leaves->count; i++) {
            if (follow_same(leaves->cells[i], cell))
                return term_number(arena, leaves->values[i]);
        }
    }
    if (!term->count)
        return term;
    const Term **parts = arena_alloc(arena, term->count, sizeof *parts);
    for (size_t i = 0; i < term->count; i++)
        parts[i] = with_values(arena, leaves, term->parts[i]);
    return term_like(arena, term, parts);
}

static double leaf_value(const Leaves *leaves, size_t i) {
    FollowCell cell = leaves->cells[i];
    return tensor_at(&tape_node(leaves->tape, cell.node)->output, cell.row, cell.col);
}

/* Reports whether the printed values give the number asked for to the required digits;
 * for a question about an idea, whether any value doesn't read as zero. */
static bool suffices(const Paper *paper, const Leaves *leaves) {
    const Exercise *exercise = practise_exercise(paper->parts->page->practise->practise);
    FollowCell cell = exercise->cell;
    for (size_t i = 0; exercise->kind != EXERCISE_CELL && i < leaves->count; i++) {
        bool is_zero = leaves->values[i] == 0 && leaf_value(leaves, i) != 0;
        if (is_zero || isnan(leaves->values[i]))
            return false;
    }
    if (exercise->kind != EXERCISE_CELL)
        return true;
    Arena *arena = paper->canvas->scene->arena;
    ArenaMark mark = arena_mark(arena);
    const Term *term = tape_explain(leaves->tape, cell.node, cell.row, cell.col, arena);
    const Term *written = term ? with_values(arena, leaves, term) : NULL;
    bool near = written && fabs(written->value - term->value) <= HALF_A_DIGIT;
    arena_rewind(arena, mark);
    return near;
}

/* Finds the printed values of the leaves, and elsewhere the values of other blank cells.
 * Returns false if they suffice. */
static bool lacks(const Paper *paper, size_t first, Leaves *leaves) {
    const Canvas *canvas = paper->canvas;
    const Practise *practise = paper->parts->page->practise->practise;
    const Exercise *exercise = practise_exercise(practise);
    const Tape *tape = practise->player->lesson->tape;
    bool number = exercise->kind == EXERCISE_CELL;
    *leaves = (Leaves){.tape = tape, .node = tape_node(tape, exercise->cell.node)};
    leaves->count =
        paper_leaves(tape, exercise->cell, canvas->scene->arena, leaves->cells);
    if (leaves->count > (number ? PAPER_LEAVES : PAPER_LEAVES / 2) ||
        (!number && exercise->question))
        return false;
    for (size_t i = 0; i < leaves->count; i++)
        leaves->values[i] =
            paper_reveals(practise, leaves->cells[i], canvas->scene->arena)
                ? leaf_value(leaves, i)
                : printed(canvas->scene, first, tape, leaves->cells[i]);
    return !suffices(paper, leaves);
}

/* Writes "Given: X[I, 0] = 0.3643, …" with as many digits as necessary for numbers that
 * the picture doesn't print. */
static void put_givens(Paper *paper, size_t first) {
    const Canvas *canvas = paper->canvas;
    const Practise *practise = paper->parts->page->practise->practise;
    Leaves leaves;
    int digits = DIGITS_LEAST - 1;
    if (!lacks(paper, first, &leaves))
        return;
    do {
        double scale = pow(10, ++digits);
        for (size_t i = 0; i < leaves.count; i++)
            leaves.values[i] = round(leaf_value(&leaves, i) * scale) / scale;
    } while (!suffices(paper, &leaves) && digits < DIGITS_MOST);
    double left = MARGIN + NUMBER_ROOM, right = WORKSHEET_WIDTH - MARGIN;
    double size = canvas_size(canvas, TEXT_UNITS, "一"), line = round(size * 1.7);
    CellStyle style = {FONT_TEXT, canvas->theme->ink, size, round(size * 1.15)};
    Box word = canvas_label(canvas, FONT_BOLD, TEXT_UNITS, canvas->theme->ink,
                            (Point){left, paper->y + size}, LABEL_LEFT,
                            canvas_string(canvas, "worksheet.given"));
    double x = word.x + word.w + size * 0.6;
    for (size_t i = 0; i < leaves.count; i++) {
        char text[NUMBER_SIZE];
        CellName name = {leaves.cells[i], false};
        if (paper_reveals(practise, name.cell, canvas->scene->arena))
            continue;
        const char *value = canvas_format(
            canvas, " = %s", number_format_short(text, leaf_value(&leaves, i), digits));
        double width =
            cell_name_width(canvas, paper->parts->page->player, &name, &style) +
            canvas_text_width(canvas, FONT_TEXT, size, value);
        if (x + width > right) {
            x = left;
            paper->y += line;
        }
        Point at = {x, paper->y + size};
        at.x = cell_name_draw(canvas, paper->parts->page->player, &name, &style, at);
        canvas_text(canvas, FONT_TEXT, size, style.ink, at, LABEL_LEFT, value);
        x += width + size * 1.4;
    }
    paper->y += line + 8;
}

/* ---- pictures ---- */

/* Height of the smallest drawn cell; 0 if there is none. */
static double smallest_cell(const Scene *scene, size_t first) {
    double smallest = INFINITY;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_RECTANGLE && item->link.kind == LINK_CELL)
            smallest = fmin(smallest, fmin(item->box.w, item->box.h));
    }
    return isfinite(smallest) ? smallest : 0;
}

/* Draws the picture as tall as its cells need to be written into or read, and as its
 * numbers need for the computation if the page has room. */
static void draw_picture(Paper *paper, bool written) {
    Scene *scene = paper->canvas->scene;
    Leaves leaves;
    Box area = {MARGIN, paper->y, WORKSHEET_WIDTH - 2 * MARGIN, PICTURE_LEAST};
    double least = written ? paper->cell : READ_CELL, enough = INFINITY;
    size_t first = scene->count;
    bool whole = false;
    for (; area.h <= PICTURE_MOST && !whole; area.h += PICTURE_STEP) {
        scene->count = first;
        page_stage_draw(paper->parts, area);
        bool large = smallest_cell(scene, first) >= least;
        enough = large ? fmin(enough, area.h) : enough;
        whole = large && !(written && lacks(paper, first, &leaves));
    }
    if (whole)
        return;
    area.h = isfinite(enough) ? enough : PICTURE_USUAL;
    scene->count = first;
    page_stage_draw(paper->parts, area);
}

/* Puts the picture without the empty space above and below it. */
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
        make_blank(paper, first);
    if (bottom > top)
        scene_scale(scene, first, 1, (Point){0, paper->y + 10 - top});
    paper->y += fmax(bottom - top, 0) + 20;
    if (!paper->worksheet->key)
        put_givens(paper, first);
}

/* ---- answers ---- */

/* Puts "S[learning, learning] = " and a line to write on, or the sum. */
static void put_number(Paper *paper) {
    const Canvas *canvas = paper->canvas;
    const PageParts *parts = paper->parts;
    FollowCell cell = practise_exercise(parts->page->practise->practise)->cell;
    double left = MARGIN + NUMBER_ROOM, right = WORKSHEET_WIDTH - MARGIN;
    double size = canvas_size(canvas, QUESTION_UNITS, "一");
    paper->y += paper->worksheet->key
                    ? 0
                    : (paper->worksheet->tight ? WORKING / 2 : WORKING) + paper->room;
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
    CellSum sum = cell_sum_of(parts, cell);
    size = cell_sum_fit_value(&sum, QUESTION_UNITS, right - end);
    runs_draw(sum.value, size, (Point){end, baseline});
    size = cell_sum_fit_quantities(&sum, SMALL_UNITS, right - left);
    if (!sum.quantities->count)
        return;
    runs_draw(sum.quantities, size, (Point){left, baseline + ANSWER_LINE * 0.6});
    paper->y += ANSWER_LINE * 0.5;
}

/* Draws a box for a tick or for a rank; filled in on the key. */
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
    } else if (exercise_text_is_right(exercise, place)) {
        Point tick[] = {{box.x + 4, box.y + 10},
                        {box.x + 8.5, box.y + 15.5},
                        {box.x + 16.5, box.y + 4}};
        scene_path(canvas->scene, tick, 3, 2.5, theme->ink);
    }
}

/* Puts the options in one line if they have room, else below each other. */
static void put_options(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    double left = MARGIN + NUMBER_ROOM, width = WORKSHEET_WIDTH - MARGIN - left;
    double size = canvas_size(canvas, TEXT_UNITS, "一");
    double each = width / (double)exercise->count;
    bool in_line = exercise->count <= 3;
    for (size_t i = 0; i < exercise->count; i++)
        in_line &= canvas_text_width(canvas, FONT_TEXT, size,
                                     exercise_text_option(canvas, exercise, i)) <
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
                  exercise_text_option(canvas, exercise, i));
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
                  exercise_text_right(canvas, exercise));
    if (exercise->question && !paper->worksheet->redrawn)
        put_words(paper, FONT_TEXT, SMALL_UNITS, canvas->theme->ink_soft, left,
                  text_in(&exercise->question->because, canvas->language));
}

/* ---- exercises ---- */

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
    bool has_own_heading = own[0] && exercise->kind != EXERCISE_CELL;
    const char *heading = has_own_heading ? own
                          : paper->worksheet->redrawn && !paper_fits(&words->heading)
                              ? ""
                              : text_in(&words->heading, canvas->language);
    put_words(paper, FONT_BOLD, QUESTION_UNITS, canvas->theme->ink, MARGIN + NUMBER_ROOM,
              heading);
    if (has_own_heading)
        return;
    const char *brief;
    CellSentence sentence =
        exercise_text_sentence(canvas, paper->parts->page->practise->practise, &brief);
    paper->y += heading[0] ? 4 : 0;
    put_sentence(paper, sentence, brief);
}

/* Puts the formula of the number that is asked for or watched. */
static void put_formula(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const char *source = words_formula_of(paper->parts);
    bool is_idea = exercise->kind == EXERCISE_DIRECTION;
    if ((exercise->count && !is_idea) || !strchr(source, '='))
        return;
    double left = MARGIN + NUMBER_ROOM, size = canvas_size(canvas, FORMULA_UNITS, "");
    FormulaExtent extent =
        canvas_formula_fit(canvas, source, canvas_size(canvas, SMALL_UNITS, ""),
                           WORKSHEET_WIDTH - MARGIN - left, &size);
    paper->y += 6;
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, source, size,
                 (Point){left, round(paper->y + extent.ascent)});
    paper->y += extent.ascent + extent.descent + 4;
}

static void put_exercise(Paper *paper, const Exercise *exercise, size_t number) {
    const Canvas *canvas = paper->canvas;
    double size = canvas_size(canvas, QUESTION_UNITS, "1");
    canvas_label(canvas, FONT_BOLD, QUESTION_UNITS, canvas->theme->ink,
                 (Point){MARGIN, round(paper->y + size)}, LABEL_LEFT,
                 canvas_count(canvas, number));
    put_question(paper, exercise);
    put_formula(paper, exercise);
    if (has_picture(exercise))
        put_picture(paper, exercise->kind == EXERCISE_CELL);
    if (exercise->count) {
        put_options(paper, exercise);
        paper->y += paper->room;
    } else {
        put_number(paper);
    }
    if (paper->worksheet->key)
        put_reason(paper, exercise);
    paper->y += GAP;
}

/* Draws an exercise; returns false and draws nothing if it has no room. */
static bool try_exercise(Paper *paper, size_t index, bool is_first) {
    const Worksheet *worksheet = paper->worksheet;
    Scene *scene = paper->canvas->scene;
    Practise practise = *worksheet->practise;
    Exercise *exercise = &practise.exercises[index];
    Player player = *worksheet->page.player;
    PractisePanel panel = {.practise = &practise, .answer = "", .chosen = PLAYER_NONE};
    Page page = worksheet->page;
    PageParts parts = {paper->canvas, &page};
    practise.at = index;
    bool known = worksheet->key || exercise->kind == EXERCISE_DIRECTION;
    exercise->outcome = known ? EXERCISE_AT_ONCE : EXERCISE_OPEN;
    player_jump(&player, exercise->step);
    page.player = &player;
    page.practise = &panel;
    page.has_focus = practise_panel_focus(&panel, &page.focus);
    paper->parts = &parts;
    size_t first = scene->count;
    double y = paper->y;
    put_exercise(paper, exercise, index + 1);
    bool fits = is_first || paper->y - GAP <= paper->bottom;
    if (!fits) {
        scene->count = first;
        paper->y = y;
    }
    return fits;
}

/* Draws exercises from `first` on; returns the first that had no room. */
static size_t fill_page(Paper *paper, size_t first) {
    size_t next = first;
    for (; next < paper->worksheet->practise->count; next++) {
        paper->cell = paper->worksheet->tight ? READ_CELL : CELL;
        if (try_exercise(paper, next, false))
            continue;
        paper->cell = READ_CELL;
        if (!try_exercise(paper, next, next == first))
            break;
    }
    return next;
}

/* A worksheet that is drawn under the arena's guard. */
typedef struct Sheet {
    Paper paper;
    size_t first, next; /* numbers of exercises */
} Sheet;

static void draw_guarded(void *context) {
    Sheet *sheet = context;
    Paper *paper = &sheet->paper;
    Scene *scene = paper->canvas->scene;
    begin_page(paper, sheet->first == 0);
    double top = paper->y;
    size_t begun = scene->count, next = fill_page(paper, sheet->first);
    double left = paper->bottom - (paper->y - GAP);
    if (!paper->worksheet->key && left > 0) {
        paper->room = fmin(floor(left / (double)(next - sheet->first)), WORKING_MOST);
        paper->y = top;
        scene->count = begun;
        next = fill_page(paper, sheet->first);
    }
    sheet->next = next;
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
    SentenceNames names;
    sentence_names_use(&names, &canvas, page->player->lesson->tape);
    Sheet sheet = {{.worksheet = worksheet, .canvas = &canvas}, first, first};
    arena_guard(arena, draw_guarded, &sheet);
    return sheet.next;
}

static size_t count_pages(const Worksheet *worksheet, Arena *scratch) {
    size_t pages = 0;
    for (size_t at = 0; at < worksheet->practise->count; pages++) {
        Scene scene;
        arena_reset(scratch);
        at = worksheet_draw(&scene, scratch, worksheet, at);
        if (!scene_complete(&scene))
            return 0;
    }
    arena_reset(scratch);
    return pages;
}

bool worksheet_begin(Worksheet *worksheet, Arena *scratch) {
    worksheet->at = worksheet->pages = 0;
    worksheet->tight = false;
    size_t wide = count_pages(worksheet, scratch);
    worksheet->tight = true;
    size_t tight = wide ? count_pages(worksheet, scratch) : 0;
    worksheet->tight = worksheet->key || tight < wide;
    worksheet->pages = worksheet->tight ? tight : wide;
    return tight > 0;
}
