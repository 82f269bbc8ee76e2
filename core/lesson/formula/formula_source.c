#include "lesson/formula/formula.h"

#include "base/strings/writer.h"

#include <math.h>
#include <string.h>

/* Precedence of an expression; parts with a lower one need parentheses. */
typedef enum Binding { BINDING_SUM, BINDING_PRODUCT, BINDING_SIGN, BINDING_ATOM } Binding;

/* A fraction counts as an atom, because of its bar. Within a fraction, quotients are
 * written with a slash, with the precedence of a product. */
static Binding binding_of(const Expression *expression, int fractions) {
    switch (expression->kind) {
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
        return BINDING_SUM;
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_MATMUL:
        return BINDING_PRODUCT;
    case EXPRESSION_DIVIDE:
        return fractions ? BINDING_PRODUCT : BINDING_ATOM;
    case EXPRESSION_NEGATE:
        return BINDING_SIGN;
    default:
        return BINDING_ATOM;
    }
}

static void write_expression(Writer *writer, const Expression *expression, int fractions);

/* Writes a part, in parentheses if its precedence is below `wanted`. */
static void write_part(Writer *writer, const Expression *part, Binding wanted,
                       int fractions) {
    bool loose = binding_of(part, fractions) < wanted;
    writer_text(writer, loose ? "\\left(" : "");
    write_expression(writer, part, fractions);
    writer_text(writer, loose ? "\\right)" : "");
}

/* Reports whether it begins with a minus, which must not follow another operator. */
static bool begins_with_minus(const Expression *expression, int fractions) {
    Binding binding = binding_of(expression, fractions);
    return expression->kind == EXPRESSION_NEGATE ||
           (binding == BINDING_PRODUCT &&
            begins_with_minus(expression->parts[0], fractions));
}

static void write_tensor(Writer *writer, const char *name, const char *suffix) {
    writer_text(writer, "\\tensor{");
    writer_text(writer, name);
    writer_text(writer, suffix);
    writer_text(writer, "}");
}

/* Writes 1e-9 as a power of ten; other numbers as in the source. */
static void write_number(Writer *writer, const Expression *expression) {
    const char *source = expression->source;
    size_t length = expression->length, mantissa = 0;
    if (isinf(expression->number)) {
        writer_text(writer, "\\infty ");
        return;
    }
    while (mantissa < length && source[mantissa] != 'e' && source[mantissa] != 'E')
        mantissa++;
    if (mantissa == length) {
        writer_put(writer, source, length);
        return;
    }
    bool one = mantissa == 1 && source[0] == '1';
    size_t exponent = mantissa + 1;
    if (source[exponent] == '+')
        exponent++;
    if (!one)
        writer_put(writer, source, mantissa);
    writer_text(writer, one ? "10^{" : " \\cdot 10^{");
    writer_put(writer, source + exponent, length - exponent);
    writer_text(writer, "}");
}

/* Reports whether it consists of numbers only. */
static bool is_numeric(const Expression *expression) {
    if (expression->kind == EXPRESSION_NAME || expression->kind == EXPRESSION_CALL)
        return false;
    for (size_t i = 0; i < expression->count; i++) {
        if (!is_numeric(expression->parts[i]))
            return false;
    }
    return true;
}

static void write_quotient(Writer *writer, const Expression *expression, int fractions) {
    if (fractions) {
        write_part(writer, expression->parts[0], BINDING_PRODUCT, fractions);
        writer_text(writer, " / ");
        write_part(writer, expression->parts[1], BINDING_SIGN, fractions);
        return;
    }
    writer_text(writer, "\\frac{");
    write_expression(writer, expression->parts[0], 1);
    writer_text(writer, "}{");
    write_expression(writer, expression->parts[1], 1);
    writer_text(writer, "}");
}

/* Writes a product: elementwise with a ring, of numbers with a dot, of matrices without
 * operator. */
static void write_product(Writer *writer, const Expression *expression, int fractions) {
    const Expression *left = expression->parts[0], *right = expression->parts[1];
    const char *sign = " ";
    if (expression->kind == EXPRESSION_MULTIPLY)
        sign = is_numeric(left) || is_numeric(right) ? " \\cdot " : " \\odot ";
    bool mixed =
        binding_of(left, fractions) == BINDING_PRODUCT && left->kind != expression->kind;
    write_part(writer, left, mixed ? BINDING_SIGN : BINDING_PRODUCT, fractions);
    writer_text(writer, sign);
    write_part(writer, right, BINDING_ATOM, fractions);
}

static void write_axis(Writer *writer, const ExpressionAxis *axis) {
    if (axis->begin)
        write_expression(writer, axis->begin, 1);
    writer_text(writer, axis->index ? "" : ":");
    if (axis->end)
        write_expression(writer, axis->end, 1);
}

/* Reports whether x already has a slice or transpose as a script, so that another of its
 * kind needs parentheses. The transpose of a name is written within the name. */
static bool has_script(const Expression *x, ExpressionKind kind) {
    while (x->kind == EXPRESSION_SLICE || x->kind == EXPRESSION_TRANSPOSE) {
        bool within =
            x->kind == EXPRESSION_TRANSPOSE && x->parts[0]->kind == EXPRESSION_NAME;
        if (x->kind == kind && !within)
            return true;
        x = x->parts[0];
    }
    return false;
}

/* Writes the base of a script of that kind. */
static void write_base(Writer *writer, const Expression *base, ExpressionKind kind,
                       int fractions) {
    bool tight = base->kind == EXPRESSION_NAME || base->kind == EXPRESSION_CALL ||
                 base->kind == EXPRESSION_SLICE || base->kind == EXPRESSION_TRANSPOSE;
    bool loose = !tight || has_script(base, kind);
    writer_text(writer, loose ? "\\left(" : "");
    write_expression(writer, base, fractions);
    writer_text(writer, loose ? "\\right)" : "");
}

static void write_slice(Writer *writer, const Expression *expression, int fractions) {
    const ExpressionAxis *rows = &expression->axes[0], *cols = &expression->axes[1];
    bool all_cols = !cols->index && !cols->begin && !cols->end;
    write_base(writer, expression->parts[0], EXPRESSION_SLICE, fractions);
    writer_text(writer, "[");
    write_axis(writer, rows);
    if (!all_cols) {
        writer_text(writer, ", ");
        write_axis(writer, cols);
    }
    writer_text(writer, "]");
}

static void write_transpose(Writer *writer, const Expression *expression, int fractions) {
    const Expression *x = expression->parts[0];
    if (x->kind == EXPRESSION_NAME) {
        write_tensor(writer, x->name, ".T");
        return;
    }
    write_base(writer, x, EXPRESSION_TRANSPOSE, fractions);
    writer_text(writer, "^{\\text{T}}");
}

static void write_call(Writer *writer, const Expression *expression, int fractions) {
    Call call;
    bool known = calls_lookup(&call, expression->name);
    const char *hole = known ? strstr(call.symbol, "#1") : NULL;
    if (hole && expression->count == 1) {
        writer_put(writer, call.symbol, (size_t)(hole - call.symbol));
        write_expression(writer, expression->parts[0], fractions + 1);
        writer_text(writer, hole + strlen("#1"));
        return;
    }
    if (known && call.operation == OPERATION_BACKWARD && expression->count == 2) {
        writer_text(writer, fractions ? "\\partial " : "\\frac{\\partial ");
        write_expression(writer, expression->parts[0], 1);
        writer_text(writer, fractions ? " / \\partial " : "}{\\partial ");
        write_expression(writer, expression->parts[1], 1);
        writer_text(writer, fractions ? "" : "}");
        return;
    }
    writer_text(writer, "\\op{");
    writer_text(writer, known ? call.symbol : "?");
    writer_text(writer, "}\\left(");
    for (size_t i = 0; i < expression->count; i++) {
        writer_text(writer, i ? ", " : "");
        write_expression(writer, expression->parts[i], fractions);
    }
    writer_text(writer, "\\right)");
}

/* Writes a label literally, escaping TeX's special characters. */
static void write_label(Writer *writer, const char *label) {
    writer_text(writer, "\\text{");
    for (; *label; label++)
        writer_put(writer, label, strchr("\\{}", *label) ? 0 : 1);
    writer_text(writer, "}");
}

static void write_expression(Writer *writer, const Expression *expression,
                             int fractions) {
    switch (expression->kind) {
    case EXPRESSION_NUMBER:
        write_number(writer, expression);
        break;
    case EXPRESSION_NAME:
        write_tensor(writer, expression->name, "");
        break;
    case EXPRESSION_LABEL:
        write_label(writer, expression->name);
        break;
    case EXPRESSION_NEGATE:
        writer_text(writer, "-");
        write_part(writer, expression->parts[0], BINDING_ATOM, fractions);
        break;
    case EXPRESSION_ADD:
    case EXPRESSION_SUBTRACT:
        write_part(writer, expression->parts[0], BINDING_SUM, fractions);
        writer_text(writer, expression->kind == EXPRESSION_ADD ? " + " : " - ");
        write_part(writer, expression->parts[1],
                   begins_with_minus(expression->parts[1], fractions) ? BINDING_ATOM
                                                                      : BINDING_PRODUCT,
                   fractions);
        break;
    case EXPRESSION_MULTIPLY:
    case EXPRESSION_MATMUL:
        write_product(writer, expression, fractions);
        break;
    case EXPRESSION_DIVIDE:
        write_quotient(writer, expression, fractions);
        break;
    case EXPRESSION_TRANSPOSE:
        write_transpose(writer, expression, fractions);
        break;
    case EXPRESSION_SLICE:
        write_slice(writer, expression, fractions);
        break;
    case EXPRESSION_CALL:
        write_call(writer, expression, fractions);
        break;
    }
}

static const char *text_of(const Writer *writer) {
    return writer->length > FORMULA_MAX_BYTES ? "" : writer->text;
}

const char *formula_source(Arena *arena, const Statement *statement) {
    Writer writer = {.arena = arena};
    if (statement->name) {
        write_tensor(&writer, statement->name, "");
        writer_text(&writer, " = ");
    }
    write_expression(&writer, statement->value, 0);
    return text_of(&writer);
}

/* Returns the part of a name that is written: "input" of "turn_2.decoder.input". */
static const char *last_part(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".T") != 0 ? dot + 1 : name;
}

const char *formula_source_names(Arena *arena, const char *const *names, size_t count) {
    Writer writer = {.arena = arena};
    writer_text(&writer, "");
    for (size_t i = 0; i < count; i++) {
        bool known = false; /* writes equal parts of two decoding steps once */
        for (size_t j = 0; j < i; j++)
            known |= strcmp(last_part(names[j]), last_part(names[i])) == 0;
        if (known)
            continue;
        writer_text(&writer, i ? ", \\quad " : "");
        write_tensor(&writer, names[i], "");
    }
    return text_of(&writer);
}
