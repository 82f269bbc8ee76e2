/* Specs: the content of a lesson's file, before anything is made of it.
 *
 * There is a struct for each kind of mapping; spec.c has the rows that fill them. A
 * broken place has been reported, and its other fields may be missing. Numbers,
 * statements and names are stored as nodes and interpreted where they are used. */
#pragma once

#include "base/strings/language.h"
#include "lesson/content/block.h"
#include "lesson/content/choices.h"
#include "lesson/content/view.h"
#include "lesson/schema/schema.h"
#include "model/generate/generate.h"
#include "model/learn/train.h"

typedef struct Writer Writer;

enum {
    SPEC_SECONDS_MOST = 3600,     /* maximum time of a step */
    SPEC_MINUTES_MOST = 600,      /* maximum time of a lesson */
    GENERATE_LENGTH_MAX = 64,     /* maximum number of tokens that a step generates */
    GENERATE_WIDTH_MAX = 8,       /* maximum width of a beam */
    GENERATE_DRAWS_MAX = 1000000, /* maximum number of samples */
    SPEC_EXAMPLES_MOST = 100000,  /* maximum number of training examples */
    SPEC_BEFORE_MOST = 16, /* maximum number of tensors copied from the untrained model */
    SPEC_OTHERS_MOST = 8,  /* maximum number of other texts that a model reads */
    SPEC_WATCH_MOST = 4,   /* maximum number of tensors recorded by a `train` step */
    SPEC_CHANGES_MOST = 10000 /* maximum number of changes in a file */
};

/* labels: {X: {rows: [a, b]}} */
typedef struct LabelsSpec {
    SchemaPlace place;
    SchemaStrings rows, cols; /* without items: the tokens */
} LabelsSpec;

/* vocabularies: {V: {corpus: [you win]}} */
typedef struct VocabularySpec {
    SchemaPlace place;
    unsigned tokenizer; /* index of tokenizer_kind */
    SchemaStrings special, corpus;
    const YamlNode *tokens, *corpus_file, *file;
    size_t first, merges;
    bool lower_case, frame;
} VocabularySpec;

/* given: {X: [[1, 0], [0, 1]]}: numbers, or a mapping with one of random, text and
 * corpus_after. */
typedef struct GivenSpec {
    SchemaPlace place;
    size_t size[2], seed; /* random */
    double scale;
    const YamlNode *text, *vocabulary; /* text, corpus_after */
    const char *begin, *end;
    size_t corpus_after;
} GivenSpec;

/* ask: {choose: [{text: …, right: true}, …]} */
typedef struct OptionSpec {
    SchemaPlace place;
    Text text, because;
    bool right;
} OptionSpec;

/* ask: {direction: {of: [A, 0, 1], cell: [S, 0, 2], add: 1}} */
typedef struct DirectionSpec {
    SchemaPlace place;
    const YamlNode *of, *cell, *all, *mute;
    double times, add;
} DirectionSpec;

/* A question; exactly one of cell, choose, order, direction and think is present. */
typedef struct AskSpec {
    SchemaPlace place;
    size_t cell[2];
    SchemaItems choose; /* items are OptionSpec */
    SchemaTexts order;
    const DirectionSpec *direction;
    Text think, question, because;
    bool open;
} AskSpec;

/* A step that shows the training: train: {watch: [probabilities]} */
typedef struct TrainStepSpec {
    SchemaPlace place;
    SchemaStrings watch;
} TrainStepSpec;

/* A step that generates text: generate: {rule: greedy} */
typedef struct GenerateSpec {
    SchemaPlace place;
    const YamlNode *name, *text, *begin;
    DecodingOptions options; /* except the end token, which is the lesson's */
    size_t seed, draws;
} GenerateSpec;

/* A step; exactly one of compute, show, at, train and generate is present. */
typedef struct StepSpec {
    SchemaPlace place;
    const YamlNode *compute, *show, *at; /* `do:` is `compute` */
    const TrainStepSpec *train;
    const GenerateSpec *generate;
    Text concept, heading, say, chapter, tour, notes;
    size_t seconds; /* 0: not given */
    bool is_cover, explains;
    LessonView view;   /* LESSON_VIEW_NONE: not given */
    LessonBlock block; /* LESSON_BLOCK_NONE: not given */
    const YamlNode *cell, *printed;
    Text compared; /* `source:` */
    const char *document;
    const AskSpec *ask;
} StepSpec;

/* weights: {train: …} */
typedef struct TrainSpec {
    SchemaPlace place;
    const YamlNode *pairs, *pairs_file, *texts, *texts_file, *held_out_file;
    const YamlNode *before, *kept;
    OptimizerKind optimizer;
    size_t epochs, batch, seed, warmup; /* batch 0: all */
    double learning_rate, clip;
} TrainSpec;

typedef struct WeightsSpec {
    SchemaPlace place;
    size_t random; /* the seed */
    const YamlNode *file;
    const TrainSpec *train;
} WeightsSpec;

/* Steps of a model: all, one for each part; none; or those that `at:` lists. */
typedef enum ModelSteps {
    MODEL_STEPS_ALL,
    MODEL_STEPS_NONE,
    MODEL_STEPS_LISTED,
    MODEL_STEPS_COUNT
} ModelSteps;

typedef struct ModelSpec {
    SchemaPlace place;
    TransformerKind kind;
    size_t d_model, heads, kv_heads, d_ff;         /* the last two 0: not given */
    size_t layers, encoder_layers, decoder_layers; /* the last two 0: as layers */
    size_t context;                                /* 0: no limit */
    LessonNorm norm;
    double epsilon;
    size_t segments;
    bool embedding_norm, padding;
    bool final_norm, scale_embedding, biases, tie, separate;
    ModelSteps steps;
    TransformerPositions positions;
    double rotary_base;
    Activation activation;
    const YamlNode *source, *target, *expected;
    const YamlNode *other_texts; /* a mapping from names to texts, or NULL */
    const char *start, *end;
    const YamlNode *vocabulary, *target_vocabulary;
    SchemaStrings corpus, target_corpus;
    unsigned tokenizer; /* index of tokenizer_kind */
    size_t merges;
    const WeightsSpec *weights;
} ModelSpec;

/* changes: [{mute: S}]; its key is the kind of change; `value` belongs to `cell`. */
typedef struct ChangeSpec {
    SchemaPlace place;
    const YamlNode *cell, *mute;
    double value;
    const char *text;
    size_t heads;
    LessonNorm norm;
    TransformerMask mask;
    double temperature;
    size_t seed;
} ChangeSpec;

/* follow: {row: she, column: 0} */
typedef struct FollowSpec {
    SchemaPlace place;
    const YamlNode *row; /* a label or a list of labels */
    size_t column;
} FollowSpec;

typedef struct LessonSpec {
    SchemaPlace place;
    Text part, title, about, goal;
    SchemaStrings needs;
    SchemaTexts remember;
    const char *document, *section;
    size_t minutes; /* 0: not given */
    bool begins;    /* `begin_here:` */
    const FollowSpec *follow;
    bool shows_sources; /* `sources:` */
    LessonBlock block;
    SchemaStrings tokens;
    SchemaItems labels, vocabularies, given, steps, changes; /* items are LabelsSpec, … */
    const ModelSpec *model;
} LessonSpec;

/* Schema of a whole lesson's file, which fills a LessonSpec; and of a ChangeSpec. */
extern const Schema SPEC_LESSON, SPEC_CHANGE;

/* Writes the views of `as:` as a table in Markdown, for the reference. */
void spec_print_views(Writer *writer);
