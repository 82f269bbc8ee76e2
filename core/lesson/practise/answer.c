#include "lesson/practise/practise.h"

#include "base/number.h"
#include "base/strings/utf8.h"
#include "tensor/terms/term.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A pair of parentheses counts as two nested calls. */
enum { NUMBER_TEXT_SIZE = 64, READER_MAX_CALLS = 2 * ANSWER_MAX_DEPTH };

typedef struct Reader {
    Arena *arena;
    const char *at;
    int depth; /* number of nested calls */
    AnswerProblem *problem;
} Reader;

static const Term *read_sum(Reader *reader);

/* Records a problem; the first one counts. */
static const Term *fail_with(Reader *reader, AnswerFault fault, const char *word,
                             size_t length) {
    AnswerProblem *problem = reader->problem;
    if (problem->fault)
        return NULL;
    problem->fault = fault;
    length = length < sizeof problem->word ? length : sizeof problem->word - 1;
    while (length && utf8_check(word, length) < length)
        length--;
    snprintf(problem->word, sizeof problem->word, "%.*s", (int)length, word);
    return NULL;
}

static void skip_blanks(Reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t')
        reader->at++;
}

/* Reads one of these signs, separated by blanks; false if there is none. */
static bool take_sign(Reader *reader, const char *signs) {
    skip_blanks(reader);
    while (*signs) {
        size_t length = strcspn(signs, " ");
        if (strncmp(reader->at, signs, length) == 0) {
            reader->at += length;
            return true;
        }
        signs += length + strspn(signs + length, " ");
    }
    return false;
}

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

/* Fails at a character that is not allowed here, quoted as typed. */
static const Term *fail_at_sign(Reader *reader) {
    size_t length = strlen(reader->at), end = 0;
    if (!length)
        return fail_with(reader, ANSWER_UNFINISHED, "", 0);
    utf8_next(reader->at, length, &end);
    bool comma = *reader->at == ',' || strncmp(reader->at, "，", end) == 0;
    bool closes = *reader->at == ')';
    return fail_with(reader,
                     comma    ? ANSWER_COMMA
                     : closes ? ANSWER_PARENTHESIS
                              : ANSWER_SIGN,
                     reader->at, end);
}

/* Length in bytes of a decimal comma, which has a digit behind it; 0 for none. */
static size_t comma_at(const char *at) {
    static const char *const commas[] = {",", "，"};
    for (size_t i = 0; i < sizeof commas / sizeof *commas; i++) {
        size_t length = strlen(commas[i]);
        if (strncmp(at, commas[i], length) == 0 && isdigit((unsigned char)at[length]))
            return length;
    }
    return 0;
}

static const Term *read_number(Reader *reader) {
    char text[NUMBER_TEXT_SIZE];
    const char *at = reader->at;
    size_t whole = strspn(at, "0123456789"), comma = comma_at(at + whole);
    at += comma ? whole + comma : 0;
    at += strspn(at, comma ? "0123456789" : "0123456789.");
    if ((*at == 'e' || *at == 'E') &&
        isdigit((unsigned char)at[1 + (at[1] == '-' || at[1] == '+')]))
        at += 2 + strspn(at + 2, "0123456789");
    size_t length = (size_t)(at - reader->at);
    const char *beyond;
    double value;
    if (length >= sizeof text)
        return fail_with(reader, ANSWER_TOO_DEEP, "", 0);
    snprintf(text, sizeof text, "%.*s", (int)length, reader->at);
    if (comma)
        snprintf(text + whole, sizeof text - whole, ".%.*s",
                 (int)(length - whole - comma), reader->at + whole + comma);
    if (!number_parse(text, &value, &beyond))
        return fail_with(reader, beyond ? ANSWER_BEYOND : ANSWER_SIGN, reader->at,
                         length);
    reader->at = at;
    return term_number(reader->arena, value);
}

/* Reads the content of parentheses, behind the opening one. */
static const Term *read_rest_of_parentheses(Reader *reader) {
    const Term *inside = read_sum(reader);
    if (!inside)
        return NULL;
    if (take_sign(reader, ")"))
        return inside;
    skip_blanks(reader);
    return *reader->at ? fail_at_sign(reader)
                       : fail_with(reader, ANSWER_PARENTHESIS, "(", 1);
}

static const Term *read_power(Reader *reader);

/* Reads a call: "sqrt(2)", "√2", "exp(1)". */
static const Term *read_call(Reader *reader, const TermFunction *function) {
    const Term *inside =
        take_sign(reader, "(") ? read_rest_of_parentheses(reader) : read_power(reader);
    return inside ? term_apply(reader->arena, function, inside) : NULL;
}

/* "ln" is a synonym of log. */
static const TermFunction *function_named(const char *name, size_t length) {
    const TermFunction *function;
    for (size_t i = 0; (function = term_function_at(i)); i++) {
        if (strlen(function->name) == length && memcmp(name, function->name, length) == 0)
            return function;
    }
    return length == 2 && memcmp(name, "ln", length) == 0 ? &term_log : NULL;
}

static const Term *read_name(Reader *reader) {
    const char *name = reader->at;
    size_t length = 0;
    while (is_letter(name[length]))
        length++;
    const TermFunction *function = function_named(name, length);
    if (function) {
        reader->at += length;
        return read_call(reader, function);
    }
    static const struct {
        const char *name;
        double value;
    } constants[] = {
        {"e", 2.71828182845904523536}, {"pi", 3.14159265358979323846}, {"inf", INFINITY}};
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        if (strlen(constants[i].name) == length &&
            memcmp(name, constants[i].name, length) == 0) {
            reader->at += length;
            return term_number(reader->arena, constants[i].value);
        }
    }
    return fail_with(reader, ANSWER_NAME, name, length);
}

static const Term *read_atom(Reader *reader) {
    skip_blanks(reader);
    if (isdigit((unsigned char)*reader->at) || *reader->at == '.')
        return read_number(reader);
    if (take_sign(reader, "("))
        return read_rest_of_parentheses(reader);
    if (take_sign(reader, "√"))
        return read_call(reader, &term_sqrt);
    if (take_sign(reader, "∞"))
        return term_number(reader->arena, INFINITY);
    if (take_sign(reader, "π"))
        return term_number(reader->arena, 3.14159265358979323846);
    return is_letter(*reader->at) ? read_name(reader) : fail_at_sign(reader);
}

static const Term *read_signed(Reader *reader);

static const Term *read_power(Reader *reader) {
    if (++reader->depth > READER_MAX_CALLS)
        return fail_with(reader, ANSWER_TOO_DEEP, "", 0);
    skip_blanks(reader);
    bool natural = *reader->at == 'e' && !is_letter(reader->at[1]);
    const Term *base = read_atom(reader);
    bool raised = base && take_sign(reader, "** ^");
    const Term *exponent = raised ? read_signed(reader) : NULL;
    reader->depth--;
    if (!raised || !exponent)
        return raised ? NULL : base;
    return natural ? term_apply(reader->arena, &term_exp, exponent)
                   : term_binary(reader->arena, TERM_POWER, base, exponent);
}

/* Folds the sign of a negative number into the number. */
static const Term *negative(Reader *reader, const Term *part) {
    return part->kind == TERM_NUMBER ? term_number(reader->arena, -part->value)
                                     : term_unary(reader->arena, TERM_NEGATIVE, part);
}

static const Term *read_signed(Reader *reader) {
    bool minus = take_sign(reader, "- −");
    if (!minus && !take_sign(reader, "+"))
        return read_power(reader);
    if (++reader->depth > READER_MAX_CALLS)
        return fail_with(reader, ANSWER_TOO_DEEP, "", 0);
    const Term *part = read_signed(reader);
    reader->depth--;
    return part && minus ? negative(reader, part) : part;
}

static const Term *read_product(Reader *reader) {
    const Term *left = read_signed(reader);
    while (left) {
        bool times = false, over = false;
        skip_blanks(reader);
        times = strncmp(reader->at, "**", 2) != 0 && take_sign(reader, "* × ·");
        over = !times && take_sign(reader, "/ ÷");
        if (!times && !over)
            break;
        const Term *right = read_signed(reader);
        left = right ? term_binary(reader->arena, times ? TERM_PRODUCT : TERM_QUOTIENT,
                                   left, right)
                     : NULL;
    }
    return left;
}

static const Term *read_sum(Reader *reader) {
    if (++reader->depth > READER_MAX_CALLS)
        return fail_with(reader, ANSWER_TOO_DEEP, "", 0);
    const Term *left = read_product(reader);
    while (left) {
        bool plus = take_sign(reader, "+"), minus = !plus && take_sign(reader, "- −");
        if (!plus && !minus)
            break;
        const Term *right = read_product(reader);
        left = right ? term_binary(reader->arena, plus ? TERM_SUM : TERM_DIFFERENCE, left,
                                   right)
                     : NULL;
    }
    reader->depth--;
    return left;
}

const Term *answer_parse(Arena *arena, const char *text, AnswerProblem *problem) {
    *problem = (AnswerProblem){0};
    Reader reader = {.arena = arena, .at = text, .problem = problem};
    skip_blanks(&reader);
    if (!*reader.at)
        return fail_with(&reader, ANSWER_EMPTY, "", 0);
    const Term *term = read_sum(&reader);
    skip_blanks(&reader);
    if (term && *reader.at) {
        bool number =
            isalnum((unsigned char)*reader.at) || *reader.at == '(' || *reader.at == '.';
        term = number ? fail_with(&reader, ANSWER_TWO_NUMBERS, "", 0)
                      : fail_at_sign(&reader);
    }
    if (term && isnan(term->value))
        term = fail_with(&reader, ANSWER_NO_NUMBER, "", 0);
    return term;
}

const char *answer_fault_name(AnswerFault fault) {
    static const char *const names[ANSWER_FAULT_COUNT] = {
        "",         "empty",      "comma",       "sign",
        "name",     "unfinished", "parenthesis", "two_numbers",
        "too_deep", "no_number",  "beyond"};
    return names[fault];
}
