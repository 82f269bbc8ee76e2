/* Holds tokenizers and the learning of byte-pair encoding against
 * tests/reference/tokenizers.txt. tests/reference/tokenizers.py writes the file and says
 * what its lines mean. */
#include "base/error.h"
#include "base/strings/utf8.h"
#include "close.h"
#include "text/bpe.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1 << 15, WORDS_MAX = 1000 };

/* State set up by the lines so far. */
typedef struct Reference {
    Arena *arena;   /* vocabulary, merges */
    Arena *scratch; /* one text */
    Vocabulary *vocabulary;
    Tokenizer tokenizer;
    BpeWord words[WORDS_MAX];
    BpeOptions options;
    size_t word_count, merges_seen, words_seen; /* merge and after lines */
    size_t line, cuts, merges, states;
} Reference;

static void refuse(const Reference *reference, const char *what) {
    fail_msg("tests/reference/tokenizers.txt:%zu: %s", reference->line, what);
}

/* Takes the escapes out of a text, in place; returns its length. */
static size_t unescape(char *text) {
    char *from = text, *to = text;
    while (*from) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        uint32_t code_point = (uint32_t)strtoul(from + 1, &from, 16);
        from++;
        to += utf8_encode(code_point, to);
    }
    *to = 0;
    return (size_t)(to - text);
}

/* The next word of the line, or NULL. */
static char *next_word(char **rest) {
    return strtok_r(NULL, " \n", rest);
}

static size_t next_number(char **rest) {
    char *word = next_word(rest);
    return word ? strtoul(word, NULL, 10) : SIZE_MAX;
}

/* ---- the vocabulary and byte-pair encoding ---- */

static void begin_vocabulary(Reference *reference, char **rest) {
    reference->vocabulary = vocabulary_create(reference->arena, next_number(rest));
    assert_non_null(reference->vocabulary);
}

static void add_token(Reference *reference, char **rest, bool special) {
    Error error;
    char *text = next_word(rest);
    size_t length = unescape(text);
    if (!(special ? vocabulary_add_special : vocabulary_add)(reference->vocabulary, text,
                                                             length, &error))
        refuse(reference, error.message);
}

static void begin_bpe(Reference *reference, char **rest) {
    reference->options = (BpeOptions){.merges = next_number(rest)};
    reference->options.min_count = next_number(rest);
    char *mark = next_word(rest);
    reference->options.mark = arena_copy(reference->arena, mark, strlen(mark));
    reference->tokenizer.bpe = NULL;
    reference->word_count = reference->merges_seen = reference->words_seen = 0;
}

static void add_word(Reference *reference, char **rest) {
    BpeWord *word = &reference->words[reference->word_count++];
    assert_in_range(reference->word_count, 1, WORDS_MAX);
    word->count = next_number(rest);
    char *text = next_word(rest);
    word->text = arena_copy(reference->arena, text, unescape(text));
}

/* Returns the merges learned from the words; the first line that needs them starts the
 * training. */
static const Bpe *learned(Reference *reference) {
    Error error;
    Tokenizer *tokenizer = &reference->tokenizer;
    if (!tokenizer->bpe)
        tokenizer->bpe = bpe_learn(reference->arena, reference->words,
                                   reference->word_count, &reference->options, &error);
    if (!tokenizer->bpe)
        refuse(reference, error.message);
    return tokenizer->bpe;
}

static const char *symbol_text(const Bpe *bpe, size_t symbol) {
    return vocabulary_at(bpe->symbols, symbol)->text;
}

static void check_merge(Reference *reference, char **rest) {
    const Bpe *bpe = learned(reference);
    size_t index = reference->merges_seen++, count = next_number(rest);
    if (index >= bpe->merge_count)
        refuse(reference, "there are fewer merges");
    const BpeMerge *merge = &bpe->merges[index];
    char *left = next_word(rest), *right = next_word(rest);
    unescape(left);
    unescape(right);
    if (merge->count != count || strcmp(symbol_text(bpe, merge->left), left) != 0 ||
        strcmp(symbol_text(bpe, merge->right), right) != 0)
        refuse(reference, "it is another merge");
    const char *result = symbol_text(bpe, merge->result);
    assert_int_equal(strlen(result), strlen(left) + strlen(right));
    assert_memory_equal(result, left, strlen(left));
    assert_string_equal(result + strlen(left), right);
    reference->merges++;
}

static void check_state(Reference *reference, char **rest) {
    BpeSplit split;
    const Bpe *bpe = learned(reference);
    size_t merges = next_number(rest), word = reference->words_seen++;
    if (merges > bpe->merge_count)
        refuse(reference, "there are fewer merges");
    arena_reset(reference->scratch);
    bpe_word_after(&split, bpe, reference->scratch, word % reference->word_count, merges);
    for (size_t i = 0; i < split.count; i++) {
        char *symbol = next_word(rest);
        if (!symbol)
            refuse(reference, "there are more symbols");
        unescape(symbol);
        if (strcmp(split.symbols[i], symbol) != 0)
            refuse(reference, "there is another symbol");
    }
    if (next_word(rest))
        refuse(reference, "there are fewer symbols");
    reference->states++;
}

static void end_bpe(Reference *reference) {
    if (learned(reference)->merge_count != reference->merges_seen)
        refuse(reference, "there are more merges");
}

/* ---- cutting ---- */

static void set_tokenizer(Reference *reference, char **rest) {
    Tokenizer *tokenizer = &reference->tokenizer;
    const char *name = next_word(rest);
    for (size_t i = 0; (tokenizer->kind = tokenizer_kind(i)); i++) {
        if (strcmp(tokenizer->kind->name, name) == 0)
            break;
    }
    assert_non_null(tokenizer->kind);
    tokenizer->vocabulary = reference->vocabulary;
    tokenizer->lower_case = next_number(rest) == 1;
    bool frame = next_number(rest) == 1;
    tokenizer->begin = frame ? "[CLS]" : NULL;
    tokenizer->end = frame ? "[SEP]" : NULL;
}

/* The piece as the file writes it. */
static void write_piece(char *out, size_t size, const TextPiece *piece) {
    static const char kinds[] = {[TEXT_PIECE_WORD] = 'w',
                                 [TEXT_PIECE_CONTINUATION] = 'c',
                                 [TEXT_PIECE_SPECIAL] = 's',
                                 [TEXT_PIECE_UNKNOWN] = 'u'};
    snprintf(out, size, "%c%zu:%zu@%zu+%zu", kinds[piece->kind], piece->word, piece->id,
             piece->offset, piece->length);
}

static void check_cut(Reference *reference, char **rest) {
    Error error;
    TextPieces pieces;
    char *text = next_word(rest) + 1, found[100];
    size_t length = unescape(text);
    arena_reset(reference->scratch);
    if (!tokenizer_cut(&pieces, &reference->tokenizer, reference->scratch, text, length,
                       &error))
        refuse(reference, error.message);
    for (size_t i = 0; i < pieces.count; i++) {
        const TextPiece *piece = &pieces.items[i];
        const char *expected = next_word(rest);
        write_piece(found, sizeof found, piece);
        if (!expected || strcmp(found, expected) != 0) {
            print_error("piece %zu is %s, not %s\n", i, found,
                        expected ? expected : "there");
            refuse(reference, "the text is cut in another way");
        }
        const VocabularyEntry *entry =
            vocabulary_lookup_id(reference->vocabulary, piece->id);
        assert_string_equal(piece->text, entry->text);
    }
    if (next_word(rest))
        refuse(reference, "there are fewer pieces");
    if (pieces.count)
        assert_int_equal(pieces.words, pieces.items[pieces.count - 1].word + 1);
    reference->cuts++;
}

/* ---- the file ---- */

static void check_line(Reference *reference, char *line) {
    char *rest;
    const char *word = strtok_r(line, " \n", &rest);
    reference->line++;
    if (!word || word[0] == '#')
        return;
    if (strcmp(word, "vocabulary") == 0)
        begin_vocabulary(reference, &rest);
    else if (strcmp(word, "token") == 0)
        add_token(reference, &rest, false);
    else if (strcmp(word, "special") == 0)
        add_token(reference, &rest, true);
    else if (strcmp(word, "bpe") == 0)
        begin_bpe(reference, &rest);
    else if (strcmp(word, "word") == 0)
        add_word(reference, &rest);
    else if (strcmp(word, "merge") == 0)
        check_merge(reference, &rest);
    else if (strcmp(word, "after") == 0)
        check_state(reference, &rest);
    else if (strcmp(word, "end") == 0)
        end_bpe(reference);
    else if (strcmp(word, "tokenizer") == 0)
        set_tokenizer(reference, &rest);
    else if (strcmp(word, "cut") == 0)
        check_cut(reference, &rest);
    else
        refuse(reference, "unknown word");
}

/* GLASSFORMER_TOKENIZERS names another file that tokenizers.py wrote. */
static void test_texts_are_cut_as_by_the_published_algorithms(void **state) {
    char path[4096];
    static char line[LINE_SIZE];
    const char *source = getenv("GLASSFORMER_SOURCE");
    const char *other = getenv("GLASSFORMER_TOKENIZERS");
    assert_true(source || other);
    snprintf(path, sizeof path, "%s/tests/reference/tokenizers.txt",
             source ? source : "");
    FILE *file = fopen(other ? other : path, "r");
    assert_non_null(file);
    Reference reference = {.arena = arena_create(1u << 30),
                           .scratch = arena_create(1u << 30)};
    while (fgets(line, sizeof line, file)) {
        assert_non_null(strchr(line, '\n'));
        check_line(&reference, line);
    }
    fclose(file);
    print_message("# %zu texts, %zu merges, %zu words after merges\n", reference.cuts,
                  reference.merges, reference.states);
    if (!other)
        assert_true(reference.cuts > 2000 && reference.merges > 500 &&
                    reference.states > 500);
    arena_destroy(reference.arena);
    arena_destroy(reference.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_are_cut_as_by_the_published_algorithms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
