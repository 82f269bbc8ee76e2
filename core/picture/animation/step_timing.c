#include "picture/animation/animation_parts.h"

#include "base/arena.h"
#include "base/maths.h"
#include "picture/draw/canvas.h"
#include "tensor/tape/tape.h"

static const double BESIDE = 14, ALONE = 150, LARGEST_THING = 72, LEGEND_REACH = 28,
                    LANE_REACH = 90, END_REACH = 8; /* units */
/* Fractions of a part's time: its lanes have grown, its texts appear. */
static const double LANES_GROW = 0.4, READS = 0.6;
/* Of parts before the last: delay until the next part that isn't computed from it begins,
 * in lengths; least length, relative to all parts. */
static const double SOON = 0.5, LEAST_LENGTH = 0.2;

enum { FLOW_PARTS_MOST = 64, FLOW_LEGENDS_MOST = 8 };

/* A node of the step. */
typedef struct FlowNode {
    uint64_t made_of; /* a bit for every drawn table that it is computed from, or is */
    bool left;        /* it is drawn, and still to be listed */
    bool seen;        /* it was met while parts were listed */
} FlowNode;

/* Timing of a step: when each of its parts appears. */
typedef struct Flow {
    const Still *still;
    const Player *player;
    const PaceMoment *moment;
    size_t first, last; /* the step's nodes */
    FlowNode *made;     /* of them */
    size_t count;
    size_t nodes[FLOW_PARTS_MOST]; /* drawn nodes, in order */
    size_t legend_count;
    Box legends[FLOW_LEGENDS_MOST]; /* bars of legends: images that belong to no tensor's
                                       cells */
} Flow;

size_t step_timing_first_node(const Player *player, size_t step) {
    while (player->steps[step].child_count)
        step = player->steps[step].parts;
    return player->steps[step].node;
}

/* ---- order of the parts ---- */

/* Reports whether the step computes a node. */
static bool makes(const Flow *flow, size_t node) {
    return node >= flow->first && node <= flow->last &&
           tape_node(flow->still->tape, node)->operation != OPERATION_GIVEN;
}

static uint64_t own_bit(const Flow *flow, size_t node) {
    const StillTable *table = still_table(flow->still, node);
    for (size_t i = 0; !table && i < flow->still->table_count; i++) {
        if (tape_is_same(flow->still->tape, flow->still->tables[i].node, node))
            table = &flow->still->tables[i];
    }
    return table ? (uint64_t)1 << (table - flow->still->tables) : 0;
}

static FlowNode *made_at(const Flow *flow, size_t node) {
    return &flow->made[node - flow->first];
}

/* Drawn tables that a node is computed from, as bits; for an input, itself. */
static uint64_t made_of(const Flow *flow, size_t node) {
    return makes(flow, node) ? made_at(flow, node)->made_of : own_bit(flow, node);
}

static void find_origins(Flow *flow) {
    for (size_t node = flow->first; node <= flow->last; node++) {
        const TapeNode *at = tape_node(flow->still->tape, node);
        uint64_t tables = own_bit(flow, node);
        for (size_t i = 0; i < at->input_count; i++)
            tables |= made_of(flow, at->inputs[i]);
        made_at(flow, node)->made_of = tables;
    }
}

/* Node that an item represents, or TAPE_NONE. */
static size_t node_of(const Flow *flow, const SceneItem *item) {
    if (item->link.kind == LINK_CELL || item->link.kind == LINK_SOURCE)
        return item->link.index;
    if (item->link.kind == LINK_STEP && item->link.index < flow->player->step_count)
        return flow->player->steps[item->link.index].node;
    return TAPE_NONE;
}

/* Lists the drawn nodes that a node needs, each behind those that it is computed from;
 * `stack` has room for all nodes. */
static void list_needed(Flow *flow, size_t *stack, size_t node) {
    size_t depth = 0;
    stack[depth++] = node;
    made_at(flow, node)->seen = true;
    while (depth) {
        size_t top = stack[depth - 1], next = TAPE_NONE;
        const TapeNode *at = tape_node(flow->still->tape, top);
        for (size_t i = 0; i < at->input_count && next == TAPE_NONE; i++) {
            if (makes(flow, at->inputs[i]) && !made_at(flow, at->inputs[i])->seen)
                next = at->inputs[i];
        }
        if (next != TAPE_NONE) {
            made_at(flow, next)->seen = true;
            stack[depth++] = next;
            continue;
        }
        if (made_at(flow, top)->left && flow->count < FLOW_PARTS_MOST)
            flow->nodes[flow->count++] = top;
        made_at(flow, top)->left = false;
        depth--;
    }
}

static void find_legends(Flow *flow) {
    for (size_t i = flow->still->first; i < flow->still->end; i++) {
        const SceneItem *item = &flow->still->canvas->scene->items[i];
        bool bar = item->kind == SCENE_IMAGE && item->link.kind == LINK_NONE;
        if (bar && flow->legend_count < FLOW_LEGENDS_MOST)
            flow->legends[flow->legend_count++] = item->box;
    }
}

/* Treats the probabilities of a generation step as given: if tokens are cut, they precede
 * the cut. */
static void take_as_given(Flow *flow) {
    size_t turn;
    const LessonGenerate *generate =
        lesson_generation_at(flow->player, flow->player->step, &turn);
    if (!generate || turn == PLAYER_NONE)
        return;
    size_t probabilities = generate->generated.steps[turn].all_probabilities;
    if (probabilities != TAPE_NONE && probabilities >= flow->first &&
        probabilities < flow->last)
        flow->first = probabilities + 1;
}

/* Finds the parts of the animation of the player's step. */
static void flow_init(Flow *flow, const Still *still, const Player *player,
                      const PaceMoment *moment) {
    Scene *scene = still->canvas->scene;
    *flow = (Flow){.still = still,
                   .player = player,
                   .moment = moment,
                   .first = step_timing_first_node(player, player->step),
                   .last = player_step(player)->node};
    take_as_given(flow);
    size_t count = flow->last - flow->first + 1;
    size_t *stack = arena_alloc(scene->arena, count, sizeof *stack);
    flow->made = arena_alloc(scene->arena, count, sizeof *flow->made);
    for (size_t i = still->first; i < still->end; i++) {
        size_t node = node_of(flow, &scene->items[i]);
        if (node != TAPE_NONE && makes(flow, node))
            made_at(flow, node)->left = true;
    }
    find_origins(flow);
    for (size_t node = flow->first; node <= flow->last; node++) {
        bool is_last = node == flow->last;
        bool leads_on = made_at(flow, flow->last)->made_of & own_bit(flow, node);
        if (is_last ? makes(flow, node) : made_at(flow, node)->left && !leads_on)
            list_needed(flow, stack, node);
    }
    find_legends(flow);
}

/* Beginning of a part in lengths; it waits for the part before it if it is computed from
 * that. */
static double begin_of(const Flow *flow, size_t part) {
    double begin = 0;
    for (size_t i = 1; i <= part; i++)
        begin +=
            made_of(flow, flow->nodes[i]) & own_bit(flow, flow->nodes[i - 1]) ? 1 : SOON;
    return begin;
}

/* Progress of a part; 1 if it was there before. The last one has its own time, in which
 * the cell is explained (lesson/play/pace.h). */
static double progress_at(const Flow *flow, size_t part) {
    double time = flow->moment->time, rest = 1 - PACE_LAST_PART;
    if (part >= flow->count)
        return 1;
    if (part + 1 == flow->count)
        return motion_between(time, part ? rest : 0, 1);
    double last = begin_of(flow, flow->count - 2);
    double length = rest * fmax(1 / (last + 1), LEAST_LENGTH);
    double begins = part ? (rest - length) * begin_of(flow, part) / last : 0;
    return motion_between(time, begins, begins + length);
}

/* Progress of a node; 1 if it is no part. */
static double progress_of(const Flow *flow, size_t node) {
    size_t part = 0;
    while (part < flow->count && flow->nodes[part] != node)
        part++;
    return progress_at(flow, part);
}

/* Progress of items beside a node, which are visible as soon as some of it is. */
static double progress_around(const Flow *flow, size_t node) {
    return still_cached_rows(flow->still, node) ? 1 : progress_of(flow, node);
}

/* ---- items beside the parts ---- */

static double distance_to(Box box, Point at) {
    double dx = fmax(fmax(box.x - at.x, at.x - box.x - box.w), 0);
    double dy = fmax(fmax(box.y - at.y, at.y - box.y - box.h), 0);
    return sqrt(dx * dx + dy * dy);
}

/* Reports whether an item is a legend's bar, or below one. */
static bool is_legend(const Flow *flow, const SceneItem *item) {
    Point at = box_middle(item->box);
    for (size_t i = 0; i < flow->legend_count; i++) {
        Box bar = flow->legends[i];
        if (at.y >= bar.y && distance_to(bar, at) <= LEGEND_REACH)
            return true;
    }
    return false;
}

static const StillTable *nearest_table(const Flow *flow, Point at, double *away) {
    const StillTable *nearest = NULL;
    *away = INFINITY;
    for (size_t i = 0; i < flow->still->table_count; i++) {
        const StillTable *table = &flow->still->tables[i];
        if (distance_to(table->box, at) >= *away)
            continue;
        *away = distance_to(table->box, at);
        nearest = table;
    }
    return nearest;
}

/* Progress of a lane. It belongs to the table at its end or, if it joins two tables that
 * aren't computed from each other, such as a query and its keys, to the table computed
 * from both. */
static double progress_of_lane(const Flow *flow, const SceneItem *item) {
    double away, began;
    const StillTable *to = nearest_table(flow, item->points[item->count - 1], &away);
    const StillTable *from = nearest_table(flow, item->points[0], &began);
    if (!to)
        return 1;
    uint64_t both = own_bit(flow, to->node) | own_bit(flow, from->node);
    if (began > LANE_REACH || away > LANE_REACH ||
        (made_of(flow, to->node) & both) == both)
        return progress_of(flow, to->node);
    for (size_t i = 0; i < flow->count; i++) {
        if ((made_of(flow, flow->nodes[i]) & both) == both)
            return progress_at(flow, i);
    }
    return progress_of(flow, to->node);
}

/* Progress of the part that an item stands beside, or, for signs, before; 1 if it stands
 * alone, or contains several parts. */
static double progress_beside(const Flow *flow, const SceneItem *item) {
    const Still *still = flow->still;
    double nearest, led = INFINITY;
    Point at = box_middle(item->box);
    size_t held = 0;
    if (item->kind == SCENE_LINE)
        return progress_of_lane(flow, item);
    const StillTable *beside = nearest_table(flow, at, &nearest), *before = NULL;
    for (size_t i = 0; i < still->table_count; i++) {
        const StillTable *table = &still->tables[i];
        double away = distance_to(table->box, at);
        Point middle = box_middle(table->box);
        held += box_contains(item->box, middle.x, middle.y);
        if (table->box.x > at.x && away < led) {
            led = away;
            before = table;
        }
    }
    bool in_rows = beside && at.y > beside->box.y && at.y < beside->box.y + beside->box.h;
    if (held > 1 || !beside || (nearest > ALONE && !in_rows) || is_legend(flow, item))
        return 1;
    return progress_around(flow, nearest > BESIDE && led < 2 * nearest ? before->node
                                                                       : beside->node);
}

/* Small items that touch and are drawn one after the other are one thing: a sign in its
 * circle, a formula's letters, a lane's end and its arrow's head. */
typedef struct Thing {
    bool open;
    Box box;
    double progress;
} Thing;

static bool touch(Box a, Box b) {
    return a.x <= b.x + b.w && b.x <= a.x + a.w && a.y <= b.y + b.h && b.y <= a.y + a.h;
}

static Box end_of(const SceneItem *lane) {
    Point end = lane->points[lane->count - 1];
    return (Box){end.x - END_REACH, end.y - END_REACH, 2 * END_REACH, 2 * END_REACH};
}

static double progress_of_thing(const Flow *flow, Thing *thing, const SceneItem *item) {
    bool small = fmax(item->box.w, item->box.h) <= LARGEST_THING;
    bool lane = item->kind == SCENE_LINE && !small;
    bool goes_on = small && thing->open && touch(thing->box, item->box);
    thing->progress = goes_on ? thing->progress : progress_beside(flow, item);
    thing->box = lane ? end_of(item) : item->box;
    thing->open = small || lane;
    return thing->progress;
}

/* Shows items that are no part's cells together with the part they belong to: lanes grow
 * towards it, items beside it appear with it. The step's inputs are visible from the
 * beginning. */
static void show_beside(const Flow *flow) {
    const Still *still = flow->still;
    Scene *scene = still->canvas->scene;
    Thing thing = {0};
    for (size_t i = still->first; i < still->end; i++) {
        SceneItem *item = &scene->items[i];
        size_t node = node_of(flow, item);
        thing.open &= node == TAPE_NONE;
        if (item->kind == SCENE_CLIP || item->kind == SCENE_UNCLIP ||
            item->link.kind == LINK_CELL)
            continue;
        double progress = node == TAPE_NONE ? progress_of_thing(flow, &thing, item)
                                            : progress_around(flow, node);
        bool text = item->kind == SCENE_TEXT;
        if (item->kind == SCENE_LINE) {
            motion_grow(scene, item, motion_eased(progress, 0, LANES_GROW));
            motion_fade(item, progress > 0 ? 1 : 0);
        } else {
            motion_fade(item, motion_between(progress, text ? READS : 0, text ? 1 : 0.6));
        }
    }
}

void step_timing_play(const Still *still, const Stage *stage, const PaceMoment *moment) {
    Flow flow;
    TransitionPhase phases[FLOW_PARTS_MOST];
    flow_init(&flow, still, stage->player, moment);
    for (size_t i = 0; i < flow.count; i++) {
        size_t node = flow.nodes[i];
        phases[i] = (TransitionPhase){node, transition_of(stage->tape, node), *moment,
                                      false, TAPE_NONE};
        phases[i].moment.explanation = transition_explanation(stage->tape, node);
        phases[i].moment.time = progress_at(&flow, i);
    }
    show_beside(&flow);
    transitions_play(still, stage, phases, flow.count);
}
