#include "picture/formula/formula_parts.h"

#include "base/strings/aloud.h"
#include "base/strings/language.h"
#include "base/strings/utf8.h"

#include <string.h>

/* Formulas in words, from their trees. Letters are plain ones; what a picture shows by
 * position has words: roots, fractions, exponents. */

typedef struct Voice {
    Writer writer;
    const Language *language;
} Voice;

static void say(Voice *voice, const FormulaNode *node);

static void say_words(Voice *voice, const char *name) {
    aloud_put_words(&voice->writer, voice->language, name, NULL);
}

/* Returns a node in words; "" for NULL. */
static const char *words_of(const Voice *voice, const FormulaNode *node) {
    Voice part = {{.arena = voice->writer.arena}, voice->language};
    if (node)
        say(&part, node);
    return part.writer.text ? part.writer.text : "";
}

/* ---- kinds of nodes ---- */

/* The only node of a row, and of a row in that. */
static const FormulaNode *unwrapped(const FormulaNode *node) {
    while (node->kind == FORMULA_ROW && node->list && !node->list->next)
        node = node->list;
    return node;
}

static bool is_text(const FormulaNode *node, const char *text) {
    return node->kind == FORMULA_ATOM && strcmp(node->text, text) == 0;
}

static bool is_one_of(const FormulaNode *node, const char *signs) {
    return node->kind == FORMULA_ATOM && !node->text[1] && strchr(signs, node->text[0]);
}

/* Innermost base of scripts. */
static const FormulaNode *base_of(const FormulaNode *node) {
    node = unwrapped(node);
    while (node->kind == FORMULA_SCRIPTS)
        node = unwrapped(node->parts[0]);
    return node;
}

static bool is_fenced(const FormulaNode *node) {
    return base_of(node)->kind == FORMULA_FENCED;
}

/* Reports whether a node is a letter beyond the Latin ones. */
static bool is_greek(const FormulaNode *node) {
    return node->kind == FORMULA_ATOM &&
           (node->face == FACE_ITALIC || node->face == FACE_UPRIGHT) &&
           (unsigned char)node->text[0] >= 0x80 && node->class == CLASS_ORDINARY;
}

/* Reports whether a node is a function: its name, a sum, a Greek letter in front of
 * parentheses. */
static bool is_function(const FormulaNode *node, const FormulaNode *next) {
    return node->class == CLASS_OPERATOR ||
           (next && is_greek(base_of(node)) && is_fenced(next));
}

/* Reports whether a node stands before another one of an operation: Q K, 2 x. */
static bool is_factor(const FormulaNode *node) {
    const FormulaNode *base = base_of(node);
    bool kind = node->class == CLASS_ORDINARY || node->class == CLASS_INNER;
    bool quiet = base->kind == FORMULA_ATOM &&
                 (base->face == FACE_SENTENCE || base->face == FACE_BAD);
    return kind && !quiet && node->kind != FORMULA_SPACE && !is_text(node, "…") &&
           !is_text(node, "∂") && !is_text(node, "±") && !is_one_of(node, "/.:|!_%");
}

static bool is_product(const FormulaNode *left, const FormulaNode *right) {
    bool partial = is_text(right, "∂");
    return (is_factor(left) || left->class == CLASS_CLOSING) &&
           (is_factor(right) || right->class == CLASS_OPERATOR || partial);
}

/* Reports whether nothing on the left of a sign belongs to it. */
static bool begins(const FormulaNode *before) {
    return !before || before->class == CLASS_BINARY || before->class == CLASS_RELATION ||
           before->class == CLASS_OPENING || before->class == CLASS_PUNCTUATION ||
           before->class == CLASS_OPERATOR;
}

/* Reports whether a node needs brackets within another one: it has an operation, or,
 * unless `product`, a product. */
static bool is_compound(const FormulaNode *node, bool product) {
    node = unwrapped(node);
    if (node->kind == FORMULA_FRACTION)
        return true;
    const FormulaNode *before = NULL;
    if (node->kind != FORMULA_ROW)
        return false;
    for (const FormulaNode *at = node->list; at; before = at, at = at->next) {
        bool joins = at->class == CLASS_BINARY || at->class == CLASS_RELATION;
        if ((joins && !begins(before)) || at->class == CLASS_PUNCTUATION ||
            is_one_of(at, "/") || (!product && before && is_product(before, at)))
            return true;
    }
    return false;
}

static void say_grouped(Voice *voice, const FormulaNode *node, bool product) {
    bool compound = is_compound(node, product);
    aloud_put(&voice->writer, compound ? "(" : "");
    say(voice, node);
    aloud_put(&voice->writer, compound ? ")" : "");
}

/* ---- atoms and scripts ---- */

/* Atoms with words of their own in formulas, and the keys of these below "aloud". */
static const struct {
    const char *text, *key;
} named[] = {{"…", "and_so_on"}, {"→", "becomes"}, {"/", "over"},
             {"max", "max"},     {"min", "min"},   {"sin", "sin"},
             {"cos", "cos"},     {"exp", "exp"},   {"log", "log"}};

/* Says an atom; a sign with nothing on its left is `unary`. */
static void say_atom(Voice *voice, const FormulaNode *node, bool unary) {
    Writer *writer = &voice->writer;
    size_t length = 0;
    if (node->face == FACE_SENTENCE) {
        aloud_put(writer, aloud_text(writer->arena, voice->language, node->text));
        return;
    }
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (is_text(node, named[i].text)) {
            say_words(voice, named[i].key);
            return;
        }
    }
    const char *sign = aloud_sign(voice->language, node->text, unary, &length);
    const char *letter = formula_letter_name(writer->arena, node->text);
    if (node->face == FACE_BAD)
        aloud_put(writer, node->text);
    else if (sign && !node->text[length])
        aloud_put(writer, sign);
    else
        aloud_put(writer, letter ? letter : node->text);
}

/* Letters of an index one by one: "ij" is i, j. */
static const char *index_words(const Voice *voice, const FormulaNode *node) {
    const FormulaNode *only = unwrapped(node);
    if (only->kind == FORMULA_ATOM && only->face == FACE_ITALIC &&
        strlen(only->text) == 2 && (unsigned char)only->text[0] < 0x80)
        return arena_format(voice->writer.arena, "%c %c", only->text[0], only->text[1]);
    return words_of(voice, node);
}

/* Says an exponent, or a raised T. */
static void say_power(Voice *voice, const FormulaNode *above) {
    const FormulaNode *only = unwrapped(above);
    if (is_text(only, "T") && only->face != FACE_ITALIC) {
        say_words(voice, "transposed");
    } else if (is_text(only, "2") || is_text(only, "3")) {
        say_words(voice, is_text(only, "2") ? "squared" : "cubed");
    } else {
        Voice exponent = {{.arena = voice->writer.arena}, voice->language};
        say_grouped(&exponent, above, false);
        aloud_put_words(&voice->writer, voice->language, "power",
                        exponent.writer.text ? exponent.writer.text : "");
    }
}

/* Says the range of an operator: "over j", "from 1 to n"; other indices follow its
 * name. */
static void say_limits(Voice *voice, const FormulaNode *below, const FormulaNode *above) {
    const Language *language = voice->language;
    const FormulaNode *only = below ? unwrapped(below) : NULL;
    if (only && only->kind == FORMULA_ATOM && only->face == FACE_ITALIC)
        aloud_put_words(&voice->writer, language, "each", words_of(voice, below));
    else if (below)
        say(voice, below);
    if (above)
        aloud_put_words(&voice->writer, language, "up_to", words_of(voice, above));
}

/* Says the scripts of a parenthesis, and what is raised at others. */
static void say_marks(Voice *voice, const FormulaNode *node) {
    if (node->parts[1] && is_fenced(node))
        aloud_put_words(&voice->writer, voice->language, "at",
                        index_words(voice, node->parts[1]));
    for (size_t i = 0; node->primes && i < utf8_count(node->primes); i++)
        say_words(voice, "prime");
    if (node->parts[2])
        say_power(voice, node->parts[2]);
}

static void say_scripts(Voice *voice, const FormulaNode *node) {
    const FormulaNode *base = node->parts[0], *below = node->parts[1],
                      *above = node->parts[2];
    const char *name = words_of(voice, base);
    if (node->class == CLASS_OPERATOR) {
        aloud_put(&voice->writer, name);
        say_limits(voice, below, above);
        return;
    }
    if (below && !is_fenced(base)) {
        const char *parts[] = {name, index_words(voice, below)};
        name = language_sentence(voice->language, "aloud.index", 2, parts,
                                 voice->writer.arena);
    }
    aloud_put(&voice->writer, name);
    say_marks(voice, node);
}

/* ---- rows ---- */

/* Says the parentheses behind a function, without brackets if they hold one thing. */
static void say_argument(Voice *voice, const FormulaNode *node) {
    node = unwrapped(node);
    say_grouped(voice, base_of(node)->parts[0], false);
    if (node->kind == FORMULA_SCRIPTS)
        say_marks(voice, node);
}

static bool has_argument(const FormulaNode *function) {
    const FormulaNode *next = function->next;
    return next && next->kind != FORMULA_SPACE && is_function(function, next) &&
           next->class != CLASS_BINARY && next->class != CLASS_RELATION &&
           next->class != CLASS_CLOSING && next->class != CLASS_PUNCTUATION;
}

static void say_row(Voice *voice, const FormulaNode *row) {
    const FormulaNode *before = NULL;
    for (const FormulaNode *at = row->list; at; before = at, at = at->next) {
        if (before && is_product(before, at))
            say_words(voice, "times");
        if (at->kind == FORMULA_ATOM)
            say_atom(voice, at, begins(before));
        else
            say(voice, at);
        if (!has_argument(at))
            continue;
        say_words(voice, "of");
        if (is_fenced(at->next)) {
            at = at->next;
            say_argument(voice, at);
        }
    }
}

static void say(Voice *voice, const FormulaNode *node) {
    switch (node->kind) {
    case FORMULA_ATOM:
        say_atom(voice, node, true);
        break;
    case FORMULA_SPACE:
        aloud_put(&voice->writer, ",");
        break;
    case FORMULA_ROW:
        say_row(voice, node);
        break;
    case FORMULA_FRACTION:
        say_grouped(voice, node->parts[0], true);
        say_words(voice, "over");
        say_grouped(voice, node->parts[1], false);
        break;
    case FORMULA_ROOT:
        say_words(voice, "root");
        say_grouped(voice, node->parts[0], false);
        break;
    case FORMULA_SCRIPTS:
        say_scripts(voice, node);
        break;
    case FORMULA_FENCED:
        aloud_put(&voice->writer, "(");
        say(voice, node->parts[0]);
        aloud_put(&voice->writer, ")");
        break;
    }
}

const char *formula_aloud(Arena *arena, const Language *language, const char *source) {
    bool understood;
    Voice voice = {{.arena = arena}, language};
    say(&voice, formula_parse(arena, source, &understood));
    return voice.writer.text ? voice.writer.text : "";
}
