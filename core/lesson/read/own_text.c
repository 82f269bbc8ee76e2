#include "lesson/read/lesson.h"

#include <string.h>

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

const char *lesson_written(const Lesson *lesson, size_t node, size_t index) {
    const LessonSource *source = lesson_source_of(lesson->sources, node);
    return source && source->written ? source->written[index] : NULL;
}
