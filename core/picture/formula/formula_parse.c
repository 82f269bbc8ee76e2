#include "picture/formula/formula_parts.h"

#include "base/strings/utf8.h"
#include "lesson/formula/formula.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 64,  /* nested groups */
    SHOWN_BYTES = 80 /* bytes shown of a source that is too long */
};

/* ---- signs ---- */

/* Signs of one class. Each is a pair: what is written, a command's name or a character,
 * and what is drawn. */
typedef struct Signs {
    FormulaClass class;
    FormulaFace face;
    bool limits, large;
    const char *pairs;
} Signs;

static const Signs signs[] = {
    {CLASS_OPERATOR, FACE_UPRIGHT, true, true, "sum ∑"},
    {CLASS_OPERATOR, FACE_UPRIGHT, true, false, "max max min min"},
    {CLASS_OPERATOR, FACE_UPRIGHT, false, false, "sin sin cos cos exp exp log log"},
    {CLASS_BINARY, FACE_UPRIGHT, false, false,
     "cdot ⋅ · ⋅ times × div ÷ odot ⊙ + + - − * ∗"},
    {CLASS_RELATION, FACE_UPRIGHT, false, false,
     "le ≤ ge ≥ ne ≠ approx ≈ in ∈ to → = = < < > >"},
    {CLASS_ORDINARY, FACE_UPRIGHT, false, false,
     "pm ± infty ∞ partial ∂ _ _ % % / / . . : : | | ! !"},
    {CLASS_OPENING, FACE_UPRIGHT, false, false, "{ { ( ( [ ["},
    {CLASS_CLOSING, FACE_UPRIGHT, false, false, "} } ) ) ] ]"},
    {CLASS_PUNCTUATION, FACE_UPRIGHT, false, false, ", , ; ;"},
    {CLASS_INNER, FACE_UPRIGHT, false, false, "ldots …"},
    {CLASS_ORDINARY, FACE_ITALIC, false, false,
     "alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ "
     "lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigma σ tau τ upsilon υ phi φ chi χ "
     "psi ψ omega ω"},
    {CLASS_ORDINARY, FACE_UPRIGHT, false, false,
     "Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Phi Φ Psi Ψ Omega Ω"},
};

/* The bytes [begin, end) of a text. */
typedef struct Piece {
    const char *begin, *end;
} Piece;

static size_t length_of(Piece piece) {
    return (size_t)(piece.end - piece.begin);
}

static bool is_same(Piece a, Piece b) {
    return length_of(a) == length_of(b) && memcmp(a.begin, b.begin, length_of(a)) == 0;
}

/* Piece before the first `separator`; *rest is set to the piece behind it. */
static Piece take_before(Piece *rest, char separator) {
    Piece taken = {rest->begin, rest->begin};
    while (taken.end < rest->end && *taken.end != separator)
        taken.end++;
    rest->begin = taken.end + (taken.end < rest->end);
    return taken;
}

/* Finds a sign by what is written or, if it is `typed` and not a command, by what is
 * drawn; sets *drawn. NULL if there is none. */
static const Signs *find_sign(Piece sign, bool typed, Piece *drawn) {
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *pairs = signs[i].pairs;
        for (Piece rest = {pairs, pairs + strlen(pairs)}; length_of(rest);) {
            Piece written = take_before(&rest, ' ');
            *drawn = take_before(&rest, ' ');
            if (is_same(sign, written) || (typed && is_same(sign, *drawn)))
                return &signs[i];
        }
    }
    return NULL;
}

const char *formula_letter_name(Arena *arena, const char *text) {
    Piece sought = {text, text + strlen(text)};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *pairs = signs[i].pairs;
        for (Piece rest = {pairs, pairs + strlen(pairs)}; length_of(rest);) {
            Piece written = take_before(&rest, ' '), drawn = take_before(&rest, ' ');
            if (signs[i].class == CLASS_ORDINARY && is_same(sought, drawn) &&
                isalpha((unsigned char)*written.begin))
                return arena_copy(arena, written.begin, length_of(written));
        }
    }
    return NULL;
}

/* ---- nodes ---- */

static FormulaNode *new_node(Arena *arena, FormulaKind kind) {
    FormulaNode *node = arena_alloc(arena, 1, sizeof *node);
    *node = (FormulaNode){.kind = kind};
    return node;
}

static FormulaNode *new_atom(Arena *arena, Piece text, FormulaFace face) {
    FormulaNode *node = new_node(arena, FORMULA_ATOM);
    node->text = arena_copy(arena, text.begin, length_of(text));
    node->face = face;
    return node;
}

static FormulaNode *sign_atom(Arena *arena, const Signs *of, Piece drawn) {
    FormulaNode *node = new_atom(arena, drawn, of->face);
    node->class = of->class;
    node->limits = of->limits;
    node->large = of->large;
    return node;
}

/* A row under construction; `row` is NULL before its first node is added. */
typedef struct List {
    FormulaNode *row, *last;
} List;

static void list_add(Arena *arena, List *list, FormulaNode *node) {
    if (!list->row)
        list->row = new_node(arena, FORMULA_ROW);
    *(list->last ? &list->last->next : &list->row->list) = node;
    list->last = node;
}

/* Scripts around a base: `primes` prime signs, and two rows or NULL. */
static FormulaNode *new_scripts(Arena *arena, FormulaNode *base, size_t primes,
                                FormulaNode *below, FormulaNode *above) {
    static const char prime[] = "′";
    size_t length = strlen(prime);
    char *text = primes ? arena_alloc(arena, primes + 1, length) : NULL;
    for (size_t i = 0; i < primes; i++)
        memcpy(text + i * length, prime, length);
    FormulaNode *node = new_node(arena, FORMULA_SCRIPTS);
    *node = (FormulaNode){.kind = FORMULA_SCRIPTS,
                          .class = base->class,
                          .word = base->word,
                          .primes = text,
                          .parts = {base, below, above}};
    return node;
}

/* ---- names of tensors ---- */

static Piece last_digits(Piece piece) {
    Piece digits = {piece.end, piece.end};
    while (digits.begin > piece.begin && isdigit((unsigned char)digits.begin[-1]))
        digits.begin--;
    return digits;
}

/* Number of a tensor's owner, from 1: "1" in `head_1`, and in a model's `head.0`. */
static Piece owner_number(Arena *arena, Piece owner) {
    Piece digits = last_digits(owner);
    if (digits.begin > owner.begin || digits.begin == owner.end)
        return digits;
    const char *text = arena_format(arena, "%lu", strtoul(digits.begin, NULL, 10) + 1);
    return (Piece){text, text + strlen(text)};
}

/* Piece behind the last dot; *before is set to the piece before it. */
static Piece take_last_component(Piece name, Piece *before) {
    Piece last = {name.end, name.end};
    while (last.begin > name.begin && last.begin[-1] != '.')
        last.begin--;
    *before = (Piece){name.begin, last.begin > name.begin ? last.begin - 1 : name.begin};
    return last;
}

/* Removes ".T" or a prime from the end of a name; returns whether it did. */
static bool take_mark(Piece *name, const char *mark) {
    size_t length = strlen(mark);
    if (length_of(*name) <= length || memcmp(name->end - length, mark, length) != 0)
        return false;
    name->end -= length;
    return true;
}

/* A piece as an atom: a Greek letter by its name, else letters and digits. Words of
 * several letters are italic as a base, upright as a subscript. */
static FormulaNode *piece_atom(Arena *arena, Piece piece, bool base) {
    Piece drawn;
    const Signs *sign = find_sign(piece, false, &drawn);
    if (sign && sign->face == FACE_ITALIC)
        return new_atom(arena, drawn, FACE_ITALIC);
    size_t length = length_of(piece);
    FormulaFace face = base || length == 1 ? FACE_ITALIC : FACE_UPRIGHT;
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)piece.begin[i] >= 0x80)
            face = FACE_SENTENCE;
    }
    FormulaNode *node = new_atom(arena, piece, face);
    node->word = base && length > 1;
    return node;
}

static void add_index(Arena *arena, List *list, Piece piece) {
    static const char comma[] = ",";
    if (length_of(piece) == 0)
        return;
    if (list->row)
        list_add(arena, list, new_atom(arena, (Piece){comma, comma + 1}, FACE_UPRIGHT));
    list_add(arena, list, piece_atom(arena, piece, false));
}

static bool is_name(const char *name) {
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        if (!isalnum(c) && c < 0x80 && !strchr("_.'", c))
            return false;
    }
    return true;
}

/* Returns the tree of a tensor's name, in the tensor's colour:
 *   W_Q, W1        a base and its subscript; further underscores become commas
 *   K.T            a raised upright T
 *   A'             a prime
 *   head_1.scores  the last part; the number before it becomes a subscript
 *   gamma, d_model a Greek letter by its name; an upright word as subscript
 * NULL if the name has no letter or digit, or any other sign than _ . ' */
static FormulaNode *name_node(Arena *arena, const char *name) {
    static const char transposed[] = "T";
    List above = {0}, below = {0};
    Piece rest = {name, name + strlen(name)}, before;
    size_t primes = 0;
    if (!is_name(name))
        return NULL;
    while (take_mark(&rest, "'"))
        primes++;
    if (take_mark(&rest, ".T"))
        list_add(arena, &above,
                 new_atom(arena, (Piece){transposed, transposed + 1}, FACE_UPRIGHT));
    Piece component = take_last_component(rest, &before);
    Piece number = owner_number(arena, take_last_component(before, &before));
    Piece base = {component.begin, component.begin};
    while (length_of(base) == 0 && length_of(component))
        base = take_before(&component, '_');
    if (length_of(base) == 0)
        return NULL;
    Piece digits = last_digits(base);
    if (digits.begin > base.begin)
        base.end = digits.begin;
    else
        digits.begin = digits.end; /* only digits: they are the base */
    add_index(arena, &below, digits);
    while (length_of(component))
        add_index(arena, &below, take_before(&component, '_'));
    add_index(arena, &below, number);
    FormulaNode *node =
        new_scripts(arena, piece_atom(arena, base, true), primes, below.row, above.row);
    node->tensor = arena_copy(arena, name, strlen(name));
    return node;
}

/* ---- reading ---- */

typedef struct Parser {
    Arena *arena;
    const char *source; /* UTF-8 without control characters */
    size_t length, at;
    size_t depth;
    bool bad; /* part of the source couldn't be parsed */
} Parser;

/* End of a row: only the source's end; also a `}`; also a \right. */
typedef enum ParserStop { STOP_END, STOP_BRACE, STOP_RIGHT } ParserStop;

static FormulaNode *parse_row(Parser *parser, ParserStop stop);

/* Piece of the source from `from` up to the parser's position. */
static Piece read_from(const Parser *parser, size_t from) {
    return (Piece){parser->source + from, parser->source + parser->at};
}

/* Atom of the unparsed source from `from` up to the parser's position. */
static FormulaNode *parse_bad(Parser *parser, size_t from) {
    parser->bad = true;
    return new_atom(parser->arena, read_from(parser, from), FACE_BAD);
}

/* Atom of the unparsed source [from, to), followed by `node`, which was parsed behind it:
 * no source is parsed twice, because nested errors would take exponential time. */
static FormulaNode *parse_bad_before(Parser *parser, size_t from, size_t to,
                                     FormulaNode *node) {
    size_t at = parser->at;
    List group = {0};
    parser->at = to;
    list_add(parser->arena, &group, parse_bad(parser, from));
    list_add(parser->arena, &group, node);
    parser->at = at;
    return group.row;
}

/* Character at the parser's position; 0 at the end. */
static char peek(const Parser *parser) {
    return parser->at < parser->length ? parser->source[parser->at] : 0;
}

/* Skips spaces; returns the character behind them. */
static char skip_spaces(Parser *parser) {
    while (peek(parser) == ' ')
        parser->at++;
    return peek(parser);
}

/* Returns true if the command `name` begins at the parser's position: \right, but not
 * \rightly. */
static bool is_at_command(const Parser *parser, const char *name) {
    const char *at = parser->source + parser->at;
    size_t length = strlen(name);
    return *at == '\\' && strncmp(at + 1, name, length) == 0 &&
           !isalpha((unsigned char)at[1 + length]);
}

/* Parses a row in braces; the parser is at the opening brace. */
static FormulaNode *parse_braced(Parser *parser) {
    size_t opening = parser->at++;
    if (parser->depth == MAX_DEPTH)
        return parse_bad(parser, opening);
    parser->depth++;
    FormulaNode *row = parse_row(parser, STOP_BRACE);
    parser->depth--;
    if (peek(parser) != '}')
        return parse_bad_before(parser, opening, opening + 1, row);
    parser->at++;
    return row;
}

/* ---- commands: each function is called behind the name that begins at `from` ---- */

/* A command's argument; NULL if there is none. */
static FormulaNode *parse_argument(Parser *parser) {
    return skip_spaces(parser) == '{' ? parse_braced(parser) : NULL;
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
            text[length++] = parser->source[++at];
        } else if (c == '{') {
            depth++;
        } else if (c != '}') {
            text[length++] = c;
        } else if (--depth == 0) {
            parser->at = at + 1;
            return text;
        }
    }
    return NULL;
}

static FormulaNode *parse_fraction(Parser *parser, size_t from) {
    size_t behind = parser->at;
    FormulaNode *numerator = parse_argument(parser);
    if (!numerator)
        return parse_bad(parser, from);
    FormulaNode *denominator = parse_argument(parser);
    if (!denominator)
        return parse_bad_before(parser, from, behind, numerator);
    FormulaNode *node = new_node(parser->arena, FORMULA_FRACTION);
    node->class = CLASS_INNER;
    node->parts[0] = numerator;
    node->parts[1] = denominator;
    return node;
}

static FormulaNode *parse_root(Parser *parser, size_t from) {
    FormulaNode *inside = parse_argument(parser);
    if (!inside)
        return parse_bad(parser, from);
    FormulaNode *node = new_node(parser->arena, FORMULA_ROOT);
    node->parts[0] = inside;
    return node;
}

static FormulaNode *parse_words(Parser *parser, size_t from, FormulaClass class,
                                FormulaFace face) {
    const char *text = parse_raw(parser);
    if (!text)
        return parse_bad(parser, from);
    if (!*text)
        return new_node(parser->arena, FORMULA_ROW);
    FormulaNode *node = new_atom(parser->arena, (Piece){text, text + strlen(text)}, face);
    node->class = class;
    return node;
}

static FormulaNode *parse_text(Parser *parser, size_t from) {
    return parse_words(parser, from, CLASS_ORDINARY, FACE_SENTENCE);
}

static FormulaNode *parse_function(Parser *parser, size_t from) {
    return parse_words(parser, from, CLASS_OPERATOR, FACE_UPRIGHT);
}

static FormulaNode *parse_tensor(Parser *parser, size_t from) {
    const char *name = parse_raw(parser);
    FormulaNode *node = name ? name_node(parser->arena, name) : NULL;
    return node ? node : parse_bad(parser, from);
}

static bool parse_fence(Parser *parser, char fence) {
    bool found = skip_spaces(parser) == fence;
    parser->at += found;
    return found;
}

static FormulaNode *parse_fenced(Parser *parser, size_t from) {
    size_t behind = parser->at;
    if (!parse_fence(parser, '(') || parser->depth == MAX_DEPTH)
        return parse_bad(parser, from);
    parser->depth++;
    FormulaNode *inside = parse_row(parser, STOP_RIGHT);
    parser->depth--;
    bool closed = is_at_command(parser, "right");
    parser->at += closed ? strlen("\\right") : 0;
    if (!closed || !parse_fence(parser, ')'))
        return parse_bad_before(parser, from, behind, inside);
    FormulaNode *node = new_node(parser->arena, FORMULA_FENCED);
    node->class = CLASS_INNER;
    node->parts[0] = inside;
    return node;
}

static FormulaNode *parse_quad(Parser *parser, size_t from) {
    (void)from;
    return new_node(parser->arena, FORMULA_SPACE);
}

/* Parses a command; the parser is at its backslash. */
static FormulaNode *parse_command(Parser *parser) {
    static const struct {
        const char *name;
        FormulaNode *(*parse)(Parser *parser, size_t from);
    } commands[] = {
        {"frac", parse_fraction}, {"sqrt", parse_root},     {"text", parse_text},
        {"op", parse_function},   {"tensor", parse_tensor}, {"left", parse_fenced},
        {"quad", parse_quad},
    };
    size_t from = parser->at++;
    while (isalpha((unsigned char)peek(parser)))
        parser->at++;
    if (parser->at == from + 1 && parser->at < parser->length)
        utf8_next(parser->source, parser->length, &parser->at);
    Piece name = read_from(parser, from + 1), drawn;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const char *own = commands[i].name;
        if (is_same(name, (Piece){own, own + strlen(own)}))
            return commands[i].parse(parser, from);
    }
    const Signs *sign = find_sign(name, false, &drawn);
    return sign ? sign_atom(parser->arena, sign, drawn) : parse_bad(parser, from);
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
    while (!single && isalpha((unsigned char)peek(parser)))
        parser->at++;
    if (parser->at - from > 1 && ends_in_script(parser, parser->at))
        parser->at--;
    return new_atom(parser->arena, read_from(parser, from), FACE_ITALIC);
}

static FormulaNode *parse_digits(Parser *parser, bool single) {
    size_t from = parser->at++;
    while (!single && parser->at < parser->length) {
        bool point = peek(parser) == '.' && parser->at + 1 < parser->length &&
                     isdigit((unsigned char)parser->source[parser->at + 1]);
        if (!point && !isdigit((unsigned char)peek(parser)))
            break;
        parser->at++;
    }
    return new_atom(parser->arena, read_from(parser, from), FACE_UPRIGHT);
}

static FormulaNode *parse_sign(Parser *parser) {
    size_t from = parser->at;
    Piece drawn;
    utf8_next(parser->source, parser->length, &parser->at);
    const Signs *sign = find_sign(read_from(parser, from), true, &drawn);
    return sign && !strchr("}_^", parser->source[from])
               ? sign_atom(parser->arena, sign, drawn)
               : parse_bad(parser, from);
}

/* Parses the smallest part at the parser's position; `single` takes one letter or digit
 * of a run, as behind ^ and _. */
static FormulaNode *parse_atom(Parser *parser, bool single) {
    char c = peek(parser);
    if (c == '{')
        return parse_braced(parser);
    if (c == '\\')
        return parse_command(parser);
    if (isalpha((unsigned char)c))
        return parse_letters(parser, single);
    if (isdigit((unsigned char)c))
        return parse_digits(parser, single);
    return parse_sign(parser);
}

/* Parses the script behind a `^` or `_` at position `from`; a second one is bad. */
static void parse_script(Parser *parser, size_t from, List *script) {
    if (script->row)
        list_add(parser->arena, script, parse_bad(parser, from));
    char next = skip_spaces(parser);
    bool follows = next && !strchr("}^_'", next) && !is_at_command(parser, "right");
    if (!follows)
        parser->at = from + 1;
    list_add(parser->arena, script,
             follows ? parse_atom(parser, true) : parse_bad(parser, from));
}

/* Parses an atom with its scripts: primes, one ^ and one _ in any order. */
static FormulaNode *parse_scripted(Parser *parser) {
    FormulaNode *base = parse_atom(parser, false);
    List above = {0}, below = {0};
    size_t primes = 0;
    for (char mark; (mark = skip_spaces(parser)) && strchr("_^'", mark);) {
        size_t from = parser->at++;
        if (mark == '\'')
            primes++;
        else
            parse_script(parser, from, mark == '^' ? &above : &below);
    }
    if (!above.row && !below.row && !primes)
        return base;
    return new_scripts(parser->arena, base, primes, below.row, above.row);
}

static bool is_at_stop(const Parser *parser, ParserStop stop) {
    return (stop != STOP_END && peek(parser) == '}') ||
           (stop == STOP_RIGHT && is_at_command(parser, "right"));
}

/* Parses a row up to a stop, which is not consumed. */
static FormulaNode *parse_row(Parser *parser, ParserStop stop) {
    List list = {.row = new_node(parser->arena, FORMULA_ROW)};
    while (skip_spaces(parser) && !is_at_stop(parser, stop))
        list_add(parser->arena, &list, parse_scripted(parser));
    return list.row;
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
    return new_atom(parser->arena, (Piece){text, text + strlen(text)}, FACE_BAD);
}

const FormulaNode *formula_parse(Arena *arena, const char *source, bool *understood) {
    Parser parser = {.arena = arena, .length = strlen(source)};
    parser.source = clean_source(&parser, source);
    FormulaNode *tree = parser.length > FORMULA_MAX_BYTES ? unread(&parser)
                                                          : parse_row(&parser, STOP_END);
    *understood = !parser.bad;
    return tree;
}
