/* What a tokenizer.json consists of once it is read, and its models: how a word becomes
 * tokens. Private to core/text/file. */
#ifndef TEXT_FILE_MODEL_H
#define TEXT_FILE_MODEL_H

#include "text/cutter.h"
#include "text/file/steps.h"
#include "text/merger.h"

enum { FILE_WORD_MAX = 1000 /* max_input_chars_per_word is at most that */ };

/* A token that is taken out of a text whole. */
typedef struct AddedToken {
    const VocabularyEntry *entry;
    const char *content;
    size_t id, length;     /* of the content, in letters, … */
    const Letter *letters; /* … as it is looked for */
    bool normalized;       /* it is looked for after the normalizer, … */
    bool left, right;      /* … takes white space along, … */
    bool word, special;    /* … stands by itself only */
} AddedToken;

typedef struct AddedTokens {
    size_t count;
    AddedToken *items;
} AddedTokens;

struct TokenizerFile {
    Steps normalizer, pre_tokenizer;
    AddedTokens raw, normalized; /* looked for before the normalizer, and after it */
    bool (*cut)(Cutter *cutter, const Letters *word, Error *error); /* the model's */
    Vocabulary *tokens; /* as the file writes them, by their IDs */
    Merger merger;
    const char *prefix, *suffix; /* of pieces that go on, of a word's last; or "" */
    bool whole_words;            /* a word that is a token is not cut */
    bool byte_fallback, fuse_unknown;
};

/* Reads `model`, and adds its tokens to `vocabulary`, in which the added ones are. */
bool file_model_read(struct TokenizerFile *made, Tokenizer *tokenizer,
                     Vocabulary *vocabulary, JsonNode node);

/* What a token of the file is called: a text in the arena. */
const char *file_model_name(const struct TokenizerFile *made, Arena *arena,
                            const char *token);

#endif
