#include "lesson/code/code.h"

#include "base/number.h"
#include "base/strings/literal.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the fewest digits that read back as the same number. */
static void put_number(Writer *writer, double value, CodeLanguage language) {
    char text[NUMBER_SIZE];
    const char *library = language == CODE_NUMPY ? "np" : "torch";
    if (value == rint(value) && fabs(value) < 1e6)
        snprintf(text, sizeof text, "%.0f", value);
    else if (isfinite(value))
        number_write(text, value);
    else
        snprintf(text, sizeof text, "%s%s.%s", value < 0 ? "-" : "", library,
                 isnan(value) ? "nan" : "inf");
    writer_text(writer, text);
}

/* The line of a node being written. */
typedef struct Line {
    const Code *code;
    CodeLanguage language;
    size_t number;
    const TapeNode *node;
    /* the operation's row; for a backward node, the row of the operation it belongs to */
    const Operation *row;
    Writer writer;
    bool in_lambda; /* x is the input that the gradient is for */
} Line;

enum { LINE_MAX_WIDTH = 88, FEW_DRAWN = 64, LARGE_CELLS = 7 };

/* Writes a row's numbers; `broken` wraps lines that get too long. */
static void put_row(Writer *writer, CodeLanguage language, const Tensor *tensor,
                    size_t row, bool broken) {
    size_t begin = writer->length;
    writer_text(writer, "[");
    for (size_t j = 0; j < tensor->cols; j++) {
        writer_text(writer, j ? "," : "");
        bool full = broken && writer->length - begin > LINE_MAX_WIDTH - NUMBER_SIZE;
        writer_text(writer, full ? "\n     " : j ? " " : "");
        begin = full ? writer->length : begin;
        put_number(writer, tensor_at(tensor, row, j), language);
    }
    writer_text(writer, "]");
}

/* Writes one line if it is short enough, else a line per row. */
static void put_rows(Writer *writer, CodeLanguage language, const Tensor *tensor,
                     bool broken) {
    for (size_t i = 0; i < tensor->rows; i++) {
        writer_text(writer, broken ? "\n    " : i ? ", " : "");
        put_row(writer, language, tensor, i, broken);
        writer_text(writer, broken ? "," : "");
    }
    writer_text(writer, broken ? "\n" : "");
}

/* Writes a tensor's numbers as a tensor of the library, [[2]]. */
static void put_tensor(Line *line, const Tensor *tensor) {
    bool numpy = line->language == CODE_NUMPY;
    Writer whole = {.arena = line->writer.arena};
    bool broken = tensor_cells(tensor) > LINE_MAX_WIDTH;
    if (!broken) {
        put_rows(&whole, line->language, tensor, false);
        broken = whole.length > LINE_MAX_WIDTH - 30;
    }
    writer_text(&line->writer, numpy ? "np.array([" : "torch.tensor([");
    put_rows(&line->writer, line->language, tensor, broken);
    writer_text(&line->writer, numpy ? "], dtype=float)" : "], dtype=torch.float64)");
}

const LessonDrawn *code_drawn(const Code *code, size_t node) {
    const LessonDrawn *drawn = code->lesson->drawn;
    while (drawn && drawn->node != node)
        drawn = drawn->next;
    bool few = tensor_cells(&tape_node(code->tape, node)->output) <= FEW_DRAWN;
    return few ? NULL : drawn;
}

bool code_is_large(const Code *code, size_t node) {
    const TapeNode *at = tape_node(code->tape, node);
    return at->operation == OPERATION_GIVEN && !at->quiet && *at->name &&
           tensor_cells(&at->output) > LARGE_CELLS && !code_drawn(code, node);
}

static void put_drawn(Line *line, const LessonDrawn *drawn) {
    const Tensor *tensor = &line->node->output;
    if (drawn->scale != 1) {
        put_number(&line->writer, drawn->scale, line->language);
        writer_text(&line->writer, " * ");
    }
    writer_format(&line->writer, "normal(%zu, %zu, seed=%llu)", tensor->rows,
                  tensor->cols, (unsigned long long)drawn->seed);
}

static void put_loaded(Line *line) {
    bool numpy = line->language == CODE_NUMPY;
    writer_text(&line->writer, numpy ? "data[" : "torch.tensor(data[");
    literal_quoted(&line->writer, line->node->name);
    writer_text(&line->writer, numpy ? "]" : "])");
}

/* Writes a given tensor: drawn, read from a file, or number by number. */
static void put_given(Line *line) {
    const LessonDrawn *drawn = code_drawn(line->code, line->number);
    if (drawn)
        put_drawn(line, drawn);
    else if (line->code->loads && code_is_large(line->code, line->number))
        put_loaded(line);
    else
        put_tensor(line, &line->node->output);
}

/* Finds n if a constant was written as sqrt(n) in the lesson; else false. */
static bool is_root(const TapeNode *constant, size_t *n) {
    int end = 0;
    return sscanf(constant->name, "sqrt(%zu)%n", n, &end) == 1 && end > 0 &&
           !constant->name[end];
}

/* Writes a constant among operators: √d_k as a root. */
static void put_constant(Line *line, const TapeNode *node) {
    size_t root;
    bool numpy = line->language == CODE_NUMPY;
    bool negative = signbit(node->output.values[0]) != 0;
    if (is_root(node, &root)) {
        writer_format(&line->writer, numpy ? "np.sqrt(%zu)" : "%zu ** 0.5", root);
        return;
    }
    writer_text(&line->writer, negative ? "(" : "");
    put_number(&line->writer, node->output.values[0], line->language);
    writer_text(&line->writer, negative ? ")" : "");
}

int code_strength(const Code *code, size_t node) {
    const TapeNode *at = tape_node(code->tape, node);
    if (!at->muted && at->operation == OPERATION_BACKWARD) /* a sum, a product … */
        return OPERATION_BINDS_SUM;
    if (!at->muted)
        return (int)operation_of(at->operation)->binding;
    size_t stand_in = at->inputs[at->stand_in];
    return code->parts && code->parts[stand_in].text ? code->parts[stand_in].strength
                                                     : OPERATION_BINDS_WHOLE;
}

/* Writes an inlined node, in parentheses if its precedence requires them. */
static void put_part(Line *line, const CodePart *part, int least) {
    bool loose = part->strength < least;
    writer_format(&line->writer, loose ? "(%s)" : "%s", part->text);
}

static bool is_constant(const Code *code, size_t node) {
    const TapeNode *at = tape_node(code->tape, node);
    return at->operation == OPERATION_GIVEN && at->quiet && !at->edited &&
           tensor_cells(&at->output) == 1;
}

bool code_is_within(const Code *code, size_t node) {
    const TapeNode *at = tape_node(code->tape, node);
    return is_constant(code, node) || (at->operation == OPERATION_TRANSPOSE &&
                                       at->quiet && !at->edited && !at->muted);
}

size_t code_through(const Code *code, size_t node) {
    const TapeNode *at = tape_node(code->tape, node);
    return code_is_within(code, node) && at->input_count ? at->inputs[0] : node;
}

/* Writes a node inside a line: constants and transposes without steps are inlined. */
static void put_node(Line *line, size_t node, int least) {
    const Code *code = line->code;
    const TapeNode *at = tape_node(code->tape, node);
    if (code->parts && code->parts[node].text) {
        put_part(line, &code->parts[node], least);
    } else if (is_constant(code, node)) {
        put_tensor(line, &at->output);
    } else if (code_is_within(code, node)) {
        put_node(line, at->inputs[0], OPERATION_BINDS_WHOLE);
        writer_text(&line->writer, ".T");
    } else {
        writer_text(&line->writer, code->names[node]);
    }
}

/* Returns the number of inputs of the node's operation: a backward node also has the
 * output and the gradient. */
static size_t operation_inputs(const Line *line) {
    return line->node->input_count -
           (line->node->operation == OPERATION_BACKWARD ? 2 : 0);
}

/* Reports whether a Python number suffices for a constant: beside a tensor, with + - * /
 * between. */
static bool takes_number(const Line *line, size_t input) {
    const size_t *inputs = line->node->inputs;
    bool other = false;
    for (size_t i = 0; i < operation_inputs(line); i++)
        other |= !is_constant(line->code, inputs[i]);
    return line->row->work == OPERATION_WORK_BY_CELL && other &&
           is_constant(line->code, inputs[input]);
}

static void put_input(Line *line, size_t input, int least) {
    if (line->in_lambda && input == line->node->options.input)
        writer_text(&line->writer, "arg");
    else if (input < operation_inputs(line) && takes_number(line, input))
        put_constant(line, tape_node(line->code->tape, line->node->inputs[input]));
    else if (input < line->node->input_count)
        put_node(line, line->node->inputs[input], least);
}

static void put_all_inputs(Line *line) {
    for (size_t i = 0; i < operation_inputs(line); i++) {
        writer_text(&line->writer, i ? ", " : "");
        put_input(line, i, CODE_LOOSE);
    }
}

/* Returns the offset of input #x in a concatenation; past the last input, its total
 * size. */
static size_t concat_offset(const Line *line, size_t input, bool below) {
    size_t at = 0;
    for (size_t i = 0; i < input && i < operation_inputs(line); i++) {
        const Tensor *tensor =
            &tape_node(line->code->tape, line->node->inputs[i])->output;
        at += below ? tensor->rows : tensor->cols;
    }
    return at;
}

/* Writes ":" for a whole axis, else "0:2". */
static void put_axis(Line *line, size_t begin, size_t end, size_t size) {
    if (begin > 0 || end < size)
        writer_format(&line->writer, "%zu:%zu", begin, end);
    else
        writer_text(&line->writer, ":");
}

/* Writes the content of a slice's brackets: "0:2", ":, 0:2". */
static void put_slice(Line *line) {
    const OperationOptions *o = &line->node->options;
    const Tensor *whole = &tape_node(line->code->tape, line->node->inputs[0])->output;
    put_axis(line, o->row_begin, o->row_end, whole->rows);
    if (o->col_begin == 0 && o->col_end == whole->cols)
        return;
    writer_text(&line->writer, ", ");
    put_axis(line, o->col_begin, o->col_end, whole->cols);
}

/* Writes a rotary base other than the functions' default: ", base=500000". */
static void put_base(Line *line) {
    double base = line->node->options.base;
    if (!(base > 0) || base == ROTARY_BASE)
        return;
    writer_text(&line->writer, ", base=");
    put_number(&line->writer, base, line->language);
}

static size_t put_option(Line *line, const char *name) {
    if (strncmp(name, "slice", 5) == 0) {
        put_slice(line);
        return 5;
    }
    const OperationOptions *o = &line->node->options;
    if (strncmp(name, "base", 4) == 0) {
        put_base(line);
        return 4;
    }
    const struct {
        const char *name;
        size_t size;
        double number;
        bool is_size;
    } options[] = {
        {"rows", o->rows, 0, true},
        {"cols", o->cols, 0, true},
        {"r0", o->row_begin, 0, true},
        {"r1", o->row_end, 0, true},
        {"c0", o->col_begin, 0, true},
        {"c1", o->col_end, 0, true},
        {"keep", o->keep, 0, true},
        {"width", line->node->input_count ? line->node->operands[0]->cols : 0, 0, true},
        {"heads", o->heads, 0, true},
        {"seed", o->seed, 0, true},
        {"epsilon", 0, o->epsilon, false},
        {"share", 0, o->share, false},
        {"left", concat_offset(line, o->input, false), 0, true},
        {"right", concat_offset(line, o->input + 1, false), 0, true},
        {"top", concat_offset(line, o->input, true), 0, true},
        {"bottom", concat_offset(line, o->input + 1, true), 0, true},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        size_t length = strlen(options[i].name);
        if (strncmp(name, options[i].name, length) != 0)
            continue;
        if (options[i].is_size)
            writer_size(&line->writer, options[i].size);
        else
            put_number(&line->writer, options[i].number, line->language);
        return length;
    }
    assert(false); /* a pattern uses an unknown option */
    return 0;
}

/* Returns the precedence that input `input` needs at its occurrence [from, behind) in a
 * pattern. */
static int least_strength(const Line *line, size_t input, const char *pattern,
                          const char *from, const char *behind) {
    bool opened = from > pattern && (from[-1] == '(' || from[-1] == '[');
    bool listed = from > pattern + 1 && from[-1] == ' ' && from[-2] == ',';
    if ((opened || listed) && (*behind == ')' || *behind == ']' || *behind == ','))
        return CODE_LOOSE;
    if (line->node->operation == OPERATION_BACKWARD)
        return OPERATION_BINDS_WHOLE;
    int own = (int)line->row->binding;
    bool between = own == OPERATION_BINDS_SUM || own == OPERATION_BINDS_PRODUCT;
    return between ? own + (input > 0) : own;
}

static const TapeNode *result_of(const Line *line) {
    return tape_node(line->code->tape, line->node->inputs[operation_inputs(line)]);
}

/* Writes the gradient, with zeros for cells set by hand. */
static void put_gradient(Line *line, int least) {
    const Tape *tape = line->code->tape;
    size_t own = operation_inputs(line);
    bool set = result_of(line)->edited;
    writer_text(&line->writer, set ? "unset(" : "");
    put_input(line, own + 1, set ? CODE_LOOSE : least);
    for (size_t i = 0; set && i < tape_edit_count(tape); i++) {
        const TapeEdit *edit = tape_edit_at(tape, i);
        if (!tape_edit_reaches(tape, edit, line->node->inputs[own]))
            continue;
        writer_format(&line->writer, ", (%zu, %zu)", edit->row, edit->col);
    }
    writer_text(&line->writer, set ? ")" : "");
}

static Line line_of(const Code *code, CodeLanguage language, size_t node, Arena *arena);
static void put_value(Line *line);

/* Writes the operation's result; if cells of it are set by hand, as before that. */
static void put_result(Line *line, int least) {
    size_t own = operation_inputs(line);
    if (!result_of(line)->edited) {
        put_input(line, own, least);
        return;
    }
    Line before =
        line_of(line->code, line->language, line->node->inputs[own], line->writer.arena);
    put_value(&before);
    writer_format(&line->writer, "(%s)", before.writer.text);
}

/* Skips text in {} for a missing input; else returns its beginning. */
static const char *skip_missing(const Line *line, const char *at) {
    const char *input = strchr(at, '#');
    return (size_t)(input[1] - '1') < operation_inputs(line) ? at : strchr(at, '}');
}

static void put_pattern(Line *line, const char *pattern) {
    size_t own = operation_inputs(line);
    for (const char *at = pattern; *at; at++) {
        if (*at == '{' || *at == '}') {
            at = *at == '{' ? skip_missing(line, at) : at;
            continue;
        }
        if (*at == '$') {
            at += put_option(line, at + 1);
            continue;
        }
        if (*at != '#') {
            writer_put(&line->writer, at, 1);
            continue;
        }
        const char *from = at++;
        if (*at == '*') {
            put_all_inputs(line);
            continue;
        }
        size_t input = *at == 'o'   ? own
                       : *at == 'g' ? own + 1
                       : *at == 'x' ? line->node->options.input
                                    : (size_t)(*at - '1');
        int least = least_strength(line, input, pattern, from, at + 1);
        if (*at == 'g')
            put_gradient(line, least);
        else if (*at == 'o')
            put_result(line, least);
        else
            put_input(line, input, least);
    }
}

static const char *torch_pattern(const Line *line) {
    const OperationCode *pattern = &line->row->code;
    if (pattern->torch_usual && !line->code->masked)
        return pattern->torch_usual;
    return pattern->torch ? pattern->torch : pattern->numpy;
}

static void put_backward(Line *line) {
    const OperationCode *pattern = &line->row->code;
    size_t input = line->node->options.input;
    if (result_of(line)->muted) { /* all of the gradient goes to its stand-in */
        put_pattern(line, input == result_of(line)->stand_in ? "#g" : "0 * #x");
        return;
    }
    if (line->language == CODE_TORCH) {
        writer_text(&line->writer, "torch.autograd.functional.vjp(lambda arg: ");
        line->in_lambda = true;
        put_pattern(line, torch_pattern(line));
        line->in_lambda = false;
        writer_text(&line->writer, ", ");
        put_pattern(line, "#x, #g)[1]");
        return;
    }
    if (input >= OPERATION_BACKWARD_MAX)
        input = OPERATION_BACKWARD_MAX - 1;
    while (input && !pattern->numpy_backward[input])
        input--;
    put_pattern(line, pattern->numpy_backward[input]);
}

static void put_value(Line *line) {
    const OperationCode *pattern = &line->row->code;
    bool numpy = line->language == CODE_NUMPY;
    if (line->node->muted) {
        put_node(line, line->node->inputs[line->node->stand_in], CODE_LOOSE);
    } else if (line->node->operation == OPERATION_GIVEN) {
        put_given(line);
    } else if (line->node->operation == OPERATION_BACKWARD) {
        put_backward(line);
    } else {
        put_pattern(line, numpy ? pattern->numpy : torch_pattern(line));
    }
}

/* Writes cells set by hand, one per line. */
static void put_edits(Line *line, size_t node) {
    const Tape *tape = line->code->tape;
    for (size_t i = 0; i < tape_edit_count(tape); i++) {
        const TapeEdit *edit = tape_edit_at(tape, i);
        if (!tape_edit_reaches(tape, edit, node))
            continue;
        writer_format(&line->writer, "\n%s[%zu, %zu] = ", line->code->names[node],
                      edit->row, edit->col);
        put_number(&line->writer, edit->value, line->language);
    }
}

static Line line_of(const Code *code, CodeLanguage language, size_t node, Arena *arena) {
    const TapeNode *at = tape_node(code->tape, node);
    bool backward = at->operation == OPERATION_BACKWARD;
    return (Line){.code = code,
                  .language = language,
                  .number = node,
                  .node = at,
                  .row = operation_of(backward ? at->options.operation : at->operation),
                  .writer = {.arena = arena}};
}

const char *code_value(const Code *code, CodeLanguage language, size_t node,
                       Arena *arena) {
    Line line = line_of(code, language, node, arena);
    put_value(&line);
    return line.writer.text;
}

const char *code_operand(const Code *code, CodeLanguage language, size_t node, int least,
                         Arena *arena) {
    Line line = line_of(code, language, node, arena);
    put_node(&line, node, least);
    return line.writer.text;
}

const char *code_line(const Code *code, CodeLanguage language, size_t node,
                      Arena *arena) {
    Line line = line_of(code, language, node, arena);
    const TapeNode *at = line.node;
    bool computed = at->operation != OPERATION_GIVEN;
    bool copied = computed && at->edited; /* its input may share the same memory */
    writer_format(&line.writer, copied ? "%s = (" : "%s = ", code->names[node]);
    put_value(&line);
    if (copied)
        writer_text(&line.writer, language == CODE_NUMPY ? ").copy()" : ").clone()");
    if (computed || code_drawn(code, node))
        put_edits(&line, node);
    return line.writer.text;
}
