/* Evaluation: appends a statement's tree to the tape, operation by operation.
 *
 * Every operation of the tree becomes a node, in evaluation order. The statement's own
 * has its name, inner ones have none. Numbers, and arithmetic of numbers only, become one
 * constant without a step; the transpose in Q @ K.T has no step either and is named
 * "K.T". On failure the tape may have some of the nodes. */
#pragma once

#include "lesson/formula/evaluation.h"

/* Appends the statement and stores its result's node. Errors are at line 1 of the
 * statement's text: ERROR_NAME, ERROR_SHAPE, ERROR_VALUE, ERROR_LIMIT. Under the arena's
 * guard. False with ERROR_NONE if it uses a broken name. */
bool evaluate_statement(Evaluation *evaluation, size_t *node);

/* Finds the cell of the statement, A[am, I], and appends nothing. ERROR_VALUE if it is no
 * cell, and the errors of names and slices. */
bool evaluate_cell(Evaluation *evaluation, size_t *node, size_t *row, size_t *col);
