#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/draw/part_name.h"
#include "picture/stage/stage.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns true if an operation's formula is a whole equation, which can't be a part of
 * another formula. */
static bool is_sentence(OperationKind operation) {
    return strchr(operation_of(operation)->formula, '=') != NULL;
}

static const char SPACE[] = "\\text{ }";

static const char *backward_formula(const Stage *stage, const TapeNode *node, bool tall);

/* ---- parentheses of a formula within another one ---- */

/* Form of a formula: the operator that binds last, outside of all brackets. */
typedef enum Form {
    FORM_SUM,
    FORM_SIGN,    /* -A */
    FORM_PREFIX,  /* a sum or a maximum over j, whose operand follows it */
    FORM_DOTTED,  /* A \odot B */
    FORM_PRODUCT, /* A B */
    FORM_FRACTION,
    FORM_WHOLE /* a name or a call */
} Form;

static bool begins_with(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static Form form_of(const char *formula) {
    static const char *const prefixes[] = {"\\sum_", "\\max_", "\\op{argmax}_",
                                           "\\frac{1}{d} \\sum_"};
    Form form = begins_with(formula, "\\frac") ? FORM_FRACTION : FORM_WHOLE;
    int depth = 0;
    for (const char *c = formula; *c; c++) {
        depth += (strchr("{[(", *c) != NULL) - (strchr("}])", *c) != NULL);
        if (depth || c == formula)
            continue;
        if (begins_with(c, " + ") || begins_with(c, " - "))
            return FORM_SUM;
        bool dotted =
            begins_with(c, "\\odot") || begins_with(c, "\\cdot") || begins_with(c, " / ");
        if (dotted)
            form = FORM_DOTTED;
        else if (*c == ' ' && form != FORM_DOTTED)
            form = FORM_PRODUCT;
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        form = begins_with(formula, prefixes[i]) ? FORM_PREFIX : form;
    form = begins_with(formula, "\\log") ? FORM_WHOLE : form;
    return *formula == '-' ? FORM_SIGN : form;
}

static const char *in_parentheses(const Stage *stage, const char *formula) {
    return canvas_format(stage->canvas, "\\left(%s\\right)", formula);
}

/* Returns a formula as it is written before an index or an exponent. */
static const char *whole_formula(const Stage *stage, const char *formula) {
    return form_of(formula) == FORM_WHOLE ? formula : in_parentheses(stage, formula);
}

/* Reports whether the text before a place ends so. */
static bool ends_with(const char *text, const char *end, const char *with) {
    size_t length = strlen(with);
    return (size_t)(end - text) >= length && memcmp(end - length, with, length) == 0;
}

/* Reports whether a form needs parentheses at the place `at` of an operation's formula,
 * where "#1" or another input stands. */
static bool needs_parentheses(const char *formula, const char *at, Form form) {
    const char *behind = at + 2;
    bool loose = form == FORM_SUM || form == FORM_SIGN;
    if (*behind == '^' || *behind == '_')
        return form != FORM_WHOLE;
    if (ends_with(formula, at, "+ "))
        return form == FORM_SIGN;
    if (ends_with(formula, at, "-") || ends_with(formula, at, "- ") ||
        ends_with(formula, at, "_{j} "))
        return loose;
    bool dots_before = ends_with(formula, at, "\\odot ");
    bool dots_behind = begins_with(behind, " \\odot");
    bool is_behind = ends_with(formula, at, "#1 ");
    bool is_before = begins_with(behind, " #");
    if (dots_before || is_behind)
        return loose || form == (dots_before ? FORM_PRODUCT : FORM_DOTTED);
    if (dots_behind || is_before)
        return form == FORM_SUM || form == FORM_PREFIX ||
               form == (dots_behind ? FORM_PRODUCT : FORM_DOTTED);
    return false;
}

/* Returns one axis of a slice in a lesson's notation: ":", "0:2" or, for one position,
 * "1". */
static const char *slice_axis(const Stage *stage, size_t begin, size_t end, size_t size) {
    if (begin == 0 && end == size)
        return ":";
    if (end == begin + 1)
        return canvas_count(stage->canvas, begin);
    return canvas_format(stage->canvas, "%zu:%zu", begin, end);
}

/* Returns the name of a slice, such as "K[0:3]" or "Q[:, 2:4]". */
static const char *slice_name(const Stage *stage, const TapeNode *node) {
    const OperationOptions *o = &node->options;
    const Tensor *whole = stage_tensor(stage, node->inputs[0]);
    const char *name = stage_formula_part(stage, node->inputs[0]);
    const char *rows = slice_axis(stage, o->row_begin, o->row_end, whole->rows);
    if (o->col_begin == 0 && o->col_end == whole->cols)
        return canvas_format(stage->canvas, "%s[%s]", name, rows);
    return canvas_format(stage->canvas, "%s[%s, %s]", name, rows,
                         slice_axis(stage, o->col_begin, o->col_end, whole->cols));
}

/* Returns the operation's formula with #1, #2 … replaced by the inputs' names. */
static const char *fill_formula(const Stage *stage, const TapeNode *node, int depth) {
    if (node->operation == OPERATION_BACKWARD)
        return backward_formula(stage, node, true);
    if (node->operation == OPERATION_SLICE)
        return slice_name(stage, node);
    const char *formula = operation_of(node->operation)->formula;
    char text[512];
    size_t length = 0;
    for (const char *c = formula; *c && length + 1 < sizeof text; c++) {
        size_t input = (size_t)(c[1] - '1');
        if (*c != '#' || c[1] < '1' || input >= node->input_count) {
            text[length++] = *c;
            continue;
        }
        const TapeNode *source = stage_node(stage, node->inputs[input]);
        bool opens = depth > 0 && !source->name[0] && !is_sentence(source->operation);
        const char *name = opens ? fill_formula(stage, source, depth - 1)
                                 : stage_formula_name(stage, node->inputs[input]);
        const char *sublayer = node->operation == OPERATION_ADD
                                   ? part_sublayer(stage->canvas, source->name)
                                   : NULL;
        name = sublayer ? sublayer : name;
        if (needs_parentheses(formula, c, form_of(name)))
            name = in_parentheses(stage, name);
        bool apart = strncmp(name, "\\text", 5) == 0; /* words beside a factor */
        int written = snprintf(
            text + length, sizeof text - length, "%s%s%s",
            apart && c >= formula + 2 && c[-1] == ' ' && isdigit(c[-2]) ? SPACE : "",
            name, apart && c[2] == ' ' && c[3] == '#' ? SPACE : "");
        length = (size_t)fmin((double)(length + (size_t)written), sizeof text - 1.0);
        c++;
    }
    text[length] = 0;
    return canvas_format(stage->canvas, "%s", text);
}

const char *stage_formula_part(const Stage *stage, size_t number) {
    return whole_formula(stage, stage_formula_name(stage, number));
}

const char *stage_formula_behind(const Stage *stage, const char *sign, size_t number) {
    const char *name = stage_formula_name(stage, number);
    Form form = form_of(name);
    bool loose = form == FORM_SUM || form == FORM_SIGN;
    bool needs = strcmp(sign, "+") == 0        ? form == FORM_SIGN
                 : strcmp(sign, "-") == 0      ? loose
                 : strcmp(sign, "\\cdot") == 0 ? loose || form == FORM_DOTTED
                                               : form != FORM_WHOLE;
    return needs ? in_parentheses(stage, name) : name;
}

/* Returns "∂L/∂W", the gradient of one named tensor with respect to another: a fraction
 * if `tall`, else on one line. */
static const char *gradient_name(const Stage *stage, size_t root, size_t of, bool tall) {
    return canvas_format(stage->canvas,
                         tall ? "\\frac{\\partial %s}{\\partial %s}"
                              : "\\partial %s / \\partial %s",
                         stage_formula_part(stage, root), stage_formula_part(stage, of));
}

/* Returns the formula of a backward operation: the gradient of the output times the
 * output's derivative. */
static const char *backward_formula(const Stage *stage, const TapeNode *node, bool tall) {
    size_t output = node->inputs[node->input_count - 2];
    size_t gradient = node->inputs[node->input_count - 1];
    size_t root = stage_node(stage, gradient)->gradient_root;
    if (root == TAPE_NONE)
        return operation_of(node->operation)->formula;
    return canvas_format(
        stage->canvas, "%s \\cdot %s", gradient_name(stage, root, output, tall),
        gradient_name(stage, output, node->inputs[node->options.input], tall));
}

/* Returns a constant as the lesson writes it: sqrt(2), 1e-9, 4 * 8. */
static const char *constant_formula(const Stage *stage, const char *source) {
    double number = 0;
    int end = 0;
    if (sscanf(source, "sqrt(%lf)%n", &number, &end) == 1 && !source[end])
        return canvas_format(stage->canvas, "\\sqrt{%g}", number);
    return canvas_format(stage->canvas, "%s", source);
}

const char *stage_formula_name(const Stage *stage, size_t number) {
    const TapeNode *node = stage_node(stage, number);
    if (node->quiet && node->operation == OPERATION_GIVEN)
        return constant_formula(stage, node->name);
    if (node->quiet && node->operation == OPERATION_TRANSPOSE &&
        !stage_node(stage, node->inputs[0])->name[0])
        return canvas_format(stage->canvas, "\\left(%s\\right)^{\\text{T}}",
                             stage_formula_name(stage, node->inputs[0]));
    bool own = node->name[0] && strncmp(node->name, "gradient", 8) != 0;
    if (node->gradient_of != TAPE_NONE && !own)
        return gradient_name(stage, node->gradient_root, node->gradient_of, false);
    if (node->operation == OPERATION_BACKWARD && !own)
        return backward_formula(stage, node, false);
    const char *added = node->operation == OPERATION_ADD
                            ? stage_node(stage, node->inputs[1])->name
                            : NULL;
    const char *part = part_name(stage->canvas, stage->player->lesson, node->name, added);
    if (part)
        return part;
    if (node->name[0])
        return canvas_format(stage->canvas, "\\tensor{%s}", node->name);
    if (is_sentence(node->operation))
        return stage_operation_words(stage, number); /* too long for a name */
    return fill_formula(stage, node, 2);
}

/* Returns true if a name repeats the operation's formula: "x W_Q", "x + attention". */
static bool is_formula_again(const Stage *stage, const TapeNode *node) {
    static const char product[] = "_product";
    size_t length = strlen(node->name), tail = sizeof product - 1;
    bool sums = node->operation == OPERATION_ADD && strstr(node->name, ".residual_") &&
                part_sublayer(stage->canvas, stage_node(stage, node->inputs[1])->name);
    return sums || (length > tail && strcmp(node->name + length - tail, product) == 0);
}

const char *stage_operation_formula(const Stage *stage, size_t number) {
    const TapeNode *node = stage_node(stage, number);
    const char *formula = fill_formula(stage, node, 2);
    if (!node->name[0] || strchr(formula, '=')) /* an equation contains its result */
        return formula;
    if (!formula[0])
        return stage_formula_name(stage, number);
    if (is_formula_again(stage, node))
        return formula;
    return canvas_format(stage->canvas, "%s = %s", stage_formula_name(stage, number),
                         formula);
}

const char *stage_operation_words(const Stage *stage, size_t node) {
    const char *name = operation_of(stage_node(stage, node)->operation)->name;
    const char *key = canvas_format(stage->canvas, "operation.%s", name);
    return canvas_format(stage->canvas, "\\text{%s}", canvas_string(stage->canvas, key));
}

const char *stage_step_words(const Canvas *canvas, const Player *player, size_t step) {
    const PlayerStep *at = &player->steps[step];
    const char *key = canvas_format(canvas, "operation.%s", at->topic);
    if (!language_has(canvas->language, key))
        key = canvas_format(
            canvas, "operation.%s",
            operation_of(tape_node(player->lesson->tape, at->node)->operation)->name);
    return canvas_string(canvas, key);
}
