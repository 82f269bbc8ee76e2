#include "base/arena.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/part_name.h"
#include "picture/layers/layers_parts.h"
#include "picture/stage/caption.h"
#include "picture/tensors/views.h"
#include "tensor/operations/operation.h"

#include <math.h>
#include <string.h>

/* The path of one vector: a row of each shown tensor as a strip of cells, station after
 * station, so that each column's numbers stand in one line; the line of the column in
 * focus is thicker, with an arrow through all its numbers. Between two stations stands
 * what was done: the vector that was added as a narrow strip with its number in the
 * focused line, or a gate; and the numbers before run on as pale bands in their colours.
 * Stations follow each other to the right, or downwards where the page is upright. */

/* Lengths in units. */
static const double LOW_GAPS[] = {72, 58, 46, 30}, BARE_GAP = 44;
static const double WIDEST = 118, WIDEST_ADDED = 94, TALLEST = 76, LOWEST = 9,
                    LABEL_GAP = 12, LABEL = 16;
static const double TITLE = 17, TITLE_PAD = 9, TITLE_HIGH = 40, NAME = 19, NAME_HIGH = 40;
static const double BESIDE = 190; /* names and titles beside the stations */
static const double CHOSEN = 1.4; /* thickness of the focused line, relative to others */
static const double BAND_FRACTION = 0.62, THIN = 14, GATE = 16, RING = 9, LINE = 3,
                    HEAD = 11, CHIP = 18;
/* Space for ⊕ before the added number and for the arrow's head behind it. */
static const double BEFORE_ADDED = 26, BEHIND_ADDED = 16;
enum { STATIONS_MAX = 16, GAP_COUNT = 4, BAND_ALPHA = 130 };

/* Operation between a station and the one before it. */
typedef struct Between {
    size_t added;      /* node that is added; TAPE_NONE: none */
    size_t row;        /* its row */
    size_t step;       /* player's step that it opens; PLAYER_NONE: none */
    const char *title; /* a formula */
    Role role;
} Between;

typedef struct Path {
    const Stage *stage;
    size_t count;
    const size_t *nodes;
    Between before[STATIONS_MAX];
    size_t row, col, columns;
    double reach;
    bool upright;          /* stations follow each other downwards */
    double length, gap;    /* along the path: of a station, and between two of them */
    double line, chosen;   /* thickness of a column's line, and of the focused one */
    double labels, beside; /* widths of the columns' labels, of names beside stations */
    Point corner;          /* of the first station */
    /* Sizes of digits: of the focused line, of the other lines, of what is added. */
    double digits, others, small;
    double added; /* length of the added number's cell; 0: it has no room */
} Path;

/* ---- what was done between two stations ---- */

static Role role_of_added(const char *name) {
    return strstr(name, "attention")      ? ROLE_PROBABILITIES
           : strstr(name, "feed_forward") ? ROLE_FEED_FORWARD
                                          : ROLE_NONE;
}

/* Describes a sum that adds a table, or one row, to the station before. */
static bool find_added(const Path *path, size_t index, Between *between) {
    const Stage *stage = path->stage;
    const TapeNode *made = stage_node(stage, path->nodes[index]);
    if (made->operation != OPERATION_ADD || made->muted)
        return false;
    bool second = made->inputs[1] == path->nodes[index - 1];
    if (!second && made->inputs[0] != path->nodes[index - 1])
        return false;
    between->added = made->inputs[second ? 0 : 1];
    const Tensor *term = stage_tensor(stage, between->added);
    if (term->cols != path->columns)
        return false;
    between->row = term->rows > 1 ? path->row : 0;
    const char *own = stage_node(stage, between->added)->name;
    const char *name = part_sublayer(stage->canvas, own);
    between->role = role_of_added(own);
    between->title = canvas_format(stage->canvas, "+\\text{ }%s",
                                   name ? name : lane_table_name(stage, between->added));
    return true;
}

static Between between_of(const Path *path, size_t index) {
    const Stage *stage = path->stage;
    size_t node = path->nodes[index], from = path->nodes[index - 1];
    const TapeNode *made = stage_node(stage, node);
    Between between = {.added = TAPE_NONE, .step = lane_maker(stage, node)};
    if (find_added(path, index, &between))
        return between;
    between.added = TAPE_NONE;
    bool direct = made->input_count && made->inputs[0] == from;
    const char *words = "…";
    if (direct && (made->operation == OPERATION_LAYER_NORM ||
                   made->operation == OPERATION_RMS_NORM)) {
        between.role = ROLE_NORM;
        words = canvas_string(stage->canvas, "lane.norm");
    } else if (between.step != PLAYER_NONE && lane_reads(stage, between.step, from)) {
        words = stage_step_words(stage->canvas, stage->player, between.step);
    } else if (direct) {
        between.title = stage_operation_words(stage, node);
        return between;
    }
    between.title = canvas_format(stage->canvas, "\\text{%s}", words);
    return between;
}

static bool find(Path *path) {
    const Stage *stage = path->stage;
    path->count = stage->step->shown_count;
    path->nodes = stage->step->shown;
    if (stage->view != LESSON_VIEW_PATH || path->count < 2 || path->count > STATIONS_MAX)
        return false;
    const Tensor *first = stage_tensor(stage, path->nodes[0]);
    path->columns = first->cols;
    path->row = stage->has_focus && stage->focus_row < first->rows ? stage->focus_row : 0;
    path->col = stage->has_focus && stage->focus_col < first->cols ? stage->focus_col : 0;
    path->reach = 0;
    for (size_t i = 0; i < path->count; i++) {
        Tensor *row =
            canvas_row(stage->canvas, stage_tensor(stage, path->nodes[i]), path->row);
        path->reach = fmax(path->reach, heatmap_reach(row));
        if (i)
            path->before[i] = between_of(path, i);
    }
    return true;
}

/* ---- geometry ---- */

/* Distance of a column's line from the first one. */
static double line_at(const Path *path, size_t column) {
    return path->line * (double)column +
           (column > path->col ? path->chosen - path->line : 0);
}

/* Box of the columns [column, end), `from` points along the path and `length` long. */
static Box part_box(const Path *path, double from, double length, size_t column,
                    size_t end) {
    double at = line_at(path, column), size = line_at(path, end) - at;
    return path->upright
               ? (Box){path->corner.x + at, path->corner.y + from, size, length}
               : (Box){path->corner.x + from, path->corner.y + at, length, size};
}

/* Point `from` points along the path, in the middle of a column's line. */
static Point point_at(const Path *path, double from, size_t column) {
    return box_middle(part_box(path, from, 0, column, column + 1));
}

static double station_at(const Path *path, size_t index) {
    return (path->length + path->gap) * (double)index;
}

static double gap_at(const Path *path, size_t index) {
    return station_at(path, index) - path->gap;
}

static Box cell_box(const Path *path, size_t index, size_t column) {
    return part_box(path, station_at(path, index), path->length, column, column + 1);
}

/* Some cells of a node's row, turned unless the path is upright. */
static Heatmap strip_of(const Path *path, size_t node, size_t row, size_t column,
                        size_t end, Box box) {
    const Stage *stage = path->stage;
    Heatmap strip = stage_heatmap(stage, node, box, path->reach);
    Tensor *cells = arena_alloc(stage->canvas->scene->arena, 1, sizeof *cells);
    size_t count = end - column;
    *cells = (Tensor){.rows = path->upright ? 1 : count,
                      .cols = path->upright ? count : 1,
                      .values = strip.tensor->values + row * strip.tensor->cols + column};
    strip.written_as = strip.tensor;
    strip.tensor = cells;
    strip.hidden = NULL;
    strip.colors = HEATMAP_SIGNED;
    strip.first_row = row;
    strip.first_col = column;
    strip.turned = !path->upright;
    bool chosen = count == 1 && column == path->col;
    strip.number_size = chosen ? path->digits : path->others;
    strip.without_numbers = !chosen && !(path->others > 0);
    return strip;
}

/* ---- layout ---- */

/* Box of the added number's cell. */
static Box added_box(const Path *path, size_t index) {
    return part_box(path, gap_at(path, index) + BEFORE_ADDED, path->added, path->col,
                    path->col + 1);
}

/* Finds the sizes of all digits; returns false if the focused line has no room for
 * them. */
static bool find_digits(Path *path) {
    const Canvas *canvas = path->stage->canvas;
    path->digits = path->others = path->small = INFINITY;
    double room = path->gap - BEFORE_ADDED - BEHIND_ADDED;
    path->added = fmin(room, path->length);
    double digits = INFINITY, others = INFINITY, added = INFINITY;
    for (size_t i = 0; i < path->count; i++) {
        for (size_t j = 0; j < path->columns; j++) {
            if (j != path->col && others <= 0)
                continue;
            Heatmap cell =
                strip_of(path, path->nodes[i], path->row, j, j + 1, cell_box(path, i, j));
            double size = heatmap_number_size(canvas, &cell);
            double *least = j == path->col ? &digits : &others;
            *least = fmin(*least, size);
        }
        const Between *before = &path->before[i];
        if (!i || before->added == TAPE_NONE || room <= 0)
            continue;
        Heatmap cell = strip_of(path, before->added, before->row, path->col,
                                path->col + 1, added_box(path, i));
        added = fmin(added, heatmap_number_size(canvas, &cell));
    }
    path->digits = digits;
    path->others = isfinite(others) ? others : 0;
    path->small = added;
    if (room <= 0 || added <= 0)
        path->added = 0;
    return digits > 0;
}

static const char *label_of(const Path *path, size_t column) {
    const Tensor *first = stage_tensor(path->stage, path->nodes[0]);
    return view_label(path->stage->canvas, first->col_labels, column);
}

static double label_size(const Path *path, size_t column) {
    return canvas_size(path->stage->canvas, LABEL, label_of(path, column));
}

static double widest_label(const Path *path) {
    double widest = 0;
    for (size_t j = 0; j < path->columns; j++)
        widest = fmax(widest, canvas_text_width(path->stage->canvas, FONT_BOLD,
                                                label_size(path, j), label_of(path, j)));
    return ceil(widest);
}

/* Sets the lines' thicknesses within a length, at most `most`. */
static void share_lines(Path *path, double room, double most) {
    double lines = (double)path->columns - 1 + CHOSEN;
    path->line = fmin(room / lines, most / CHOSEN);
    path->line = path->line >= LOWEST ? floor(path->line) : path->line;
    path->chosen = fmin(fmax(path->line * CHOSEN, LOWEST * 4), most);
    if (path->line * (double)(path->columns - 1) + path->chosen > room)
        path->line = (room - path->chosen) / fmax((double)path->columns - 1, 1);
}

static double along(const Path *path) {
    return station_at(path, path->count) - path->gap;
}

/* Places the stations from left to right. */
static bool place_across(Path *path, Box area) {
    path->upright = false;
    path->labels = fmin(widest_label(path), area.w * 0.15) + LABEL_GAP;
    path->beside = 0;
    share_lines(path, area.h - TITLE_HIGH - NAME_HIGH, TALLEST);
    double room = area.w - path->labels - 2, count = (double)path->count;
    double gaps = BEFORE_ADDED + BEHIND_ADDED;
    double added = (room - gaps * (count - 1)) / (2 * count - 1);
    path->gap = gaps + floor(fmin(added, WIDEST_ADDED));
    path->length = floor(fmin((room - path->gap * (count - 1)) / count, WIDEST));
    bool fits = added > 0 && path->line > 0 && find_digits(path);
    if (!fits || path->added <= 0) {
        path->gap = BARE_GAP;
        path->length = floor(fmin((room - path->gap * (count - 1)) / count, WIDEST));
        fits = path->length > 0 && path->line > 0 && find_digits(path);
    }
    double used = path->labels + along(path);
    double tall = TITLE_HIGH + line_at(path, path->columns) + NAME_HIGH;
    path->corner = (Point){round(area.x + (area.w - used) / 2 + path->labels),
                           round(area.y + fmax(area.h - tall, 0) / 2 + TITLE_HIGH)};
    return fits;
}

/* Places the stations from top to bottom. */
static bool place_upright(Path *path, Box area) {
    path->upright = true;
    path->labels = TITLE_HIGH;
    path->beside = fmin(BESIDE, area.w * 0.32);
    share_lines(path, area.w - path->beside, WIDEST);
    double room = area.h - path->labels, count = (double)path->count;
    bool fits = false;
    for (size_t i = 0; i < GAP_COUNT && !(fits && path->added > 0); i++) {
        path->gap = LOW_GAPS[i];
        path->length = floor(fmin((room - path->gap * (count - 1)) / count, TALLEST));
        fits = path->length > 0 && path->line > 0 && find_digits(path);
    }
    double used = path->beside + line_at(path, path->columns);
    double tall = path->labels + along(path);
    path->corner = (Point){round(area.x + (area.w - used) / 2 + path->beside),
                           round(area.y + fmax(area.h - tall, 0) / 2 + path->labels)};
    return fits;
}

static bool place(Path *path, Box area) {
    bool upright = area.h > area.w;
    if (upright ? place_upright(path, area) : place_across(path, area))
        return true;
    return upright ? place_across(path, area) : place_upright(path, area);
}

/* ---- drawing ---- */

/* Draws the numbers before a station as pale bands that run on to it. */
static void draw_bands(const Path *path, size_t index) {
    const Stage *stage = path->stage;
    const Tensor *before = stage_tensor(stage, path->nodes[index - 1]);
    ColorScale scale = heatmap_scale(stage->canvas, HEATMAP_SIGNED, path->reach);
    for (size_t j = 0; j < path->columns && path->line >= LOWEST; j++) {
        double value = tensor_at(before, path->row, j);
        if (tensor_is_masking(value) || isnan(value))
            continue;
        Color color = color_scale_at(&scale, value);
        color.a = BAND_ALPHA;
        Box band = part_box(path, gap_at(path, index), path->gap, j, j + 1);
        double margin = path->line * (1 - BAND_FRACTION) / 2;
        if (path->upright)
            band = (Box){band.x + margin, band.y, band.w - 2 * margin, band.h};
        else
            band = (Box){band.x, band.y + margin, band.w, band.h - 2 * margin};
        canvas_link_cell(stage->canvas, path->nodes[index - 1], path->row, j);
        const Point corners[] = {{band.x, band.y},
                                 {band.x + band.w, band.y},
                                 {band.x + band.w, band.y + band.h},
                                 {band.x, band.y + band.h}};
        scene_polygon(stage->canvas->scene, corners, 4, color);
        canvas_unlink(stage->canvas);
    }
}

/* Draws a piece of the vector that is added: narrow cells without numbers. */
static void draw_added_piece(const Path *path, size_t index, size_t column, size_t end) {
    if (column >= end)
        return;
    const Between *before = &path->before[index];
    double length = fmin(THIN, path->gap / 2);
    double middle = path->added > 0 ? BEFORE_ADDED + path->added / 2 : path->gap / 2;
    Box box =
        part_box(path, gap_at(path, index) + middle - length / 2, length, column, end);
    Heatmap strip = strip_of(path, before->added, before->row, column, end, box);
    strip.without_numbers = true;
    heatmap_draw(path->stage->canvas, &strip);
}

static void draw_added(const Path *path, size_t index) {
    const Stage *stage = path->stage;
    const Between *before = &path->before[index];
    draw_added_piece(path, index, 0, path->col);
    draw_added_piece(path, index, path->col + 1, path->columns);
    if (path->added <= 0) {
        draw_added_piece(path, index, path->col, path->col + 1);
        return;
    }
    Heatmap cell = strip_of(path, before->added, before->row, path->col, path->col + 1,
                            added_box(path, index));
    cell.number_size = path->small;
    heatmap_draw(stage->canvas, &cell);
    lane_sum(stage->canvas,
             point_at(path, gap_at(path, index) + BEFORE_ADDED / 2, path->col), RING);
}

/* Draws the gate of an operation that isn't a sum. */
static void draw_gate(const Path *path, size_t index) {
    const Canvas *canvas = path->stage->canvas;
    double length = fmin(GATE, path->gap / 2);
    Box box = part_box(path, gap_at(path, index) + (path->gap - length) / 2, length, 0,
                       path->columns);
    scene_rectangle(
        canvas->scene, box, 6, canvas->theme->page,
        role_color(canvas->theme, path->before[index].role, canvas->theme->ink_faint), 2);
}

/* Width of what was done before a station in words; 0 where there are none. */
static double title_width(const Path *path, size_t index) {
    const Canvas *canvas = path->stage->canvas;
    return index && index < path->count
               ? canvas_formula_extent(canvas, path->before[index].title,
                                       canvas_size(canvas, TITLE, ""))
                         .width +
                     2 * TITLE_PAD
               : 0;
}

/* Width that the words before a station have between those of its neighbours. */
static double title_room(const Path *path, size_t index) {
    double pitch = path->length + path->gap;
    double beside = fmax(title_width(path, index - 1), title_width(path, index + 1));
    return path->upright ? path->beside - 2 * LABEL_GAP
                         : 2 * pitch - fmax(beside, pitch / 2) - TITLE_PAD;
}

/* Draws what was done before a station in words, in a box that opens its step. */
static void draw_title(const Path *path, size_t index) {
    const Canvas *canvas = path->stage->canvas;
    const Between *before = &path->before[index];
    double size = canvas_size(canvas, TITLE, "");
    double room = title_room(path, index) - 2 * TITLE_PAD;
    const char *title = before->title;
    FormulaExtent extent =
        canvas_formula_fit(canvas, title, canvas_least(canvas, ""), room, &size);
    if (extent.width > room) {
        title = before->added != TAPE_NONE ? "+" : "\\text{…}";
        extent = canvas_formula_extent(canvas, title, size);
    }
    double width = ceil(extent.width) + 2 * TITLE_PAD;
    double height =
        fmin(fmax(ceil(size * 1.6), extent.ascent + extent.descent + 6), TITLE_HIGH - 4);
    double middle = gap_at(path, index) + path->gap / 2;
    Point at =
        path->upright
            ? (Point){path->corner.x - LABEL_GAP - width / 2, path->corner.y + middle}
            : (Point){path->corner.x + middle, path->corner.y - TITLE_HIGH / 2 - 2};
    Box box = {round(at.x - width / 2), round(at.y - height / 2), width, height};
    if (before->step != PLAYER_NONE)
        canvas_link(canvas, (Link){.kind = LINK_STEP, .index = before->step});
    scene_rectangle(canvas->scene, box, 7, canvas->theme->page,
                    role_color(canvas->theme, before->role, canvas->theme->ink_faint), 2);
    canvas_formula(canvas, title, size, box_middle(box), LABEL_CENTER);
    canvas_unlink(canvas);
}

static void draw_piece(const Path *path, size_t index, size_t column, size_t end) {
    if (column >= end)
        return;
    Heatmap strip =
        strip_of(path, path->nodes[index], path->row, column, end,
                 part_box(path, station_at(path, index), path->length, column, end));
    heatmap_draw(path->stage->canvas, &strip);
}

static void draw_name(const Path *path, size_t index) {
    const Stage *stage = path->stage;
    double room =
        path->upright ? path->beside - LABEL_GAP : path->length + path->gap - TITLE_PAD;
    size_t node = path->nodes[index];
    Caption name = caption_low(stage, lane_table_name(stage, node), node,
                               stage_tensor(stage, node), NAME, room, NAME_HIGH);
    double middle = station_at(path, index) + path->length / 2;
    Point at =
        path->upright
            ? (Point){path->corner.x - LABEL_GAP, path->corner.y + middle}
            : (Point){path->corner.x + middle,
                      path->corner.y + line_at(path, path->columns) + NAME_HIGH / 2};
    if (!path->upright) {
        Box area = stage->area;
        at.x = fmin(at.x, area.x + area.w - name.width / 2);
        at.x = fmax(at.x, area.x + name.width / 2);
    }
    caption_draw_name(stage, &name, at, path->upright ? LABEL_RIGHT : LABEL_CENTER);
}

static void draw_station(const Path *path, size_t index) {
    const Stage *stage = path->stage;
    draw_name(path, index);
    draw_piece(path, index, 0, path->col);
    draw_piece(path, index, path->col, path->col + 1);
    draw_piece(path, index, path->col + 1, path->columns);
    Color edge = stage->canvas->theme->ink;
    if (stage_focuses(stage, path->nodes[index], path->row, path->col))
        edge = stage->canvas->theme->focus;
    else
        edge.a = BAND_ALPHA;
    canvas_outline(stage->canvas, box_inset(cell_box(path, index, path->col), -1), 5,
                   edge, 3);
}

/* Draws the focused line from a station to the next as an arrow. */
static void draw_line(const Path *path, size_t index) {
    const Canvas *canvas = path->stage->canvas;
    Point from = point_at(path, gap_at(path, index), path->col);
    Point to = point_at(path, station_at(path, index) - 2, path->col);
    canvas_arrow(canvas, from, to, LINE, HEAD, canvas->theme->ink);
}

static void draw_labels(const Path *path) {
    const Canvas *canvas = path->stage->canvas;
    for (size_t j = 0; j < path->columns; j++) {
        double size = label_size(path, j), at = line_at(path, j);
        double line = line_at(path, j + 1) - at;
        bool chosen = j == path->col;
        if (!chosen && line < (path->upright ? widest_label(path) : size))
            continue;
        Point start = point_at(path, 0, j);
        if (path->upright)
            canvas_text_within(canvas, chosen ? FONT_BOLD : FONT_TEXT, size, line,
                               chosen ? canvas->theme->ink : canvas->theme->ink_soft,
                               (Point){start.x, path->corner.y - 8}, LABEL_CENTER,
                               label_of(path, j));
        else
            canvas_row_label(canvas, size, path->labels - LABEL_GAP, chosen,
                             (Point){path->corner.x - LABEL_GAP, start.y},
                             label_of(path, j));
    }
}

/* Draws the row's token over the first station. */
static void draw_token(const Path *path) {
    const Stage *stage = path->stage;
    const Tensor *first = stage_tensor(stage, path->nodes[0]);
    if (!first->row_labels)
        return;
    const char *label = first->row_labels[path->row];
    double size = canvas_size(stage->canvas, CHIP, label);
    double high = token_height(size);
    double most = path->upright ? path->beside - LABEL_GAP
                                : path->length + path->labels + path->gap / 4;
    double width = fmin(token_width(stage->canvas, size, label), most);
    double middle = path->corner.y - TITLE_HIGH / 2 - 2;
    double right = path->upright ? path->corner.x - LABEL_GAP
                                 : path->corner.x + path->length / 2 + width / 2;
    double title = path->corner.x + path->length + path->gap / 2 -
                   fmin(title_width(path, 1), title_room(path, 1)) / 2;
    if (!path->upright) /* clear of the first title */
        right = fmax(fmin(right, title - TITLE_PAD), stage->area.x + width);
    chip_draw(stage->canvas, label, true, size,
              (Link){LINK_CELL, path->nodes[0], path->row, path->col},
              (Box){round(right - width), round(middle - high / 2), width, high});
}

bool vector_path(const Stage *stage) {
    Path path = {.stage = stage};
    Box area = stage->area;
    if (!find(&path))
        return false;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (!place(&path, area))
        return false;
    for (size_t i = 1; i < path.count; i++) {
        draw_bands(&path, i);
        draw_line(&path, i);
    }
    draw_token(&path);
    draw_labels(&path);
    for (size_t i = 0; i < path.count; i++) {
        if (i) {
            draw_title(&path, i);
            if (path.before[i].added != TAPE_NONE)
                draw_added(&path, i);
            else
                draw_gate(&path, i);
        }
        draw_station(&path, i);
    }
    double left =
        stage_legends(stage, stage->area, &(StageScale){HEATMAP_SIGNED, path.reach}, 1);
    Stage tokens = *stage;
    tokens.node = path.nodes[0];
    Box strip = stage->area;
    strip = box_take_bottom(&strip, token_row_height(stage->canvas));
    strip.w = left - strip.x - BESIDE / 4;
    const Tensor *first = stage_tensor(stage, path.nodes[0]);
    if (first->row_labels && first->rows > 1 && strip.w > BESIDE)
        token_row_draw(&tokens, strip, path.row, path.col);
    return true;
}
