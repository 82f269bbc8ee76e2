/* The lesson reader: state shared by the code that reads the parts of a lesson, from its
 * tensors to its changes; lesson/load/load.c calls them in order. Only they include this.
 *
 * A file becomes a YAML tree, the tree a LessonSpec with all keys checked, and the spec
 * the lesson: names are resolved, expressions computed, the model built. */
#pragma once

#include "lesson/content/content.h"
#include "lesson/content/own_words.h"
#include "lesson/content/sources.h"
#include "lesson/formula/formula.h"
#include "lesson/read/spec.h"
#include "tensor/tensor.h"

/* Numbers in a lesson file: given, random and printed ones. */

/* Reads a given tensor: a number [1,1], a list [1,n], a list of lists, or {random: [rows,
 * cols], seed: N, scale: S} (standard normal times S, 1 by default; seed 0 by default;
 * base/random.h). Its values are new in the arena; `name` is used in messages.
 * ERROR_VALUE, ERROR_SHAPE for rows of unequal length, ERROR_LIMIT. */
bool numbers_read(Arena *arena, const GivenSpec *spec, const char *name, Tensor *tensor,
                  ErrorList *errors);

/* Reads printed numbers: like a given tensor's, but without `random`, and with `_` or `~`
 * for a cell that the source does not print. New in the arena; NULL on failure. */
const LessonPrinted *numbers_read_printed(Arena *arena, const YamlNode *node,
                                          ErrorList *errors);

/* Text in a lesson file: vocabularies, and tokenized texts.
 *
 *   vocabularies:
 *     V: {corpus: ["when you play", "you win"], first: 1, special: ["[PAD]"]}
 *   given:
 *     ids: {text: "you play", vocabulary: V, begin: "<sos>"}
 *
 * A vocabulary has a tokenizer (`tokenizer`, see text/tokenizer.h; whitespace by default)
 * and tokens: `special` ones first, then `tokens` (a list, or a mapping to IDs), then
 * those of a `corpus`, in order of appearance. A text becomes a row of IDs labelled with
 * its tokens. */

typedef struct TextVocabulary {
    const char *name;
    bool broken; /* it had errors: texts that use it fail without an error of their own */
    Tokenizer tokenizer;
} TextVocabulary;

typedef struct Texts {
    size_t count;
    const YamlNode *at;           /* the last vocabulary begun */
    TextVocabulary *vocabularies; /* vocabularies, in the lesson's arena */
    const char *override;         /* the learner's own text, or NULL */
    const YamlNode *override_at;  /* its position in `changes:`; NULL: not in the file */
    const char *written;          /* the file's first text as written; NULL: none yet */
    const char *first;            /* the first text as used */
    const Tokenizer *tokenizer;   /* tokenizer of the first text, in the lesson's arena */
} Texts;

/* Learns a vocabulary's tokens from a list of texts: the tokenizer's merges, if it has
 * some, else the tokens of each text. Errors of tokenizing and learning, at a text or at
 * the list. */
bool texts_learn(Tokenizer *tokenizer, Vocabulary *vocabulary, const YamlNode *corpus,
                 size_t merges, Arena *arena, ErrorList *errors);

/* Makes the vocabularies of VocabularySpecs in the file `lesson`. All errors found, each
 * with its position. */
void texts_read(Texts *texts, Arena *arena, const char *lesson, const SchemaItems *specs,
                ErrorList *errors);

/* Returns the text to use for the file's `text`, tokenized by `tokenizer`: the learner's
 * own instead of the first one, wherever that occurs. */
const char *texts_use(Texts *texts, Arena *arena, const char *text,
                      const Tokenizer *tokenizer);

/* Reports an error about the text used for a node: at the node, or at the position of the
 * learner's own text, which may not be in the file; returns false. */
bool texts_refuse(const Texts *texts, const YamlNode *node, const char *used,
                  const Error *error, ErrorList *errors);

/* Reads {text:, vocabulary:, begin:, end:}, or {vocabulary:, corpus_after: N} with the
 * words of a byte-pair encoding's corpus as after N merges, into a row [1,n] of IDs
 * labelled with their tokens, new in the arena. Fills *source, except node and next; its
 * data is in the arena, too. ERROR_NAME for an unknown vocabulary or a token that it
 * lacks, ERROR_VALUE for a text without tokens, and tokenizer_cut's errors. */
bool texts_read_given(Texts *texts, Arena *arena, const GivenSpec *spec, Tensor *ids,
                      LessonSource *source, ErrorList *errors);

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
    /* recordings of `train:` steps (training_run.c) */
    struct TrainingFilm *films;
    const struct Config *config; /* config.json beside the model's weights; NULL: none */
    const char *config_file;     /* its name relative to the lesson */
    const YamlNode *at;          /* the node being read, or NULL */
    const struct LessonStore *store; /* lesson/model/learning.h; or NULL */
    bool untrained;                  /* read a model's training without running it */
    bool outline;                    /* count the steps instead of reading them */
    bool switched; /* the model is a variant, so what doesn't fit it is left out */
    bool own; /* text or switches aren't the file's, so its cell changes don't apply */
    LessonStep *steps;  /* lesson->steps under construction: the model's come first */
    size_t model_steps; /* number of the model's steps */
    /* with `steps: listed` the last `at:` so far, or NULL; end of the nodes listed, which
     * begin with the model's first computed one */
    const YamlNode *listed;
    size_t listed_end;
    int model_line; /* line of `model:`, for model steps that have no texts yet */
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

/* Reads the `at: NAME` of a model whose steps are listed into a step of its own: which
 * nodes it has, and which it folds (notes.c). False with an error: ERROR_NAME if there is
 * no such step, or if it isn't behind the one listed before. */
bool reader_list_step(LessonReader *reader, const YamlNode *at, LessonStep *step);

/* Reads a step's question; the step's result is on the tape (question_read.c). NULL if it
 * has errors. */
const Question *reader_read_question(LessonReader *reader, const AskSpec *ask,
                                     size_t result);

/* Reads the row and the column of a cell, [S, 0, 2], whose tensor is `node`
 * (question_read.c). ERROR_VALUE if there is no such cell. */
bool reader_read_cell(LessonReader *reader, const YamlNode *cell, size_t node,
                      size_t *row, size_t *col);

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
