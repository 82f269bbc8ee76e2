/* What an exercise asks, and what is right, in words: on the screen and on paper. */
#ifndef PICTURE_EXERCISE_TEXT_H
#define PICTURE_EXERCISE_TEXT_H

#include "picture/explain/cell_name.h"
#include "picture/explain/practising.h"

/* The words of `practise.WHAT.NAME`. */
const char *exercise_text(const Canvas *canvas, const char *what, const char *name);

/* What is asked of cells; what has words of its own alone has them in the question's
 * text. *brief is what is said for short where that has no room; NULL: nothing. */
CellSentence exercise_text_sentence(const Canvas *canvas, const Practise *practise,
                                    const char **brief);

/* "If S[0, 2] grows by 1, what does A[0, 1] do?" */
CellSentence exercise_text_direction(const Canvas *canvas, const Exercise *exercise);

/* Which row of a product's left factor meets which column of its right one: those as the
 * sentence's cells, "row “am”" and "column 1 (counted from 0)" as its texts. */
void exercise_text_lines(const Canvas *canvas, const Practise *practise, FollowCell cell,
                         CellSentence *sentence);

/* The label of a column, or its number. */
const char *exercise_text_column(const Canvas *canvas, const Practise *practise,
                                 FollowCell cell);

/* The option that stands at a place, and whether it is right. */
const char *exercise_text_option(const Canvas *canvas, const Exercise *exercise,
                                 size_t place);
bool exercise_text_is_right(const Exercise *exercise, size_t place);

/* What is right of an exercise with options; "" of others. */
const char *exercise_text_right(const Canvas *canvas, const Exercise *exercise);

#endif
