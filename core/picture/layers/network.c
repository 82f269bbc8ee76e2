#include "lesson/content/content.h"
#include "lesson/play/player.h"
#include "picture/layers/layers_parts.h"

static bool is_kind(const Stage *stage, size_t node, OperationKind kind) {
    return node != TAPE_NONE && stage_node(stage, node)->operation == kind;
}

static bool is_activation(const Stage *stage, size_t node) {
    return node != TAPE_NONE && operation_of(stage_node(stage, node)->operation)->bends;
}

/* Finds the input and the weights of x W + b or x W; returns false if the node is
 * neither. */
static bool read_linear(const Stage *stage, size_t node, size_t *x, size_t *w) {
    if (is_kind(stage, node, OPERATION_ADD)) {
        size_t bias = stage_node(stage, node)->inputs[1];
        node = stage_node(stage, node)->inputs[0];
        if (stage_tensor(stage, bias)->rows != 1 &&
            is_kind(stage, node, OPERATION_MATMUL))
            return false; /* no bias: another row for each token */
    }
    if (!is_kind(stage, node, OPERATION_MATMUL))
        return false;
    *x = stage_node(stage, node)->inputs[0];
    *w = stage_node(stage, node)->inputs[1];
    return true;
}

/* Activation whose direct input a node is; TAPE_NONE: there is none. */
static size_t activation_of(const Stage *stage, size_t node) {
    for (size_t i = node + 1; i < tape_count(stage->tape); i++) {
        if (is_activation(stage, i) && stage_node(stage, i)->inputs[0] == node)
            return i;
    }
    return TAPE_NONE;
}

/* Reports whether a node prepares a network's input: some rows of a table, or all of them
 * normalized. */
static bool prepares(const Stage *stage, size_t node) {
    return is_kind(stage, node, OPERATION_SLICE) ||
           is_kind(stage, node, OPERATION_RMS_NORM) ||
           is_kind(stage, node, OPERATION_LAYER_NORM);
}

/* Number of nodes of a linear map: a product, and the sum with its bias. */
static size_t linear_nodes(const Stage *stage, size_t end) {
    return 1 + (size_t)is_kind(stage, end, OPERATION_ADD);
}

/* Finds a gated network's product of activation and linear part. */
static bool read_gated(Network *network, const Stage *stage, size_t node) {
    if (!is_kind(stage, node, OPERATION_MULTIPLY) ||
        !is_activation(stage, stage_node(stage, node)->inputs[0]))
        return false;
    network->gated = node;
    network->a = stage_node(stage, node)->inputs[0];
    network->up = stage_node(stage, node)->inputs[1];
    return true;
}

/* Finds the network's last part, which ends with `last`; returns false if that is no part
 * of a network. */
static bool read_end(Network *network, const Stage *stage, size_t last) {
    size_t x, w;
    if (is_activation(stage, last)) {
        network->a = last;
    } else if (!read_linear(stage, last, &x, &w)) {
        return false;
    } else if (is_activation(stage, x) || read_gated(network, stage, x)) {
        if (network->gated == TAPE_NONE)
            network->a = x;
        network->w_2 = w;
        network->y = last;
    } else if (activation_of(stage, last) != TAPE_NONE) {
        network->z = last;
    }
    if (network->a != TAPE_NONE)
        network->z = stage_node(stage, network->a)->inputs[0];
    return network->z != TAPE_NONE;
}

/* Finds the linear part of a gated network, which has the gate's input; returns its
 * number of nodes, 0 if there is none. */
static size_t read_up(Network *network, const Stage *stage) {
    size_t x;
    return read_linear(stage, network->up, &x, &network->w_up) && x == network->x
               ? 1 + linear_nodes(stage, network->up)
               : 0;
}

bool network_find(Network *network, const Stage *stage, size_t step) {
    size_t first = lane_first_node(stage, step), last = stage->player->steps[step].node;
    /* Number of the step's nodes found so far; all must belong to the network. */
    size_t seen = 0;
    *network = NETWORK_NONE;
    if (!read_end(network, stage, last))
        return false;
    if (network->y != TAPE_NONE)
        seen += linear_nodes(stage, network->y);
    if (network->a != TAPE_NONE && network->a >= first)
        seen++;
    bool begins = network->a == TAPE_NONE || network->a >= first;
    if (begins && network->z >= first) {
        if (!read_linear(stage, network->z, &network->x, &network->w_1))
            return false;
        seen += linear_nodes(stage, network->z);
        if (network->gated != TAPE_NONE)
            seen += read_up(network, stage);
        seen += network->x >= first && prepares(stage, network->x);
    }
    return seen == last - first + 1;
}

bool shown_network(const Stage *stage) {
    Network network = NETWORK_NONE;
    return !stage->values && stage->step->shown_count == 1 &&
           read_end(&network, stage, stage->step->shown[0]) && network.y != TAPE_NONE &&
           network.gated == TAPE_NONE &&
           read_linear(stage, network.z, &network.x, &network.w_1) &&
           network_picture(stage, &network);
}

bool feed_forward_picture(const Stage *stage) {
    Network network;
    return !stage->values && network_find(&network, stage, stage->player->step) &&
           network_picture(stage, &network);
}
