#include "text/bpe_parts.h"

#include "base/strings/utf8.h"

uint32_t bpe_parts_symbol(const Vocabulary *symbols, uint32_t mark, uint32_t code_point) {
    char text[4];
    size_t length = utf8_encode(code_point, text);
    const VocabularyEntry *entry = vocabulary_lookup(symbols, text, length);
    return entry && entry->id != mark ? (uint32_t)entry->id : BPE_NO_SYMBOL;
}

void bpe_parts_add(BpeParts *parts, uint32_t symbol) {
    uint32_t at = (uint32_t)parts->count;
    parts->items[parts->count++] =
        (MergerPart){symbol, at, at + 1, symbol == BPE_NO_SYMBOL};
}

void bpe_parts_count(Table *indices, BpePairCount *pairs, const BpeParts *word,
                     size_t weight) {
    for (size_t k = 0; k + 1 < word->count; k++) {
        size_t next = indices->count, found;
        BpePairCount pair = {{word->items[k].symbol, word->items[k + 1].symbol}, weight};
        if (table_lookup(indices, pair.symbols, sizeof pair.symbols, &found)) {
            pairs[found].count += weight;
            continue;
        }
        pairs[next] = pair;
        table_add(indices, pairs[next].symbols, sizeof pair.symbols, next);
    }
}
