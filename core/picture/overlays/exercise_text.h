/* Texts of exercises and of their answers, on the screen and on paper. */
#pragma once

#include "picture/explain/explain.h"

typedef struct Exercise Exercise;

/* Interface text of `practise.WHAT.NAME`. */
const char *exercise_text(const Canvas *canvas, const char *what, const char *name);

/* Question of an exercise about cells; an exercise without cells has its text as the
 * sentence. *brief is a short version in case that doesn't fit; NULL: none. */
CellSentence exercise_text_sentence(const Canvas *canvas, const Practise *practise,
                                    const char **brief);

/* Question about a direction: "If S[0, 2] grows by 1, what does A[0, 1] do?" */
CellSentence exercise_text_direction(const Canvas *canvas, const Practise *practise);

/* Sets the row of a product's left factor and the column of its right one as the
 * sentence's cells, with "row “am”" and "column 1 (counted from 0)" as its texts. */
void exercise_text_lines(const Canvas *canvas, const Practise *practise, FollowCell cell,
                         CellSentence *sentence);

/* Label of a column, or its number. */
const char *exercise_text_column(const Canvas *canvas, const Practise *practise,
                                 FollowCell cell);

/* Option at a position, and whether it is right. */
const char *exercise_text_option(const Canvas *canvas, const Exercise *exercise,
                                 size_t place);
bool exercise_text_is_right(const Exercise *exercise, size_t place);

/* Right answer of an exercise with options; "" of others. */
const char *exercise_text_right(const Canvas *canvas, const Exercise *exercise);
