/* A lesson: a tape, and the words that go with it, read from a YAML file.
 *
 * lesson_load reads, checks and computes everything; what it gives back is ready to show.
 * A lesson owns its arena: all of it (tape, texts, labels) lives there and is dropped by
 * lesson_destroy. Nothing changes after loading but the tape's edits and mutes. */
#ifndef LESSON_LESSON_H
#define LESSON_LESSON_H

#include "base/error.h"
#include "base/language.h"
#include "lesson/read/changes.h"
#include "lesson/read/view.h"
#include "model/build/transformer.h"
#include "model/learn/train.h"
#include "tensor/tape.h"
#include "text/tokenizer.h"

enum {
    LESSON_MAX_BYTES = 4 << 20,
    LESSON_MAX_DEPTH = 64, /* of an expression, and of nested YAML */
    LESSON_MAX_MEMORY = 1 << 30,
    LESSON_MAX_CHANGES = 10000 /* that a file has in it */
};

/* Where the norms stand. */
typedef enum LessonNorm { LESSON_NORM_OWN, LESSON_NORM_POST, LESSON_NORM_PRE } LessonNorm;

/* What of a lesson's model is put otherwise; {0}: nothing. */
typedef struct LessonSwitches {
    size_t heads; /* 0: as the model has it */
    LessonNorm norm;
    TransformerMask mask;
    double temperature; /* of the last softmax; 0: as the model has it */
} LessonSwitches;

/* How a lesson is to be read; {0}: as it stands in the file. */
typedef struct LessonOptions {
    const char *text;               /* the learner's own, or NULL */
    bool untrained;                 /* see lesson_load_untrained */
    const LessonSwitches *switches; /* in place of the file's own `changes:`, or NULL */
} LessonOptions;

/* Numbers as a document prints them. A printed number differs from the computed one when
 * it is further away than half a unit of its own last printed digit. */
typedef struct LessonPrinted {
    Tensor values;       /* as printed; NaN where the document prints nothing (`_`) */
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

typedef struct LessonGenerate LessonGenerate; /* lesson/model/generate_step.h */

typedef struct LessonStep {
    Text heading, say, chapter; /* may be empty; chapter: a chapter begins here */
    const char *formula; /* TeX (picture/formula/formula.h) of the whole statement; NULL:
                            that of its operation */
    const char *source;  /* the statement as written: "S = Q @ K.T"; a model's part
                            by its name: "encoder.0" */
    size_t first, count; /* the tape nodes this step made; count 0 for `show` */
    size_t result;       /* the node the step is about: the last made or shown */
    size_t shown_count;  /* nodes set side by side by a `show` step, else 0 */
    const size_t *shown;
    const LessonFilm *film; /* of a `train` step, which shows tensors too; or NULL */
    const LessonGenerate *generate; /* of a `generate` step; or NULL */
    LessonView view; /* how the tensors are drawn (`as:`), or LESSON_VIEW_NONE */
    const LessonPrinted *printed; /* of the result, or NULL */
    bool asks;                    /* whether the learner predicts a cell of the result */
    size_t ask_row, ask_col;
    int line; /* in the file */
    /* What a step of a model is called in the interface's strings ("memory"), or NULL. */
    const char *topic;
} LessonStep;

/* Words, printed numbers and a question for a step within another (`at:`). */
typedef struct LessonNote {
    size_t group; /* the tape's group it is about, or TAPE_NONE: the node words.result */
    LessonStep words;
} LessonNote;

/* What the words of a text were where their tokens don't tell: [UNK] for "zebra". */
typedef struct LessonSource {
    size_t node;                /* a row of IDs */
    const char *const *written; /* for each of them; NULL where the token tells */
    const struct LessonSource *next;
} LessonSource;

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

typedef struct ModelWords ModelWords; /* lesson/model/model_words.h */

typedef struct Lesson {
    Arena *arena;
    const char *id;       /* the file's name without folder and `.yaml` */
    const char *file;     /* as given to lesson_load */
    Text part;            /* the part of the course it belongs to, or empty */
    Text title, about;    /* about: one sentence for the catalogue */
    const char *document; /* "000_1f885c86702b35cf", or NULL */
    const char *section;  /* or NULL */
    Tape *tape;
    const Transformer *model; /* of `model:`, whose steps come first; or NULL */
    const ModelWords *words;  /* of its texts, by TransformerSide; NULL without a model */
    const char *start, *end;  /* the tokens that a decoder's texts begin and end with; its
                                 vocabulary may lack them */
    const LessonTraining *training; /* of a model that is trained, or NULL */
    size_t step_count;
    const LessonStep *steps;
    size_t model_step_count; /* how many of them, the first ones, are the model's own */
    size_t note_count;
    const LessonNote *notes;
    const char *text; /* the text that a learner's own would stand for, or NULL */
    const Tokenizer *tokenizer;  /* what cuts it, or NULL */
    const LessonSource *sources; /* the first; NULL where there is none */
    const char *own_text;    /* the learner's own text that it was read with, or NULL */
    LessonSwitches switches; /* that it was read with */
    Changes *changes;        /* what is done to the tape by hand; goes with the lesson */
} Lesson;

/* Reads a lesson file. On failure gives NULL and at least one error in *errors (its
 * `file` is set to `path`): all that are found, not just the first. The caller destroys
 * it. */
Lesson *lesson_load(const char *path, ErrorList *errors);

/* The same with options, which are copied. Under switches, steps and words about what
 * the model then hasn't got are left out, and so is what a document prints. ERROR_VALUE
 * for a model that can't be switched so, and for a lesson without one. */
Lesson *lesson_load_with(const char *path, const LessonOptions *options,
                         ErrorList *errors);

/* The same with a text of the learner's own in place of the first text that the file has
 * (`text:` under `given:`, or a model's `source:`), wherever that stands; NULL leaves it.
 * A lesson without a text takes none: ERROR_VALUE says so. `text` is copied. */
Lesson *lesson_load_with_text(const char *path, const char *text, ErrorList *errors);

/* The same from memory; `path` only names it. */
Lesson *lesson_parse(const char *path, const char *text, size_t length,
                     ErrorList *errors);

/* Only the title of a lesson's file, in the arena; false when it has none that can be
 * read. For whoever wants to name a lesson without computing it. */
bool lesson_read_title(Text *title, const char *path, Arena *arena);

/* The first word of a text that the lesson's tokenizer has no token for, not even one for
 * unknown words; new in the arena. NULL when there is none, as in lessons without a text.
 */
const char *lesson_unknown_word(const Lesson *lesson, const char *text, Arena *arena);

/* Some words of that tokenizer's vocabulary, "you, win, or, …", no longer than `length`
 * bytes without the dots; new in the arena, NULL where there are none. */
const char *lesson_some_words(const Lesson *lesson, size_t length, Arena *arena);

/* What stood in the text for a token of a row of IDs, where that tells more than the
 * token; else NULL. */
const char *lesson_written(const Lesson *lesson, size_t node, size_t index);

/* The same without training: a model with `weights: {train: …}` has the weights that
 * training begins with, and may be one that takes long to train. */
Lesson *lesson_load_untrained(const char *path, ErrorList *errors);

/* How many multiplications a lesson's training may have (see train_work): some seconds.
 */
#define LESSON_MAX_TRAINING 2e10

/* A trainer that does what the lesson's training did, or would have done, from its
 * beginning, with parameters of its own. `options` are the training's, but for the
 * epochs. NULL with trainer_create's errors. */
Trainer *lesson_trainer(const Lesson *lesson, Arena *arena, const TrainOptions *options,
                        Error *error);

/* Numbers from here on only serve to mask, and don't count for a film's reach. */
#define LESSON_FILM_REACH 1e9

/* Tensor number `index` of a step with a film, as it was in a frame. Borrows the lesson's
 * numbers and labels. */
Tensor lesson_film_tensor(const Lesson *lesson, const LessonStep *step, size_t index,
                          size_t frame);

/* NULL is fine. */
void lesson_destroy(Lesson *lesson);

/* The printed number at a cell of a step's result: false when there is none. *differs
 * says whether it is further from the lesson's original (unedited) value than half a unit
 * of its last digit. */
bool lesson_printed_at(const Lesson *lesson, const LessonStep *step, size_t row,
                       size_t col, double *value, int *decimals, bool *differs);

/* How many of a step's printed numbers there are, and how many differ. */
void lesson_count_printed(const Lesson *lesson, const LessonStep *step, size_t *printed,
                          size_t *differing);

#endif
