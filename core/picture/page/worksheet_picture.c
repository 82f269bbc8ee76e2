#include "picture/page/worksheet_parts.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "picture/explain/explain.h"
#include "picture/formula/formula.h"
#include "picture/scene/scene.h"
#include "picture/scene/theme.h"
#include "tensor/terms/term.h"

#include "tensor/tape/tape.h"

#include <string.h>

/* Pictures are laid out in an area of a chosen size, and reduced. */
static const double AREA_WIDTH = 660, AREA_WIDER = 1000, AREA_LEAST = 170,
                    AREA_MOST = 470, AREA_STEP = 30, REDUCED = 0.74;
/* Least sizes of cells, before reduction: to write into, to read, and to see. */
static const double CELL = 40, READ_CELL = 26, SEEN_CELL = 9;
static const double IMAGE_CELLS = 4;
/* Least size of a cell, after reduction, for a number by hand. */
static const double WRITTEN_WIDTH = 44, WRITTEN_HEIGHT = 30;
static const double CELL_FRAME = 8; /* most by which a frame is larger than its cell */
static const double LARGER = 1.15;  /* cells that are worth a larger picture */
enum { DIGITS_LEAST = 3, DIGITS_MOST = 6 };
static const double HALF_A_DIGIT = 0.0005; /* of the digits asked for */

static bool is_number(const Paper *paper) {
    return paper_exercise(paper)->kind == EXERCISE_CELL;
}

static Practise *round_of(const Paper *paper) {
    return paper->question->round;
}

/* ---- blank cells ---- */

/* Reports whether the cells of a row asked for are all drawn, from item `first` on, and
 * have room for numbers by hand. */
static bool has_room_for_row(const Paper *paper, size_t first) {
    const Scene *scene = paper->canvas->scene;
    FollowCell asked[PAPER_ROW_COLUMNS];
    size_t count = paper_cells(round_of(paper), paper_exercise(paper), asked), found = 0;
    for (size_t k = 0; k < count; k++) {
        Link link = {LINK_CELL, asked[k].node, asked[k].row, asked[k].col};
        bool has_room = false;
        for (size_t i = first; i < scene->count; i++) {
            const SceneItem *item = &scene->items[i];
            has_room |= item->kind == SCENE_RECTANGLE && link_equal(item->link, link) &&
                        item->box.w * REDUCED >= WRITTEN_WIDTH &&
                        item->box.h * REDUCED >= WRITTEN_HEIGHT;
        }
        found += has_room;
    }
    return paper_exercise(paper)->whole_row && found == count;
}

/* Takes away the frame of the focus around the cells of a row that isn't written into
 * the picture. */
static void unframe(const Paper *paper, size_t first, Box cell) {
    Scene *scene = paper->canvas->scene;
    Point middle = {cell.x + cell.w / 2, cell.y + cell.h / 2};
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        bool around = fabs(item->box.x + item->box.w / 2 - middle.x) < 2 &&
                      fabs(item->box.y + item->box.h / 2 - middle.y) < 2 &&
                      fabs(item->box.w - cell.w) < CELL_FRAME;
        if (item->kind == SCENE_RECTANGLE && item->fill.a == 0 && around)
            item->stroke.a = 0;
    }
}

/* Empties the cells that the sheet hides. The cells to write into keep a frame: a row
 * that has its cells below the picture has none here. */
static void make_blank(const Paper *paper, size_t first) {
    Scene *scene = paper->canvas->scene;
    const Theme *theme = paper->canvas->theme;
    const Practise *practise = paper->parts->page->practise->practise;
    FollowCell asked[PAPER_ROW_COLUMNS];
    size_t count = paper_cells(practise, practise_exercise(practise), asked);
    bool below = practise_exercise(practise)->whole_row && !paper->writes_into_picture;
    for (size_t i = first; i < scene->count; i++) {
        SceneItem *item = &scene->items[i];
        FollowCell cell = {item->link.index, item->link.row, item->link.col};
        if ((item->link.kind != LINK_CELL && item->link.kind != LINK_SOURCE) ||
            !paper_hides(practise, cell, paper->canvas->scene->arena))
            continue;
        bool here = false;
        for (size_t k = 0; k < count; k++)
            here |= follow_same(cell, asked[k]);
        item->fill.a = 0;
        if (item->kind != SCENE_RECTANGLE)
            continue;
        item->fill = theme->page;
        if (here && below)
            unframe(paper, first, item->box);
        here &= !below;
        item->stroke = here ? theme->ink : theme->line;
        item->width = here ? fmax(item->width, 3) : 1.4;
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
        const char *digits = negative ? text + strlen(minus) : text;
        double value = INFINITY;
        if (follow_same(at, cell) &&
            (strcmp(digits, "∞") == 0 || number_parse(digits, &value, NULL)))
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

/* Reports whether the printed values give a number asked for to the required digits. */
static bool gives(const Paper *paper, const Leaves *leaves, FollowCell cell) {
    Arena *arena = paper->canvas->scene->arena;
    ArenaMark mark = arena_mark(arena);
    const Term *term = tape_explain(leaves->tape, cell.node, cell.row, cell.col, arena);
    const Term *written = term ? with_values(arena, leaves, term) : NULL;
    bool near = written && fabs(written->value - term->value) <= HALF_A_DIGIT;
    arena_rewind(arena, mark);
    return near;
}

/* Reports whether the printed values give all numbers asked for; for a question about an
 * idea, whether any value doesn't read as zero. */
static bool suffices(const Paper *paper, const Leaves *leaves) {
    FollowCell asked[PAPER_ROW_COLUMNS];
    size_t count = paper_cells(round_of(paper), paper_exercise(paper), asked);
    for (size_t i = 0; i < count; i++) {
        if (!gives(paper, leaves, asked[i]))
            return false;
    }
    for (size_t i = 0; !count && i < leaves->count; i++) {
        bool is_zero = leaves->values[i] == 0 && leaf_value(leaves, i) != 0;
        if (is_zero || isnan(leaves->values[i]))
            return false;
    }
    return true;
}

/* Adds the inputs of a cell that are not among the leaves yet; false if they are too
 * many. */
static bool add_leaves(const Paper *paper, Leaves *leaves, FollowCell cell) {
    FollowCell found[PAPER_LEAVES];
    size_t count = paper_leaves(leaves->tape, cell, paper->canvas->scene->arena, found);
    for (size_t i = 0; i < count && count <= PAPER_LEAVES; i++) {
        size_t at = 0;
        while (at < leaves->count && !follow_same(leaves->cells[at], found[i]))
            at++;
        if (at == PAPER_LEAVES)
            return false;
        leaves->cells[at] = found[i];
        leaves->count += at == leaves->count;
    }
    return count <= PAPER_LEAVES;
}

/* Finds the printed values of the inputs, and elsewhere the values of other blank cells.
 * Returns false if they suffice. */
static bool lacks(const Paper *paper, size_t first, Leaves *leaves) {
    const Practise *practise = round_of(paper);
    const Exercise *exercise = paper_exercise(paper);
    Arena *arena = paper->canvas->scene->arena;
    const Tape *tape = practise->player->lesson->tape;
    FollowCell asked[PAPER_ROW_COLUMNS] = {exercise->cell};
    size_t count = paper_cells(practise, exercise, asked);
    bool few = true;
    *leaves = (Leaves){.tape = tape, .node = tape_node(tape, exercise->cell.node)};
    if (!count && (exercise->kind != EXERCISE_DIRECTION || exercise->question))
        return false;
    for (size_t i = 0; i < (count ? count : 1); i++)
        few = few && add_leaves(paper, leaves, asked[i]);
    if (!few || (!count && leaves->count > PAPER_LEAVES / 2))
        return false;
    for (size_t i = 0; i < leaves->count; i++)
        leaves->values[i] =
            paper_reveals(practise, leaves->cells[i], arena)
                ? leaf_value(leaves, i)
                : printed(paper->canvas->scene, first, tape, leaves->cells[i]);
    return !suffices(paper, leaves);
}

void paper_put_givens(Paper *paper, size_t first) {
    const Canvas *canvas = paper->canvas;
    const Practise *practise = round_of(paper);
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
    Flow flow = {paper->column, round(size * 1.4), round(size * 0.7), 0, 0};
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
    paper_take(paper, flow.y + flow.height + above);
}

/* ---- pictures ---- */

/* Height or width of the smallest drawn cell, or a quarter of that of a table drawn as an
 * image; INFINITY if there is none. */
static double smallest_cell(const Scene *scene, size_t first) {
    double smallest = INFINITY;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        bool image = item->kind == SCENE_IMAGE;
        if ((image || item->kind == SCENE_RECTANGLE) && item->link.kind == LINK_CELL)
            smallest = fmin(smallest,
                            fmin(item->box.w, item->box.h) / (image ? IMAGE_CELLS : 1));
    }
    return smallest;
}

/* Reports whether small tables of a picture are drawn without their numbers. */
static bool is_mute(const Scene *scene, size_t first) {
    bool has_cells = false;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->link.kind == LINK_CELL && item->kind == SCENE_TEXT)
            return false;
        has_cells |= item->link.kind == LINK_CELL && item->kind == SCENE_RECTANGLE;
    }
    return has_cells;
}

/* Reports whether a picture has a cell's table, but not its row; of a table with one row,
 * not its column. */
static bool lacks_row_of(const Paper *paper, size_t first, FollowCell cell) {
    const Scene *scene = paper->canvas->scene;
    const Tape *tape = paper->parts->page->player->lesson->tape;
    bool one_row = tape_node(tape, cell.node)->output.rows == 1, drawn = false;
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->link.kind != LINK_CELL || item->link.index != cell.node)
            continue;
        if (item->kind == SCENE_IMAGE ||
            (one_row ? item->link.col == cell.col : item->link.row == cell.row))
            return false;
        drawn = true;
    }
    return drawn;
}

/* Reports whether a picture lacks the row of the page's focus, or in a table that is read
 * that of the vector that the lesson follows. */
static bool lacks_row(const Paper *paper, size_t first) {
    const Page *page = paper->parts->page;
    const Lesson *lesson = page->player->lesson;
    FollowCell cell;
    if (!page_focus(page, &cell.node, &cell.row, &cell.col))
        return false;
    const TapeNode *node = tape_node(lesson->tape, cell.node);
    bool lacks = lacks_row_of(paper, first, cell);
    for (size_t i = 0; i < node->input_count && !page->has_focus && !lacks; i++) {
        cell.node = node->inputs[i];
        const Tensor *tensor = &tape_node(lesson->tape, cell.node)->output;
        lacks = lesson_followed(lesson, tensor, &cell.row, &cell.col) &&
                lacks_row_of(paper, first, cell);
    }
    return lacks;
}

/* Number of shortcomings of a picture: cells too small to be read or written into, too
 * few digits, texts that can't be read, no row of the focus. */
static size_t shortcomings(const Paper *paper, size_t first, Box area) {
    const Scene *scene = paper->canvas->scene;
    Leaves leaves;
    size_t count = scene_troubles(scene, first, area);
    count += smallest_cell(scene, first) < (is_number(paper) ? CELL : READ_CELL);
    count += is_number(paper) && lacks(paper, first, &leaves);
    count += is_mute(scene, first);
    count += lacks_row(paper, first);
    return count;
}

/* Reports whether a picture is worth its room: its tables can be seen, the row in focus
 * is among theirs, and of a question
 * without numbers its texts can be read. On a sheet, tables without numbers say nothing
 * about a choice, and tables in a row would tell an order. */
static bool is_useful(const Paper *paper, size_t first, Box area) {
    const Scene *scene = paper->canvas->scene;
    const Exercise *exercise = paper_exercise(paper);
    bool asks = exercise->count && !paper->worksheet->key;
    if (asks && (exercise->kind == EXERCISE_ORDER || is_mute(scene, first)))
        return false;
    return smallest_cell(scene, first) >= SEEN_CELL && !lacks_row(paper, first) &&
           (is_number(paper) || !scene_troubles(scene, first, area));
}

/* The best area so far. */
typedef struct Choice {
    size_t fewest; /* shortcomings */
    double cells;  /* size of the smallest */
    bool useful;
} Choice;

/* Chooses the height of an area in which the picture has the fewest shortcomings; if it
 * always has some, the one with the largest cells. A useful picture is given up only for
 * another one. */
static void choose_height(const Paper *paper, double width, Choice *best) {
    Scene *scene = paper->canvas->scene;
    size_t first = scene->count;
    Box area = {0, 0, width, AREA_LEAST};
    for (; area.h <= AREA_MOST && best->fewest; area.h += AREA_STEP) {
        page_stage_draw(paper->parts, area);
        size_t count = shortcomings(paper, first, area);
        double cells = smallest_cell(scene, first);
        bool useful = !count || (!is_number(paper) && is_useful(paper, first, area));
        bool is_better = count < best->fewest ||
                         (count == best->fewest && cells >= LARGER * best->cells);
        if (is_better && (useful || !best->useful)) {
            *best = (Choice){count, cells, useful};
            paper->question->picture_width = area.w;
            paper->question->picture_height = area.h;
        }
        scene->count = first;
    }
}

Box paper_draw_picture(Paper *paper) {
    Scene *scene = paper->canvas->scene;
    size_t first = scene->count;
    Box ink = {INFINITY, INFINITY, -INFINITY, -INFINITY}; /* w, h: right and lower end */
    Choice choice = {.fewest = SIZE_MAX};
    paper->writes_into_picture = false;
    if (paper->question->picture_width <= 0) {
        choose_height(paper, AREA_WIDTH, &choice);
        if (!choice.useful || choice.cells < READ_CELL / 2)
            choose_height(paper, AREA_WIDER, &choice);
    }
    Box area = {0, 0, paper->question->picture_width, paper->question->picture_height};
    page_stage_draw(paper->parts, area);
    bool useful = is_useful(paper, first, area);
    for (size_t i = first; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP)
            continue;
        ink.x = fmin(ink.x, item->box.x);
        ink.y = fmin(ink.y, item->box.y);
        ink.w = fmax(ink.w, item->box.x + item->box.w);
        ink.h = fmax(ink.h, item->box.y + item->box.h);
    }
    Box box = {paper->column.x, paper->column.y, 0, 0};
    if (ink.w <= ink.x || !useful) {
        scene->count = first;
        return box;
    }
    if (!paper->worksheet->key) {
        paper->writes_into_picture = has_room_for_row(paper, first);
        make_blank(paper, first);
    }
    scene_scale(scene, first, REDUCED,
                (Point){box.x - REDUCED * ink.x, box.y - REDUCED * ink.y});
    box.w = REDUCED * (ink.w - ink.x);
    box.h = REDUCED * (ink.h - ink.y);
    return box;
}
