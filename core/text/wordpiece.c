#include "text/cutter.h"

#include "text/vocabulary.h"

#include <string.h>

/* WordPiece as in BERT: in each word the longest prefix that is a token is taken, then
 * the longest prefix of the rest, written with "##" before it, until nothing is left. If
 * no prefix matches, the whole word is unknown, as is one that is too long. Source:
 * google-research/bert, tokenization.py; Wu et al. 2016, section 4.1. */

/* The word being split. `piece` has room for the prefix and the whole word. */
typedef struct Word {
    const Cutter *cutter;
    const Letter *letters;
    size_t count;
    const char *prefix;
    char *piece;
} Word;

/* Finds the range of source bytes of letters, whose order canonical ordering may have
 * changed. */
static void find_bytes(Cut *cut, const Letter *letters, size_t count) {
    cut->from = letters[0].from;
    cut->to = letters[0].to;
    for (size_t i = 1; i < count; i++) {
        cut->from = letters[i].from < cut->from ? letters[i].from : cut->from;
        cut->to = letters[i].to > cut->to ? letters[i].to : cut->to;
    }
}

/* Makes a token of the letters [start, end) of a word, with the prefix if it is a
 * continuation. */
static Cut cut_of(const Word *word, size_t start, size_t end) {
    size_t prefix = start ? strlen(word->prefix) : 0;
    Cut cut = {.text = word->piece};
    memcpy(word->piece, word->prefix, prefix);
    cut.text_length =
        prefix + letters_write(word->letters + start, end - start, word->piece + prefix);
    find_bytes(&cut, word->letters + start, end - start);
    return cut;
}

/* Operations per lookup of a token, and for each of its bytes. */
enum { LOOKUP_COST = 100, HASH_COST = 4 };

/* Returns the end of the longest token at `start`; `start` if there is none. */
static size_t longest_end(const Word *word, size_t start) {
    char ignored[4];
    Cut cut = cut_of(word, start, word->count);
    for (size_t end = word->count; end > start; end--) {
        if (!arena_spend(word->cutter->arena, ARENA_WORK_TEXTS,
                         LOOKUP_COST + HASH_COST * (double)cut.text_length))
            return start;
        if (vocabulary_lookup(word->cutter->vocabulary, cut.text, cut.text_length))
            return end;
        cut.text_length -= letters_write(&word->letters[end - 1], 1, ignored);
    }
    return start;
}

static bool add_unknown(Cutter *cutter, const Letter *letters, size_t count,
                        Error *error) {
    Cut whole;
    find_bytes(&whole, letters, count);
    return cutter_add_unknown(cutter, whole.from, whole.to, error);
}

bool wordpiece_cut_word(Cutter *cutter, const Letter *letters, size_t count,
                        Error *error) {
    const Tokenizer *tokenizer = cutter->tokenizer;
    size_t kept = cutter->pieces.count;
    Word word = {cutter, letters, count, tokenizer->prefix ? tokenizer->prefix : "##",
                 NULL};
    if (count > (tokenizer->word_max ? tokenizer->word_max : WORDPIECE_WORD_MAX))
        return add_unknown(cutter, letters, count, error);
    word.piece = arena_alloc(cutter->arena, strlen(word.prefix) + 4 * count + 1, 1);
    for (size_t start = 0, end; start < count; start = end) {
        end = cutter->collect ? count : longest_end(&word, start);
        if (end == start) {
            cutter_drop(cutter, kept);
            return add_unknown(cutter, letters, count, error);
        }
        Cut cut = cut_of(&word, start, end);
        if (!cutter_add(cutter, &cut, start == 0, error))
            return false;
    }
    return true;
}

/* Splits words, and each punctuation mark as a word of its own. */
bool wordpiece_split(Cutter *cutter, const Letters *letters, Error *error) {
    for (size_t start = 0, end; start < letters->count; start = end) {
        const Letter *word = letters->items + start;
        end = start + 1;
        if (letter_is_space(word->code_point))
            continue;
        while (!letter_is_punctuation(word->code_point) && end < letters->count &&
               !letter_is_space(letters->items[end].code_point) &&
               !letter_is_punctuation(letters->items[end].code_point))
            end++;
        cutter_begin_word(cutter);
        if (!wordpiece_cut_word(cutter, word, end - start, error))
            return false;
    }
    return true;
}
