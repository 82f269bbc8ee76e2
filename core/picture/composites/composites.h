/* Pictures of several operations, and of any step: step_picture.c has the table of all
 * pictures and the steps they are for; the others are in the files of their names. Each
 * draws into stage->area, and links what it draws of a cell to the cell. Those that
 * return a bool draw nothing and return false for other steps and if there is no room. */
#pragma once

#include "picture/stage/stage.h"

typedef struct LessonGenerate LessonGenerate; /* lesson/model/generate_step.h */
typedef struct PageParts PageParts;           /* picture/stage/page_content.h */

/* ---- of any step ---- */

/* Draws the player's step: a training run so far, a generation or one of its steps, shown
 * tensors side by side, a chain of intermediate results, or a single operation; for the
 * step that closes a lesson, the picture of the lesson's cover. Sets `node` itself. */
void step_picture(const Stage *stage);

/* Step whose picture represents a lesson: the one marked as cover, else the last that
 * computes probabilities, else the last. */
size_t step_picture_cover(const Player *player);

/* ---- of tables that a step shows side by side ---- */

/* Two tables of attention weights of one shape: each row as two bars of length 1, one
 * above the other, with a ribbon for each weight between them. */
bool compared_weights_picture(const Stage *stage);

/* If stage->view requires it, a row of attention weights before and after numbers of the
 * lesson were changed, with the tokens that the model then predicts; beside it the scores
 * that the weights are computed from. Without changes there is one row, and a sentence
 * that invites to change a number. */
bool changed_row_picture(const Stage *stage);

/* If stage->view requires it, one token in the lesson's own text and in the model's other
 * texts: its embedding, and below it, for each text, the token's vector and the token
 * that the model predicts. False if that has no room. */
bool contexts_picture(const Stage *stage);

/* Tables of one shape, one of them computed by a norm: each row as dots on a number line,
 * all lines of one scale, with a mark at the mean. */
bool row_spread_picture(const Stage *stage);

/* Two given tables that have only their number of columns in common, which is drawn above
 * both with "=" between. */
bool shared_dimension_picture(const Stage *stage);

/* Given tables of one row with the sizes of the same things, all above 0: beside each
 * table's name a bar for each thing, with the longest bars of all tables equally long. */
bool parameter_sizes_picture(const Stage *stage);

/* ---- of operations with sub-steps, or single ones ---- */

/* Two tables that are equal or almost equal, possibly rows or columns picked in the same
 * step, and their difference: a dot for each pair of numbers, one number along each axis,
 * all on the line of equality; and how many pairs differ (none), or the largest
 * difference, which colours would exaggerate. False if any pair differs by a thousandth
 * of the largest number. */
bool equal_tables_picture(const Stage *stage);

/* A count that is a sum of products of given sizes, possibly through intermediate counts,
 * as areas: the factors of a product are the sides of a rectangle, its coefficient is the
 * number of rectangles. Each column of a table of one row is a figure, all of one scale,
 * so that magnitudes can be compared. */
bool areas_picture(const Stage *stage);

/* A recurrent network: two or more hidden states, each computed from a row of a table and
 * the state before it with the same two weights. Ribbons run from state to state, one for
 * each row read so far, as thick as the row's remaining influence. */
bool recurrence_picture(const Stage *stage);

/* Slope of softmax, A ⊙ (1 − A): how much each probability can still change. A curve over
 * probabilities from 0 to 1, every probability a dot on it, and both tables beside it. */
bool softmax_slope_picture(const Stage *stage);

/* Scores with one or several masks, which are hatched over them, and the softmax of what
 * remains, each row's attention weights as one bar of length 1; for the sum of scores and
 * a mask alone, the remaining scores. */
bool mask_picture(const Stage *stage);

/* The results of a step's sub-steps, in order; fits any step with sub-steps. */
bool chain_of_tables(const Stage *stage);

/* ---- of generated text ---- */

/* The loop of autoregressive generation: a line for each step, with the text that it
 * reads as chips, the token of the last step marked, and the token that it generates,
 * which the next step reads.
 *
 * If the costs of steps matter, they stand between them: a square for each row that is
 * computed, pale if it is recomputed, hollow if it is cached, and the multiplications as
 * bars. Otherwise each token has its probability, and the encoder's text lies above the
 * steps, with a line to each of them. */
void generation_picture(const Stage *stage, const LessonGenerate *generate);

/* A long generated text as a row of choices: for each token its probability and those of
 * the alternatives, which shows where the model was certain and where it might have
 * continued differently. False if the steps are few, so that each has room for the text
 * it reads. */
bool generated_text_picture(const Stage *stage, const LessonGenerate *generate);

/* Choice of a token in step `turn` of a generation: tokens by descending probability.
 *
 * Above stands the text that the step reads and the generated token; below, for each
 * token, its probability as a bar, the rule that excludes it (hatched, the token struck
 * out), the renormalized probability of the others, and how often each was drawn. Numbers
 * are the tape's present ones; the generated token is the one chosen when the lesson was
 * loaded, struck out if the present numbers choose another. */
void choice_view(const Stage *stage, const LessonGenerate *generate, size_t turn);

/* The tree of a beam search, whole, or up to step `turn` (PLAYER_NONE: whole), which then
 * shows more of its pruned hypotheses: a column for each step, a chip for each token
 * appended to a hypothesis, with the sum of its log probabilities.
 *
 * Kept hypotheses lead on, pruned ones (the best few of each step) are struck out,
 * finished ones are framed; the path to the best is strong. Sums are the tape's present
 * numbers; what was kept was decided when the lesson was loaded. */
void tree_view(const Stage *stage, const LessonGenerate *generate, size_t turn);

/* ---- of training ---- */

/* The training run recorded for the player's step up to the present update, which is the
 * step's frame: loss and accuracy, and beside their curves the watched tensors. The
 * curves are linked to the epochs' steps, so that a click or a drag along them moves
 * through the training. */
void training_view(const Stage *stage);

/* Draws the step in the inspector's place: the loss, its terms, and the next update;
 * returns false and draws nothing if the step has no recorded training run. */
bool training_inspect(const PageParts *parts, Box area);
