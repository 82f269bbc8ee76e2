/* Texts cut by hand; tests/test_tokenizer_reference.c holds thousands against another
 * program's. */
#include "base/error.h"
#include "text/tokenizer.h"
#include "text/vocabulary.h"

#include "base/random.h"
#include "base/strings/utf8.h"
#include "close.h"
#include "text/bpe.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Those of characters; tests/test_byte_bpe.c is about the one of bytes. */
static const char *const KINDS[] = {"whitespace", "characters", "bpe", "wordpiece"};

/* The tokenizer of that name, or NULL. */
static const TokenizerKind *kind_named(const char *name) {
    const TokenizerKind *kind;
    for (size_t i = 0; (kind = tokenizer_kind(i)); i++) {
        if (strcmp(kind->name, name) == 0)
            break;
    }
    return kind;
}

typedef struct Fixture {
    Arena *arena;
    Vocabulary *vocabulary;
    Tokenizer tokenizer;
    TextPieces pieces;
    Error error;
} Fixture;

/* A tokenizer whose vocabulary has [UNK] and [SEP], as 0 and 1, and these words. */
static Fixture fixture_create(const char *kind, const char *const *words, size_t count) {
    Fixture fixture = {.arena = arena_create((size_t)1 << 30)};
    fixture.vocabulary = vocabulary_create(fixture.arena, 0);
    assert_true(vocabulary_add_special(fixture.vocabulary, "[UNK]", 5, NULL));
    assert_true(vocabulary_add_special(fixture.vocabulary, "[SEP]", 5, NULL));
    for (size_t i = 0; i < count; i++)
        assert_true(vocabulary_add(fixture.vocabulary, words[i], strlen(words[i]), NULL));
    fixture.tokenizer.kind = kind_named(kind);
    fixture.tokenizer.vocabulary = fixture.vocabulary;
    assert_non_null(fixture.tokenizer.kind);
    return fixture;
}

static bool cut(Fixture *fixture, const char *text, size_t length) {
    fixture->error = (Error){0};
    return tokenizer_cut(&fixture->pieces, &fixture->tokenizer, fixture->arena, text,
                         length, &fixture->error);
}

/* Cuts the text and compares what comes out, written as "word:ID@offset+length" with a
 * letter before for the kind. */
static void assert_cut(Fixture *fixture, const char *text, const char *expected) {
    char found[2000] = "";
    if (!cut(fixture, text, strlen(text)))
        fail_msg("%s", fixture->error.message);
    for (size_t i = 0; i < fixture->pieces.count; i++) {
        const TextPiece *piece = &fixture->pieces.items[i];
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%c%zu:%zu@%zu+%zu", i ? " " : "",
                 "wcsu"[piece->kind], piece -> word, piece -> id, piece -> offset,
                 piece -> length);
    }
    assert_string_equal(found, expected);
}

static void assert_error(const Fixture *fixture, ErrorCode code, const char *words) {
    assert_int_equal(fixture->error.code, code);
    if (!strstr(fixture->error.message, words))
        fail_msg("'%s' is not in '%s'", words, fixture->error.message);
    assert_int_equal(fixture->pieces.count, 0);
}

/* ---- the four ways to cut ---- */

static void test_whitespace_cuts_at_any_white_space(void **state) {
    static const char *const words[] = {"I", "am", "learning"};
    Fixture fixture = fixture_create("whitespace", words, COUNT(words));
    assert_cut(&fixture, "I am learning", "w0:2@0+1 w1:3@2+2 w2:4@5+8");
    assert_cut(&fixture, " \tI\r\n am\xE3\x80\x80learning\xC2\xA0",
               "w0:2@2+1 w1:3@6+2 w2:4@11+8");
    assert_cut(&fixture, "", "");
    assert_cut(&fixture, " \n ", "");
    assert_cut(&fixture, "I am, i", "w0:2@0+1 u1:0@2+3 u2:0@6+1");
    arena_destroy(fixture.arena);
}

static void test_characters_are_what_a_reader_takes_for_one(void **state) {
    static const char *const words[] = {
        "a", " ", "\xC3\xA9", "e\xCC\x81",
        /* a family joined by U+200D, the flag of France */
        "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7",
        "\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7"};
    Fixture fixture = fixture_create("characters", words, COUNT(words));
    assert_cut(&fixture, "aa \xC3\xA9", "w0:2@0+1 c0:2@1+1 w1:3@2+1 w2:4@3+2");
    assert_cut(&fixture, "ae\xCC\x81", "w0:2@0+1 c0:5@1+3");
    assert_cut(&fixture,
               "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7"
               "\xF0\x9F\x87\xAB\xF0\x9F\x87\xB7",
               "w0:6@0+18 c0:7@18+8");
    assert_cut(&fixture, "\r\n\xF0\x9F\x87\xAB", "u0:0@0+2 u1:0@2+4");
    arena_destroy(fixture.arena);
}

static void test_wordpiece_takes_the_longest_piece_that_fits(void **state) {
    static const char *const words[] = {"un",    "##aff", "##able", "##ab",
                                        "unaff", "the",   ".",      "##s"};
    Fixture fixture = fixture_create("wordpiece", words, COUNT(words));
    assert_cut(&fixture, "unaffable", "w0:6@0+5 c0:4@5+4");
    assert_cut(&fixture, "the unaffables.",
               "w0:7@0+3 w1:6@4+5 c1:4@9+4 c1:9@13+1 w2:8@14+1");
    /* Pieces found before the one that fails are dropped with it. */
    assert_cut(&fixture, "unaffablx the", "u0:0@0+9 w1:7@10+3");
    assert_cut(&fixture, "able", "u0:0@0+4");
    arena_destroy(fixture.arena);
}

static void test_wordpiece_cleans_as_bert_does(void **state) {
    static const char *const words[] = {"cafe", "\xE6\x88\x91", "!", "##fe", "ca", "$"};
    Fixture fixture = fixture_create("wordpiece", words, COUNT(words));
    fixture.tokenizer.lower_case = true;
    /* The dropped accent's bytes stay with the letter it stood on. */
    assert_cut(&fixture, "CAF\xC3\x89!", "w0:2@0+5 w1:4@5+1");
    assert_cut(&fixture, "cafe\xCC\x81!", "w0:2@0+6 w1:4@6+1");
    assert_cut(&fixture, "ca\xE6\x88\x91\xE6\x88\x91$",
               "w0:6@0+2 w1:3@2+3 w2:3@5+3 w3:7@8+1");
    /* U+0000, a soft hyphen and U+FFFD within a word */
    static const char dirty[] = "ca\0\xC2\xAD\xEF\xBF\xBD"
                                "fe";
    assert_true(cut(&fixture, dirty, sizeof dirty - 1));
    assert_int_equal(fixture.pieces.count, 1);
    assert_int_equal(fixture.pieces.items[0].id, 2);
    assert_int_equal(fixture.pieces.items[0].length, 10);
    fixture.tokenizer.lower_case = false;
    assert_cut(&fixture, "Cafe caf\xC3\xA9", "u0:0@0+4 u1:0@5+5");
    arena_destroy(fixture.arena);
}

static void test_a_letter_that_falls_into_two_pieces_is_shown_in_both(void **state) {
    /* One Hangul syllable is three letters in NFD. */
    static const char *const words[] = {"\xE1\x84\x92\xE1\x85\xA1", "##\xE1\x86\xAB"};
    Fixture fixture = fixture_create("wordpiece", words, COUNT(words));
    fixture.tokenizer.lower_case = true;
    assert_cut(&fixture, "\xED\x95\x9C", "w0:2@0+3 c0:3@0+3");
    arena_destroy(fixture.arena);
}

static void test_wordpiece_gives_up_on_words_of_more_than_two_hundred(void **state) {
    static const char *const words[] = {"a", "##a"};
    Fixture fixture = fixture_create("wordpiece", words, COUNT(words));
    char text[201];
    memset(text, 'a', sizeof text);
    assert_true(cut(&fixture, text, 200));
    assert_int_equal(fixture.pieces.count, 200);
    assert_true(cut(&fixture, text, 201));
    assert_int_equal(fixture.pieces.count, 1);
    assert_int_equal(fixture.pieces.items[0].kind, TEXT_PIECE_UNKNOWN);
    assert_int_equal(fixture.pieces.items[0].length, 201);
    arena_destroy(fixture.arena);
}

static void test_bpe_cuts_new_words_by_rank(void **state) {
    Fixture fixture = fixture_create("bpe", NULL, 0);
    /* The paper's figure: lo, low, er with the mark come out of these. */
    static const BpeWord words[] = {
        {"low", 1}, {"lowest", 1}, {"newer", 1}, {"wider", 1}};
    const Bpe *bpe = bpe_learn(fixture.arena, words, COUNT(words),
                               &(BpeOptions){.merges = 4, .mark = "\xC2\xB7"}, NULL);
    fixture.tokenizer.bpe = bpe;
    assert_true(bpe_add_symbols(fixture.vocabulary, bpe, NULL));
    assert_true(cut(&fixture, "lower low", 9));
    static const char *const expected[] = {"low", "er\xC2\xB7", "low", "\xC2\xB7"};
    assert_int_equal(fixture.pieces.count, COUNT(expected));
    for (size_t i = 0; i < COUNT(expected); i++)
        assert_string_equal(fixture.pieces.items[i].text, expected[i]);
    /* l 2 o 3 w 4 mark 5 e 6 s 7 t 8 n 9 r 10 i 11 d 12, then lo 13 low 14 er 15 er· 16
     */
    assert_cut(&fixture, "lower low", "w0:14@0+3 c0:16@3+2 w1:14@6+3 c1:5@9+0");
    assert_cut(&fixture, "slow[SEP]zo",
               "w0:7@0+1 c0:14@1+3 c0:5@4+0 s1:1@4+5 u2:0@9+1 "
               "c2:3@10+1 c2:5@11+0");
    /* A character that looks like the mark does not end a word. */
    assert_cut(&fixture, "er\xC2\xB7", "w0:15@0+2 u0:0@2+2 c0:5@4+0");
    arena_destroy(fixture.arena);
}

/* ---- specials, the frame, what is unknown ---- */

static void test_special_tokens_are_taken_out_of_the_text_whole(void **state) {
    static const char *const kinds[] = {"whitespace", "wordpiece"};
    static const char *const words[] = {"you", "win"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        Fixture fixture = fixture_create(kinds[i], words, COUNT(words));
        assert_cut(&fixture, "you[SEP] win[UNK]", "w0:2@0+3 s1:1@3+5 w2:3@9+3 s3:0@12+5");
        assert_cut(&fixture, "[SEP][SEP]", "s0:1@0+5 s1:1@5+5");
        fixture.tokenizer.begin = "[UNK]";
        fixture.tokenizer.end = "[SEP]";
        assert_cut(&fixture, "you", "s0:0@0+0 w1:2@0+3 s2:1@3+0");
        assert_cut(&fixture, "", "s0:0@0+0 s1:1@0+0");
        fixture.tokenizer.end = "<end>";
        assert_false(cut(&fixture, "you", 3));
        assert_error(&fixture, ERROR_NAME, "has no '<end>'");
        arena_destroy(fixture.arena);
    }
}

static void test_an_unknown_word_needs_the_unknown_token(void **state) {
    Fixture fixture = fixture_create("whitespace", NULL, 0);
    assert_cut(&fixture, "who", "u0:0@0+3");
    assert_string_equal(fixture.pieces.items[0].text, "[UNK]");
    fixture.tokenizer.unknown = "[SEP]";
    assert_cut(&fixture, "who", "u0:1@0+3");
    fixture.tokenizer.unknown = "<unk>";
    assert_false(cut(&fixture, "who", 3));
    assert_error(&fixture, ERROR_NAME, "no token for 'who' and no '<unk>' either");
    arena_destroy(fixture.arena);
}

static void test_ids_given_one_by_one_come_out(void **state) {
    Fixture fixture = fixture_create("whitespace", NULL, 0);
    Vocabulary *vocabulary = vocabulary_create(fixture.arena, 0);
    static const VocabularyEntry entries[] = {{"[CLS]", 5, 101, true},
                                              {"I", 1, 1045, false},
                                              {"am", 2, 2572, false},
                                              {"learning", 8, 7865, false},
                                              {"Transformer", 11, 12190, false},
                                              {"[SEP]", 5, 102, true}};
    for (size_t i = 0; i < COUNT(entries); i++)
        assert_true(vocabulary_add_entry(vocabulary, entries[i], NULL));
    fixture.tokenizer.vocabulary = vocabulary;
    fixture.tokenizer.begin = "[CLS]";
    fixture.tokenizer.end = "[SEP]";
    assert_cut(&fixture, "I am learning Transformer",
               "s0:101@0+0 w1:1045@0+1 w2:2572@2+2 w3:7865@5+8 w4:12190@14+11 "
               "s5:102@25+0");
    arena_destroy(fixture.arena);
}

static void test_a_corpus_gives_its_tokens_in_order_of_appearance(void **state) {
    static const struct {
        const char *kind, *text;
        const char *tokens[8];
    } corpora[] = {
        {"whitespace", "you win or you [SEP] die, You", {"you", "win", "or", "die,"}},
        {"characters", "aba b\xC3\xA9", {"a", "b", " ", "\xC3\xA9"}},
        {"wordpiece",
         "Caf\xC3\xA9, caf\xC3\xA9 \xE6\x88\x91s",
         {"cafe", ",", "\xE6\x88\x91", "s"}},
    };
    for (size_t i = 0; i < COUNT(corpora); i++) {
        Fixture fixture = fixture_create(corpora[i].kind, NULL, 0);
        fixture.tokenizer.lower_case = true;
        assert_true(tokenizer_collect(fixture.vocabulary, &fixture.tokenizer,
                                      fixture.arena, corpora[i].text,
                                      strlen(corpora[i].text), NULL));
        assert_int_equal(vocabulary_count(fixture.vocabulary), 6);
        for (size_t k = 0; k < 4; k++)
            assert_string_equal(vocabulary_at(fixture.vocabulary, k + 2)->text,
                                corpora[i].tokens[k]);
        /* Now every piece is known. */
        assert_true(cut(&fixture, corpora[i].text, strlen(corpora[i].text)));
        for (size_t k = 0; k < fixture.pieces.count; k++)
            assert_int_not_equal(fixture.pieces.items[k].kind, TEXT_PIECE_UNKNOWN);
        arena_destroy(fixture.arena);
    }
}

static void test_the_tokenizers_are_a_table(void **state) {
    for (size_t i = 0; i < COUNT(KINDS); i++)
        assert_string_equal(tokenizer_kind(i)->name, KINDS[i]);
    assert_string_equal(tokenizer_kind(COUNT(KINDS))->name, "byte_bpe");
    assert_null(tokenizer_kind(COUNT(KINDS) + 1));
}

/* ---- bad input, limits, memory ---- */

static void test_bytes_that_are_not_utf8_are_placed(void **state) {
    Fixture fixture = fixture_create("whitespace", NULL, 0);
    assert_false(cut(&fixture, "who\xC3", 4));
    assert_error(&fixture, ERROR_ENCODING, "byte 4 of the text is 0xC3");
    assert_false(cut(&fixture, "\xED\xA0\x80", 3));
    assert_error(&fixture, ERROR_ENCODING, "byte 1 of the text is 0xED");
    arena_destroy(fixture.arena);
}

static void test_a_text_may_have_a_mebibyte(void **state) {
    char *text = malloc(TOKENIZER_TEXT_MAX + 1);
    assert_non_null(text);
    for (size_t i = 0; i <= TOKENIZER_TEXT_MAX; i++)
        text[i] = "you win "[i % 8];
    static const char *const words[] = {"you", "win", "y", "o", "u", "w", "i", "n", " "};
    static const BpeWord learned[] = {{"you", 1}, {"win", 1}};
    static const size_t expected[] = {TOKENIZER_TEXT_MAX / 4, TOKENIZER_TEXT_MAX,
                                      TOKENIZER_TEXT_MAX / 4, TOKENIZER_TEXT_MAX / 4};
    for (size_t i = 0; i < COUNT(KINDS); i++) {
        Fixture fixture = fixture_create(KINDS[i], words, COUNT(words));
        Bpe *bpe = bpe_learn(fixture.arena, learned, COUNT(learned),
                             &(BpeOptions){.merges = 10}, NULL);
        assert_non_null(bpe);
        assert_true(bpe_add_symbols(fixture.vocabulary, bpe, NULL));
        fixture.tokenizer.bpe = bpe;
        if (!cut(&fixture, text, TOKENIZER_TEXT_MAX))
            fail_msg("%s: %s", KINDS[i], fixture.error.message);
        assert_int_equal(fixture.pieces.count, expected[i]);
        assert_false(cut(&fixture, text, TOKENIZER_TEXT_MAX + 1));
        assert_error(&fixture, ERROR_LIMIT, "at most 1048576");
        arena_destroy(fixture.arena);
    }
    free(text);
}

/* Checks the invariants of the pieces of any text. */
static void check_pieces(const Fixture *fixture, size_t length) {
    size_t word = 0, from = 0;
    for (size_t i = 0; i < fixture->pieces.count; i++) {
        const TextPiece *piece = &fixture->pieces.items[i];
        assert_true(piece->offset <= length && piece->length <= length - piece->offset);
        assert_true(piece->offset >= from && piece->word >= word);
        assert_true(piece->word - word <= 1 && piece->word < fixture->pieces.words);
        assert_true(piece->kind != TEXT_PIECE_CONTINUATION || piece->word == word);
        const VocabularyEntry *entry =
            vocabulary_lookup_id(fixture->vocabulary, piece->id);
        assert_non_null(entry);
        assert_string_equal(entry->text, piece->text);
        word = piece->word;
        from = piece->offset;
    }
}

/* Random bytes, at times of few kinds, so that some are UTF-8 and some nearly. */
static size_t random_text(Random *random, char *text, size_t size) {
    static const char *const parts[] = {"a",
                                        "b",
                                        " ",
                                        "[SEP]",
                                        "[SEP",
                                        "\xCC\x81",
                                        "!",
                                        "\xC3\x89",
                                        "\n",
                                        "\xCE\xA3",
                                        "\xE6\x88\x91",
                                        "\xF0\x9F\x87\xAB",
                                        "[UNK]",
                                        "\xE2\x80\x8D",
                                        "\xF0\x9F\x91\xA8",
                                        "\xED\x95\x9C",
                                        "\xC4\xB0",
                                        "\xE3\x80\xAE"};
    size_t length = 0, wanted = random_below(random, size - 8);
    size_t noise = random_below(random, 3) ? 0 : 1 + random_below(random, 40);
    while (length < wanted) {
        const char *part = parts[random_below(random, COUNT(parts))];
        if (noise && random_below(random, noise) == 0) {
            text[length++] = (char)random_below(random, 256);
            continue;
        }
        memcpy(text + length, part, strlen(part));
        length += strlen(part);
    }
    return length;
}

static void test_random_bytes_are_cut_or_refused(void **state) {
    enum { ROUNDS = 4000, SIZE = 120 };
    static const char *const words[] = {"a", "b", "ab", "##a", "##ab", "!", "\xCF\x82"};
    static const BpeWord learned[] = {{"ab", 3}, {"abba", 1}, {"\xE6\x88\x91", 1}};
    size_t whole = 0, refused = 0;
    Random random;
    random_init(&random, 4);
    Fixture fixture = fixture_create("bpe", words, COUNT(words));
    Bpe *bpe = bpe_learn(fixture.arena, learned, COUNT(learned),
                         &(BpeOptions){.merges = 10}, NULL);
    assert_true(bpe && bpe_add_symbols(fixture.vocabulary, bpe, NULL));
    fixture.tokenizer.bpe = bpe;
    Arena *kept = fixture.arena;
    fixture.arena = arena_create(1 << 24);
    for (size_t i = 0; i < ROUNDS; i++) {
        char text[SIZE], *exact, place[40];
        size_t length = random_text(&random, text, sizeof text);
        size_t valid = utf8_check(text, length);
        exact = malloc(length + (length == 0)); /* so that a byte too far is found */
        assert_non_null(exact);
        memcpy(exact, text, length);
        snprintf(place, sizeof place, "byte %zu of the text", valid + 1);
        fixture.tokenizer.kind = tokenizer_kind(i % COUNT(KINDS));
        fixture.tokenizer.lower_case = random_below(&random, 2);
        arena_reset(fixture.arena);
        if (cut(&fixture, exact, length)) {
            assert_int_equal(valid, length);
            check_pieces(&fixture, length);
            whole++;
        } else {
            assert_true(valid < length);
            assert_error(&fixture, ERROR_ENCODING, place);
            refused++;
        }
        free(exact);
    }
    assert_true(whole > ROUNDS / 4 && refused > ROUNDS / 10);
    arena_destroy(fixture.arena);
    arena_destroy(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whitespace_cuts_at_any_white_space),
        cmocka_unit_test(test_characters_are_what_a_reader_takes_for_one),
        cmocka_unit_test(test_wordpiece_takes_the_longest_piece_that_fits),
        cmocka_unit_test(test_wordpiece_cleans_as_bert_does),
        cmocka_unit_test(test_a_letter_that_falls_into_two_pieces_is_shown_in_both),
        cmocka_unit_test(test_wordpiece_gives_up_on_words_of_more_than_two_hundred),
        cmocka_unit_test(test_bpe_cuts_new_words_by_rank),
        cmocka_unit_test(test_special_tokens_are_taken_out_of_the_text_whole),
        cmocka_unit_test(test_an_unknown_word_needs_the_unknown_token),
        cmocka_unit_test(test_ids_given_one_by_one_come_out),
        cmocka_unit_test(test_a_corpus_gives_its_tokens_in_order_of_appearance),
        cmocka_unit_test(test_the_tokenizers_are_a_table),
        cmocka_unit_test(test_bytes_that_are_not_utf8_are_placed),
        cmocka_unit_test(test_a_text_may_have_a_mebibyte),
        cmocka_unit_test(test_random_bytes_are_cut_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
