#include "text/vocabulary.h"

#include "base/array.h"
#include "base/strings/utf8.h"
#include "base/table.h"

#include <stdint.h>
#include <string.h>

struct Vocabulary {
    Arena *arena;
    size_t count, capacity;
    VocabularyEntry *entries;
    Table by_text, by_id; /* indices of entries */
    size_t next_id;
    size_t special_count, special_room;
    uint32_t *specials;       /* indices */
    bool special_begins[256]; /* flags of special tokens' first bytes */
};

Vocabulary *vocabulary_create(Arena *arena, size_t first_id) {
    Vocabulary *vocabulary = arena_alloc(arena, 1, sizeof *vocabulary);
    *vocabulary = (Vocabulary){.arena = arena,
                               .by_text = {.arena = arena},
                               .by_id = {.arena = arena},
                               .next_id = first_id};
    return vocabulary;
}

/* Reports whether the text is a valid token. */
static bool check_text(const char *text, size_t length, Error *error) {
    char shortened[UTF8_SHORT_SIZE];
    if (!length)
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a token is empty; it needs at least one character");
    if (length > VOCABULARY_TOKEN_SIZE_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "the token '%s' has %zu bytes; a token has at most %d",
                         utf8_shorten(shortened, text, length), length,
                         VOCABULARY_TOKEN_SIZE_MAX);
    size_t valid = utf8_check(text, length);
    if (valid < length)
        return error_set(
            error, ERROR_ENCODING, 0, 0,
            "byte %zu of the token '%s' is 0x%02X, which is not UTF-8 there; "
            "a token is UTF-8",
            valid + 1, utf8_shorten(shortened, text, length),
            (unsigned)(unsigned char)text[valid]);
    if (memchr(text, 0, length))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "a token has a zero byte; it can have any other character");
    return true;
}

/* Reports whether there is room for the entry, and its text and ID are new. */
static bool check_entry(const Vocabulary *vocabulary, const VocabularyEntry *entry,
                        Error *error) {
    char shortened[UTF8_SHORT_SIZE], owner[UTF8_SHORT_SIZE];
    if (!check_text(entry->text, entry->length, error))
        return false;
    utf8_shorten(shortened, entry->text, entry->length);
    const VocabularyEntry *same =
        vocabulary_lookup(vocabulary, entry->text, entry->length);
    if (same)
        return error_set(error, ERROR_NAME, 0, 0,
                         "'%s' is in the vocabulary already, with ID %zu; every token "
                         "stands there once",
                         shortened, same->id);
    if (vocabulary->count == VOCABULARY_TOKENS_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "'%s' is one token too many; a vocabulary has at most %d",
                         shortened, VOCABULARY_TOKENS_MAX);
    if (entry->special && vocabulary->special_count == VOCABULARY_SPECIALS_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "'%s' is one special token too many; there are at most %d",
                         shortened, VOCABULARY_SPECIALS_MAX);
    if (entry->id > VOCABULARY_ID_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "'%s' would get ID %zu; the largest is %d", shortened, entry->id,
                         VOCABULARY_ID_MAX);
    const VocabularyEntry *taken = vocabulary_lookup_id(vocabulary, entry->id);
    if (taken)
        return error_set(error, ERROR_NAME, 0, 0,
                         "ID %zu is '%s' already; '%s' needs one of its own", entry->id,
                         utf8_shorten(owner, taken->text, taken->length), shortened);
    return true;
}

bool vocabulary_add_entry(Vocabulary *vocabulary, VocabularyEntry entry, Error *error) {
    if (!check_entry(vocabulary, &entry, error))
        return false;
    size_t index = vocabulary->count;
    VocabularyEntry *entries = vocabulary->entries =
        array_reserve(vocabulary->arena, vocabulary->entries, index,
                      &vocabulary->capacity, sizeof *entries);
    vocabulary->specials =
        array_reserve(vocabulary->arena, vocabulary->specials, vocabulary->special_count,
                      &vocabulary->special_room, sizeof *vocabulary->specials);
    entry.text = arena_copy(vocabulary->arena, entry.text, entry.length);
    entries[vocabulary->count++] = entry;
    table_add(&vocabulary->by_text, entry.text, entry.length, index);
    /* The key is this copy of the entry, which stays in the arena when entries grow. */
    table_add(&vocabulary->by_id, &entries[index].id, sizeof entry.id, index);
    if (entry.special) {
        vocabulary->specials[vocabulary->special_count++] = (uint32_t)index;
        vocabulary->special_begins[(unsigned char)entry.text[0]] = true;
    }
    return true;
}

static bool add_counted(Vocabulary *vocabulary, const char *text, size_t length,
                        bool special, Error *error) {
    while (vocabulary_lookup_id(vocabulary, vocabulary->next_id))
        vocabulary->next_id++;
    VocabularyEntry entry = {text, length, vocabulary->next_id, special};
    return vocabulary_add_entry(vocabulary, entry, error);
}

bool vocabulary_add(Vocabulary *vocabulary, const char *text, size_t length,
                    Error *error) {
    return add_counted(vocabulary, text, length, false, error);
}

bool vocabulary_add_special(Vocabulary *vocabulary, const char *text, size_t length,
                            Error *error) {
    return add_counted(vocabulary, text, length, true, error);
}

size_t vocabulary_count(const Vocabulary *vocabulary) {
    return vocabulary->count;
}

const VocabularyEntry *vocabulary_at(const Vocabulary *vocabulary, size_t index) {
    return &vocabulary->entries[index];
}

const VocabularyEntry *vocabulary_lookup(const Vocabulary *vocabulary, const char *text,
                                         size_t length) {
    size_t index;
    bool known = table_lookup(&vocabulary->by_text, text, length, &index);
    return known ? &vocabulary->entries[index] : NULL;
}

const VocabularyEntry *vocabulary_lookup_id(const Vocabulary *vocabulary, size_t id) {
    size_t index;
    bool known = table_lookup(&vocabulary->by_id, &id, sizeof id, &index);
    return known ? &vocabulary->entries[index] : NULL;
}

enum { SPECIAL_COST = 20 }; /* operations per comparison with a special token */

const VocabularyEntry *vocabulary_special_at(const Vocabulary *vocabulary,
                                             const char *text, size_t length) {
    const VocabularyEntry *longest = NULL;
    if (!length || !vocabulary->special_begins[(unsigned char)text[0]])
        return NULL;
    arena_spend(vocabulary->arena, ARENA_WORK_TEXTS,
                SPECIAL_COST * (double)vocabulary->special_count);
    for (size_t i = 0; i < vocabulary->special_count; i++) {
        const VocabularyEntry *entry = &vocabulary->entries[vocabulary->specials[i]];
        if (entry->length <= length && (!longest || entry->length > longest->length) &&
            memcmp(entry->text, text, entry->length) == 0)
            longest = entry;
    }
    return longest;
}
