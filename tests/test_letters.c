/* Every code point against Python's unicodedata: what kind of letter it is, what is left
 * of it in lower case and without marks, and whether a line may end at it.
 * tests/reference/letters.py writes the reference. */
#include "base/strings/utf8.h"
#include "fixed_metrics.h"
#include "picture/scene/label.h"
#include "text/letters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    CODE_POINTS = 0x110000,
    LEFT_MAX = 4,
    HANGUL_FIRST = 0xAC00,
    HANGUL_LAST = 0xD7A3,
    ROOM = 1 << 16
};

typedef enum Trait {
    TRAIT_UNASSIGNED,
    TRAIT_SPACE,
    TRAIT_PUNCTUATION,
    TRAIT_CHINESE,
    TRAIT_DROPPED,
    TRAIT_BLANK,
    TRAIT_MARK,
    TRAIT_BREAKS,
    TRAIT_JOINS,
    TRAIT_COUNT
} Trait;

static const char *const names[TRAIT_COUNT] = {"unassigned", "space",   "punctuation",
                                               "chinese",    "dropped", "blank",
                                               "mark",       "breaks",  "joins"};

typedef struct Table {
    uint16_t traits[CODE_POINTS];         /* a bit for each Trait */
    uint32_t left[CODE_POINTS][LEFT_MAX]; /* what a letter becomes; 0: itself */
} Table;

static bool has(const Table *table, uint32_t c, Trait trait) {
    return table->traits[c] >> trait & 1;
}

static void read_range(Table *table, const char *name, const char *rest) {
    unsigned first = 1, last = 0;
    size_t trait = 0;
    while (trait < TRAIT_COUNT && strcmp(names[trait], name) != 0)
        trait++;
    if (trait == TRAIT_COUNT || sscanf(rest, "%x %x", &first, &last) != 2 ||
        last >= CODE_POINTS)
        fail_msg("letters.txt: '%s%s' is no range", name, rest);
    for (; first <= last; first++)
        table->traits[first] |= (uint16_t)(1 << trait);
}

static void read_letter(Table *table, char *rest) {
    unsigned long c = strtoul(rest, &rest, 16);
    assert_true(c < CODE_POINTS);
    for (size_t i = 0; *rest && *rest != '\n'; i++) {
        assert_true(i < LEFT_MAX);
        table->left[c][i] = (uint32_t)strtoul(rest, &rest, 16);
    }
}

static int load(void **state) {
    char path[1024], line[256], name[32];
    const char *source = getenv("GLASSFORMER_SOURCE");
    Table *table = calloc(1, sizeof *table);
    snprintf(path, sizeof path, "%s/tests/reference/letters.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    if (!table || !file) {
        print_error("can't read %s, which tests/reference/letters.py writes\n", path);
        return -1;
    }
    while (fgets(line, sizeof line, file)) {
        int end = 0;
        if (line[0] == '#' || sscanf(line, "%31s%n", name, &end) != 1)
            continue;
        if (strcmp(name, "letter") == 0)
            read_letter(table, line + end);
        else
            read_range(table, name, line + end);
    }
    fclose(file);
    *state = table;
    return 0;
}

static int unload(void **state) {
    free(*state);
    return 0;
}

/* Returns true if a code point is tested: one that Python's Unicode has. */
static bool is_tried(const Table *table, uint32_t c) {
    return !has(table, c, TRAIT_UNASSIGNED) && (c < 0xD800 || c > 0xDFFF);
}

static void test_letters_are_of_the_kind_that_unicode_says(void **state) {
    const Table *table = *state;
    size_t tried = 0;
    for (uint32_t c = 0; c < CODE_POINTS; c++) {
        if (!is_tried(table, c))
            continue;
        tried++;
        if (letter_is_space(c) != has(table, c, TRAIT_SPACE))
            fail_msg("U+%04X is %s white space", c, letter_is_space(c) ? "no" : "");
        if (letter_is_punctuation(c) != has(table, c, TRAIT_PUNCTUATION))
            fail_msg("U+%04X is %s punctuation", c, letter_is_punctuation(c) ? "no" : "");
        if (letter_is_chinese(c) != has(table, c, TRAIT_CHINESE))
            fail_msg("U+%04X is %s Chinese", c, letter_is_chinese(c) ? "not" : "");
    }
    assert_true(tried > 140000);
}

/* A Hangul syllable's two or three parts, as the standard computes them (3.12). */
static size_t hangul_parts(uint32_t c, uint32_t out[LEFT_MAX]) {
    enum {
        LEADS = 0x1100,
        VOWELS = 0x1161,
        TAILS = 0x11A7,
        VOWEL_COUNT = 21,
        TAIL_COUNT = 28
    };
    uint32_t index = c - HANGUL_FIRST, tail = index % TAIL_COUNT;
    out[0] = LEADS + index / (VOWEL_COUNT * TAIL_COUNT);
    out[1] = VOWELS + index / TAIL_COUNT % VOWEL_COUNT;
    out[2] = TAILS + tail;
    return tail ? 3 : 2;
}

/* Computes BERT's result for a text of one letter: with blanks around a Chinese one. */
static size_t expected_of(const Table *table, uint32_t c, uint32_t out[LEFT_MAX + 2]) {
    size_t count = 0;
    bool chinese = has(table, c, TRAIT_CHINESE);
    if (has(table, c, TRAIT_DROPPED) || has(table, c, TRAIT_MARK))
        return 0;
    if (chinese)
        out[count++] = ' ';
    if (has(table, c, TRAIT_BLANK)) {
        out[count++] = ' ';
    } else if (c >= HANGUL_FIRST && c <= HANGUL_LAST) {
        count += hangul_parts(c, out + count);
    } else if (table->left[c][0]) {
        for (size_t i = 0; i < LEFT_MAX && table->left[c][i]; i++)
            out[count++] = table->left[c][i];
    } else {
        out[count++] = c;
    }
    if (chinese)
        out[count++] = ' ';
    return count;
}

static void test_letters_leave_what_unicode_says(void **state) {
    const Table *table = *state;
    Arena *arena = arena_create(ROOM);
    for (uint32_t c = 0; c < CODE_POINTS; c++) {
        char text[4];
        uint32_t expected[LEFT_MAX + 2];
        Letters letters;
        if (!is_tried(table, c))
            continue;
        size_t length = utf8_encode(c, text), count = expected_of(table, c, expected);
        arena_reset(arena);
        letters_read_clean(&letters, arena, text, 0, length, true);
        bool same = letters.count == count;
        for (size_t i = 0; same && i < count; i++)
            same = letters.items[i].code_point == expected[i];
        if (!same)
            fail_msg("U+%04X leaves %zu letters, the first U+%04X, not %zu with U+%04X",
                     c, letters.count, letters.count ? letters.items[0].code_point : 0,
                     count, count ? expected[0] : 0);
    }
    arena_destroy(arena);
}

/* The first line of a text with a letter between two others; 43 points have room for
 * seven letters n. */
static const char *first_line(Scene *scene, const TextMetrics *metrics,
                              const char *before, uint32_t c, const char *after) {
    char text[32], letter[5] = "";
    letter[utf8_encode(c, letter)] = 0;
    snprintf(text, sizeof text, "%s%s%s", before, letter, after);
    scene->count = 0;
    paragraph_draw_with(scene, metrics, NULL, FONT_TEXT, 10, (Color){0, 0, 0, 255},
                        (Box){0, 0, 43, 0}, 16, 9, text);
    assert_true(scene->count > 1);
    return scene->items[0].text;
}

/* Lines end at blanks, which go, and beside letters of scripts without blanks; never
 * within a word of another. */
static void test_lines_end_where_words_do(void **state) {
    const Table *table = *state;
    Arena *arena = arena_create((size_t)1 << 20);
    TextMetrics metrics = fixed_metrics();
    for (uint32_t c = 1; c < CODE_POINTS; c++) {
        Scene scene;
        bool blank = c == ' ' || c == '\t' || c == 0x3000;
        bool breaks = has(table, c, TRAIT_BREAKS), joins = has(table, c, TRAIT_JOINS);
        if (!blank && !breaks && !joins)
            continue;
        arena_reset(arena);
        scene_init(&scene, arena, 200, 100, (Color){255, 255, 255, 255});
        const char *line = first_line(&scene, &metrics, "nnnn nn", c, "nn");
        if (strcmp(line, joins ? "nnnn" : "nnnn nn") != 0)
            fail_msg("a line %s end before U+%04X, but it is '%s'",
                     joins ? "can't" : "can", c, line);
        if (blank && strcmp(scene.items[1].text, "nn") != 0)
            fail_msg("the blank U+%04X stays where a line ends: '%s'", c,
                     scene.items[1].text);
        line = first_line(&scene, &metrics, "nnn", c, "nnnnn");
        if (breaks && strncmp(line, "nnn", 3) == 0 && strlen(line) == 3)
            fail_msg("a line can end behind U+%04X, but it is '%s'", c, line);
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_are_of_the_kind_that_unicode_says),
        cmocka_unit_test(test_letters_leave_what_unicode_says),
        cmocka_unit_test(test_lines_end_where_words_do),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
