#include "model/generate/generate.h"

#include "base/arena.h"
#include "model/build/transformer.h"
#include "tensor/tape/tape.h"

/* Multiplications of a product for `rows` of its rows; 0 for other operations. */
static size_t product_cost(const Tape *tape, const TapeNode *node, size_t rows) {
    if (node->operation != OPERATION_MATMUL)
        return 0;
    return rows * tape_node(tape, node->inputs[0])->output.cols * node->output.cols;
}

size_t cost_whole(const Tape *tape, size_t first, size_t end) {
    size_t cost = 0;
    for (size_t i = first; i < end; i++) {
        const TapeNode *node = tape_node(tape, i);
        cost += product_cost(tape, node, node->output.rows);
    }
    return cost;
}

/* Number of new rows of a node: as many as the node it is computed from has, for a
 * product as many as its left factor. Nodes before `first` are parameters; `fresh` counts
 * from there. */
static size_t fresh_rows(const TapeNode *node, const size_t *fresh, size_t first) {
    size_t count = node->operation == OPERATION_MATMUL ? 1 : node->input_count, most = 0;
    for (size_t i = 0; i < count; i++) {
        size_t input = node->inputs[i];
        if (input >= first && fresh[input - first] > most)
            most = fresh[input - first];
    }
    return most < node->output.rows ? most : node->output.rows;
}

/* Number of new tokens of a text. Where earlier tokens see new ones, all are new. */
static size_t fresh_words(const Tape *tape, const Transformer *run,
                          const TransformerPart *part, size_t known) {
    size_t words = tape_node(tape, part->node)->output.cols;
    if (part->tower->side == TRANSFORMER_SOURCE)
        return known ? 0 : words;
    return transformer_is_causal(&run->shape, part->tower) ? words - known : words;
}

size_t cost_cached(const Tape *tape, const Transformer *run, size_t known, Arena *arena) {
    size_t first = run->parts[0].node, end = run->probabilities, logits = end, cost = 0;
    size_t *fresh = arena_alloc(arena, end - first, sizeof *fresh);
    for (size_t i = 0; i < run->part_count; i++) {
        const TransformerPart *part = &run->parts[i];
        if (part->kind == TRANSFORMER_LOGITS)
            logits = part->first;
        else if (part->kind == TRANSFORMER_IDS)
            fresh[part->node - first] = fresh_words(tape, run, part, known);
    }
    for (size_t i = first; i < end; i++) {
        const TapeNode *node = tape_node(tape, i);
        if (node->operation != OPERATION_GIVEN)
            fresh[i - first] = i < logits ? fresh_rows(node, fresh, first) : 1;
        cost += product_cost(tape, node, fresh[i - first]);
    }
    return cost;
}
