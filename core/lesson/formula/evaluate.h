/* Evaluating: a statement's tree appended to the tape, operation by operation.
 *
 * Every operation of the tree becomes a node, in the order one would compute by hand. The
 * statement's own is named, those within are not. Numbers, and arithmetic of numbers
 * only, become one constant without a step; so does not the transpose in Q @ K.T, but it
 * has no step either and is named "K.T". On failure the tape may have some of the nodes.
 */
#ifndef LESSON_EVALUATE_H
#define LESSON_EVALUATE_H

#include "lesson/formula/evaluation.h"

/* Appends the statement and gives its result's node. Errors are at line 1 of the
 * statement's text: ERROR_NAME, ERROR_SHAPE, ERROR_VALUE, ERROR_LIMIT. Under the
 * arena's guard. False with ERROR_NONE when it uses a broken name. */
bool evaluate_statement(Evaluation *evaluation, size_t *node);

/* The cell that the statement names, A[am, I]; appends nothing. ERROR_VALUE where it
 * names none, and the errors of names and slices. */
bool evaluate_cell(Evaluation *evaluation, size_t *node, size_t *row, size_t *col);

#endif
