#include "base/maths.h"
#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/charts/charts.h"
#include "picture/operations/embeddings/embedding_pictures.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

/* The difference of two positions' sinusoidal encodings: for each wave a dial with the
 * hands of both positions, and an arrow from tip to tip, which is the difference. Below
 * are its two numbers, the horizontal and the vertical length of the arrow. */

enum { DIALS_MOST = 8 };

/* Lengths in units. */
static const double LARGEST_RADIUS = 150, LEAST_RADIUS = 34, GAP = 44, TIP = 6, HAND = 4;
static const double ARROW = 4, ARROW_HEAD = 12, PLACE_UNITS = 18, PLACE_ROOM = 28;
static const double CELL_W = 84, CELL_H = 40, CELL_GAP = 22, NUMBER_UNITS = 18,
                    WAVE_UNITS = 14, WAVE = 22, KEY = 46, NAME_UNITS = 21;
static const double REACH = 2; /* largest difference of sines or cosines */

typedef struct Places {
    const Stage *stage;
    size_t rows[2]; /* rows of the encoding: the position, and the one subtracted */
    const TapeNode *waves;
    const Tensor *out;
    size_t count; /* number of dials */
    double radius, pitch, cell;
    Point first; /* centre of the first dial */
} Places;

/* Returns the encoding that a node is a row of, or NULL; sets *row. */
static const TapeNode *row_of_waves(const Stage *stage, size_t node, size_t *row) {
    const TapeNode *at = stage_node(stage, node);
    if (at->operation != OPERATION_SLICE || at->output.rows != 1)
        return NULL;
    const TapeNode *waves = stage_node(stage, at->inputs[0]);
    *row = at->options.row_begin;
    return waves->operation == OPERATION_POSITIONAL_ENCODING &&
                   at->output.cols == waves->output.cols
               ? waves
               : NULL;
}

static bool find(Places *p) {
    const Stage *stage = p->stage;
    const TapeNode *node = stage_node(stage, stage->node);
    if (node->operation != OPERATION_SUBTRACT || node->muted || stage->values ||
        stage->is_question || !stage_only_picks(stage))
        return false;
    p->waves = row_of_waves(stage, node->inputs[0], &p->rows[0]);
    p->out = &node->output;
    p->count = p->out->cols / 2;
    return p->waves && p->waves == row_of_waves(stage, node->inputs[1], &p->rows[1]) &&
           p->out->cols % 2 == 0 && p->count <= DIALS_MOST && p->rows[0] != p->rows[1];
}

static bool place(Places *p) {
    Box area = p->stage->area;
    box_take_bottom(&area, KEY);
    double below = CELL_GAP + WAVE + CELL_H + PLACE_ROOM;
    double room = area.w / (double)p->count - GAP;
    p->radius = floor(fmin(LARGEST_RADIUS,
                           fmin(room - 2 * PLACE_ROOM, area.h - PLACE_ROOM - below) / 2));
    p->cell = fmin(CELL_W, room / 2);
    p->pitch = fmax(2 * (p->radius + PLACE_ROOM), 2 * p->cell) + GAP;
    double used = p->pitch * (double)p->count;
    double spare = area.h - PLACE_ROOM - below - 2 * p->radius;
    p->first = (Point){round(area.x + (area.w - used + p->pitch) / 2),
                       round(area.y + fmax(spare, 0) * 0.45 + PLACE_ROOM + p->radius)};
    return p->radius >= LEAST_RADIUS;
}

/* ---- a dial ---- */

static Point centre_of(const Places *p, size_t dial) {
    return (Point){p->first.x + p->pitch * (double)dial, p->first.y};
}

static Point tip_of(const Places *p, size_t dial, size_t place) {
    const Tensor *waves = &p->waves->output;
    Point centre = centre_of(p, dial);
    double sine = tensor_at(waves, p->rows[place], 2 * dial),
           cosine = tensor_at(waves, p->rows[place], 2 * dial + 1);
    return (Point){centre.x + p->radius * sine, centre.y - p->radius * cosine};
}

/* Returns the angle from one position's hand to the next one's. */
static double turn_of(const Places *p, size_t dial) {
    return pow(10000, -2 * (double)dial / (double)p->out->cols);
}

static Color hand_color(const Places *p, size_t place) {
    return p->stage->canvas->theme->other[place];
}

static void draw_hand(const Places *p, size_t dial, size_t place) {
    const Canvas *canvas = p->stage->canvas;
    Point tip = tip_of(p, dial, place);
    scene_line(canvas->scene, centre_of(p, dial), tip, HAND, hand_color(p, place));
    canvas_dot(canvas, tip, TIP, hand_color(p, place), canvas->theme->page, 1);
}

/* Draws the numbers of the positions beyond their tips, apart if the tips are close. */
static void draw_places(const Places *p, size_t dial) {
    const Canvas *canvas = p->stage->canvas;
    Point centre = centre_of(p, dial);
    double size = canvas_size(canvas, PLACE_UNITS, ""),
           far = p->radius + size * 0.7 + 1.2 * TIP;
    double turn = turn_of(p, dial);
    double angles[] = {turn * (double)p->rows[0], turn * (double)p->rows[1]};
    double apart = angles[0] - angles[1], least = 1.5 * size / far;
    apart -= 2 * PI * round(apart / (2 * PI));
    angles[0] = angles[1] + apart;
    double missing = fmax(least - fabs(apart), 0) / 2 * (apart < 0 ? -1 : 1);
    angles[0] += missing;
    angles[1] -= missing;
    for (size_t i = 0; i < 2; i++)
        canvas_label_at(
            canvas, FONT_BOLD, PLACE_UNITS, hand_color(p, i),
            (Point){centre.x + far * sin(angles[i]), centre.y - far * cos(angles[i])},
            LABEL_CENTER, canvas_count(canvas, p->rows[i]));
}

static void draw_arrow(const Canvas *canvas, Point from, Point to) {
    canvas_arrow(canvas, from, to, ARROW, ARROW_HEAD, canvas->theme->ink);
}

static void draw_dial(const Places *p, size_t dial) {
    const Canvas *canvas = p->stage->canvas;
    Dial rim = {.centre = centre_of(p, dial),
                .radius = p->radius,
                .angle_step = turn_of(p, dial),
                .count = p->waves->output.rows};
    dial_draw_rim(canvas, &rim);
    for (size_t i = 2; i > 0; i--)
        draw_hand(p, dial, i - 1);
    if (2 * dial + 1 < p->stage->visible)
        draw_arrow(canvas, tip_of(p, dial, 1), tip_of(p, dial, 0));
    draw_places(p, dial);
}

/* ---- the differences ---- */

static Box cell_box(const Places *p, size_t col) {
    double middle = p->first.x + p->pitch * (double)(col / 2);
    double top = p->first.y + p->radius + PLACE_ROOM + CELL_GAP + WAVE;
    return (Box){round(middle - p->cell + p->cell * (double)(col % 2)) + 1, round(top),
                 round(p->cell) - 2, CELL_H};
}

static void draw_cell(const Places *p, size_t col) {
    const Stage *stage = p->stage;
    const Canvas *canvas = stage->canvas;
    const Theme *theme = canvas->theme;
    Box box = cell_box(p, col);
    double value = p->out->values[col];
    bool there = col < stage->visible;
    ColorScale scale = heatmap_scale(canvas, HEATMAP_SIGNED, REACH);
    Color ground = there ? color_scale_at(&scale, value) : theme->page;
    canvas_link_cell(canvas, stage->node, 0, col);
    scene_rectangle(canvas->scene, box, 3, ground, theme->line, 1);
    if (there)
        canvas_label_at(canvas, FONT_TEXT, NUMBER_UNITS,
                        palette_ink(ground, theme->cell_dark, theme->cell_light),
                        box_middle(box), LABEL_CENTER,
                        canvas_number(canvas, value, heatmap_decimals(p->out)));
    Heatmap printed = {.lesson = stage->player->lesson, .step = stage->step};
    if (there && stage->step->result == stage->node)
        heatmap_mark_differing(canvas, &printed, 0, col, box);
    canvas_unlink(canvas);
    canvas_label(canvas, FONT_TEXT, WAVE_UNITS, theme->ink_soft,
                 (Point){box.x + box.w / 2, box.y - 8}, LABEL_CENTER,
                 col % 2 ? "↑ cos" : "→ sin");
    if (stage_focuses(stage, stage->node, 0, col))
        canvas_outline(canvas, box_inset(box, -2), 5, theme->focus, 2);
}

/* Draws the key "● P[0]  ● P[6]  → near" in the lower left corner. */
static void draw_key(const Places *p) {
    const Stage *stage = p->stage;
    const Canvas *canvas = stage->canvas;
    const TapeNode *node = stage_node(stage, stage->node);
    Box area = stage->area, strip = box_take_bottom(&area, KEY);
    double y = strip.y + strip.h / 2, gap = 10, x = strip.x + TIP;
    for (size_t i = 0; i < 2; i++) {
        canvas_dot(canvas, (Point){x, y}, TIP, hand_color(p, i), (Color){0}, 0);
        Box name = canvas_formula(canvas, stage_formula_name(stage, node->inputs[i]),
                                  NAME_UNITS, (Point){x + TIP + gap, y}, LABEL_LEFT);
        x = name.x + name.w + 3 * gap;
    }
    draw_arrow(canvas, (Point){x, y}, (Point){x + 4 * gap, y});
    canvas_formula(canvas, stage_formula_name(stage, stage->node), NAME_UNITS,
                   (Point){x + 5 * gap, y}, LABEL_LEFT);
}

bool positions_picture(const Stage *stage) {
    Places p = {.stage = stage};
    if (!find(&p) || !place(&p))
        return false;
    for (size_t i = 0; i < p.count; i++)
        draw_dial(&p, i);
    for (size_t i = 0; i < p.out->cols; i++)
        draw_cell(&p, i);
    draw_key(&p);
    return true;
}
