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
#pragma once

#include "lesson/content/sources.h"
#include "lesson/read/spec.h"
#include "tensor/tensor.h"

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
