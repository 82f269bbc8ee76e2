/* The interface for functions that a lesson can call: the statement being evaluated, and
 * conversion of its arguments to nodes and numbers. */
#pragma once

#include "lesson/formula/expression.h"
#include "lesson/formula/names.h"
#include "tensor/tape/tape.h"

/* The statement being evaluated. */
typedef struct Evaluation {
    Arena *arena;
    Tape *tape;
    const Names *names;
    const Statement *statement;
    size_t composites; /* number of composites made so far, to number their names */
    Error *error;
} Evaluation;

/* Finds the node of a name in the tree. ERROR_NAME with the nearest name; false with
 * ERROR_NONE if the name is broken. */
bool evaluate_name(Evaluation *evaluation, const Expression *name, size_t *node);

/* Appends an expression within the statement, naming its node. */
bool evaluate(Evaluation *evaluation, const Expression *expression, const char *name,
              size_t *node);

/* Evaluates a number that must be known while the tape is built: a constant, or a given
 * [1,1]. ERROR_VALUE unless it is whole and from `least` to `most`; `what` names the
 * argument. */
bool evaluate_whole(Evaluation *evaluation, const Expression *expression,
                    const char *what, double least, double most, double *value);

/* The same for any number. */
bool evaluate_number(Evaluation *evaluation, const Expression *expression,
                     const char *what, double *value);

/* Fills the error at the position of an expression and returns false. */
bool evaluate_fail(Evaluation *evaluation, const Expression *place, ErrorCode code,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
