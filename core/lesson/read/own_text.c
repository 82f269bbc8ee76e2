#include "lesson/read/lesson.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Where the learner's own text meets a lesson's vocabulary. */

static const char BLANKS[] = " \t\r\n";

/* Whether a word can be cut; what is left behind in the arena is small. */
static bool knows(const Tokenizer *tokenizer, const char *word, size_t length,
                  Arena *arena) {
    Tokenizer bare = *tokenizer;
    TextPieces pieces;
    Error error;
    bare.begin = bare.end = NULL;
    return tokenizer_cut(&pieces, &bare, arena, word, length, &error) ||
           error.code != ERROR_NAME;
}

const char *lesson_unknown_word(const Lesson *lesson, const char *text, Arena *arena) {
    if (!lesson->tokenizer)
        return NULL;
    for (const char *word = text + strspn(text, BLANKS); *word;) {
        size_t length = strcspn(word, BLANKS);
        if (!knows(lesson->tokenizer, word, length, arena))
            return arena_copy(arena, word, length);
        word += length;
        word += strspn(word, BLANKS);
    }
    return NULL;
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

/* ---- what is said of a text that another stands for ---- */

static bool is_letter(char byte) {
    return isalnum((unsigned char)byte) || (unsigned char)byte == '\'';
}

/* Whether a text has a part, beginning and ending with whole words; in any case. */
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

/* The next quotation in `words` behind *at, which moves on behind it; false at the end.
 */
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

bool lesson_quotes_lost(const Lesson *lesson, const char *words) {
    const char *quoted;
    size_t length;
    if (!lesson->own_text || !lesson->said_text)
        return false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = words;
        while (next_quotation(marks[i], &at, &quoted, &length)) {
            if (length && has_words(lesson->said_text, quoted, length) &&
                !has_words(lesson->own_text, quoted, length))
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
