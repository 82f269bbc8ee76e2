#include "text/bpe.h"

#include "base/strings/utf8.h"
#include "text/bpe_parts.h"

#include <assert.h>
#include <string.h>

/* How the words of the corpus stood after some merges: as pieces, as trees, and which
 * pairs stood in them. */

static bool no_memory(Error *error) {
    return error_set(error, ERROR_MEMORY, 0, 0, "no memory for a word's pieces");
}

static const char *symbol_text(const Bpe *bpe, size_t symbol) {
    return vocabulary_at(bpe->symbols, symbol)->text;
}

static void merge_parts(BpeParts *parts, const BpeMerge *merge) {
    bpe_parts_merge(parts, merge->left, merge->right, merge->result);
}

/* A word of the corpus as its characters and the mark; false when memory is short. */
static bool begin_word(BpeParts *parts, const Bpe *bpe, Arena *arena, size_t word) {
    const char *text = bpe->words[word].text;
    size_t length = strlen(text);
    *parts = (BpeParts){0, arena_alloc(arena, utf8_count(text) + 1, sizeof(BpePart))};
    if (!parts->items)
        return false;
    for (size_t at = 0; at < length;)
        parts->items[parts->count++] =
            (BpePart){bpe_parts_symbol(bpe->symbols, bpe->mark_symbol,
                                       utf8_next(text, length, &at)),
                      1};
    parts->items[parts->count++] = (BpePart){bpe->mark_symbol, 0};
    return true;
}

static const char **symbols_of(const BpeParts *parts, const Bpe *bpe, Arena *arena) {
    const char **symbols = arena_alloc(arena, parts->count, sizeof *symbols);
    for (size_t i = 0; symbols && i < parts->count; i++)
        symbols[i] = symbol_text(bpe, parts->items[i].symbol);
    return symbols;
}

bool bpe_word_after(BpeSplit *split, const Bpe *bpe, Arena *arena, size_t word,
                    size_t merges, Error *error) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    BpeParts parts;
    *split = (BpeSplit){0};
    if (!begin_word(&parts, bpe, arena, word))
        return no_memory(error);
    for (size_t i = 0; i < merges; i++)
        merge_parts(&parts, &bpe->merges[i]);
    const char **symbols = symbols_of(&parts, bpe, arena);
    if (!symbols)
        return no_memory(error);
    *split = (BpeSplit){parts.count, symbols};
    return true;
}

/* ---- trees ---- */

/* Notes what a merge is about to join; of a part, `letters` says how many leaves it has.
 */
static void note_joins(BpeTree *tree, const BpeParts *parts, const Bpe *bpe,
                       size_t merge) {
    const BpeMerge *pair = &bpe->merges[merge];
    size_t from = 0;
    for (size_t i = 0; i + 1 < parts->count; i++) {
        const BpePart *part = &parts->items[i];
        size_t middle = from + part[0].letters, end = middle + part[1].letters;
        if (part[0].symbol == pair->left && part[1].symbol == pair->right) {
            tree->joins[tree->join_count++] = (BpeJoin){merge, from, middle, end};
            middle = end;
            i++;
        }
        from = middle;
    }
}

bool bpe_word_tree(BpeTree *tree, const Bpe *bpe, Arena *arena, size_t word,
                   size_t merges, Error *error) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    BpeParts parts;
    *tree = (BpeTree){0};
    if (!begin_word(&parts, bpe, arena, word))
        return no_memory(error);
    *tree = (BpeTree){.leaf_count = parts.count,
                      .leaves = symbols_of(&parts, bpe, arena),
                      .joins = arena_alloc(arena, parts.count, sizeof *tree->joins)};
    if (!tree->leaves || !tree->joins)
        return no_memory(error);
    parts.items[parts.count - 1].letters = 1; /* the mark is a leaf, too */
    for (size_t i = 0; i < merges; i++) {
        note_joins(tree, &parts, bpe, i);
        merge_parts(&parts, &bpe->merges[i]);
    }
    return true;
}

/* ---- pairs ---- */

/* Puts a pair behind all that are at least as frequent; the last of `most` falls out. */
static void rank_pair(BpeRanking *ranking, size_t most, BpePair pair) {
    size_t at = ranking->count;
    while (at > 0 && ranking->pairs[at - 1].count < pair.count)
        at--;
    if (at == most)
        return;
    ranking->count += ranking->count < most;
    for (size_t i = ranking->count - 1; i > at; i--)
        ranking->pairs[i] = ranking->pairs[i - 1];
    ranking->pairs[at] = pair;
}

bool bpe_rank(BpeRanking *ranking, const Bpe *bpe, Arena *arena, size_t merges,
              size_t most, Error *error) {
    assert(merges <= bpe->merge_count);
    size_t symbols = 0;
    for (size_t i = 0; i < bpe->word_count; i++)
        symbols += utf8_count(bpe->words[i].text) + 1;
    Table places = {.arena = arena};
    BpePairCount *pairs = arena_alloc(arena, symbols, sizeof *pairs);
    *ranking = (BpeRanking){0, arena_alloc(arena, most, sizeof *ranking->pairs)};
    if (!pairs || !ranking->pairs)
        return no_memory(error);
    for (size_t i = 0; i < bpe->word_count; i++) {
        BpeParts word;
        if (!begin_word(&word, bpe, arena, i))
            return no_memory(error);
        for (size_t k = 0; k < merges; k++)
            merge_parts(&word, &bpe->merges[k]);
        if (!bpe_parts_count(&places, pairs, &word, bpe->words[i].count))
            return no_memory(error);
    }
    for (size_t i = 0; i < places.count; i++)
        rank_pair(ranking, most,
                  (BpePair){symbol_text(bpe, pairs[i].symbols[0]),
                            symbol_text(bpe, pairs[i].symbols[1]), pairs[i].count});
    return true;
}
