/* A page in practice: the exercise, and what the page must therefore hide. */
#pragma once

#include "lesson/content/question.h"
#include "picture/stage/page_content.h"

typedef struct Practise Practise;

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

/* Reports whether the question replaces the words, with its options below it. */
bool practise_panel_above(const PractisePanel *panel);

/* Reports whether the question had options, or asked for a step's number, and is
 * answered. */
bool practise_panel_answered(const PractisePanel *panel);

/* Reports whether the exercise replaces inspector and timeline. */
bool practise_panel_below(const PractisePanel *panel);

/* Reports whether a choice is open, whose answer the present and later steps would
 * reveal; or an order, which all steps would reveal. `panel` may be NULL. */
bool practise_panel_is_choice(const PractisePanel *panel);
bool practise_panel_orders(const PractisePanel *panel);

/* Reports whether a node's numbers are hidden: those of the result that is asked for and
 * of later ones. `panel` may be NULL, as in the next function. */
bool practise_panel_hides(const PractisePanel *panel, size_t node);

/* Reports whether the question is which cell it is, so that nothing may point at it. */
bool practise_panel_hides_cell(const PractisePanel *panel);

/* Finds the cell whose number is asked for or watched; returns false if there is none. */
bool practise_panel_focus(const PractisePanel *panel, Link *focus);

/* Reports whether the question is open, so that sentences are hidden. `panel` may be
 * NULL. */
bool practise_panel_waits(const PractisePanel *panel);
