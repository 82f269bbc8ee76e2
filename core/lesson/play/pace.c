#include "lesson/play/pace.h"

#include "base/maths.h"
#include "base/strings/language.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <string.h>

/* ---- motion; milliseconds ---- */

static const double CELL_LENGTH = 320, SUM_LEAST = 2000, SUM_PART = 600;
static const double ZOOM_LENGTH = 500, CLOSE_LENGTH = 400;
/* milliseconds for steps that only show tensors */
static const double SHOWN_LENGTH = 900, MERGE_LENGTH = 2000;
/* milliseconds for steps of several operations */
static const double FLOW_LENGTH = 1500, FLOW_PART = 450;
static const double ENDS_LENGTH = 600; /* time between first and last frame */
static const double PART_SHRINKS = 0.85, LEAST_PART = 0.1; /* relative to the first one */
static const double FRAME = 16;

static bool gathers(const Term *term, bool lists) {
    if (term->count < 2)
        return false;
    if (!lists)
        return term->kind == TERM_SUM;
    return term->kind == TERM_LARGEST || term->kind == TERM_POSITION;
}

static const Term *find_sum(const Term *term, bool lists) {
    if (gathers(term, lists))
        return term;
    for (size_t i = 0; i < term->count; i++) {
        const Term *part = term->parts[i];
        if (part->kind == TERM_QUANTITY &&
            part->cancels) /* skips the row's largest, which cancels */
            continue;
        const Term *found = find_sum(part, lists);
        if (found)
            return found;
    }
    return NULL;
}

const Term *pace_sum(const Term *term) {
    const Term *sum = find_sum(term, false);
    return sum ? sum : find_sum(term, true);
}

static size_t cols_of(const Player *player) {
    return tape_node(player->lesson->tape, player_step(player)->node)->output.cols;
}

static size_t cells_of(const Player *player) {
    return tensor_cells(
        &tape_node(player->lesson->tape, player_step(player)->node)->output);
}

static size_t count_parts(const Player *player, Arena *scratch) {
    size_t row, col;
    if (!player_cell(player, &row, &col))
        return 0;
    const Term *term =
        tape_explain(player->lesson->tape, player_step(player)->node, row, col, scratch);
    const Term *sum = term ? pace_sum(term) : NULL;
    return sum ? sum->count : 0;
}

static double shown_length(const Lesson *lesson, const LessonStep *words) {
    for (size_t i = 0; i < words->shown_count; i++) {
        if (transition_of_shown(lesson, words, i) != TRANSITION_APPEAR)
            return MERGE_LENGTH;
    }
    return SHOWN_LENGTH;
}

/* A step that opens into several takes longer, depending on their number. */
static double step_length(const Player *player) {
    const PlayerStep *at = player_step(player);
    const LessonStep *words = &player->lesson->steps[player_statement(player)];
    if (at->child_count)
        return fmin(FLOW_LENGTH + FLOW_PART * (double)at->child_count, PACE_LONGEST);
    if (words->shown_count)
        return shown_length(player->lesson, words);
    double transpose_time =
        pace_transposed(player) == TAPE_NONE ? 0 : PACE_TRANSPOSE_TIME;
    return transition_length(player->lesson->tape, at->node) / (1 - transpose_time);
}

size_t pace_transposed(const Player *player) {
    const Tape *tape = player->lesson->tape;
    size_t node = player_step(player)->node;
    const TapeNode *at = tape_node(tape, node);
    size_t before = player->step ? player->steps[player->step - 1].node : TAPE_NONE;
    for (size_t i = 0; i < at->input_count; i++) {
        if (at->inputs[i] + 1 == node && at->inputs[i] != before &&
            tape_node(tape, at->inputs[i])->operation == OPERATION_TRANSPOSE)
            return at->inputs[i];
    }
    return TAPE_NONE;
}

static TransitionExplanation step_explanation(const Player *player) {
    const PlayerStep *at = player_step(player);
    if (player->lesson->steps[player_statement(player)].shown_count)
        return (TransitionExplanation){0};
    TransitionExplanation part = transition_explanation(player->lesson->tape, at->node);
    part.from = at->child_count                        ? 1 - PACE_LAST_PART
                : pace_transposed(player) != TAPE_NONE ? PACE_TRANSPOSE_TIME
                                                       : 0;
    part.to = part.from + (1 - part.from) * part.to;
    return part;
}

/* Reports whether step `inner` is inside another. */
static bool is_within(const Player *player, size_t inner, size_t outer) {
    return inner > outer && inner < player->steps[outer].next;
}

/* Reports whether the step is a whole training. */
static bool is_training(const Player *player) {
    const PlayerStep *at = player_step(player);
    return at->frame != PLAYER_NONE && at->parent == PLAYER_NONE && at->child_count;
}

/* The motion of a whole step: on going to the next, opening and closing. */
static PaceMotion motion_of_step(const Player *player, const Player *before) {
    PaceMotion motion = {.around = before->step};
    bool within = player->steps[before->step].frame != PLAYER_NONE &&
                  is_within(player, before->step, player->step);
    if ((player_step(player)->frame != PLAYER_NONE && !is_training(player)) || within ||
        player->lesson->steps[player_statement(player)].closes)
        return (PaceMotion){0};
    if (is_within(player, before->step, player->step) && before->cell == PLAYER_NONE) {
        motion.kind = PACE_CLOSE;
        motion.zoom = CLOSE_LENGTH;
        return motion;
    }
    if (player->step <= before->step)
        return (PaceMotion){0};
    motion.kind = PACE_STEP;
    motion.length = step_length(player);
    motion.explanation = step_explanation(player);
    if (is_within(player, player->step, before->step)) {
        motion.zoom = ZOOM_LENGTH;
        motion.length = fmin(motion.length, PACE_LONGEST - ZOOM_LENGTH);
    }
    return motion;
}

PaceMotion pace_motion(const Player *player, const Player *before, Arena *scratch) {
    if (player->lesson != before->lesson)
        return (PaceMotion){0};
    if (player->cell == PLAYER_NONE)
        return motion_of_step(player, before);
    bool entered = player->step != before->step || before->cell == PLAYER_NONE;
    if (player->step < before->step || (!entered && player->cell <= before->cell))
        return (PaceMotion){0};
    PaceMotion motion = {.kind = PACE_CELLS, .length = CELL_LENGTH};
    motion.from = entered ? 0 : before->cell + 1;
    if (motion.from == player->cell)
        motion.explanation = (TransitionExplanation){0, 1, TRANSITION_EXPLAINED};
    size_t parts = player->cell ? 0 : count_parts(player, scratch);
    if (parts > 1) {
        motion.kind = PACE_SUM;
        motion.length = fmin(SUM_LEAST + SUM_PART * (double)(parts - 2), PACE_LONGEST);
    }
    return motion;
}

PaceMotion pace_ends(PaceMotion motion) {
    motion.ends = motion.kind != PACE_REST;
    return motion;
}

double pace_length(const PaceMotion *motion) {
    if (motion->ends)
        return motion->kind == PACE_CLOSE ? 0 : ENDS_LENGTH;
    return motion->zoom + motion->length;
}

/* Total duration of the first `count` parts, in units of the first one: each is shorter
 * than the one before, down to a minimum. */
static double parts_weight(size_t count) {
    double least = ceil(log(LEAST_PART) / log(PART_SHRINKS));
    double shrinking = fmin((double)count, least);
    return (1 - pow(PART_SHRINKS, shrinking)) / (1 - PART_SHRINKS) +
           LEAST_PART * ((double)count - shrinking);
}

/* Parts begin one after the other and overlap. */
double pace_part(double sum, size_t count, size_t index) {
    double length = fmin(fmax(1.5 / (double)count, 0.2), 1);
    double begins =
        index ? (1 - length) * parts_weight(index) / parts_weight(count - 1) : 0;
    return fmin(fmax((sum - begins) / length, 0), 1);
}

size_t pace_parts_complete(double sum, size_t count) {
    size_t there = 0;
    while (there < count && pace_part(sum, count, there) >= 1)
        there++;
    return there;
}

PaceMoment pace_moment(const PaceMotion *motion, double elapsed) {
    if (motion->kind == PACE_REST || !(elapsed < pace_length(motion)))
        return (PaceMoment){0};
    PaceMoment moment = {.kind = motion->kind,
                         .zoom = 1,
                         .around = motion->around,
                         .from = motion->from,
                         .explanation = motion->explanation};
    if (motion->ends)
        elapsed = motion->zoom;
    if (elapsed < motion->zoom)
        moment.zoom = elapsed / motion->zoom;
    else if (motion->length > 0)
        moment.time = (elapsed - motion->zoom) / motion->length;
    const TransitionExplanation *part = &motion->explanation;
    double share =
        part->to > 0 ? (moment.time - part->from) / (part->to - part->from) : 1;
    moment.adds = share < TRANSITION_EXPLAINED;
    moment.sum = moment.adds ? fmin(fmax(share / part->sum, 0), 1) : 1;
    return moment;
}

size_t pace_shown(const Player *player, const PaceMoment *moment) {
    if (moment->kind != PACE_STEP || !is_training(player) || !(moment->time < 1))
        return player->step;
    size_t shown = player_step(player)->parts, count = player_step(player)->child_count;
    for (size_t i = (size_t)(fmax(moment->time, 0) * (double)count); i > 0; i--)
        shown = player->steps[shown].next;
    return shown;
}

double pace_until_change(const PaceMotion *motion, double elapsed) {
    double length = pace_length(motion);
    if (motion->kind == PACE_REST || !(elapsed < length))
        return INFINITY;
    return motion->ends ? length - elapsed : fmin(FRAME, length - elapsed);
}

/* ---- autoplay ---- */

static const double RATES[PACE_SPEEDS] = {0.4, 0.65, 1, 1.8, 3.2};
static const double GLANCE = 1200, A_BYTE = 24, LONGEST_STAY = 10000;
static const double FIRST_CELL_STAY = 1200, ROW_CELL_STAY = 400, ROW_STAY = 500,
                    REST_STAY = 150, LAST_CELL_STAY = 1000;
static const double TRAINING_LENGTH = 10000, SHORTEST_FRAME = 20, TRAINED_STAY = 3000;
enum { SLOW_CELLS = 4, ROW_STRIDES = 8, SLOW_ROWS = 4, REST_STRIDES = 6 };

double pace_rate(int speed) {
    int index = speed < 1 ? 0 : speed > PACE_SPEEDS ? PACE_SPEEDS - 1 : speed - 1;
    return RATES[index];
}

static bool same_words(const Player *player, size_t step) {
    return step > 0 && player_words(player, step) == player_words(player, step - 1);
}

/* Reading time is proportional to bytes: a Chinese character has three, and takes about
 * as long. */
static double reading_time(const Player *player, const Language *language) {
    if (same_words(player, player->step))
        return GLANCE;
    const LessonStep *words = player_words(player, player->step);
    if (words->seconds)
        return 1000 * (double)words->seconds;
    size_t length = strlen(text_in(&words->heading, language)) +
                    strlen(text_in(&words->say, language));
    return fmin(GLANCE + A_BYTE * (double)length, LONGEST_STAY);
}

/* A whole training takes some seconds, however many updates it has. */
static double frame_stay(const Player *player) {
    const PlayerStep *at = player_step(player);
    size_t count = player->steps[at->parent].child_count;
    bool updates = player->steps[at->parent].parent != PLAYER_NONE;
    if (updates)
        count *= player->steps[player->steps[at->parent].parent].child_count;
    size_t frame;
    if (player_film(player, &frame)->frame_count == frame + 1)
        return TRAINED_STAY;
    return fmax(TRAINING_LENGTH / (double)count, SHORTEST_FRAME);
}

/* Reports whether the step is a frame of a training that has been opened. */
static bool is_moment(const Player *player) {
    const PlayerStep *at = player_step(player);
    return at->frame != PLAYER_NONE && at->parent != PLAYER_NONE;
}

double pace_stay(const Player *player, const Language *language) {
    if (is_moment(player))
        return frame_stay(player);
    if (player->cell == PLAYER_NONE)
        return reading_time(player, language);
    size_t row = player->cell / cols_of(player);
    if (player->cell + 1 == cells_of(player))
        return LAST_CELL_STAY;
    if (player->cell == 0)
        return FIRST_CELL_STAY;
    return row == 0 ? ROW_CELL_STAY : row < SLOW_ROWS ? ROW_STAY : REST_STAY;
}

static size_t stride_of(size_t rest, size_t strides) {
    return (rest + strides - 1) / strides;
}

/* Returns the cell of the same output that autoplay goes to next. */
static size_t next_cell(const Player *player) {
    size_t cols = cols_of(player), rows = cells_of(player) / cols;
    size_t row = player->cell / cols, col = player->cell % cols, last = cols - 1;
    if (row == 0 && col < last) {
        size_t stride = col < SLOW_CELLS ? 1 : stride_of(cols - SLOW_CELLS, ROW_STRIDES);
        return col + stride < last ? player->cell + stride : last;
    }
    if (col < last) /* started by the user */
        return row * cols + last;
    size_t stride = row + 1 < SLOW_ROWS ? 1 : stride_of(rows - SLOW_ROWS, REST_STRIDES);
    size_t next = row + (stride ? stride : 1);
    return (next < rows ? next : rows - 1) * cols + last;
}

static bool is_last_cell(const Player *player) {
    return player->cell == PLAYER_NONE || player->cell + 1 == cells_of(player);
}

PaceStop pace_stop(const Player *player) {
    if (!is_last_cell(player))
        return PACE_CONTINUES;
    Player next = *player;
    if (!player_move(&next, PLAYER_RIGHT))
        return PACE_AT_END;
    for (size_t i = player_statement(player) + 1; i <= player_statement(&next); i++) {
        if (!text_is_empty(&player->lesson->steps[i].chapter))
            return PACE_AT_CHAPTER;
    }
    return PACE_CONTINUES;
}

bool pace_go_on(Player *player) {
    if (is_last_cell(player))
        return player_move(player, PLAYER_RIGHT);
    player->cell = next_cell(player);
    return true;
}
