/* The words of a `model:` block: its vocabularies, and texts read as IDs.
 *
 * IDs are counted from 1; 0 is padding, "<pad>", unless they are unpadded. Tokens written
 * <so> or [so] are special: a tokenizer takes them out of a text whole. All of it lives
 * in the lesson's arena. */
#ifndef LESSON_MODEL_WORDS_H
#define LESSON_MODEL_WORDS_H

#include "lesson/read/texts.h"
#include "tensor/tensor.h"

typedef struct ModelWords {
    Arena *arena;
    Tokenizer tokenizer;
    Vocabulary *made; /* while it is made; NULL where it has a name */
    size_t ids;       /* IDs are smaller than this */
    bool unpadded;    /* 0 is a token's */
    const char *const
        *tokens; /* `ids` of them, "" for none; NULL where only their number is known */
} ModelWords;

/* How the words of a `model:` block are made. */
typedef struct ModelWordsSource {
    const YamlNode *vocabulary; /* a list of tokens, how many there are, or a name … */
    const Texts *texts;         /* … of these vocabularies; or NULL: from … */
    const YamlNode *corpus; /* … texts whose tokens they are, in order of appearance */
    const TokenizerKind *tokenizer;
    size_t merges;           /* how many "bpe" learns from the corpus */
    const char *start, *end; /* special tokens put behind a corpus' tokens */
    bool unpadded;           /* ID 0 is a token like others */
} ModelWordsSource;

/* Makes the vocabulary of one side of the model. ERROR_VALUE, ERROR_NAME for a token that
 * comes twice and an unknown tokenizer, ERROR_LIMIT, ERROR_MEMORY. */
bool model_words_read(ModelWords *words, Arena *arena, const ModelWordsSource *source,
                      ErrorList *errors);

/* What IDs are called, `ids` of them: their tokens, or where only their number is known
 * the IDs themselves, as the logits' first column is not that of ID 0. */
const char *const *model_words_labels(const ModelWords *words);

/* Reads a text as a row of IDs, labelled with their tokens. Before it stands `start`,
 * where the vocabulary has it (NULL: nothing); `what` names the text in errors.
 * ERROR_VALUE when it has no words or the tokens are not known, tokenizer_cut's,
 * ERROR_MEMORY; none has a place. */
bool model_words_text(const ModelWords *words, const char *text, const char *what,
                      const char *start, Tensor *ids, Error *error);

/* Reads a text, a list of tokens or a list of IDs as a row of IDs, labelled where tokens
 * are known. Before each of them stands `start`, where the vocabulary has it and they
 * don't begin with it already (NULL: nothing): "you win", [you, win] and [2, 8] are read
 * as <sos> you win, and so are "<sos> you win" and [<sos>, you, win]. A vocabulary that
 * is only a number has no start. ERROR_VALUE for an ID that there is not, ERROR_NAME for
 * an unknown token. */
bool model_words_ids(const ModelWords *words, const YamlNode *node, const char *what,
                     const char *start, Tensor *ids, ErrorList *errors);

#endif
