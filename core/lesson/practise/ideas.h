/* Ideas: questions about an operation's principle.
 *
 * "One score grows by 1: what happens to the probability beside it?" One table has the
 * change and the number to observe for each operation; the answer is computed on the tape
 * (tensor/tape/what_if.h). */
#pragma once

#include "base/random.h"
#include "lesson/play/player.h"

typedef struct WhatIf WhatIf;

/* Makes a question about a step, an operation or a composite. False if there is none: it
 * has no inputs, or its numbers don't allow the question. */
bool idea_of(const Player *player, size_t step, Random *random, WhatIf *what);
