/* Evaluating: a statement's tree appended to the tape, operation by operation.
 *
 * Every operation of the tree becomes a node, in the order one would compute by hand. The
 * statement's own is named, those within are not. Numbers, and arithmetic of numbers
 * only, become one constant without a step; so does not the transpose in Q @ K.T, but it
 * has no step either and is named "K.T". On failure the tape may have some of the nodes.
 */
#ifndef LESSON_EVALUATE_H
#define LESSON_EVALUATE_H

#include "lesson/formula/expression.h"
#include "lesson/read/names.h"
#include "tensor/tape.h"

/* One statement being evaluated. */
typedef struct Evaluation {
    Arena *arena;
    Tape *tape;
    const Names *names;
    const Statement *statement;
    size_t composites; /* made within the statement so far: their names count on */
    Error *error;
} Evaluation;

/* Appends the statement and gives its result's node. Errors are at line 1 of the
 * statement's text: ERROR_NAME, ERROR_SHAPE, ERROR_VALUE, ERROR_LIMIT, ERROR_MEMORY.
 * False with ERROR_NONE when it uses a broken name. */
bool evaluate_statement(Evaluation *evaluation, size_t *node);

/* The node that a bare name in the tree stands for. ERROR_NAME with the nearest name;
 * false with ERROR_NONE when the name is broken. */
bool evaluate_name(Evaluation *evaluation, const Expression *name, size_t *node);

/* For the table of calls: appends an expression within the statement, naming its node. */
bool evaluate(Evaluation *evaluation, const Expression *expression, const char *name,
              size_t *node);

/* A number that must be known while the tape is built: a constant, or a given [1,1].
 * ERROR_VALUE unless it is whole and from `least` to `most`; `what` names the argument.
 */
bool evaluate_whole(Evaluation *evaluation, const Expression *expression,
                    const char *what, double least, double most, double *value);

/* The same for any number. */
bool evaluate_number(Evaluation *evaluation, const Expression *expression,
                     const char *what, double *value);

/* Fills the error at the place of an expression and returns false. */
bool evaluate_fail(Evaluation *evaluation, const Expression *place, ErrorCode code,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Gives an error of the tape's the place of an expression, and returns false; a shape or
 * value that is wrong is said to be so in `where`. */
bool evaluate_place(Evaluation *evaluation, const Expression *place, const char *where);

#endif
