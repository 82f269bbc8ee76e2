#include "picture/formula/formula_parser.h"

#include "base/strings/utf8.h"
#include "picture/formula/formula_name.h"
#include "picture/formula/formula_symbols.h"

#include <ctype.h>
#include <string.h>

/* A command's argument; NULL if there is none. */
static FormulaNode *parse_argument(Parser *parser) {
    parser_skip_spaces(parser);
    return parser_peek(parser) == '{' ? parser_braced(parser) : NULL;
}

/* Text between braces, verbatim except for \{ \} \_ \% \\. NULL if no braces follow; the
 * parser then doesn't move. */
static char *parse_raw(Parser *parser) {
    size_t at = parser->at, length = 0, depth = 0;
    while (at < parser->length && parser->source[at] == ' ')
        at++;
    if (at == parser->length || parser->source[at] != '{')
        return NULL;
    char *text = arena_alloc(parser->arena, parser->length - at, 1);
    for (; at < parser->length; at++) {
        char c = parser->source[at];
        if (c == '\\' && at + 1 < parser->length &&
            strchr("{}_%\\", parser->source[at + 1])) {
            c = parser->source[++at];
        } else if (c == '{') {
            depth++;
            continue;
        } else if (c == '}') {
            if (--depth == 0) {
                parser->at = at + 1;
                return text;
            }
            continue;
        }
        if (text)
            text[length++] = c;
    }
    return NULL;
}

static FormulaNode *parse_fraction(Parser *parser, size_t from) {
    size_t behind = parser->at;
    FormulaNode *numerator = parse_argument(parser);
    if (!numerator)
        return parser_bad(parser, from);
    FormulaNode *denominator = parse_argument(parser);
    if (!denominator)
        return parser_bad_before(parser, from, behind, numerator);
    FormulaNode *node = parser_node(parser, FORMULA_FRACTION);
    node->class = CLASS_INNER;
    node->parts[0] = numerator;
    node->parts[1] = denominator;
    return node;
}

static FormulaNode *parse_root(Parser *parser, size_t from) {
    FormulaNode *inside = parse_argument(parser);
    if (!inside)
        return parser_bad(parser, from);
    FormulaNode *node = parser_node(parser, FORMULA_ROOT);
    node->parts[0] = inside;
    return node;
}

static FormulaNode *parse_words(Parser *parser, size_t from, bool function) {
    const char *text = parse_raw(parser);
    if (!text)
        return parser_bad(parser, from);
    if (!*text)
        return parser_node(parser, FORMULA_ROW);
    FormulaNode *node =
        parser_atom(parser, text, strlen(text), function ? FACE_UPRIGHT : FACE_SENTENCE);
    node->class = function ? CLASS_OPERATOR : CLASS_ORDINARY;
    return node;
}

static FormulaNode *parse_tensor(Parser *parser, size_t from) {
    const char *name = parse_raw(parser);
    FormulaNode *node = name ? formula_name(parser->arena, name) : NULL;
    return node ? node : parser_bad(parser, from);
}

static bool parse_fence(Parser *parser, char fence) {
    parser_skip_spaces(parser);
    bool found = parser_peek(parser) == fence;
    parser->at += found;
    return found;
}

static FormulaNode *parse_fenced(Parser *parser, size_t from) {
    size_t behind = parser->at;
    if (!parse_fence(parser, '(') || parser->depth == FORMULA_MAX_DEPTH)
        return parser_bad(parser, from);
    parser->depth++;
    FormulaNode *inside = parser_row(parser, STOP_RIGHT);
    parser->depth--;
    bool closed = parser_at_command(parser, "right");
    parser->at += closed ? 1 + strlen("right") : 0;
    if (!closed || !parse_fence(parser, ')'))
        return parser_bad_before(parser, from, behind, inside);
    FormulaNode *node = parser_node(parser, FORMULA_FENCED);
    node->class = CLASS_INNER;
    node->parts[0] = inside;
    return node;
}

typedef struct Construct {
    const char *name;
    FormulaNode *(*parse)(Parser *parser, size_t from);
} Construct;

static FormulaNode *parse_text(Parser *parser, size_t from) {
    return parse_words(parser, from, false);
}

static FormulaNode *parse_function(Parser *parser, size_t from) {
    return parse_words(parser, from, true);
}

static FormulaNode *parse_quad(Parser *parser, size_t from) {
    (void)from;
    return parser_node(parser, FORMULA_SPACE);
}

FormulaNode *parser_command(Parser *parser) {
    static const Construct constructs[] = {
        {"frac", parse_fraction}, {"sqrt", parse_root},     {"text", parse_text},
        {"op", parse_function},   {"tensor", parse_tensor}, {"left", parse_fenced},
        {"quad", parse_quad},
    };
    size_t from = parser->at++;
    while (isalpha((unsigned char)parser_peek(parser)))
        parser->at++;
    size_t length = parser->at - from - 1;
    if (length == 0 && parser->at < parser->length) {
        utf8_next(parser->source, parser->length, &parser->at);
        length = parser->at - from - 1;
    }
    const char *name = parser->source + from + 1;
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        if (strlen(constructs[i].name) == length &&
            memcmp(constructs[i].name, name, length) == 0)
            return constructs[i].parse(parser, from);
    }
    const FormulaSymbol *symbol = formula_symbol_named(name, length);
    return symbol ? parser_symbol(parser, symbol) : parser_bad(parser, from);
}
