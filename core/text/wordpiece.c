#include "text/cutter.h"

#include <string.h>

/* WordPiece as BERT uses it: in each word the longest beginning that is a token is taken,
 * then the longest beginning of what is left, written with "##" before it, until nothing
 * is left. When nothing fits, the whole word is unknown, and so is one that is too long.
 * Source: google-research/bert, tokenization.py; Wu et al. 2016, section 4.1. */

enum { PREFIX_SIZE = 2, BUFFER_SIZE = PREFIX_SIZE + 4 * WORDPIECE_WORD_MAX };

/* The bytes that letters, which canonical order may have swapped, come from. */
static void find_bytes(Cut *cut, const Letter *letters, size_t count) {
    cut->from = letters[0].from;
    cut->to = letters[0].to;
    for (size_t i = 1; i < count; i++) {
        cut->from = letters[i].from < cut->from ? letters[i].from : cut->from;
        cut->to = letters[i].to > cut->to ? letters[i].to : cut->to;
    }
}

/* The letters [start, end) of a word as a token: behind "##" where they go on in it. */
static Cut cut_of(const Letter *word, size_t start, size_t end,
                  char buffer[BUFFER_SIZE]) {
    Cut cut = {.text = start ? buffer : buffer + PREFIX_SIZE};
    memcpy(buffer, "##", PREFIX_SIZE);
    cut.text_length = letters_write(word + start, end - start, buffer + PREFIX_SIZE) +
                      (start ? PREFIX_SIZE : 0);
    find_bytes(&cut, word + start, end - start);
    return cut;
}

/* The end of the longest token that the letters from `start` on begin with; `start` where
 * there is none. */
static size_t longest_end(const Cutter *cutter, const Letter *word, size_t start,
                          size_t count) {
    char buffer[BUFFER_SIZE], ignored[4];
    Cut cut = cut_of(word, start, count, buffer);
    for (size_t end = count; end > start; end--) {
        if (vocabulary_lookup(cutter->vocabulary, cut.text, cut.text_length))
            return end;
        cut.text_length -= letters_write(&word[end - 1], 1, ignored);
    }
    return start;
}

static bool add_unknown(Cutter *cutter, const Letter *word, size_t count, Error *error) {
    Cut whole;
    find_bytes(&whole, word, count);
    return cutter_add_unknown(cutter, whole.from, whole.to, error);
}

/* Cuts one word into pieces, or makes it unknown. */
static bool cut_word(Cutter *cutter, const Letter *word, size_t count, Error *error) {
    char buffer[BUFFER_SIZE];
    size_t kept = cutter->pieces.count;
    cutter_begin_word(cutter);
    if (count > WORDPIECE_WORD_MAX)
        return add_unknown(cutter, word, count, error);
    for (size_t start = 0, end; start < count; start = end) {
        end = cutter->collect ? count : longest_end(cutter, word, start, count);
        if (end == start) {
            cutter_drop(cutter, kept);
            return add_unknown(cutter, word, count, error);
        }
        Cut cut = cut_of(word, start, end, buffer);
        if (!cutter_add(cutter, &cut, start == 0, error))
            return false;
    }
    return true;
}

/* A punctuation mark is a word of its own wherever it stands. */
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
        if (!cut_word(cutter, word, end - start, error))
            return false;
    }
    return true;
}
