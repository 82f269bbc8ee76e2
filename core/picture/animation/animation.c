#include "picture/animation/animation.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "picture/animation/generation_steps.h"
#include "picture/animation/readable.h"
#include "picture/animation/step_timing.h"
#include "picture/draw/canvas.h"
#include "picture/transitions/sources.h"
#include "picture/transitions/transitions.h"
#include "tensor/tape/tape.h"

/* Reports whether the step shows tensors that were computed before. */
static bool shows(const Stage *stage, const PaceMoment *moment) {
    return moment->kind == PACE_STEP && stage->step->shown_count;
}

/* Reports whether the first cell's source is drawn, or the operation has no source. */
static bool has_drawn_source(const Moving *moving) {
    TransitionKind transition = moving->transition;
    size_t cols = moving->out->cols;
    return transition == TRANSITION_APPEAR || transition == TRANSITION_MASK ||
           transition == TRANSITION_ROTATE || transition == TRANSITION_MERGE ||
           transition == TRANSITION_MORPH ||
           sources_of(moving, moving->slow / cols, moving->slow % cols, 1).count;
}

/* Finds the places of cells that move one by one, in drawing order. */
static void find_places(Moving *moving) {
    const StillTable *out = moving->out;
    size_t count = out->rows * out->cols;
    size_t *places = out->first ? arena_alloc(moving->still->canvas->scene->arena, count,
                                              sizeof *places)
                                : NULL;
    for (size_t i = 0; places && i < count; i++) {
        places[i] = moving->place_count;
        moving->place_count += out->first[i] != STILL_NONE;
    }
    moving->places = places;
}

/* A node that appears, its transition, and the moment in its own time. */
typedef struct Phase {
    size_t node;
    TransitionKind transition;
    PaceMoment moment;
    bool in_place; /* it is transposed where it stands */
} Phase;

/* First drawn cell of a row. */
static size_t drawn_cell(const StillTable *out, size_t row) {
    size_t cell = row * out->cols, end = cell + out->cols;
    while (out->first && cell + 1 < end && out->first[cell] == STILL_NONE)
        cell++;
    return cell;
}

/* The cell that is explained; in its row, the first cell that leads to it. */
static size_t slow_cell(const Stage *stage, const Moving *moving) {
    size_t rows = tape_node(stage->tape, stage->focus_node)->output.rows;
    if (!stage->has_focus || !moving->out)
        return 0;
    if (stage->focus_node == moving->node)
        return stage->focus_row * moving->out->cols + stage->focus_col;
    return rows == moving->out->rows ? drawn_cell(moving->out, stage->focus_row) : 0;
}

/* Reports whether a table's cells are drawn as arcs: curves that are linked to them. */
static bool are_arcs(const Still *still, size_t node) {
    bool arcs = false;
    for (size_t i = still->first; i < still->end && !arcs; i++) {
        const SceneItem *item = &still->canvas->scene->items[i];
        arcs = item->kind == SCENE_LINE && item->count > 2 &&
               item->link.kind == LINK_CELL && item->link.index == node;
    }
    return arcs;
}

/* Reports whether at most one of a table's rows is drawn. */
static bool is_one_row(const StillTable *table) {
    size_t drawn = 0, row = 0;
    for (size_t i = 0; table->first && i < table->rows * table->cols; i++) {
        if (table->first[i] == STILL_NONE || (drawn && i / table->cols == row))
            continue;
        row = i / table->cols;
        drawn++;
    }
    return drawn <= 1;
}

/* Finds the moving cells of a node; returns false if none is drawn. */
static bool find_moving(Moving *moving, const Still *still, const Stage *stage,
                        const Phase *turn) {
    *moving = (Moving){.still = still,
                       .moment = turn->moment,
                       .transition = turn->transition,
                       .node = turn->node,
                       .at = tape_node(stage->tape, turn->node),
                       .out = still_table(still, turn->node),
                       .lesson = stage->player->lesson,
                       .cursor = stage->player->cell};
    moving->slow = slow_cell(stage, moving);
    if (!moving->out)
        return false;
    moving->orphan = !turn->in_place && !has_drawn_source(moving);
    moving->arcs = are_arcs(still, turn->node);
    bool appears = moving->transition == TRANSITION_APPEAR && !moving->arcs;
    if (appears || (moving->orphan && is_one_row(moving->out)))
        find_places(moving);
    moving->bars = bars_of(still, moving->out);
    moving->recipe = moving->transition == TRANSITION_GATHER && recipe_is(moving);
    return true;
}

/* Reports whether an item is a ground that a whole table lies on. */
static bool is_ground_of(const SceneItem *item, const StillTable *table) {
    Box box = item->box, in = table->box;
    return item->kind == SCENE_RECTANGLE && item->fill.a &&
           item->link.kind != LINK_CELL && box.x <= in.x && box.y <= in.y &&
           box.x + box.w >= in.x + in.w && box.y + box.h >= in.y + in.h;
}

/* Part of a node's drawing in the animation. */
typedef enum Part {
    STAYS,
    IS_MADE, /* destination of flights */
    MOVES    /* moves itself */
} Part;

/* Moves the items drawn up to `end` below the still, but above the grounds of the
 * destination tables; returns their position. */
static size_t lay_below(const Still *still, const Part *parts, size_t end) {
    Scene *scene = still->canvas->scene;
    size_t under = still->first, depth = 0;
    for (size_t i = still->first; i < still->end && end > still->end; i++) {
        const SceneItem *item = &scene->items[i];
        bool ground = false;
        depth += item->kind == SCENE_CLIP;
        depth -= item->kind == SCENE_UNCLIP;
        for (size_t k = 0; k < still->table_count && !depth; k++)
            ground |= parts[k] != STAYS && is_ground_of(item, &still->tables[k]);
        if (ground)
            scene_lay_below(scene, under++, i, i + 1);
    }
    scene_lay_below(scene, under, still->end, end);
    return under;
}

/* Removes texts that moving items would partly cover; items up to `end` are at `under`
 * now. */
static void keep_readable(const Still *still, const Part *parts, size_t under,
                          size_t end) {
    Scene *scene = still->canvas->scene;
    bool *moves = arena_alloc(scene->arena, scene->count - under + 1, sizeof *moves);
    for (size_t i = under; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        const StillTable *table =
            item->link.kind == LINK_CELL ? still_table(still, item->link.index) : NULL;
        moves[i - under] = i < under + end - still->end || i >= end ||
                           (table && parts[table - still->tables] == MOVES);
    }
    readable_keep_whole(scene, under, moves);
}

static void play_phases(const Still *still, const Stage *stage, const Phase *phases,
                        size_t count, bool shown) {
    Part parts[STILL_TABLES_MAX] = {STAYS};
    size_t below = still->end;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            Moving moving;
            if (!find_moving(&moving, still, stage, &phases[i]))
                continue;
            moving.index = i;
            moving.count = count;
            moving.before = shown && i ? still_table(still, phases[i - 1].node) : NULL;
            parts[moving.out - still->tables] =
                moving.transition == TRANSITION_MORPH && moving.moment.time < 1 ? MOVES
                                                                                : IS_MADE;
            if (pass)
                transitions_play(&moving);
            else
                transitions_draw_below(&moving);
        }
        below = pass ? below : stage->canvas->scene->count;
    }
    keep_readable(still, parts, lay_below(still, parts, below), below);
}

/* Plays tensors that the step shows. */
static void play_shown(const Still *still, const Stage *stage, const PaceMoment *moment) {
    const LessonStep *words = stage->step;
    Phase *phases =
        arena_alloc(stage->canvas->scene->arena, words->shown_count, sizeof *phases);
    for (size_t i = 0; i < words->shown_count; i++)
        phases[i] =
            (Phase){words->shown[i], transition_of_shown(stage->player->lesson, words, i),
                    *moment, false};
    play_phases(still, stage, phases, words->shown_count, true);
}

/* Plays the step's node, after the transposes that the step itself computes. */
static void play_node(const Still *still, const Stage *stage, const PaceMoment *moment) {
    size_t node = player_step(stage->player)->node;
    size_t turned = pace_transposed(stage->player);
    bool operation_first =
        moment->kind == PACE_STEP && turned != TAPE_NONE && still_table(still, turned);
    Phase phases[] = {{node, transition_of(stage->tape, node), *moment, false},
                      {turned, TRANSITION_TRANSPOSE, *moment, true}};
    if (operation_first) {
        phases[0].moment.time = motion_between(moment->time, PACE_TRANSPOSE_TIME, 1);
        phases[1].moment.time = motion_between(moment->time, 0, PACE_TRANSPOSE_TIME);
        phases[1].moment.explanation = (TransitionExplanation){0};
    }
    phases[0].moment.explanation = transition_explanation(stage->tape, node);
    play_phases(still, stage, phases, operation_first ? 2 : 1, false);
}

/* Plays a step of several operations, part by part. */
static void play_flow(const Still *still, const Stage *stage, const PaceMoment *moment) {
    Flow flow;
    Phase phases[FLOW_PARTS_MOST];
    flow_init(&flow, still, stage->player, moment);
    for (size_t i = 0; i < flow.count; i++)
        phases[i] = (Phase){flow.nodes[i], transition_of(stage->tape, flow.nodes[i]),
                            flow_moment(&flow, i), false};
    flow_show_beside(&flow);
    play_phases(still, stage, phases, flow.count, false);
}

/* Plays a step of several operations: a generation's steps, or whatever is drawn of its
 * parts. */
static void play_parts(const Still *still, const Stage *stage, const PaceMoment *moment) {
    const Player *player = stage->player;
    size_t turn;
    const LessonGenerate *generate = lesson_generation_at(player, player->step, &turn);
    if (!generate || turn != PLAYER_NONE ||
        !generation_steps_play(still, generate, moment))
        play_flow(still, stage, moment);
}

void motion_play(const Stage *stage, const PaceMoment *moment, size_t first) {
    const PlayerStep *at = player_step(stage->player);
    Still still;
    if (moment->kind == PACE_REST || moment->kind == PACE_CLOSE)
        return;
    still_init(&still, stage, first);
    if (moment->kind == PACE_STEP && at->child_count)
        play_parts(&still, stage, moment);
    else if (shows(stage, moment))
        play_shown(&still, stage, moment);
    else
        play_node(&still, stage, moment);
}
