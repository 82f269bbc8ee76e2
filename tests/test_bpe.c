/* Learning byte-pair encoding by hand; tests/test_tokenizer_reference.c holds hundreds of
 * merges against another program's. */
#include "base/error.h"
#include "text/bpe.h"
#include "text/vocabulary.h"

#include "base/random.h"
#include "base/strings/utf8.h"
#include "close.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The paper's example. */
static const BpeWord PAPER[] = {{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};

/* The symbols of a word after so many merges, with blanks between. */
static const char *word_after(const Bpe *bpe, Arena *arena, size_t word, size_t merges) {
    BpeSplit split;
    const char *text = "";
    bpe_word_after(&split, bpe, arena, word, merges);
    for (size_t i = 0; i < split.count; i++)
        text = arena_format(arena, "%s%s%s", text, i ? " " : "", split.symbols[i]);
    return text;
}

static const char *symbol_text(const Bpe *bpe, size_t symbol) {
    return vocabulary_at(bpe->symbols, symbol)->text;
}

static void test_merges_are_those_of_the_paper(void **state) {
    /* Counted by hand. After "est</w>" the pairs l o and o w stand 7 times each, l o
     * first; n e, e w and w est</w> 6 times each. */
    static const struct {
        const char *left, *right;
        size_t count;
    } expected[] = {{"e", "s", 9},  {"es", "t", 9},        {"est", "</w>", 9},
                    {"l", "o", 7},  {"lo", "w", 7},        {"n", "e", 6},
                    {"ne", "w", 6}, {"new", "est</w>", 6}, {"low", "</w>", 5},
                    {"w", "i", 3}};
    Arena *arena = arena_create(1 << 20);
    const Bpe *bpe =
        bpe_learn(arena, PAPER, COUNT(PAPER), &(BpeOptions){.merges = 10}, NULL);
    assert_non_null(bpe);
    assert_int_equal(bpe->merge_count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        const BpeMerge *merge = &bpe->merges[i];
        assert_string_equal(symbol_text(bpe, merge->left), expected[i].left);
        assert_string_equal(symbol_text(bpe, merge->right), expected[i].right);
        assert_int_equal(merge->count, expected[i].count);
        /* 11 characters and the mark come before the results. */
        assert_int_equal(merge->result, 11 + i);
    }
    assert_string_equal(symbol_text(bpe, bpe->merges[7].result), "newest</w>");
    arena_destroy(arena);
}

static void test_words_are_kept_as_they_stood_after_each_merge(void **state) {
    static const char *const newest[] = {
        "n e w e s t </w>", "n e w es t </w>", "n e w est </w>", "n e w est</w>",
        "n e w est</w>",    "n e w est</w>",   "ne w est</w>",   "new est</w>",
        "newest</w>",       "newest</w>",      "newest</w>"};
    Arena *arena = arena_create(1 << 20);
    const Bpe *bpe =
        bpe_learn(arena, PAPER, COUNT(PAPER), &(BpeOptions){.merges = 10}, NULL);
    assert_int_equal(bpe->word_count, COUNT(PAPER));
    for (size_t i = 0; i < COUNT(newest); i++)
        assert_string_equal(word_after(bpe, arena, 2, i), newest[i]);
    assert_string_equal(word_after(bpe, arena, 1, 10), "low e r </w>");
    assert_string_equal(bpe->words[1].text, "lower");
    assert_int_equal(bpe->words[1].count, 2);
    arena_destroy(arena);
}

static void test_the_first_pair_of_a_ranking_is_merged_next(void **state) {
    Arena *arena = arena_create(1 << 20);
    const Bpe *bpe =
        bpe_learn(arena, PAPER, COUNT(PAPER), &(BpeOptions){.merges = 10}, NULL);
    for (size_t i = 0; i < bpe->merge_count; i++) {
        BpeRanking ranking;
        bpe_rank(&ranking, bpe, arena, i, 5);
        assert_int_equal(ranking.count, 5);
        assert_string_equal(ranking.pairs[0].left, symbol_text(bpe, bpe->merges[i].left));
        assert_string_equal(ranking.pairs[0].right,
                            symbol_text(bpe, bpe->merges[i].right));
        assert_int_equal(ranking.pairs[0].count, bpe->merges[i].count);
        for (size_t k = 1; k < ranking.count; k++)
            assert_true(ranking.pairs[k].count <= ranking.pairs[k - 1].count);
    }
    arena_destroy(arena);
}

/* As many pairs as there can be, each once a word: "ab", "cd" … and their marks. Where
 * each allocation is a block of its own, a pair too many is a step beyond one. */
static void test_all_pairs_of_words_that_share_none_are_ranked(void **state) {
    enum { WORDS = 40, LETTERS = 5, PAIRS = WORDS * LETTERS };
    char texts[WORDS][3 * LETTERS + 1];
    BpeWord words[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) {
        size_t end = 0;
        for (uint32_t j = 0; j < LETTERS; j++)
            end += utf8_encode(0x4E00 + i * LETTERS + j, texts[i] + end);
        texts[i][end] = 0;
        words[i] = (BpeWord){texts[i], WORDS - i};
    }
    Arena *arena = arena_create(1 << 22);
    const Bpe *bpe = bpe_learn(arena, words, WORDS, &(BpeOptions){.merges = 0}, NULL);
    BpeRanking ranking;
    assert_non_null(bpe);
    bpe_rank(&ranking, bpe, arena, 0, 2 * PAIRS);
    assert_int_equal(ranking.count, PAIRS);
    for (uint32_t i = 0; i < PAIRS; i++) {
        size_t at = 0, word = i / LETTERS;
        const char *left = ranking.pairs[i].left;
        assert_int_equal(ranking.pairs[i].count, WORDS - word);
        assert_int_equal(utf8_next(left, strlen(left), &at), 0x4E00 + i);
        assert_int_equal(strcmp(ranking.pairs[i].right, "</w>") == 0,
                         i % LETTERS == LETTERS - 1);
    }
    arena_destroy(arena);
}

static void test_a_tree_says_which_letters_a_merge_has_joined(void **state) {
    /* newest: e s, es t, est </w>, n e, ne w, new est</w> */
    static const MergerJoin newest[] = {{0, 3, 4, 5}, {1, 3, 5, 6}, {2, 3, 6, 7},
                                        {5, 0, 1, 2}, {6, 0, 2, 3}, {7, 0, 3, 7}};
    Arena *arena = arena_create(1 << 20);
    const Bpe *bpe =
        bpe_learn(arena, PAPER, COUNT(PAPER), &(BpeOptions){.merges = 10}, NULL);
    BpeTree tree;
    bpe_word_tree(&tree, bpe, arena, 2, 10);
    assert_int_equal(tree.leaf_count, 7);
    assert_string_equal(tree.leaves[6], "</w>");
    assert_int_equal(tree.join_count, COUNT(newest));
    assert_memory_equal(tree.joins, newest, sizeof newest);
    bpe_word_tree(&tree, bpe, arena, 2, 2);
    assert_int_equal(tree.join_count, 2);
    arena_destroy(arena);
}

static void test_of_equal_pairs_the_first_in_the_corpus_is_merged(void **state) {
    static const BpeWord words[] = {{"xab", 1}, {"cd", 2}, {"ab", 1}, {"cd", 1}};
    static const BpeWord even[] = {{"xab", 1}, {"cd", 2}, {"ab", 1}};
    Arena *arena = arena_create(1 << 20);
    /* cd and d</w> stand three times, then ab and b</w> twice. */
    const Bpe *bpe =
        bpe_learn(arena, words, COUNT(words), &(BpeOptions){.merges = 1}, NULL);
    assert_string_equal(symbol_text(bpe, bpe->merges[0].left), "c");
    assert_int_equal(bpe->merges[0].count, 3);
    /* All four twice: ab comes first, though cd's word counts more. */
    bpe = bpe_learn(arena, even, COUNT(even), &(BpeOptions){.merges = 1}, NULL);
    assert_string_equal(symbol_text(bpe, bpe->merges[0].left), "a");
    assert_int_equal(bpe->merges[0].count, 2);
    arena_destroy(arena);
}

static void test_equal_neighbours_are_merged_from_the_left(void **state) {
    static const BpeWord words[] = {{"aaaaa", 1}, {"aaa", 1}};
    Arena *arena = arena_create(1 << 20);
    const Bpe *bpe =
        bpe_learn(arena, words, COUNT(words), &(BpeOptions){.merges = 2}, NULL);
    assert_int_equal(bpe->merges[0].count, 6); /* overlapping pairs count */
    assert_string_equal(word_after(bpe, arena, 0, 1), "aa aa a </w>");
    assert_string_equal(word_after(bpe, arena, 1, 1), "aa a </w>");
    assert_string_equal(word_after(bpe, arena, 0, 2), "aa aaa </w>");
    arena_destroy(arena);
}

static void test_learning_ends_where_no_pair_is_frequent_enough(void **state) {
    Arena *arena = arena_create(1 << 20);
    const Bpe *all = bpe_learn(arena, PAPER, COUNT(PAPER),
                               &(BpeOptions){.merges = BPE_MERGES_MAX}, NULL);
    /* Every word is one symbol in the end. */
    for (size_t i = 0; i < COUNT(PAPER); i++)
        assert_string_equal(word_after(all, arena, i, all->merge_count),
                            arena_format(arena, "%s</w>", PAPER[i].text));
    const Bpe *frequent = bpe_learn(arena, PAPER, COUNT(PAPER),
                                    &(BpeOptions){.merges = 100, .min_count = 6}, NULL);
    assert_int_equal(frequent->merge_count, 8);
    const Bpe *none = bpe_learn(arena, PAPER, COUNT(PAPER), &(BpeOptions){0}, NULL);
    assert_int_equal(none->merge_count, 0);
    const Bpe *empty = bpe_learn(arena, NULL, 0, &(BpeOptions){.merges = 5}, NULL);
    assert_non_null(empty);
    assert_int_equal(empty->merge_count, 0);
    assert_int_equal(vocabulary_count(empty->symbols), 0);
    arena_destroy(arena);
}

static void test_symbols_become_tokens_in_their_order(void **state) {
    static const BpeWord words[] = {{"aba", 2}, {"ca", 1}};
    static const char *const expected[] = {"[UNK]", "c", "a", "b", "_", "a_", "ab"};
    Arena *arena = arena_create(1 << 20);
    const Bpe *bpe = bpe_learn(arena, words, COUNT(words),
                               &(BpeOptions){.merges = 2, .mark = "_"}, NULL);
    /* a_ stands three times, ab twice. */
    assert_string_equal(symbol_text(bpe, bpe->merges[0].result), "a_");
    Vocabulary *vocabulary = vocabulary_create(arena, 10);
    assert_true(vocabulary_add_special(vocabulary, "[UNK]", 5, NULL));
    assert_true(vocabulary_add(vocabulary, "c", 1, NULL)); /* there already */
    assert_true(bpe_add_symbols(vocabulary, bpe, NULL));
    assert_int_equal(vocabulary_count(vocabulary), COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_string_equal(vocabulary_at(vocabulary, i)->text, expected[i]);
        assert_int_equal(vocabulary_at(vocabulary, i)->id, 10 + i);
    }
    arena_destroy(arena);
}

static void test_words_of_a_corpus_are_counted(void **state) {
    Arena *arena = arena_create(1 << 20);
    BpeWords words;
    static const char corpus[] = " You win or\nyou DIE,\xE3\x80\x80win ";
    assert_true(
        bpe_count_words(&words, arena, corpus, sizeof corpus - 1, true, false, NULL));
    static const BpeWord expected[] = {{"you", 2}, {"win", 2}, {"or", 1}, {"die,", 1}};
    assert_int_equal(words.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_string_equal(words.items[i].text, expected[i].text);
        assert_int_equal(words.items[i].count, expected[i].count);
    }
    assert_true(
        bpe_count_words(&words, arena, corpus, sizeof corpus - 1, false, false, NULL));
    assert_int_equal(words.count, 5);
    assert_true(bpe_count_words(&words, arena, "", 0, false, false, NULL));
    assert_int_equal(words.count, 0);
    arena_destroy(arena);
}

/* ---- bad input, limits, memory ---- */

static void assert_message(const Error *error, ErrorCode code, const char *words) {
    assert_int_equal(error->code, code);
    if (!strstr(error->message, words))
        fail_msg("'%s' is not in '%s'", words, error->message);
}

static void assert_not_counted(const char *text, size_t length, ErrorCode code,
                               const char *words) {
    Error error = {0};
    BpeWords counted;
    Arena *arena = arena_create(1u << 28);
    assert_false(bpe_count_words(&counted, arena, text, length, false, false, &error));
    assert_message(&error, code, words);
    assert_int_equal(counted.count, 0);
    arena_destroy(arena);
}

static void test_a_bad_corpus_is_refused(void **state) {
    char *large = malloc(BPE_CORPUS_MAX + 1);
    assert_non_null(large);
    memset(large, ' ', BPE_CORPUS_MAX + 1);
    assert_not_counted(large, BPE_CORPUS_MAX + 1, ERROR_LIMIT, "1048577 bytes");
    memset(large, 'a', BPE_WORD_MAX + 1);
    assert_not_counted(large, BPE_WORD_MAX + 1, ERROR_LIMIT, "1001 bytes");
    assert_not_counted("you \xFF", 5, ERROR_ENCODING, "byte 5 of the corpus is 0xFF");
    assert_not_counted("a\0b", 3, ERROR_VALUE, "zero byte");
    free(large);
}

static void assert_not_learned(BpeWord word, BpeOptions options, ErrorCode code,
                               const char *words) {
    Error error = {0};
    Arena *arena = arena_create(1 << 20);
    assert_null(bpe_learn(arena, &word, 1, &options, &error));
    assert_message(&error, code, words);
    arena_destroy(arena);
}

static void test_what_cannot_be_learned_from_is_refused(void **state) {
    const BpeOptions plain = {.merges = 5};
    char long_word[BPE_WORD_MAX + 2] = "";
    memset(long_word, 'a', BPE_WORD_MAX + 1);
    assert_not_learned((BpeWord){"", 1}, plain, ERROR_VALUE, "empty");
    assert_not_learned((BpeWord){"low", 0}, plain, ERROR_VALUE, "count 0");
    assert_not_learned((BpeWord){"low", 1000000001}, plain, ERROR_LIMIT, "1000000001");
    assert_not_learned((BpeWord){"lo\xC0w", 1}, plain, ERROR_ENCODING, "byte 3");
    assert_not_learned((BpeWord){"a</w>b", 1}, plain, ERROR_VALUE, "holds '</w>'");
    assert_not_learned((BpeWord){long_word, 1}, plain, ERROR_LIMIT, "1001 bytes");
    const BpeWord word = {"low", 1};
    assert_not_learned(word, (BpeOptions){.merges = 5, .mark = ""}, ERROR_VALUE, "mark");
    assert_not_learned(word, (BpeOptions){.merges = 5, .mark = "12345678901234567"},
                       ERROR_LIMIT, "the end-of-word mark has 17 bytes");
    assert_not_learned(word, (BpeOptions){.merges = 5, .mark = "\x80"}, ERROR_ENCODING,
                       "byte 1 of the end-of-word mark");
    assert_not_learned(word, (BpeOptions){.merges = BPE_MERGES_MAX + 1}, ERROR_LIMIT,
                       "at most 2000");
}

/* Words of a thousand random letters. */
static BpeWord *random_words(Arena *arena, size_t count) {
    BpeWord *words = arena_alloc(arena, count, sizeof *words);
    Random random;
    random_init(&random, 3);
    for (size_t i = 0; i < count; i++) {
        char *text = arena_alloc(arena, BPE_WORD_MAX + 1, 1);
        for (size_t k = 0; k < BPE_WORD_MAX; k++)
            text[k] = (char)('a' + random_below(&random, 26));
        words[i] = (BpeWord){text, BPE_WORD_COUNT_MAX};
    }
    return words;
}

static void test_two_thousand_merges_are_learned(void **state) {
    Arena *arena = arena_create((size_t)1 << 30);
    const BpeOptions options = {.merges = BPE_MERGES_MAX};
    Error error = {0};
    const Bpe *bpe = bpe_learn(arena, random_words(arena, 8), 8, &options, &error);
    if (!bpe)
        fail_msg("%s", error.message);
    assert_int_equal(bpe->merge_count, 2000);
    for (size_t i = 1; i < BPE_MERGES_MAX; i++)
        assert_true(bpe->merges[i].count <= bpe->merges[i - 1].count);
    arena_destroy(arena);
}

static void test_sixty_four_kibibytes_of_words_are_learned_from(void **state) {
    enum { WORDS = BPE_WORDS_MAX / BPE_WORD_MAX };
    Arena *arena = arena_create((size_t)1 << 30);
    const BpeWord *words = random_words(arena, WORDS + 1);
    const BpeOptions options = {.merges = 20};
    Error error = {0};
    const Bpe *bpe = bpe_learn(arena, words, WORDS, &options, &error);
    if (!bpe)
        fail_msg("%s", error.message);
    assert_int_equal(bpe->merge_count, 20);
    assert_null(bpe_learn(arena, words, WORDS + 1, &options, &error));
    assert_message(&error, ERROR_LIMIT, "more than 65536 bytes together");
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merges_are_those_of_the_paper),
        cmocka_unit_test(test_words_are_kept_as_they_stood_after_each_merge),
        cmocka_unit_test(test_the_first_pair_of_a_ranking_is_merged_next),
        cmocka_unit_test(test_all_pairs_of_words_that_share_none_are_ranked),
        cmocka_unit_test(test_a_tree_says_which_letters_a_merge_has_joined),
        cmocka_unit_test(test_of_equal_pairs_the_first_in_the_corpus_is_merged),
        cmocka_unit_test(test_equal_neighbours_are_merged_from_the_left),
        cmocka_unit_test(test_learning_ends_where_no_pair_is_frequent_enough),
        cmocka_unit_test(test_symbols_become_tokens_in_their_order),
        cmocka_unit_test(test_words_of_a_corpus_are_counted),
        cmocka_unit_test(test_a_bad_corpus_is_refused),
        cmocka_unit_test(test_what_cannot_be_learned_from_is_refused),
        cmocka_unit_test(test_two_thousand_merges_are_learned),
        cmocka_unit_test(test_sixty_four_kibibytes_of_words_are_learned_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
