#include "picture/formula/formula_parse.h"

#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"
#include "picture/formula/formula_name.h"
#include "picture/formula/formula_parser.h"

#include <ctype.h>
#include <string.h>

enum { SHOWN_BYTES = 80 }; /* bytes shown of a source that is too long */

static FormulaNode *parse_atom(Parser *parser, bool single);

FormulaNode *parser_node(Parser *parser, FormulaKind kind) {
    FormulaNode *node = arena_alloc(parser->arena, 1, sizeof *node);
    *node = (FormulaNode){.kind = kind};
    return node;
}

FormulaNode *parser_atom(Parser *parser, const char *text, size_t length,
                         FormulaFace face) {
    FormulaNode *node = parser_node(parser, FORMULA_ATOM);
    node->text = arena_copy(parser->arena, text, length);
    node->face = face;
    return node;
}

FormulaNode *parser_symbol(Parser *parser, const FormulaSymbol *symbol) {
    FormulaNode *node = parser_node(parser, FORMULA_ATOM);
    node->text = symbol->text;
    node->class = symbol->class;
    node->face = symbol->face;
    node->limits = symbol->limits;
    node->large = symbol->large;
    return node;
}

/* ---- errors ---- */

FormulaNode *parser_bad(Parser *parser, size_t from) {
    parser->bad = true;
    return parser_atom(parser, parser->source + from, parser->at - from, FACE_BAD);
}

FormulaNode *parser_bad_before(Parser *parser, size_t from, size_t to,
                               FormulaNode *node) {
    size_t at = parser->at;
    parser->at = to;
    FormulaNode *group = parser_node(parser, FORMULA_ROW), *last = NULL;
    parser_append(group, &last, parser_bad(parser, from));
    parser_append(group, &last, node);
    parser->at = at;
    return group;
}

/* ---- reading ---- */

char parser_peek(const Parser *parser) {
    return parser->at < parser->length ? parser->source[parser->at] : 0;
}

void parser_skip_spaces(Parser *parser) {
    while (parser_peek(parser) == ' ')
        parser->at++;
}

bool parser_at_command(const Parser *parser, const char *name) {
    const char *at = parser->source + parser->at;
    size_t length = strlen(name);
    return *at == '\\' && strncmp(at + 1, name, length) == 0 &&
           !isalpha((unsigned char)at[1 + length]);
}

static bool at_stop(const Parser *parser, ParserStop stop) {
    return (stop != STOP_END && parser_peek(parser) == '}') ||
           (stop == STOP_RIGHT && parser_at_command(parser, "right"));
}

void parser_append(FormulaNode *row, FormulaNode **last, FormulaNode *node) {
    if (*last)
        (*last)->next = node;
    else
        row->list = node;
    *last = node;
}

FormulaNode *parser_braced(Parser *parser) {
    size_t opening = parser->at++;
    if (parser->depth == FORMULA_MAX_DEPTH)
        return parser_bad(parser, opening);
    parser->depth++;
    FormulaNode *row = parser_row(parser, STOP_BRACE);
    parser->depth--;
    if (parser_peek(parser) == '}') {
        parser->at++;
        return row;
    }
    return parser_bad_before(parser, opening, opening + 1, row);
}

/* ---- atoms, scripts, rows ---- */

static bool ends_in_script(const Parser *parser, size_t at) {
    while (at < parser->length && parser->source[at] == ' ')
        at++;
    return at < parser->length && strchr("_^'", parser->source[at]);
}

/* Adjacent letters are one atom, but a script belongs to the last letter alone. */
static FormulaNode *parse_letters(Parser *parser, bool single) {
    size_t from = parser->at++;
    while (!single && isalpha((unsigned char)parser_peek(parser)))
        parser->at++;
    if (parser->at - from > 1 && ends_in_script(parser, parser->at))
        parser->at--;
    return parser_atom(parser, parser->source + from, parser->at - from, FACE_ITALIC);
}

static FormulaNode *parse_digits(Parser *parser, bool single) {
    size_t from = parser->at++;
    while (!single && parser->at < parser->length) {
        bool point = parser_peek(parser) == '.' && parser->at + 1 < parser->length &&
                     isdigit((unsigned char)parser->source[parser->at + 1]);
        if (!point && !isdigit((unsigned char)parser_peek(parser)))
            break;
        parser->at++;
    }
    return parser_atom(parser, parser->source + from, parser->at - from, FACE_UPRIGHT);
}

static FormulaNode *parse_sign(Parser *parser) {
    size_t from = parser->at;
    utf8_next(parser->source, parser->length, &parser->at);
    const FormulaSymbol *symbol =
        formula_symbol_typed(parser->source + from, parser->at - from);
    return symbol && !strchr("}_^", parser->source[from]) ? parser_symbol(parser, symbol)
                                                          : parser_bad(parser, from);
}

/* Parses the smallest part at the parser's position; `single` takes one letter or digit
 * of a run, as behind ^ and _. */
static FormulaNode *parse_atom(Parser *parser, bool single) {
    char c = parser_peek(parser);
    if (c == '{')
        return parser_braced(parser);
    if (c == '\\')
        return parser_command(parser);
    if (isalpha((unsigned char)c))
        return parse_letters(parser, single);
    if (isdigit((unsigned char)c))
        return parse_digits(parser, single);
    return parse_sign(parser);
}

/* One of a base's two scripts while it is parsed. */
typedef struct Script {
    FormulaNode *row, *last;
    bool given;
} Script;

static void add_to_script(Parser *parser, Script *script, FormulaNode *node) {
    if (!script->row)
        script->row = parser_node(parser, FORMULA_ROW);
    parser_append(script->row, &script->last, node);
}

static bool nothing_follows(const Parser *parser) {
    return parser->at == parser->length || strchr("}^_'", parser_peek(parser)) ||
           parser_at_command(parser, "right");
}

/* Parses the script behind a `^` or `_` at position `from`. */
static void parse_script(Parser *parser, size_t from, Script *script) {
    if (script->given)
        add_to_script(parser, script, parser_bad(parser, from));
    script->given = true;
    parser_skip_spaces(parser);
    if (!nothing_follows(parser)) {
        add_to_script(parser, script, parse_atom(parser, true));
        return;
    }
    parser->at = from + 1;
    add_to_script(parser, script, parser_bad(parser, from));
}

/* Parses an atom with its scripts: primes, one ^ and one _ in any order. */
static FormulaNode *parse_scripted(Parser *parser) {
    FormulaNode *base = parse_atom(parser, false);
    Script above = {0}, below = {0};
    size_t primes = 0;
    for (parser_skip_spaces(parser);
         parser_peek(parser) && strchr("_^'", parser_peek(parser));
         parser_skip_spaces(parser)) {
        size_t from = parser->at++;
        char mark = parser->source[from];
        if (mark == '\'')
            primes++;
        else
            parse_script(parser, from, mark == '^' ? &above : &below);
    }
    if (!above.row && !below.row && !primes)
        return base;
    FormulaNode *node = parser_node(parser, FORMULA_SCRIPTS);
    node->class = base->class;
    node->word = base->word;
    node->primes = formula_primes(parser->arena, primes);
    node->parts[0] = base;
    node->parts[1] = below.row;
    node->parts[2] = above.row;
    return node;
}

FormulaNode *parser_row(Parser *parser, ParserStop stop) {
    FormulaNode *row = parser_node(parser, FORMULA_ROW), *last = NULL;
    for (parser_skip_spaces(parser);
         parser->at < parser->length && !at_stop(parser, stop);
         parser_skip_spaces(parser))
        parser_append(row, &last, parse_scripted(parser));
    return row;
}

/* Copy of a source that is UTF-8 without control characters; invalid bytes become '?'. */
static const char *clean_source(Parser *parser, const char *source) {
    char *copy = arena_copy(parser->arena, source, parser->length);
    for (size_t i = 0; copy[i]; i++) {
        if ((unsigned char)copy[i] < 0x20 || copy[i] == 0x7F)
            copy[i] = ' ';
    }
    for (size_t wrong; (wrong = utf8_check(copy, parser->length)) < parser->length;)
        copy[wrong] = '?';
    return copy;
}

/* Atom for a source that is too long: its beginning and "…". */
static FormulaNode *unread(Parser *parser) {
    size_t length = SHOWN_BYTES;
    while (((unsigned char)parser->source[length] & 0xC0) == 0x80)
        length--; /* no partial character */
    const char *text = arena_format(parser->arena, "%.*s…", (int)length, parser->source);
    parser->bad = true;
    return parser_atom(parser, text, strlen(text), FACE_BAD);
}

const FormulaNode *formula_parse(Arena *arena, const char *source, bool *understood) {
    Parser parser = {.arena = arena, .length = strlen(source)};
    parser.source = clean_source(&parser, source);
    FormulaNode *tree = parser.length > FORMULA_MAX_BYTES ? unread(&parser)
                                                          : parser_row(&parser, STOP_END);
    *understood = !parser.bad;
    return tree;
}
