#include "lesson/play/player.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* Builder of the tree, an array in reading order; `next` skips a subtree. */
typedef struct Builder {
    const Lesson *lesson;
    PlayerStep *steps;
    size_t count, capacity;
    size_t depth_max;
    /* words of `at:`, by node or group; NULL without any */
    const LessonStep **of_node, **of_group;
} Builder;

/* Indexes notes by their node or group. False when the arena is exhausted. */
static bool index_notes(Builder *builder) {
    const Lesson *lesson = builder->lesson;
    if (!lesson->note_count)
        return true;
    builder->of_node =
        arena_alloc(lesson->arena, tape_count(lesson->tape), sizeof *builder->of_node);
    builder->of_group = arena_alloc(lesson->arena, tape_group_count(lesson->tape) + 1,
                                    sizeof *builder->of_group);
    if (!builder->of_node || !builder->of_group)
        return false;
    for (size_t i = 0; i < lesson->note_count; i++) {
        const LessonNote *note = &lesson->notes[i];
        if (note->group == TAPE_NONE)
            builder->of_node[note->words.result] = &note->words;
        else
            builder->of_group[note->group] = &note->words;
    }
    return true;
}

/* A composite's topic is its group's name, without the path and the number: "head" of
 * "encoder.0.self_attention.head.1" and of "head_1", "encoder_layer" of "encoder.0". */
static const char *topic_of_group(Arena *arena, const char *name) {
    const char *end = name + strlen(name), *begin;
    bool indexed = false;
    while (end > name && isdigit((unsigned char)end[-1]))
        end--;
    if (*end && end > name && (end[-1] == '.' || end[-1] == '_')) {
        indexed = end[-1] == '.';
        end--;
    } else {
        end = name + strlen(name);
    }
    for (begin = end; begin > name && begin[-1] != '.';)
        begin--;
    bool layer = indexed && begin == name; /* a layer of a tower */
    return arena_format(arena, "%.*s%s", (int)(end - begin), begin,
                        layer ? "_layer" : "");
}

/* A range of the tape that becomes a step. */
typedef struct Span {
    size_t first, end; /* nodes [first, end) */
    size_t around;     /* the group that contains them */
    const char *topic;
    const LessonStep *words;
} Span;

/* Key of an operation's step in the interface's strings: sums weighted by probabilities
 * have a topic of their own. */
static const char *topic_of_operation(const Tape *tape, size_t node) {
    const TapeNode *at = tape_node(tape, node);
    bool blends = at->operation == OPERATION_MATMUL &&
                  tape_node(tape, at->inputs[0])->operation == OPERATION_SOFTMAX;
    return blends ? "blend" : operation_of(at->operation)->name;
}

static bool add_step(Builder *builder, size_t parent, const char *path, size_t statement,
                     size_t node, const Span *span) {
    if (builder->count == builder->capacity || !path)
        return false;
    const Tape *tape = builder->lesson->tape;
    const char *operation = operation_of(tape_node(tape, node)->operation)->name;
    const char *name = tape_node(tape, node)->name;
    size_t depth = parent == PLAYER_NONE ? 1 : builder->steps[parent].depth + 1;
    PlayerStep *step = &builder->steps[builder->count++];
    *step =
        (PlayerStep){.path = path,
                     .name = name[0] ? name : operation,
                     .statement = statement,
                     .node = node,
                     .parent = parent,
                     .depth = depth,
                     .next = builder->count,
                     .topic = span->topic ? span->topic : topic_of_operation(tape, node),
                     .words = span->words,
                     .frame = PLAYER_NONE};
    if (!step->words && builder->of_node)
        step->words = builder->of_node[node];
    if (parent != PLAYER_NONE)
        builder->steps[parent].child_count++;
    if (depth > builder->depth_max)
        builder->depth_max = depth;
    return true;
}

/* The outermost group inside `around` that the node belongs to, or TAPE_NONE. */
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

/* Number of steps that the nodes [first, end) make directly inside a group. */
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

/* Narrows a span to a group in it. A statement may be a part of a group: one layer of an
 * encoder. */
static Span enter_group(const Builder *builder, Span span, size_t group) {
    const TapeGroup *inner = tape_group(builder->lesson->tape, group);
    size_t end = inner->first + inner->count;
    span.first = span.first > inner->first ? span.first : inner->first;
    span.end = span.end < end ? span.end : end;
    span.around = group;
    if (!span.words && builder->of_group)
        span.words = builder->of_group[group];
    return span;
}

/* A statement without a name is named after the composite it ends with; attention weights
 * and the weighted sum with them are an attention, also if written out. */
static const char *topic_of_span(const Builder *builder, const Span *span, size_t last) {
    const Tape *tape = builder->lesson->tape;
    size_t group = span->around;
    if (group == TAPE_NONE)
        group = group_below(tape, last, group);
    if (group != TAPE_NONE)
        return topic_of_group(builder->lesson->arena, tape_group(tape, group)->name);
    const char *topic = topic_of_operation(tape, last);
    bool has_weights_within =
        strcmp(topic, "blend") == 0 && tape_node(tape, last)->inputs[0] >= span->first;
    return has_weights_within ? "attention" : topic;
}

static bool add_tree(Builder *builder, size_t parent, const char *path, size_t statement,
                     Span span);

/* Adds the children of a span, below the step `self`. */
static bool add_children(Builder *builder, size_t self, size_t statement, Span span) {
    const Tape *tape = builder->lesson->tape;
    size_t child = 0;
    for (size_t i = span.first; i < span.end;) {
        size_t group = group_below(tape, i, span.around);
        Span inner = {i, i + 1, span.around, NULL, NULL};
        if (group == TAPE_NONE && tape_node(tape, i++)->quiet)
            continue;
        if (group != TAPE_NONE) {
            inner.end = i =
                tape_group(tape, group)->first + tape_group(tape, group)->count;
            inner = enter_group(builder, inner, group);
        }
        const char *path = arena_format(builder->lesson->arena, "%s.%zu",
                                        builder->steps[self].path, ++child);
        if (!add_tree(builder, self, path, statement, inner))
            return false;
    }
    builder->steps[self].next = builder->count;
    return true;
}

/* Adds a step for a span, and its children below it. A step with a single child is
 * replaced by that child. */
static bool add_tree(Builder *builder, size_t parent, const char *path, size_t statement,
                     Span span) {
    const Tape *tape = builder->lesson->tape;
    while (count_children(tape, span.first, span.end, span.around) == 1) {
        size_t node = last_loud(tape, span.first, span.end);
        size_t group = group_below(tape, node, span.around);
        if (group == TAPE_NONE)
            return add_step(builder, parent, path, statement, node, &span);
        span = enter_group(builder, span, group);
    }
    size_t self = builder->count, node = last_loud(tape, span.first, span.end);
    if (!span.topic)
        span.topic = topic_of_span(builder, &span, node);
    return add_step(builder, parent, path, statement, node, &span) &&
           add_children(builder, self, statement, span);
}

/* Adds a step that is a frame of a training. */
static bool add_frame(Builder *builder, size_t parent, const char *path, size_t statement,
                      const char *topic, size_t frame) {
    const LessonStep *words = &builder->lesson->steps[statement];
    Span span = {.topic = topic, .words = words};
    if (!add_step(builder, parent, path, statement, words->result, &span))
        return false;
    builder->steps[builder->count - 1].frame = frame;
    builder->steps[builder->count - 1].name = topic;
    return true;
}

/* Adds a training's final state, below it the state after each epoch, beginning with the
 * untrained one, and below these the state after each update. They are counted from 0. */
static bool add_training(Builder *builder, size_t statement, const char *path) {
    const LessonFilm *film = builder->lesson->steps[statement].film;
    Arena *arena = builder->lesson->arena;
    size_t last = film->frame_count - 1, batches = builder->lesson->training->batches;
    size_t self = builder->count;
    if (!add_frame(builder, PLAYER_NONE, path, statement, "training", last))
        return false;
    for (size_t frame = 0; last && frame <= last; frame += batches) {
        size_t epoch = builder->count;
        path = arena_format(arena, "%s.%zu", builder->steps[self].path, frame / batches);
        if (!add_frame(builder, self, path, statement, "epoch", frame))
            return false;
        for (size_t i = 0; batches > 1 && frame < last && i < batches; i++) {
            path = arena_format(arena, "%s.%zu", builder->steps[epoch].path, i);
            if (!add_frame(builder, epoch, path, statement, "update", frame + i))
                return false;
        }
        builder->steps[epoch].next = builder->count;
    }
    builder->steps[self].next = builder->count;
    return true;
}

static bool add_statement(Builder *builder, size_t index) {
    const LessonStep *statement = &builder->lesson->steps[index];
    const char *path = arena_format(builder->lesson->arena, "%zu", index + 1);
    Span span = {statement->first, statement->first + statement->count, TAPE_NONE,
                 statement->topic, statement};
    if (statement->film)
        return add_training(builder, index, path);
    if (statement->count)
        return add_tree(builder, PLAYER_NONE, path, index, span);
    return add_step(builder, PLAYER_NONE, path, index, statement->result, &span);
}

bool player_init(Player *player, const Lesson *lesson) {
    const Tape *tape = lesson->tape;
    /* every node and every group makes at most one step, every statement one more */
    size_t capacity = lesson->step_count + tape_count(tape) + tape_group_count(tape);
    for (size_t i = 0; i < lesson->step_count; i++) {
        if (lesson->steps[i].film) /* as many epochs as updates at most */
            capacity += 2 * lesson->steps[i].film->frame_count;
    }
    Builder builder = {.lesson = lesson, .capacity = capacity};
    builder.steps = arena_alloc(lesson->arena, capacity, sizeof *builder.steps);
    size_t *statements =
        arena_alloc(lesson->arena, lesson->step_count + 1, sizeof *statements);
    if (!builder.steps || !statements || !index_notes(&builder))
        return false;
    for (size_t i = 0; i < lesson->step_count; i++) {
        statements[i] = builder.count;
        if (!add_statement(&builder, i))
            return false;
    }
    *player = (Player){.lesson = lesson,
                       .step_count = builder.count,
                       .steps = builder.steps,
                       .statements = statements,
                       .depth_max = builder.depth_max,
                       .depth = 1,
                       .cell = PLAYER_NONE};
    return true;
}

/* Reports whether a step belongs to the front of a depth: it has that depth, or is a leaf
 * above it. */
static bool in_front(const PlayerStep *step, size_t depth) {
    return step->depth == depth || (step->depth < depth && step->child_count == 0);
}

/* Returns the nearest step of the front before or after `from`, or PLAYER_NONE. */
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

bool player_enter(Player *player, size_t depth, bool cells, bool last) {
    size_t deep = cells ? player->depth_max : depth, found = PLAYER_NONE;
    for (size_t i = 0; i < player->step_count; i++) {
        if (!in_front(&player->steps[i], deep) || (cells && !player_has_cells(player, i)))
            continue;
        found = i;
        if (!last)
            break;
    }
    if (found == PLAYER_NONE)
        return false;
    player->step = found;
    player->depth = deep;
    player->cell = !cells ? PLAYER_NONE : last ? cell_count(player, found) - 1 : 0;
    return true;
}

const PlayerStep *player_step(const Player *player) {
    return &player->steps[player->step];
}

const LessonStep *player_words(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    return at->words ? at->words : &player->lesson->steps[at->statement];
}

const LessonFilm *player_film(const Player *player, size_t *frame) {
    const PlayerStep *at = player_step(player);
    *frame = at->frame;
    return at->frame == PLAYER_NONE ? NULL : player->lesson->steps[at->statement].film;
}

bool player_has_cells(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    return at->child_count == 0 && player->lesson->steps[at->statement].count > 0;
}

bool player_muted(const Player *player, size_t step) {
    for (size_t i = step; i < player->steps[step].next; i++) {
        if (player_has_cells(player, i) &&
            tape_node(player->lesson->tape, player->steps[i].node)->muted)
            return true;
    }
    return false;
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
    return player->statements[statement];
}
