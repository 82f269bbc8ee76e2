#include "lesson/code/code.h"

#include "base/arena.h"
#include "lesson/content/content.h"
#include "tensor/tape/tape.h"

#include <math.h>
#include <string.h>

/* Longer parts get a line of their own. */
enum { LONGEST_PART = 64 };

/* The code of a step under construction. Nodes are indexed relative to the step's range
 * [first, first + count) of the tape. */
typedef struct Making {
    Code code; /* the lesson's, with parts to inline */
    CodeLanguage language;
    const Player *player;
    size_t step, first, count;
    bool *is_leaf;    /* made by an operation of this step */
    size_t *uses;     /* number of uses by operations of this step */
    bool *is_covered; /* inside a composite that is written as one call */
    Arena *arena;
} Making;

static const TapeNode *node_of(const Making *making, size_t node) {
    return tape_node(making->code.tape, node);
}

static bool is_here(const Making *making, size_t node) {
    return node >= making->first && node < making->first + making->count &&
           making->is_leaf[node - making->first];
}

/* Reports whether a node is an operation of this step, without edits or mutes. */
static bool is_plain(const Making *making, size_t node, OperationKind kind) {
    const TapeNode *at = node_of(making, node);
    return is_here(making, node) && at->operation == kind && !at->muted && !at->edited;
}

static size_t uses_of(const Making *making, size_t node) {
    return making->uses[node - making->first];
}

/* ---- one attention ---- */

typedef struct Attention {
    size_t query, key, value, mask; /* mask: may be TAPE_NONE */
    size_t inner[4], inner_count;   /* intermediate nodes, without the result */
    bool masks_a_row;               /* a row is masked whole */
} Attention;

static bool is_root_of(const Making *making, size_t node, size_t d_k) {
    const TapeNode *at = node_of(making, node);
    double root = sqrt((double)d_k);
    return at->operation == OPERATION_GIVEN && code_is_within(&making->code, node) &&
           fabs(at->output.values[0] - root) <= 1e-15 * root;
}

/* Takes a node into the attention if nothing else in the step uses it. */
static bool take_inner(const Making *making, Attention *attention, size_t node,
                       OperationKind kind) {
    if (!is_plain(making, node, kind) || uses_of(making, node) != 1)
        return false;
    attention->inner[attention->inner_count++] = node;
    return true;
}

static bool has_empty_row(const Tensor *shares) {
    for (size_t i = 0; i < shares->rows; i++) {
        double total = 0;
        for (size_t j = 0; j < shares->cols; j++)
            total += tensor_at(shares, i, j);
        if (!(total > 0) && !isnan(total))
            return true;
    }
    return false;
}

/* Reports whether a node is softmax(Q K.T / √d_k + M) V. */
static bool find_attention(const Making *making, size_t node, Attention *attention) {
    *attention = (Attention){.mask = TAPE_NONE};
    if (!is_plain(making, node, OPERATION_MATMUL))
        return false;
    const size_t *blend = node_of(making, node)->inputs;
    size_t shares = blend[0];
    attention->value = blend[1];
    if (!take_inner(making, attention, shares, OPERATION_SOFTMAX))
        return false;
    attention->masks_a_row = has_empty_row(&node_of(making, shares)->output);
    size_t scaled = node_of(making, shares)->inputs[0];
    if (is_plain(making, scaled, OPERATION_ADD)) {
        take_inner(making, attention, scaled, OPERATION_ADD);
        attention->mask = node_of(making, scaled)->inputs[1];
        scaled = node_of(making, scaled)->inputs[0];
    }
    if (!take_inner(making, attention, scaled, OPERATION_DIVIDE))
        return false;
    const size_t *division = node_of(making, scaled)->inputs;
    if (!take_inner(making, attention, division[0], OPERATION_MATMUL))
        return false;
    const size_t *scores = node_of(making, division[0])->inputs;
    attention->query = scores[0];
    attention->key = code_through(&making->code, scores[1]);
    size_t d_k = node_of(making, scores[0])->output.cols;
    return attention->key != scores[1] && is_root_of(making, division[1], d_k) &&
           attention->inner_count == (attention->mask == TAPE_NONE ? 3u : 4u);
}

static const char *operand(Making *making, size_t node) {
    return code_operand(&making->code, making->language, node, CODE_LOOSE, making->arena);
}

static const char *attention_call(Making *making, const Attention *attention) {
    const char *mask = attention->mask == TAPE_NONE
                           ? ""
                           : arena_format(making->arena, ", attn_mask=%s",
                                          operand(making, attention->mask));
    return arena_format(making->arena, "F.scaled_dot_product_attention(%s, %s, %s%s)%s",
                        operand(making, attention->query),
                        operand(making, attention->key),
                        operand(making, attention->value), mask,
                        attention->masks_a_row ? ".nan_to_num()" : "");
}

/* ---- several heads ---- */

/* x W + b, or x W with TAPE_NONE for b. */
typedef struct Linear {
    size_t x, w, b;
} Linear;

static bool find_linear(const Making *making, size_t node, Linear *linear) {
    linear->b = TAPE_NONE;
    if (is_plain(making, node, OPERATION_ADD)) {
        linear->b = node_of(making, node)->inputs[1];
        node = node_of(making, node)->inputs[0];
    }
    if (!is_plain(making, node, OPERATION_MATMUL))
        return false;
    linear->x = node_of(making, node)->inputs[0];
    linear->w = node_of(making, node)->inputs[1];
    return true;
}

/* Finds the tensor that a head's columns are sliced from; false if they are other
 * columns. */
static bool is_head_slice(const Making *making, size_t node, size_t head, size_t heads,
                          size_t *whole) {
    if (!is_plain(making, node, OPERATION_SLICE))
        return false;
    const TapeNode *at = node_of(making, node);
    size_t input = at->inputs[0], width = at->output.cols;
    const Tensor *tensor = &node_of(making, input)->output;
    bool fits = tensor->cols == width * heads && tensor->rows == at->output.rows &&
                at->options.col_begin == head * width;
    fits = fits && (head == 0 || *whole == input);
    *whole = input;
    return fits;
}

typedef struct Heads {
    size_t count, mask;
    Linear query, key, value, output;
} Heads;

static bool find_weights(const Making *making, const TapeNode *joined, Heads *heads) {
    size_t wholes[3] = {0};
    for (size_t i = 0; i < heads->count; i++) {
        Attention one;
        if (!find_attention(making, joined->inputs[i], &one) || one.masks_a_row ||
            !is_head_slice(making, one.query, i, heads->count, &wholes[0]) ||
            !is_head_slice(making, one.key, i, heads->count, &wholes[1]) ||
            !is_head_slice(making, one.value, i, heads->count, &wholes[2]) ||
            (i > 0 && heads->mask != one.mask))
            return false;
        heads->mask = one.mask;
    }
    return find_linear(making, wholes[0], &heads->query) &&
           find_linear(making, wholes[1], &heads->key) &&
           find_linear(making, wholes[2], &heads->value);
}

/* Reports whether a node is multi-head attention as in PyTorch's single call: square
 * matrices, with all biases or none. */
static bool find_heads(const Making *making, size_t node, Heads *heads) {
    if (!find_linear(making, node, &heads->output) ||
        !is_plain(making, heads->output.x, OPERATION_CONCAT))
        return false;
    const TapeNode *joined = node_of(making, heads->output.x);
    heads->count = joined->input_count;
    if (!find_weights(making, joined, heads))
        return false;
    size_t size = node_of(making, heads->query.x)->output.cols;
    const Linear *const all[] = {&heads->query, &heads->key, &heads->value,
                                 &heads->output};
    for (size_t i = 0; i < 4; i++) {
        const Tensor *w = &node_of(making, all[i]->w)->output;
        if (w->rows != size || w->cols != size ||
            (all[i]->b == TAPE_NONE) != (heads->output.b == TAPE_NONE))
            return false;
    }
    return heads->key.x == heads->value.x;
}

static const char *mask_argument(Making *making, const Heads *heads) {
    if (heads->mask == TAPE_NONE)
        return "";
    const char *mask = code_operand(&making->code, making->language, heads->mask,
                                    OPERATION_BINDS_WHOLE, making->arena);
    size_t rows = node_of(making, heads->query.x)->output.rows;
    bool spread = node_of(making, heads->mask)->output.rows != rows;
    return arena_format(making->arena,
                        spread ? ", attn_mask=%s.expand(%zu, -1)" : ", attn_mask=%s",
                        mask, rows);
}

static const char *heads_call(Making *making, const Heads *heads) {
    bool biased = heads->output.b != TAPE_NONE;
    const char *bias = "None", *out_bias = "None";
    if (biased) {
        bias =
            arena_format(making->arena, "torch.cat([%s, %s, %s], dim=1).flatten()",
                         operand(making, heads->query.b), operand(making, heads->key.b),
                         operand(making, heads->value.b));
        out_bias =
            arena_format(making->arena, "%s.flatten()", operand(making, heads->output.b));
    }
    return arena_format(
        making->arena,
        "F.multi_head_attention_forward(%s, %s, %s, %zu, %zu, "
        "torch.cat([%s, %s, %s], dim=1).T, %s, None, None, False, 0.0, "
        "%s.T, %s, need_weights=False%s)[0]",
        operand(making, heads->query.x), operand(making, heads->key.x),
        operand(making, heads->value.x), node_of(making, heads->query.x)->output.cols,
        heads->count, operand(making, heads->query.w), operand(making, heads->key.w),
        operand(making, heads->value.w), bias, operand(making, heads->output.w), out_bias,
        mask_argument(making, heads));
}

/* ---- the step's operations ---- */

static bool has_operation(const Making *making, size_t step) {
    return making->player->steps[step].child_count == 0 &&
           player_has_cells(making->player, step);
}

/* Counts uses of nodes. Inputs of a gradient are always written. */
static void count_uses(Making *making) {
    for (size_t i = 0; i < making->count; i++) {
        if (!making->is_leaf[i])
            continue;
        const TapeNode *at = node_of(making, making->first + i);
        for (size_t j = 0; j < at->input_count; j++) {
            size_t input = code_through(&making->code, at->inputs[j]);
            if (is_here(making, input))
                making->uses[input - making->first] +=
                    at->operation == OPERATION_BACKWARD ? 2 : 1;
        }
    }
}

static void *alloc(Making *making, size_t size) {
    return arena_alloc(making->arena, making->count + 1, size);
}

static void begin(Making *making) {
    const PlayerStep *steps = making->player->steps;
    size_t last = 0;
    making->first = (size_t)-1;
    for (size_t i = making->step; i < steps[making->step].next; i++) {
        if (!has_operation(making, i))
            continue;
        making->first = steps[i].node < making->first ? steps[i].node : making->first;
        last = steps[i].node > last ? steps[i].node : last;
    }
    making->count = making->first <= last ? last - making->first + 1 : 0;
    making->is_leaf = alloc(making, sizeof *making->is_leaf);
    making->is_covered = alloc(making, sizeof *making->is_covered);
    making->uses = alloc(making, sizeof *making->uses);
    for (size_t i = making->step; i < steps[making->step].next; i++) {
        if (has_operation(making, i))
            making->is_leaf[steps[i].node - making->first] = true;
    }
    count_uses(making);
}

/* Marks the nodes within a composite as not written, except its result. False, changing
 * nothing, if another operation of the step uses one of them. */
static bool cover(Making *making, size_t composite, size_t result) {
    const PlayerStep *steps = making->player->steps;
    bool *within = alloc(making, sizeof *within);
    for (size_t i = composite; i < steps[composite].next; i++) {
        if (has_operation(making, i) && steps[i].node != result)
            within[steps[i].node - making->first] = true;
    }
    for (size_t i = 0; i < making->count; i++) {
        size_t node = making->first + i;
        if (!making->is_leaf[i] || within[i] || node == result)
            continue;
        const TapeNode *at = node_of(making, node);
        for (size_t j = 0; j < at->input_count; j++) {
            size_t input = code_through(&making->code, at->inputs[j]);
            if (is_here(making, input) && within[input - making->first])
                return false;
        }
    }
    for (size_t i = 0; i < making->count; i++)
        making->is_covered[i] |= within[i];
    return true;
}

/* Returns the smallest composite that ends with a node; PLAYER_NONE if there is none. */
static size_t composite_of(const Making *making, size_t node) {
    const PlayerStep *steps = making->player->steps;
    size_t found = PLAYER_NONE;
    for (size_t i = making->step; i < steps[making->step].next; i++) {
        if (steps[i].child_count && steps[i].node == node)
            found = i;
    }
    return found;
}

typedef enum Call { CALL_NONE, CALL_ATTENTION, CALL_HEADS } Call;

/* Finds the composites written as one call: calls[i] is node first + i's. */
static void find_calls(Making *making, Call *calls) {
    Heads heads;
    Attention attention;
    for (size_t i = 0; i < making->count; i++) {
        size_t node = making->first + i, composite = composite_of(making, node);
        if (composite != PLAYER_NONE && find_heads(making, node, &heads) &&
            cover(making, composite, node))
            calls[i] = CALL_HEADS;
    }
    for (size_t i = 0; i < making->count; i++) {
        if (making->is_covered[i] || calls[i] != CALL_NONE ||
            !find_attention(making, making->first + i, &attention))
            continue;
        calls[i] = CALL_ATTENTION;
        for (size_t j = 0; j < attention.inner_count; j++)
            making->is_covered[attention.inner[j] - making->first] = true;
    }
}

/* Writes the value of a node; calls are written late, when their inputs are known to be
 * inlined or not. */
static const char *value_of(Making *making, size_t node, Call call) {
    Heads heads;
    Attention attention;
    if (call == CALL_HEADS && find_heads(making, node, &heads))
        return heads_call(making, &heads);
    if (call == CALL_ATTENTION && find_attention(making, node, &attention))
        return attention_call(making, &attention);
    return code_value(&making->code, making->language, node, making->arena);
}

/* Writes the lines; nodes used once are inlined as long as the line stays readable. */
static void write_lines(Making *making, const Call *calls, CodePart *parts,
                        const char **lines, size_t *count) {
    size_t result = making->player->steps[making->step].node;
    for (size_t i = 0; i < making->count; i++) {
        size_t node = making->first + i;
        if (!making->is_leaf[i] || making->is_covered[i])
            continue;
        const TapeNode *at = node_of(making, node);
        const char *value = value_of(making, node, calls[i]);
        if (making->uses[i] == 1 && node != result && !at->edited &&
            strlen(value) <= LONGEST_PART) {
            int strength = calls[i] != CALL_NONE ? OPERATION_BINDS_WHOLE
                                                 : code_strength(&making->code, node);
            parts[node] = (CodePart){value, strength};
            continue;
        }
        lines[(*count)++] =
            at->edited
                ? code_line(&making->code, making->language, node, making->arena)
                : arena_format(making->arena, "%s = %s", making->code.names[node], value);
    }
}

/* ---- */

/* Writes print(A, O), or the step's main tensor. */
static const char *print_line(const Code *code, const LessonStep *statement, size_t node,
                              Arena *arena) {
    const char *text = statement->shown_count ? "" : code->names[node];
    for (size_t i = 0; i < statement->shown_count; i++)
        text = arena_format(arena, "%s%s%s", text, i ? ", " : "",
                            code->names[statement->shown[i]]);
    return arena_format(arena, "print(%s)", text);
}

static CodeStep one_line(const char *line, Arena *arena) {
    const char **items = arena_alloc(arena, 1, sizeof *items);
    items[0] = line;
    return (CodeStep){1, items};
}

CodeStep code_step(const Code *code, CodeLanguage language, const Player *player,
                   size_t step, Arena *arena) {
    const PlayerStep *at = &player->steps[step];
    const LessonStep *statement = &player->lesson->steps[at->statement];
    if (!at->child_count && statement->shown_count)
        return one_line(print_line(code, statement, at->node, arena), arena);
    if (!at->child_count)
        return one_line(code_line(code, language, at->node, arena), arena);
    CodePart *parts = arena_alloc(arena, tape_count(code->tape), sizeof *parts);
    Making making = {.code = *code,
                     .language = language,
                     .player = player,
                     .step = step,
                     .arena = arena};
    making.code.parts = parts;
    begin(&making);
    Call *calls = alloc(&making, sizeof *calls);
    const char **written = alloc(&making, sizeof *written);
    size_t count = 0;
    if (language == CODE_TORCH)
        find_calls(&making, calls);
    write_lines(&making, calls, parts, written, &count);
    if (!count) /* a training: prints the tensor that it shows */
        return one_line(print_line(code, statement, at->node, arena), arena);
    return (CodeStep){count, written};
}
