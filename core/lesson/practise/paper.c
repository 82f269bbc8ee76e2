#include "lesson/practise/practise.h"

#include "base/arena.h"
#include "base/maths.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELLS_TRIED = 48,
    LONGEST_WAY = 8,
    EASY_LEAVES =
        6, /* inputs with many digits, which a picture doesn't print: at first */
    HARD_LEAVES = 10, /* at most */
    ROW_PARTS = 16    /* most parts of all sums of a row */
};

/* Smaller numbers read as zero at three decimals. */
static const double SEEN = 0.0005;

/* ---- dependencies of numbers ---- */

typedef struct Leaves {
    const Tape *tape;
    const TapeNode *node;
    size_t count;
    FollowCell *cells;
} Leaves;

static bool is_constant(const TapeNode *node) {
    return node->quiet && node->operation == OPERATION_GIVEN &&
           tensor_cells(&node->output) == 1;
}

static void add_leaf(void *context, const Term *term) {
    Leaves *leaves = context;
    if (leaves->count > PAPER_LEAVES)
        return;
    FollowCell cell = {leaves->node->inputs[term->input], term->row, term->col};
    changes_resolve(leaves->tape, &cell.node, &cell.row, &cell.col);
    if (is_constant(tape_node(leaves->tape, cell.node)))
        return;
    for (size_t i = 0; i < leaves->count; i++) {
        if (follow_same(leaves->cells[i], cell))
            return;
    }
    if (leaves->count < PAPER_LEAVES)
        leaves->cells[leaves->count] = cell;
    leaves->count++;
}

size_t paper_leaves(const Tape *tape, FollowCell cell, Arena *scratch,
                    FollowCell leaves[PAPER_LEAVES]) {
    changes_resolve(tape, &cell.node, &cell.row, &cell.col);
    Leaves found = {tape, tape_node(tape, cell.node), 0, leaves};
    ArenaMark mark = arena_mark(scratch);
    const Term *term = tape_explain(tape, cell.node, cell.row, cell.col, scratch);
    if (term)
        term_visit_cells(term, add_leaf, &found);
    arena_rewind(scratch, mark);
    return found.count;
}

size_t paper_cells(const Practise *practise, const Exercise *exercise,
                   FollowCell cells[PAPER_ROW_COLUMNS]) {
    FollowCell cell = exercise->cell;
    if (exercise->kind != EXERCISE_CELL)
        return 0;
    size_t cols = tape_node(practise->player->lesson->tape, cell.node)->output.cols;
    size_t count = exercise->whole_row ? cols : 1;
    for (size_t i = 0; i < count; i++) {
        cells[i] = cell;
        cells[i].col = exercise->whole_row ? i : cell.col;
    }
    return count;
}

static bool is_asked(const Practise *practise, FollowCell cell) {
    const Tape *tape = practise->player->lesson->tape;
    for (size_t i = 0; i < practise->count; i++) {
        FollowCell asked[PAPER_ROW_COLUMNS];
        size_t count = paper_cells(practise, &practise->exercises[i], asked);
        for (size_t k = 0; k < count; k++) {
            changes_resolve(tape, &asked[k].node, &asked[k].row, &asked[k].col);
            if (follow_same(asked[k], cell))
                return true;
        }
    }
    return false;
}

bool paper_reveals(const Practise *practise, FollowCell cell, Arena *scratch) {
    const Tape *tape = practise->player->lesson->tape;
    changes_resolve(tape, &cell.node, &cell.row, &cell.col);
    for (int i = 0; i < LONGEST_WAY; i++) {
        if (is_asked(practise, cell))
            return true;
        FollowCell leaves[PAPER_LEAVES];
        size_t count = paper_leaves(tape, cell, scratch, leaves), made = 0;
        for (size_t k = 0; k < count && k < PAPER_LEAVES; k++) {
            if (tape_node(tape, leaves[k].node)->operation == OPERATION_GIVEN)
                continue;
            cell = leaves[k];
            made++;
        }
        if (made != 1 || count > PAPER_LEAVES)
            return false;
    }
    return false;
}

/* Reports whether an input of the cell is asked for, too. */
static bool depends_on_asked(const Practise *practise, FollowCell cell, Arena *scratch) {
    FollowCell leaves[PAPER_LEAVES];
    size_t count = paper_leaves(practise->player->lesson->tape, cell, scratch, leaves);
    for (size_t i = 0; i < count && i < PAPER_LEAVES; i++) {
        if (paper_reveals(practise, leaves[i], scratch))
            return true;
    }
    return false;
}

bool paper_hides(const Practise *practise, FollowCell cell, Arena *scratch) {
    bool watched = false;
    for (size_t i = 0; i < practise->count; i++)
        watched |= practise->exercises[i].kind == EXERCISE_DIRECTION &&
                   practise->exercises[i].cell.node == cell.node;
    return paper_reveals(practise, cell, scratch) ||
           (watched && depends_on_asked(practise, cell, scratch));
}

/* ---- numbers ---- */

/* Reports whether a number must be computed, and can be from few others; it is no copy.
 */
static bool is_computed(const Practise *practise, FollowCell cell) {
    const Tape *tape = practise->player->lesson->tape;
    double value = tensor_at(&tape_node(tape, cell.node)->output, cell.row, cell.col);
    if (!isfinite(value))
        return false;
    ArenaMark mark = arena_mark(practise->answers);
    const Term *term =
        tape_explain(tape, cell.node, cell.row, cell.col, practise->answers);
    bool computed = term && term->kind != TERM_CELL && term->kind != TERM_NUMBER;
    arena_rewind(practise->answers, mark);
    FollowCell leaves[PAPER_LEAVES];
    size_t count = paper_leaves(tape, cell, practise->answers, leaves);
    return computed && count > 0 && count <= PAPER_LEAVES;
}

/* Reports whether a number doesn't read as zero. */
static bool is_seen(const Practise *practise, FollowCell cell) {
    const Tensor *out = &tape_node(practise->player->lesson->tape, cell.node)->output;
    return fabs(tensor_at(out, cell.row, cell.col)) >= SEEN;
}

/* Reports whether the last exercise's cell is independent: others' printed numbers don't
 * reveal it, and neither depends on the other. */
static bool is_independent(Practise *practise, FollowCell own) {
    practise->count--;
    bool alone = !paper_reveals(practise, own, practise->answers) &&
                 !depends_on_asked(practise, own, practise->answers);
    practise->count++;
    for (size_t i = 0; alone && i + 1 < practise->count; i++) {
        FollowCell asked[PAPER_ROW_COLUMNS];
        size_t count = paper_cells(practise, &practise->exercises[i], asked);
        for (size_t k = 0; alone && k < count; k++)
            alone = !depends_on_asked(practise, asked[k], practise->answers);
    }
    return alone;
}

/* Reports whether an earlier exercise is about the same numbers, as when a lesson
 * summarizes steps that it went through one by one. */
static bool repeats(const Practise *practise, const Exercise *exercise) {
    const Tape *tape = practise->player->lesson->tape;
    const Tensor *own = &tape_node(tape, exercise->cell.node)->output;
    for (size_t i = 0; i + 1 < practise->count; i++) {
        const Exercise *before = &practise->exercises[i];
        const Tensor *other = &tape_node(tape, before->cell.node)->output;
        if (before->kind == EXERCISE_CELL && other->rows == own->rows &&
            other->cols == own->cols &&
            memcmp(other->values, own->values, tensor_cells(own) * sizeof(double)) == 0)
            return true;
    }
    return false;
}

/* Reports whether an operation computes numbers, rather than copying them, and without
 * drawing any. */
static bool computes(const TapeNode *node) {
    OperationWork work = operation_of(node->operation)->work;
    return work != OPERATION_WORK_BY_MOVING && work != OPERATION_WORK_BY_MARKING &&
           node->operation != OPERATION_DROPOUT;
}

/* Reports whether numbers depend on at most `most` others, or on round ones; all have
 * names. */
static bool are_easy(const Practise *practise, const FollowCell *cells, size_t count,
                     size_t most) {
    const Tape *tape = practise->player->lesson->tape;
    size_t all = 0;
    bool named = true, round_numbers = true;
    for (size_t i = 0; i < count; i++) {
        FollowCell leaves[PAPER_LEAVES];
        size_t found = paper_leaves(tape, cells[i], practise->answers, leaves);
        for (size_t k = 0; k < found && k < PAPER_LEAVES; k++) {
            const TapeNode *node = tape_node(tape, leaves[k].node);
            double tenths = 10 * tensor_at(&node->output, leaves[k].row, leaves[k].col);
            named &= node->name[0] != 0;
            round_numbers &= !isfinite(tenths) || fabs(tenths - round(tenths)) < SEEN;
        }
        all += found;
    }
    return named && (round_numbers || all <= most);
}

/* Finds a cell for the last exercise, from its own on; false if its table has none. */
static bool find_cell(Practise *practise, size_t most) {
    const Player *player = practise->player;
    Exercise *exercise = &practise->exercises[practise->count - 1];
    const TapeNode *node = tape_node(player->lesson->tape, exercise->cell.node);
    if (!computes(node) || exercise_size_of_sum(player, node) > EXERCISE_EASY_PARTS ||
        repeats(practise, exercise))
        return false;
    size_t cells = tensor_cells(&node->output), cols = node->output.cols;
    size_t first = exercise->cell.row * cols + exercise->cell.col;
    for (size_t i = 0; i < cells && i < CELLS_TRIED; i++) {
        size_t cell = (first + i) % cells;
        exercise->cell.row = cell / cols;
        exercise->cell.col = cell % cols;
        if (is_computed(practise, exercise->cell) &&
            are_easy(practise, &exercise->cell, 1, most) &&
            is_seen(practise, exercise->cell) && is_independent(practise, exercise->cell))
            return true;
    }
    return false;
}

/* Reports whether all numbers of the last exercise's row can be asked for, and two of
 * them don't read as zero. */
static bool row_fits(Practise *practise, size_t most) {
    const Exercise *exercise = &practise->exercises[practise->count - 1];
    FollowCell cells[PAPER_ROW_COLUMNS];
    size_t count = paper_cells(practise, exercise, cells), seen = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_computed(practise, cells[i]) || !is_independent(practise, cells[i]))
            return false;
        seen += is_seen(practise, cells[i]);
    }
    return seen >= 2 && are_easy(practise, cells, count, most);
}

/* Finds a row for the last exercise, from its own on; false if its table has none. */
static bool find_row(Practise *practise, size_t most) {
    const Player *player = practise->player;
    Exercise *exercise = &practise->exercises[practise->count - 1];
    const TapeNode *node = tape_node(player->lesson->tape, exercise->cell.node);
    size_t rows = node->output.rows, cols = node->output.cols, first = exercise->cell.row;
    if (!computes(node) || cols < 2 || cols > PAPER_ROW_COLUMNS ||
        cols * exercise_size_of_sum(player, node) > ROW_PARTS ||
        repeats(practise, exercise))
        return false;
    exercise->whole_row = true;
    exercise->cell.col = 0;
    for (size_t i = 0; i < rows && i < CELLS_TRIED; i++) {
        exercise->cell.row = (first + i) % rows;
        if (row_fits(practise, most))
            return true;
    }
    return false;
}

/* ---- what a step can be asked ---- */

bool paper_fits(const Text *text) {
    for (size_t i = 0; i < text->count; i++) {
        if (strpbrk(text->wordings[i].words, "0123456789"))
            return false;
    }
    return true;
}

/* Reports whether the numbers of an idea may be printed: of many, all but one. */
static bool idea_fits(const Practise *practise, const Exercise *exercise) {
    const WhatIf *what = &exercise->what;
    FollowCell leaves[PAPER_LEAVES];
    bool few = paper_leaves(practise->player->lesson->tape, exercise->cell,
                            practise->answers, leaves) <= 2;
    FollowCell changed = {what->changed, /* its first cell stands for a whole tensor */
                          what->changed_row == TAPE_NONE ? 0 : what->changed_row,
                          what->changed_col == TAPE_NONE ? 0 : what->changed_col};
    return (exercise->question || are_easy(practise, &exercise->cell, 1, EASY_LEAVES)) &&
           !paper_reveals(practise, changed, practise->answers) &&
           !paper_reveals(practise, exercise->cell, practise->answers) &&
           !(few && depends_on_asked(practise, exercise->cell, practise->answers));
}

/* Adds a question of the step's own; false if it has none of this kind for paper. */
static bool ask_own(Practise *practise, size_t step, PaperKind kind, bool redrawn) {
    const Question *question = exercise_question_at(practise->player, step);
    Exercise *exercise = &practise->exercises[practise->count];
    if (!question || !exercise_ask(exercise, practise->player, step, practise->answers) ||
        paper_kind(exercise) != kind)
        return false;
    practise->count++;
    bool fits = kind == PAPER_NUMBER ? is_computed(practise, exercise->cell) &&
                                           !repeats(practise, exercise) &&
                                           is_independent(practise, exercise->cell) &&
                                           !(redrawn && !paper_fits(&question->text))
                : kind == PAPER_DIRECTION ? idea_fits(practise, exercise)
                                          : !(redrawn && kind == PAPER_CHOICE);
    practise->count -= !fits;
    return fits;
}

/* Adds the heading as a question, with the step's text as the answer. */
static bool ask_heading(Practise *practise, size_t step, bool redrawn) {
    const PlayerStep *at = &practise->player->steps[step];
    const LessonStep *words = at->words;
    if (!words || !words->explains || at->parent != PLAYER_NONE ||
        text_is_empty(&words->heading) || text_is_empty(&words->say) ||
        (redrawn && (!paper_fits(&words->heading) || !paper_fits(&words->say))))
        return false;
    practise->exercises[practise->count++] =
        (Exercise){.kind = EXERCISE_THOUGHT, .step = step, .cell = {.node = at->node}};
    return true;
}

/* Adds a number, a row or an idea of the step's operation. */
static bool ask_operation(Practise *practise, size_t step, PaperKind kind, size_t most,
                          Random *random) {
    const Player *player = practise->player;
    Exercise *exercise = &practise->exercises[practise->count];
    bool opens = player->steps[step].child_count > 0;
    if (!exercise_is_computed(player, step) && !(opens && kind == PAPER_DIRECTION))
        return false;
    if (kind == PAPER_DIRECTION) {
        if (!opens &&
            !computes(tape_node(player->lesson->tape, player->steps[step].node)))
            return false;
        if (!exercise_of_idea(exercise, player, step, random, practise->answers) ||
            tape_node(player->lesson->tape, exercise->what.changed)->holds_ids)
            return false;
    } else {
        const Tensor *out =
            &tape_node(player->lesson->tape, player->steps[step].node)->output;
        size_t cell = random_below(random, tensor_cells(out));
        *exercise = (Exercise){
            .kind = EXERCISE_CELL,
            .step = step,
            .cell = {player->steps[step].node, cell / out->cols, cell % out->cols}};
    }
    practise->count++;
    bool fits = kind == PAPER_DIRECTION ? idea_fits(practise, exercise)
                : kind == PAPER_ROW     ? find_row(practise, most)
                                        : find_cell(practise, most);
    practise->count -= !fits;
    return fits;
}

PaperKind paper_kind(const Exercise *exercise) {
    switch (exercise->kind) {
    case EXERCISE_ORDER:
        return PAPER_ORDER;
    case EXERCISE_DIRECTION:
        return PAPER_DIRECTION;
    case EXERCISE_CHOICE:
        return PAPER_CHOICE;
    case EXERCISE_THOUGHT:
        return PAPER_EXPLAIN;
    case EXERCISE_CELL:
    case EXERCISE_LARGEST:
    case EXERCISE_NEXT_WORD:
        break;
    }
    return exercise->whole_row ? PAPER_ROW : PAPER_NUMBER;
}

const char *paper_concept(const Player *player, const Exercise *exercise) {
    const Text *concept = &player_words(player, exercise->step)->concept;
    return concept->count ? concept->wordings[0].words : "";
}

/* ---- composing ---- */

/* Share of each kind in PLAN_QUESTIONS questions, and its points in an exam of so many,
 * which add up to PAPER_POINTS. */
static const struct {
    size_t share, points;
} plan[PAPER_KIND_COUNT] = {
    [PAPER_ORDER] = {3, 2},     [PAPER_ROW] = {5, 4},     [PAPER_NUMBER] = {10, 3},
    [PAPER_DIRECTION] = {5, 2}, [PAPER_EXPLAIN] = {6, 2}, [PAPER_CHOICE] = {11, 2}};

enum {
    PLAN_QUESTIONS = 40,
    GROUP_MOST = 2, /* questions of a lesson of an exam, or of a concept */
    TRIES = 48      /* of candidates for one question */
};

/* A step that can be asked about. */
typedef struct Candidate {
    size_t lesson, step, group;
    double chance;  /* larger values are tried first */
    unsigned asked; /* bit k: a question of that kind */
} Candidate;

/* A place for a question. */
typedef struct Slot {
    size_t group;
    bool filled;
    PaperQuestion question;
} Slot;

typedef struct Composer {
    Practise *rounds;
    size_t round_count;
    const PaperOrder *order;
    Random random;
    size_t candidate_count, group_count, slot_count;
    Candidate *candidates; /* sorted by their groups */
    Slot *slots;
    size_t used[PAPER_KIND_COUNT];
    size_t leaves; /* most inputs of a number */
} Composer;

/* Reports whether a step may have a question, without making one. */
static bool can_ask(const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    bool explains = at->words && at->words->explains && at->parent == PLAYER_NONE;
    return explains || exercise_is_choice(player, step) ||
           exercise_is_computed(player, step);
}

/* Reports whether two steps of a lesson are about the same concept. */
static bool shares_concept(const Player *player, size_t one, size_t other) {
    const char *concept = paper_concept(player, &(Exercise){.step = one});
    return player->steps[one].statement == player->steps[other].statement ||
           (concept[0] &&
            strcmp(concept, paper_concept(player, &(Exercise){.step = other})) == 0);
}

/* Group of a candidate: its lesson in an exam, else its concept. */
static size_t group_of(const Composer *composer, size_t lesson, size_t step) {
    const Player *player = composer->rounds[lesson].player;
    for (size_t i = composer->candidate_count; i > 0; i--) {
        const Candidate *before = &composer->candidates[i - 1];
        if (before->lesson == lesson &&
            (composer->order->exam || shares_concept(player, before->step, step)))
            return before->group;
    }
    return composer->group_count;
}

static int compare_candidates(const void *one, const void *other) {
    const Candidate *a = one, *b = other;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->chance < b->chance || a->chance > b->chance)
        return a->chance > b->chance ? -1 : 1;
    return a->step < b->step ? -1 : a->step > b->step;
}

static void find_candidates(Composer *composer) {
    for (size_t k = 0; k < composer->round_count; k++) {
        const Player *player = composer->rounds[k].player;
        for (size_t i = 0; i < exercise_steps(player); i++) {
            if (!can_ask(player, i))
                continue;
            size_t group = group_of(composer, k, i);
            composer->group_count += group == composer->group_count;
            composer->candidates[composer->candidate_count++] =
                (Candidate){k, i, group, random_uniform(&composer->random), 0};
        }
    }
    qsort(composer->candidates, composer->candidate_count, sizeof *composer->candidates,
          compare_candidates);
}

/* Adds a question about a step; false if it has none of this kind. Its own question comes
 * before one made from its numbers. */
static bool ask(Composer *composer, const Candidate *candidate, PaperKind kind,
                bool own) {
    Practise *round = &composer->rounds[candidate->lesson];
    bool redrawn = composer->order->redrawn;
    bool made = kind == PAPER_ROW || kind == PAPER_NUMBER || kind == PAPER_DIRECTION;
    if (round->count == PRACTISE_MAX)
        return false;
    if (!own)
        return made && ask_operation(round, candidate->step, kind, composer->leaves,
                                     &composer->random);
    return kind == PAPER_EXPLAIN ? ask_heading(round, candidate->step, redrawn)
                                 : ask_own(round, candidate->step, kind, redrawn);
}

/* The order in which the candidates of a group are tried. */
static const struct {
    bool own, part, again;
} passes[] = {{true, false, false}, {true, true, false}, {false, false, false},
              {false, true, false}, {true, false, true}, {true, true, true},
              {false, false, true}};

/* Fills a slot with a question of a kind; false if its group has none. */
static bool fill(Composer *composer, Slot *slot, PaperKind kind) {
    int tries = 0;
    for (size_t pass = 0; pass < sizeof passes / sizeof *passes; pass++) {
        for (size_t i = 0; i < composer->candidate_count && tries < TRIES; i++) {
            Candidate *candidate = &composer->candidates[i];
            Practise *round = &composer->rounds[candidate->lesson];
            bool part = round->player->steps[candidate->step].depth > 1;
            if (candidate->group != slot->group || part != passes[pass].part ||
                !candidate->asked == passes[pass].again || candidate->asked >> kind & 1)
                continue;
            tries++;
            if (!ask(composer, candidate, kind, passes[pass].own))
                continue;
            candidate->asked |= 1U << kind;
            slot->filled = true;
            slot->question = (PaperQuestion){.lesson = candidate->lesson,
                                             .exercise = round->count - 1};
            composer->used[kind]++;
            return true;
        }
    }
    return false;
}

/* Fills a slot with a question of a kind, the first possible one from a slot on, and with
 * an easy one if any is. */
static void fill_from(Composer *composer, size_t first, PaperKind kind) {
    static const size_t leaves[] = {EASY_LEAVES, HARD_LEAVES};
    for (size_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
        composer->leaves = leaves[i];
        for (size_t k = 0; k < composer->slot_count; k++) {
            Slot *slot = &composer->slots[(first + k) % composer->slot_count];
            if (!slot->filled && fill(composer, slot, kind))
                return;
        }
    }
}

/* Fills as many slots as a kind's share is, evenly spread. */
static void fill_share(Composer *composer, PaperKind kind, size_t share) {
    double begin = random_uniform(&composer->random);
    for (size_t i = 0; i < share; i++)
        fill_from(
            composer,
            (size_t)((begin + (double)i) * (double)composer->slot_count / (double)share),
            kind);
}

/* Fills a slot with the kind that is behind its share most. */
static bool fill_any(Composer *composer, Slot *slot) {
    bool tried[PAPER_KIND_COUNT] = {false};
    for (size_t n = 0; n < PAPER_KIND_COUNT; n++) {
        size_t best = PAPER_KIND_COUNT;
        for (size_t k = 0; k < PAPER_KIND_COUNT; k++) {
            if (!tried[k] && (best == PAPER_KIND_COUNT ||
                              (composer->used[k] + 1) * plan[best].share <
                                  (composer->used[best] + 1) * plan[k].share))
                best = k;
        }
        tried[best] = true;
        if (fill(composer, slot, (PaperKind)best))
            return true;
    }
    return false;
}

static size_t uses_of(const Composer *composer, size_t group) {
    size_t uses = 0;
    for (size_t i = 0; i < composer->slot_count; i++)
        uses += composer->slots[i].filled && composer->slots[i].group == group;
    return uses;
}

/* Fills what is left, if necessary from other groups. */
static void fill_rest(Composer *composer) {
    for (size_t i = 0; i < composer->slot_count; i++) {
        Slot *slot = &composer->slots[i];
        for (size_t k = 0; !slot->filled && k < composer->group_count; k++) {
            if (uses_of(composer, slot->group) == GROUP_MOST || !fill_any(composer, slot))
                slot->group = (slot->group + 1) % composer->group_count;
        }
    }
}

/* Adds slots of `count` groups, spread evenly over all. */
static void add_slots(Composer *composer, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t from = composer->group_count * i / count;
        size_t to = composer->group_count * (i + 1) / count;
        composer->slots[composer->slot_count++] =
            (Slot){.group = from + random_below(&composer->random, to - from)};
    }
}

static void fill_slots(Composer *composer) {
    size_t wanted = composer->order->count, groups = composer->group_count;
    size_t more = wanted > groups ? wanted - groups : 0, sum = 0;
    add_slots(composer, wanted - more);
    add_slots(composer, more < groups ? more : groups);
    for (size_t k = 0; k < PAPER_KIND_COUNT; k++) {
        size_t before = sum * composer->slot_count, half = PLAN_QUESTIONS / 2;
        sum += plan[k].share;
        fill_share(composer, (PaperKind)k,
                   (sum * composer->slot_count + half) / PLAN_QUESTIONS -
                       (before + half) / PLAN_QUESTIONS);
    }
    fill_rest(composer);
}

/* ---- order and points ---- */

static const Exercise *exercise_of(const Practise *rounds, const PaperQuestion *at) {
    return &rounds[at->lesson].exercises[at->exercise];
}

/* Reports whether two questions are about the same concept. */
static bool same_concept(const Practise *rounds, const PaperQuestion *one,
                         const PaperQuestion *other) {
    const Exercise *a = exercise_of(rounds, one), *b = exercise_of(rounds, other);
    if (one->lesson == other->lesson)
        return shares_concept(rounds[one->lesson].player, a->step, b->step);
    const char *concept = paper_concept(rounds[one->lesson].player, a);
    return concept[0] &&
           strcmp(concept, paper_concept(rounds[other->lesson].player, b)) == 0;
}

/* Sorts questions into the order of the course. */
static void sort(const Practise *rounds, PaperQuestion *questions, size_t count) {
    for (size_t i = 1; i < count; i++) {
        PaperQuestion question = questions[i];
        size_t j = i, step = exercise_of(rounds, &question)->step;
        for (; j > 0; j--) {
            const PaperQuestion *before = &questions[j - 1];
            if (before->lesson < question.lesson ||
                (before->lesson == question.lesson &&
                 exercise_of(rounds, before)->step <= step))
                break;
            questions[j] = *before;
        }
        questions[j] = question;
    }
}

/* Moves a question to an earlier place, and those between up. */
static void move(PaperQuestion *questions, size_t from, size_t to) {
    PaperQuestion question = questions[from];
    memmove(&questions[to + 1], &questions[to], (from - to) * sizeof *questions);
    questions[to] = question;
}

/* Moves questions so that two in a row have different concepts if possible: the next one
 * with another concept comes before, or the last one goes to where it differs. */
static void part_concepts(const Practise *rounds, PaperQuestion *questions,
                          size_t count) {
    for (size_t i = 1; i < count; i++) {
        size_t next = i, to = i;
        while (next < count && same_concept(rounds, &questions[i - 1], &questions[next]))
            next++;
        if (next < count) {
            move(questions, next, i);
            continue;
        }
        while (to > 0 &&
               (same_concept(rounds, &questions[to], &questions[i]) ||
                (to > 1 && same_concept(rounds, &questions[to - 1], &questions[i]))))
            to--;
        bool differs = !same_concept(rounds, &questions[to], &questions[i]);
        if (differs)
            move(questions, i, to);
    }
}

/* Gives each question the points of its kind, and to the first ones what is missing. */
static void give_points(const Practise *rounds, PaperQuestion *questions, size_t count) {
    size_t sum = 0, given = 0;
    for (size_t i = 0; i < count; i++)
        sum += plan[paper_kind(exercise_of(rounds, &questions[i]))].points;
    for (size_t i = 0; i < count; i++) {
        size_t points = plan[paper_kind(exercise_of(rounds, &questions[i]))].points;
        questions[i].points = PAPER_POINTS * points / sum;
        given += questions[i].points;
    }
    for (size_t i = 0; given < PAPER_POINTS; i = (i + 1) % count, given++)
        questions[i].points++;
}

size_t paper_compose(Practise *rounds, size_t round_count, const PaperOrder *order,
                     PaperQuestion *questions, Arena *scratch) {
    size_t steps = 0, count = 0;
    for (size_t k = 0; k < round_count; k++)
        steps += rounds[k].player->step_count;
    Composer composer = {.rounds = rounds,
                         .round_count = round_count,
                         .order = order,
                         .candidates = arena_alloc(scratch, steps, sizeof(Candidate)),
                         .slots = arena_alloc(scratch, order->count, sizeof(Slot))};
    if (!composer.candidates || !composer.slots)
        return 0;
    random_init(&composer.random, order->seed);
    find_candidates(&composer);
    if (composer.group_count)
        fill_slots(&composer);
    for (size_t i = 0; i < composer.slot_count; i++) {
        if (composer.slots[i].filled)
            questions[count++] = composer.slots[i].question;
    }
    if (order->exam)
        sort(rounds, questions, count);
    part_concepts(rounds, questions, count);
    if (order->exam && count)
        give_points(rounds, questions, count);
    return count;
}
