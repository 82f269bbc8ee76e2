#include "lesson/play/pace.h"

#include "base/maths.h"

#include <string.h>

/* ---- motion; milliseconds ---- */

static const double STEP_LENGTH = 220;
static const double CELL_LENGTH = 220, CELL_PARTS = 150; /* … of that its parts take */
static const double FIRST_PART = 700, PART_SHRINKS = 0.85, SHORTEST_PART = 60;
static const double LONGEST_SUM = 6000, RESULT_LENGTH = 240;
static const double FRAME = 16; /* while something fades */
static const double LEAST_SHOWN = 0.08;

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
        if (part->kind == TERM_QUANTITY && part->cancels) /* the row's largest */
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

PaceMotion pace_motion(const Player *player, const Player *before, Arena *scratch) {
    PaceMotion motion = {0};
    if (player->lesson != before->lesson)
        return motion;
    bool same_step = player->step == before->step;
    if (player->cell == PLAYER_NONE) {
        if (player->step > before->step && player_step(player)->frame == PLAYER_NONE)
            motion.kind = PACE_STEP;
        return motion;
    }
    bool entered = !same_step || before->cell == PLAYER_NONE;
    if (player->step < before->step || (!entered && player->cell <= before->cell))
        return motion;
    motion.from = entered ? 0 : before->cell + 1;
    bool one = motion.from == player->cell;
    if (one)
        motion.parts = count_parts(player, scratch);
    motion.kind = player->cell == 0 && motion.parts > 1 ? PACE_SUM : PACE_CELLS;
    return motion;
}

/* How long part `index` of a slow sum is looked at, before all are made to fit. */
static double part_length(size_t index) {
    return fmax(FIRST_PART * pow(PART_SHRINKS, (double)index), SHORTEST_PART);
}

/* When the first `count` parts of a motion's sum are done. */
static double parts_length(const PaceMotion *motion, size_t count) {
    if (motion->parts < 2)
        return 0;
    if (motion->kind != PACE_SUM)
        return CELL_PARTS * (double)count / (double)motion->parts;
    double all = 0, done = 0;
    for (size_t i = 0; i < motion->parts; i++) {
        all += part_length(i);
        done += i < count ? part_length(i) : 0;
    }
    return done * fmin(LONGEST_SUM / all, 1);
}

double pace_length(const PaceMotion *motion) {
    switch (motion->kind) {
    case PACE_REST:
        return 0;
    case PACE_STEP:
        return STEP_LENGTH;
    case PACE_CELLS:
        return CELL_LENGTH;
    case PACE_SUM:
        return parts_length(motion, motion->parts) + RESULT_LENGTH;
    }
    return 0;
}

/* The parts that have been begun by then: a part is first lit up, and in the middle of
 * its time joins the sum. */
static size_t begun_parts(const PaceMotion *motion, double elapsed, bool *joined) {
    double all = parts_length(motion, motion->parts), scale = 1, begins = 0;
    if (motion->kind == PACE_SUM) {
        double plain = 0;
        for (size_t i = 0; i < motion->parts; i++)
            plain += part_length(i);
        scale = all / plain;
    }
    for (size_t i = 0; i < motion->parts; i++) {
        double length = motion->kind == PACE_SUM ? part_length(i) * scale
                                                 : all / (double)motion->parts;
        if (elapsed < begins + length) {
            *joined = elapsed >= begins + length / 2;
            return i + 1;
        }
        begins += length;
    }
    *joined = true;
    return motion->parts;
}

static PaceMoment moment_of_cell(const Player *player, const PaceMotion *motion,
                                 double elapsed) {
    double adding = parts_length(motion, motion->parts);
    PaceMoment moment = {.moves = true, .visible = player->cell, .fading = player->cell};
    moment.shown = 1;
    if (elapsed < adding) {
        bool joined;
        moment.adds = true;
        moment.lit = begun_parts(motion, elapsed, &joined);
        moment.terms = moment.lit - !joined;
        return moment;
    }
    double share = (elapsed - adding) / (pace_length(motion) - adding);
    moment.visible = player->cell + 1;
    moment.shown = fmin(fmax(share, LEAST_SHOWN), 1);
    return moment;
}

/* Several cells become visible one after the other. */
static PaceMoment moment_of_cells(const Player *player, const PaceMotion *motion,
                                  double elapsed) {
    double count = (double)(player->cell + 1 - motion->from);
    double done = floor(count * elapsed / pace_length(motion));
    size_t visible = motion->from + (size_t)fmin(fmax(done, 0), count);
    return (PaceMoment){.moves = true, .visible = visible, .fading = visible, .shown = 1};
}

PaceMoment pace_moment(const Player *player, const PaceMotion *motion, double elapsed) {
    double length = pace_length(motion);
    if (motion->kind == PACE_REST || !(elapsed < length))
        return (PaceMoment){0};
    if (motion->kind == PACE_STEP)
        return (PaceMoment){.moves = true,
                            .visible = (size_t)-1,
                            .shown = fmin(fmax(elapsed / length, LEAST_SHOWN), 1)};
    if (player->cell == PLAYER_NONE)
        return (PaceMoment){0};
    if (motion->kind == PACE_SUM || motion->from == player->cell)
        return moment_of_cell(player, motion, elapsed);
    return moment_of_cells(player, motion, elapsed);
}

double pace_until_change(const PaceMotion *motion, double elapsed) {
    double length = pace_length(motion);
    if (motion->kind == PACE_REST || !(elapsed < length))
        return INFINITY;
    double adding = parts_length(motion, motion->parts);
    if (motion->kind != PACE_SUM || elapsed >= adding)
        return fmin(FRAME, length - elapsed);
    bool joined;
    size_t begun = begun_parts(motion, elapsed, &joined);
    double begins = parts_length(motion, begun - 1), ends = parts_length(motion, begun);
    return fmax((joined ? ends : (begins + ends) / 2) - elapsed, 1);
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

/* Reading goes by bytes: a Chinese character has three, and takes about as long. */
static double reading_time(const Player *player, const Language *language) {
    if (same_words(player, player->step))
        return GLANCE;
    const LessonStep *words = player_words(player, player->step);
    size_t length = strlen(text_in(&words->heading, language)) +
                    strlen(text_in(&words->say, language));
    return fmin(GLANCE + A_BYTE * (double)length, LONGEST_STAY);
}

/* A training as a whole passes in some seconds, however many updates it has. */
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

/* Whether the step is a moment of a training that has been opened. */
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

/* The cell of the same output that autoplay goes to next. */
static size_t next_cell(const Player *player) {
    size_t cols = cols_of(player), rows = cells_of(player) / cols;
    size_t row = player->cell / cols, col = player->cell % cols, last = cols - 1;
    if (row == 0 && col < last) {
        size_t stride = col < SLOW_CELLS ? 1 : stride_of(cols - SLOW_CELLS, ROW_STRIDES);
        return col + stride < last ? player->cell + stride : last;
    }
    if (col < last) /* begun by hand */
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
        return PACE_GOES_ON;
    Player next = *player;
    if (!player_move(&next, PLAYER_RIGHT))
        return PACE_AT_END;
    for (size_t i = player_statement(player) + 1; i <= player_statement(&next); i++) {
        if (!text_is_empty(&player->lesson->steps[i].chapter))
            return PACE_AT_CHAPTER;
    }
    return PACE_GOES_ON;
}

bool pace_go_on(Player *player) {
    if (is_last_cell(player))
        return player_move(player, PLAYER_RIGHT);
    player->cell = next_cell(player);
    return true;
}

bool pace_asks(const Player *player) {
    const LessonStep *words = player_words(player, player->step);
    return words->asks && words->result == player_step(player)->node &&
           (player->cell == PLAYER_NONE || player->cell == 0);
}
