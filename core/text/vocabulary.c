#include "text/vocabulary.h"

#include "base/utf8.h"

#include <stdint.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* Both tables hold an entry's index + 1, 0 for a free place. They have twice as many
 * places as there is room for entries, a power of two, so that one is always free. */
struct Vocabulary {
    Arena *arena;
    size_t count, capacity;
    VocabularyEntry *entries;
    uint32_t *by_text, *by_id;
    size_t longest; /* bytes */
    size_t next_id;
    size_t special_count;
    uint32_t specials[VOCABULARY_SPECIALS_MAX]; /* indices */
    bool special_begins[256];                   /* by a special token's first byte */
};

/* FNV-1a. */
static size_t hash_text(const char *text, size_t length) {
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001B3u;
    return (size_t)(h ^ h >> 32);
}

/* Fibonacci hashing: consecutive IDs land far apart. */
static size_t hash_id(size_t id) {
    return (size_t)((uint64_t)id * 0x9E3779B97F4A7C15u >> 20);
}

/* The text's place in the table, or the free one where it would go. */
static uint32_t *place_of_text(const Vocabulary *vocabulary, const char *text,
                               size_t length) {
    size_t mask = 2 * vocabulary->capacity - 1, i = hash_text(text, length) & mask;
    for (; vocabulary->by_text[i]; i = (i + 1) & mask) {
        const VocabularyEntry *entry = &vocabulary->entries[vocabulary->by_text[i] - 1];
        if (entry->length == length && memcmp(entry->text, text, length) == 0)
            break;
    }
    return &vocabulary->by_text[i];
}

static uint32_t *place_of_id(const Vocabulary *vocabulary, size_t id) {
    size_t mask = 2 * vocabulary->capacity - 1, i = hash_id(id) & mask;
    while (vocabulary->by_id[i] && vocabulary->entries[vocabulary->by_id[i] - 1].id != id)
        i = (i + 1) & mask;
    return &vocabulary->by_id[i];
}

/* Room for `capacity` entries. False, and nothing has changed, when memory is short. */
static bool grow(Vocabulary *vocabulary, size_t capacity) {
    Vocabulary grown = *vocabulary;
    grown.capacity = capacity;
    grown.entries = arena_alloc(grown.arena, capacity, sizeof *grown.entries);
    grown.by_text = arena_alloc(grown.arena, 2 * capacity, sizeof *grown.by_text);
    grown.by_id = arena_alloc(grown.arena, 2 * capacity, sizeof *grown.by_id);
    if (!grown.entries || !grown.by_text || !grown.by_id)
        return false;
    for (size_t i = 0; i < vocabulary->count; i++) {
        grown.entries[i] = vocabulary->entries[i];
        const VocabularyEntry *entry = &grown.entries[i];
        *place_of_text(&grown, entry->text, entry->length) = (uint32_t)i + 1;
        *place_of_id(&grown, entry->id) = (uint32_t)i + 1;
    }
    *vocabulary = grown;
    return true;
}

Vocabulary *vocabulary_create(Arena *arena, size_t first_id) {
    Vocabulary *vocabulary = arena_alloc(arena, 1, sizeof *vocabulary);
    if (!vocabulary)
        return NULL;
    vocabulary->arena = arena;
    vocabulary->next_id = first_id;
    return grow(vocabulary, FIRST_CAPACITY) ? vocabulary : NULL;
}

/* Whether the text can be a token at all. */
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

/* Whether there is room for the entry, and neither its text nor its ID is taken. */
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
    if (vocabulary->count == vocabulary->capacity &&
        !grow(vocabulary, 2 * vocabulary->capacity))
        goto fail;
    entry.text = arena_copy(vocabulary->arena, entry.text, entry.length);
    if (!entry.text)
        goto fail;
    uint32_t index = (uint32_t)vocabulary->count;
    *place_of_text(vocabulary, entry.text, entry.length) = index + 1;
    *place_of_id(vocabulary, entry.id) = index + 1;
    vocabulary->entries[vocabulary->count++] = entry;
    if (entry.length > vocabulary->longest)
        vocabulary->longest = entry.length;
    if (entry.special) {
        vocabulary->specials[vocabulary->special_count++] = index;
        vocabulary->special_begins[(unsigned char)entry.text[0]] = true;
    }
    return true;
fail:
    return error_set(error, ERROR_MEMORY, 0, 0, "no memory for another token");
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
    if (!length || length > vocabulary->longest)
        return NULL;
    uint32_t found = *place_of_text(vocabulary, text, length);
    return found ? &vocabulary->entries[found - 1] : NULL;
}

const VocabularyEntry *vocabulary_lookup_id(const Vocabulary *vocabulary, size_t id) {
    uint32_t found = *place_of_id(vocabulary, id);
    return found ? &vocabulary->entries[found - 1] : NULL;
}

const VocabularyEntry *vocabulary_special_at(const Vocabulary *vocabulary,
                                             const char *text, size_t length) {
    const VocabularyEntry *longest = NULL;
    if (!length || !vocabulary->special_begins[(unsigned char)text[0]])
        return NULL;
    for (size_t i = 0; i < vocabulary->special_count; i++) {
        const VocabularyEntry *entry = &vocabulary->entries[vocabulary->specials[i]];
        if (entry->length <= length && (!longest || entry->length > longest->length) &&
            memcmp(entry->text, text, entry->length) == 0)
            longest = entry;
    }
    return longest;
}
