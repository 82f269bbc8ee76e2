#include "picture/words/words.h"

#include "picture/draw/canvas.h"
#include "picture/formula/formula.h"
#include "tensor/tape/tape.h"

#include <string.h>

enum { NAME_MAX_BYTES = 64 };

static const char ROOT[] = "√";

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reports whether a character before or behind a name belongs to the name. */
static bool is_inner(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

static size_t run_of(const char *text, size_t length, bool (*belongs)(char)) {
    size_t end = 0;
    while (end < length && belongs(text[end]))
        end++;
    return end;
}

static bool is_letter_or_digit(char c) {
    return is_letter(c) || is_digit(c);
}

static bool is_tensor(const SentenceNames *names, const char *name) {
    return names->tape && tape_find(names->tape, name) != TAPE_NONE;
}

/* Reports whether a word with an underscore is a name: d_k, W_Q, or any tensor's. */
static bool is_name(const SentenceNames *names, const char *word, size_t length) {
    const char *underscore = memchr(word, '_', length);
    if (length > NAME_MAX_BYTES || word[length - 1] == '_')
        return false;
    if (underscore == word + 1)
        return true;
    char name[NAME_MAX_BYTES + 1];
    memcpy(name, word, length);
    name[length] = 0;
    return underscore && is_tensor(names, name);
}

/* Length of a name: "W_Q", "K.T", "W_Q.T"; 0 for other words. */
static size_t name_length(const SentenceNames *names, const char *text, size_t length) {
    size_t word = run_of(text, length, is_inner);
    if (!word || !is_letter(text[0]))
        return 0;
    bool transposed = word + 2 <= length && text[word] == '.' && text[word + 1] == 'T' &&
                      (word + 2 == length || !is_inner(text[word + 2]));
    bool named = is_name(names, text, word);
    char name[2] = {text[0], 0};
    if (transposed && (named || (word == 1 && is_tensor(names, name))))
        return word + 2;
    return named ? word : 0;
}

/* Length of a power: "2^i"; 0 for other text. */
static size_t power_length(const char *text, size_t length) {
    size_t base = run_of(text, length, is_letter_or_digit);
    if (!base || base + 1 >= length || text[base] != '^')
        return 0;
    size_t exponent = run_of(text + base + 1, length - base - 1, is_letter_or_digit);
    return exponent ? base + 1 + exponent : 0;
}

static size_t find_name(void *context, const char *text, size_t length, size_t at) {
    const SentenceNames *names = context;
    if (at > 0 && (is_inner(text[at - 1]) || text[at - 1] == '.'))
        return 0;
    const char *from = text + at;
    size_t left = length - at, root = strlen(ROOT);
    if (left > root && memcmp(from, ROOT, root) == 0) {
        size_t name = name_length(names, from + root, left - root);
        return name ? root + name : 0;
    }
    size_t power = power_length(from, left);
    return power ? power : name_length(names, from, left);
}

/* An inset as a formula. */
static const char *formula_of(const SentenceNames *names, const char *inset,
                              size_t length) {
    size_t root = strlen(ROOT);
    const char *raised = memchr(inset, '^', length);
    if (raised)
        return canvas_format(names->canvas, "%.*s^{%.*s}", (int)(raised - inset), inset,
                             (int)(length - (size_t)(raised - inset) - 1), raised + 1);
    if (length > root && memcmp(inset, ROOT, root) == 0)
        return canvas_format(names->canvas, "\\sqrt{\\tensor{%.*s}}",
                             (int)(length - root), inset + root);
    return canvas_format(names->canvas, "\\tensor{%.*s}", (int)length, inset);
}

/* Size of a formula in text; italics look smaller than upright letters. */
static double formula_size(double size) {
    return size * 1.12;
}

static double name_width(void *context, double size, const char *inset, size_t length) {
    const SentenceNames *names = context;
    const Canvas *canvas = names->canvas;
    return canvas_formula_extent(canvas, formula_of(names, inset, length),
                                 formula_size(size))
        .width;
}

static void draw_name(void *context, Scene *scene, double size, Color color,
                      Point baseline, const char *inset, size_t length) {
    const SentenceNames *names = context;
    const Canvas *canvas = names->canvas;
    Theme toned = *canvas->theme; /* names without a colour have the sentence's */
    toned.ink = color;
    formula_draw(scene, canvas->metrics, &toned, formula_of(names, inset, length),
                 formula_size(size), baseline);
}

void sentence_names_use(SentenceNames *names, Canvas *canvas, const Tape *tape) {
    *names = (SentenceNames){canvas, tape, {names, find_name, name_width, draw_name}};
    canvas->insets = &names->insets;
}
