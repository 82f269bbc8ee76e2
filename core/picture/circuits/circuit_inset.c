#include "lesson/play/player.h"
#include "picture/circuits/circuits.h"
#include "picture/draw/lanes.h"
#include "tensor/tape/tape.h"

#include <math.h>

/* X; Q above K above V; the scores; the probabilities; the weighted sum; and, with
 * several heads, the output of W_O. */
typedef enum Spot {
    SPOT_SOURCE,
    SPOT_QUERY,
    SPOT_KEY,
    SPOT_VALUE,
    SPOT_SCORES,
    SPOT_PROBABILITIES,
    SPOT_MIXED,
    SPOT_RESULT,
    SPOT_COUNT
} Spot;

static const double SCALE = 0.58, WIDTH = 236, HEIGHT = 66, MARGIN = 4, RADIUS = 2,
                    THIN = 3, LEAST_AREA = 340; /* a lower area has no inset */

static const struct {
    double x, y, w, h;
    Role role;
} spots[SPOT_COUNT] = {
    [SPOT_SOURCE] = {0, 24, 18, 18, ROLE_NONE},
    [SPOT_QUERY] = {52, 0, 26, 16, ROLE_QUERY},
    [SPOT_KEY] = {52, 24, 26, 16, ROLE_KEY},
    [SPOT_VALUE] = {52, 50, 26, 16, ROLE_VALUE},
    [SPOT_SCORES] = {104, 8, 24, 24, ROLE_NONE},
    [SPOT_PROBABILITIES] = {144, 8, 24, 24, ROLE_PROBABILITIES},
    [SPOT_MIXED] = {184, 34, 20, 20, ROLE_NONE},
    [SPOT_RESULT] = {216, 34, 20, 20, ROLE_NONE},
};

static const struct {
    Spot from, to;
    Role role;
} ways[] = {
    {SPOT_SOURCE, SPOT_QUERY, ROLE_QUERY},
    {SPOT_SOURCE, SPOT_KEY, ROLE_KEY},
    {SPOT_SOURCE, SPOT_VALUE, ROLE_VALUE},
    {SPOT_QUERY, SPOT_SCORES, ROLE_QUERY},
    {SPOT_KEY, SPOT_SCORES, ROLE_KEY},
    {SPOT_SCORES, SPOT_PROBABILITIES, ROLE_PROBABILITIES},
    {SPOT_PROBABILITIES, SPOT_MIXED, ROLE_PROBABILITIES},
    {SPOT_VALUE, SPOT_MIXED, ROLE_VALUE},
    {SPOT_MIXED, SPOT_RESULT, ROLE_NONE},
};

/* Parts that an attention has, and the one that the present step computes. */
typedef struct Inset {
    const Stage *stage;
    bool has[SPOT_COUNT];
    Spot lit;     /* highlighted part; SPOT_COUNT: none */
    size_t whole; /* step of the whole attention */
} Inset;

/* ---- the step's part ---- */

/* Sets the parts that an attention has, by the last node of each, and highlights the one
 * that ends first at or behind a node. */
static void take(Inset *inset, const size_t ends[SPOT_COUNT], size_t node) {
    size_t first = TAPE_NONE;
    for (Spot spot = 0; spot < SPOT_COUNT; spot++) {
        inset->has[spot] = ends[spot] != TAPE_NONE;
        if (ends[spot] < node || ends[spot] >= first)
            continue;
        first = ends[spot];
        inset->lit = spot;
    }
}

static size_t first_source(const AttentionLane *query, const AttentionLane *key,
                           const AttentionLane *value) {
    return query->source != TAPE_NONE ? query->source
           : key->source != TAPE_NONE ? key->source
                                      : value->source;
}

static void take_one(Inset *inset, const AttentionParts *parts, size_t node) {
    const size_t ends[SPOT_COUNT] = {
        [SPOT_SOURCE] = first_source(&parts->query, &parts->key, &parts->value),
        [SPOT_QUERY] = parts->query.table,
        [SPOT_KEY] = parts->key.table,
        [SPOT_VALUE] = parts->value.table,
        [SPOT_SCORES] = parts->last,
        [SPOT_PROBABILITIES] = parts->probabilities,
        [SPOT_MIXED] = parts->output,
        [SPOT_RESULT] = TAPE_NONE};
    take(inset, ends, node);
}

static void take_several(Inset *inset, const AttentionHeads *heads, size_t node) {
    const size_t ends[SPOT_COUNT] = {[SPOT_SOURCE] = 0,
                                     [SPOT_QUERY] = heads->query.table,
                                     [SPOT_KEY] = heads->key.table,
                                     [SPOT_VALUE] = heads->value.table,
                                     [SPOT_PROBABILITIES] =
                                         heads->joined - 1, /* the last head */
                                     [SPOT_MIXED] = heads->joined,
                                     [SPOT_RESULT] = heads->output};
    take(inset, ends, node);
}

/* Finds the attention that the step is directly part of; returns false if there is
 * none. */
static bool find_whole(Inset *inset, const Stage *stage) {
    Player player = *stage->player;
    const PlayerStep *at = player_step(&player);
    size_t node = at->node;
    *inset = (Inset){.stage = stage, .whole = at->parent, .lit = SPOT_COUNT};
    if (at->parent == PLAYER_NONE || player.steps[at->parent].frame != PLAYER_NONE)
        return false;
    Stage around = *stage;
    around.player = &player;
    player.step = at->parent;
    AttentionParts parts;
    AttentionHeads heads;
    if (attention_find(&around, &parts) && !parts.bare)
        take_one(inset, &parts, node);
    else if (attention_find_heads(&around, &heads))
        take_several(inset, &heads, node);
    return inset->lit != SPOT_COUNT;
}

/* ---- drawing ---- */

static Box box_of(Box area, Spot spot) {
    return (Box){area.x + spots[spot].x * SCALE, area.y + spots[spot].y * SCALE,
                 spots[spot].w * SCALE, spots[spot].h * SCALE};
}

static void draw_paths(const Inset *inset, Box area) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!inset->has[ways[i].from] || !inset->has[ways[i].to])
            continue;
        Box from = box_of(area, ways[i].from), to = box_of(area, ways[i].to);
        lane_between(inset->stage->canvas, (Point){from.x + from.w, from.y + from.h / 2},
                     (Point){to.x, to.y + to.h / 2},
                     (Lane){.role = ways[i].role, .thickness = THIN});
    }
}

/* Draws a part; the highlighted one is filled and has the frame of what is explained. */
static void draw_spot(const Inset *inset, Box area, Spot spot) {
    const Canvas *canvas = inset->stage->canvas;
    const Theme *theme = canvas->theme;
    Color color = role_color(theme, spots[spot].role, theme->ink_faint);
    bool lit = spot == inset->lit;
    Box box = box_of(area, spot);
    scene_rectangle(canvas->scene, box, RADIUS, lit ? color : theme->page, color, 2);
    if (lit)
        canvas_outline(canvas, box_inset(box, -4), RADIUS + 4, theme->focus, 2);
}

void circuit_inset(const Stage *stage, Box *area) {
    Inset inset;
    double width = WIDTH * SCALE, height = HEIGHT * SCALE, room = height + 2 * MARGIN;
    if (player_step(stage->player)->child_count || area->h < LEAST_AREA ||
        !find_whole(&inset, stage))
        return;
    Box at = {area->x + area->w - width - MARGIN, area->y + MARGIN, width, height};
    box_take_top(area, room);
    draw_paths(&inset, at);
    for (Spot spot = 0; spot < SPOT_COUNT; spot++) {
        if (inset.has[spot])
            draw_spot(&inset, at, spot);
    }
    canvas_link(stage->canvas, (Link){.kind = LINK_STEP, .index = inset.whole});
    canvas_target(stage->canvas, at);
    canvas_unlink(stage->canvas);
}
