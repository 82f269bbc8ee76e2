/* Check that every operation's row in core/tensor/operations/operations_*.c is complete.
 * Tests check a function before they call it, so that a missing one is reported by
 * name. */
#pragma once

#include "tensor/operations/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define demand(operation, part, value)                                                   \
    do {                                                                                 \
        if (!(value))                                                                    \
            fail_msg("%s's row in core/tensor/operations/operations_*.c has no %s",      \
                     (operation)->name, part);                                           \
    } while (0)

static inline void assert_full_row(OperationKind kind) {
    if (!operation_has_row(kind))
        fail_msg("operation %d of core/tensor/operations/operation.h has no row in the "
                 "table of "
                 "core/tensor/operations/operations.c",
                 (int)kind);
    const Operation *operation = operation_of(kind);
    if (!operation->name)
        fail_msg(
            "the row of operation %d of core/tensor/operations/operation.h has no name",
            (int)kind);
    demand(operation, "formula", operation->formula);
    demand(operation, "work", operation->work);
    demand(operation, "shape, as it has no inputs",
           operation->shape || operation->inputs.least);
    demand(operation, "forward", operation->forward);
    demand(operation, "explain", operation->explain);
    demand(operation, "reach, as it has a backward",
           operation->reach || !operation->backward);
    demand(operation, "symbol, as it has arguments",
           operation->symbol || !operation->arguments);
    assert_true(operation->inputs.least <= operation->inputs.most);
}

static inline void assert_full_rows(void) {
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        assert_full_row((OperationKind)i);
}
