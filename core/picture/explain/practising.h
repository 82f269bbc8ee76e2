/* A page while a learner practises: what is asked, and what is therefore not to be seen
 * anywhere on it. */
#ifndef PICTURE_PRACTISING_H
#define PICTURE_PRACTISING_H

#include "lesson/practise/practise.h"
#include "picture/stage/page_content.h"

struct PractisePanel {
    const Practise *practise;
    const char *answer; /* what is written so far … */
    size_t caret;       /* … and where, in bytes */
    bool selected;      /* all of it */
    size_t chosen;      /* the option, or the exercise in the score, or PLAYER_NONE */
    Link look;          /* at an exercise of the score, whose number is put in as row */
    Link check, go_on, skip, stop, again, paste; /* what the buttons stand for; a number's
                                                    keys check's, with 1 as row */
    Link save;         /* what saves the score's picture; LINK_NONE: nothing does */
    size_t number, of; /* the exercise's place, from 1, in a round or a quiz */
    bool whole;        /* a round, in place of inspector and timeline too */
    Link options[QUESTION_OPTIONS_MAX]; /* what a click on the option there stands for, …
                                         */
    Link see, take_back; /* … on what shows the answer, and takes one of an order back */
};

/* Whether the question stands in place of the words, with its options below it. */
bool practise_panel_above(const PractisePanel *panel);

/* Whether it was a question with options, or a step's for a number, which has its answer
 * now. */
bool practise_panel_answered(const PractisePanel *panel);

/* Whether the exercise stands in place of inspector and timeline. */
bool practise_panel_below(const PractisePanel *panel);

/* Whether a choice waits whose answer is not to be seen, which what the steps from here
 * on do would tell; or an order, which what all steps do would. `panel` may be NULL. */
bool practise_panel_is_choice(const PractisePanel *panel);
bool practise_panel_orders(const PractisePanel *panel);

/* Whether a node's numbers are not to be seen: the result's that is asked for, and what
 * came after it. `panel` may be NULL, as in the next one. */
bool practise_panel_hides(const PractisePanel *panel, size_t node);

/* Whether the asked cell is itself what is asked for, so that nothing may point at it. */
bool practise_panel_hides_cell(const PractisePanel *panel);

/* The cell that it is about, whose number is asked for or watched; false where it is
 * none. */
bool practise_panel_focus(const PractisePanel *panel, Link *focus);

/* Whether the answer is still to be found: no sentences are to be read yet. `panel` may
 * be NULL. */
bool practise_panel_waits(const PractisePanel *panel);

#endif
