#include "picture/motion/flow.h"

#include "base/maths.h"
#include "picture/manners/bars.h"
#include "picture/motion/readable.h"

enum { PARTS_MOST = 64, DEPTH_MOST = 12, LEGENDS_MOST = 8 };
static const double LONGEST_WAY = 240, BESIDE = 14, ALONE = 150, LARGEST_THING = 72,
                    LEGEND_REACH = 28; /* units */
/* Of a part's time: until, from; and from when its texts come. */
static const double GROWS = 0.6, TRAVELS = 0.1, READS = 0.6;

typedef struct FlowParts {
    const Still *still;
    const Player *player;
    const PaceMoment *moment;
    size_t first, last; /* the step's nodes */
    size_t count;
    size_t nodes[PARTS_MOST];      /* those drawn, in order */
    Bars bars[STILL_TABLES_MAX];   /* what the still's tables are drawn as */
    Box numbers[STILL_TABLES_MAX]; /* where their numbers are */
    size_t legend_count;
    Box legends[LEGENDS_MOST]; /* their bars: images of no tensor's cells */
} FlowParts;

size_t flow_first_node(const Player *player, size_t step) {
    while (player->steps[step].child_count)
        step++;
    return player->steps[step].node;
}

/* ---- the parts, in order ---- */

/* Whether the step makes a node: it isn't given to it. */
static bool makes(const FlowParts *parts, size_t node) {
    return node >= parts->first && node <= parts->last &&
           tape_node(parts->still->tape, node)->operation != OPERATION_GIVEN;
}

static void add_node(FlowParts *parts, size_t node) {
    size_t at = parts->count;
    if (!makes(parts, node) || parts->count == PARTS_MOST)
        return;
    while (at > 0 && parts->nodes[at - 1] > node)
        at--;
    if (at > 0 && parts->nodes[at - 1] == node)
        return;
    for (size_t i = parts->count++; i > at; i--)
        parts->nodes[i] = parts->nodes[i - 1];
    parts->nodes[at] = node;
}

/* The node that an item stands for, or TAPE_NONE. */
static size_t node_of(const FlowParts *parts, const SceneItem *item) {
    if (item->link.kind == LINK_CELL)
        return item->link.index;
    if (item->link.kind == LINK_STEP && item->link.index < parts->player->step_count)
        return parts->player->steps[item->link.index].node;
    return TAPE_NONE;
}

/* Where the numbers of a table are: what is drawn of them elsewhere, as a point of a
 * plane, is no part of it. */
static Box find_numbers(const Still *still, const StillTable *table) {
    size_t count = table->first ? table->rows * table->cols : 0, found = 0;
    Box all = table->box;
    for (size_t i = 0; i < count; i++) {
        if (table->last[i] == STILL_NONE)
            continue;
        Box box = still_box(still, table->last[i]);
        all = found++ ? still_join(all, box) : box;
    }
    return found ? all : table->box;
}

static void find_parts(FlowParts *parts) {
    const Still *still = parts->still;
    for (size_t i = 0; i < still->table_count; i++) {
        add_node(parts, still->tables[i].node);
        parts->bars[i] = bars_of(still, &still->tables[i]);
        parts->numbers[i] = find_numbers(still, &still->tables[i]);
    }
    for (size_t i = still->first; i < still->end; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        if (item->link.kind == LINK_STEP)
            add_node(parts, node_of(parts, item));
        bool bar = item->kind == SCENE_IMAGE && item->link.kind == LINK_NONE;
        if (bar && parts->legend_count < LEGENDS_MOST)
            parts->legends[parts->legend_count++] = item->box;
    }
}

/* How far a node's part is; 1 where it was there before. */
static double share_of(const FlowParts *parts, size_t node) {
    size_t at = 0;
    while (at < parts->count && parts->nodes[at] < node)
        at++;
    if (!makes(parts, node) || at == parts->count)
        return 1;
    double count = (double)parts->count;
    double length = fmin(fmax(1.3 / count, 0.3), 1);
    double begins = count > 1 ? (1 - length) * (double)at / (count - 1) : 0;
    return motion_between(parts->moment->time, begins, begins + length);
}

/* ---- where it comes from ---- */

/* What is drawn of a node, or of the nearest that it is made from. */
static const StillTable *source_of(const FlowParts *parts, size_t node, size_t depth) {
    const TapeNode *at = tape_node(parts->still->tape, node);
    for (size_t i = 0; i < at->input_count; i++) {
        const StillTable *table = still_table(parts->still, at->inputs[i]);
        if (table)
            return table;
    }
    for (size_t i = 0; i < at->input_count && depth < DEPTH_MOST; i++) {
        const StillTable *table = source_of(parts, at->inputs[i], depth + 1);
        if (table)
            return table;
    }
    return NULL;
}

/* The part's box on its way from what it is made of, of its own size; from far away only
 * the last stretch. */
static Box box_on_way(const FlowParts *parts, const StillTable *table, double share) {
    const StillTable *source = source_of(parts, table->node, 0);
    Box to = parts->numbers[table - parts->still->tables];
    if (!source)
        return to;
    Box begins = parts->numbers[source - parts->still->tables];
    double dx = begins.x - to.x + (begins.w - to.w) / 2;
    double dy = begins.y - to.y + (begins.h - to.h) / 2;
    double part = fmin(LONGEST_WAY / fmax(sqrt(dx * dx + dy * dy), 1), 1);
    Box from = {to.x + dx * part, to.y + dy * part, to.w, to.h};
    return motion_box_between(still_keep(parts->still, from), to,
                              motion_ease(motion_between(share, TRAVELS, 1)));
}

/* ---- what stands beside it ---- */

static double distance_to(Box box, Point at) {
    double dx = fmax(fmax(box.x - at.x, at.x - box.x - box.w), 0);
    double dy = fmax(fmax(box.y - at.y, at.y - box.y - box.h), 0);
    return sqrt(dx * dx + dy * dy);
}

/* Where an item belongs: a path to where it leads. */
static Point place_of(const SceneItem *item) {
    if (item->kind == SCENE_LINE)
        return item->points[item->count - 1];
    return (Point){item->box.x + item->box.w / 2, item->box.y + item->box.h / 2};
}

/* Whether an item is a legend's bar, or below it. */
static bool is_legend(const FlowParts *parts, const SceneItem *item) {
    Point at = place_of(item);
    for (size_t i = 0; i < parts->legend_count; i++) {
        Box bar = parts->legends[i];
        if (at.y >= bar.y && distance_to(bar, at) <= LEGEND_REACH)
            return true;
    }
    return false;
}

/* The share of the part that an item stands beside, or, as signs do, before; 1 where it
 * is by itself, or holds several. */
static double share_beside(const FlowParts *parts, const SceneItem *item) {
    const Still *still = parts->still;
    double nearest = INFINITY, led = INFINITY, share = 1, share_led = 1;
    Point at = place_of(item);
    size_t held = 0;
    for (size_t i = 0; i < still->table_count; i++) {
        const StillTable *table = &still->tables[i];
        double away = distance_to(table->box, at);
        Point middle = {table->box.x + table->box.w / 2, table->box.y + table->box.h / 2};
        held += item->kind != SCENE_LINE && box_contains(item->box, middle.x, middle.y);
        if (away < nearest) {
            nearest = away;
            share = share_of(parts, table->node);
        }
        if (table->box.x > at.x && away < led) {
            led = away;
            share_led = share_of(parts, table->node);
        }
    }
    bool alone = item->kind != SCENE_LINE && nearest > ALONE;
    if (held > 1 || alone || (item->kind != SCENE_LINE && is_legend(parts, item)))
        return 1;
    return nearest > BESIDE && led < 2 * nearest ? share_led : share;
}

/* Small things that are drawn one after the other and touch are one: a sign in its
 * circle, a formula's letters. */
typedef struct Thing {
    bool open;
    Box box;
    double share;
} Thing;

static bool touch(Box a, Box b) {
    return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;
}

static double share_of_thing(const FlowParts *parts, Thing *thing,
                             const SceneItem *item) {
    bool small = fmax(item->box.w, item->box.h) <= LARGEST_THING;
    bool goes_on = small && thing->open && touch(thing->box, item->box);
    thing->share = goes_on ? thing->share : share_beside(parts, item);
    thing->box = item->box;
    thing->open = small;
    return thing->share;
}

/* Lets an item be there as far as its part is; whether that is on its way. */
static bool show_item(const FlowParts *parts, Thing *thing, SceneItem *item) {
    const Still *still = parts->still;
    size_t node = node_of(parts, item);
    const StillTable *table = node == TAPE_NONE ? NULL : still_table(still, node);
    thing->open &= node == TAPE_NONE;
    double share =
        node == TAPE_NONE ? share_of_thing(parts, thing, item) : share_of(parts, node);
    if (share >= 1)
        return false;
    const Bars *bars = table ? &parts->bars[table - still->tables] : NULL;
    bool text = item->kind == SCENE_TEXT;
    double shown = motion_between(share, text ? READS : TRAVELS, text ? 1 : 0.8);
    if (item->kind == SCENE_LINE) {
        motion_grow(still->canvas->scene, item,
                    motion_ease(motion_between(share, 0, GROWS)));
        shown = share > 0 ? 1 : 0;
    } else if (item->kind == SCENE_RECTANGLE && table && bars->kind != BARS_NONE) {
        bars_grow(still, bars, item, motion_ease(motion_between(share, TRAVELS, 1)));
        return true;
    } else if (item->link.kind == LINK_CELL && table) {
        Box at = parts->numbers[table - still->tables];
        if (touch(at, item->box))
            motion_move(still->canvas->scene, item, at, box_on_way(parts, table, share));
        if (item->kind == SCENE_IMAGE && !(share > TRAVELS))
            item->box.w = item->box.h = 0;
    }
    motion_fade(item, shown);
    return item->kind != SCENE_LINE;
}

void flow_play(const Still *still, const Player *player, const PaceMoment *moment) {
    FlowParts parts = {.still = still,
                       .player = player,
                       .moment = moment,
                       .first = flow_first_node(player, player->step),
                       .last = player_step(player)->node};
    Scene *scene = still->canvas->scene;
    bool *moves = arena_alloc(scene->arena, still->end - still->first + 1, sizeof *moves);
    Thing thing = {0};
    if (!moves) {
        scene->incomplete = true;
        return;
    }
    find_parts(&parts);
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &scene->items[i];
        bool clips = item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP;
        moves[i - still->first] =
            (!clips || item->link.kind == LINK_CELL) && show_item(&parts, &thing, item);
    }
    readable_keep(scene, still->first, moves);
}
