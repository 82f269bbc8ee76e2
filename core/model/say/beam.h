/* Beam search: several texts grow at once, and the likeliest few go on.
 *
 * Each turn puts every word behind every text that is still growing. Of all these the
 * `width` with the largest sums of log chances are kept, the others cut. A kept text that
 * ends (with the word that ends texts, or because it is as long as may be) is finished
 * and set aside; the others grow on. The search is over when none grows any more, or when
 * none of those can still score more than the best finished one. A text's score is its
 * sum divided by (its words)^length_exponent, the ending word counted: with 0 the sum
 * itself, with 1 the mean, so that long texts are not put at a disadvantage. Of equals
 * the one found first wins: the better parent's, then the smaller ID.
 *
 * The whole tree is kept, with what was cut, to be drawn. It lives in the arena given.
 * Source: Sutskever et al. 2014, section 3.2; Wu et al. 2016, section 7. */
#ifndef MODEL_BEAM_H
#define MODEL_BEAM_H

#include "model/say/predict.h"

enum { BEAM_WIDTH_MAX = 1000, BEAM_NODES_MAX = 1 << 20 };

#define BEAM_NONE ((size_t)-1)

typedef struct BeamOptions {
    size_t width;           /* from 1 to BEAM_WIDTH_MAX; 1 is greedy */
    size_t length;          /* as for decode_run */
    size_t end;             /* the ID that ends a text, or BEAM_NONE */
    double length_exponent; /* 0 or more, finite */
    bool cache;
} BeamOptions;

typedef enum BeamFate {
    BEAM_KEPT,     /* it grew on: it has children */
    BEAM_CUT,      /* not among the best of its turn */
    BEAM_FINISHED, /* ended, and set aside */
    BEAM_GIVEN_UP, /* still growing when nothing could win any more */
    BEAM_FATE_COUNT
} BeamFate;

/* "kept", "cut", "finished", "given_up". */
const char *beam_fate_name(BeamFate fate);

typedef struct BeamNode {
    size_t parent;     /* a node, or BEAM_NONE for node 0: the text's beginning */
    size_t id, depth;  /* the word put behind the parent's text; words said so far */
    double log_chance; /* of this word behind that text; −∞ where it is impossible */
    double total;      /* of all words from the beginning on */
    double score;      /* total / depth^length_exponent */
    BeamFate fate;
} BeamNode;

/* What a turn made: nodes [first, first + count), a run of word_count for each text that
 * grew, by ID. */
typedef struct BeamTurn {
    size_t first, count;
    size_t multiplications;
} BeamTurn;

typedef struct Beam {
    size_t node_count;
    const BeamNode *nodes;
    size_t turn_count;
    const BeamTurn *turns;
    size_t word_count;
    size_t best; /* the finished node with the largest score */
    size_t multiplications;
} Beam;

/* Searches behind input->target as decode_run does. Errors as for decode_run, and
 * ERROR_VALUE for a width or an exponent that can't be, ERROR_LIMIT for a tree of more
 * than BEAM_NODES_MAX. */
bool beam_run(Beam *beam, Arena *arena, PredictModel model, const TransformerInput *input,
              const BeamOptions *options, Error *error);

/* Whether the options are such as can be: ERROR_VALUE with what would do. */
bool beam_check(const BeamOptions *options, Error *error);

/* Fills ids [depth of the node] with the words from the beginning (without it) to a node.
 */
void beam_ids(const Beam *beam, size_t node, size_t *ids);

#endif
