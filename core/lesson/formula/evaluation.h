/* What the functions that a lesson can call are given: the statement being evaluated, and
 * how its arguments become nodes and numbers. */
#ifndef LESSON_EVALUATION_H
#define LESSON_EVALUATION_H

#include "lesson/formula/expression.h"
#include "lesson/formula/names.h"
#include "tensor/tape/tape.h"

/* One statement being evaluated. */
typedef struct Evaluation {
    Arena *arena;
    Tape *tape;
    const Names *names;
    const Statement *statement;
    size_t composites; /* made within the statement so far: their names count on */
    Error *error;
} Evaluation;

/* The node that a bare name in the tree stands for. ERROR_NAME with the nearest name;
 * false with ERROR_NONE when the name is broken. */
bool evaluate_name(Evaluation *evaluation, const Expression *name, size_t *node);

/* Appends an expression within the statement, naming its node. */
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

#endif
