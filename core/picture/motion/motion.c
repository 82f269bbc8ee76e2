#include "picture/motion/motion.h"

#include "picture/manners/manners.h"
#include "picture/manners/sources.h"
#include "picture/motion/flow.h"
#include "picture/motion/readable.h"
#include "picture/motion/turns.h"

/* Whether the step shows what was there before. */
static bool shows(const Stage *stage, const PaceMoment *moment) {
    return moment->kind == PACE_STEP && stage->step->shown_count;
}

/* Whether what the first cell comes from is drawn, or nothing is to come from there. */
static bool comes_from_somewhere(const Moving *moving) {
    MannerKind manner = moving->manner;
    size_t cols = moving->out->cols;
    return manner == MANNER_SHUTTER || manner == MANNER_ROTATE ||
           manner == MANNER_MERGE || manner == MANNER_BECOME ||
           sources_of(moving, moving->slow / cols, moving->slow % cols, true, 1).count;
}

/* Cells that come one by one do so in the order of those that are drawn. */
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

/* What moves of a node; false where nothing is drawn of it. */
static bool find_moving(Moving *moving, const Still *still, const Stage *stage,
                        const PaceMoment *moment, size_t node, MannerKind manner) {
    const TapeNode *at = tape_node(stage->tape, node);
    bool focus = stage->has_focus && stage->focus_node == node;
    *moving = (Moving){.still = still,
                       .moment = moment,
                       .manner = manner,
                       .node = node,
                       .at = at,
                       .out = still_table(still, node),
                       .lesson = stage->player->lesson,
                       .cursor = stage->player->cell};
    if (focus)
        moving->slow = stage->focus_row * at->output.cols + stage->focus_col;
    if (!moving->out)
        return false;
    if (!comes_from_somewhere(moving))
        moving->manner = MANNER_APPEAR;
    if (moving->manner == MANNER_APPEAR)
        find_places(moving);
    moving->bars = bars_of(still, moving->out);
    moving->recipe = moving->manner == MANNER_GATHER && recipe_is(moving);
    return true;
}

/* What moves of the step's nodes, or of the one that a step shows at `turn`. */
static bool find_turn(Moving *moving, const Still *still, const Stage *stage,
                      const PaceMoment *moment, size_t turn) {
    const LessonStep *words = stage->step;
    if (!shows(stage, moment)) {
        size_t node = player_step(stage->player)->node;
        return find_moving(moving, still, stage, moment, node,
                           manner_of(stage->tape, node));
    }
    MannerKind manner = manner_of_shown(stage->player->lesson, words, turn);
    if (!find_moving(moving, still, stage, moment, words->shown[turn], manner))
        return false;
    moving->turn = turn;
    moving->turns = words->shown_count;
    moving->before = turn ? still_table(still, words->shown[turn - 1]) : NULL;
    return true;
}

/* Whether an item is a ground that a whole table lies on. */
static bool is_ground_of(const SceneItem *item, const StillTable *table) {
    Box box = item->box, in = table->box;
    return item->kind == SCENE_RECTANGLE && item->fill.a &&
           item->link.kind != LINK_CELL && box.x <= in.x && box.y <= in.y &&
           box.x + box.w >= in.x + in.w && box.y + box.h >= in.y + in.h;
}

/* How what is drawn of a node takes part. */
typedef enum Part {
    STANDS,
    IS_MADE, /* it is flown to */
    MOVES    /* it is on its way itself */
} Part;

/* What was drawn up to `end` comes to lie below the still, but over the grounds of the
 * tables that it goes to; returns where. */
static size_t lay_below(const Still *still, const Part *parts, size_t end) {
    Scene *scene = still->canvas->scene;
    size_t under = still->first, depth = 0;
    for (size_t i = still->first; i < still->end && end > still->end; i++) {
        const SceneItem *item = &scene->items[i];
        bool ground = false;
        depth += item->kind == SCENE_CLIP;
        depth -= item->kind == SCENE_UNCLIP;
        for (size_t k = 0; k < still->table_count && !depth; k++)
            ground |= parts[k] != STANDS && is_ground_of(item, &still->tables[k]);
        if (ground)
            scene_lay_below(scene, under++, i, i + 1);
    }
    scene_lay_below(scene, under, still->end, end);
    return under;
}

/* Texts under what moves aren't read: what was drawn up to `end` lies at `under` now. */
static void keep_readable(const Still *still, const Part *parts, size_t under,
                          size_t end) {
    Scene *scene = still->canvas->scene;
    bool *moves = arena_alloc(scene->arena, scene->count - under + 1, sizeof *moves);
    if (!moves) {
        scene->incomplete = true;
        return;
    }
    for (size_t i = under; i < scene->count; i++) {
        const SceneItem *item = &scene->items[i];
        const StillTable *table =
            item->link.kind == LINK_CELL ? still_table(still, item->link.index) : NULL;
        moves[i - under] = i < under + end - still->end || i >= end ||
                           (table && parts[table - still->tables] == MOVES);
    }
    readable_keep(scene, under, moves);
}

static void play_nodes(const Still *still, const Stage *stage, const PaceMoment *moment) {
    Part parts[STILL_TABLES_MAX] = {STANDS};
    size_t count = shows(stage, moment) ? stage->step->shown_count : 1;
    size_t below = still->end;
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            Moving moving;
            if (!find_turn(&moving, still, stage, moment, i))
                continue;
            parts[moving.out - still->tables] =
                moving.manner == MANNER_BECOME && moment->time < 1 ? MOVES : IS_MADE;
            if (pass)
                manners_play(&moving);
            else
                manners_draw_below(&moving);
        }
        below = pass ? below : stage->canvas->scene->count;
    }
    keep_readable(still, parts, lay_below(still, parts, below), below);
}

/* A step of several operations: a generation's turns, or whatever is drawn of them. */
static void play_parts(const Still *still, const Stage *stage, const PaceMoment *moment) {
    const Player *player = stage->player;
    size_t turn;
    const LessonGenerate *generate = lesson_generation_at(player, player->step, &turn);
    if (!generate || turn != PLAYER_NONE || !turns_play(still, generate, moment))
        flow_play(still, player, moment);
}

void motion_play(const Stage *stage, const PaceMoment *moment, size_t first) {
    const PlayerStep *at = player_step(stage->player);
    Still still;
    if (moment->kind == PACE_REST || moment->kind == PACE_CLOSE)
        return;
    still_init(&still, stage, first);
    if (moment->kind == PACE_STEP && at->child_count)
        play_parts(&still, stage, moment);
    else
        play_nodes(&still, stage, moment);
}
