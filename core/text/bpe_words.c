#include "text/bpe.h"

#include "base/strings/utf8.h"
#include "text/bpe_parts.h"

#include <assert.h>
#include <string.h>

/* The words of the corpus after a number of merges: as subwords, as trees, and the
 * ranking of their pairs. */

static const char *symbol_text(const Bpe *bpe, size_t symbol) {
    return vocabulary_at(bpe->symbols, symbol)->text;
}

/* Prepares a word of the corpus: its characters, the mark, and memory for merging
 * them. */
static void begin_word(BpeParts *parts, MergerRoom *room, const Bpe *bpe, Arena *arena,
                       size_t word) {
    const char *text = bpe->words[word].text;
    size_t length = strlen(text), most = utf8_count(text) + 1;
    *parts = (BpeParts){0, arena_alloc(arena, most, sizeof(MergerPart))};
    merger_room(room, arena, most);
    for (size_t at = 0; at < length;)
        bpe_parts_add(parts, bpe_parts_symbol(bpe->symbols, bpe->mark_symbol,
                                              utf8_next(text, length, &at)));
    bpe_parts_add(parts, bpe->mark_symbol);
}

static const char **symbols_of(const BpeParts *parts, const Bpe *bpe, Arena *arena) {
    const char **symbols = arena_alloc(arena, parts->count, sizeof *symbols);
    for (size_t i = 0; i < parts->count; i++)
        symbols[i] = symbol_text(bpe, parts->items[i].symbol);
    return symbols;
}

void bpe_word_after(BpeSplit *split, const Bpe *bpe, Arena *arena, size_t word,
                    size_t merges) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    BpeParts parts;
    MergerRoom room;
    begin_word(&parts, &room, bpe, arena, word);
    parts.count = merger_run(&bpe->merger, merges, parts.items, parts.count, &room, NULL);
    *split = (BpeSplit){parts.count, symbols_of(&parts, bpe, arena)};
}

/* ---- trees ---- */

void bpe_word_tree(BpeTree *tree, const Bpe *bpe, Arena *arena, size_t word,
                   size_t merges) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    BpeParts parts;
    MergerRoom room;
    begin_word(&parts, &room, bpe, arena, word);
    *tree = (BpeTree){.leaf_count = parts.count,
                      .leaves = symbols_of(&parts, bpe, arena),
                      .joins = arena_alloc(arena, parts.count, sizeof *tree->joins)};
    tree->join_count = parts.count - merger_run(&bpe->merger, merges, parts.items,
                                                parts.count, &room, tree->joins);
}

/* ---- pairs ---- */

/* Inserts a pair behind all that are at least as frequent; drops the last beyond
 * `most`. */
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

void bpe_rank(BpeRanking *ranking, const Bpe *bpe, Arena *arena, size_t merges,
              size_t most) {
    assert(merges <= bpe->merge_count);
    size_t symbols = 0;
    for (size_t i = 0; i < bpe->word_count; i++)
        symbols += utf8_count(bpe->words[i].text) + 1;
    Table indices = {.arena = arena};
    BpePairCount *pairs = arena_alloc(arena, symbols, sizeof *pairs);
    *ranking = (BpeRanking){0, arena_alloc(arena, most, sizeof *ranking->pairs)};
    for (size_t i = 0; i < bpe->word_count; i++) {
        BpeParts word;
        MergerRoom room;
        begin_word(&word, &room, bpe, arena, i);
        word.count =
            merger_run(&bpe->merger, merges, word.items, word.count, &room, NULL);
        bpe_parts_count(&indices, pairs, &word, bpe->words[i].count);
    }
    for (size_t i = 0; i < indices.count; i++)
        rank_pair(ranking, most,
                  (BpePair){symbol_text(bpe, pairs[i].symbols[0]),
                            symbol_text(bpe, pairs[i].symbols[1]), pairs[i].count});
}
