#include "model/say/beam.h"

#include "model/say/choose.h"
#include "model/say/decode.h"
#include "model/say/kv_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *beam_fate_name(BeamFate fate) {
    static const char *const names[BEAM_FATE_COUNT] = {
        [BEAM_KEPT] = "kept",
        [BEAM_CUT] = "cut",
        [BEAM_FINISHED] = "finished",
        [BEAM_GIVEN_UP] = "given_up",
    };
    return names[fate];
}

bool beam_check(const BeamOptions *options, Error *error) {
    if (options->width < 1 || options->width > BEAM_WIDTH_MAX)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the beam is %zu texts wide, but must be from 1 to %d wide",
                         options->width, BEAM_WIDTH_MAX);
    if (!(options->length_exponent >= 0 && options->length_exponent < INFINITY))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the length exponent is %g, but must be 0, which leaves sums as "
                         "they are, or more; 1 takes the mean",
                         options->length_exponent);
    return decode_check_length(options->length, error);
}

/* A text that grows: its last node, and what was kept of computing it. */
typedef struct Line {
    size_t node;
    KvCache *cache; /* NULL: none */
} Line;

/* One of a turn's nodes, to be sorted. */
typedef struct Candidate {
    double total;
    size_t node;
    size_t line; /* whose text it goes on with */
} Candidate;

typedef struct Search {
    PredictModel model;
    const TransformerInput *input;
    const BeamOptions *options;
    Beam *beam;
    BeamNode *nodes;
    size_t capacity; /* of nodes */
    BeamTurn *turns;
    Line *lines, *next; /* `width` each; the lines of the next turn are made of these */
    size_t line_count;
    double *target, *logits;
    size_t *ids;
    Candidate *candidates;
    size_t candidate_count, candidate_capacity;
    Arena *arena;
    Arena *kept; /* while the search goes on: lines and caches */
    Error *error;
} Search;

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0,
                     "there is no memory for so large a search; take a smaller width or "
                     "length");
}

/* ---- one line's next words ---- */

static double *fill_target(const Search *this, size_t node, size_t *count) {
    const Tensor *begin = &this->input->target;
    size_t depth = this->nodes[node].depth;
    memcpy(this->target, begin->values, begin->cols * sizeof *this->target);
    beam_ids(this->beam, node, this->ids);
    for (size_t i = 0; i < depth; i++)
        this->target[begin->cols + i] = (double)this->ids[i];
    *count = begin->cols + depth;
    return this->target;
}

static bool predict(Search *this, const Line *line, size_t *multiplications) {
    TransformerInput input = {.source = this->input->source};
    size_t count;
    input.target.values = fill_target(this, line->node, &count);
    input.target.rows = 1;
    input.target.cols = count;
    if (!line->cache)
        return predict_logits(this->logits, multiplications, this->model, &input,
                              this->error);
    for (size_t i = kv_cache_length(line->cache); i < count; i++)
        kv_cache_read(line->cache, (size_t)this->target[i]);
    kv_cache_logits(line->cache, this->logits);
    *multiplications = kv_cache_take_multiplications(line->cache);
    return true;
}

/* The log of the logits' softmax, in their place. */
static void log_softmax(double *logits, size_t count) {
    double largest = -INFINITY, sum = 0;
    for (size_t i = 0; i < count; i++)
        largest = logits[i] > largest ? logits[i] : largest;
    for (size_t i = 0; i < count; i++)
        sum += exp(logits[i] - largest);
    for (size_t i = 0; i < count; i++)
        logits[i] = logits[i] - largest - log(sum);
}

static double score_of(const Search *this, double total, size_t depth) {
    double exponent = this->options->length_exponent;
    return exponent == 0 ? total : total / pow((double)depth, exponent);
}

/* Doubles an array's room until `count` more items fit; the old one stays in the arena.
 */
static bool reserve(Arena *arena, void **items, size_t size, size_t used, size_t count,
                    size_t *capacity) {
    size_t larger = *capacity ? *capacity : 64;
    while (larger < used + count)
        larger *= 2;
    if (larger == *capacity)
        return true;
    void *fresh = arena_alloc(arena, larger, size);
    if (!fresh)
        return false;
    if (used)
        memcpy(fresh, *items, used * size);
    *items = fresh;
    *capacity = larger;
    return true;
}

static bool reserve_nodes(Search *this, size_t count) {
    Beam *beam = this->beam;
    if (count > BEAM_NODES_MAX - beam->node_count)
        return error_set(this->error, ERROR_LIMIT, 0, 0,
                         "the search's tree would have more than %d nodes; take a "
                         "smaller width or length",
                         BEAM_NODES_MAX);
    bool good = reserve(this->arena, (void **)&this->nodes, sizeof *this->nodes,
                        beam->node_count, count, &this->capacity) &&
                reserve(this->arena, (void **)&this->candidates, sizeof *this->candidates,
                        this->candidate_count, count, &this->candidate_capacity);
    beam->nodes = this->nodes;
    return good || no_memory(this->error);
}

/* Puts every word behind a line's text. */
static bool extend(Search *this, size_t line, BeamTurn *turn) {
    Beam *beam = this->beam;
    size_t parent = this->lines[line].node, multiplications;
    if (!reserve_nodes(this, beam->word_count) ||
        !predict(this, &this->lines[line], &multiplications) ||
        !choose_check_logits(this->logits, beam->word_count, this->error))
        return false;
    turn->multiplications += multiplications;
    log_softmax(this->logits, beam->word_count);
    for (size_t i = 0; i < beam->word_count; i++) {
        BeamNode node = {.parent = parent,
                         .id = this->model.model->shape.first_output + i,
                         .depth = this->nodes[parent].depth + 1,
                         .log_chance = this->logits[i],
                         .total = this->nodes[parent].total + this->logits[i],
                         .fate = BEAM_CUT};
        node.score = score_of(this, node.total, node.depth);
        if (node.total > -INFINITY)
            this->candidates[this->candidate_count++] =
                (Candidate){node.total, beam->node_count, line};
        this->nodes[beam->node_count++] = node;
    }
    return true;
}

/* ---- the best of a turn ---- */

static int compare_candidates(const void *a, const void *b) {
    const Candidate *x = a, *y = b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* A line that goes on where `from` was; its cache is that of the line in the same place
 * two turns ago, which nobody needs any more. */
static bool continue_line(Search *this, Line *line, const Line *from, size_t node) {
    line->node = node;
    if (!from->cache)
        return true;
    if (!line->cache && !(line->cache = kv_cache_create_like(this->kept, from->cache)))
        return no_memory(this->error);
    kv_cache_copy(line->cache, from->cache);
    return true;
}

static void finish_node(Search *this, size_t number) {
    Beam *beam = this->beam;
    BeamNode *node = &this->nodes[number];
    node->fate = BEAM_FINISHED;
    if (beam->best == BEAM_NONE || node->score > this->nodes[beam->best].score)
        beam->best = number;
}

/* Keeps the best candidates: they are finished, or the lines of the next turn. */
static bool select_best(Search *this) {
    size_t count = 0;
    qsort(this->candidates, this->candidate_count, sizeof *this->candidates,
          compare_candidates);
    for (size_t i = 0; i < this->candidate_count && i < this->options->width; i++) {
        const Candidate *candidate = &this->candidates[i];
        BeamNode *node = &this->nodes[candidate->node];
        if (node->id == this->options->end || node->depth == this->options->length) {
            finish_node(this, candidate->node);
            continue;
        }
        node->fate = BEAM_KEPT;
        if (!continue_line(this, &this->next[count++], &this->lines[candidate->line],
                           candidate->node))
            return false;
    }
    Line *lines = this->lines;
    this->lines = this->next;
    this->next = lines;
    this->line_count = count;
    return true;
}

/* Whether a line could still score more than the best finished text. Totals only fall, so
 * at best it stays as it is while the text grows to its full length. */
static bool can_win(const Search *this) {
    if (this->beam->best == BEAM_NONE)
        return true;
    double best = this->nodes[this->beam->best].score;
    for (size_t i = 0; i < this->line_count; i++) {
        double total = this->nodes[this->lines[i].node].total;
        if (score_of(this, total, this->options->length) > best)
            return true;
    }
    return false;
}

static bool take_turn(Search *this) {
    Beam *beam = this->beam;
    BeamTurn *turn = &this->turns[beam->turn_count++];
    *turn = (BeamTurn){.first = beam->node_count};
    this->candidate_count = 0;
    for (size_t i = 0; i < this->line_count; i++) {
        if (!extend(this, i, turn))
            return false;
    }
    turn->count = beam->node_count - turn->first;
    beam->multiplications += turn->multiplications;
    return select_best(this);
}

/* ---- all of it ---- */

static bool prepare(Search *this) {
    size_t width = this->options->width, length = this->options->length;
    size_t most = this->input->target.cols + length;
    this->turns = arena_alloc(this->arena, length, sizeof *this->turns);
    this->lines = arena_alloc(this->kept, width, sizeof *this->lines);
    this->next = arena_alloc(this->kept, width, sizeof *this->next);
    this->target = arena_alloc(this->kept, most, sizeof *this->target);
    this->ids = arena_alloc(this->kept, length, sizeof *this->ids);
    this->logits = arena_alloc(this->kept, this->beam->word_count, sizeof *this->logits);
    if (arena_exhausted(this->kept) || !this->turns)
        return no_memory(this->error);
    if (!reserve_nodes(this, 1))
        return false;
    const Tensor *begin = &this->input->target;
    this->nodes[0] =
        (BeamNode){.parent = BEAM_NONE, .id = (size_t)begin->values[begin->cols - 1]};
    this->beam->node_count = 1;
    this->beam->turns = this->turns;
    this->line_count = 1;
    if (!this->options->cache)
        return true;
    this->lines[0].cache =
        kv_cache_create(this->kept, this->model, &this->input->source, most, this->error);
    return this->lines[0].cache != NULL;
}

static bool search(Search *this) {
    bool good = prepare(this);
    while (good && this->line_count && can_win(this))
        good = take_turn(this);
    for (size_t i = 0; good && i < this->line_count; i++)
        this->nodes[this->lines[i].node].fate = BEAM_GIVEN_UP;
    return good;
}

bool beam_run(Beam *beam, Arena *arena, PredictModel model, const TransformerInput *input,
              const BeamOptions *options, Error *error) {
    Search this = {.model = model,
                   .input = input,
                   .options = options,
                   .beam = beam,
                   .arena = arena,
                   .kept = arena_create_within(arena, PREDICT_MEMORY),
                   .error = error};
    *beam = (Beam){.word_count = predict_words(&model.model->shape), .best = BEAM_NONE};
    bool good = this.kept ? predict_check(&model.model->shape, input, error) &&
                                beam_check(options, error) && search(&this)
                          : no_memory(error);
    arena_destroy(this.kept);
    return good;
}

void beam_ids(const Beam *beam, size_t node, size_t *ids) {
    for (; beam->nodes[node].parent != BEAM_NONE; node = beam->nodes[node].parent)
        ids[beam->nodes[node].depth - 1] = beam->nodes[node].id;
}
