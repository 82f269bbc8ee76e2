#include "picture/explain/explain.h"

#include "base/arena.h"
#include "base/maths.h"
#include "base/number.h"
#include "base/strings/aloud.h"
#include "picture/draw/heatmap.h"
#include "picture/scene/theme.h"
#include "tensor/tape/tape.h"
#include "tensor/terms/term.h"

#include <string.h>

/* ---- runs ---- */

static const double RAISED_SCALE = 0.78, RAISE = 0.42;

static void add(Runs *runs, Run run) {
    if (!run.text[0])
        return;
    runs->overflowed |= runs->count == RUNS_MAX;
    if (!runs->overflowed)
        runs->items[runs->count++] = run;
}

void runs_add(Runs *runs, const char *text) {
    add(runs, (Run){text, FONT_TEXT, runs->canvas->theme->ink_soft, 0, {0}});
}

void runs_add_ink(Runs *runs, const char *text) {
    add(runs, (Run){text, FONT_TEXT, runs->canvas->theme->ink, 0, {0}});
}

void runs_add_bold(Runs *runs, Color color, const char *text) {
    add(runs, (Run){text, FONT_BOLD, color, 0, {0}});
}

static double size_of(const Run *run, double size) {
    double raised = round(size * pow(RAISED_SCALE, run->raise));
    return fmax(raised, label_min_size(run->text));
}

double runs_width(const Runs *runs, double size) {
    double width = 0;
    for (size_t i = 0; i < runs->count; i++)
        width += canvas_text_width(runs->canvas, runs->items[i].font,
                                   size_of(&runs->items[i], size), runs->items[i].text);
    return width;
}

/* Returns the line as text, with exponents behind ^; in words if it is heard. */
static const char *runs_aloud(const Runs *runs) {
    Writer line = {.arena = runs->canvas->scene->arena};
    double level = 0;
    writer_text(&line, "");
    for (size_t i = 0; i <= runs->count; i++) {
        double raise = i < runs->count ? runs->items[i].raise : 0;
        for (; level < raise; level++)
            writer_text(&line, "^(");
        for (; level > raise; level--)
            writer_text(&line, ")");
        writer_text(&line, i < runs->count ? runs->items[i].text : "");
    }
    return runs->canvas->heard ? aloud_text(line.arena, runs->canvas->language, line.text)
                               : line.text;
}

double runs_draw(const Runs *runs, double size, Point baseline) {
    Scene *scene = runs->canvas->scene;
    scene_begin_aloud(scene, runs_aloud(runs));
    for (size_t i = 0; i < runs->count; i++) {
        const Run *run = &runs->items[i];
        scene_link(scene, run->link);
        Point at = {baseline.x, round(baseline.y - size * RAISE * run->raise)};
        Box drawn = label_draw(scene, runs->canvas->metrics, run->font,
                               size_of(run, size), run->color, at, LABEL_LEFT, run->text);
        baseline.x += drawn.w;
    }
    scene_link(scene, (Link){0});
    scene_end_aloud(scene);
    return baseline.x;
}

/* ---- numbers ---- */

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

/* Reports whether a number is so large that it is rounded to two digits, but not too
 * large to be written with all. */
static bool is_large(double value) {
    return fabs(value) >= LARGE && fabs(value) < DIGITS_MOST;
}

/* Reports whether a comparison's large numbers differ. */
static bool compares_large(const Term *term) {
    double first = 0;
    for (size_t i = 0; term->kind == TERM_LARGEST && i < term->count; i++) {
        double value = term->parts[i]->value;
        if (!is_large(value))
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
    if (!digits || !is_large(value))
        return term_number_text(canvas, value);
    return canvas_format(canvas, "%s", number_format_digits(text, value, 3));
}

const char *term_value_text(const Canvas *canvas, const Term *term, double value) {
    return number_text(canvas, value, needs_digits(term));
}

/* ---- terms ---- */

enum Binding { BIND_SUM = 1, BIND_PRODUCT, BIND_SIGN, BIND_POWER, BIND_ATOM };

/* Terms with a sign between their parts. */
static const struct {
    int binding; /* 0: another term */
    const char *sign;
} signs[TERM_QUANTITY + 1] = {[TERM_SUM] = {BIND_SUM, " + "},
                              [TERM_DIFFERENCE] = {BIND_SUM, " − "},
                              [TERM_PRODUCT] = {BIND_PRODUCT, " × "},
                              [TERM_QUOTIENT] = {BIND_PRODUCT, " ÷ "}};

static bool is_leaf(const Term *term) {
    return term->kind == TERM_NUMBER || term->kind == TERM_CELL ||
           term->kind == TERM_QUANTITY;
}

static int binding_of(const Term *term) {
    int binding = signs[term->kind].binding;
    bool leaf = is_leaf(term);
    if (term->kind == TERM_NEGATIVE || (leaf && signbit(term->value) && term->value != 0))
        return BIND_SIGN;
    if (term->kind == TERM_POWER || (leaf && is_tiny(term->value)))
        return BIND_POWER;
    return !binding || (binding == BIND_SUM && term->count == 1) ? BIND_ATOM : binding;
}

static void put(TermWriter *writer, Color color, Link link, const char *text) {
    add(writer->runs, (Run){text, FONT_TEXT, color, writer->raise, link});
}

static void put_text(TermWriter *writer, const char *text) {
    put(writer, writer->runs->canvas->theme->ink_soft, (Link){0}, text);
}

/* Puts an interface text and a blank. */
static void put_word(TermWriter *writer, const char *key) {
    put_text(writer, canvas_string(writer->runs->canvas, key));
    put_text(writer, " ");
}

static void put_leaf(TermWriter *writer, Color color, Link link, const Term *term) {
    put(writer, color, link,
        number_text(writer->runs->canvas, term->value, writer->digits));
}

static void put_cell(TermWriter *writer, const Term *term) {
    const Theme *theme = writer->runs->canvas->theme;
    size_t source = tape_node(writer->tape, writer->node)->inputs[term->input];
    Color usual = writer->soft_inputs ? theme->ink_soft : theme->other[term->input % 4];
    Color color = role_name_color(theme, tape_node(writer->tape, source)->name, usual);
    put_leaf(writer, color, (Link){LINK_SOURCE, source, term->row, term->col}, term);
}

static void write_term(TermWriter *writer, const Term *term, int binding);

static void write_raised(TermWriter *writer, const Term *term) {
    writer->raise++;
    write_term(writer, term, 0);
    writer->raise--;
}

/* Writes parts with a sign between them: of too many the first ones and the last; of a
 * sum in progress those computed so far, and "…". */
static void write_parts(TermWriter *writer, const Term *term, const char *sign,
                        int binding) {
    bool grows = term == writer->growing && writer->grown < term->count;
    size_t count = grows ? writer->grown : term->count, kept = writer->max_parts;
    for (size_t i = 0; i < count; i++) {
        if (i)
            put_text(writer, sign);
        if (count > kept && i == kept - 1) {
            put_text(writer, "…");
            writer->shortened = true;
            put_text(writer, sign);
            i = count - 1;
        }
        if (i)
            writer->after_operator = sign[0] == ' ';
        write_term(writer, term->parts[i], i ? binding + 1 : binding);
    }
    if (grows && count)
        put_text(writer, sign);
    if (grows)
        put_text(writer, "…");
}

static void write_call(TermWriter *writer, const char *name, const Term *term) {
    put_text(writer, name);
    put_text(writer, "(");
    writer->after_operator = false;
    write_parts(writer, term, ", ", 0);
    put_text(writer, ")");
}

/* Writes a function, "√(2)"; a power of e has its exponent raised. */
static void write_function(TermWriter *writer, const Term *term) {
    if (term->function != &term_exp) {
        write_call(writer, term->function->sign, term);
        return;
    }
    put_text(writer, "e");
    writer->after_operator = false;
    write_raised(writer, term->parts[0]);
}

/* Writes a rank: "0.5 ∈ (0.5, 2, 1)", the number and those among which it is ranked. */
static void write_place(TermWriter *writer, const Term *term) {
    Term others = *term;
    others.count--;
    others.parts++;
    write_term(writer, others.parts[(size_t)term->parts[0]->value], BIND_SUM);
    write_call(writer, " ∈ ", &others);
}

/* Writes a case distinction: "3 = 3 ⇒ 1", "2 > 1 ⇒ −∞". */
static void write_case(TermWriter *writer, const Term *term) {
    bool equal = term->kind == TERM_EQUAL;
    double a = term->parts[0]->value, b = term->parts[1]->value;
    bool holds = equal ? a == b : a > b;
    /* two constants are the cell's own column and row */
    bool places = !equal && term->parts[0]->kind == TERM_NUMBER &&
                  term->parts[1]->kind == TERM_NUMBER;
    if (equal || places)
        put_word(writer, equal ? "inspector.id" : "inspector.column");
    write_term(writer, term->parts[0], BIND_SUM);
    put_text(writer, equal ? holds ? " = " : " ≠ " : holds ? " > " : " ≤ ");
    if (places)
        put_word(writer, "inspector.row");
    write_term(writer, term->parts[1], BIND_SUM);
    put_text(writer, " → ");
    write_term(writer, term->parts[holds ? 2 : 3], BIND_SUM);
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
    bool found = term == part;
    for (size_t i = 0; i < term->count && !found; i++)
        found = contains_term(term->parts[i], part);
    return found;
}

bool term_is_unknown(const TermWriter *writer, const Term *term) {
    return writer->growing && writer->grown < writer->growing->count &&
           contains_term(term, writer->growing);
}

static void write_plain(TermWriter *writer, const Term *term) {
    const Theme *theme = writer->runs->canvas->theme;
    switch (term->kind) {
    case TERM_NUMBER:
        put_leaf(writer, theme->ink_soft, (Link){0}, term);
        break;
    case TERM_QUANTITY:
        note_quantity(writer, term);
        if (term_is_unknown(writer, term))
            put(writer, theme->ink, (Link){0}, "…");
        else
            put_leaf(writer, theme->ink, (Link){0}, term);
        break;
    case TERM_CELL:
        put_cell(writer, term);
        break;
    case TERM_ROW_OF:
    case TERM_COLUMN_OF:
        put_word(writer,
                 term->kind == TERM_ROW_OF ? "inspector.row" : "inspector.column");
        write_term(writer, term->parts[0], BIND_ATOM);
        put_text(writer, " → ");
        write_term(writer, term->parts[1], BIND_SUM);
        break;
    case TERM_SUM:
    case TERM_DIFFERENCE:
    case TERM_PRODUCT:
    case TERM_QUOTIENT:
        write_parts(writer, term, signs[term->kind].sign, signs[term->kind].binding);
        break;
    case TERM_NEGATIVE:
        put_text(writer, "−");
        write_term(writer, term->parts[0], BIND_POWER);
        break;
    case TERM_POWER:
        write_term(writer, term->parts[0], BIND_ATOM);
        write_raised(writer, term->parts[1]);
        break;
    case TERM_FUNCTION:
        write_function(writer, term);
        break;
    case TERM_RANK:
        write_place(writer, term);
        break;
    case TERM_LARGEST:
    case TERM_POSITION:
        write_call(writer, term->kind == TERM_LARGEST ? "max" : "argmax", term);
        break;
    case TERM_EQUAL:
    case TERM_GREATER:
        write_case(writer, term);
        break;
    }
}

/* Writes a term, in parentheses if its surroundings bind more tightly or a negative
 * number would follow another sign. */
static void write_enclosed(TermWriter *writer, const Term *term, int binding) {
    if (term == writer->gap) {
        writer->after_operator = false;
        put(writer, writer->runs->canvas->theme->accent, (Link){0}, "□");
        return;
    }
    bool parentheses = binding_of(term) < binding;
    if (is_leaf(term)) {
        parentheses |= writer->after_operator && term->value < 0;
        writer->after_operator = false;
    }
    if (parentheses) {
        put_text(writer, "(");
        writer->after_operator = false;
    }
    bool digits = writer->digits;
    writer->digits |= needs_digits(term);
    write_plain(writer, term);
    writer->digits = digits;
    if (parentheses)
        put_text(writer, ")");
}

/* Writes a term with the links and colours of its node. */
static void write_term(TermWriter *writer, const Term *term, int binding) {
    size_t node = writer->node;
    for (size_t i = 0; i < writer->out_count; i++) {
        if (term == writer->out[i].term)
            writer->node = writer->out[i].node;
    }
    write_enclosed(writer, term, binding);
    writer->node = node;
}

void term_write(TermWriter *writer, const Term *term) {
    write_term(writer, term, 0);
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
