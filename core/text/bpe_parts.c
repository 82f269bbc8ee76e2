#include "text/bpe_parts.h"

#include "base/strings/utf8.h"

uint32_t bpe_parts_symbol(const Vocabulary *symbols, uint32_t mark, uint32_t code_point) {
    char text[4];
    size_t length = utf8_encode(code_point, text);
    const VocabularyEntry *entry = vocabulary_lookup(symbols, text, length);
    return entry && entry->id != mark ? (uint32_t)entry->id : BPE_NO_SYMBOL;
}

void bpe_parts_merge(BpeParts *parts, size_t left, size_t right, size_t result) {
    BpePart *items = parts->items;
    size_t kept = 0;
    for (size_t i = 0; i < parts->count; i++) {
        items[kept] = items[i];
        if (i + 1 < parts->count && items[i].symbol == left &&
            items[i + 1].symbol == right) {
            items[kept].symbol = (uint32_t)result;
            items[kept].letters += items[++i].letters;
        }
        kept++;
    }
    parts->count = kept;
}

bool bpe_parts_count(Table *places, BpePairCount *pairs, const BpeParts *word,
                     size_t weight) {
    for (size_t k = 0; k + 1 < word->count; k++) {
        size_t next = places->count, found;
        BpePairCount pair = {{word->items[k].symbol, word->items[k + 1].symbol}, weight};
        if (table_lookup(places, pair.symbols, sizeof pair.symbols, &found)) {
            pairs[found].count += weight;
            continue;
        }
        pairs[next] = pair;
        if (!table_add(places, pairs[next].symbols, sizeof pair.symbols, next))
            return false;
    }
    return true;
}
