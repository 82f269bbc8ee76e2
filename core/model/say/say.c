#include "model/say/say.h"

#include "base/maths.h"
#include "model/say/turn.h"

#include <stdlib.h>
#include <string.h>

static const char *const rules[SAY_RULE_COUNT] = {"greedy", "sample", "beam"};

const char *say_rule_name(SayRule rule) {
    return rules[rule];
}

bool say_rule_from_name(const char *name, SayRule *rule) {
    for (size_t i = 0; i < SAY_RULE_COUNT; i++) {
        if (strcmp(rules[i], name) == 0) {
            *rule = (SayRule)i;
            return true;
        }
    }
    return false;
}

const char *say_fate_name(SayFate fate) {
    static const char *const names[SAY_FATE_COUNT] = {
        [SAY_KEPT] = "kept",
        [SAY_IMPOSSIBLE] = "impossible",
        [SAY_NOT_LARGEST] = "not_largest",
        [SAY_PAST_TOP_K] = "top_k",
        [SAY_PAST_TOP_P] = "top_p",
        [SAY_CUT] = "cut",
        [SAY_FINISHED] = "finished",
        [SAY_GIVEN_UP] = "given_up",
    };
    return names[fate];
}

size_t say_words(const TransformerShape *shape) {
    return shape->target_vocabulary - shape->first_output;
}

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory to say so many words; ask for fewer");
}

/* ---- checks ---- */

static bool check_sample(const SayOptions *options, Error *error) {
    if (!(options->temperature > 0 && options->temperature < INFINITY))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the temperature is %g, but must be above 0: 1 leaves the "
                         "chances as they are",
                         options->temperature);
    return (options->top_p > 0 && options->top_p <= 1) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "top-p is %g, but must be above 0 and at most 1, which keeps all "
                     "words",
                     options->top_p);
}

static bool check_beam(const SayOptions *options, Error *error) {
    if (options->width < 1 || options->width > SAY_WIDTH_MAX)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the beam is %zu texts wide, but must be from 1 to %d wide",
                         options->width, SAY_WIDTH_MAX);
    return (options->length_exponent >= 0 && options->length_exponent < INFINITY) ||
           error_set(error, ERROR_VALUE, 0, 0,
                     "the length exponent is %g, but must be 0, which leaves sums as "
                     "they are, or more; 1 takes the mean",
                     options->length_exponent);
}

bool say_check(const SayOptions *options, Error *error) {
    if (options->length < 1 || options->length > SAY_LENGTH_MAX)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the length is %zu words, but must be from 1 to %d",
                         options->length, SAY_LENGTH_MAX);
    return (options->rule != SAY_SAMPLE || check_sample(options, error)) &&
           (options->rule != SAY_BEAM || check_beam(options, error));
}

static bool check_row(const double *logits, size_t count, Error *error) {
    bool possible = false;
    for (size_t i = 0; i < count; i++) {
        if (isnan(logits[i]) || logits[i] == INFINITY)
            return error_set(error, ERROR_VALUE, 0, 0,
                             "word %zu has the logit %g, so no word can be chosen; the "
                             "model's numbers have grown past what a number can be",
                             i, logits[i]);
        possible |= logits[i] > -INFINITY;
    }
    return possible || error_set(error, ERROR_VALUE, 0, 0,
                                 "every word's logit is -inf, so no word can be chosen; "
                                 "one at least must be finite");
}

/* Whether a turn's nodes leave something to pick. */
static bool check_turn(const SayTurn *turn, const Tape *tape, const SayOptions *options,
                       Error *error) {
    const Tensor *logits = &tape_node(tape, turn->logits)->output;
    for (size_t i = 0; i < logits->rows; i++) {
        if (!check_row(logits->values + i * logits->cols, logits->cols, error))
            return false;
    }
    const double *chances = tape_node(tape, turn->chances)->output.values;
    for (size_t i = 0; i < logits->cols; i++) {
        if (chances[i] > 0)
            return true;
    }
    return error_set(error, ERROR_VALUE, 0, 0,
                     "logits divided by %g are past what a number can be, so no word can "
                     "be chosen; take a larger temperature",
                     options->temperature);
}

/* ---- texts ---- */

bool say_cell(const Said *said, size_t text, SayCell *cell) {
    size_t turn = said->turn_count;
    while (turn && said->turns[turn - 1].first > text)
        turn--;
    if (!turn || text == SAY_NONE)
        return false;
    size_t place = text - said->turns[turn - 1].first;
    *cell = (SayCell){turn - 1, place / said->word_count, place % said->word_count};
    return cell->row < said->turns[turn - 1].text_count;
}

size_t say_parent(const Said *said, size_t text) {
    SayCell cell = {0};
    say_cell(said, text, &cell);
    return said->turns[cell.turn].from[cell.row];
}

size_t say_word(const Said *said, size_t text) {
    SayCell cell = {0};
    say_cell(said, text, &cell);
    return said->first_output + cell.col;
}

void say_ids(const Said *said, size_t text, size_t *ids) {
    SayCell cell;
    for (; say_cell(said, text, &cell); text = say_parent(said, text))
        ids[cell.turn] = said->first_output + cell.col;
}

double say_score(const SayOptions *options, double total, size_t words) {
    double exponent = options->length_exponent;
    return exponent == 0 ? total : total / pow((double)words, exponent);
}

/* ---- fates ---- */

static bool is_over(const Said *said, size_t text) {
    SayCell cell = {0};
    say_cell(said, text, &cell);
    return cell.turn + 1 == said->options.length ||
           say_word(said, text) == said->options.end;
}

static bool is_kept(const SayTurn *turn, size_t text) {
    for (size_t i = 0; i < turn->kept_count; i++) {
        if (turn->kept[i] == text)
            return true;
    }
    return false;
}

static bool is_out(const Tape *tape, size_t node, const SayCell *at) {
    return node != TAPE_NONE &&
           tensor_at(&tape_node(tape, node)->output, at->row, at->col) == -INFINITY;
}

SayFate say_fate(const Said *said, const Tape *tape, size_t text) {
    SayCell at;
    if (!say_cell(said, text, &at))
        return SAY_KEPT;
    const SayTurn *turn = &said->turns[at.turn];
    bool kept = is_kept(turn, text);
    if (said->options.rule == SAY_BEAM)
        return !kept                            ? SAY_CUT
               : is_over(said, text)            ? SAY_FINISHED
               : at.turn + 1 < said->turn_count ? SAY_KEPT
                                                : SAY_GIVEN_UP;
    if (is_out(tape, turn->logits, &at))
        return SAY_IMPOSSIBLE;
    if (said->options.rule == SAY_GREEDY)
        return kept ? SAY_KEPT : SAY_NOT_LARGEST;
    return is_out(tape, turn->top_k, &at)   ? SAY_PAST_TOP_K
           : is_out(tape, turn->top_p, &at) ? SAY_PAST_TOP_P
                                            : SAY_KEPT;
}

/* ---- picking ---- */

typedef struct Ranked {
    double value;
    size_t number;
} Ranked;

static int compare_ranked(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->value > y->value || (isnan(y->value) && !isnan(x->value)))
        return -1;
    if (x->value < y->value || (isnan(x->value) && !isnan(y->value)))
        return 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

size_t *say_order(Arena *arena, const double *values, size_t count) {
    Ranked *ranked = arena_alloc(arena, count, sizeof *ranked);
    size_t *order = arena_alloc(arena, count, sizeof *order);
    if (!ranked || !order)
        return NULL;
    for (size_t i = 0; i < count; i++)
        ranked[i] = (Ranked){values[i], i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    for (size_t i = 0; i < count; i++)
        order[i] = ranked[i].number;
    return order;
}

size_t say_draw(const size_t *order, const double *chances, size_t count,
                Random *random) {
    if (count == 1 || !(chances[order[1]] > 0))
        return order[0];
    double rest = random_uniform(random);
    size_t drawn = order[0];
    for (size_t i = 0; i < count && chances[order[i]] > 0; i++) {
        drawn = order[i]; /* the last one, should rounding leave a rest */
        if (rest < chances[drawn])
            break;
        rest -= chances[drawn];
    }
    return drawn;
}

/* ---- the turns ---- */

/* Words being said. */
typedef struct Saying {
    const SayRequest *request;
    Said *said;
    SayTurn *turns;
    const size_t *growing; /* the texts that the next turn puts words behind */
    size_t growing_count;
    double best_score;
    Random random;
    Error *error;
} Saying;

static double total_of(const Saying *this, size_t text) {
    SayCell at = {0};
    say_cell(this->said, text, &at);
    const Tape *tape = this->request->tape;
    return tensor_at(&tape_node(tape, this->turns[at.turn].result)->output, at.row,
                     at.col);
}

/* The numbers of the picked cells of a turn's nodes, the best first. */
static bool pick(Saying *this, size_t *picked, size_t *count) {
    const SayTurn *turn = &this->turns[this->said->turn_count - 1];
    const SayOptions *options = &this->said->options;
    const Tape *tape = this->request->tape;
    bool beam = options->rule == SAY_BEAM;
    const Tensor *values = &tape_node(tape, beam ? turn->result : turn->logits)->output;
    const double *chances = tape_node(tape, turn->chances)->output.values;
    size_t cells = tensor_cells(values);
    const size_t *order = say_order(this->request->arena, values->values, cells);
    if (!order)
        return no_memory(this->error);
    *count = 0;
    if (options->rule == SAY_SAMPLE)
        picked[(*count)++] = say_draw(order, chances, cells, &this->random);
    else
        while (*count < options->width && *count < cells &&
               values->values[order[*count]] > -INFINITY) {
            picked[*count] = order[*count];
            ++*count;
        }
    return true;
}

/* Keeps what the rule picked: texts that are finished, or grow in the next turn. */
static bool keep_picked(Saying *this, SayTurn *turn) {
    Said *said = this->said;
    const SayOptions *options = &said->options;
    size_t *kept = arena_alloc(this->request->arena, options->width, sizeof *kept);
    size_t *growing = arena_alloc(this->request->arena, options->width, sizeof *growing);
    if (!kept || !growing)
        return no_memory(this->error);
    if (!pick(this, kept, &turn->kept_count))
        return false;
    turn->kept = kept;
    this->growing = growing;
    this->growing_count = 0;
    for (size_t i = 0; i < turn->kept_count; i++) {
        size_t text = kept[i] += turn->first;
        if (!is_over(said, text)) {
            growing[this->growing_count++] = text;
            continue;
        }
        double score = say_score(options, total_of(this, text), said->turn_count);
        if (said->best == SAY_NONE || score > this->best_score) {
            said->best = text;
            this->best_score = score;
        }
    }
    return true;
}

/* Whether a text that grows could still score more than the best finished one. Totals
 * only fall, so at best it stays as it is while the text grows to its full length. */
static bool can_win(const Saying *this) {
    const SayOptions *options = &this->said->options;
    bool can = this->said->best == SAY_NONE;
    for (size_t i = 0; !can && i < this->growing_count; i++)
        can = say_score(options, total_of(this, this->growing[i]), options->length) >
              this->best_score;
    return can;
}

static bool take_turn(Saying *this) {
    Said *said = this->said;
    size_t number = said->turn_count;
    SayTurn *turn = &this->turns[number];
    *turn = (SayTurn){.text_count = this->growing_count, .from = this->growing};
    turn->first = number ? turn[-1].first + turn[-1].text_count * said->word_count : 1;
    if (!turn_append(this->request, said, number, turn, this->error) ||
        !check_turn(turn, this->request->tape, &said->options, this->error))
        return false;
    said->turn_count++;
    said->multiplications += turn->multiplications;
    return keep_picked(this, turn);
}

/* The words of the best text. */
static bool finish(const Saying *this) {
    Said *said = this->said;
    SayCell last = {0};
    say_cell(said, said->best, &last);
    said->count = last.turn + 1;
    size_t *ids = arena_alloc(this->request->arena, said->count, sizeof *ids);
    if (!ids)
        return no_memory(this->error);
    say_ids(said, said->best, ids);
    said->ids = ids;
    said->ended = ids[said->count - 1] == said->options.end;
    return true;
}

bool say_run(Said *said, const SayRequest *request, Error *error) {
    const TransformerShape *shape = &request->model->shape;
    static const size_t beginning = 0;
    Saying this = {.request = request,
                   .said = said,
                   .growing = &beginning,
                   .growing_count = 1,
                   .error = error};
    *said = (Said){.options = request->options,
                   .word_count = say_words(shape),
                   .first_output = shape->first_output,
                   .best = SAY_NONE};
    if (said->options.rule != SAY_BEAM)
        said->options.width = 1;
    if (shape->kind == TRANSFORMER_ENCODER)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a model of kind encoder says no words; it takes one of kind "
                         "encoder_decoder or decoder");
    if (!say_check(&said->options, error))
        return false;
    said->turns = this.turns =
        arena_alloc(request->arena, said->options.length, sizeof *this.turns);
    if (!this.turns)
        return no_memory(error);
    random_init(&this.random, said->options.seed);
    bool good = true;
    while (good && this.growing_count && can_win(&this))
        good = take_turn(&this);
    return good && finish(&this);
}
