#include "picture/page/page.h"
#include "picture/page/page_parts.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/overlays/overlays.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "picture/words/words.h"
#include "tensor/terms/term.h"

#include "tensor/tape/tape.h"

#include <string.h>

static const double MARGIN = 64, NUMBER_ROOM = 36, GAP = 34, FOOT = 40;
static const double CELL = 46, READ_CELL = 36, PICTURE_LEAST = 200, PICTURE_STEP = 30,
                    PICTURE_USUAL = 440, PICTURE_MOST = 560; /* heights */
static const double WORKING = 60, WORKING_MOST = 200, ANSWER_LINE = 44, BOX = 20,
                    OPTION_GAP = 14, TITLE_LINE = 36, HEAD_GAP = 12;
enum { LINES_MOST = 6, DIGITS_LEAST = 3, DIGITS_MOST = 6 };
static const char BETWEEN[] = "  ·  ";
static const double HALF_A_DIGIT = 0.0005; /* of the digits asked for */

/* The page being filled. */
typedef struct Paper {
    const Worksheet *worksheet;
    const PageParts *parts; /* of the present exercise */
    const Canvas *canvas;
    Box column; /* room that is left; exercises may reach below it while they are tried */
    double cell; /* least height of cells that are written into */
    double room; /* additional room of each exercise for work */
    /* Exercises [first, next) are on this page; next: set as it is drawn. */
    size_t first, next;
} Paper;

/* ---- texts ---- */

/* Cuts a strip off the column, whether or not there is room for it. */
static Box take(Paper *paper, double height) {
    Box *column = &paper->column;
    Box strip = {column->x, column->y, column->w, height};
    column->y += height;
    column->h -= height;
    return strip;
}

static void put_words(Paper *paper, FontRole font, double units, Color ink,
                      const char *text) {
    TextBlock block = text_block(paper->canvas, font, units, ink, LINES_MOST, text);
    text_block_take(paper->canvas, &block, &paper->column);
}

/* Draws a line to write on below a text's baseline, in the middle of a strip. */
static void put_rule(const Canvas *canvas, Box strip) {
    canvas_fill(canvas, (Box){strip.x, strip.y + round(strip.h / 2) + 9, strip.w, 1}, 0,
                canvas->theme->ink_faint);
}

/* Draws "Name" with a line to write on. */
static void put_blank(const Canvas *canvas, const char *key, Box strip) {
    Box word = text_line(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink, strip,
                         LABEL_LEFT, canvas_string(canvas, key));
    box_take_left(&strip, word.w + HEAD_GAP);
    put_rule(canvas, strip);
}

/* Title of a copy: "Answers · Copy 7"; `words` without one. */
static const char *name_copy(const Canvas *canvas, const char *key, const char *copy,
                             const char *words) {
    return copy ? canvas_format(canvas, "%s%s%s", key, key[0] ? BETWEEN : "",
                                canvas_words(canvas, words, copy, NULL))
                : key;
}

/* Draws what every page has at its foot. */
static void put_foot(const Paper *paper, const char *title, const char *which) {
    const Canvas *canvas = paper->canvas;
    const Worksheet *worksheet = paper->worksheet;
    Color ink = canvas->theme->ink_soft;
    Box foot = {MARGIN, worksheet->page.height - MARGIN / 2 - FOOT / 2,
                WORKSHEET_WIDTH - 2 * MARGIN, FOOT / 2};
    if (worksheet->pages)
        which = canvas_format(canvas, "%s%s%zu / %zu", which, which[0] ? BETWEEN : "",
                              worksheet->at, worksheet->pages);
    Box end = text_line(canvas, FONT_TEXT, TYPE_SMALL, ink, foot, LABEL_RIGHT, which);
    box_take_right(&foot, end.w + GAP);
    text_line(canvas, FONT_TEXT, TYPE_SMALL, ink, foot, LABEL_LEFT,
              canvas_format(canvas, "Glassformer%s%s", BETWEEN, title));
}

/* Puts title, goal, and lines for name and date. */
static void put_head(Paper *paper, const char *title, const char *which) {
    const Canvas *canvas = paper->canvas;
    const Theme *theme = canvas->theme;
    const Lesson *lesson = paper->worksheet->page.player->lesson;
    double width = text_line_width(canvas, FONT_BOLD, TYPE_HEAD, title);
    Box end =
        text_line(canvas, FONT_BOLD, TYPE_LARGE, theme->ink,
                  (Box){paper->column.x, paper->column.y, paper->column.w, TITLE_LINE},
                  LABEL_RIGHT, which);
    if (which[0] && paper->column.x + width + GAP > end.x)
        take(paper, TITLE_LINE);
    put_words(paper, FONT_BOLD, TYPE_HEAD, theme->ink, title);
    take(paper, HEAD_GAP / 2);
    put_words(paper, FONT_TEXT, TYPE_TEXT, theme->ink_soft,
              text_in(&lesson->goal, canvas->language));
    if (!paper->worksheet->key) {
        take(paper, HEAD_GAP);
        Box date = take(paper, ANSWER_LINE), name = box_take_left(&date, date.w * 0.63);
        box_take_left(&date, 2 * HEAD_GAP);
        put_blank(canvas, "worksheet.name", name);
        put_blank(canvas, "worksheet.date", date);
        put_words(paper, FONT_TEXT, TYPE_SMALL, theme->ink_soft,
                  canvas_string(canvas, "worksheet.digits"));
    }
    take(paper, GAP);
}

static void begin_page(Paper *paper, bool is_first) {
    const Canvas *canvas = paper->canvas;
    const Worksheet *worksheet = paper->worksheet;
    const char *title = page_title(canvas, &worksheet->page);
    const char *key = worksheet->key ? canvas_string(canvas, "worksheet.key") : "";
    const char *which = name_copy(canvas, key, worksheet->copy, "worksheet.copy");
    put_foot(paper, title, which);
    paper->column = (Box){MARGIN, MARGIN, WORKSHEET_WIDTH - 2 * MARGIN,
                          worksheet->page.height - 1.5 * MARGIN - FOOT};
    if (is_first && !worksheet->redrawn)
        which = name_copy(canvas, key, worksheet->copy, "worksheet.copy_own");
    if (is_first)
        put_head(paper, title, which);
    box_take_left(&paper->column, NUMBER_ROOM);
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
    const Player *player = paper->parts->page->player;
    CellStyle style = cell_style(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink);
    double size = style.size, above = round(size * 0.35);
    Flow flow = {paper->column, round(size * 1.7), size, 0, 0};
    const char *given = canvas_string(canvas, "worksheet.given");
    Box box;
    flow.area.h = INFINITY;
    flow_take(&flow, text_line_width(canvas, FONT_BOLD, TYPE_TEXT, given), &box);
    text_line(canvas, FONT_BOLD, TYPE_TEXT, style.ink, box, LABEL_LEFT, given);
    for (size_t i = 0; i < leaves.count; i++) {
        char text[NUMBER_SIZE];
        CellName name = {leaves.cells[i], false};
        if (paper_reveals(practise, name.cell, canvas->scene->arena))
            continue;
        const char *value = canvas_format(
            canvas, " = %s", number_format_short(text, leaf_value(&leaves, i), digits));
        flow_take(&flow,
                  cell_name_width(canvas, player, &name, &style) +
                      canvas_text_width(canvas, FONT_TEXT, size, value),
                  &box);
        Point at = {box.x, label_baseline(box.y + box.h / 2, size)};
        at.x = cell_name_draw(canvas, player, &name, &style, at);
        canvas_text(canvas, FONT_TEXT, size, style.ink, at, LABEL_LEFT, value);
    }
    take(paper, flow.y + flow.height + above);
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
    Box area = {MARGIN, paper->column.y, WORKSHEET_WIDTH - 2 * MARGIN, PICTURE_LEAST};
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
        scene_scale(scene, first, 1, (Point){0, paper->column.y + 10 - top});
    take(paper, fmax(bottom - top, 0) + 20);
    if (!paper->worksheet->key)
        put_givens(paper, first);
}

/* ---- answers ---- */

/* Puts "S[learning, learning] = " and a line to write on, or the sum. */
static void put_number(Paper *paper) {
    const Canvas *canvas = paper->canvas;
    const PageParts *parts = paper->parts;
    bool key = paper->worksheet->key;
    CellName name = {practise_exercise(parts->page->practise->practise)->cell, false};
    CellStyle style = cell_style(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink);
    if (!key)
        take(paper, (paper->worksheet->tight ? WORKING / 2 : WORKING) + paper->room);
    Box line = take(paper, ANSWER_LINE);
    double baseline = label_baseline(line.y + line.h / 2, style.size);
    double end = cell_name_draw(canvas, parts->page->player, &name, &style,
                                (Point){line.x, baseline});
    box_take_left(&line, end - line.x);
    if (!key) {
        box_take_left(&line, OPTION_GAP / 2);
        Box sign = text_line(canvas, FONT_TEXT, TYPE_LARGE, canvas->theme->ink, line,
                             LABEL_LEFT, "=");
        box_take_left(&line, sign.w + OPTION_GAP / 2);
        put_rule(canvas, line);
        return;
    }
    CellSum sum = cell_sum_of(parts, name.cell);
    double size = cell_sum_fit_value(&sum, TYPE_LARGE, line.w);
    runs_draw(sum.value, size, (Point){end, baseline});
    size = cell_sum_fit_quantities(&sum, TYPE_SMALL, paper->column.w);
    if (!sum.quantities->count)
        return;
    Box below = take(paper, ANSWER_LINE / 2);
    runs_draw(sum.quantities, size,
              (Point){below.x, label_baseline(below.y + below.h / 2, size)});
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

/* Puts the options in one line if they have room, else below each other. */
static void put_options(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    double each = paper->column.w / (double)exercise->count, lowest = 0;
    bool in_line = exercise->count <= 3;
    for (size_t i = 0; i < exercise->count; i++)
        in_line &= text_line_width(canvas, FONT_TEXT, TYPE_TEXT,
                                   exercise_text_option(canvas, exercise, i)) <
                   each - BOX - 2 * OPTION_GAP;
    if (exercise->kind == EXERCISE_ORDER)
        put_words(paper, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft,
                  canvas_string(canvas, "worksheet.order"));
    take(paper, OPTION_GAP);
    for (size_t i = 0; i < exercise->count; i++) {
        Box option = paper->column;
        if (in_line)
            option.x += each * (double)i;
        put_box(paper, exercise, i, (Box){option.x, option.y, BOX, BOX});
        box_take_left(&option, BOX + OPTION_GAP);
        TextBlock text =
            text_block(canvas, FONT_TEXT, TYPE_TEXT, canvas->theme->ink, LINES_MOST,
                       exercise_text_option(canvas, exercise, i));
        lowest = text_block_draw(canvas, &text, option) + OPTION_GAP / 2;
        if (!in_line)
            take(paper, lowest);
    }
    if (in_line)
        take(paper, lowest);
}

static void put_reason(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    if (exercise->kind == EXERCISE_DIRECTION)
        put_words(paper, FONT_BOLD, TYPE_SMALL, canvas->theme->ink,
                  exercise_text_right(canvas, exercise));
    if (exercise->question && !paper->worksheet->redrawn)
        put_words(paper, FONT_TEXT, TYPE_SMALL, canvas->theme->ink_soft,
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
    put_words(paper, FONT_BOLD, TYPE_LARGE, canvas->theme->ink, heading);
    if (has_own_heading)
        return;
    const char *brief;
    CellSentence sentence =
        exercise_text_sentence(canvas, paper->parts->page->practise->practise, &brief);
    Box line = take(paper, TITLE_LINE);
    exercise_text_draw(canvas, player, sentence, brief, FONT_TEXT, TYPE_TEXT,
                       (Point){line.x, label_baseline(line.y + line.h / 2, TYPE_TEXT)},
                       line.w);
}

/* Puts the formula of the number that is asked for or watched. */
static void put_formula(Paper *paper, const Exercise *exercise) {
    const Canvas *canvas = paper->canvas;
    const char *source = words_formula_of(paper->parts);
    bool is_idea = exercise->kind == EXERCISE_DIRECTION;
    if ((exercise->count && !is_idea) || !strchr(source, '='))
        return;
    double size = canvas_size(canvas, TYPE_HEAD, ""), least = canvas_least(canvas, "");
    FormulaExtent extent =
        canvas_formula_fit(canvas, source, least, paper->column.w, &size);
    Box line = take(paper, extent.ascent + extent.descent + OPTION_GAP);
    formula_draw(canvas->scene, canvas->metrics, canvas->theme, source, size,
                 (Point){line.x, round(line.y + OPTION_GAP / 2 + extent.ascent)});
}

static void put_exercise(Paper *paper, const Exercise *exercise, size_t number) {
    const Canvas *canvas = paper->canvas;
    double size = canvas_size(canvas, TYPE_LARGE, "1");
    canvas_label(canvas, FONT_BOLD, TYPE_LARGE, canvas->theme->ink,
                 (Point){MARGIN, round(paper->column.y + size)}, LABEL_LEFT,
                 canvas_count(canvas, number));
    put_question(paper, exercise);
    put_formula(paper, exercise);
    if (has_picture(exercise))
        put_picture(paper, exercise->kind == EXERCISE_CELL);
    if (exercise->count) {
        put_options(paper, exercise);
        take(paper, paper->room);
    } else {
        put_number(paper);
    }
    if (paper->worksheet->key)
        put_reason(paper, exercise);
    take(paper, GAP);
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
    Box column = paper->column;
    put_exercise(paper, exercise, index + 1);
    bool fits = is_first || paper->column.h + GAP >= 0;
    if (!fits) {
        scene->count = first;
        paper->column = column;
    }
    return fits;
}

/* Draws exercises until one has no room. */
static void fill_page(Paper *paper) {
    for (size_t at = paper->first;; at++) {
        paper->next = at;
        if (at == paper->worksheet->practise->count)
            return;
        paper->cell = paper->worksheet->tight ? READ_CELL : CELL;
        if (try_exercise(paper, at, false))
            continue;
        paper->cell = READ_CELL;
        if (!try_exercise(paper, at, at == paper->first))
            return;
    }
}

static void draw_guarded(void *context) {
    Paper *paper = context;
    Scene *scene = paper->canvas->scene;
    begin_page(paper, paper->first == 0);
    Box column = paper->column;
    size_t begun = scene->count;
    fill_page(paper);
    double left = paper->column.h + GAP;
    if (!paper->worksheet->key && left > 0) {
        double count = (double)(paper->next - paper->first);
        paper->room = fmin(floor(left / count), WORKING_MOST);
        paper->column = column;
        scene->count = begun;
        fill_page(paper);
    }
}

size_t worksheet_draw(Scene *scene, Arena *arena, const Worksheet *worksheet,
                      size_t first) {
    const Page *page = &worksheet->page;
    PageDrawing drawing;
    scene_init(scene, arena, WORKSHEET_WIDTH, page->height, page->theme->page);
    page_drawing_init(&drawing, scene, page);
    drawing.canvas.without_legends = drawing.canvas.without_verdicts = true;
    Paper paper = {
        .worksheet = worksheet, .canvas = &drawing.canvas, .first = first, .next = first};
    arena_guard(arena, draw_guarded, &paper);
    return paper.next;
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
