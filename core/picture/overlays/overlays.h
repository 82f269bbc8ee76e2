/* Overlays: panels over a finished page, in the canvas's language, and the questions and
 * exercises that replace parts of it. Texts given are in the page's language unless they
 * are called keys of the interface strings. Lengths are points. */
#pragma once

#include "base/strings/glossary.h"
#include "lesson/practise/practise.h"
#include "picture/explain/explain.h"

/* ---- text fields: field.c ---- */

/* Parts below a field for use without a keyboard: words to choose from, linked to
 * `chip` with their number in `col`, followed by chips that delete the last word, accept
 * the text, paste, and leave the field. {0}: none of them. */
typedef struct FieldChips {
    size_t count;
    const char *const *words;
    Link chip, use, paste, leave;
    Link elsewhere; /* accepts the text in another place; LINK_NONE: none */
} FieldChips;

typedef struct HelpField {
    const char *title, *keys; /* keys of the interface strings */
    const char *text;
    size_t caret;        /* in bytes */
    bool selected;       /* all of the text is selected */
    const char *problem; /* problem of the text; "": none */
    FieldChips chips;
} HelpField;

/* Draws a text field with its instructions, and as many words to choose from as have
 * room. Of a text too long for the field the part around the caret is visible. */
void help_draw_field(const Canvas *canvas, const HelpField *field);

/* Draws a small text field beside a cell; the title is the cell's name verbatim. A
 * number's keys are linked to chips.use, with 1 as row. */
void help_draw_cell_field(const Canvas *canvas, const HelpField *field, Box cell);

/* Text that a number key types; NULL for the backspace key, and if there is no such
 * key. */
const char *number_key_text(size_t key);

/* ---- lists: menu.c, finder.c, glossary_panel.c, choices.c ---- */

typedef struct MenuRow {
    const char *words, *key; /* key: "" for none */
    const char *why;         /* NULL: enabled */
} MenuRow;

/* A menu beside the item under the pointer, with its commands. */
typedef struct Menu {
    const char *title;    /* title, or NULL: the cell's name */
    CellName cell;        /* cell that the menu is about */
    const Player *player; /* lesson of the cell */
    size_t count;
    const MenuRow *rows;
    size_t chosen; /* among the rows; `count`: none */
    Link link;     /* link of a row, with its number, from 1, as row */
    Point at;      /* its corner, if there is room */
} Menu;

/* Draws the menu within the page; if the chosen row is disabled, with the reason below
 * it. */
void menu_draw(const Canvas *canvas, const Menu *menu);

enum { FINDER_ROWS = 10 };

typedef struct FinderRow {
    const char *kind;  /* "step", in the page's language */
    const char *words; /* its name */
    /* Its key, its shape, or the reason why it is disabled; "" for none. */
    const char *detail;
    bool can;
} FinderRow;

/* The finder: a text field, and below it the commands and places that match its text. */
typedef struct Finder {
    HelpField field; /* text, caret and selected; problem: a message, "" for none */
    size_t found;    /* number of all rows found */
    /* Visible rows: `shown` of them from `first` on, finder_rows at most. */
    size_t first, shown;
    const FinderRow *rows;
    size_t chosen; /* among all rows */
    /* Sentence on the chosen row, in place of the keys; NULL or "": none. */
    const char *told;
    Link link; /* link of a row, with its number among all rows, from 1, as row */
    Link close;
} Finder;

/* Number of rows that a page has room for, FINDER_ROWS at most. */
size_t finder_rows(const Canvas *canvas);

void finder_draw(const Canvas *canvas, const Finder *finder);

/* A place in the course: its text, and the link of a click on it. */
typedef struct GlossaryPlace {
    const char *words;
    Link link;
} GlossaryPlace;

/* The glossary: a search field, the terms found, and the chosen one with its meaning and
 * its places in the course. */
typedef struct GlossaryPanel {
    const Glossary *glossary;
    size_t count, chosen; /* of `found`; chosen < count, or count is 0 */
    const size_t *found;  /* numbers of the terms */
    size_t place_count;
    const GlossaryPlace *places; /* of the chosen term */
    size_t place;                /* the one that Enter leads to */
    HelpField search;            /* only text, caret and selected are used */
    Link close;
} GlossaryPanel;

/* Draws the glossary with the list scrolled so that the chosen term is visible. Terms are
 * linked as LINK_TERM. */
void glossary_panel_draw(const Canvas *canvas, const GlossaryPanel *panel);

/* A setting of several values; arrows beside the value show that there are more. */
typedef struct Choice {
    const char *name, *value, *note; /* note: "" for none */
    bool has_less, has_more;
} Choice;

/* Draws a panel of settings, one of which is chosen. Line i is linked to `link` with row
 * i + 1, the arrows of each line to the same with col 1 and 2; the cross in its corner to
 * `close`. */
void choices_draw(const Canvas *canvas, const char *title, const char *keys,
                  const Choice *choices, size_t count, size_t chosen, Link link,
                  Link close);

/* ---- help and notices: help.c ---- */

typedef struct HelpEntry {
    const char *keys;    /* "→  Space" */
    const char *words;   /* key of the interface strings */
    const char *subject; /* key of a heading that begins here; NULL: none */
} HelpEntry;

typedef struct Help {
    const HelpEntry *entries;
    size_t count, first; /* number of entries; the first `first` are the basic ones */
    double scroll;       /* requested scroll position of the list in points */
    int pages;           /* pages to scroll from there */
    Link close;
    bool touch; /* fingers instead of keys and the mouse; there are no entries */
} Help;

/* Draws the basic keys and the mouse, below them all other keys by subject, scrolled.
 * Returns the actual scroll position, limited to the list's end. A page begins with the
 * lines that were not whole on the one before. */
double help_draw(const Canvas *canvas, const Help *help);

/* Draws, if `draw`, a strip along the foot of the scene with a title (a strings key) and
 * `count` lines of problems. Returns its height in either case. */
double help_problems(const Canvas *canvas, const char *title, const char *const *lines,
                     size_t count, bool draw);

/* Draws one quiet sentence in the middle of the page, linked to `link`. */
void help_draw_notice(const Canvas *canvas, const char *words, Link link);

/* ---- texts of exercises, on the screen and on paper: exercise_text.c ---- */

/* Interface text of `practise.WHAT.NAME`. */
const char *exercise_text(const Canvas *canvas, const char *what, const char *name);

/* Question of an exercise about cells; an exercise without cells has its text as the
 * sentence. *brief is a short version in case that doesn't fit; NULL: none. */
CellSentence exercise_text_sentence(const Canvas *canvas, const Practise *practise,
                                    const char **brief);

/* Draws a sentence in one line, reduced if necessary, from the left end of its baseline;
 * if even the smallest size doesn't fit, `brief` in its place (NULL: none), or else, if
 * it has no cells, in two lines that end there. */
void exercise_text_draw(const Canvas *canvas, const Player *player, CellSentence sentence,
                        const char *brief, FontRole font, double units, Point at,
                        double width);

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

/* ---- exercises: practise_panel.c ---- */

/* Puts question marks into the cells that are asked for, as drawn on the page. */
void practise_panel_mark(const Canvas *canvas, const PractisePanel *panel);

/* Height of the exercise on a presented page. */
double practise_panel_height(const PageParts *parts);

/* Draws the exercise, and the reply to the last answer, over the whole lower part of the
 * page. */
void practise_panel_draw(const PageParts *parts, Box area);

/* ---- scores: score.c ---- */

/* Draws a round's score in the middle of the page, with the exercises to repeat, which
 * link to panel->look with their number from 1 as row. */
void practise_score_draw(const Canvas *canvas, const PractisePanel *panel);

typedef struct QuizLine {
    const char *lesson, *question; /* "8 · One head"; question: "" if unknown */
    ExerciseOutcome outcome;
} QuizLine;

typedef struct QuizSheet {
    size_t count, right; /* right: at the first try */
    QuizLine lines[QUIZ_QUESTIONS];
} QuizSheet;

/* Draws a quiz's result: how many answers were right, each question with its lesson, and
 * the lessons to read again. The missed questions are linked like a round's exercises. */
void quiz_sheet_draw(const Canvas *canvas, const PractisePanel *panel,
                     const QuizSheet *sheet);

/* ---- questions with options: question_panel.c ---- */

/* Height of the question in a given width, and its drawing in place of the words above
 * the picture; while practise_panel_above. */
double question_panel_height(const PageParts *parts, double width);
void question_panel_draw(const PageParts *parts, Box area);

/* Height of the answer to a question that has ended (practise_panel_answered) in a given
 * width, 0 if there is none, and its drawing: the right one and the reason. */
double answer_line_height(const PageParts *parts, double width);
void answer_line_draw(const PageParts *parts, Box area);
