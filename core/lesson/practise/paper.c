#include "lesson/practise/practise.h"

#include "base/arena.h"
#include "base/maths.h"
#include "lesson/content/changes.h"
#include "lesson/content/content.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <string.h>

enum { CELLS_TRIED = 48, LONGEST_WAY = 8 };

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

static bool is_asked(const Practise *practise, FollowCell cell) {
    const Tape *tape = practise->player->lesson->tape;
    for (size_t i = 0; i < practise->count; i++) {
        FollowCell asked = practise->exercises[i].cell;
        changes_resolve(tape, &asked.node, &asked.row, &asked.col);
        if (practise->exercises[i].kind == EXERCISE_CELL && follow_same(asked, cell))
            return true;
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
    const Exercise *exercise = practise_exercise(practise);
    return paper_reveals(practise, cell, scratch) ||
           (exercise->kind == EXERCISE_DIRECTION && exercise->cell.node == cell.node &&
            depends_on_asked(practise, cell, scratch));
}

/* ---- numbers ---- */

/* Reports whether a number must be computed: it is no copy, and doesn't read as zero. */
static bool is_worth_asking(const Practise *practise, FollowCell cell) {
    const Tape *tape = practise->player->lesson->tape;
    double value = tensor_at(&tape_node(tape, cell.node)->output, cell.row, cell.col);
    if (!isfinite(value) || fabs(value) < SEEN)
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

/* Reports whether the last exercise's number is independent: others' printed numbers
 * don't reveal it, and neither depends on the other. */
static bool is_independent(Practise *practise) {
    FollowCell own = practise->exercises[practise->count - 1].cell;
    practise->count--;
    bool alone = !paper_reveals(practise, own, practise->answers) &&
                 !depends_on_asked(practise, own, practise->answers);
    practise->count++;
    for (size_t i = 0; alone && i + 1 < practise->count; i++)
        alone =
            practise->exercises[i].kind != EXERCISE_CELL ||
            !depends_on_asked(practise, practise->exercises[i].cell, practise->answers);
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

/* Finds a cell for the last exercise, from its own on; false if its table has none. */
static bool find_cell(Practise *practise) {
    const Player *player = practise->player;
    Exercise *exercise = &practise->exercises[practise->count - 1];
    const TapeNode *node = tape_node(player->lesson->tape, exercise->cell.node);
    if (exercise_size_of_sum(player, node) > EXERCISE_EASY_PARTS ||
        repeats(practise, exercise))
        return false;
    size_t cells = tensor_cells(&node->output), cols = node->output.cols;
    size_t first = exercise->cell.row * cols + exercise->cell.col;
    for (size_t i = 0; i < cells && i < CELLS_TRIED; i++) {
        size_t cell = (first + i) % cells;
        exercise->cell.row = cell / cols;
        exercise->cell.col = cell % cols;
        if (is_worth_asking(practise, exercise->cell) && is_independent(practise))
            return true;
    }
    return false;
}

/* ---- selection ---- */

bool paper_fits(const Text *text) {
    for (size_t i = 0; i < text->count; i++) {
        if (strpbrk(text->wordings[i].words, "0123456789"))
            return false;
    }
    return true;
}

/* Reports whether the lesson's own question can be asked. */
static bool own_is_usable(const Practise *practise, const Exercise *exercise,
                          bool redrawn) {
    FollowCell leaves[PAPER_LEAVES];
    size_t count = paper_leaves(practise->player->lesson->tape, exercise->cell,
                                practise->answers, leaves);
    if (exercise->kind == EXERCISE_CELL && (count == 0 || count > PAPER_LEAVES))
        return false;
    if (!redrawn)
        return true;
    return exercise->kind == EXERCISE_CELL ? paper_fits(&exercise->question->text)
                                           : exercise->kind != EXERCISE_CHOICE;
}

/* Reports whether the numbers of an idea may be printed: of many, all but one. */
static bool idea_fits(const Practise *practise, const Exercise *exercise) {
    const WhatIf *what = &exercise->what;
    FollowCell leaves[PAPER_LEAVES];
    bool few = paper_leaves(practise->player->lesson->tape, exercise->cell,
                            practise->answers, leaves) <= 2;
    FollowCell changed = {what->changed, what->changed_row,
                          what->changed_col == TAPE_NONE ? 0 : what->changed_col};
    return !paper_reveals(practise, changed, practise->answers) &&
           !paper_reveals(practise, exercise->cell, practise->answers) &&
           !(few && depends_on_asked(practise, exercise->cell, practise->answers));
}

/* Order of selection: one kind after the other, each in the lesson's order, up to a
 * number of questions; parts of steps after whole ones. */
static const struct {
    bool own, number, part;
    size_t most;
} passes[] = {{true, false, false, PRACTISE_MAX},
              {false, true, false, PAPER_NUMBERS},
              {false, true, true, PAPER_NUMBERS},
              {false, false, false, PAPER_QUESTIONS},
              {false, false, true, PAPER_QUESTIONS - 1}};

static bool belongs_to_pass(const Practise *practise, const Exercise *exercise,
                            size_t pass) {
    bool part = practise->player->steps[exercise->step].depth > 1;
    bool number = exercise->kind != EXERCISE_DIRECTION;
    return exercise->question ? passes[pass].own
                              : !passes[pass].own && passes[pass].part == part &&
                                    passes[pass].number == number;
}

/* Reports whether the last exercise can be asked beside those before it. */
static bool can_be_asked(Practise *practise, bool redrawn) {
    const Exercise *last = &practise->exercises[practise->count - 1];
    return last->question                     ? own_is_usable(practise, last, redrawn)
           : last->kind == EXERCISE_DIRECTION ? idea_fits(practise, last)
                                              : find_cell(practise);
}

void practise_for_paper(Practise *practise, bool redrawn) {
    Exercise round[PRACTISE_MAX];
    size_t count = practise->count;
    memcpy(round, practise->exercises, count * sizeof *round);
    for (size_t i = 0; i < count; i++) {
        if (round[i].kind == EXERCISE_LARGEST || round[i].kind == EXERCISE_NEXT_WORD)
            round[i].kind = EXERCISE_CELL;
    }
    practise->count = 0;
    for (size_t pass = 0; pass < sizeof passes / sizeof *passes; pass++) {
        for (size_t i = 0; i < count && practise->count < passes[pass].most; i++) {
            if (!belongs_to_pass(practise, &round[i], pass))
                continue;
            practise->exercises[practise->count++] = round[i];
            practise->count -= !can_be_asked(practise, redrawn);
        }
    }
    if (!practise->count) { /* accepts the best of the rest */
        memcpy(practise->exercises, round, count * sizeof *round);
        practise->count = count;
    }
    practise_sort(practise);
}
