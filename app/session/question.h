/* Questions: a step with a question hides its result until it is answered or revealed.
 * The mode is on while the question is open, and then while its step is shown; while
 * practising, as long as an exercise with options is open. */
#pragma once

#include "lesson/practise/practise.h"
#include "session/list.h"

enum { QUESTIONS_KEPT = 512 };

/* The state of mode_question. The round of a question that waits is `practise.round`. */
typedef struct QuestionState {
    bool on;              /* steps with a question hide their result */
    List options;         /* of the present question */
    const Lesson *lesson; /* of the present question while the mode is on */
    size_t step;          /* of the present question while the mode is on */
    bool again;           /* the present question has been answered before */
    const Lesson *begun;  /* whose first step was shown last while presenting, or NULL */
    size_t count;         /* of `answered` */
    struct {
        uint64_t lesson; /* hash of its ID */
        uint64_t step;   /* hash of its path */
        ExerciseOutcome outcome;
    } answered[QUESTIONS_KEPT]; /* oldest first */
} QuestionState;

QuestionState *question_state(const Session *session);

/* Opens the present step's question, or closes that of another step. To be called after
 * anything that may have moved the session. */
void questions_look(Session *session);

/* Forgets which of the lesson's questions were answered, for another class, and opens the
 * present step's again. */
void questions_ask_again(Session *session);
void questions_ask_anew(Session *session);

/* True if the present step has a question. In a lesson that was changed by hand it has
 * none, because its answers would differ. */
bool questions_here(const Session *session);

/* True if the present step's question waits for an answer, even before questions_look has
 * asked it. */
bool questions_wait(const Session *session);

/* Returns the exercise while the mode is on, else NULL; and reports whether its answer is
 * still hidden. */
const Exercise *questions_asked(const Session *session);
bool questions_open(const Session *session);

/* True if typed text begins an answer. */
bool questions_take_text(const Session *session);

/* Shows the result that nothing hides any more; gives the question up, and shows it; the
 * latter where a lesson's question waits, else false. */
bool questions_show_result(Session *session);
bool questions_see_answer(Session *session);
bool questions_show_answer(Session *session);
