/* Reads damaged lessons and looks whether anything breaks.
 *
 *   damage COUNT FILE…
 *
 * Makes COUNT damaged copies of the files, the same ones every time: bytes flipped, cut,
 * brackets, quotes and huge numbers put in, lines doubled and swapped, pieces of the
 * expression language dropped in. Reads each from memory and destroys what comes out.
 * Prints how many loaded and how many gave errors. Fails when a copy gives neither a
 * lesson nor an error, an error without a sentence, a formula that can't be typeset, or
 * takes longer than a second of processor time. Run under AddressSanitizer it also finds
 * leaks and wrong accesses. */
#include "../formula_check.h"
#include "base/error.h"
#include "base/random.h"
#include "lesson/content/content.h"
#include "lesson/content/lesson.h"
#include "lesson/load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILE_MAX = 1 << 20, ROOM = 1 << 12, DAMAGES_MAX = 3 };

/* A file being damaged; `bytes` has room for FILE_MAX. */
typedef struct Copy {
    char *bytes;
    size_t length;
    Random *random;
} Copy;

static size_t below(Copy *copy, size_t count) {
    return count ? random_below(copy->random, count) : 0;
}

static void insert(Copy *copy, size_t at, const char *text, size_t length) {
    if (copy->length + length > FILE_MAX)
        return;
    memmove(copy->bytes + at + length, copy->bytes + at, copy->length - at);
    memcpy(copy->bytes + at, text, length);
    copy->length += length;
}

static void delete (Copy *copy, size_t at, size_t length) {
    length = length < copy->length - at ? length : copy->length - at;
    memmove(copy->bytes + at, copy->bytes + at + length, copy->length - at - length);
    copy->length -= length;
}

static void flip_byte(Copy *copy) {
    if (copy->length)
        copy->bytes[below(copy, copy->length)] ^= (char)(1 << below(copy, 8));
}

static void cut_end(Copy *copy) {
    copy->length = below(copy, copy->length + 1);
}

static void cut_part(Copy *copy) {
    size_t at = below(copy, copy->length + 1);
    delete (copy, at, 1 + below(copy, 30));
}

static void insert_sign(Copy *copy) {
    static const char *const signs[] = {
        "[",  "]",  "{",   "}",   "\"",  "'",      ",",        ":",     ": ",
        "- ", "\n", "\t",  "#",   "&a ", "*a",     "!!str ",   "---\n", "|\n",
        ">",  "%",  "\\",  "\0x", "@",   "[[[[[[", "{a: {b: ", "\xFF",  "\xE2\x88\x9E",
        "?",  "~",  "\r\n"};
    const char *sign = signs[below(copy, sizeof signs / sizeof *signs)];
    insert(copy, below(copy, copy->length + 1), sign, *sign ? strlen(sign) : 1);
}

static void insert_number(Copy *copy) {
    static const char *const numbers[] = {"0",       "-1",      "999999999999999999999",
                                          "1e308",   "1e999",   "-inf",
                                          "nan",     "0x1",     "4096",
                                          "2097152", "4194304", "65536",
                                          "1e-320",  "_"};
    const char *number = numbers[below(copy, sizeof numbers / sizeof *numbers)];
    insert(copy, below(copy, copy->length + 1), number, strlen(number));
}

static void insert_expression(Copy *copy) {
    static const char *const tokens[] = {"Q",
                                         "K.T",
                                         "@",
                                         "(",
                                         ")",
                                         "((((((((",
                                         "[0]",
                                         "[:, 1:]",
                                         "-",
                                         "--------",
                                         "*",
                                         "/",
                                         "+",
                                         " = ",
                                         "softmax(",
                                         "inf",
                                         "sqrt(",
                                         ".T.T.T.T",
                                         "concat(Q, ",
                                         "B.weights",
                                         "attention(Q, K, V)",
                                         "causal_mask(",
                                         "\xEF\xBC\x88",
                                         "[-1]"};
    const char *token = tokens[below(copy, sizeof tokens / sizeof *tokens)];
    const char *step = "- do: ";
    /* mostly within an expression */
    size_t at = below(copy, copy->length + 1);
    for (size_t i = at; i + 6 < copy->length && below(copy, 8); i++) {
        if (memcmp(copy->bytes + i, step, 6) == 0) {
            at = i + 6 + below(copy, 20);
            break;
        }
    }
    insert(copy, at < copy->length ? at : copy->length, token, strlen(token));
}

/* The line that a random byte is in. */
static void random_line(Copy *copy, size_t *begin, size_t *length) {
    size_t end = below(copy, copy->length + 1);
    *begin = end;
    while (*begin > 0 && copy->bytes[*begin - 1] != '\n')
        --*begin;
    while (end < copy->length && copy->bytes[end] != '\n')
        end++;
    *length = end - *begin + (end < copy->length);
}

static void double_line(Copy *copy) {
    static char line[ROOM];
    size_t begin, length;
    random_line(copy, &begin, &length);
    if (length > sizeof line)
        return;
    memcpy(line, copy->bytes + begin, length);
    insert(copy, begin, line, length);
}

static void move_line(Copy *copy) {
    static char line[ROOM];
    size_t begin, length;
    random_line(copy, &begin, &length);
    if (length > sizeof line)
        return;
    memcpy(line, copy->bytes + begin, length);
    delete (copy, begin, length);
    random_line(copy, &begin, &(size_t){0});
    insert(copy, begin, line, length);
}

static void swap_words(Copy *copy) {
    size_t at = below(copy, copy->length + 1);
    char piece[16];
    size_t length = 1 + below(copy, sizeof piece);
    if (at + length > copy->length)
        return;
    memcpy(piece, copy->bytes + at, length);
    delete (copy, at, length);
    insert(copy, below(copy, copy->length + 1), piece, length);
}

static void damage(Copy *copy) {
    static void (*const damages[])(Copy *) = {
        flip_byte,     cut_end,       cut_part,          insert_sign,
        insert_number, insert_number, insert_expression, insert_expression,
        double_line,   move_line,     swap_words};
    size_t count = 1 + below(copy, DAMAGES_MAX);
    for (size_t i = 0; i < count; i++)
        damages[below(copy, sizeof damages / sizeof *damages)](copy);
}

static size_t read_file(const char *path, char *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s can't be read\n", path);
        exit(3);
    }
    size_t length = fread(bytes, 1, FILE_MAX, file);
    fclose(file);
    return length;
}

static bool check_formulas(const Lesson *lesson, const char *name) {
    for (size_t i = 0; i < lesson->step_count; i++) {
        const char *formula = lesson->steps[i].formula;
        if (formula && !formula_check(formula)) {
            fprintf(stderr, "%s, formula %s\n", name, formula);
            return false;
        }
    }
    return true;
}

/* Reads a copy; false when something about it is wrong. */
static bool try_copy(const Copy *copy, const char *name, size_t *loaded) {
    static ErrorList errors; /* too large for some stacks */
    clock_t begin = clock();
    memset(&errors, 0, sizeof errors);
    Lesson *lesson = lesson_parse(name, copy->bytes, copy->length, NULL, &errors);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    bool good = true;
    if ((lesson != NULL) != (errors.count == 0)) {
        fprintf(stderr, "%s gave a lesson %d and %zu errors\n", name, lesson != NULL,
                errors.count);
        good = false;
    }
    for (size_t i = 0; i < errors.count; i++) {
        if (errors.items[i].code == ERROR_NONE || !errors.items[i].message[0]) {
            fprintf(stderr, "%s gave an error without a sentence\n", name);
            good = false;
        }
    }
    if (seconds > 1) {
        fprintf(stderr, "%s took %.2f s\n", name, seconds);
        good = false;
    }
    good &= !lesson || check_formulas(lesson, name);
    *loaded += lesson != NULL;
    lesson_destroy(lesson);
    return good;
}

int main(int argument_count, char **arguments) {
    if (argument_count < 3) {
        fprintf(stderr, "damage COUNT FILE...\n");
        return 2;
    }
    size_t count = strtoul(arguments[1], NULL, 10), files = (size_t)argument_count - 2;
    size_t loaded = 0, wrong = 0;
    char *original = malloc(FILE_MAX), *bytes = malloc(FILE_MAX);
    for (size_t i = 0; i < count && original && bytes; i++) {
        char name[1100];
        Random random;
        const char *path = arguments[2 + i % files];
        size_t length = read_file(path, original);
        memcpy(bytes, original, length);
        random_init(&random, i);
        Copy copy = {bytes, length, &random};
        damage(&copy);
        snprintf(name, sizeof name, "copy %zu of %.1000s", i, path);
        if (!try_copy(&copy, name, &loaded)) {
            wrong++;
            fprintf(stderr, "--- copy %zu:\n", i);
            fwrite(bytes, 1, copy.length, stderr);
            fprintf(stderr, "---\n");
        }
    }
    free(original);
    free(bytes);
    printf("%zu copies: %zu loaded, %zu gave errors, %zu went wrong\n", count, loaded,
           count - loaded, wrong);
    return wrong != 0;
}
