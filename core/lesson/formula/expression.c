#include "lesson/formula/formula.h"

#include "base/number.h"
#include "base/strings/utf8.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Recursive-descent parser, one function per level of precedence. `at` is the beginning
 * of the next token, after blanks. */
typedef struct Parser {
    Arena *arena;
    const char *text;
    size_t at;  /* byte offset of the next token */
    size_t end; /* byte offset behind the last token taken */
    int depth;  /* number of open parentheses, arguments and minus signs */
    Error *error;
} Parser;

static const Expression *parse_sum(Parser *parser);

static bool is_name_start(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static bool is_name_part(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static size_t name_length(const char *text) {
    size_t length = 0;
    while (is_name_part(text[length]))
        length++;
    return length;
}

bool expression_is_name(const char *text) {
    size_t length = name_length(text);
    return is_name_start(*text) && !text[length] && length <= EXPRESSION_NAME_MAX &&
           strcmp(text, "inf") != 0;
}

const char *expression_sign(ExpressionKind kind) {
    static const char *const signs[] = {
        [EXPRESSION_NEGATE] = "-",     [EXPRESSION_ADD] = "+",
        [EXPRESSION_SUBTRACT] = "-",   [EXPRESSION_MULTIPLY] = "*",
        [EXPRESSION_DIVIDE] = "/",     [EXPRESSION_MATMUL] = "@",
        [EXPRESSION_TRANSPOSE] = ".T", [EXPRESSION_CALL] = NULL,
    };
    return signs[kind];
}

/* ---- errors ---- */

static int column_in(const char *text, size_t offset) {
    int column = 1;
    for (size_t at = 0; at < offset; column++)
        utf8_next(text, offset, &at);
    return column;
}

static int column_of(const Parser *parser, size_t offset) {
    return column_in(parser->text, offset);
}

static const Expression *fail(Parser *parser, ErrorCode code, size_t offset,
                              const char *sentence) {
    error_set(parser->error, code, 1, column_of(parser, offset), "%s", sentence);
    return NULL;
}

/* Replacements for signs that are not part of the language. */
static const struct {
    const char *sign, *sentence;
} strangers[] = {
    {"**", "'**' is not known here; write x * x, or sqrt(x)"},
    {"==", "'==' is not known here; a step is 'NAME = expression'"},
    {"=", "a second '='; a step makes one tensor, 'NAME = expression', and a function "
          "takes its inputs by their place alone"},
    {"^", "'^' is not known here; write x * x for a square"},
    {"\xEF\xBC\x88", "'（' is a full-width sign; write '('"},
    {"\xEF\xBC\x89", "'）' is a full-width sign; write ')'"},
    {"\xEF\xBC\x8C", "'，' is a full-width sign; write ','"},
    {"\xEF\xBC\x9A", "'：' is a full-width sign; write ':'"},
    {"\xEF\xBC\x8B", "'＋' is a full-width sign; write '+'"},
    {"\xEF\xBC\x8D", "'－' is a full-width sign; write '-'"},
    {"\xEF\xBC\x9D", "'＝' is a full-width sign; write '='"},
    {"\xE2\x88\x92", "'−' is a typographic minus; write '-'"},
    {"\xC3\x97", "'×' is not known here; write '*' for cells, '@' for matrices"},
    {"\xC2\xB7", "'·' is not known here; write '*' for cells, '@' for matrices"},
    {"\xC3\xB7", "'÷' is not known here; write '/'"},
    {"\xE2\x88\x9A", "'√' is not known here; write sqrt(x)"},
};

/* Length of a name, with the dots of a tensor within a composite or a model:
 * A.head_1.scores, encoder.0.norm_2. `.T` is the transpose and not part of it. */
static size_t dotted_length(const char *text) {
    size_t length = name_length(text);
    while (length && text[length] == '.' && is_name_part(text[length + 1])) {
        size_t part = name_length(text + length + 1);
        if (part == 1 && text[length + 1] == 'T')
            break;
        length += 1 + part;
    }
    return length;
}

/* Reports a token that is not allowed here. */
static const Expression *unexpected(Parser *parser, const char *wanted) {
    const char *text = parser->text + parser->at;
    if (!*text) {
        error_set(parser->error, ERROR_SYNTAX, 1, column_of(parser, parser->at),
                  "the expression ends where %s should follow", wanted);
        return NULL;
    }
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++) {
        if (strncmp(text, strangers[i].sign, strlen(strangers[i].sign)) == 0)
            return fail(parser, ERROR_SYNTAX, parser->at, strangers[i].sentence);
    }
    char shown[UTF8_SHORT_SIZE];
    size_t length = dotted_length(text);
    bool name = length > 0 && strstr(wanted, "operator");
    if (!length)
        utf8_next(text, strlen(text), &length);
    error_set(parser->error, ERROR_SYNTAX, 1, column_of(parser, parser->at),
              "'%s' stands where %s should%s", utf8_shorten(shown, text, length), wanted,
              name ? "; for a product write '@' before it, or '*' for one of single cells"
                   : "");
    return NULL;
}

static bool enter(Parser *parser) {
    if (++parser->depth <= EXPRESSION_MAX_DEPTH)
        return true;
    error_set(
        parser->error, ERROR_LIMIT, 1, column_of(parser, parser->at),
        "the expression is nested more than %d deep; make a part of it a step of its "
        "own",
        EXPRESSION_MAX_DEPTH);
    return false;
}

static void leave(Parser *parser) {
    parser->depth--;
}

/* ---- tokens ---- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n';
}

/* Skips `length` bytes and the blanks behind them. */
static void take(Parser *parser, size_t length) {
    parser->at += length;
    parser->end = parser->at;
    while (is_blank(parser->text[parser->at]))
        parser->at++;
}

static bool at_sign(const Parser *parser, char sign) {
    return parser->text[parser->at] == sign;
}

static bool take_sign(Parser *parser, char sign) {
    if (!at_sign(parser, sign))
        return false;
    take(parser, 1);
    return true;
}

/* ---- nodes ---- */

static Expression *node_new(Parser *parser, ExpressionKind kind, size_t operator_at,
                            size_t begin, size_t count, const Expression *const *parts) {
    Expression *node = arena_alloc(parser->arena, 1, sizeof *node);
    const Expression **copy = arena_alloc(parser->arena, count, sizeof *copy);
    *node = (Expression){.kind = kind,
                         .offset = operator_at,
                         .depth = 1,
                         .source = parser->text + begin,
                         .length = parser->end - begin,
                         .count = count,
                         .parts = copy};
    for (size_t i = 0; i < count; i++) {
        copy[i] = parts[i];
        if (parts[i]->depth >= node->depth)
            node->depth = parts[i]->depth + 1;
    }
    if (node->depth > EXPRESSION_MAX_DEPTH) {
        error_set(parser->error, ERROR_LIMIT, 1, column_of(parser, operator_at),
                  "the expression has more than %d operations within each other; make a "
                  "part of it a step of its own",
                  EXPRESSION_MAX_DEPTH);
        return NULL;
    }
    return node;
}

static const Expression *parse_number(Parser *parser) {
    size_t begin = parser->at, length = 0;
    const char *text = parser->text + begin;
    while (isdigit((unsigned char)text[length]) || text[length] == '.')
        length++;
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
        if (isdigit((unsigned char)text[length + 1 + sign])) {
            length += 1 + sign;
            while (isdigit((unsigned char)text[length]))
                length++;
        }
    }
    char shortened[UTF8_SHORT_SIZE];
    double value;
    const char *beyond;
    size_t whole = length + name_length(text + length); /* rejects 2x */
    char *copy = arena_copy(parser->arena, text, whole);
    if (!number_parse(copy, &value, &beyond) || whole > length) {
        utf8_shorten(shortened, copy, whole);
        error_set(parser->error, beyond ? ERROR_VALUE : ERROR_SYNTAX, 1,
                  column_of(parser, begin), "'%s' %s", shortened,
                  beyond ? beyond
                         : "is neither a number nor a name; numbers are written 2, 0.5 "
                           "or 1e-9, and products with a '*'");
        return NULL;
    }
    take(parser, length);
    Expression *node = node_new(parser, EXPRESSION_NUMBER, begin, begin, 0, NULL);
    if (node)
        node->number = value;
    return node;
}

enum { ARGUMENTS_MAX = 64 };

/* Parses name(a, b, …); the opening parenthesis is the next token. */
static const Expression *parse_call(Parser *parser, size_t begin, const char *name) {
    const Expression *arguments[ARGUMENTS_MAX];
    size_t count = 0;
    if (!enter(parser))
        return NULL;
    take(parser, 1);
    while (!at_sign(parser, ')')) {
        if (count == ARGUMENTS_MAX)
            return fail(
                parser, ERROR_LIMIT, parser->at,
                "a call takes at most 64 arguments; concat some in a step of their "
                "own");
        const Expression *argument = parse_sum(parser);
        if (!argument)
            return NULL;
        arguments[count++] = argument;
        if (!take_sign(parser, ',') && !at_sign(parser, ')'))
            return unexpected(parser, "',' or ')'");
    }
    take(parser, 1);
    leave(parser);
    Expression *node = node_new(parser, EXPRESSION_CALL, begin, begin, count, arguments);
    if (node)
        node->name = name;
    return node;
}

static const Expression *parse_name(Parser *parser) {
    size_t begin = parser->at;
    size_t length = dotted_length(parser->text + begin);
    const char *name = arena_copy(parser->arena, parser->text + begin, length);
    take(parser, length);
    if (at_sign(parser, '('))
        return parse_call(parser, begin, name);
    bool infinite = strcmp(name, "inf") == 0;
    Expression *node = node_new(parser, infinite ? EXPRESSION_NUMBER : EXPRESSION_NAME,
                                begin, begin, 0, NULL);
    if (node && infinite)
        node->number = INFINITY;
    else if (node)
        node->name = name;
    return node;
}

static const Expression *parse_primary(Parser *parser) {
    char c = parser->text[parser->at];
    if (isdigit((unsigned char)c) || c == '.')
        return parse_number(parser);
    if (is_name_start(c))
        return parse_name(parser);
    if (c != '(')
        return unexpected(parser, "a number, a name or '('");
    if (!enter(parser))
        return NULL;
    take(parser, 1);
    const Expression *inner = parse_sum(parser);
    if (!inner)
        return NULL;
    if (!take_sign(parser, ')'))
        return unexpected(parser, "')' or an operator");
    leave(parser);
    return inner;
}

/* Parses a row's or column's label that is no name: 'the king', "##er". */
static const Expression *parse_label(Parser *parser) {
    size_t begin = parser->at;
    const char *text = parser->text + begin, *end = strchr(text + 1, *text);
    if (!end)
        return fail(parser, ERROR_SYNTAX, begin, "the quotation mark is not closed");
    size_t length = (size_t)(end - text) - 1;
    take(parser, length + 2);
    Expression *node = node_new(parser, EXPRESSION_LABEL, begin, begin, 0, NULL);
    if (node)
        node->name = arena_copy(parser->arena, text + 1, length);
    return node;
}

/* Parses one axis of a slice: `i`, a label, or `i:j` with optional parts. */
static bool parse_axis(Parser *parser, ExpressionAxis *axis) {
    if (at_sign(parser, '\'') || at_sign(parser, '"')) {
        axis->index = true;
        axis->begin = parse_label(parser);
        return axis->begin != NULL;
    }
    if (!at_sign(parser, ':') && !(axis->begin = parse_sum(parser)))
        return false;
    axis->index = !take_sign(parser, ':');
    if (axis->index || at_sign(parser, ',') || at_sign(parser, ']'))
        return true;
    if (at_sign(parser, ':'))
        goto step;
    if (!(axis->end = parse_sum(parser)))
        return false;
    if (!at_sign(parser, ':'))
        return true;
step:
    fail(parser, ERROR_SYNTAX, parser->at, "slices have no third part; write begin:end");
    return false;
}

/* Parses x[…]; the opening bracket is the next token. */
static const Expression *parse_slice(Parser *parser, const Expression *x, size_t begin) {
    ExpressionAxis axes[2] = {0};
    size_t bracket = parser->at;
    if (!enter(parser))
        return NULL;
    take(parser, 1);
    if (!parse_axis(parser, &axes[0]))
        return NULL;
    if (take_sign(parser, ',') && !parse_axis(parser, &axes[1]))
        return NULL;
    if (at_sign(parser, ','))
        return fail(parser, ERROR_SYNTAX, parser->at,
                    "tensors have two axes; write x[rows, columns]");
    if (!take_sign(parser, ']'))
        return unexpected(parser, "']', ':' or ','");
    leave(parser);
    Expression *node = node_new(parser, EXPRESSION_SLICE, bracket, begin, 1, &x);
    if (node)
        memcpy(node->axes, axes, sizeof axes);
    return node;
}

static const Expression *parse_postfix(Parser *parser) {
    size_t begin = parser->at;
    const Expression *x = parse_primary(parser);
    while (x) {
        const char *text = parser->text + parser->at;
        if (*text == '[') {
            x = parse_slice(parser, x, begin);
        } else if (*text == '.') {
            size_t dot = parser->at;
            if (text[1] != 'T' || is_name_part(text[2]))
                return fail(parser, ERROR_SYNTAX, dot,
                            "behind the dot only T can stand, for the transpose: x.T");
            take(parser, 2);
            x = node_new(parser, EXPRESSION_TRANSPOSE, dot, begin, 1, &x);
        } else {
            break;
        }
    }
    return x;
}

static const Expression *parse_unary(Parser *parser) {
    size_t begin = parser->at;
    if (!at_sign(parser, '-'))
        return parse_postfix(parser);
    if (!enter(parser))
        return NULL;
    take(parser, 1);
    const Expression *x = parse_unary(parser);
    if (!x)
        return NULL;
    leave(parser);
    return node_new(parser, EXPRESSION_NEGATE, begin, begin, 1, &x);
}

static bool operator_at(const Parser *parser, const char *signs,
                        const ExpressionKind *kinds, ExpressionKind *kind) {
    char c = parser->text[parser->at];
    const char *found = c ? strchr(signs, c) : NULL;
    if (!found || (c == '*' && parser->text[parser->at + 1] == '*'))
        return false;
    *kind = kinds[found - signs];
    return true;
}

/* Parses operands of one level of precedence, left-associative. */
static const Expression *parse_level(Parser *parser, const char *signs,
                                     const ExpressionKind *kinds,
                                     const Expression *(*operand)(Parser *)) {
    size_t begin = parser->at;
    const Expression *left = operand(parser);
    ExpressionKind kind;
    while (left && operator_at(parser, signs, kinds, &kind)) {
        size_t at = parser->at;
        take(parser, 1);
        const Expression *right = operand(parser);
        if (!right)
            return NULL;
        left = node_new(parser, kind, at, begin, 2,
                        (const Expression *const[]){left, right});
    }
    return left;
}

static const Expression *parse_product(Parser *parser) {
    static const ExpressionKind kinds[] = {EXPRESSION_MATMUL, EXPRESSION_MULTIPLY,
                                           EXPRESSION_DIVIDE};
    return parse_level(parser, "@*/", kinds, parse_unary);
}

static const Expression *parse_sum(Parser *parser) {
    static const ExpressionKind kinds[] = {EXPRESSION_ADD, EXPRESSION_SUBTRACT};
    return parse_level(parser, "+-", kinds, parse_product);
}

/* Parses `NAME =` if present. */
static bool parse_target(Parser *parser, Statement *statement) {
    const char *text = parser->text + parser->at;
    const char *sign = strchr(text, '=');
    if (!sign || sign[1] == '=')
        return true;
    size_t length = (size_t)(sign - text);
    while (length && is_blank(text[length - 1]))
        length--;
    char *name = arena_copy(parser->arena, text, length);
    if (!expression_is_name(name)) {
        char shortened[UTF8_SHORT_SIZE];
        return error_set(parser->error, ERROR_SYNTAX, 1, column_of(parser, parser->at),
                         strcmp(name, "inf") == 0
                             ? "'%s' is infinity and can't be a tensor's name"
                             : "'%s' can't be a name; a name is a letter or _, then "
                               "letters, digits and _, at most 64",
                         utf8_shorten(shortened, name, length));
    }
    statement->name = name;
    take(parser, (size_t)(sign + 1 - text));
    return true;
}

bool statement_parse(Arena *arena, const char *text, Statement *statement, Error *error) {
    Parser parser = {.arena = arena, .text = text, .error = error};
    *statement = (Statement){.text = text};
    if (strlen(text) > STATEMENT_MAX)
        return error_set(error, ERROR_LIMIT, 1, 1,
                         "the statement is longer than %d characters; make parts of it "
                         "steps of their own",
                         STATEMENT_MAX);
    take(&parser, 0);
    if (!parse_target(&parser, statement))
        return false;
    statement->value = parse_sum(&parser);
    if (statement->value && text[parser.at]) {
        unexpected(&parser, "an operator or the end");
        return false;
    }
    return statement->value != NULL;
}

int statement_column(const Statement *statement, const Expression *expression) {
    return column_in(statement->text, expression->offset);
}
