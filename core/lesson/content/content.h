/* The data of a lesson after loading. Functions on it are in lesson.h. */
#pragma once

#include "base/strings/language.h"
#include "lesson/content/block.h"
#include "lesson/content/choices.h"
#include "lesson/content/view.h"
#include "model/learn/train.h"

typedef struct Changes Changes;
typedef struct OwnWords OwnWords;
typedef struct Question Question;
typedef struct Tokenizer Tokenizer;

enum {
    LESSON_MAX_BYTES = 4 << 20,
    LESSON_MAX_MEMORY = 1 << 30,
    LESSON_REMEMBER_MOST = 3
};

/* Default limit of a lesson's work, in operations (see base/arena.h): two or three
 * seconds. */
#define LESSON_WORK 1e10

/* Numbers as printed in a source. A printed number differs from the computed one if it is
 * further away than half a unit of its last printed digit. */
typedef struct LessonPrinted {
    Tensor values;       /* as printed; NaN where the source prints nothing (`_`) */
    const int *decimals; /* digits behind the point, one for each cell */
} LessonPrinted;

/* The recording of a `- train:` step: the tensors that it shows, before training and
 * after each update. Frame f is after f updates. */
typedef struct LessonFilm {
    size_t frame_count; /* 1 if the model was left untrained */
    size_t cells;       /* cells per frame: all tensors, one after the other */
    double *values;     /* [frame_count, cells] */
    double *reach;      /* the largest |value| in all frames, one for each tensor */
} LessonFilm;

/* A cell that a step refers to. */
typedef struct LessonCell {
    size_t node, row, col;
} LessonCell;

typedef struct LessonGenerate LessonGenerate; /* lesson/model/generate_step.h */

typedef struct LessonStep {
    Text heading, say, chapter; /* may be empty; with `chapter`, a chapter begins here */
    Text tour;                  /* text for the tour; empty: the tour skips the step */
    bool is_cover;              /* its picture represents the lesson */
    /* the last step, with the lines of `remember:` and the cover's picture */
    bool closes;
    bool explains; /* its heading is a question that can be asked on paper, and `say` is
                      the answer */
    Text notes;    /* notes for the presenter; may be empty */
    /* TeX (picture/formula/formula.h) of the whole statement; NULL: that of its
     * operation */
    const char *formula;
    /* the statement in the file: "S = Q @ K.T"; for a model's part its name:
     * "encoder.0" */
    const char *source;
    size_t first, count; /* the tape's nodes that it made; count is 0 for `show` */
    /* number of nodes before `first` that the step opens into, too: of a listed step of a
     * model, those computed since the listed step before it */
    size_t folded;
    Text concept;       /* above the heading; or empty */
    size_t seconds;     /* time that autoplay stays; 0: by the length of the texts */
    size_t result;      /* its main node: the last made or shown */
    size_t shown_count; /* number of nodes shown side by side by `show`, else 0 */
    const size_t *shown;
    const LessonCell *cell; /* selected at the beginning; NULL: not given */
    /* the first cell with a placeholder in its words, "{A[am, I]}"; or NULL */
    const LessonCell *named;
    /* recording of a `train` step, which also shows tensors; or NULL */
    const LessonFilm *film;
    const LessonGenerate *generate; /* the generation of a `generate` step; or NULL */
    LessonView view;                /* view of the tensors (`as:`), or LESSON_VIEW_NONE */
    LessonBlock block; /* the lesson's block from here on, or LESSON_BLOCK_NONE */
    const LessonPrinted *printed; /* numbers of the result as printed; or NULL */
    Text compared;            /* description of what the source has here; may be empty */
    const char *document;     /* the source; NULL: the lesson's */
    const Question *question; /* asked before the result is shown; or NULL */
    int line;                 /* line in the file */
    /* Key of a model's step in the interface's strings ("memory"), or NULL. */
    const char *topic;
} LessonStep;

/* Words, printed numbers and a question for a step inside another (`at:`). */
typedef struct LessonNote {
    /* the tape's group it belongs to, or TAPE_NONE: the node words.result */
    size_t group;
    LessonStep words;
} LessonNote;

/* `weights: {train: …}`, and the result of that training. */
typedef struct LessonTraining {
    TrainOptions options;
    size_t count;
    /* their IDs are labelled with tokens if there are any */
    const TrainExample *examples;
    size_t epochs;             /* epochs trained on loading; 0: left untrained */
    const TrainEpoch *history; /* one for each epoch */
    TrainEpoch end;            /* evaluation of all examples after the last epoch */
    size_t batches, updates;   /* per epoch, and in all; 0 if nothing records them */
    const TrainUpdate *log;    /* one for each update, if something records them */
} LessonTraining;

/* Examples that a model hasn't learned from, and how many it answers right: with greedy
 * decoding, each token. */
typedef struct LessonHeldOut {
    size_t count, right;
} LessonHeldOut;

/* A given tensor of random numbers (`random:`): scale times standard normal ones. */
typedef struct LessonDrawn {
    size_t node;
    uint64_t seed;
    double scale;
    const struct LessonDrawn *next;
} LessonDrawn;

typedef struct ModelWords ModelWords; /* lesson/model/model_parts.h */

typedef struct Lesson {
    Arena *arena;
    const char *id;       /* the file's name without folder and extension */
    const char *file;     /* path given to lesson_load */
    Text part;            /* part of the course, or empty */
    Text title, about;    /* about: one sentence, for lists of lessons */
    Text goal;            /* skill that the lesson teaches; or empty */
    size_t minutes;       /* time that it takes; 0: not given */
    size_t follow_count;  /* number of follow_rows; 0: the lesson follows no vector */
    size_t follow_column; /* column of the number that is followed */
    /* labels of the row that is followed; the first that a tensor has is taken */
    const char *const *follow_rows;
    size_t need_count;
    const char *const *needs;           /* ids of its prerequisite lessons */
    const struct YamlNode *need_places; /* YAML node of the first one; or NULL */
    size_t remember_count; /* number of lines, at most LESSON_REMEMBER_MOST */
    const Text *remember;  /* lines of the closing step */
    /* source: a key below `document:` in the strings, or a title; or NULL */
    const char *document;
    const char *section; /* section of the source, or NULL */
    bool shows_sources;  /* its subject is the source, so comparisons are always shown */
    LessonBlock block;   /* block at the beginning, or LESSON_BLOCK_NONE */
    Tape *tape;
    /* model of `model:`, whose steps are the first ones; or NULL */
    const Transformer *model;
    /* words of the model's texts, by TransformerSide; NULL without a model */
    const ModelWords *words;
    size_t other_text_count;
    const char *const *other_texts; /* names of the other texts that the model reads */
    /* begin and end tokens of a decoder's texts; its vocabulary may lack them */
    const char *start, *end;
    const LessonTraining *training; /* training of a trained model; or NULL */
    /* the model is trained, here or before; the seed that the file gives */
    bool is_trained;
    size_t own_seed;
    LessonHeldOut held_out; /* count 0: the lesson has none */
    const char *assumed; /* assumption made about its weights, as a sentence; or NULL */
    /* note on tensors of the weights' file that were ignored; or NULL */
    const char *ignored_tensors;
    size_t step_count;
    const LessonStep *steps;
    /* number of the model's own steps, which are the first ones */
    size_t model_step_count;
    bool lists_model_steps; /* the model's steps are those of `at:`, among the others */
    size_t note_count;
    const LessonNote *notes;
    const char *text;           /* text that a learner's own replaces, or NULL */
    const Tokenizer *tokenizer; /* tokenizer of the text, or NULL */
    /* the words of a lesson without a text; NULL: it has a text, or no words */
    const OwnWords *chosen;
    const LessonSource *sources; /* linked list, or NULL */
    const LessonDrawn *drawn;    /* linked list, last one first, or NULL */
    const char *own_text;        /* the learner's own text, or NULL */
    const char *generated_text;  /* the file's text that it replaces, or NULL */
    LessonSwitches switches;     /* variants of the model in force */
    bool bare;                   /* loaded without the file's `changes:` */
    Changes *changes; /* changes of the tape by hand; destroyed with the lesson */
} Lesson;
