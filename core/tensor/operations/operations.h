/* The rows of the operations' table, by file, and helpers that the files share. Only the
 * files that define rows include this. */
#pragma once

#include "tensor/operations/operation.h"
#include "tensor/terms/term.h"

/* operations_given.c: tensors without inputs */
extern const Operation operation_given, operation_positional_encoding,
    operation_causal_mask;

/* operations_elementwise.c: each output cell from two cells at the same position */
extern const Operation operation_add, operation_subtract, operation_multiply,
    operation_divide;

/* operations_unary.c: each output cell from one at the same position */
extern const Operation operation_negate, operation_relu, operation_gelu,
    operation_gelu_tanh, operation_silu, operation_exp, operation_sqrt, operation_log;

/* operations_rows.c: each output cell from rows of the input */
extern const Operation operation_matmul, operation_softmax, operation_sum, operation_mean,
    operation_max, operation_argmax;

/* operations_norms.c: normalized rows */
extern const Operation operation_layer_norm, operation_rms_norm;

/* operations_dropout.c: cells randomly set to 0, as in training */
extern const Operation operation_dropout;

/* operations_rotary.c: pairs of columns rotated by their row's position */
extern const Operation operation_rotary;

/* operations_positions.c: cells moved or selected */
extern const Operation operation_stack, operation_transpose, operation_slice,
    operation_concat;

/* operations_ids.c: lookups and marks by a list of IDs */
extern const Operation operation_embed, operation_one_hot, operation_padding_mask;

/* operations_choice.c: the loss, and the candidates to choose from */
extern const Operation operation_cross_entropy, operation_top_k, operation_top_p;

/* operation_backward.c: gradients of the others */
extern const Operation operation_backward;

/* Reaches: a row's cells influence their own row; or each cell of an input influences the
 * cell at its position, repeated where the input is broadcast. */
OperationReach reach_row(const OperationCall *call, const Tensor *out, size_t input,
                         size_t row, size_t col);
OperationReach reach_place(const OperationCall *call, const Tensor *out, size_t input,
                           size_t row, size_t col);

/* A row of input 0, and whether `is` holds for any of its numbers. */
const double *row_of(const OperationCall *call, size_t row);
bool row_has(const OperationCall *call, size_t row, bool (*is)(double));
bool is_none(double value); /* NaN */

/* Functions of operations whose output's cells are copies of input cells, by their row's
 * `origin`. A cell without one is NaN. */
void move_forward(const OperationCall *call, Tensor *out);
void move_backward(const OperationCall *call, const Tensor *out, const double *gradient,
                   double *const *gradients);
const Term *move_explain(const OperationCall *call, const Tensor *out, size_t row,
                         size_t col, Arena *arena);

/* Returns the cells of one row of input 0, or a term of that kind over them; NULL when
 * the arena is exhausted. */
const Term **row_terms(const OperationCall *call, size_t row, Arena *arena);
const Term *combine_row(const OperationCall *call, size_t row, TermKind kind,
                        Arena *arena);

/* Returns e^(x − largest) of each cell of one row of input 0, and their total; `largest`
 * is a term over the row. NULL when the arena is exhausted. */
const Term **row_exponentials(const OperationCall *call, size_t row, const Term **largest,
                              const Term **total, Arena *arena);

/* Labels out, one column, with the row labels of input 0. */
void reduction_label(const OperationCall *call, Tensor *out, Arena *arena);

/* Returns the problem of a product: 0 × ∞ is NaN though no input is. */
const char *product_problem(const OperationCall *call, const Tensor *out, size_t row,
                            size_t col);

/* A list of IDs is one row or one column: its length, its i-th cell, its labels. */
size_t ids_count(const Tensor *ids);
size_t ids_row(const Tensor *ids, size_t i);
size_t ids_col(const Tensor *ids, size_t i);
const char *const *ids_labels(const Tensor *ids);
bool ids_check_shape(const Tensor *ids, Error *error);

/* Columns that top_k and top_p find in one pass over a row. */
enum { OPERATION_FOUND_AT_ONCE = 512 };
