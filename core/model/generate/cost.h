/* What a model's run costs: the multiplications of its matrix products, n·k·m for
 * [n,k] @ [k,m], read from the shapes on the tape. Masked scores are computed and count.
 *
 * With a key–value cache a turn computes new rows only. The causal mask keeps old words
 * from seeing new ones, so the rows of a word that was read in an earlier turn, in any
 * layer, are what they were: their keys and values are kept. New is a row made from the
 * ID of a new word; the encoder's rows, and the keys and values that cross-attention
 * makes of them, are new in the first turn alone. Without that mask, as it can be
 * switched off, all of the decoder's rows are new. Of the logits a turn asks for one row.
 * The first turn reads all its words at once, with the scores that the mask hides.
 */
#ifndef MODEL_COST_H
#define MODEL_COST_H

#include "model/build/transformer.h"

/* Of all products of nodes [first, end). */
size_t cost_whole(const Tape *tape, size_t first, size_t end);

/* Of the new rows of a run: `run` is the model with what transformer_append_input made of
 * it, `known` how many of the target's words earlier turns have read; 0: this is the
 * first. The arena has a guard. */
size_t cost_cached(const Tape *tape, const Transformer *run, size_t known, Arena *arena);

#endif
