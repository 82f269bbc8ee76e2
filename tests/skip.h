/* Skipping a test with the reason, which tests/tally.py reads from the line before. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Ends the test as skipped. `reason` is a phrase without a full stop. */
#define skip_because(reason)                                                             \
    do {                                                                                 \
        print_message("# %s\n", reason);                                                 \
        skip();                                                                          \
    } while (0)
