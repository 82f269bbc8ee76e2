/* Byte-pair encoding of bytes: against a Python program's merges and IDs, and back to the
 * very text; and the recipe of the model that reads by it. */
#include "text/byte_bpe.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/strings/utf8.h"
#include "course_files.h"
#include "lesson/model/learning.h"
#include "reference_bytes.h"
#include "text/bpe.h"
#include "text/tokenizer.h"

enum { MERGES = 500, FIRST = 3, MEMORY = 1 << 28 };

typedef struct Bytes {
    Arena *arena;
    Bpe *bpe;
    Tokenizer tokenizer;
} Bytes;

static Bytes bytes_learned(void) {
    Bytes this = {.arena = arena_create(MEMORY)};
    ReferenceBytes corpus =
        reference_bytes(this.arena, "../../lessons/data/small-world.txt");
    Vocabulary *vocabulary = vocabulary_create(this.arena, FIRST);
    BpeWords words;
    assert_true(bpe_count_words(&words, this.arena, (const char *)corpus.bytes,
                                corpus.length, false, true, NULL));
    this.bpe = bpe_learn(this.arena, words.items, words.count,
                         &(BpeOptions){.merges = MERGES, .bytes = true}, NULL);
    assert_true(this.bpe && bpe_add_symbols(vocabulary, this.bpe, NULL));
    size_t kind = 0;
    while (strcmp(tokenizer_kind(kind)->name, "byte_bpe") != 0)
        kind++;
    this.tokenizer = (Tokenizer){
        .kind = tokenizer_kind(kind), .vocabulary = vocabulary, .bpe = this.bpe};
    return this;
}

/* "6162" as bytes; returns how many. */
static size_t read_hex(const char *hex, char *out) {
    size_t count = 0;
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1 && hex[0] != ' '; hex += 2)
        out[count++] = (char)byte;
    return count;
}

static void check_merge(const Bytes *this, size_t index, const char *line) {
    char wanted[2][200], name[1300], symbol[1300];
    const BpeMerge *merge = &this->bpe->merges[index];
    size_t sides[2] = {merge->left, merge->right};
    for (size_t i = 0; i < 2; i++) {
        size_t length = read_hex(line, wanted[i]);
        const VocabularyEntry *entry = vocabulary_at(this->bpe->symbols, sides[i]);
        byte_symbol_name(symbol, entry->text, entry->length);
        byte_name(name, wanted[i], length);
        assert_string_equal(symbol, name);
        line += strcspn(line, " ") + 1;
    }
}

static void check_text(const Bytes *this, char *line) {
    char text[400], *at = line + strcspn(line, " ");
    size_t length = read_hex(line, text);
    TextPieces pieces;
    assert_true(
        tokenizer_cut(&pieces, &this->tokenizer, this->arena, text, length, NULL));
    for (size_t i = 0; i < pieces.count; i++)
        assert_int_equal(pieces.items[i].id, strtoul(at, &at, 10));
    assert_int_equal(*at, 0);
}

static void test_merges_and_ids_are_the_references(void **state) {
    Bytes this = bytes_learned();
    ReferenceBytes reference = reference_bytes(this.arena, "byte_bpe.txt");
    char *line = (char *)reference.bytes, *next;
    size_t merges = 0, texts = 0;
    for (; (next = memchr(line, '\n',
                          reference.length - (size_t)(line - (char *)reference.bytes)));
         line = next + 1) {
        *next = 0;
        if (strncmp(line, "merge ", 6) == 0)
            check_merge(&this, merges++, line + 6);
        else
            check_text(&this, line + 5), texts++;
    }
    assert_int_equal(merges, this.bpe->merge_count);
    assert_true(texts > 15);
    arena_destroy(this.arena);
}

/* Any characters, those of the corpus more often. */
static size_t random_text(Random *random, char *text, size_t points) {
    size_t length = 0;
    for (size_t i = 0; i < points; i++) {
        uint32_t c = (uint32_t)random_below(random, 0x110000);
        uint64_t sort = random_below(random, 4);
        if (sort == 0)
            c = 0x20 + c % 0x5F;
        else if (sort == 1)
            c = 0x4E00 + c % 0x200;
        else if (sort == 2)
            c = c % 0x300;
        if (c >= 0xD800 && c < 0xE000)
            c = 0xFFFD;
        length += utf8_encode(c, text + length);
    }
    return length;
}

static void test_every_text_comes_back_byte_by_byte(void **state) {
    enum { ROUNDS = 3000, POINTS = 40 };
    Bytes this = bytes_learned();
    Arena *arena = arena_create(1 << 22);
    Random random;
    random_init(&random, 30);
    for (size_t round = 0; round < ROUNDS; round++) {
        char text[4 * POINTS], back[BYTE_NAME_FACTOR * 4 * POINTS];
        size_t length = random_text(&random, text, random_below(&random, POINTS)),
               end = 0;
        size_t made = 0;
        TextPieces pieces;
        arena_reset(arena);
        assert_true(tokenizer_cut(&pieces, &this.tokenizer, arena, text, length, NULL));
        for (size_t i = 0; i < pieces.count; i++) {
            const TextPiece *piece = &pieces.items[i];
            assert_int_equal(piece->offset, end);
            end += piece->length;
            made += byte_name_read(back + made, piece->text);
        }
        assert_int_equal(end, length);
        assert_int_equal(made, length);
        assert_memory_equal(back, text, length);
    }
    arena_destroy(arena);
    arena_destroy(this.arena);
}

static void test_names_show_what_can_be_shown(void **state) {
    static const struct {
        const char *bytes, *name;
    } names[] = {{" the", "␣the"},
                 {"\n", "<0x0A>"},
                 {"猫", "猫"},
                 {"\xE7\x8C", "<0xE7><0x8C>"},
                 {"␣", "<0xE2><0x90><0xA3>"},
                 {"a<0x", "<0x61><0x3C><0x30><0x78>"},
                 {"\xF0\x9F\x98\x80", "😀"}};
    char name[100], back[100];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].bytes);
        byte_name(name, names[i].bytes, length);
        assert_string_equal(name, names[i].name);
        assert_int_equal(byte_name_read(back, name), length);
        assert_memory_equal(back, names[i].bytes, length);
    }
}

/* ---- the recipe of lesson 38 ---- */

/* The parameters after a few updates, bit by bit. What the whole training comes to is in
 * the file that the lesson keeps; tests/training.sh makes it again where it is asked. */
static void test_the_recipe_goes_on_in_the_same_bits(void **state) {
    enum { UPDATES = 3 };
    char path[COURSE_PATH_SIZE];
    ErrorList errors = {0};
    Lesson *lesson = lesson_load(course_path(path, "lessons/38-type-anything.yaml"),
                                 &(LessonOptions){.untrained = true}, &errors);
    assert_non_null(lesson);
    Arena *arena = arena_create(1 << 30);
    Trainer *trainer = lesson_trainer(lesson, arena, &lesson->training->options, NULL);
    uint64_t digest = HASH_START;
    assert_non_null(trainer);
    for (size_t i = 0; i < UPDATES; i++)
        assert_true(trainer_update(trainer, NULL));
    const Transformer *model = trainer_model(trainer);
    for (size_t i = 0; i < model->parameter_count; i++)
        digest = hash_bytes(digest, trainer_array(trainer, TRAINER_VALUES, i),
                            model->parameters[i].rows * model->parameters[i].cols *
                                sizeof(double));
    assert_int_equal(digest, UINT64_C(0x9beba09c2ce0b653));
    arena_destroy(arena);
    lesson_destroy(lesson);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merges_and_ids_are_the_references),
        cmocka_unit_test(test_every_text_comes_back_byte_by_byte),
        cmocka_unit_test(test_names_show_what_can_be_shown),
        cmocka_unit_test(test_the_recipe_goes_on_in_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
