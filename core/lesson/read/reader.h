/* Reading a lesson: what whoever reads a part of it shares, from its tensors to its
 * changes; lesson/load/load.c has the parts in their order. Only they include this.
 *
 * A file becomes a YAML tree, the tree a LessonSpec, all of whose keys are checked, and
 * the spec the lesson: names are looked up, expressions computed, the model made. */
#ifndef LESSON_READER_H
#define LESSON_READER_H

#include "lesson/content/content.h"
#include "lesson/formula/expression.h"
#include "lesson/formula/names.h"
#include "lesson/read/spec.h"
#include "lesson/read/texts.h"

typedef struct LessonReader {
    Lesson *lesson;
    ErrorList *errors;
    Names names;
    LessonSpec spec;   /* what the file says */
    Names label_names; /* a name's node is its index in spec.labels */
    Texts texts;
    OwnWords words; /* of a lesson without a text; … */
    bool followed;  /* … whether the rows of the last given tensor have followed them */
    LessonTraining *training; /* lesson->training while it is read */
    /* what `train:` steps watch (lesson/model/training_run.h) */
    struct TrainingFilm *films;
    const struct Config *config; /* beside the model's weights; NULL: there is none */
    const char *config_file;     /* its name, as the lesson would name it */
    const YamlNode *at;          /* what is being made, or NULL */
    bool untrained;              /* a model's training is read, but not done */
    bool switched; /* the model is not the file's: what can't be said of it is left out */
    bool own;      /* text or switches aren't the file's: so are its changed cells */
    LessonStep *steps;  /* lesson->steps while they are read: the model's come first */
    size_t model_steps; /* how many of them are the model's */
    int model_line;     /* where `model:` is, while these have no words of their own */
    LessonNote *notes;  /* lesson->notes while they are read */
} LessonReader;

/* What `labels:` says of tensors, before any is made; and, when all are, which given ones
 * are weights whose rows are no words, and of what `labels:` speaks in vain. */
void reader_read_labels(LessonReader *reader);
void reader_check_labels(LessonReader *reader);

/* Puts the tensors of `given:` on the tape. The lesson's arena has a guard while it is
 * read: nobody here looks whether there was memory. */
void reader_read_given(LessonReader *reader);

/* The words of the step that `at: NAME` stands for: a step of the model's own, or a new
 * note (notes.c). NULL with an error: ERROR_NAME when there is no such step or it has its
 * words already. */
LessonStep *reader_step_at(LessonReader *reader, const YamlNode *at);

/* Reads what a step asks, whose result is there (question_read.c). NULL where it has
 * errors. */
const Question *reader_read_question(LessonReader *reader, const AskSpec *ask,
                                     size_t result);

/* The cell that an expression names, new in the arena, where the step shows it
 * (placeholders_read.c). NULL with an error, which has the expression's own place, where
 * not. */
const LessonCell *reader_cell(LessonReader *reader, const Statement *statement,
                              const LessonStep *step, Error *error);

/* Has the numbers filled in that the lesson's words name (placeholders_read.c), when all
 * its steps are read. Words that name what is not there are errors, or left out with what
 * doesn't fit. */
void reader_read_placeholders(LessonReader *reader);

/* Gives a name to a tape node and the node its labels. `line` is where in the file; 0 for
 * what a composite made within. ERROR_SHAPE when the labels don't fit. */
void reader_name(LessonReader *reader, const char *name, size_t node, int line);

/* Whether nothing has this name; else false, with an error at the node, or in a column of
 * its line that isn't 0. */
bool reader_free_name(LessonReader *reader, const char *name, const YamlNode *at,
                      int column);

/* Keeps what a row of IDs was cut from; what `source` points to is the lesson's. */
void reader_keep_source(LessonReader *reader, LessonSource source);

/* Remembers a name whose tensor could not be made. */
void reader_name_broken(LessonReader *reader, const char *name, int line);

/* Whether steps and words that don't fit are left out: the model is not the file's, or
 * the words are not. */
bool reader_leaves_out(const LessonReader *reader);

/* Whether there is no use in going on: the tape or the list of errors is full. */
bool reader_stopped(const LessonReader *reader);

#endif
