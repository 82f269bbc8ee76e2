/* The vocabulary: which tokens there are, and the number of each.
 *
 * Tokens keep the order in which they were added, and their IDs: counted up from where
 * the vocabulary begins, or given one by one (BERT's [CLS] is 101). Special tokens, such
 * as [MASK] or <start>, are marked, so that a tokenizer takes them out of a text whole.
 * A vocabulary and its tokens live in the arena it was made in; it never forgets a token.
 */
#ifndef TEXT_VOCABULARY_H
#define TEXT_VOCABULARY_H

#include "base/arena.h"
#include "base/error.h"

enum {
    VOCABULARY_TOKENS_MAX = 1000000,
    VOCABULARY_SPECIALS_MAX = 10000,
    VOCABULARY_TOKEN_SIZE_MAX = 1024, /* bytes of one token */
    VOCABULARY_ID_MAX = 1000000000
};

typedef struct VocabularyEntry {
    const char *text; /* zero-terminated; stays where it is */
    size_t length;    /* in bytes */
    size_t id;
    bool special;
} VocabularyEntry;

typedef struct Vocabulary Vocabulary;

/* A new, empty vocabulary whose counted IDs begin at `first_id`. NULL when the arena is
 * exhausted. */
Vocabulary *vocabulary_create(Arena *arena, size_t first_id);

/* Adds `length` bytes as a token with the next ID: counted up from the first, those given
 * by hand passed over. The text is copied. When it fails, nothing has changed.
 * ERROR_VALUE: empty, or with a zero byte. ERROR_ENCODING: not UTF-8. ERROR_NAME: there
 * already. ERROR_LIMIT: past one of the limits above. ERROR_MEMORY. */
bool vocabulary_add(Vocabulary *vocabulary, const char *text, size_t length,
                    Error *error);

/* vocabulary_add of a special token. */
bool vocabulary_add_special(Vocabulary *vocabulary, const char *text, size_t length,
                            Error *error);

/* Adds a token as it stands in `entry`, with the ID given there; entry.text is copied.
 * Errors as for vocabulary_add, and ERROR_NAME when the ID is another token's. */
bool vocabulary_add_entry(Vocabulary *vocabulary, VocabularyEntry entry, Error *error);

/* The number of tokens. */
size_t vocabulary_count(const Vocabulary *vocabulary);

/* The token that was added as number `index`, from 0; index must be below the count.
 * Valid until the next token is added (its text stays). */
const VocabularyEntry *vocabulary_at(const Vocabulary *vocabulary, size_t index);

/* The token with exactly these bytes, or NULL. Valid as for vocabulary_at. */
const VocabularyEntry *vocabulary_lookup(const Vocabulary *vocabulary, const char *text,
                                         size_t length);

/* The token with this ID, or NULL. Valid as for vocabulary_at. */
const VocabularyEntry *vocabulary_lookup_id(const Vocabulary *vocabulary, size_t id);

/* The longest special token with which the `length` bytes begin, or NULL. Valid as for
 * vocabulary_at. */
const VocabularyEntry *vocabulary_special_at(const Vocabulary *vocabulary,
                                             const char *text, size_t length);

#endif
