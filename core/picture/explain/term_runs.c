#include "picture/explain/term_runs.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "picture/draw/heatmap.h"
#include "picture/scene/role.h"
#include "tensor/terms/term.h"

#include <string.h>

enum Binding { BIND_SUM = 1, BIND_PRODUCT, BIND_SIGN, BIND_POWER, BIND_ATOM };

static void write_term(TermWriter *writer, const Term *term, int binding, double raise);

/* Reports whether a number is written with all its digits and thousands separated: whole
 * numbers except powers of ten with a shorter form. */
static bool is_counted(double value) {
    const double LEAST = 1e6, SHORT = 1e9, MOST = 1e15;
    double size = fabs(value);
    return size >= LEAST && size < MOST && !(size > floor(size)) &&
           (size < SHORT || size > pow(10, floor(log10(size))));
}

/* Reports whether a number is written as 3·10⁻⁵, because it would read as 0.000. */
static bool is_tiny(double value) {
    return value != 0 && fabs(value) < 0.0005;
}

const char *term_number_text(const Canvas *canvas, double value) {
    char text[NUMBER_SIZE];
    if (is_counted(value))
        return canvas_format(canvas, "%s%s", value < 0 ? "−" : "",
                             canvas_thousands(canvas, (size_t)fabs(value)));
    if (isnan(value))
        return canvas_string(canvas, "inspector.no_number");
    if (is_tiny(value)) {
        int exponent = (int)floor(log10(fabs(value)));
        double digit = round(fabs(value) / pow(10, exponent));
        if (digit >= 10) { /* 9.9·10⁻¹⁵ rounds to 10⁻¹⁴ */
            digit = 1;
            exponent++;
        }
        const char *times = digit > 1 ? canvas_format(canvas, "%.0f·", digit) : "";
        return canvas_format(canvas, "%s%s%s", value < 0 ? "−" : "", times,
                             heatmap_power(canvas, -exponent));
    }
    return canvas_format(canvas, "%s", number_format_short(text, value, 3));
}

/* Numbers written as 1.0e9 from LARGE on; numbers with all digits up to DIGITS_MOST. */
static const double LARGE = 1e7, DIGITS_MOST = 1e17;

/* Reports whether a comparison's large numbers differ. */
static bool compares_large(const Term *term) {
    double first = 0;
    for (size_t i = 0; term->kind == TERM_LARGEST && i < term->count; i++) {
        double value = term->parts[i]->value;
        if (!(fabs(value) >= LARGE && fabs(value) < DIGITS_MOST))
            continue;
        if (fabs(first) > 0 && (value < first || value > first))
            return true;
        first = value;
    }
    return false;
}

/* Reports whether a term's large parts cancel or are compared with a difference below
 * their rounding: −1.0e9 − (−1.0e9) = −0.707. */
static bool needs_digits(const Term *term) {
    if (compares_large(term))
        return true;
    if ((term->kind != TERM_SUM && term->kind != TERM_DIFFERENCE) ||
        !(fabs(term->value) < LARGE))
        return false;
    for (size_t i = 0; i < term->count; i++) {
        if (fabs(term->parts[i]->value) >= LARGE)
            return true;
    }
    return false;
}

static const char *number_text(const Canvas *canvas, double value, bool digits) {
    char text[NUMBER_SIZE];
    if (!digits || !(fabs(value) >= LARGE && fabs(value) < DIGITS_MOST))
        return term_number_text(canvas, value);
    return canvas_format(canvas, "%s", number_format_digits(text, value, 3));
}

static const char *leaf_text(const TermWriter *writer, double value) {
    return number_text(writer->runs->canvas, value, writer->digits);
}

const char *term_value_text(const Canvas *canvas, const Term *term, double value) {
    return number_text(canvas, value, needs_digits(term));
}

static void put_text(TermWriter *writer, double raise, const char *text) {
    runs_add(writer->runs, FONT_TEXT, writer->runs->canvas->theme->ink_soft, raise,
             (Link){0}, text);
}

static int binding_of(const Term *term) {
    switch (term->kind) {
    case TERM_SUM:
    case TERM_DIFFERENCE:
        return term->count == 1 ? BIND_ATOM : BIND_SUM;
    case TERM_PRODUCT:
    case TERM_QUOTIENT:
        return BIND_PRODUCT;
    case TERM_NEGATIVE:
        return BIND_SIGN;
    case TERM_NUMBER:
    case TERM_CELL:
    case TERM_QUANTITY:
        return signbit(term->value) && term->value != 0 ? BIND_SIGN
               : is_tiny(term->value)                   ? BIND_POWER
                                                        : BIND_ATOM;
    case TERM_POWER:
        return BIND_POWER;
    default:
        return BIND_ATOM;
    }
}

static Color cell_color(const TermWriter *writer, size_t input) {
    const Theme *theme = writer->runs->canvas->theme;
    size_t source = tape_node(writer->tape, writer->node)->inputs[input];
    return role_name_color(theme, tape_node(writer->tape, source)->name,
                           theme->other[input % 4]);
}

static void write_cell(TermWriter *writer, const Term *term, double raise) {
    size_t source = tape_node(writer->tape, writer->node)->inputs[term->input];
    runs_add(writer->runs, FONT_TEXT, cell_color(writer, term->input), raise,
             (Link){LINK_SOURCE, source, term->row, term->col},
             leaf_text(writer, term->value));
}

/* Writes parts with a sign between them: of too many the first ones and the last; of a
 * sum in progress those computed so far, and "…". */
static void write_parts(TermWriter *writer, const Term *term, const char *sign,
                        int binding, double raise) {
    bool grows = term == writer->growing && writer->grown < term->count;
    size_t count = grows ? writer->grown : term->count, kept = writer->max_parts;
    for (size_t i = 0; i < count; i++) {
        if (i)
            put_text(writer, raise, sign);
        if (count > kept && i == kept - 1) {
            put_text(writer, raise, "…");
            writer->shortened = true;
            put_text(writer, raise, sign);
            i = count - 1;
        }
        if (i)
            writer->after_operator = sign[0] == ' ';
        write_term(writer, term->parts[i], i ? binding + 1 : binding, raise);
    }
    if (grows) {
        if (count)
            put_text(writer, raise, sign);
        put_text(writer, raise, "…");
    }
}

static void write_call(TermWriter *writer, const char *name, const Term *term,
                       double raise) {
    put_text(writer, raise, name);
    put_text(writer, raise, "(");
    writer->after_operator = false;
    write_parts(writer, term, ", ", 0, raise);
    put_text(writer, raise, ")");
}

/* Writes a function, "√(2)"; a power of e has its exponent raised. */
static void write_function(TermWriter *writer, const Term *term, double raise) {
    if (term->function != &term_exp) {
        write_call(writer, term->function->sign, term, raise);
        return;
    }
    put_text(writer, raise, "e");
    writer->after_operator = false;
    write_term(writer, term->parts[0], 0, raise + 1);
}

/* Writes a rank: "0.5 ∈ (0.5, 2, 1)", the number and those among which it is ranked. */
static void write_place(TermWriter *writer, const Term *term, double raise) {
    Term others = *term;
    others.count--;
    others.parts++;
    write_term(writer, others.parts[(size_t)term->parts[0]->value], BIND_SUM, raise);
    write_call(writer, " ∈ ", &others, raise);
}

/* Writes a case distinction: "3 = 3 ⇒ 1", "2 > 1 ⇒ −∞". */
static void write_case(TermWriter *writer, const Term *term, double raise) {
    bool equal = term->kind == TERM_EQUAL;
    double a = term->parts[0]->value, b = term->parts[1]->value;
    bool holds = equal ? a == b : a > b;
    /* two constants are the cell's own column and row */
    bool places = !equal && term->parts[0]->kind == TERM_NUMBER &&
                  term->parts[1]->kind == TERM_NUMBER;
    if (equal || places) {
        put_text(writer, raise,
                 canvas_string(writer->runs->canvas,
                               equal ? "inspector.id" : "inspector.column"));
        put_text(writer, raise, " ");
    }
    write_term(writer, term->parts[0], BIND_SUM, raise);
    put_text(writer, raise, equal ? holds ? " = " : " ≠ " : holds ? " > " : " ≤ ");
    if (places) {
        put_text(writer, raise, canvas_string(writer->runs->canvas, "inspector.row"));
        put_text(writer, raise, " ");
    }
    write_term(writer, term->parts[1], BIND_SUM, raise);
    put_text(writer, raise, " → ");
    write_term(writer, term->parts[holds ? 2 : 3], BIND_SUM, raise);
}

static void note_quantity(TermWriter *writer, const Term *term) {
    for (size_t i = 0; i < writer->quantity_count; i++) {
        if (writer->quantities[i] == term)
            return;
    }
    if (writer->quantity_count < TERM_QUANTITIES_MAX)
        writer->quantities[writer->quantity_count++] = term;
}

static bool contains_term(const Term *term, const Term *part) {
    if (term == part)
        return true;
    for (size_t i = 0; i < term->count; i++) {
        if (contains_term(term->parts[i], part))
            return true;
    }
    return false;
}

bool term_is_unknown(const TermWriter *writer, const Term *term) {
    return writer->growing && writer->grown < writer->growing->count &&
           contains_term(term, writer->growing);
}

static void write_plain(TermWriter *writer, const Term *term, double raise) {
    const Canvas *canvas = writer->runs->canvas;
    switch (term->kind) {
    case TERM_NUMBER:
        put_text(writer, raise, leaf_text(writer, term->value));
        break;
    case TERM_QUANTITY:
        note_quantity(writer, term);
        runs_add(writer->runs, FONT_TEXT, canvas->theme->ink, raise, (Link){0},
                 term_is_unknown(writer, term) ? "…" : leaf_text(writer, term->value));
        break;
    case TERM_CELL:
        write_cell(writer, term, raise);
        break;
    case TERM_ROW_OF:
    case TERM_COLUMN_OF:
        put_text(writer, raise,
                 canvas_string(canvas, term->kind == TERM_ROW_OF ? "inspector.row"
                                                                 : "inspector.column"));
        put_text(writer, raise, " ");
        write_term(writer, term->parts[0], BIND_ATOM, raise);
        put_text(writer, raise, " → ");
        write_term(writer, term->parts[1], BIND_SUM, raise);
        break;
    case TERM_SUM:
        write_parts(writer, term, " + ", BIND_SUM, raise);
        break;
    case TERM_DIFFERENCE:
        write_parts(writer, term, " − ", BIND_SUM, raise);
        break;
    case TERM_PRODUCT:
        write_parts(writer, term, " × ", BIND_PRODUCT, raise);
        break;
    case TERM_QUOTIENT:
        write_parts(writer, term, " ÷ ", BIND_PRODUCT, raise);
        break;
    case TERM_NEGATIVE:
        put_text(writer, raise, "−");
        write_term(writer, term->parts[0], BIND_POWER, raise);
        break;
    case TERM_POWER:
        write_term(writer, term->parts[0], BIND_ATOM, raise);
        write_term(writer, term->parts[1], 0, raise + 1);
        break;
    case TERM_FUNCTION:
        write_function(writer, term, raise);
        break;
    case TERM_RANK:
        write_place(writer, term, raise);
        break;
    case TERM_LARGEST:
        write_call(writer, "max", term, raise);
        break;
    case TERM_POSITION:
        write_call(writer, "argmax", term, raise);
        break;
    case TERM_EQUAL:
    case TERM_GREATER:
        write_case(writer, term, raise);
        break;
    }
}

static bool is_leaf(const Term *term) {
    return term->kind == TERM_NUMBER || term->kind == TERM_CELL ||
           term->kind == TERM_QUANTITY;
}

/* Writes a term, in parentheses if its surroundings bind more tightly or a negative
 * number would follow another sign. */
static void write_term(TermWriter *writer, const Term *term, int binding, double raise) {
    if (term == writer->gap) {
        writer->after_operator = false;
        runs_add(writer->runs, FONT_TEXT, writer->runs->canvas->theme->accent, raise,
                 (Link){0}, "□");
        return;
    }
    bool parentheses = binding_of(term) < binding;
    if (is_leaf(term)) {
        parentheses |= writer->after_operator && term->value < 0;
        writer->after_operator = false;
    }
    if (parentheses) {
        put_text(writer, raise, "(");
        writer->after_operator = false;
    }
    bool digits = writer->digits;
    writer->digits |= needs_digits(term);
    write_plain(writer, term, raise);
    writer->digits = digits;
    if (parentheses)
        put_text(writer, raise, ")");
}

void term_write(TermWriter *writer, const Term *term) {
    write_term(writer, term, 0, 0);
}

/* ---- whether written numbers give the written result ---- */

/* A number rounded as it is written, with all its digits or not. */
static double rounded(double value, bool digits) {
    if (!isfinite(value) || value == 0 || fabs(value) >= DIGITS_MOST || is_counted(value))
        return value;
    double size = pow(10, floor(log10(fabs(value))));
    double unit = is_tiny(value)                  ? size
                  : fabs(value) < LARGE || digits ? 0.001
                                                  : size / 10;
    return round(value / unit) * unit;
}

/* Returns the term with rounded numbers. */
static const Term *as_written(Arena *arena, const Term *term, bool digits) {
    if (is_leaf(term))
        return term_number(arena, rounded(term->value, digits));
    digits |= needs_digits(term);
    const Term **parts = arena_alloc(arena, term->count, sizeof *parts);
    for (size_t i = 0; i < term->count; i++)
        parts[i] = as_written(arena, term->parts[i], digits);
    return term_like(arena, term, parts);
}

const char *term_equals(const TermWriter *writer, const Term *term, double value) {
    const Canvas *canvas = writer->runs->canvas;
    if (writer->shortened)
        return " = ";
    const Term *written = as_written(canvas->scene->arena, term, false);
    bool same = !written || strcmp(term_number_text(canvas, written->value),
                                   term_number_text(canvas, value)) == 0;
    return same ? " = " : " ≈ ";
}
