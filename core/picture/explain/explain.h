/* Explanations of one cell: which cell a page explains, its name, its sum in numbers, how
 * it differs or what influences it; and what a page in practice hides. */
#pragma once

#include "lesson/content/question.h"
#include "lesson/play/follow.h"
#include "picture/draw/canvas.h"
#include "picture/stage/page_content.h"

typedef struct Gradients Gradients;
typedef struct Practise Practise;
typedef struct StageValues StageValues;
typedef struct Tape Tape;
typedef struct TapeNode TapeNode;
typedef struct Term Term;

/* ---- which cell ---- */

/* Finds the explained cell: the page's focus if this step shows it, else the cursor's
 * cell, else the step's own (one set by hand, the one that a question asks for, the one
 * that the lesson names, the first that differs from the source, one whose token the step
 * quotes, the largest; of tables that continue each other one that they have in common).
 * Returns false if the step has no cells to explain. */
bool page_focus(const Page *page, size_t *node, size_t *row, size_t *col);

/* ---- names of cells ----
 *
 * "A[I, am]": the typeset name of the tensor, and the cell's position, by labels if there
 * are any. Alone, or within a sentence. */

typedef struct CellName {
    FollowCell cell; /* column PLAYER_NONE: unknown, "?"; row PLAYER_NONE: only the
                        tensor, without a position */
    bool numbered;   /* the row by its number even if it has a label, because an ID is a
                        number */
} CellName;

/* Sizes and ink of a name; names in formulas have their tensors' own colours. */
typedef struct CellStyle {
    FontRole font;
    Color ink;
    double size;      /* points: of the position, and of words */
    double name_size; /* points: of the tensor's name */
} CellStyle;

/* Draws a name from the left end of the baseline; returns its right end. */
double cell_name_draw(const Canvas *canvas, const Player *player, const CellName *name,
                      const CellStyle *style, Point baseline);

double cell_name_width(const Canvas *canvas, const Player *player, const CellName *name,
                       const CellStyle *style);

/* Text in which {0} and {1} are cells and {2} and {3} are texts. */
typedef struct CellSentence {
    const char *pattern;
    CellName cells[2];
    const char *texts[2];
} CellSentence;

/* Draws a sentence with its texts in bold; returns its right end. */
double cell_sentence_draw(const Canvas *canvas, const Player *player,
                          const CellSentence *sentence, const CellStyle *style,
                          Point baseline);

double cell_sentence_width(const Canvas *canvas, const Player *player,
                           const CellSentence *sentence, const CellStyle *style);

/* Reduces a style until a sentence is no wider than `width` points, or its size is
 * `least`. */
void cell_sentence_fit(const Canvas *canvas, const Player *player,
                       const CellSentence *sentence, CellStyle *style, double least,
                       double width);

/* ---- lines of numbers ---- */

enum { RUNS_MAX = 400, TERM_QUANTITIES_MAX = 6 };

/* Runs: a line of pieces of text with different colours, sizes and heights: numbers in
 * their tensors' colours, exponents, links to cells. */
typedef struct Run {
    const char *text;
    FontRole font;
    Color color;
    double raise; /* level: 0 on the line; 1 an exponent, 2 an exponent's exponent */
    Link link;
} Run;

typedef struct Runs {
    const Canvas *canvas;
    size_t count;
    bool overflowed; /* more than RUNS_MAX pieces; the others were left out */
    Run items[RUNS_MAX];
} Runs;

/* Append a piece of text: soft, in ink, bold in a colour; "" appends nothing. The text is
 * borrowed for the frame. */
void runs_add(Runs *runs, const char *text);
void runs_add_ink(Runs *runs, const char *text);
void runs_add_bold(Runs *runs, Color color, const char *text);

/* Width of the line at a font size. */
double runs_width(const Runs *runs, double size);

/* Draws the line from the left end of its baseline; returns its right end. */
double runs_draw(const Runs *runs, double size, Point baseline);

/* Term of another node's cell, in the place of that cell. */
typedef struct WrittenOut {
    const Term *term;
    size_t node;
} WrittenOut;

enum { WRITTEN_OUT_MAX = 4 };

/* Writes terms as numbers: 1 × 0 + 1 × 1, e with its exponent, √(…). */
typedef struct TermWriter {
    Runs *runs;
    const Tape *tape;
    size_t node; /* node of the explained cell; its inputs determine colours and links */
    bool soft_inputs;    /* inputs without a role's colour are soft: the picture has no
                            tables    in the colours of a sum's parts */
    size_t max_parts;    /* longer sums and lists keep their first and last parts */
    double raise;        /* level of the next run */
    bool after_operator; /* the next number follows an operator */
    bool digits; /* large numbers are written in full, because small differences matter */
    bool shortened;      /* some parts were replaced by "…" */
    const Term *growing; /* sum in progress, or NULL */
    size_t grown;        /* number of its parts computed so far */
    size_t out_count;    /* cells that are written out */
    WrittenOut out[WRITTEN_OUT_MAX];
    const Term *gap;       /* part drawn as a gap, "□", or NULL */
    size_t quantity_count; /* quantities found so far, each once */
    const Term *quantities[TERM_QUANTITIES_MAX];
} TermWriter;

/* Appends a term's numbers to the writer's runs. A quantity is written as its value and
 * collected in `quantities`, to be written out separately. */
void term_write(TermWriter *writer, const Term *term);

/* Reports whether a term is unknown because the sum that it depends on is in progress. */
bool term_is_unknown(const TermWriter *writer, const Term *term);

/* Text between a written term and its value: " = ", or " ≈ " if the written rounded
 * numbers give another last digit. For a shortened term the exact value counts. */
const char *term_equals(const TermWriter *writer, const Term *term, double value);

/* A number as written in a sum: at most three decimals, "1.0e9" for the very large,
 * unless they cancel: term_write then writes all their digits. */
const char *term_number_text(const Canvas *canvas, double value);

/* Value of a term with as many digits as its numbers. */
const char *term_value_text(const Canvas *canvas, const Term *term, double value);

/* ---- the sum of a cell ----
 *
 * Its computation as two lines: " = 1 × 0 + 1 × 1 = 1", and the quantities that it
 * depends on: "the row's total = e^… + e^… = 2.493". Everything lives for the frame. */

typedef struct CellSum {
    const PageParts *parts;
    FollowCell cell;
    const TapeNode *at;
    const Term *term; /* NULL: only the value */
    bool open;        /* its value is not shown yet */
    Runs *value, *quantities;
    TermWriter writer; /* of both lines; its gap may be set before they are written */
} CellSum;

/* Returns the sum of a cell, with empty lines. */
CellSum cell_sum_of(const PageParts *parts, FollowCell cell);

/* Writes out what a page of several operations has no table of: a copied cell as what it
 * was copied from, a product before its bias as its own sum. On pages of one operation
 * nothing changes. */
void cell_sum_write_out(CellSum *sum);

/* Begins the first line again; of sums in it at most `max_parts` parts are written. */
void cell_sum_begin(CellSum *sum, size_t max_parts);

/* Writes the first line with `write` so that it fits `width` points, at `units` or less,
 * leaving out the middle of long sums; returns the size at which it is to be drawn. */
typedef void CellSumWrite(CellSum *sum, const void *context);
double cell_sum_fit(CellSum *sum, CellSumWrite *write, const void *context, double units,
                    double width);

/* Fits the sum of the cell into the first line. */
double cell_sum_fit_value(CellSum *sum, double units, double width);

/* Fits the second line in the same way, after the first; it stays empty if that depends
 * on no quantities. */
double cell_sum_fit_quantities(CellSum *sum, double units, double width);

/* ---- the inspector ---- */

/* Draws the focused cell's computation with its numbers below the picture. */
void inspector_draw(const PageParts *parts, Box area);

/* Reports whether the inspector has more than the names and numbers of a page's cells: a
 * computation, a change, a problem, a comparison. */
bool inspector_has_more(const PageParts *parts);

/* Draws the cell's name and its sum in one line. */
void inspector_draw_sum(const PageParts *parts, Box area);

/* ---- differences and influence ---- */

/* Sets *value to a cell's original, or its value on the tape `base`, unless that is NULL.
 * Returns false if that has no tensor of the node's name and shape. */
bool difference_base(const Tape *tape, const Tape *base, FollowCell cell, double *value);

/* present − base; 0 if both are equal, infinite or NaN. */
double difference_of(double present, double base);

/* Influence: how much one cell, the root, changes with each of the numbers before it.
 *
 * While a page has an influence, the stage and the map show the root's gradient by each
 * tensor in place of its values; it is 0 for tensors that the root doesn't depend on.
 * Only the drawing changes: gradients are computed beforehand (tensor/tape/gradient.h)
 * and borrowed. */
struct Influence {
    const Tape *tape;
    const Gradients *gradients;
    FollowCell root;
};

/* Returns the gradients with respect to a node, with its labels; zeros if it has none. */
const Tensor *influence_tensor(const Influence *influence, Arena *arena, size_t node);

/* Returns what is shown in place of a page's values, made in the frame's arena: the
 * influence, else differences if the page compares and its step has a counterpart; else
 * NULL. *legend is the key of its name. */
const StageValues *values_in_place(const PageParts *parts, const char **legend);

/* Height of the line that influence_title draws. */
#define INFLUENCE_HEIGHT 34.0

/* Draws what is shown: "Influence on P[2, 5]: how much it moves for 1 more in a cell",
 * and the tensors with influence. */
void influence_title(const PageParts *parts, Box line);

/* Draws the inspector's line about a cell, as large as fits: "moving X[1, 0] by 0.01
 * moves P[2, 5] by about 0.002". */
void influence_describe(const PageParts *parts, FollowCell cell, Box line);

/* ---- practice ---- */

/* A page in practice: the exercise, and what the page must therefore hide. In the
 * functions `panel` may be NULL. */
struct PractisePanel {
    const Practise *practise;
    const char *answer; /* text of the answer so far */
    size_t caret;       /* position of the caret in bytes */
    bool selected;      /* all of the text is selected */
    size_t chosen;      /* chosen option, or exercise in the score, or PLAYER_NONE */
    Link look;          /* to an exercise of the score, whose number is set as row */
    Link check, go_on, skip, stop, again, paste; /* links of the buttons; number keys are
                                                    linked to `check`, with 1 as row */
    Link save;         /* saves the score's picture; LINK_NONE: no such button */
    size_t number, of; /* number of the exercise, from 1, in a round or a quiz */
    bool whole;        /* a round, which also replaces inspector and timeline */
    Link options[QUESTION_OPTIONS_MAX]; /* links of the options */
    Link see, take_back; /* show the answer; take back the last one of an order */
};

/* Reports whether the question is open, so that sentences are hidden. */
bool practise_panel_waits(const PractisePanel *panel);

/* Reports whether the question replaces the words, with its options below it. */
bool practise_panel_above(const PractisePanel *panel);

/* Reports whether the exercise replaces inspector and timeline. */
bool practise_panel_below(const PractisePanel *panel);

/* Reports whether the question had options, or asked for a step's number, and is
 * answered. */
bool practise_panel_answered(const PractisePanel *panel);

/* Reports whether a choice is open, whose answer the present and later steps would
 * reveal. */
bool practise_panel_is_choice(const PractisePanel *panel);

/* Reports whether a node's numbers are hidden: those of the result that is asked for and
 * of later ones. */
bool practise_panel_hides(const PractisePanel *panel, size_t node);

/* Reports whether the question is which cell it is, so that nothing may point at it. */
bool practise_panel_hides_cell(const PractisePanel *panel);

/* Finds the cell whose number is asked for or watched; returns false if there is none.
 * There must be a panel. */
bool practise_panel_focus(const PractisePanel *panel, Link *focus);
