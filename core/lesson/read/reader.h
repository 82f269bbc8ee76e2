/* Reading a lesson: what lesson.c, reader.c, steps.c, model_block.c and notes.c
 * share. Only they include this,
 * and tests of what happens when memory is short. */
#ifndef LESSON_READER_H
#define LESSON_READER_H

#include "lesson/read/lesson.h"
#include "lesson/read/names.h"
#include "lesson/read/texts.h"
#include "lesson/read/yaml.h"

/* What `labels:` says of one tensor. */
typedef struct ReaderLabels {
    const YamlNode *node;
    size_t row_count, col_count; /* 0: not labelled */
    const char *const *rows, *const *cols;
} ReaderLabels;

typedef struct LessonReader {
    Lesson *lesson;
    ErrorList *errors;
    Names names;
    Names label_names; /* a name's node is its index in labels */
    ReaderLabels *labels;
    size_t label_count, token_count;
    const char *const *tokens;
    Texts texts;
    LessonTraining *training; /* lesson->training while it is read */
    struct TrainingFilm
        *films;         /* what `train:` steps watch (lesson/model/training_run.h) */
    const YamlNode *at; /* what is being made, or NULL */
    const YamlNode *steps_node; /* of `steps:`, or NULL */
    bool untrained;             /* a model's training is read, but not done */
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

/* Reads `steps:` into the lesson, behind the model's steps (steps.c). `node` may be NULL
 * where there is a model. */
void reader_read_steps(LessonReader *reader, const YamlNode *node);

/* Reads `model:`, puts it on the tape and makes its steps (model_block.c). False when it
 * could not. */
bool reader_read_model(LessonReader *reader, const YamlNode *node);

/* The words of the step that `at: NAME` stands for: a step of the model's own, or a new
 * note (notes.c). NULL with an error: ERROR_NAME when there is no such step or it has its
 * words already. */
LessonStep *reader_step_at(LessonReader *reader, const YamlNode *at);

/* Reads what `changes:` says of text and model, before these are made, and of cells and
 * operations, when all are there (changes_file.c). `node` may be NULL. */
void reader_read_switches(LessonReader *reader, const YamlNode *node);
void reader_read_changes(LessonReader *reader, const YamlNode *node);

/* Gives a name to a tape node and the node its labels. `line` is where in the file; 0 for
 * what a composite made within. ERROR_SHAPE when the labels don't fit. */
void reader_name(LessonReader *reader, const char *name, size_t node, int line);

/* Remembers a name whose tensor could not be made. */
void reader_name_broken(LessonReader *reader, const char *name, int line);

/* Whether there is no use in going on: the tape or the list of errors is full. */
bool reader_stopped(const LessonReader *reader);

/* lesson_parse with at most `limit` bytes of memory. */
Lesson *reader_parse(const char *path, const char *text, size_t length, size_t limit,
                     ErrorList *errors);

#endif
