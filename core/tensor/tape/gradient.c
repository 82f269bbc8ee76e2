#include "tensor/tape/gradient.h"

#include "base/arena.h"
#include "base/error.h"
#include "tensor/operations/operation.h"
#include "tensor/tape/tape_parts.h"

#include <assert.h>
#include <string.h>

typedef enum GradientPath {
    GRADIENT_OFF,    /* not computed from a wanted node */
    GRADIENT_LEADS,  /* wanted or computed from one, but not an input of the root */
    GRADIENT_ON_PATH /* the root is computed from it by operations with derivatives */
} GradientPath;

/* Finds the nodes on the paths from given nodes to a root: fills paths[0 … root].
 * `wanted` NULL: all nodes are wanted. */
static void find_paths(const Tape *tape, size_t root, const size_t *wanted, size_t count,
                       GradientPath *paths) {
    for (size_t i = 0; i <= root; i++)
        paths[i] = wanted ? GRADIENT_OFF : GRADIENT_LEADS;
    for (size_t i = 0; wanted && i < count; i++) {
        if (wanted[i] <= root)
            paths[wanted[i]] = GRADIENT_LEADS;
    }
    for (size_t i = 0; i <= root; i++) {
        const TapeNode *node = tape_node(tape, i);
        for (size_t j = 0; j < node->input_count; j++) {
            if (operation_has_gradient(node->operation, j) &&
                paths[node->inputs[j]] == GRADIENT_LEADS)
                paths[i] = GRADIENT_LEADS;
        }
    }
    if (paths[root] == GRADIENT_LEADS)
        paths[root] = GRADIENT_ON_PATH;
    for (size_t i = root + 1; i > 0; i--) {
        const TapeNode *node = tape_node(tape, i - 1);
        for (size_t j = 0; paths[i - 1] == GRADIENT_ON_PATH && j < node->input_count;
             j++) {
            if (operation_has_gradient(node->operation, j) &&
                paths[node->inputs[j]] == GRADIENT_LEADS)
                paths[node->inputs[j]] = GRADIENT_ON_PATH;
        }
    }
}

/* ---- numbers beside the tape ---- */

/* One operation of the backward pass, with the arguments of its backward function. */
typedef struct Step {
    size_t number;
    const TapeNode *node;
    void (*backward)(const OperationCall *call, const Tensor *out, const double *gradient,
                     double *const *gradients);
    OperationCall call;
    const double *gradient;
    double *const *gradients;
} Step;

struct Gradients {
    const Tape *tape;
    size_t root;
    double **of;    /* gradient of each node up to the root, or NULL */
    double *values; /* all gradients, one after the other, the wanted ones first */
    size_t cells, wanted_cells;
    size_t step_count;
    Step *steps;     /* steps in the order of the pass: the root's first */
    double *scratch; /* two outputs, of the largest size */
};

/* Assigns a node the next gradient's memory, unless it has some already. */
static void assign_gradient(Gradients *g, size_t node, double **next) {
    if (g->of[node])
        return;
    g->of[node] = *next;
    *next += tensor_cells(&tape_node(g->tape, node)->output);
}

/* Lays out all gradients one after the other. */
static void plan_values(Gradients *g, const GradientPath *paths, const size_t *wanted,
                        size_t count, Arena *arena) {
    size_t largest = 0;
    for (size_t i = 0; i <= g->root; i++) {
        size_t cells = tensor_cells(&tape_node(g->tape, i)->output);
        g->cells += paths[i] == GRADIENT_ON_PATH ? cells : 0;
        largest = cells > largest ? cells : largest;
    }
    g->values = arena_alloc(arena, g->cells, sizeof *g->values);
    g->scratch = arena_alloc(arena, 2 * largest, sizeof *g->scratch);
    double *next = g->values;
    for (size_t i = 0; wanted && i < count; i++) {
        if (wanted[i] <= g->root && paths[wanted[i]] == GRADIENT_ON_PATH)
            assign_gradient(g, wanted[i], &next);
    }
    g->wanted_cells = (size_t)(next - g->values);
    for (size_t i = 0; i <= g->root; i++) {
        if (paths[i] == GRADIENT_ON_PATH)
            assign_gradient(g, i, &next);
    }
}

/* Plans a node's step; none if none of its inputs needs a gradient. */
static void plan_step(Gradients *g, size_t number, Arena *arena) {
    const TapeNode *node = tape_node(g->tape, number);
    bool wanted = false;
    for (size_t j = 0; j < node->input_count; j++)
        wanted |= operation_has_gradient(node->operation, j) && g->of[node->inputs[j]];
    if (!wanted)
        return;
    double **gradients = arena_alloc(arena, node->input_count, sizeof *gradients);
    for (size_t j = 0; j < node->input_count; j++)
        gradients[j] =
            operation_has_gradient(node->operation, j) ? g->of[node->inputs[j]] : NULL;
    g->steps[g->step_count++] =
        (Step){.number = number,
               .node = node,
               .backward = operation_of(node->operation)->backward,
               .call = tape_call(node),
               .gradient = g->of[number],
               .gradients = gradients};
}

Gradients *gradients_create(const Tape *tape, size_t root, const size_t *wanted,
                            size_t count, Arena *arena) {
    assert(root < tape_count(tape));
    Gradients *g = arena_alloc(arena, 1, sizeof *g);
    GradientPath *paths = arena_alloc(arena, root + 1, sizeof *paths);
    *g = (Gradients){.tape = tape, .root = root};
    g->of = arena_alloc(arena, root + 1, sizeof *g->of);
    g->steps = arena_alloc(arena, root + 1, sizeof *g->steps);
    find_paths(tape, root, wanted, count, paths);
    paths[root] = GRADIENT_ON_PATH; /* memory for the seed */
    plan_values(g, paths, wanted, count, arena);
    for (size_t i = root + 1; i > 0; i--) {
        if (g->of[i - 1])
            plan_step(g, i - 1, arena);
    }
    return g;
}

/* Propagates the root's gradient, which is set, to all others. */
static void run(Gradients *g) {
    for (size_t i = 0; i < g->step_count; i++) {
        const Step *step = &g->steps[i];
        if (step->node->muted || step->node->edited)
            tape_add_gradients(g->tape, step->number, &step->call, step->gradient,
                               step->gradients, g->scratch);
        else
            step->backward(&step->call, &step->node->output, step->gradient,
                           step->gradients);
    }
}

void gradients_of_cell(Gradients *g, size_t row, size_t col) {
    const Tensor *root = &tape_node(g->tape, g->root)->output;
    assert(row < root->rows && col < root->cols);
    gradients_clear(g);
    g->of[g->root][row * root->cols + col] = 1;
    run(g);
}

void gradients_clear(Gradients *g) {
    memset(g->values, 0, g->cells * sizeof *g->values);
}

void gradients_add(Gradients *g, const double *seed) {
    size_t cells = tensor_cells(&tape_node(g->tape, g->root)->output);
    memset(g->values + g->wanted_cells, 0,
           (g->cells - g->wanted_cells) * sizeof *g->values);
    for (size_t i = 0; i < cells; i++)
        g->of[g->root][i] = seed ? seed[i] : 1;
    run(g);
}

const double *gradients_get(const Gradients *g, size_t node) {
    return node <= g->root ? g->of[node] : NULL;
}

/* ---- nodes of the tape ---- */

enum { SCRATCH_MAX = 64 << 20 };

typedef struct Building {
    Tape *tape;
    Arena *scratch; /* freed from the tape's arena when done */
    size_t root, wanted;
    const char *name;
    GradientPath *paths; /* paths of nodes 0 … root */
    size_t *of;          /* gradient of each node, once it is on the tape */
    Error *error;
} Building;

/* A node's name in messages. */
static const char *message_name(const Tape *tape, size_t node) {
    const char *name = tape_node(tape, node)->name;
    return name[0] ? name : "the tensor";
}

/* Reports whether the root is computed from `wanted`, by whatever operations; stores
 * whether a gradient lies on a path between them. */
static bool depends(const Building *b, bool *through_gradient) {
    bool *from = arena_alloc(b->scratch, b->root + 1, sizeof *from);
    bool *to = arena_alloc(b->scratch, b->root + 1, sizeof *to);
    *through_gradient = false;
    from[b->wanted] = to[b->root] = true;
    for (size_t i = b->wanted; i <= b->root; i++) {
        const TapeNode *node = tape_node(b->tape, i);
        for (size_t j = 0; j < node->input_count; j++)
            from[i] |= from[node->inputs[j]];
    }
    for (size_t i = b->root; i > b->wanted; i--) {
        const TapeNode *node = tape_node(b->tape, i);
        for (size_t j = 0; to[i] && j < node->input_count; j++)
            to[node->inputs[j]] = true;
        *through_gradient |= to[i] && from[i] && node->operation == OPERATION_BACKWARD;
    }
    return from[b->root];
}

static bool check(const Building *b) {
    const char *root = message_name(b->tape, b->root),
               *wanted = message_name(b->tape, b->wanted);
    const Tensor *output = &tape_node(b->tape, b->root)->output;
    bool through_gradient, table = output->rows > 1 && output->cols > 1;
    if (tensor_cells(output) != 1)
        return error_set(
            b->error, ERROR_SHAPE, 0, 0,
            "%.80s is [%zu,%zu], but a gradient is taken of one number; make "
            "it [1,1] first, for example with mean(%s%.80s%s)",
            root, output->rows, output->cols, table ? "mean(" : "", root,
            table               ? ").T"
            : output->cols == 1 ? ".T"
                                : "");
    if (b->wanted >= b->root || !depends(b, &through_gradient))
        return error_set(b->error, ERROR_VALUE, 0, 0,
                         "%.80s does not depend on %.80s; the gradient must be with "
                         "respect to a tensor that %.80s was made from",
                         root, wanted, root);
    if (through_gradient)
        return error_set(b->error, ERROR_VALUE, 0, 0,
                         "%.80s depends on %.80s through a gradient, and second "
                         "derivatives are not taken; take the gradient of a tensor that "
                         "was made without one",
                         root, wanted);
    if (b->paths[b->wanted] != GRADIENT_ON_PATH)
        return error_set(
            b->error, ERROR_VALUE, 0, 0,
            "%.80s depends on %.80s only through IDs, a mask or the place of "
            "the largest, which have no derivative; the gradient must be "
            "with respect to numbers that are computed with",
            root, wanted);
    return true;
}

/* Appends the gradient of input number `input` through node `user`. */
static bool append_gradient_through(const Building *b, size_t user, size_t input,
                                    size_t *node) {
    const TapeNode *from = tape_node(b->tape, user);
    size_t inputs[BACKWARD_INPUTS_MAX + 2], count = from->input_count;
    OperationOptions options = from->options;
    if (count > BACKWARD_INPUTS_MAX)
        return error_set(b->error, ERROR_LIMIT, 0, 0,
                         "%.80s is made from %zu tensors; gradients go back through at "
                         "most %d at a time",
                         message_name(b->tape, user), count, (int)BACKWARD_INPUTS_MAX);
    memcpy(inputs, from->inputs, count * sizeof *inputs);
    inputs[count] = user;
    inputs[count + 1] = b->of[user];
    options.operation = from->operation;
    options.input = input;
    return tape_append(b->tape, OPERATION_BACKWARD, inputs, count + 2, options, "", node,
                       b->error);
}

/* Adds a further gradient to the sum so far. */
static bool add_gradient(const Building *b, size_t part, size_t *sum) {
    if (*sum == TAPE_NONE) {
        *sum = part;
        return true;
    }
    return tape_append(b->tape, OPERATION_ADD, (const size_t[]){*sum, part}, 2,
                       (OperationOptions){0}, "", sum, b->error);
}

/* Names a gradient "gradient.W", or as the caller asked. */
static void name_gradient(const Building *b, size_t of, size_t gradient) {
    const char *name = tape_node(b->tape, of)->name;
    bool own = of == b->wanted && b->name[0];
    const char *text =
        own ? b->name
            : arena_format(b->scratch, "gradient%s%s", name[0] ? "." : "", name);
    if (own || name[0] || of == b->wanted)
        tape_rename(b->tape, gradient, text);
}

/* Appends a node's gradient: the sum of the gradients through all its users. */
static bool append_gradient(const Building *b, size_t of) {
    size_t sum = TAPE_NONE, part;
    for (size_t user = b->root; user > of; user--) {
        const TapeNode *node = tape_node(b->tape, user);
        for (size_t j = 0; b->paths[user] == GRADIENT_ON_PATH && j < node->input_count;
             j++) {
            if (node->inputs[j] != of || !operation_has_gradient(node->operation, j))
                continue;
            if (!append_gradient_through(b, user, j, &part) ||
                !add_gradient(b, part, &sum))
                return false;
            node = tape_node(b->tape, user); /* refetched, since the tape has grown */
        }
    }
    b->of[of] = sum;
    tape_set_gradient(b->tape, sum, b->root, of);
    name_gradient(b, of, sum);
    return true;
}

/* Finds the gradients of this root that are on the tape already. */
static void find_gradients(const Building *b) {
    for (size_t i = 0; i <= b->root; i++)
        b->of[i] = TAPE_NONE;
    for (size_t i = b->root + 1; i < tape_count(b->tape); i++) {
        const TapeNode *node = tape_node(b->tape, i);
        if (node->gradient_root == b->root)
            b->of[node->gradient_of] = i;
    }
}

static bool append_all(const Building *b) {
    size_t *seed = &b->of[b->root];
    if (*seed == TAPE_NONE) {
        if (!tape_constant(b->tape, "1", 1, seed, b->error))
            return false;
        tape_set_quiet(b->tape, *seed);
        tape_set_gradient(b->tape, *seed, b->root, b->root);
    }
    for (size_t i = b->root; i > b->wanted; i--) {
        size_t of = i - 1;
        bool missing = b->of[of] == TAPE_NONE || of == b->wanted;
        if (b->paths[of] == GRADIENT_ON_PATH && missing && !append_gradient(b, of))
            return false;
    }
    return true;
}

bool gradient_append(Tape *tape, size_t root, size_t wanted, const char *name,
                     size_t *node, Error *error) {
    Building b = {.tape = tape, .root = root, .wanted = wanted, .name = name};
    b.error = error;
    b.scratch = arena_create_within(tape->arena, SCRATCH_MAX);
    b.paths = arena_alloc(b.scratch, root + 1, sizeof *b.paths);
    b.of = arena_alloc(b.scratch, root + 1, sizeof *b.of);
    find_paths(tape, root, &wanted, 1, b.paths);
    find_gradients(&b);
    bool done = check(&b);
    if (done) {
        tape_group_begin(tape, "gradient");
        done = append_all(&b);
        tape_group_end(tape);
    }
    if (done && node)
        *node = b.of[wanted];
    arena_destroy(b.scratch);
    return done;
}
