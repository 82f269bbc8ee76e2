/* Loading of a lesson when memory ends: the linker passes every allocation to this file
 * (--wrap), and the N-th is refused. */
#include "base/arena.h"
#include "close.h"
#include "lesson_text.h"
#include "text/file/tokenizer_file.h"
#include "text/tokenizer.h"

#include <stdlib.h>

/* Number of allocations until one is refused; SIZE_MAX: none is. */
static size_t until_refused = SIZE_MAX;

/* Failures of malloc and calloc are not tested, because jansson then writes past its
 * memory. */
static bool arenas_only;

static bool is_refused(void) {
    return until_refused != SIZE_MAX && until_refused-- == 0;
}

void *__real_arena_alloc(Arena *arena, size_t count, size_t size);
void *__wrap_arena_alloc(Arena *arena, size_t count, size_t size);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_arena_alloc(Arena *arena, size_t count, size_t size) {
    return is_refused() ? __real_arena_alloc(arena, SIZE_MAX, 2)
                        : __real_arena_alloc(arena, count, size);
}

void *__wrap_malloc(size_t size) {
    return !arenas_only && is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return !arenas_only && is_refused() ? NULL : __real_calloc(count, size);
}

/* Of everything that a lesson can say, a little. */
static const char LESSON[] =
    "title: {en: One head}\n"
    "tokens: [I, am]\n"
    "labels: {X: {cols: [a, b]}}\n"
    "vocabularies:\n"
    "  V: {corpus: [when you play], special: [\"[UNK]\"]}\n"
    "  B: {tokenizer: bpe, corpus: [low lower lowest], merges: 3}\n"
    "given:\n"
    "  X: [[1, 0], [0, 1]]\n"
    "  W: {random: [2, 2], seed: 7}\n"
    "  ids: {text: you play zebra, vocabulary: V}\n"
    "  after: {vocabulary: B, corpus_after: 2}\n"
    "model:\n"
    "  d_model: 2\n"
    "  d_ff: 2\n"
    "  source: when you play\n"
    "  expected: you win\n"
    "  weights:\n"
    "    train:\n"
    "      pairs: [[when you play, you win]]\n"
    "      epochs: 2\n"
    "      before: {logits_before: logits}\n"
    "steps:\n"
    "  - show: [X, W]\n"
    "    heading: What is each word asking?\n"
    "  - do: Q = softmax(X @ W / sqrt(2))\n"
    "    printed: [[1, _], [_, 1]]\n"
    "    ask: {cell: [1, 0]}\n"
    "  - do: L = sum(sum(Q).T)\n"
    "  - do: G = gradient(L, W)\n"
    "  - train: {watch: [probabilities]}\n"
    "  - generate: {rule: sample, length: 2, cache: true}\n"
    "  - generate: {rule: beam, length: 2, name: tree}\n"
    "  - at: encoder.0.norm_1\n"
    "    say: One norm.\n"
    "changes:\n"
    "  - {cell: [X, 0, 0], value: 2}\n"
    "  - {mute: Q}\n";

static Lesson *load(size_t refused, ErrorList *errors) {
    *errors = (ErrorList){0};
    until_refused = refused;
    Lesson *lesson = lesson_parse("t.yaml", LESSON, sizeof LESSON - 1, NULL, errors);
    return lesson;
}

static void test_a_refused_allocation_ends_the_load_with_a_sentence(void **state) {
    enum { EACH = 700, MOST = 1000000 };
    static ErrorList errors;
    size_t refused = 0;
    for (;; refused += refused < EACH ? 1 : 1 + refused / 40) {
        Lesson *lesson = load(refused, &errors);
        bool reached = until_refused == SIZE_MAX;
        until_refused = SIZE_MAX;
        if (!reached) {
            if (!lesson)
                error_list_print(&errors, stderr);
            assert_non_null(lesson);
            lesson_destroy(lesson);
            break;
        }
        bool told = false;
        for (size_t i = 0; i < errors.count; i++)
            told |= errors.items[i].code == ERROR_MEMORY && errors.items[i].message[0];
        if (lesson || !told)
            print_error("allocation %zu\n", refused);
        assert_null(lesson);
        assert_true(told);
        assert_true(refused < MOST);
    }
    assert_true(refused > EACH);
}

static void test_memory_that_ends_is_told_where_it_ended(void **state) {
    static ErrorList errors;
    bool found[40] = {false};
    for (size_t refused = 100; refused < 4000; refused += 3) {
        Lesson *lesson = load(refused, &errors);
        until_refused = SIZE_MAX;
        lesson_destroy(lesson);
        found[errors.items[0].line] = true;
    }
    assert_true(found[8] && found[13] && found[29]); /* X, the model, a step */
}

/* ---- a tokenizer's patterns ---- */

static const char TOKENIZER[] =
    "{\"normalizer\": {\"type\": \"Replace\", \"pattern\": {\"String\": \"  \"}, "
    "\"content\": \" \"}, \"pre_tokenizer\": {\"type\": \"Split\", \"pattern\": "
    "{\"Regex\": \"(?:a|b)+|\\\\p{L}{1,3}|[^\\\\s\\\\w]\"}}, \"model\": {\"type\": "
    "\"WordLevel\", \"unk_token\": \"u\", \"vocab\": {\"u\": 0}}}";

typedef struct Splitting {
    Arena *arena, *scratch; /* scratch is within the arena */
    Error error;
    bool good;
} Splitting;

/* Reads the tokenizer and splits a text for which PCRE2 has to allocate more than its
 * initial memory. */
static void read_and_split(void *context) {
    Splitting *splitting = context;
    static char text[2000];
    Tokenizer tokenizer;
    TextPieces pieces;
    memset(text, 'a', sizeof text);
    splitting->scratch = arena_create_within(splitting->arena, 64 << 20);
    splitting->good =
        tokenizer_file_read(&tokenizer, splitting->arena, "t.json", TOKENIZER,
                            sizeof TOKENIZER - 1, &splitting->error) &&
        tokenizer_cut(&pieces, &tokenizer, splitting->scratch, text, sizeof text,
                      &splitting->error);
}

/* The split runs under a guard, as in a lesson. */
static void test_a_refused_allocation_ends_a_split(void **state) {
    size_t refused = 0;
    for (arenas_only = true;; refused++) {
        Splitting splitting = {.arena = arena_create(64 << 20)};
        assert_non_null(splitting.arena);
        until_refused = refused;
        bool whole = arena_guard(splitting.arena, read_and_split, &splitting);
        bool reached = until_refused == SIZE_MAX;
        until_refused = SIZE_MAX;
        arena_destroy(splitting.arena);
        if (!reached) {
            assert_true(whole && splitting.good);
            break;
        }
        if (whole && (splitting.good || splitting.error.code != ERROR_MEMORY))
            fail_msg("allocation %zu: %s", refused, splitting.error.message);
    }
    arenas_only = false;
    print_message("# %zu allocations\n", refused);
    assert_true(refused > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_refused_allocation_ends_the_load_with_a_sentence),
        cmocka_unit_test(test_a_refused_allocation_ends_a_split),
        cmocka_unit_test(test_memory_that_ends_is_told_where_it_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
