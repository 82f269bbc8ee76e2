#include "lesson/player.h"

#include <assert.h>

/* The tree is built once, as an array in reading order; `next` skips a subtree. */
typedef struct Builder {
    const Lesson *lesson;
    PlayerStep *steps;
    size_t count, capacity;
    size_t depth_max;
} Builder;

static PlayerStep *add_step(Builder *builder, size_t parent, const char *path,
                            size_t statement, size_t node) {
    if (builder->count == builder->capacity || !path)
        return NULL;
    const Tape *tape = builder->lesson->tape;
    const char *name = tape_node(tape, node)->name;
    if (!name[0])
        name = operation_of(tape_node(tape, node)->operation)->name;
    size_t depth = parent == PLAYER_NONE ? 1 : builder->steps[parent].depth + 1;
    PlayerStep *step = &builder->steps[builder->count++];
    *step = (PlayerStep){.path = path,
                         .name = name,
                         .statement = statement,
                         .node = node,
                         .parent = parent,
                         .depth = depth,
                         .next = builder->count};
    if (parent != PLAYER_NONE)
        builder->steps[parent].child_count++;
    if (depth > builder->depth_max)
        builder->depth_max = depth;
    return step;
}

/* The outermost group inside `around` that node belongs to, or TAPE_NONE. */
static size_t group_below(const Tape *tape, size_t node, size_t around) {
    size_t group = tape_node(tape, node)->group;
    while (group != TAPE_NONE && group != around) {
        size_t parent = tape_group(tape, group)->parent;
        if (parent == around)
            return group;
        group = parent;
    }
    return TAPE_NONE;
}

static size_t last_loud(const Tape *tape, size_t first, size_t end) {
    for (size_t i = end; i > first; i--) {
        if (!tape_node(tape, i - 1)->quiet)
            return i - 1;
    }
    return end - 1;
}

/* How many steps the nodes [first, end) make directly inside a group. */
static size_t count_children(const Tape *tape, size_t first, size_t end, size_t around) {
    size_t count = 0;
    for (size_t i = first; i < end;) {
        size_t group = group_below(tape, i, around);
        if (group != TAPE_NONE) {
            i = tape_group(tape, group)->first + tape_group(tape, group)->count;
            count++;
        } else {
            count += !tape_node(tape, i++)->quiet;
        }
    }
    return count;
}

/* Adds a step for the nodes [first, end), and below it what it opens into. A step around
 * a single child is that child. */
static bool add_tree(Builder *builder, size_t parent, const char *path, size_t statement,
                     size_t first, size_t end, size_t around) {
    const Tape *tape = builder->lesson->tape;
    while (count_children(tape, first, end, around) == 1) {
        size_t node = last_loud(tape, first, end);
        size_t group = group_below(tape, node, around);
        if (group == TAPE_NONE)
            return add_step(builder, parent, path, statement, node) != NULL;
        /* a statement may be a part of a group: one layer of an encoder */
        const TapeGroup *inner = tape_group(tape, group);
        first = first > inner->first ? first : inner->first;
        end = end < inner->first + inner->count ? end : inner->first + inner->count;
        around = group;
    }
    if (!add_step(builder, parent, path, statement, last_loud(tape, first, end)))
        return false;
    size_t self = builder->count - 1, child = 0;
    for (size_t i = first; i < end;) {
        size_t group = group_below(tape, i, around);
        size_t begin = i;
        i = group == TAPE_NONE
                ? i + 1
                : tape_group(tape, group)->first + tape_group(tape, group)->count;
        if (group == TAPE_NONE && tape_node(tape, begin)->quiet)
            continue;
        const char *child_path =
            arena_format(builder->lesson->arena, "%s.%zu", path, ++child);
        if (!add_tree(builder, self, child_path, statement, begin, i,
                      group == TAPE_NONE ? around : group))
            return false;
    }
    builder->steps[self].next = builder->count;
    return true;
}

bool player_init(Player *player, const Lesson *lesson) {
    const Tape *tape = lesson->tape;
    /* every node and every group makes at most one step, every statement one more */
    size_t capacity = lesson->step_count + tape_count(tape) + tape_group_count(tape);
    Builder builder = {.lesson = lesson, .capacity = capacity};
    builder.steps = arena_alloc(lesson->arena, capacity, sizeof *builder.steps);
    if (!builder.steps)
        return false;
    for (size_t i = 0; i < lesson->step_count; i++) {
        const LessonStep *statement = &lesson->steps[i];
        const char *path = arena_format(lesson->arena, "%zu", i + 1);
        bool added =
            statement->count
                ? add_tree(&builder, PLAYER_NONE, path, i, statement->first,
                           statement->first + statement->count, TAPE_NONE)
                : add_step(&builder, PLAYER_NONE, path, i, statement->result) != NULL;
        if (!added)
            return false;
    }
    *player = (Player){.lesson = lesson,
                       .step_count = builder.count,
                       .steps = builder.steps,
                       .depth_max = builder.depth_max,
                       .depth = 1,
                       .cell = PLAYER_NONE};
    return true;
}

/* Whether a step is in the front of a depth: it lies there, or it is a leaf above. */
static bool in_front(const PlayerStep *step, size_t depth) {
    return step->depth == depth || (step->depth < depth && step->child_count == 0);
}

/* The nearest step of the front behind or before `from`, or PLAYER_NONE. */
static size_t front_neighbour(const Player *player, size_t from, bool forward,
                              bool cells_only) {
    for (size_t i = from; forward ? i + 1 < player->step_count : i > 0;) {
        i = forward ? i + 1 : i - 1;
        if (in_front(&player->steps[i], player->depth) &&
            (!cells_only || player_has_cells(player, i)))
            return i;
    }
    return PLAYER_NONE;
}

static size_t cell_count(const Player *player, size_t step) {
    return tensor_cells(
        &tape_node(player->lesson->tape, player->steps[step].node)->output);
}

static bool move_sideways(Player *player, bool forward) {
    bool cells = player->cell != PLAYER_NONE;
    if (cells) {
        size_t count = cell_count(player, player->step);
        if (forward ? player->cell + 1 < count : player->cell > 0) {
            player->cell += forward ? 1 : (size_t)-1;
            return true;
        }
    }
    size_t step = front_neighbour(player, player->step, forward, cells);
    if (step == PLAYER_NONE)
        return false;
    player->step = step;
    if (cells)
        player->cell = forward ? 0 : cell_count(player, step) - 1;
    return true;
}

static bool open_step(Player *player) {
    const PlayerStep *step = player_step(player);
    if (player->cell != PLAYER_NONE)
        return false;
    if (step->child_count) {
        player->step++;
        player->depth = step->depth + 1;
        return true;
    }
    if (!player_has_cells(player, player->step))
        return false;
    player->depth = player->depth_max;
    player->cell = 0;
    return true;
}

static bool close_step(Player *player) {
    const PlayerStep *step = player_step(player);
    if (player->cell != PLAYER_NONE) {
        player->cell = PLAYER_NONE;
        player->depth = step->depth;
        return true;
    }
    if (player->depth > step->depth) {
        player->depth = step->depth;
        if (step->parent == PLAYER_NONE)
            return true;
    }
    if (step->parent == PLAYER_NONE)
        return false;
    player->step = step->parent;
    player->depth = player_step(player)->depth;
    return true;
}

static bool move_to_end(Player *player, bool last) {
    bool cells = player->cell != PLAYER_NONE;
    size_t before = player->step, cell_before = player->cell;
    size_t next = player->step;
    while (next != PLAYER_NONE) {
        player->step = next;
        next = front_neighbour(player, next, last, cells);
    }
    if (cells)
        player->cell = last ? cell_count(player, player->step) - 1 : 0;
    return player->step != before || player->cell != cell_before;
}

bool player_move(Player *player, PlayerMove move) {
    switch (move) {
    case PLAYER_RIGHT:
    case PLAYER_LEFT:
        return move_sideways(player, move == PLAYER_RIGHT);
    case PLAYER_DOWN:
        return open_step(player);
    case PLAYER_UP:
        return close_step(player);
    case PLAYER_FIRST:
    case PLAYER_LAST:
        return move_to_end(player, move == PLAYER_LAST);
    }
    return false;
}

void player_jump(Player *player, size_t step) {
    assert(step < player->step_count);
    player->step = step;
    player->depth = player_step(player)->depth;
    player->cell = PLAYER_NONE;
}

const PlayerStep *player_step(const Player *player) {
    return &player->steps[player->step];
}

bool player_has_cells(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    return at->child_count == 0 && player->lesson->steps[at->statement].count > 0;
}

bool player_cell(const Player *player, size_t *row, size_t *col) {
    if (player->cell == PLAYER_NONE)
        return false;
    size_t cols = tape_node(player->lesson->tape, player_step(player)->node)->output.cols;
    *row = player->cell / cols;
    *col = player->cell % cols;
    return true;
}

size_t player_statement_count(const Player *player) {
    return player->lesson->step_count;
}

size_t player_statement(const Player *player) {
    return player_step(player)->statement;
}

size_t player_statement_step(const Player *player, size_t statement) {
    for (size_t i = 0; i < player->step_count; i = player->steps[i].next) {
        if (player->steps[i].statement == statement)
            return i;
    }
    return 0;
}
