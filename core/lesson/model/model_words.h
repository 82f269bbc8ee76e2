/* The vocabularies of a `model:` block, and its texts as IDs.
 *
 * IDs are counted from 1; 0 is padding, "<pad>", unless they are unpadded. Tokens written
 * <so> or [so] are special: tokenizers match them whole. All data lives in the lesson's
 * arena. */
#pragma once

#include "lesson/read/texts.h"
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
