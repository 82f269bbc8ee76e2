#include "picture/formula/formula_parser.h"

#include "base/strings/utf8.h"
#include "picture/formula/formula_name.h"
#include "picture/formula/formula_symbols.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MATRIX_MAX_CELLS = 1024 };

/* A command's argument, or NULL where none follows. */
static FormulaNode *parse_argument(Parser *parser) {
    parser_skip_spaces(parser);
    return parser_peek(parser) == '{' ? parser_braced(parser) : NULL;
}

/* The text between braces, as it stands but for \{ \} \_ \% \\. NULL, and the parser does
 * not move, where no braces follow. */
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
        return parser_bad(parser, from, "takes two groups", "write \\frac{…}{…}");
    FormulaNode *denominator = parse_argument(parser);
    if (!denominator)
        return parser_bad_before(parser, from, behind, numerator, "takes two groups",
                                 "write \\frac{…}{…}");
    FormulaNode *node = parser_node(parser, FORMULA_FRACTION);
    node->class = CLASS_INNER;
    node->parts[0] = numerator;
    node->parts[1] = denominator;
    return node;
}

static FormulaNode *parse_root(Parser *parser, size_t from) {
    FormulaNode *inside = parse_argument(parser);
    if (!inside)
        return parser_bad(parser, from, "takes a group", "write \\sqrt{…}");
    FormulaNode *node = parser_node(parser, FORMULA_ROOT);
    node->parts[0] = inside;
    return node;
}

static FormulaNode *parse_words(Parser *parser, size_t from, bool function) {
    const char *text = parse_raw(parser);
    if (!text)
        return function ? parser_bad(parser, from, "takes a name", "write \\op{…}")
                        : parser_bad(parser, from, "takes words", "write \\text{…}");
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
    if (node)
        return node;
    if (arena_exhausted(parser->arena))
        return &parser->spare;
    return parser_bad(parser, from, "takes a tensor's name", "write \\tensor{…}");
}

static FormulaNode *parse_matrix(Parser *parser, size_t from) {
    size_t behind = parser->at;
    parser_skip_spaces(parser);
    if (parser_peek(parser) != '{')
        return parser_bad(parser, from, "takes a group",
                          "write \\matrix{a & b \\\\ c & d}");
    if (parser->depth == FORMULA_MAX_DEPTH)
        return parser_bad_depth(parser, from);
    parser->at++;
    parser->depth++;
    FormulaNode *matrix = parser_node(parser, FORMULA_MATRIX), *last_row = NULL;
    matrix->class = CLASS_INNER;
    size_t rows = 0;
    for (bool more = true; more;) {
        FormulaNode *row = parser_node(parser, FORMULA_ROW), *last_cell = NULL;
        size_t cells = 1;
        parser_append(row, &last_cell, parser_row(parser, STOP_CELL));
        for (; parser_peek(parser) == '&'; cells++) {
            parser->at++;
            parser_append(row, &last_cell, parser_row(parser, STOP_CELL));
        }
        more = parser_looking_at(parser, "\\\\");
        parser->at += more ? 2 : 0;
        if (!more && last_row && cells == 1 && !row->list->list)
            break; /* nothing stands behind the last \\ */
        parser_append(matrix, &last_row, row);
        rows++;
        matrix->columns = cells > matrix->columns ? cells : matrix->columns;
    }
    parser->depth--;
    if (parser_peek(parser) != '}')
        return parser_bad_before(parser, from, behind, matrix, "is never closed",
                                 "its group needs a '}'");
    parser->at++;
    if (rows * matrix->columns > MATRIX_MAX_CELLS)
        return parser_bad(parser, from, "has more cells than can be read",
                          "show a part of it");
    return matrix;
}

static char parse_fence(Parser *parser) {
    parser_skip_spaces(parser);
    char fence = parser_peek(parser);
    if (!fence || !strchr("()[]|", fence))
        return 0;
    parser->at++;
    return fence;
}

static FormulaNode *parse_fenced(Parser *parser, size_t from) {
    size_t behind = parser->at;
    char opening = parse_fence(parser);
    if (!opening)
        return parser_bad(parser, from, "takes a delimiter", "write \\left( … \\right)");
    if (parser->depth == FORMULA_MAX_DEPTH)
        return parser_bad_depth(parser, from);
    parser->depth++;
    FormulaNode *inside = parser_row(parser, STOP_RIGHT);
    parser->depth--;
    char closing = 0;
    if (parser_at_command(parser, "right")) {
        parser->at += 1 + strlen("right");
        closing = parse_fence(parser);
    }
    if (!closing)
        return parser_bad_before(parser, from, behind, inside, "is never closed",
                                 "it needs a \\right)");
    FormulaNode *node = parser_node(parser, FORMULA_FENCED);
    node->class = CLASS_INNER;
    node->opening = opening;
    node->closing = closing;
    node->parts[0] = inside;
    return node;
}

static FormulaNode *parse_unknown(Parser *parser, size_t from, size_t name_length) {
    char remedy[96] = "words go into \\text{…}, function names into \\op{…}";
    const char *nearest = formula_symbol_nearest(parser->source + from + 1, name_length);
    if (nearest)
        snprintf(remedy, sizeof remedy, "did you mean '\\%s'?", nearest);
    return parser_bad(parser, from, "is no command of formulas", remedy);
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

static FormulaNode *parse_right(Parser *parser, size_t from) {
    return parser_bad(parser, from, "closes nothing", "it needs a \\left( before it");
}

FormulaNode *parser_command(Parser *parser) {
    static const Construct constructs[] = {
        {"frac", parse_fraction}, {"sqrt", parse_root},     {"text", parse_text},
        {"op", parse_function},   {"tensor", parse_tensor}, {"matrix", parse_matrix},
        {"left", parse_fenced},   {"right", parse_right},   {"quad", parse_quad},
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
    if (symbol)
        return parser_symbol(parser, symbol);
    if (length == 1 && *name == '\\')
        return parser_bad(parser, from, "ends a matrix row",
                          "it stands in \\matrix{…} only");
    return parse_unknown(parser, from, length);
}
