/* What a lesson is made of, once it is read. How one is read and asked is lesson.h. */
#ifndef LESSON_CONTENT_H
#define LESSON_CONTENT_H

#include "base/error.h"
#include "base/strings/language.h"
#include "lesson/content/block.h"
#include "lesson/content/changes.h"
#include "lesson/content/choices.h"
#include "lesson/content/own_words.h"
#include "lesson/content/question.h"
#include "lesson/content/sources.h"
#include "lesson/content/view.h"
#include "model/build/transformer.h"
#include "model/learn/train.h"
#include "tensor/tape/tape.h"

enum {
    LESSON_MAX_BYTES = 4 << 20,
    LESSON_MAX_MEMORY = 1 << 30,
    LESSON_REMEMBER_MOST = 3
};

/* The work that a lesson may take where nothing else is asked for, in operations (see
 * base/arena.h): two or three seconds. */
#define LESSON_WORK 1e10

/* Numbers as a source prints them. A printed number differs from the computed one when
 * it is further away than half a unit of its own last printed digit. */
typedef struct LessonPrinted {
    Tensor values;       /* as printed; NaN where the source prints nothing (`_`) */
    const int *decimals; /* digits behind the point, a cell each */
} LessonPrinted;

/* What a `- train:` step keeps of the training: the tensors that it shows, as they were
 * before it and behind each update. Frame number f is behind f updates. */
typedef struct LessonFilm {
    size_t frame_count; /* 1 where the model was left untrained */
    size_t cells;       /* of a frame: all tensors, one behind another */
    double *values;     /* [frame_count, cells] */
    double *reach;      /* of each tensor the largest |value| in all frames */
} LessonFilm;

/* A cell that a step is about. */
typedef struct LessonCell {
    size_t node, row, col;
} LessonCell;

typedef struct LessonGenerate LessonGenerate; /* lesson/model/generate_step.h */

typedef struct LessonStep {
    Text heading, say, chapter; /* may be empty; chapter: a chapter begins here */
    Text tour;                  /* what the tour says here; empty: it passes by */
    bool is_cover;              /* its picture stands for the lesson */
    /* the last one, made of `remember:`: its lines, and the hero's picture */
    bool closes;
    Text notes;          /* for who presents it, may be empty */
    const char *formula; /* TeX (picture/formula/formula.h) of the whole statement; NULL:
                            that of its operation */
    const char *source;  /* the statement as written: "S = Q @ K.T"; a model's part
                            by its name: "encoder.0" */
    size_t first, count; /* the tape nodes this step made; count 0 for `show` */
    size_t result;       /* the node the step is about: the last made or shown */
    size_t shown_count;  /* nodes set side by side by a `show` step, else 0 */
    const size_t *shown;
    const LessonCell *cell, /* of what it shows, that it opens on; NULL: not said */
        *named; /* the first that its words name, "{A[am, I]}"; NULL: there is none */
    const LessonFilm *film; /* of a `train` step, which shows tensors too; or NULL */
    const LessonGenerate *generate; /* of a `generate` step; or NULL */
    LessonView view;   /* how the tensors are drawn (`as:`), or LESSON_VIEW_NONE */
    LessonBlock block; /* where on the map the lesson goes on, or LESSON_BLOCK_NONE */
    const LessonPrinted *printed; /* of the result, or NULL */
    Text compared;                /* with what its source says there; may be empty */
    const char *document;         /* its source; NULL: the lesson's */
    const Question *question;     /* asked before the result is shown, or NULL */
    int line;                     /* in the file */
    /* What a step of a model is called in the interface's strings ("memory"), or NULL. */
    const char *topic;
} LessonStep;

/* Words, printed numbers and a question for a step within another (`at:`). */
typedef struct LessonNote {
    size_t group; /* the tape's group it is about, or TAPE_NONE: the node words.result */
    LessonStep words;
} LessonNote;

/* What `weights: {train: …}` says, and what came of it. */
typedef struct LessonTraining {
    TrainOptions options;
    size_t count;
    const TrainExample *examples; /* their IDs labelled with words where there are any */
    size_t epochs;                /* done when the lesson opened; 0: left untrained */
    const TrainEpoch *history;    /* of each of them */
    TrainEpoch end;               /* of all examples, behind the last */
    size_t batches, updates;      /* in an epoch, in all; 0 where nothing watches it */
    const TrainUpdate *log;       /* of each update, where something does */
} LessonTraining;

/* A given tensor whose numbers were drawn (`random:`): scale times standard normal ones.
 */
typedef struct LessonDrawn {
    size_t node;
    uint64_t seed;
    double scale;
    const struct LessonDrawn *next;
} LessonDrawn;

typedef struct ModelWords ModelWords; /* lesson/model/model_words.h */

typedef struct Lesson {
    Arena *arena;
    const char *id;    /* the file's name without folder and `.yaml` */
    const char *file;  /* as given to lesson_load */
    Text part;         /* the part of the course it belongs to, or empty */
    Text title, about; /* about: one sentence for the catalogue */
    Text goal;         /* what one can do after it, or empty */
    size_t need_count;
    const char *const *needs; /* the ids of the lessons that it builds on */
    size_t remember_count;    /* LESSON_REMEMBER_MOST at most */
    const Text *remember;     /* the closing step's lines */
    const char *document; /* its source: a key of the strings' `document:`, or a title; or
                             NULL */
    const char *section;  /* of that, or NULL */
    bool shows_sources;   /* it is about its source, which is always compared with */
    LessonBlock block;    /* where on the map it begins, or LESSON_BLOCK_NONE */
    Tape *tape;
    const Transformer *model; /* of `model:`, whose steps come first; or NULL */
    const ModelWords *words;  /* of its texts, by TransformerSide; NULL without a model */
    const char *start, *end;  /* the tokens that a decoder's texts begin and end with; its
                                 vocabulary may lack them */
    const LessonTraining *training; /* of a model that is trained, or NULL */
    const char *assumed; /* what its weights are taken for, in a sentence; or NULL */
    /* which tensors of their file are not looked at; or NULL */
    const char *ignored_tensors;
    size_t step_count;
    const LessonStep *steps;
    size_t model_step_count; /* how many of them, the first ones, are the model's own */
    size_t note_count;
    const LessonNote *notes;
    const char *text; /* the text that a learner's own would stand for, or NULL */
    const Tokenizer *tokenizer;  /* what cuts it, or NULL */
    const OwnWords *chosen;      /* or the words that it is made of; NULL: there is a text
                                    or none */
    const LessonSource *sources; /* the first; NULL where there is none */
    const LessonDrawn *drawn;    /* the last; NULL where there is none */
    const char *own_text; /* the learner's own text that it was read with, or NULL */
    const char *generated_text; /* the file's, which that stands for; or NULL */
    LessonSwitches switches;    /* that it was read with */
    bool bare;                  /* without what its file has in `changes:` */
    Changes *changes; /* what is done to the tape by hand; goes with the lesson */
} Lesson;

#endif
