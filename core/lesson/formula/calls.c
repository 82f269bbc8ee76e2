#include "lesson/formula/formula.h"

#include "base/maths.h"
#include "model/build/layers.h"
#include "tensor/tape/gradient.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CALL_TENSORS_MAX = 64, COMPOSITE_ARGUMENTS_MAX = 22 };

/* Evaluates arguments [first, first + count) to nodes. */
static bool evaluate_arguments(Evaluation *evaluation, const Expression *expression,
                               size_t first, size_t count, size_t *nodes) {
    for (size_t i = 0; i < count; i++) {
        if (!evaluate(evaluation, expression->parts[first + i], "", &nodes[i]))
            return false;
    }
    return true;
}

static bool evaluate_size(Evaluation *evaluation, const Expression *expression,
                          size_t index, const char *what, size_t *size) {
    double value;
    if (!evaluate_whole(evaluation, expression->parts[index], what, 1, TENSOR_MAX_CELLS,
                        &value))
        return false;
    *size = (size_t)value;
    return true;
}

/* ---- operations ---- */

/* Evaluates the argument that sets an operation's option: "top_k's k". */
static bool evaluate_option(Evaluation *evaluation, const Call *call,
                            const Expression *expression, size_t index,
                            const OperationArgument *argument,
                            OperationOptions *options) {
    char what[60];
    double number = argument->usual;
    size_t size = (size_t)number;
    bool given = index < expression->count;
    snprintf(what, sizeof what, "%s's %s", call->name, argument->name);
    if (argument->whole) {
        if (given && !evaluate_size(evaluation, expression, index, what, &size))
            return false;
        memcpy((char *)options + argument->offset, &size, sizeof size);
        return true;
    }
    const Expression *place = given ? expression->parts[index] : expression;
    if (given && !evaluate_number(evaluation, place, what, &number))
        return false;
    if (argument->fits && !argument->fits(number))
        return evaluate_fail(evaluation, place, ERROR_VALUE, "%s is %g, but must be %s",
                             what, number, argument->must_be);
    memcpy((char *)options + argument->offset, &number, sizeof number);
    return true;
}

/* Appends one operation: first its tensors, then the numbers of its options. */
static bool append_operation(Evaluation *evaluation, const Call *call,
                             const Expression *expression, const char *name,
                             size_t *node) {
    const Operation *operation = operation_of(call->operation);
    size_t inputs[CALL_TENSORS_MAX], most = operation->inputs.most;
    size_t tensors = expression->count - operation_numbers_needed(operation);
    OperationOptions options = {0};
    tensors = tensors < most ? tensors : most;
    if (!evaluate_arguments(evaluation, expression, 0, tensors, inputs))
        return false;
    for (size_t i = 0; i < OPERATION_ARGUMENTS_MAX && operation->numbers[i].name; i++) {
        if (!evaluate_option(evaluation, call, expression, tensors + i,
                             &operation->numbers[i], &options))
            return false;
    }
    return tape_append(evaluation->tape, call->operation, inputs, tensors, options, name,
                       node, evaluation->error);
}

/* gradient(L, W): appends the backward pass from L to W. */
static bool append_gradient(Evaluation *evaluation, const Call *call,
                            const Expression *expression, const char *name,
                            size_t *node) {
    size_t t[2];
    (void)call;
    for (size_t i = 0; i < 2; i++) {
        if (expression->parts[i]->kind != EXPRESSION_NAME)
            return evaluate_fail(evaluation, expression->parts[i], ERROR_VALUE,
                                 "gradient takes the names of two tensors; make this one "
                                 "in a step of its own first");
    }
    return evaluate_arguments(evaluation, expression, 0, 2, t) &&
           gradient_append(evaluation->tape, t[0], t[1], name, node, evaluation->error);
}

/* ---- numbers of tokens in calls ---- */

static bool counts_words(const Expression *expression) {
    Call call;
    return expression->kind == EXPRESSION_CALL && expression->count &&
           expression->parts[0]->kind == EXPRESSION_NUMBER &&
           calls_lookup(&call, expression->name) && call.append == append_operation &&
           !operation_of(call.operation)->inputs.most &&
           operation_of(call.operation)->numbers[0].words;
}

const Expression *calls_with_words(const Expression *expression, Arena *arena,
                                   size_t said, size_t own) {
    Expression *made = arena_alloc(arena, 1, sizeof *made);
    const Expression **parts = arena_alloc(arena, expression->count, sizeof *parts);
    *made = *expression;
    for (size_t i = 0; i < expression->count; i++)
        parts[i] = calls_with_words(expression->parts[i], arena, said, own);
    made->parts = parts;
    if (!counts_words(expression) || parts[0]->number != (double)said)
        return made;
    Expression *count = arena_alloc(arena, 1, sizeof *count);
    *count = *parts[0];
    count->number = (double)own;
    count->source = arena_format(arena, "%zu", own);
    count->length = strlen(count->source);
    parts[0] = count;
    return made;
}

/* ---- composites ---- */

/* Returns the prefix of a composite's nodes: the statement's name if the composite is the
 * whole statement; else that name and the function's, numbered from the second on. */
static const char *composite_path(Evaluation *evaluation, const Call *call,
                                  const char *name) {
    const char *statement = evaluation->statement->name;
    size_t number = ++evaluation->composites;
    if (*name)
        return name;
    const char *prefix = statement ? statement : "", *dot = statement ? "." : "";
    return number == 1
               ? arena_format(evaluation->arena, "%s%s%s", prefix, dot, call->name)
               : arena_format(evaluation->arena, "%s%s%s_%zu", prefix, dot, call->name,
                              number);
}

struct Composite {
    Tape *tape;
    const char *group, *path;
    /* nodes of the arguments, by their number; TAPE_NONE for a missing one */
    size_t nodes[COMPOSITE_ARGUMENTS_MAX];
    size_t heads; /* the argument of that name, which is a number */
    Error *error;
};

/* Appends a composite. A result without a name of the lesson's is named like its other
 * nodes. */
static bool append_composite(Evaluation *evaluation, const Call *call,
                             const Expression *expression, const char *name,
                             size_t *node) {
    Composite made = {.tape = evaluation->tape,
                      .group = call->name,
                      .path = composite_path(evaluation, call, name),
                      .error = evaluation->error};
    const char *argument = call->arguments;
    for (size_t i = 0; i < call->most; i++) {
        bool is_number = strncmp(argument, "heads", 5) == 0;
        made.nodes[i] = TAPE_NONE;
        if (i < expression->count &&
            !(is_number ? evaluate_size(evaluation, expression, i, "heads", &made.heads)
                        : evaluate(evaluation, expression->parts[i], "", &made.nodes[i])))
            return false;
        argument += strcspn(argument, " ");
        argument += *argument == ' ';
    }
    if (!call->compose(&made, node))
        return false;
    if (!*name)
        tape_rename(evaluation->tape, *node,
                    arena_format(evaluation->arena, "%s.output", made.path));
    return true;
}

static bool compose_attention(const Composite *this, size_t *node) {
    const size_t *t = this->nodes;
    return attention_append(this->tape, this->group, this->path, t[0], t[1], t[2], t[3],
                            node, this->error);
}

static bool compose_multi_head(const Composite *this, size_t *node) {
    const size_t *t = this->nodes;
    return attention_multi_head_append(
        this->tape, this->group, this->path, t[0], t[1],
        (AttentionWeights){t[2], t[3], t[4], t[5], NULL, {0}}, this->heads, t[7], node,
        this->error);
}

/* Weights without a gate. */
static FeedForwardWeights plain_weights(const size_t nodes[4]) {
    return (FeedForwardWeights){
        .w_1 = nodes[0], .b_1 = nodes[1], .w_2 = nodes[2], .b_2 = nodes[3]};
}

static bool compose_feed_forward(const Composite *this, size_t *node) {
    return layers_feed_forward_append(this->tape, this->group, this->path, this->nodes[0],
                                      plain_weights(this->nodes + 1), node, this->error);
}

/* SwiGLU without biases, as in the models that use it. */
static bool compose_swiglu(const Composite *this, size_t *node) {
    const FeedForwardWeights weights = {.activation = ACTIVATION_SWIGLU,
                                        .w_1 = this->nodes[1],
                                        .w_up = this->nodes[2],
                                        .w_2 = this->nodes[3],
                                        .b_1 = TAPE_NONE,
                                        .b_up = TAPE_NONE,
                                        .b_2 = TAPE_NONE};
    return layers_feed_forward_append(this->tape, this->group, this->path, this->nodes[0],
                                      weights, node, this->error);
}

/* The original's layers: post-norm. */
static bool compose_encoder_layer(const Composite *this, size_t *node) {
    const size_t *t = this->nodes;
    const Sublayer sublayers[] = {
        {.kind = SUBLAYER_SELF_ATTENTION,
         .attention = {t[1], t[2], t[3], t[4], NULL, {0}},
         .mask = t[14],
         .norm = {t[6], t[7]}},
        {.kind = SUBLAYER_FEED_FORWARD,
         .feed_forward = plain_weights(t + 8),
         .norm = {t[12], t[13]}},
    };
    const Layer layer = {this->heads, false, LAYER_NORM_EPSILON, 2, sublayers};
    return layers_append(this->tape, this->group, this->path, t[0], TAPE_NONE, &layer,
                         node, this->error);
}

static bool compose_decoder_layer(const Composite *this, size_t *node) {
    const size_t *t = this->nodes;
    const Sublayer sublayers[] = {
        {.kind = SUBLAYER_SELF_ATTENTION,
         .attention = {t[2], t[3], t[4], t[5], NULL, {0}},
         .mask = t[21],
         .norm = {t[11], t[12]}},
        {.kind = SUBLAYER_CROSS_ATTENTION,
         .attention = {t[6], t[7], t[8], t[9], NULL, {0}},
         .mask = TAPE_NONE,
         .norm = {t[13], t[14]}},
        {.kind = SUBLAYER_FEED_FORWARD,
         .feed_forward = plain_weights(t + 15),
         .norm = {t[19], t[20]}},
    };
    const Layer layer = {this->heads, false, LAYER_NORM_EPSILON, 3, sublayers};
    return layers_append(this->tape, this->group, this->path, t[0], t[1], &layer, node,
                         this->error);
}

/* ---- the table ---- */

#define COMPOSITE(name, least, most, arguments, symbol, compose)                         \
    { name, least, most, arguments, symbol, OPERATION_GIVEN, append_composite, compose }

static const Call composites[] = {
    {"gradient", 2, 2, "L, W", "grad", OPERATION_BACKWARD, append_gradient, NULL},
    COMPOSITE("attention", 3, 4, "Q, K, V[, M]", "Attention", compose_attention),
    COMPOSITE("multi_head_attention", 7, 8, "X, memory, W_Q, W_K, W_V, W_O, heads[, M]",
              "MultiHead", compose_multi_head),
    COMPOSITE("feed_forward", 5, 5, "X, W_1, b_1, W_2, b_2", "FFN", compose_feed_forward),
    COMPOSITE("swiglu", 4, 4, "X, W_gate, W_up, W_down", "SwiGLU", compose_swiglu),
    COMPOSITE("encoder_layer", 14, 15,
              "X, W_Q, W_K, W_V, W_O, heads, gamma_1, beta_1, W_1, b_1, W_2, b_2, "
              "gamma_2, beta_2[, M]",
              "Encoder", compose_encoder_layer),
    COMPOSITE("decoder_layer", 21, 22,
              "X, memory, W_Q, W_K, W_V, W_O, C_Q, C_K, C_V, C_O, heads, gamma_1, "
              "beta_1, gamma_2, beta_2, W_1, b_1, W_2, b_2, gamma_3, beta_3[, M]",
              "Decoder", compose_decoder_layer),
};

enum { COMPOSITE_COUNT = sizeof composites / sizeof *composites };

static Call call_of(OperationKind kind) {
    const Operation *operation = operation_of(kind);
    size_t needed = operation_numbers_needed(operation), numbers = 0;
    size_t tensors = operation->inputs.most;
    while (numbers < OPERATION_ARGUMENTS_MAX && operation->numbers[numbers].name)
        numbers++;
    return (Call){.name = operation->name,
                  .least = operation->inputs.least + needed,
                  .most =
                      tensors < CALL_TENSORS_MAX ? tensors + numbers : CALL_TENSORS_MAX,
                  .arguments = operation->arguments,
                  .symbol = operation->symbol,
                  .operation = kind,
                  .append = append_operation};
}

bool calls_at(Call *call, size_t index) {
    for (OperationKind kind = 0; kind < OPERATION_COUNT; kind++) {
        if (operation_of(kind)->arguments && index-- == 0) {
            *call = call_of(kind);
            return true;
        }
    }
    if (index >= COMPOSITE_COUNT)
        return false;
    *call = composites[index];
    return true;
}

bool calls_lookup(Call *call, const char *name) {
    size_t i = 0;
    while (calls_at(call, i++)) {
        if (strcmp(call->name, name) == 0)
            return true;
    }
    return false;
}

/* Functions of NumPy and PyTorch, and how an expression here writes them. A form that
 * begins with '.' follows its operand. */
static const struct {
    const char *name, *instead;
} foreign[] = {
    {"transpose", ".T"},
    {"t", ".T"},
    {"swapaxes", ".T"},
    {"permute", ".T"},
    {"dot", "a @ b"},
    {"matmul", "a @ b"},
    {"mm", "a @ b"},
    {"bmm", "a @ b"},
    {"inner", "a @ b.T"},
    {"outer", "a.T @ b"},
    {"einsum", "a @ b"},
    {"linear", "x @ W + b"},
    {"add", "a + b"},
    {"sub", "a - b"},
    {"subtract", "a - b"},
    {"mul", "a * b"},
    {"multiply", "a * b"},
    {"div", "a / b"},
    {"divide", "a / b"},
    {"pow", "x * x"},
    {"power", "x * x"},
    {"square", "x * x"},
    {"neg", "-x"},
    {"negative", "-x"},
    {"rsqrt", "1 / sqrt(x)"},
    {"reciprocal", "1 / x"},
    {"sigmoid", "1 / (1 + exp(-x))"},
    {"tanh", "(exp(x) - exp(-x)) / (exp(x) + exp(-x))"},
    {"var", "mean((x - mean(x)) * (x - mean(x)))"},
    {"std", "sqrt(mean((x - mean(x)) * (x - mean(x))))"},
    {"amax", "max(x)"},
    {"log_softmax", "log(softmax(x))"},
    {"masked_fill", "x + M, with 0 and -inf in M"},
    {"tril", "x + causal_mask(n)"},
    {"triu", "x + causal_mask(n)"},
    {"cat", "concat(a, b)"},
    {"concatenate", "concat(a, b)"},
    {"hstack", "concat(a, b)"},
    {"vstack", "stack(a, b)"},
    {"embedding", "embed(E, ids)"},
    {"array", "its numbers under 'given:'"},
    {"tensor", "its numbers under 'given:'"},
    {"zeros", "its numbers under 'given:'"},
    {"ones", "its numbers under 'given:'"},
    {"eye", "its numbers under 'given:'"},
    {"randn", "{random: [2, 2]} under 'given:'"},
    {"rand", "{random: [2, 2]} under 'given:'"},
};

const char *calls_instead(Arena *arena, const Expression *expression) {
    const char *dot = strrchr(expression->name, '.');
    const char *last = dot ? dot + 1 : expression->name;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (strcmp(last, foreign[i].name) != 0)
            continue;
        if (foreign[i].instead[0] != '.')
            return foreign[i].instead;
        const Expression *of = expression->count ? expression->parts[0] : NULL;
        bool named = of && of->kind == EXPRESSION_NAME;
        return arena_format(arena, "%s%s", named ? of->name : "X", foreign[i].instead);
    }
    Call call;
    return dot && calls_lookup(&call, last)
               ? arena_format(arena, "%s(%s)", last, call.arguments)
               : NULL;
}

const char *calls_nearest(const char *name) {
    const char *names[OPERATION_COUNT + COMPOSITE_COUNT];
    size_t count = 0;
    for (Call call; calls_at(&call, count); count++)
        names[count] = call.name;
    return error_nearest(name, names, count);
}
