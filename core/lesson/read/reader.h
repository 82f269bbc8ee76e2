/* Reading a lesson: what lesson.c, reader.c, steps.c, notes.c, changes_file.c and the
 * model's files share. Only they include this, and tests of what happens when memory is
 * short.
 *
 * A file becomes a YAML tree, the tree a LessonSpec, all of whose keys are checked, and
 * the spec the lesson: names are looked up, expressions computed, the model made. */
#ifndef LESSON_READER_H
#define LESSON_READER_H

#include "lesson/formula/names.h"
#include "lesson/read/content.h"
#include "lesson/read/spec.h"
#include "lesson/read/texts.h"

typedef struct LessonReader {
    Lesson *lesson;
    ErrorList *errors;
    Names names;
    LessonSpec spec;   /* what the file says */
    Names label_names; /* a name's node is its index in spec.labels */
    Texts texts;
    LessonTraining *training; /* lesson->training while it is read */
    struct TrainingFilm
        *films;         /* what `train:` steps watch (lesson/model/training_run.h) */
    const YamlNode *at; /* what is being made, or NULL */
    bool untrained;     /* a model's training is read, but not done */
    bool switched; /* the model is not the file's: what can't be said of it is left out */
    bool own;      /* text or switches aren't the file's: so are its changed cells */
    LessonStep *steps;  /* lesson->steps while they are read: the model's come first */
    size_t model_steps; /* how many of them are the model's */
    int model_line;     /* where `model:` is, while these have no words of their own */
    LessonNote *notes;  /* lesson->notes while they are read */
} LessonReader;

/* Reads everything from a file's root; errors go to the list. The lesson's arena has a
 * guard while it is read: nobody here looks whether there was memory. */
void reader_read(LessonReader *reader, const YamlNode *root);

/* Makes the steps of the spec, behind the model's steps (steps.c). */
void reader_read_steps(LessonReader *reader);

/* Puts the spec's model on the tape and makes its steps (model_block.c). False when it
 * could not. */
bool reader_read_model(LessonReader *reader, const ModelSpec *spec);

/* The words of the step that `at: NAME` stands for: a step of the model's own, or a new
 * note (notes.c). NULL with an error: ERROR_NAME when there is no such step or it has its
 * words already. */
LessonStep *reader_step_at(LessonReader *reader, const YamlNode *at);

/* Does what `changes:` says of text and model, before these are made, and of cells and
 * operations, when all are there (changes_file.c). */
void reader_read_switches(LessonReader *reader);
void reader_read_changes(LessonReader *reader);

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

/* Whether there is no use in going on: the tape or the list of errors is full. */
bool reader_stopped(const LessonReader *reader);

/* lesson_parse with at most `limit` bytes of memory. */
Lesson *reader_parse(const char *path, const char *text, size_t length, size_t limit,
                     ErrorList *errors);

#endif
