#include "text/file/file_parts.h"

#include "text/vocabulary.h"

#include <utf8proc.h>

/* The text in progress. */
typedef struct FileCut {
    Cutter *cutter;
    const struct TokenizerFile *file;
    Letters text;
    Error *error;
    bool good;
} FileCut;

typedef bool (*CutRest)(FileCut *cut, Letters rest);

static Letters part_of(Letters letters, size_t from, size_t to) {
    return (Letters){to - from, letters.items + from};
}

/* ---- added tokens ---- */

/* Operations per comparison of a letter with a token's. */
enum { COMPARE_COST = 4 };

static bool stands_at(const AddedToken *token, Letters text, size_t at) {
    if (token->length > text.count - at)
        return false;
    for (size_t i = 0; i < token->length; i++) {
        if (token->letters[i].code_point != text.items[at + i].code_point)
            return false;
    }
    return true;
}

/* Returns the longest added token at a position, or NULL. */
static const AddedToken *added_at(const AddedTokens *tokens, Letters text, size_t at,
                                  Arena *arena) {
    const AddedToken *longest = NULL;
    double compared = (double)tokens->count;
    for (size_t i = 0; i < tokens->count; i++) {
        const AddedToken *token = &tokens->items[i];
        if (token->letters->code_point != text.items[at].code_point ||
            (longest && token->length <= longest->length))
            continue;
        compared += (double)token->length;
        longest = stands_at(token, text, at) ? token : longest;
    }
    arena_spend(arena, ARENA_WORK_TEXTS, COMPARE_COST * compared);
    return longest;
}

static bool in_word(Letters text, size_t at) {
    utf8proc_category_t kind =
        utf8proc_category((utf8proc_int32_t)text.items[at].code_point);
    return (kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_NL) ||
           kind == UTF8PROC_CATEGORY_PC;
}

static bool space_at(Letters text, size_t at) {
    return letter_is_space(text.items[at].code_point);
}

/* Finds the letters [*from, *to) that a token at a position covers, including white
 * space; false if it must be a separate word and isn't. `begin` is the end of the token
 * before it. */
static bool added_takes(const AddedToken *token, Letters text, size_t begin, size_t *from,
                        size_t *to) {
    if (token->word && ((*from > 0 && in_word(text, *from - 1)) ||
                        (*to < text.count && in_word(text, *to))))
        return false;
    while (token->left && *from > begin && space_at(text, *from - 1))
        --*from;
    while (token->right && *to < text.count && space_at(text, *to))
        ++*to;
    return true;
}

static bool add_token(FileCut *cut, const AddedToken *token, Letters taken) {
    const VocabularyEntry *entry =
        vocabulary_lookup_id(cut->cutter->vocabulary, token->id);
    cutter_add_special(cut->cutter, entry, taken.items[0].from,
                       taken.items[taken.count - 1].to);
    return true;
}

/* Extracts added tokens from the text, and passes the rest to `rest`. */
static bool take_out(FileCut *cut, const AddedTokens *tokens, Letters text,
                     CutRest rest) {
    size_t begin = 0;
    for (size_t at = 0; at < text.count;) {
        const AddedToken *token = added_at(tokens, text, at, cut->cutter->arena);
        size_t from = at, to = at + (token ? token->length : 1);
        at = to;
        if (!token || !added_takes(token, text, begin, &from, &to))
            continue;
        if ((from > begin && !rest(cut, part_of(text, begin, from))) ||
            !add_token(cut, token, part_of(text, from, to)))
            return false;
        at = begin = to;
    }
    return begin == text.count || rest(cut, part_of(text, begin, text.count));
}

/* ---- words between added tokens ---- */

/* Splits text into words, and words into tokens. */
static bool cut_words(FileCut *cut, Letters text) {
    StepWords words = {1, 1, &text};
    steps_run(&words, &cut->file->pre_tokenizer, cut->cutter->arena);
    for (size_t i = 0; i < words.count; i++) {
        if (!words.items[i].count)
            continue;
        cutter_begin_word(cut->cutter);
        if (!cut->file->cut(cut->cutter, &words.items[i], cut->error))
            return false;
    }
    return true;
}

static bool cut_normalized(FileCut *cut, Letters text) {
    StepWords words = {1, 1, &text};
    steps_run(&words, &cut->file->normalizer, cut->cutter->arena);
    return !words.count ||
           take_out(cut, &cut->file->normalized, words.items[0], cut_words);
}

static void cut_guarded(void *context) {
    FileCut *cut = context;
    cut->good = take_out(cut, &cut->file->raw, cut->text, cut_normalized);
}

bool file_split(Cutter *cutter, const Letters *letters, Error *error) {
    FileCut cut = {cutter, cutter->tokenizer->file, *letters, error, false};
    return arena_guard(cutter->arena, cut_guarded, &cut)
               ? cut.good
               : arena_error(cutter->arena, "no memory for the text's pieces", error);
}
