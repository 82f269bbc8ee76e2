#include "text/wordpiece.h"

#include "text/cutter.h"

#include <assert.h>
#include <string.h>

enum { PREFIX_SIZE = 2, BUFFER_SIZE = PREFIX_SIZE + 4 * WORDPIECE_WORD_MAX };

struct TrialList {
    WordpieceTrials trials;
    size_t capacity;
};

/* The bytes that letters, which canonical order may have swapped, come from. */
static void find_bytes(Cut *cut, const Letter *letters, size_t count) {
    cut->from = letters[0].from;
    cut->to = letters[0].to;
    for (size_t i = 1; i < count; i++) {
        cut->from = letters[i].from < cut->from ? letters[i].from : cut->from;
        cut->to = letters[i].to > cut->to ? letters[i].to : cut->to;
    }
}

static bool list_trial(Cutter *cutter, const Cut *cut, bool fits, Error *error) {
    TrialList *list = cutter->trials;
    WordpieceTrials *trials = &list->trials;
    if (trials->count == WORDPIECE_TRIALS_MAX)
        return error_set(
            error, ERROR_LIMIT, 0, 0,
            "the text needs more than %d trials to cut; a shorter one can be "
            "shown",
            WORDPIECE_TRIALS_MAX);
    if (trials->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        WordpieceTrial *items = arena_alloc(cutter->arena, capacity, sizeof *items);
        if (!items)
            goto fail;
        if (trials->count)
            memcpy(items, trials->items, trials->count * sizeof *items);
        trials->items = items;
        list->capacity = capacity;
    }
    WordpieceTrial trial = {.text =
                                arena_copy(cutter->arena, cut->text, cut->text_length),
                            .offset = cut->from,
                            .length = cut->to - cut->from,
                            .word = cutter->pieces.words - 1,
                            .fits = fits};
    if (!trial.text)
        goto fail;
    trials->items[trials->count++] = trial;
    return true;
fail:
    return error_set(error, ERROR_MEMORY, 0, 0, "no memory for the trials");
}

/* Finds the longest token that the letters of a word begin with, from `start` on; *end is
 * behind it, or `start` where there is none. `buffer` then holds its text. */
static bool find_longest(Cutter *cutter, const Letter *word, size_t count, size_t start,
                         size_t *end, char buffer[BUFFER_SIZE], Error *error) {
    Cut cut = {.text = start ? buffer : buffer + PREFIX_SIZE};
    memcpy(buffer, "##", PREFIX_SIZE);
    cut.text_length = letters_write(word + start, count - start, buffer + PREFIX_SIZE) +
                      (start ? PREFIX_SIZE : 0);
    for (*end = count; *end > start; --*end) {
        bool fits = vocabulary_lookup(cutter->vocabulary, cut.text, cut.text_length);
        if (cutter->trials) {
            find_bytes(&cut, word + start, *end - start);
            if (!list_trial(cutter, &cut, fits, error))
                return false;
        }
        if (fits)
            return true;
        char ignored[4];
        cut.text_length -= letters_write(&word[*end - 1], 1, ignored);
    }
    return true;
}

/* Cuts one word into pieces, or makes it unknown. */
static bool cut_word(Cutter *cutter, const Letter *word, size_t count, Error *error) {
    char buffer[BUFFER_SIZE];
    size_t kept = cutter->pieces.count;
    Cut whole;
    find_bytes(&whole, word, count);
    cutter_begin_word(cutter);
    if (count > WORDPIECE_WORD_MAX)
        return cutter_add_unknown(cutter, whole.from, whole.to, error);
    if (cutter->collect) {
        whole.text = buffer;
        whole.text_length = letters_write(word, count, buffer);
        return cutter_add(cutter, &whole, true, error);
    }
    for (size_t start = 0, end; start < count; start = end) {
        if (!find_longest(cutter, word, count, start, &end, buffer, error))
            return false;
        if (end == start) {
            cutter_drop(cutter, kept);
            return cutter_add_unknown(cutter, whole.from, whole.to, error);
        }
        Cut cut = {.text = start ? buffer : buffer + PREFIX_SIZE};
        cut.text_length = letters_write(word + start, end - start, buffer + PREFIX_SIZE) +
                          (start ? PREFIX_SIZE : 0);
        find_bytes(&cut, word + start, end - start);
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

bool wordpiece_list_trials(WordpieceTrials *trials, const Tokenizer *tokenizer,
                           Arena *arena, const char *text, size_t length, Error *error) {
    assert(tokenizer->kind && tokenizer->kind->split == wordpiece_split);
    TrialList list = {0};
    Cutter cutter = {.tokenizer = tokenizer,
                     .vocabulary = tokenizer->vocabulary,
                     .trials = &list,
                     .arena = arena,
                     .source = text};
    *trials = (WordpieceTrials){0};
    if (!cutter_run(&cutter, length, error))
        return false;
    *trials = list.trials;
    return true;
}
