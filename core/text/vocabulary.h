/* A vocabulary: tokens and their IDs.
 *
 * Tokens keep the order in which they were added, and their IDs: counted up from the
 * first ID, or given explicitly (BERT's [CLS] is 101). Special tokens, such as [MASK] or
 * <start>, are flagged, and tokenizers match them whole. A vocabulary and its tokens live
 * in the arena it was made in; tokens are never removed. */
#pragma once

#include "base/arena.h"
#include "base/error.h"

enum {
    VOCABULARY_TOKENS_MAX = 1000000,
    VOCABULARY_SPECIALS_MAX = 10000,
    VOCABULARY_TOKEN_SIZE_MAX = 1024, /* bytes of one token */
    VOCABULARY_ID_MAX = 1000000000
};

typedef struct VocabularyEntry {
    const char *text; /* zero-terminated; the address is stable */
    size_t length;    /* length in bytes */
    size_t id;
    bool special;
} VocabularyEntry;

typedef struct Vocabulary Vocabulary;

/* Creates an empty vocabulary whose counted IDs begin at `first_id`. NULL when the arena
 * is exhausted. */
Vocabulary *vocabulary_create(Arena *arena, size_t first_id);

/* Adds `length` bytes as a token with the next ID: counted up from the first, skipping
 * explicit ones. The text is copied. On failure nothing has changed. ERROR_VALUE: empty,
 * or with a zero byte. ERROR_ENCODING: not UTF-8. ERROR_NAME: already present.
 * ERROR_LIMIT: past one of the limits above. */
bool vocabulary_add(Vocabulary *vocabulary, const char *text, size_t length,
                    Error *error);

/* Adds a special token; otherwise as vocabulary_add. */
bool vocabulary_add_special(Vocabulary *vocabulary, const char *text, size_t length,
                            Error *error);

/* Adds a token with the fields of `entry`, including its ID; entry.text is copied. Errors
 * as for vocabulary_add, and ERROR_NAME if the ID is taken. */
bool vocabulary_add_entry(Vocabulary *vocabulary, VocabularyEntry entry, Error *error);

/* Returns the number of tokens. */
size_t vocabulary_count(const Vocabulary *vocabulary);

/* Returns the token that was added as number `index`, from 0, which must be below the
 * count. Valid until the next token is added (its text stays). */
const VocabularyEntry *vocabulary_at(const Vocabulary *vocabulary, size_t index);

/* Returns the token with exactly these bytes, or NULL. Valid as for vocabulary_at. */
const VocabularyEntry *vocabulary_lookup(const Vocabulary *vocabulary, const char *text,
                                         size_t length);

/* Returns the token with this ID, or NULL. Valid as for vocabulary_at. */
const VocabularyEntry *vocabulary_lookup_id(const Vocabulary *vocabulary, size_t id);

/* Returns the longest special token with which the `length` bytes begin, or NULL. Valid
 * as for vocabulary_at. */
const VocabularyEntry *vocabulary_special_at(const Vocabulary *vocabulary,
                                             const char *text, size_t length);
