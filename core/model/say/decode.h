/* Saying words: the loop that puts each word said behind what was read.
 *
 * A turn reads the text so far, gets one row of logits, and chooses a word by the rules
 * of model/say/choose.h; the text grows by it, until the word that ends texts is said or
 * there are as many as asked for. Every turn is kept whole, to be shown. Without a cache
 * each turn runs the whole model again (model/say/predict.h), with one it computes the
 * rows of new words only (model/say/kv_cache.h); the words and all numbers are the same.
 * One seed gives the same words wherever it runs. Results live in the arena given. */
#ifndef MODEL_DECODE_H
#define MODEL_DECODE_H

#include "model/say/choose.h"
#include "model/say/predict.h"

enum { DECODE_LENGTH_MAX = 1000 };

#define DECODE_NO_END ((size_t)-1)

typedef struct DecodeOptions {
    ChooseOptions choose;
    size_t length; /* at most so many words are said: from 1 to DECODE_LENGTH_MAX */
    size_t end;    /* the ID that ends a text, or DECODE_NO_END */
    uint64_t seed; /* of what CHOOSE_SAMPLE draws */
    bool cache;
} DecodeOptions;

typedef struct DecodeTurn {
    size_t read;             /* it read the first so many of the IDs */
    size_t rows;             /* how many of them the decoder computed in this turn */
    size_t multiplications;  /* of all matrix products, the encoder's too */
    const ChooseWord *words; /* [word_count]: word i is the ID first_output + i */
    const size_t *order;     /* [word_count] words, the largest logit's first */
    size_t chosen;           /* an ID */
} DecodeTurn;

typedef struct Decode {
    size_t begin; /* IDs that the text began with */
    size_t count; /* of all IDs: one more a turn */
    const size_t *ids;
    size_t word_count, first_output;
    size_t turn_count;
    const DecodeTurn *turns;
    bool ended; /* by options.end rather than by the length */
    size_t multiplications;
} Decode;

/* Says words behind input->target, a row [1,n] of IDs: <sos>, or the beginning of a text.
 * An encoder–decoder translates input->source. What predict_check and choose_check say,
 * ERROR_VALUE for a length that can't be or when a row leaves nothing to choose,
 * ERROR_LIMIT, ERROR_MEMORY. */
bool decode_run(Decode *decode, Arena *arena, PredictModel model,
                const TransformerInput *input, const DecodeOptions *options,
                Error *error);

/* Whether so many words can be asked for: ERROR_VALUE where not. */
bool decode_check_length(size_t length, Error *error);

#endif
