#include "text/bpe.h"

#include "base/utf8.h"
#include "text/bpe_merges.h"
#include "text/cutter.h"

#include <assert.h>
#include <string.h>

size_t bpe_merge_count(const Bpe *bpe) {
    return bpe->merge_count;
}

const BpeMerge *bpe_merge(const Bpe *bpe, size_t index) {
    return &bpe->merges[index];
}

size_t bpe_word_count(const Bpe *bpe) {
    return bpe->word_count;
}

const BpeWord *bpe_word(const Bpe *bpe, size_t index) {
    return &bpe->words[index];
}

const Vocabulary *bpe_symbols(const Bpe *bpe) {
    return bpe->symbols;
}

const char *bpe_symbol(const Bpe *bpe, size_t symbol) {
    return vocabulary_at(bpe->symbols, symbol)->text;
}

bool bpe_add_symbols(Vocabulary *vocabulary, const Bpe *bpe, Error *error) {
    for (size_t i = 0; i < vocabulary_count(bpe->symbols); i++) {
        const VocabularyEntry *symbol = vocabulary_at(bpe->symbols, i);
        if (!vocabulary_lookup(vocabulary, symbol->text, symbol->length) &&
            !vocabulary_add(vocabulary, symbol->text, symbol->length, error))
            return false;
    }
    return true;
}

bool bpe_word_after(BpeSplit *split, const Bpe *bpe, Arena *arena, size_t word,
                    size_t merges, Error *error) {
    assert(word < bpe->word_count && merges <= bpe->merge_count);
    const char *text = bpe->words[word].text;
    size_t length = strlen(text), count = utf8_count(text) + 1;
    BpeMerging merging;
    *split = (BpeSplit){0};
    const char **symbols = arena_alloc(arena, count, sizeof *symbols);
    if (!bpe_merging_init(&merging, arena, count) || !symbols)
        return error_set(error, ERROR_MEMORY, 0, 0, "no memory for a word's pieces");
    const Sequence *sequence = &merging.sequence;
    size_t filled = 0;
    for (size_t at = 0; at < length;)
        sequence->symbols[filled++] = bpe_symbol_of(bpe, utf8_next(text, length, &at));
    sequence->symbols[filled] = bpe->mark_symbol;
    bpe_merging_run(&merging, bpe, count, merges);
    split->symbols = symbols;
    for (uint32_t i = 0; i != SEQUENCE_NONE; i = sequence->next[i])
        symbols[split->count++] = bpe_symbol(bpe, sequence->symbols[i]);
    return true;
}

/* ---- the tokenizer ---- */

/* Adds a character that the corpus had not, unless it can be taken for the mark. */
static bool add_character(Cutter *cutter, const Letter *letter, bool first,
                          Error *error) {
    const Bpe *bpe = cutter->tokenizer->bpe;
    char buffer[4];
    Cut cut = {buffer, letters_write(letter, 1, buffer), letter->from, letter->to};
    if (cut.text_length == bpe->mark_length &&
        memcmp(cut.text, bpe->mark, bpe->mark_length) == 0)
        return cutter_add_unknown(cutter, cut.from, cut.to, error);
    return cutter_add(cutter, &cut, first, error);
}

/* Adds the piece of a word that begins at `place`. The place behind the word's last
 * letter is the mark's, which comes from no bytes. */
static bool add_symbol(Cutter *cutter, const Sequence *sequence, const Letter *word,
                       size_t letter_count, uint32_t place, Error *error) {
    const Bpe *bpe = cutter->tokenizer->bpe;
    size_t end = sequence->next[place], to = word[letter_count - 1].to;
    if (place == letter_count) {
        Cut cut = {bpe->mark, bpe->mark_length, to, to};
        return cutter_add(cutter, &cut, false, error);
    }
    if (sequence->symbols[place] == SEQUENCE_NONE)
        return add_character(cutter, &word[place], place == 0, error);
    const VocabularyEntry *entry = vocabulary_at(bpe->symbols, sequence->symbols[place]);
    Cut cut = {entry->text, entry->length, word[place].from,
               end < letter_count ? word[end - 1].to : to};
    return cutter_add(cutter, &cut, place == 0, error);
}

static bool cut_word(Cutter *cutter, BpeMerging *merging, const Letter *word,
                     size_t letter_count, Error *error) {
    const Bpe *bpe = cutter->tokenizer->bpe;
    const Sequence *sequence = &merging->sequence;
    for (size_t i = 0; i < letter_count; i++)
        sequence->symbols[i] = bpe_symbol_of(bpe, word[i].code_point);
    sequence->symbols[letter_count] = bpe->mark_symbol;
    bpe_merging_run(merging, bpe, letter_count + 1, bpe->merge_count);
    cutter_begin_word(cutter);
    for (uint32_t i = 0; i != SEQUENCE_NONE; i = sequence->next[i]) {
        if (!add_symbol(cutter, sequence, word, letter_count, i, error))
            return false;
    }
    return true;
}

bool bpe_split(Cutter *cutter, const Letters *letters, Error *error) {
    assert(cutter->tokenizer->bpe);
    BpeMerging merging;
    size_t longest = 0;
    for (size_t start = 0, end; start < letters->count; start = end) {
        end = letters_run_end(letters, start);
        longest = end - start > longest ? end - start : longest;
    }
    if (!bpe_merging_init(&merging, cutter->arena, longest + 1))
        return error_set(error, ERROR_MEMORY, 0, 0, "no memory for the words' pieces");
    for (size_t start = 0, end; start < letters->count; start = end) {
        const Letter *word = letters->items + start;
        end = letters_run_end(letters, start);
        if (!letter_is_space(word->code_point) &&
            !cut_word(cutter, &merging, word, end - start, error))
            return false;
    }
    return true;
}
