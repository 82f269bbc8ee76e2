#include "lesson/content/own_words.h"

#include "base/strings/utf8.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static const char BLANKS[] = " \t\r\n";

/* Numbers below this are masks. */
static const double MASKS = -1e9;

static bool is_special(const char *word) {
    size_t length = strlen(word);
    return length > 2 && ((word[0] == '<' && word[length - 1] == '>') ||
                          (word[0] == '[' && word[length - 1] == ']'));
}

/* Counts the special words at the ends of a list. */
static void count_ends(const SchemaStrings *list, size_t *head, size_t *tail) {
    *head = *tail = 0;
    while (*head < list->count && is_special(list->items[*head]))
        ++*head;
    while (*tail + *head < list->count &&
           is_special(list->items[list->count - 1 - *tail]))
        ++*tail;
}

OwnWords own_words_of(const SchemaStrings *tokens) {
    OwnWords words = {.vocabulary = *tokens};
    count_ends(tokens, &words.head, &words.tail);
    if (tokens->count < words.head + words.tail + 2)
        words.vocabulary.count = 0;
    return words;
}

static size_t word_count(const OwnWords *words) {
    return words->vocabulary.count - words->head - words->tail;
}

const char *own_words_text(const OwnWords *words, Arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < word_count(words); i++)
        text = arena_format(arena, "%s%s%s", text, i ? " " : "",
                            words->vocabulary.items[words->head + i]);
    return text;
}

/* ---- the learner's words ---- */

/* Returns the length of a word's match with the text: 0 unless it ends at a word
 * boundary. */
static size_t length_of(const char *word, const char *text, bool folds) {
    size_t length = strlen(word);
    bool same =
        folds ? strncasecmp(word, text, length) == 0 : strncmp(word, text, length) == 0;
    return same && (!text[length] || strchr(BLANKS, text[length])) ? length : 0;
}

size_t own_words_next(const OwnWords *words, const char **at) {
    size_t best = words->vocabulary.count, longest = 0;
    for (int folds = 0; folds < 2 && !longest; folds++) {
        for (size_t i = words->head; i + words->tail < words->vocabulary.count; i++) {
            size_t length = length_of(words->vocabulary.items[i], *at, folds);
            if (length > longest) {
                longest = length;
                best = i;
            }
        }
    }
    *at += longest;
    *at += strspn(*at, BLANKS);
    return best;
}

bool own_words_read(OwnWords *words, Arena *arena, const char *text, Error *error) {
    size_t most = strlen(text) + 1;
    const char **items = arena_alloc(arena, most, sizeof *items);
    size_t *from = arena_alloc(arena, most, sizeof *from);
    const char *at = text + strspn(text, BLANKS);
    words->items = items;
    words->from = from;
    while (*at) {
        char quoted[UTF8_SHORT_SIZE];
        const char *begin = at;
        size_t word = own_words_next(words, &at);
        if (word == words->vocabulary.count)
            return error_set(error, ERROR_NAME, 0, 0,
                             "'%s' is none of the lesson's words; they are: %s",
                             utf8_shorten(quoted, begin, strcspn(begin, BLANKS)),
                             own_words_text(words, arena));
        const char *said = words->vocabulary.items[word];
        items[words->count] = arena_copy(arena, said, strlen(said));
        from[words->count++] = word;
    }
    return words->count || error_set(error, ERROR_VALUE, 0, 0,
                                     "the text has no words; there must be one at least");
}

/* ---- adapting labels and tensors ---- */

void own_words_label(const OwnWords *words, Arena *arena, SchemaStrings *labels) {
    size_t head, tail, count = word_count(words);
    if (!words->count || !labels->items)
        return;
    count_ends(labels, &head, &tail);
    if (labels->count != head + count + tail || (head && head != words->head))
        return; /* rows selected by IDs, labelled with a vocabulary that has more words */
    for (size_t i = 0; i < count; i++) {
        if (strcmp(labels->items[head + i], words->vocabulary.items[words->head + i]) !=
            0)
            return;
    }
    const char **items = arena_alloc(arena, head + words->count + tail, sizeof *items);
    memcpy(items, labels->items, head * sizeof *items);
    memcpy(items + head, words->items, words->count * sizeof *items);
    memcpy(items + head + words->count, labels->items + head + count,
           tail * sizeof *items);
    labels->items = items;
    labels->count = head + words->count + tail;
}

/* Reports whether a tensor is a mask between pairs of positions. */
static bool is_mask(const Tensor *tensor) {
    for (size_t i = 0; tensor->rows == tensor->cols && i < tensor_cells(tensor); i++) {
        if (tensor->values[i] <= MASKS)
            return true;
    }
    return false;
}

static bool counts_positions(const Tensor *tensor) {
    for (size_t i = 0; i < tensor->cols; i++) {
        if (tensor->rows != 1 || tensor->values[i] != (double)i)
            return false;
    }
    return true;
}

/* Returns the lesson's row or column for position `index` of the new `size`. */
static size_t source_index(const OwnWords *words, size_t head, size_t index) {
    if (index < head)
        return index;
    if (index - head < words->count)
        return head + words->from[index - head] - words->head;
    return index - words->count + word_count(words);
}

bool own_words_follow(const OwnWords *words, Arena *arena, const SchemaStrings *labels,
                      bool columns, Tensor *tensor) {
    size_t head, tail, old = columns ? tensor->cols : tensor->rows;
    if (!words->count || !labels->items)
        return false;
    count_ends(labels, &head, &tail);
    if (head == labels->count || labels->items[head] != words->items[0] ||
        old != head + word_count(words) + tail || is_mask(tensor))
        return false;
    Tensor made = *tensor;
    *(columns ? &made.cols : &made.rows) = labels->count;
    bool positions = columns && counts_positions(tensor);
    made.values = arena_alloc(arena, made.rows, made.cols * sizeof *made.values);
    for (size_t i = 0; i < made.rows; i++) {
        for (size_t j = 0; j < made.cols; j++) {
            size_t row = columns ? i : source_index(words, head, i);
            size_t col = columns ? source_index(words, head, j) : j;
            made.values[i * made.cols + j] =
                positions ? (double)j : tensor->values[row * tensor->cols + col];
        }
    }
    *tensor = made;
    return true;
}
