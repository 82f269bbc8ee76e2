/* Reading of a `model:` block and of steps. Only this room and lesson/load include this.
 *
 * The vocabularies of a block, and its texts as IDs (model_words.c).
 *
 * IDs are counted from 1; 0 is padding, "<pad>", unless they are unpadded. Tokens written
 * <so> or [so] are special: tokenizers match them whole. All data lives in the lesson's
 * arena. */
#pragma once

#include "lesson/read/reader.h"
#include "model/weights/config.h"
#include "model/weights/weights.h"
#include "tensor/tensor.h"

typedef struct ModelWords {
    Arena *arena;
    Tokenizer tokenizer;
    Vocabulary *made; /* while it is being made; NULL if it has a name */
    size_t ids;       /* number of IDs: they are smaller than this */
    bool unpadded;    /* ID 0 is a token */
    /* `ids` tokens, "" for unused IDs; NULL if only their number is known */
    const char *const *tokens;
} ModelWords;

/* The settings of a vocabulary. */
typedef struct ModelWordsSource {
    /* a list of tokens, their number, or a vocabulary's name */
    const YamlNode *vocabulary;
    const Texts *texts; /* the named vocabularies */
    /* without `vocabulary`: texts whose tokens make up the vocabulary, in order of
     * appearance */
    const YamlNode *corpus;
    const TokenizerKind *tokenizer;
    size_t merges;           /* number of merges that "bpe" learns from the corpus */
    const char *start, *end; /* special tokens added after a corpus's tokens */
    bool unpadded;           /* ID 0 is a regular token */
} ModelWordsSource;

/* Makes the vocabulary of one side of the model. ERROR_VALUE, ERROR_NAME for a repeated
 * token and an unknown tokenizer, ERROR_LIMIT, ERROR_MEMORY. */
bool model_words_read(ModelWords *words, Arena *arena, const ModelWordsSource *source,
                      ErrorList *errors);

/* Returns the labels of `ids` IDs: their tokens, or, if only their number is known, the
 * IDs themselves, as the logits' first column is not that of ID 0. */
const char *const *model_words_labels(const ModelWords *words);

/* Tokenizes a text to a row of IDs, labelled with their tokens, beginning with `start` if
 * the vocabulary has it (NULL: none); `what` names the text in errors. ERROR_VALUE if it
 * has no tokens or the tokens are not known, tokenizer_cut's errors, ERROR_MEMORY; all
 * without position. */
bool model_words_text(const ModelWords *words, const char *text, const char *what,
                      const char *start, Tensor *ids, Error *error);

/* Reads a text, a list of tokens or a list of IDs as a row of IDs, labelled if tokens are
 * known, beginning with `start` if the vocabulary has it and they don't begin with it
 * already (NULL: none): "you win", [you, win] and [2, 8] become <sos> you win, as do
 * "<sos> you win" and [<sos>, you, win]. A vocabulary that is only a number has no start.
 * ERROR_VALUE for an ID out of range, ERROR_NAME for an unknown token. */
bool model_words_ids(const ModelWords *words, const YamlNode *node, const char *what,
                     const char *start, Tensor *ids, ErrorList *errors);

/* Training in a lesson file: the keys of `weights: {train: …}`.
 *
 *   weights:
 *     train:
 *       pairs: [["when you play", "you win"], ["he brings", "the storm"]]
 *       epochs: 200
 *       learning_rate: 0.01
 *
 * A decoder alone has `texts:`, a list, instead of pairs. Only the reader's files include
 * this; a loaded lesson's training is described in lesson/model/learning.h. */

/* Selects the training's texts: all, or one side. */
typedef enum TrainingTexts {
    TRAINING_ALL,
    TRAINING_SOURCES,
    TRAINING_TARGETS
} TrainingTexts;

/* Returns those texts as a list in the form of `corpus:`, new in the arena; NULL if there
 * are none. */
const YamlNode *training_texts(Arena *arena, const TrainSpec *train, TrainingTexts which);

/* Vocabularies for the texts of a training. */
typedef struct TrainingWords {
    const ModelWords *source, *target;
    const char *start, *end; /* tokens added around a target */
} TrainingWords;

/* Reports whether a model of that kind can be trained with such a list; else adds an
 * error. */
bool training_suits(LessonReader *reader, const TrainSpec *train, TransformerKind kind);

/* Makes the lesson's `training`, for a model that it suits. All errors found, each with
 * its position. */
bool training_read(LessonReader *reader, const TrainSpec *train, TransformerKind kind,
                   const TrainingWords *words);

/* Reads a list of pairs, as of a training; new in the arena. NULL with all errors found.
 */
const TrainExample *training_read_pairs(LessonReader *reader, const YamlNode *list,
                                        const TrainingWords *words);

/* Counts the lesson's held-out examples, and those of them that its model answers right,
 * in lesson->held_out; nothing without a `held_out_file:`. `train` may be NULL.
 * ERROR_VALUE for a decoder alone, lesson_file_pairs' errors, training_read_pairs'. */
bool held_out_read(LessonReader *reader, const TrainSpec *train,
                   const TrainingWords *words);

/* Reads a text as decoder input and target: `target` is the begin token and the text,
 * `expected` the text and the end token. ERROR_NAME if the vocabulary lacks one of them,
 * model_words_ids' errors. */
bool training_read_target(LessonReader *reader, const YamlNode *node, const char *what,
                          const TrainingWords *words, Tensor *target, Tensor *expected);

/* Runs the training of a lesson's `weights: {train: …}`, and records it for `- train:`
 * steps.
 *
 *   steps:
 *     - train: {watch: [probabilities, encoder.0.self_attention.head.0.weights]}
 *
 * The model is on the tape with its initial weights; a trainer changes them there. The
 * tensors that steps record are stored as they were before training and after each update
 * (see LessonFilm), so that the player can move through the training as through any step.
 * `before: {NAME: TENSOR}` under `weights: {train: …}` copies a tensor of the untrained
 * model to a given one. Only the reader's files include this. */

enum {
    TRAINING_FRAMES_MOST = 20000, /* maximum number of updates in a film */
    TRAINING_FILM_CELLS = 8 << 20 /* maximum number of cells in all frames of a film */
};

/* The tensors that a step records, once the model is on the tape. */
typedef struct TrainingFilm {
    const TrainStepSpec *spec; /* the step's `train:` */
    size_t count;
    size_t *watched; /* nodes recorded */
    LessonFilm *film;
    struct TrainingFilm *next;
} TrainingFilm;

/* Trains the model, and recomputes everything made from it. A reader that is not to train
 * leaves the model as it is, and films have a single frame. All errors found: ERROR_NAME
 * for tensors that the model doesn't have, ERROR_LIMIT for films that are too large and
 * for a training that would take too long, and trainer_create's errors, at the node. */
bool training_run(LessonReader *reader, const TrainSpec *train, const Transformer *model);

/* Identity of a training: numbers that are equal only for trainings of the same results.
 */
typedef struct TrainingKey {
    Arena *arena;
    size_t count, room;
    double *numbers;
} TrainingKey;

/* Makes the key, in the arena, after the first update of a training whose record has its
 * memory (training_store.c). */
TrainingKey training_key(const LessonReader *reader, const Transformer *model,
                         Arena *arena);

/* Fills the parameters, the record of the training and its films from the reader's store,
 * which must not be NULL; false, with nothing changed, if it has nothing. */
bool training_load(const LessonReader *reader, const Transformer *model,
                   const TrainingKey *key);

/* Saves them to the reader's store. */
void training_save(const LessonReader *reader, const Transformer *model,
                   const TrainingKey *key);

/* Reads a step's `train:` into `step`. ERROR_VALUE if the lesson has no training. */
bool training_step_read(LessonReader *reader, const TrainStepSpec *spec,
                        LessonStep *step);

/* The initial weights of a `model:` block: random, also for training, or read from a
 * file. */

/* The value of `weights:`. {0} are random weights of seed 0, as without `weights:`. */
typedef struct ModelWeights {
    size_t seed;
    Random random;
    const YamlNode *file;   /* the file's name, or NULL */
    const TrainSpec *train; /* NULL: no training */
    Arena *room;            /* holds the file while the model is built */
    Weights stored;
} ModelWeights;

/* Opens the weights of a model of that shape, which must have passed transformer_check
 * and stay at its address; a training must have been read by training_read. A file's path
 * is relative to the lesson's folder. ERROR_FILE and weights_read's errors, at the node.
 * *fill is valid until model_weights_close, which must be called in any case. */
bool model_weights_open(ModelWeights *weights, LessonReader *reader,
                        const TransformerShape *shape, TransformerWeights *fill);
void model_weights_close(ModelWeights *weights);

/* config.json beside the weights of a `model:` block. */

/* Reads the config.json in the folder of the file of `model: {weights: {file: …}}` and
 * adds its values under the block's keys that the lesson doesn't give. Must be called
 * before the block is read by its schema. reader->config is then the configuration, or
 * NULL if there is none. False with an error if a value is not supported, or contradicts
 * the lesson. */
bool model_config_read(LessonReader *reader, const YamlNode *root);

/* The other texts of a `model:` block: the model, which is on the tape, reads each in a
 * group of its name, in place of `input`'s source, or of a decoder's target. All errors
 * found: ERROR_NAME for names that are taken or can't be names, model_words_text's,
 * ERROR_LIMIT for a text that is too long; each at the text. */
bool other_texts_read(LessonReader *reader, const ModelSpec *spec,
                      const ModelWords words[2], const TransformerInput *input);

/* The steps of a model: one for each part, and names for its tensors. */

/* Makes one step for each part of reader->lesson->model that is not within a layer, as
 * the reader's first.
 *
 * Padding is never generated, so the logits have no column for ID 0 (shape.first_output
 * is 1). PyTorch's generator has one, and its softmax gives padding a probability p: the
 * probabilities here are PyTorch's divided by 1 − p. If the weights are `from_file`, made
 * by PyTorch, the steps that show these numbers explain it. */
void model_steps_make(LessonReader *reader, bool from_file);

/* Gives a listed step of a model its words, view and formula, if a part has that name. */
void model_steps_describe(const LessonReader *reader, const char *name, LessonStep *step);

/* Names every tensor of the model; the names of parts and groups refer to their results.
 * ERROR_NAME if the lesson's own tensors use a name. */
bool model_steps_name(LessonReader *reader);

/* Reads the steps of a lesson file: `do:`, `show:`, `train:`, `generate:` and the words
 * of each. */

/* Makes the steps of the spec, behind the model's steps; only counts them for an
 * outline. */
void steps_read(LessonReader *reader);

/* `model:` in a lesson file. */

/* Puts the spec's model on the tape and makes its steps. Returns false on failure. */
bool model_block_read(LessonReader *reader, const ModelSpec *spec);
