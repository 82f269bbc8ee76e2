/* Functions of generate.c's files: a decoding step's nodes and its cost. Only these and
 * the test of costs include this. */
#pragma once

#include "model/generate/generate.h"

/* Appends step `number` and fills step->ids, all its nodes and its multiplications.
 * step->from are texts made by the steps before. Under the arena's guard; other errors
 * are those of transformer_append_input. */
bool decoding_step_append(const GenerateRequest *request, const Generated *earlier,
                          size_t number, DecodingStep *step, Error *error);

/* The cost of running a model: the multiplications of its matrix products, n·k·m for
 * [n,k] @ [k,m], read from the shapes on the tape. Masked scores are computed and count.
 *
 * With a key–value cache a decoding step computes new rows only. The causal mask keeps
 * earlier tokens from seeing later ones, so the rows of a token that an earlier step has
 * read don't change in any layer, and their keys and values are cached. A row is new if
 * it is made from the ID of a new token; the encoder's rows, and the keys and values that
 * cross-attention computes from them, are new in the first step only. Without the causal
 * mask, which can be switched off, all of the decoder's rows are new. Only one row of
 * logits is needed per step. The first step reads all its tokens at once, including the
 * scores that the mask hides. */
/* Returns the multiplications of all products of nodes [first, end). */
size_t cost_whole(const Tape *tape, size_t first, size_t end);

/* Returns the multiplications for the new rows of a run. `run` is the model with the
 * parts that transformer_append_input appended; `known` is the number of target tokens
 * that earlier steps have read, 0 for the first step. Under the arena's guard. */
size_t cost_cached(const Tape *tape, const Transformer *run, size_t known, Arena *arena);
