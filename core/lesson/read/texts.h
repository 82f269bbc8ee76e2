/* Text in a lesson file: vocabularies, and texts cut into tokens.
 *
 *   vocabularies:
 *     V: {corpus: ["when you play", "you win"], first: 1, special: ["[PAD]"]}
 *   given:
 *     ids: {text: "you play", vocabulary: V, begin: "<sos>"}
 *
 * A vocabulary says how its texts are cut (`tokenizer`, see text/tokenizer.h; whitespace
 * when it doesn't), and which tokens there are: `special` ones first, then `tokens` (a
 * list, or a mapping to IDs), then what a `corpus` teaches, in order of appearance. A
 * text becomes a row of IDs whose labels are its tokens. */
#ifndef LESSON_TEXTS_H
#define LESSON_TEXTS_H

#include "lesson/content/sources.h"
#include "lesson/read/spec.h"
#include "tensor/tensor.h"

typedef struct TextVocabulary {
    const char *name;
    bool broken; /* it had errors: texts that use it fail without a sentence of their own
                  */
    Tokenizer tokenizer;
} TextVocabulary;

typedef struct Texts {
    size_t count;
    const YamlNode *at;           /* the last vocabulary that was begun */
    TextVocabulary *vocabularies; /* in the lesson's arena */
    const char *override;         /* the learner's own text, or NULL */
    const YamlNode *override_at;  /* where `changes:` says it; NULL: not in the file */
    const char *written;          /* the file's first text as written; NULL: none yet */
    const char *first;            /* the same as it is used */
    const Tokenizer *tokenizer;   /* what cuts it, in the lesson's arena */
} Texts;

/* Makes the vocabularies of VocabularySpecs in the file `lesson`. All errors found, each
 * with its place. */
void texts_read(Texts *texts, Arena *arena, const char *lesson, const SchemaItems *specs,
                ErrorList *errors);

/* The text to use where the file has `text`, which `tokenizer` cuts: the learner's own
 * for the first one, and wherever that stands again. */
const char *texts_use(Texts *texts, Arena *arena, const char *text,
                      const Tokenizer *tokenizer);

/* Says what is wrong with the text used for a node's: at the node, or where the learner's
 * own stands, which may be nowhere in the file; false. */
bool texts_refuse(const Texts *texts, const YamlNode *node, const char *used,
                  const Error *error, ErrorList *errors);

/* Reads {text:, vocabulary:, begin:, end:}, or {vocabulary:, corpus_after: N} with the
 * words of a byte-pair encoding's corpus as they were after N merges, into a row [1,n] of
 * IDs labelled with their tokens, new in the arena. *source, but for its node and next,
 * says what they were cut from; what it points to is also there.
 * ERROR_NAME for an unknown vocabulary or a token that it lacks, ERROR_VALUE for a text
 * without tokens, and tokenizer_cut's. */
bool texts_read_given(Texts *texts, Arena *arena, const GivenSpec *spec, Tensor *ids,
                      LessonSource *source, ErrorList *errors);

#endif
