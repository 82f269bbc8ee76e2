#include "tensor/tape/gradient.h"

#include "base/arena.h"
#include "tensor/tape/gradient_paths.h"

#include <assert.h>
#include <string.h>

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

void gradient_paths(const Tape *tape, size_t root, const size_t *wanted, size_t count,
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
    gradient_paths(tape, root, wanted, count, paths);
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

void gradients_of_all(Gradients *g, const double *seed) {
    gradients_clear(g);
    gradients_add(g, seed);
}

const double *gradients_get(const Gradients *g, size_t node) {
    return node <= g->root ? g->of[node] : NULL;
}
