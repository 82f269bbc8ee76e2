#include "lesson/content/lesson.h"

#include "lesson/content/content.h"
#include "lesson/content/own_words.h"
#include "lesson/content/sources.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Matching the learner's own text with a lesson's vocabulary. */

static const char BLANKS[] = " \t\r\n";

/* Reports whether a word can be tokenized; leaves a little memory used in the arena. */
static bool can_tokenize(const Tokenizer *tokenizer, const char *word, size_t length,
                         Arena *arena) {
    Tokenizer bare = *tokenizer;
    TextPieces pieces;
    Error error;
    bare.begin = bare.end = NULL;
    return tokenizer_cut(&pieces, &bare, arena, word, length, &error) ||
           error.code != ERROR_NAME;
}

/* Reports whether the word at *at is known, and moves *at behind it and the blanks after
 * it. */
static bool can_tokenize_next(const Lesson *lesson, const char **at, Arena *arena) {
    if (lesson->chosen)
        return own_words_next(lesson->chosen, at) < lesson->chosen->vocabulary.count;
    size_t length = strcspn(*at, BLANKS);
    const char *word = *at;
    *at += length;
    *at += strspn(*at, BLANKS);
    return !lesson->tokenizer || can_tokenize(lesson->tokenizer, word, length, arena);
}

const char *lesson_unknown_word(const Lesson *lesson, const char *text, Arena *arena) {
    for (const char *at = text + strspn(text, BLANKS); *at;) {
        const char *word = at;
        if (!can_tokenize_next(lesson, &at, arena))
            return arena_copy(arena, word, strcspn(word, BLANKS));
    }
    return NULL;
}

/* ---- spelling of the lesson's words ---- */

static bool is_word_list(const Tokenizer *tokenizer) {
    return tokenizer && strcmp(tokenizer->kind->name, "whitespace") == 0;
}

/* Returns the vocabulary's word that equals `length` bytes except for case; NULL if there
 * is none, or they are in the vocabulary themselves. */
static const char *folded(const Vocabulary *vocabulary, const char *word, size_t length) {
    const char *found = NULL;
    if (vocabulary_lookup(vocabulary, word, length))
        return NULL;
    for (size_t i = 0; !found && i < vocabulary_count(vocabulary); i++) {
        const VocabularyEntry *entry = vocabulary_at(vocabulary, i);
        if (entry->length == length && strncasecmp(entry->text, word, length) == 0)
            found = entry->text;
    }
    return found;
}

/* Returns the length without a sign at the end that no word of the vocabulary ends
 * with. */
static size_t without_sign(const Vocabulary *vocabulary, const char *word,
                           size_t length) {
    static const char *const signs[] = {".",  ",",  ";",  ":",  "!",  "?",
                                        "。", "，", "！", "？", "；", "："};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t sign = strlen(signs[i]), left = length - sign;
        if (length > sign && memcmp(word + left, signs[i], sign) == 0 &&
            (vocabulary_lookup(vocabulary, word, left) || folded(vocabulary, word, left)))
            return left;
    }
    return length;
}

static const char *as_written(const Vocabulary *vocabulary, const char *word,
                              size_t length, Arena *arena) {
    if (!vocabulary_lookup(vocabulary, word, length) && !folded(vocabulary, word, length))
        length = without_sign(vocabulary, word, length);
    const char *same = folded(vocabulary, word, length);
    return same ? same : arena_copy(arena, word, length);
}

const char *lesson_text_in_its_words(const Lesson *lesson, const char *text,
                                     Arena *arena) {
    const OwnWords *chosen = lesson->chosen;
    const char *made = NULL;
    if (!chosen && !is_word_list(lesson->tokenizer))
        return arena_copy(arena, text, strlen(text));
    for (const char *at = text + strspn(text, BLANKS); *at;) {
        size_t length = strcspn(at, BLANKS), index = 0;
        const char *word = at;
        if (chosen && (index = own_words_next(chosen, &at)) < chosen->vocabulary.count)
            word = chosen->vocabulary.items[index];
        else {
            word = chosen ? arena_copy(arena, at, length)
                          : as_written(lesson->tokenizer->vocabulary, at, length, arena);
            at += length;
            at += strspn(at, BLANKS);
        }
        made = made ? arena_format(arena, "%s %s", made, word) : word;
    }
    return made ? made : "";
}

static bool has_word(const char *const *words, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], word) == 0)
            return true;
    }
    return false;
}

const char *const *lesson_own_words(const Lesson *lesson, Arena *arena, size_t *count) {
    const OwnWords *chosen = lesson->chosen;
    bool list = is_word_list(lesson->tokenizer);
    size_t most = chosen ? chosen->vocabulary.count
                  : list ? vocabulary_count(lesson->tokenizer->vocabulary)
                         : 0;
    const char **words = arena_alloc(arena, most + 1, sizeof *words);
    *count = 0;
    for (size_t i = 0; words && i < most; i++) {
        const VocabularyEntry *entry =
            chosen ? NULL : vocabulary_at(lesson->tokenizer->vocabulary, i);
        const char *word = chosen ? chosen->vocabulary.items[i] : entry->text;
        bool special = chosen ? i < chosen->head || i + chosen->tail >= most
                              : entry->special || entry->text[0] == '[';
        if (!special && !has_word(words, *count, word))
            words[(*count)++] = word;
    }
    return words;
}

const char *lesson_some_words(const Lesson *lesson, size_t length, Arena *arena) {
    if (!lesson->tokenizer)
        return NULL;
    const Vocabulary *vocabulary = lesson->tokenizer->vocabulary;
    const char *words = NULL;
    size_t count = vocabulary_count(vocabulary), used = 0, i;
    for (i = 0; i < count; i++) {
        const VocabularyEntry *entry = vocabulary_at(vocabulary, i);
        if (entry->special)
            continue;
        if (words && used + entry->length + 2 > length)
            break;
        words = words ? arena_format(arena, "%s, %s", words, entry->text) : entry->text;
        if (!words)
            return NULL;
        used += entry->length + 2;
    }
    return words && i < count ? arena_format(arena, "%s, …", words) : words;
}

/* ---- texts about a replaced text ---- */

static bool is_letter(char byte) {
    return isalnum((unsigned char)byte) || (unsigned char)byte == '\'';
}

/* Reports whether a text contains a part as whole words, in any case. */
static bool has_words(const char *text, const char *part, size_t length) {
    for (const char *at = text; *at; at++) {
        if (strncasecmp(at, part, length) != 0)
            continue;
        bool begins = at == text || !is_letter(at[-1]) || !is_letter(part[0]);
        bool ends = !is_letter(at[length]) || !is_letter(part[length - 1]);
        if (begins && ends)
            return true;
    }
    return false;
}

/* Finds the next quotation in `words` from *at, which moves behind it; false at the
 * end. */
static bool next_quotation(const char *const mark[2], const char **at,
                           const char **quoted, size_t *length) {
    const char *begin = strstr(*at, mark[0]), *end;
    if (!begin || !(end = strstr(begin + strlen(mark[0]), mark[1])))
        return false;
    *quoted = begin + strlen(mark[0]);
    *length = (size_t)(end - *quoted);
    *at = end + strlen(mark[1]);
    return true;
}

static const char *const marks[][2] = {
    {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"«", "»"}, {"\"", "\""}};

/* Reports whether words contain two consecutive words of the text. */
static bool has_pair(const char *text, const char *words) {
    for (const char *at = text + strspn(text, BLANKS); *at;) {
        size_t first = strcspn(at, BLANKS), blanks = strspn(at + first, BLANKS);
        size_t second = strcspn(at + first + blanks, BLANKS);
        size_t length = first + blanks + second;
        if (second && has_words(words, at, length))
            return true;
        at += first + blanks;
    }
    return false;
}

bool lesson_words_lost(const Lesson *lesson, const char *words) {
    const char *quoted;
    size_t length;
    if (!lesson->own_text || !lesson->generated_text)
        return false;
    if (words[strcspn(words, "0123456789")] || has_pair(lesson->generated_text, words))
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = words;
        while (next_quotation(marks[i], &at, &quoted, &length)) {
            if (length && has_words(lesson->generated_text, quoted, length))
                return true;
        }
    }
    return false;
}

bool lesson_quotes(const char *words, const char *word) {
    const char *quoted;
    size_t length, own = strlen(word);
    for (size_t i = 0; own && i < sizeof marks / sizeof *marks; i++) {
        const char *at = words;
        while (next_quotation(marks[i], &at, &quoted, &length)) {
            for (size_t from = 0; from + own <= length; from++) {
                bool begins = !from || quoted[from - 1] == ' ';
                bool ends = from + own == length || quoted[from + own] == ' ';
                if (begins && ends && strncmp(quoted + from, word, own) == 0)
                    return true;
            }
        }
    }
    return false;
}

const char *lesson_written(const Lesson *lesson, size_t node, size_t index) {
    const LessonSource *source = lesson_source_of(lesson->sources, node);
    return source && source->written ? source->written[index] : NULL;
}
