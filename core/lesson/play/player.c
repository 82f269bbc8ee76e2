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
    bool *has_step; /* nodes that are an operation's step already */
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
    bool folded; /* a part of what a step folds, which may end within a group */
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
                     .parts = builder->count,
                     .next = builder->count,
                     .topic = span->topic ? span->topic : topic_of_operation(tape, node),
                     .words = span->words,
                     .frame = PLAYER_NONE};
    if (!step->words && builder->of_node)
        step->words = builder->of_node[node];
    if (parent != PLAYER_NONE)
        builder->steps[parent].child_count++;
    step->repeats = depth > 1 && builder->has_step[node];
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

/* Reports whether a node outside groups makes no step: of what a step folds, given
 * tensors don't. */
static bool is_stepless(const Tape *tape, size_t node, bool folded) {
    const TapeNode *at = tape_node(tape, node);
    return at->quiet || (folded && at->operation == OPERATION_GIVEN);
}

/* Number of steps that a span makes directly inside its group. */
static size_t count_children(const Tape *tape, const Span *span) {
    size_t count = 0;
    for (size_t i = span->first; i < span->end;) {
        size_t group = group_below(tape, i, span->around);
        if (group != TAPE_NONE) {
            i = tape_group(tape, group)->first + tape_group(tape, group)->count;
            count++;
        } else {
            count += !is_stepless(tape, i++, span->folded);
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

/* Reports whether a span has all of a group; one that isn't folded names what it ends
 * with even if it has only a part, as of an encoder a layer. */
static bool is_whole(const Tape *tape, const Span *span, size_t number) {
    const TapeGroup *group = tape_group(tape, number);
    return !span->folded ||
           (span->first <= group->first && group->first + group->count <= span->end);
}

/* A statement without a name is named after the composite it ends with; attention weights
 * and the weighted sum with them are an attention, also if written out. */
static const char *topic_of_span(const Builder *builder, const Span *span, size_t last) {
    const Tape *tape = builder->lesson->tape;
    size_t group = span->around;
    if (group == TAPE_NONE)
        group = group_below(tape, last, group);
    if (group != TAPE_NONE && is_whole(tape, span, group))
        return topic_of_group(builder->lesson->arena, tape_group(tape, group)->name);
    const char *topic = topic_of_operation(tape, last);
    bool has_weights_within =
        strcmp(topic, "blend") == 0 && tape_node(tape, last)->inputs[0] >= span->first;
    return has_weights_within ? "attention" : topic;
}

static bool add_tree(Builder *builder, size_t parent, const char *path, size_t statement,
                     Span span);

/* Adds the children of a span, below the step `self`, behind those that it has. */
static bool add_children(Builder *builder, size_t self, size_t statement, Span span) {
    const Tape *tape = builder->lesson->tape;
    for (size_t i = span.first; i < span.end;) {
        size_t group = group_below(tape, i, span.around);
        Span inner = {i, i + 1, span.around, NULL, NULL, span.folded};
        if (group == TAPE_NONE && is_stepless(tape, i++, span.folded))
            continue;
        if (group != TAPE_NONE) {
            i = tape_group(tape, group)->first + tape_group(tape, group)->count;
            inner.end = i < span.end ? i : span.end;
            inner = enter_group(builder, inner, group);
        }
        const char *path =
            arena_format(builder->lesson->arena, "%s.%zu", builder->steps[self].path,
                         builder->steps[self].child_count + 1);
        if (!add_tree(builder, self, path, statement, inner))
            return false;
    }
    builder->steps[self].next = builder->count;
    return true;
}

/* Narrows a span to the group that has all of its steps, as long as there is one. */
static Span narrow(const Builder *builder, Span span) {
    const Tape *tape = builder->lesson->tape;
    while (count_children(tape, &span) == 1) {
        size_t node = last_loud(tape, span.first, span.end);
        size_t group = group_below(tape, node, span.around);
        if (group == TAPE_NONE)
            break;
        span = enter_group(builder, span, group);
    }
    return span;
}

/* Adds a step for a span, and its children below it. A step with a single child is
 * replaced by that child. */
static bool add_tree(Builder *builder, size_t parent, const char *path, size_t statement,
                     Span span) {
    const Tape *tape = builder->lesson->tape;
    span = narrow(builder, span);
    size_t self = builder->count, node = last_loud(tape, span.first, span.end);
    if (count_children(tape, &span) == 1) {
        bool good = add_step(builder, parent, path, statement, node, &span);
        builder->has_step[node] = true;
        return good;
    }
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

/* Adds a listed step of a model that folds what is computed before it: the step opens
 * into that, and then its own parts; if it is an operation, the operation itself, so that
 * the steps inside are in the order of the computation. */
static bool add_folding(Builder *builder, size_t index, const char *path, Span span) {
    const Tape *tape = builder->lesson->tape;
    const LessonStep *statement = &builder->lesson->steps[index];
    Span before = {
        span.first - statement->folded, span.first, TAPE_NONE, NULL, NULL, true};
    before = narrow(builder, before);
    size_t folded = count_children(tape, &before), self = builder->count;
    if (!folded)
        return add_tree(builder, PLAYER_NONE, path, index, span);
    span = narrow(builder, span);
    size_t node = last_loud(tape, span.first, span.end);
    bool is_operation = count_children(tape, &span) == 1;
    if (!span.topic && !is_operation)
        span.topic = topic_of_span(builder, &span, node);
    if (!add_step(builder, PLAYER_NONE, path, index, node, &span))
        return false;
    builder->has_step[node] |= is_operation;
    if (!add_children(builder, self, index, before))
        return false;
    builder->steps[self].parts = builder->count;
    if (!add_children(builder, self, index, span))
        return false;
    builder->steps[self].child_count -= folded + is_operation;
    if (is_operation)
        builder->steps[self].parts = builder->count;
    return true;
}

static bool add_statement(Builder *builder, size_t index) {
    const LessonStep *statement = &builder->lesson->steps[index];
    const char *path = arena_format(builder->lesson->arena, "%zu", index + 1);
    Span span = {statement->first, statement->first + statement->count,
                 TAPE_NONE,        statement->topic,
                 statement,        false};
    if (statement->film)
        return add_training(builder, index, path);
    if (statement->folded)
        return add_folding(builder, index, path, span);
    if (statement->count)
        return add_tree(builder, PLAYER_NONE, path, index, span);
    return add_step(builder, PLAYER_NONE, path, index, statement->result, &span);
}

/* Upper bound of the steps of a listed step's subtree. */
static size_t count_within(const Tape *tape, const LessonStep *step) {
    size_t first = step->first - step->folded, end = step->first + step->count;
    size_t count = end - first;
    for (size_t i = 0; i < tape_group_count(tape); i++) {
        const TapeGroup *group = tape_group(tape, i);
        count += group->first < end && group->first + group->count > first;
    }
    return count;
}

bool player_init(Player *player, const Lesson *lesson) {
    const Tape *tape = lesson->tape;
    /* every node and every group makes at most one step, every statement one more */
    size_t capacity = lesson->step_count + tape_count(tape) + tape_group_count(tape);
    for (size_t i = 0; i < lesson->step_count; i++) {
        if (lesson->lists_model_steps)
            capacity += count_within(tape, &lesson->steps[i]);
        if (lesson->steps[i].film) /* as many epochs as updates at most */
            capacity += 2 * lesson->steps[i].film->frame_count;
    }
    Builder builder = {.lesson = lesson, .capacity = capacity};
    builder.steps = arena_alloc(lesson->arena, capacity, sizeof *builder.steps);
    size_t *statements =
        arena_alloc(lesson->arena, lesson->step_count + 1, sizeof *statements);
    builder.has_step =
        arena_alloc(lesson->arena, tape_count(tape) + 1, sizeof *builder.has_step);
    if (!builder.steps || !statements || !builder.has_step || !index_notes(&builder))
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

bool player_opens(const Player *player, size_t step) {
    return player->steps[step].next > step + 1;
}

/* Reports whether a step belongs to the front of a depth: it has that depth, or is a leaf
 * above it. */
static bool in_front(const Player *player, size_t step, size_t depth) {
    size_t own = player->steps[step].depth;
    return own == depth || (own < depth && !player_opens(player, step));
}

/* Returns the nearest step of the front before or after `from`, or PLAYER_NONE. */
static size_t front_neighbour(const Player *player, size_t from, bool forward,
                              bool cells_only) {
    for (size_t i = from; forward ? i + 1 < player->step_count : i > 0;) {
        i = forward ? i + 1 : i - 1;
        if (in_front(player, i, player->depth) &&
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
    if (player_opens(player, player->step)) {
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
        if (!in_front(player, i, deep) || (cells && !player_has_cells(player, i)))
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
