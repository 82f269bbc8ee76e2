/* The content of a tokenizer.json, and its models: how a word is split into tokens.
 * Private to core/text/file. */
#pragma once

#include "text/cutter.h"
#include "text/file/steps.h"
#include "text/merger.h"

enum { FILE_WORD_MAX = 1000 /* upper limit of max_input_chars_per_word */ };

/* A token that is matched whole in the text. */
typedef struct AddedToken {
    const VocabularyEntry *entry;
    const char *content;
    size_t id, length;     /* length: letters of the content */
    const Letter *letters; /* the content, normalized if `normalized` */
    bool normalized;       /* matched after the normalizer */
    bool left, right;      /* extends over white space on that side */
    bool word, special;    /* word: matches only as a separate word */
} AddedToken;

typedef struct AddedTokens {
    size_t count;
    AddedToken *items;
} AddedTokens;

struct TokenizerFile {
    Steps normalizer, pre_tokenizer;
    AddedTokens raw, normalized; /* matched before the normalizer, and after it */
    /* the model's split function */
    bool (*cut)(Cutter *cutter, const Letters *word, Error *error);
    Vocabulary *tokens; /* as in the file, by ID */
    Merger merger;
    /* prefix of continuations, suffix of a word's last piece; or "" */
    const char *prefix, *suffix;
    bool whole_words; /* a word that is a token is not split */
    bool byte_fallback, fuse_unknown;
};

/* Reads `model`, and adds its tokens to `vocabulary`, which has the added tokens
 * already. */
bool file_model_read(struct TokenizerFile *made, Tokenizer *tokenizer,
                     Vocabulary *vocabulary, JsonNode node);

/* Returns the vocabulary's name of a token of the file, in the arena. */
const char *file_model_name(const struct TokenizerFile *made, Arena *arena,
                            const char *token);
