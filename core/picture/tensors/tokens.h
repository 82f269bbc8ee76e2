/* Tokens in a line: a tensor's rows, or a sentence and the word that is said behind it.
 */
#ifndef PICTURE_TOKENS_H
#define PICTURE_TOKENS_H

#include "picture/draw/token.h"
#include "picture/stage/stage.h"

/* The height of a row of chips. */
double token_row_height(const Canvas *canvas);

/* The rows of the stage's tensor as chips in one line, `row` marked, with as many around
 * it as fit and "…" where there are more. Each is linked to its row's cell in column
 * `col`. */
void token_row_draw(const Stage *stage, Box strip, size_t row, size_t col);

/* ---- a sentence: the words of a row or a column of IDs as chips on a line, and the word
 * that is said behind them ---- */

/* The words of IDs, and the cell of one of them. */
const char *const *sentence_words(const Tensor *ids);
Link sentence_link(size_t node, const Tensor *ids, size_t word);

/* How wide the chips of the words from `first` on are, in letters of `size` points. */
double sentence_width(const Canvas *canvas, const Tensor *ids, size_t first, double size);

/* Draws the words of a node of IDs from the left end of a strip, each linked to its cell,
 * the last one marked where `marks` says so, in letters of at most `size` points; the
 * first ones give way to "…" where there are too many. Gives back how much width it took.
 */
double sentence_draw(const Stage *stage, size_t ids, Box strip, double size, bool marks);

/* Draws an arrow of about 26 units from the left end of a strip, then a word as a chip,
 * marked or not, linked as said. Where numbers were changed so that another would be said
 * `now`, not NULL, the word is struck out and that one told beside or below it. */
void sentence_draw_next(const Stage *stage, Box strip, double size, const char *word,
                        const char *now, Link link, bool marks);

/* How wide a strip must be for its arrow and the whole word. */
double sentence_next_width(const Canvas *canvas, double size, const char *word);

/* "now: when", or "" where nothing is. */
const char *sentence_now(const Canvas *canvas, const char *now);

#endif
