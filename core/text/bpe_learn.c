#include "base/utf8.h"
#include "text/bpe_merges.h"
#include "text/letters.h"
#include "text/pair_queue.h"

#include <string.h>

typedef struct Learner {
    Arena *arena;
    Bpe *bpe;
    Sequence sequence;  /* all words, one behind the other */
    uint32_t *word_of;  /* each place's */
    size_t place_count; /* places filled */
    PairQueue queue;
} Learner;

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0, "no memory to learn the merges");
}

/* ---- the words of a corpus ---- */

static bool add_word(Vocabulary *distinct, BpeWord *words, const char *text,
                     size_t length, Error *error) {
    char shortened[UTF8_SHORT_SIZE];
    if (length > BPE_WORD_MAX)
        return error_set(
            error, ERROR_LIMIT, 0, 0,
            "the word '%s' has %zu bytes; a word to learn from has at most %d",
            utf8_shorten(shortened, text, length), length, BPE_WORD_MAX);
    const VocabularyEntry *known = vocabulary_lookup(distinct, text, length);
    if (!known) {
        if (!vocabulary_add(distinct, text, length, error))
            return false;
        known = vocabulary_lookup(distinct, text, length);
        words[known->id].text = known->text;
    }
    words[known->id].count++;
    return true;
}

bool bpe_count_words(BpeWords *words, Arena *arena, const char *text, size_t length,
                     bool lower_case, Error *error) {
    Letters letters;
    *words = (BpeWords){0};
    if (!letters_check("the corpus", text, length, BPE_CORPUS_MAX, error) ||
        !letters_read(&letters, arena, text, 0, length, lower_case, error))
        return false;
    /* Each word but the last takes two letters, itself and a blank. */
    Vocabulary *distinct = vocabulary_create(arena, 0);
    BpeWord *items = arena_alloc(arena, letters.count / 2 + 1, sizeof *items);
    char *buffer = arena_alloc(arena, letters.count + 1, 4);
    if (!distinct || !items || !buffer)
        return no_memory(error);
    for (size_t start = 0, end; start < letters.count; start = end) {
        end = letters_run_end(&letters, start);
        size_t size = letters_write(letters.items + start, end - start, buffer);
        if (!letter_is_space(letters.items[start].code_point) &&
            !add_word(distinct, items, buffer, size, error))
            return false;
    }
    *words = (BpeWords){vocabulary_count(distinct), items};
    return true;
}

/* ---- checking what to learn from ---- */

static bool check_mark(const char *mark, Error *error) {
    size_t length = strlen(mark);
    if (!length)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "the end-of-word mark is empty; it needs at least one character, "
            "as in '</w>'");
    return letters_check("the end-of-word mark", mark, length, BPE_MARK_MAX, error);
}

static bool check_word(const BpeWord *word, const char *mark, Error *error) {
    char shortened[UTF8_SHORT_SIZE];
    size_t length = strlen(word->text);
    if (!length)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "a word to learn from is empty; it needs at least one character");
    if (!letters_check("a word to learn from", word->text, length, BPE_CORPUS_MAX, error))
        return false;
    utf8_shorten(shortened, word->text, length);
    if (length > BPE_WORD_MAX)
        return error_set(
            error, ERROR_LIMIT, 0, 0,
            "the word '%s' has %zu bytes; a word to learn from has at most %d", shortened,
            length, BPE_WORD_MAX);
    if (strstr(word->text, mark))
        return error_set(error, ERROR_VALUE, 0, 0,
                         "the word '%s' holds '%s', which marks a word's end; choose "
                         "another mark",
                         shortened, mark);
    if (word->count == 0)
        return error_set(
            error, ERROR_VALUE, 0, 0,
            "the word '%s' has count 0; a word to learn from stands at least "
            "once in the corpus",
            shortened);
    if (word->count > BPE_WORD_COUNT_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "the word '%s' has count %zu; the largest is %d", shortened,
                         word->count, BPE_WORD_COUNT_MAX);
    return true;
}

/* Checks everything given; *places is how many symbols the words begin with. */
static bool check_all(const BpeWord *words, size_t count, const BpeOptions *options,
                      const char *mark, size_t *places, Error *error) {
    size_t bytes = 0;
    if (options->merges > BPE_MERGES_MAX)
        return error_set(error, ERROR_LIMIT, 0, 0,
                         "%zu merges are too many to learn; there are at most %d",
                         options->merges, BPE_MERGES_MAX);
    if (!check_mark(mark, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!check_word(&words[i], mark, error))
            return false;
        bytes += strlen(words[i].text);
        if (bytes > BPE_CORPUS_MAX)
            return error_set(error, ERROR_LIMIT, 0, 0,
                             "the words to learn from have more than %d bytes together",
                             BPE_CORPUS_MAX);
        *places += utf8_count(words[i].text) + 1;
    }
    return true;
}

/* ---- learning ---- */

/* The number of a symbol; a new one is added. */
static bool find_symbol(const Learner *learner, const char *text, size_t length,
                        uint32_t *symbol, Error *error) {
    Vocabulary *symbols = learner->bpe->symbols;
    const VocabularyEntry *known = vocabulary_lookup(symbols, text, length);
    if (!known) {
        if (!vocabulary_add(symbols, text, length, error))
            return false;
        known = vocabulary_at(symbols, vocabulary_count(symbols) - 1);
    }
    *symbol = (uint32_t)known->id;
    return true;
}

/* Copies a word and lays out its characters and the mark. */
static bool lay_out(Learner *learner, size_t index, BpeWord word, Error *error) {
    Bpe *bpe = learner->bpe;
    size_t length = strlen(word.text), start = learner->place_count;
    size_t *end = &learner->place_count;
    uint32_t *symbols = learner->sequence.symbols;
    for (size_t at = 0, from = 0; at < length; from = at) {
        utf8_next(word.text, length, &at);
        if (!find_symbol(learner, word.text + from, at - from, &symbols[(*end)++], error))
            return false;
    }
    if (!find_symbol(learner, bpe->mark, bpe->mark_length, &symbols[(*end)++], error))
        return false;
    bpe->mark_symbol = symbols[*end - 1];
    sequence_link(&learner->sequence, start, *end);
    for (size_t i = start; i < *end; i++)
        learner->word_of[i] = (uint32_t)index;
    bpe->words[index] =
        (BpeWord){arena_copy(learner->arena, word.text, length), word.count};
    return bpe->words[index].text || no_memory(error);
}

/* Counts the pair at the place, if there is one. */
static bool count_pair(Learner *learner, uint32_t place) {
    const Sequence *sequence = &learner->sequence;
    if (place == SEQUENCE_NONE || sequence->next[place] == SEQUENCE_NONE)
        return true;
    return pair_queue_add(&learner->queue, sequence->symbols[place],
                          sequence->symbols[sequence->next[place]], place,
                          learner->bpe->words[learner->word_of[place]].count);
}

static void discount_pair(Learner *learner, uint32_t place) {
    const Sequence *sequence = &learner->sequence;
    if (place == SEQUENCE_NONE || sequence->next[place] == SEQUENCE_NONE)
        return;
    pair_queue_remove(&learner->queue, sequence->symbols[place],
                      sequence->symbols[sequence->next[place]],
                      learner->bpe->words[learner->word_of[place]].count);
}

/* Joins the pair at the place; its neighbours now are neighbours of the result. */
static bool join(Learner *learner, uint32_t place, uint32_t result) {
    Sequence *sequence = &learner->sequence;
    uint32_t before = sequence->previous[place];
    discount_pair(learner, before);
    discount_pair(learner, place);
    discount_pair(learner, sequence->next[place]);
    sequence_join(sequence, place, result);
    return count_pair(learner, before) && count_pair(learner, place);
}

/* Keeps the merge as the last one, and its result as the last symbol. The result is
 * always new: no join ever crossed its ends, so wherever its text stands, the same joins
 * have made it at the same time. */
static bool record(Learner *learner, const Pair *pair, Error *error) {
    char text[2 * VOCABULARY_TOKEN_SIZE_MAX];
    Bpe *bpe = learner->bpe;
    const VocabularyEntry *left = vocabulary_at(bpe->symbols, pair->left);
    const VocabularyEntry *right = vocabulary_at(bpe->symbols, pair->right);
    memcpy(text, left->text, left->length);
    memcpy(text + left->length, right->text, right->length);
    if (!vocabulary_add(bpe->symbols, text, left->length + right->length, error))
        return false;
    if (!pair_table_add(&bpe->ranks, pair->left, pair->right, (uint32_t)bpe->merge_count))
        return no_memory(error);
    bpe->merges[bpe->merge_count++] = (BpeMerge){
        .left = pair->left,
        .right = pair->right,
        .result = vocabulary_count(bpe->symbols) - 1,
        .count = pair->count,
    };
    return true;
}

/* Merges the pair everywhere, from left to right. */
static bool merge(Learner *learner, Pair pair, Error *error) {
    const Bpe *bpe = learner->bpe;
    if (!record(learner, &pair, error))
        return false;
    uint32_t place, result = (uint32_t)bpe->merges[bpe->merge_count - 1].result;
    while (pair_queue_take(&learner->queue, pair.left, pair.right, &place)) {
        if (!join(learner, place, result))
            return no_memory(error);
    }
    return true;
}

static bool learn(Learner *learner, const BpeWord *words, size_t count,
                  const BpeOptions *options, Error *error) {
    size_t min_count = options->min_count ? options->min_count : 1;
    learner->bpe->word_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!lay_out(learner, i, words[i], error))
            return false;
    }
    for (size_t i = 0; i < learner->place_count; i++) {
        if (!count_pair(learner, (uint32_t)i))
            return no_memory(error);
    }
    while (learner->bpe->merge_count < options->merges) {
        const Pair *best = pair_queue_best(&learner->queue);
        if (!best || best->count < min_count)
            break;
        if (!merge(learner, *best, error))
            return false;
    }
    return true;
}

Bpe *bpe_learn(Arena *arena, const BpeWord *words, size_t count,
               const BpeOptions *options, Error *error) {
    const char *mark = options->mark ? options->mark : "</w>";
    size_t places = 0;
    if (!check_all(words, count, options, mark, &places, error))
        return NULL;
    /* Each merge joins at least one pair, and each join takes a symbol away. */
    size_t merges = options->merges < places ? options->merges : places;
    Learner learner = {.arena = arena, .bpe = arena_alloc(arena, 1, sizeof(Bpe))};
    Bpe *bpe = learner.bpe;
    if (!bpe || !sequence_init(&learner.sequence, arena, places))
        goto no_memory;
    learner.word_of = arena_alloc(arena, places, sizeof *learner.word_of);
    learner.queue = (PairQueue){.arena = arena, .sequence = &learner.sequence};
    *bpe = (Bpe){.mark = arena_copy(arena, mark, strlen(mark)),
                 .mark_length = strlen(mark),
                 .mark_symbol = SEQUENCE_NONE,
                 .words = arena_alloc(arena, count, sizeof *bpe->words),
                 .symbols = vocabulary_create(arena, 0),
                 .merges = arena_alloc(arena, merges, sizeof *bpe->merges),
                 .ranks = {.arena = arena}};
    if (!learner.word_of || !bpe->mark || !bpe->words || !bpe->symbols || !bpe->merges)
        goto no_memory;
    return learn(&learner, words, count, options, error) ? bpe : NULL;
no_memory:
    no_memory(error);
    return NULL;
}
