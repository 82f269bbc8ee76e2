/* Tokens in a line: a tensor's rows, or a sentence and its next token. */
#pragma once

#include "picture/draw/token.h"
#include "picture/stage/stage.h"

/* Draws a token that stands by itself as a chip with a link; a subword, too, has both
 * ends. */
void chip_draw(const Canvas *canvas, const char *label, bool present, double size,
               Link link, Box box);

/* Height of a row of chips. */
double token_row_height(const Canvas *canvas);

/* Draws the rows of the stage's tensor as chips in one line, `row` marked, with as
 * many around it as fit and "…" for others. Each is linked to its row's cell in column
 * `col`. */
void token_row_draw(const Stage *stage, Box strip, size_t row, size_t col);

/* ---- a sentence: the tokens of a row or a column of IDs as chips, and the next token
 * ---- */

/* Tokens of IDs. */
const char *const *sentence_words(const Tensor *ids);

/* Width of the chips of the tokens from `first` on, in letters of `size` points. */
double sentence_width(const Canvas *canvas, const Tensor *ids, size_t first, double size);

/* Draws the tokens of a node of IDs from the left end of a strip, each linked to its
 * cell, the last one marked if `marks`, in letters of at most `size` points; the first
 * ones are replaced by "…" if there are too many. Returns the width used. */
double sentence_draw(const Stage *stage, size_t ids, Box strip, double size, bool marks);

/* Draws an arrow of about 26 units from the left end of a strip, then a token as a chip,
 * marked if `marks`, with the given link. If edited numbers would predict another token,
 * `now` (else NULL), the token is struck out and `now` is written beside or below it. */
void sentence_draw_next(const Stage *stage, Box strip, double size, const char *word,
                        const char *now, Link link, bool marks);

/* Width of a strip for the arrow and the whole token. */
double sentence_next_width(const Canvas *canvas, double size, const char *word);

/* "now: when"; "" if `now` is NULL. */
const char *sentence_now(const Canvas *canvas, const char *now);
