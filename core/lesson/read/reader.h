/* The lesson reader: state shared by the code that reads the parts of a lesson, from its
 * tensors to its changes; lesson/load/load.c calls them in order. Only they include this.
 *
 * A file becomes a YAML tree, the tree a LessonSpec with all keys checked, and the spec
 * the lesson: names are resolved, expressions computed, the model built. */
#pragma once

#include "lesson/content/content.h"
#include "lesson/content/own_words.h"
#include "lesson/formula/expression.h"
#include "lesson/formula/names.h"
#include "lesson/read/spec.h"
#include "lesson/read/texts.h"

typedef struct LessonReader {
    Lesson *lesson;
    ErrorList *errors;
    Names names;
    LessonSpec spec;   /* content of the file */
    Names label_names; /* a name's node is its index in spec.labels */
    Texts texts;
    OwnWords words; /* words of a lesson without a text */
    bool followed;  /* the rows of the last given tensor were adapted to `words` */
    LessonTraining *training; /* lesson->training under construction */
    /* recordings of `train:` steps (lesson/model/training_run.h) */
    struct TrainingFilm *films;
    const struct Config *config; /* config.json beside the model's weights; NULL: none */
    const char *config_file;     /* its name relative to the lesson */
    const YamlNode *at;          /* the node being read, or NULL */
    bool untrained;              /* read a model's training without running it */
    bool switched; /* the model is a variant, so what doesn't fit it is left out */
    bool own; /* text or switches aren't the file's, so its cell changes don't apply */
    LessonStep *steps;  /* lesson->steps under construction: the model's come first */
    size_t model_steps; /* number of the model's steps */
    int model_line;     /* line of `model:`, for model steps that have no texts yet */
    /* the latest generation, the head of a list of all */
    const struct LessonGenerate *generations;
    LessonNote *notes; /* lesson->notes under construction */
} LessonReader;

/* Read `labels:` before any tensor is made; and, after all are, drop the row labels of
 * given weights, and report labels of unknown tensors. */
void reader_read_labels(LessonReader *reader);
void reader_check_labels(LessonReader *reader);

/* Puts the tensors of `given:` on the tape. The lesson's arena has a guard while the
 * lesson is read, so no code here checks for lack of memory. */
void reader_read_given(LessonReader *reader);

/* Returns the words of the step that `at: NAME` refers to: a step of the model's own, or
 * a new note (notes.c). NULL with an error: ERROR_NAME if there is no such step or it has
 * words already. */
LessonStep *reader_step_at(LessonReader *reader, const YamlNode *at);

/* Reads a step's question; the step's result is on the tape (question_read.c). NULL if it
 * has errors. */
const Question *reader_read_question(LessonReader *reader, const AskSpec *ask,
                                     size_t result);

/* Returns the cell of an expression, new in the arena, if the step shows it
 * (placeholders_read.c). If not, NULL with an error at the expression's position. */
const LessonCell *reader_cell(LessonReader *reader, const Statement *statement,
                              const LessonStep *step, Error *error);

/* Reads the placeholders of all texts, after all steps (placeholders_read.c).
 * Placeholders of unknown names are errors, or the text is left out in a variant. */
void reader_read_placeholders(LessonReader *reader);

/* Gives a name to a tape node and the node its labels. `line` is its line in the file; 0
 * within a composite. ERROR_SHAPE if the labels don't fit. */
void reader_name(LessonReader *reader, const char *name, size_t node, int line);

/* Reports whether a name is free; else adds an error at the node, or at `column` of its
 * line unless that is 0. */
bool reader_free_name(LessonReader *reader, const char *name, const YamlNode *at,
                      int column);

/* Stores the source of a row of IDs; its pointers must live as long as the lesson. */
void reader_keep_source(LessonReader *reader, LessonSource source);

/* Records a name whose tensor could not be made. */
void reader_name_broken(LessonReader *reader, const char *name, int line);

/* Reports whether steps and words that don't fit are left out, because the model is a
 * variant or the words are the learner's. */
bool reader_leaves_out(const LessonReader *reader);

/* Reports whether reading should stop: the tape or the list of errors is full. */
bool reader_stopped(const LessonReader *reader);
