/* The whole transformer on a tape: an encoder, a decoder, or both.
 *
 * A shape has a model's sizes and structure; weights are the source of its numbers; the
 * result is a list of parts, in the order of computation, each with its path
 * ("encoder.0.self_attention"), PyTorch's name and its nodes. One table
 * (transformer_tower) has the sublayers of a layer: parts, parameters and PyTorch's names
 * all come from it, as do the step tree and the map. Parts and names live in the arena
 * given.
 *
 * Layers, and heads within an attention, are counted from 0 as in PyTorch's names; sums,
 * norms and linear maps within a layer from 1. A layer's nodes are
 *   PATH.self_attention.query_product query key_product key value_product value
 *     .head.H.query key value scores scaled masked weights output   .concat
 *     .projected_product projected
 *   PATH.residual_1 norm_1, the same for cross_attention, then
 *   PATH.feed_forward.linear_1_product linear_1 relu linear_2_product linear_2
 * (without biases there are no …_product; with one head it takes all columns and there is
 * no slice and no concat; unmasked, there is no `masked`). The encoder's last node is
 * named "memory" where a decoder reads it. Source: Vaswani et al. 2017;
 * torch.nn.Transformer for names and order. */
#pragma once

#include "model/build/model.h"

/* Appends a model that reads `input`: parameters and IDs as given tensors, then all
 * computations. A tower whose IDs contain 0 gets a padding mask. If the input has
 * targets, the loss follows. IDs' values and labels are borrowed. On failure the tape may
 * have some of the nodes. Under the arena's guard. ERROR_VALUE, ERROR_SHAPE, ERROR_LIMIT,
 * and the errors of `weights`. */
bool transformer_append(Tape *tape, Arena *arena, const TransformerShape *shape,
                        const TransformerInput *input, TransformerWeights weights,
                        Transformer *model, Error *error);

/* The same in two parts, so that several inputs can be read with the same parameters: the
 * first appends the parameters alone to *model; the second appends the computation of one
 * input to a copy of that. The nodes of all inputs have the same names. */
bool transformer_append_parameters(Tape *tape, Arena *arena,
                                   const TransformerShape *shape,
                                   TransformerWeights weights, Transformer *model,
                                   Error *error);
bool transformer_append_input(Tape *tape, Arena *arena, const TransformerInput *input,
                              Transformer *model, Error *error);

/* Appends the parameters of *model, which are on the tape `from`, to another one, and
 * makes *model that of the other; their values are shared. ERROR_LIMIT. */
bool transformer_share_parameters(const Tape *from, Tape *to, Arena *arena,
                                  Transformer *model, Error *error);
