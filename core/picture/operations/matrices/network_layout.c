#include "picture/operations/matrices/network_picture.h"

#include "picture/draw/canvas.h"
#include "picture/tensors/views.h"

#include <math.h>

/* Lengths in units. */
static const double HEADING = 36, TALLEST = 48, SHORTEST = 7, UNIT_GAP = 14;
static const double LARGE_HINGE = 220, TALL_HINGE = 62; /* if nothing else is there */
static const double GATED_HINGE = 56;                   /* with much else beside it */
static const double JOIN = 170; /* from gates and signals to their products */
static const double DIGITS = 17.5, WORDS_WIDE = 130, SIDE = 330;
enum { DECIMALS_MOST = 2 };

static const Tensor *tensor_of(const NetworkLayout *picture, size_t node) {
    return stage_tensor(picture->stage, node);
}

/* Returns the node of a column; TAPE_NONE: there is none. */
static size_t node_of(const Network *network, NetworkPart part) {
    const size_t nodes[] = {network->x,  network->z,     network->a,
                            network->up, network->gated, network->y};
    return nodes[part];
}

static void place_column(NetworkLayout *picture, NetworkPart part, Box area, double x) {
    size_t node = node_of(picture->network, part);
    NetworkColumn *column = &picture->columns[part];
    *column = (NetworkColumn){.node = node, .x = round(x), .w = NETWORK_CELL};
    if (node == TAPE_NONE)
        return;
    double most = fmax(floor(area.h / SHORTEST), 1);
    column->count = tensor_of(picture, node)->cols;
    column->across = (size_t)ceil((double)column->count / most);
    double lines = ceil((double)column->count / (double)column->across);
    bool alone = picture->network->x == TAPE_NONE && picture->network->y == TAPE_NONE;
    column->pitch = fmin(area.h / lines, alone ? TALL_HINGE : TALLEST);
    column->top = area.y + (area.h - column->pitch * lines) / 2;
}

static void place(NetworkLayout *picture) {
    const Network *network = picture->network;
    double cell = NETWORK_CELL;
    bool bends = network->z != TAPE_NONE && network->a != TAPE_NONE &&
                 (network->x != TAPE_NONE || network->y == TAPE_NONE);
    bool alone = network->x == TAPE_NONE, gated = network->gated != TAPE_NONE;
    double hinge = alone ? LARGE_HINGE : gated ? GATED_HINGE : NETWORK_HINGE;
    hinge = bends ? hinge + 2 * UNIT_GAP : 0;
    double units = bends ? 2 * cell + hinge : cell,
           room = picture->area.w - picture->words,
           strip = picture->others.h > 0 ? NETWORK_OTHER_STRIP : 2 * UNIT_GAP,
           product = gated ? cell : 0, free = room - strip - 2 * cell - units - product,
           join = gated ? fmin(JOIN, free / 3) : 0, hidden = units + join + product;
    double middle = room / 2;
    double side = fmin(SIDE, (room - hidden - strip) / 2 - cell);
    if (network->x == TAPE_NONE || network->y == TAPE_NONE)
        middle += (network->y == TAPE_NONE ? 0.5 : -0.5) * (side + cell) *
                  (network->x != network->y);
    double left = picture->area.x + picture->words + middle - hidden / 2;
    Box area = picture->area, upper = area;
    Box lower = gated ? box_take_bottom(&upper, (area.h - HEADING) / 2) : area;
    box_take_bottom(&upper, gated ? HEADING : 0);
    place_column(picture, NETWORK_IN, area, left - side - cell);
    place_column(picture, NETWORK_SUMS, upper, left);
    if (!bends && network->a != TAPE_NONE)
        picture->columns[NETWORK_SUMS].node = TAPE_NONE;
    place_column(picture, NETWORK_UNITS, upper, left + units - cell);
    place_column(picture, NETWORK_UP, lower, left);
    place_column(picture, NETWORK_GATED, area, left + hidden - cell);
    place_column(picture, NETWORK_OUT, area, left + hidden + side);
    picture->hinges =
        (Box){left + cell + UNIT_GAP, 0, bends ? hinge - 2 * UNIT_GAP : 0, 0};
}

/* Returns the row of the token whose numbers are drawn: the one pointed at, else the
 * focused one. */
static size_t chosen_row(const Stage *stage, const Network *network) {
    Link at = stage->canvas->pointed;
    for (NetworkPart i = 0; at.kind == LINK_CELL && i < NETWORK_COLUMNS; i++) {
        if (node_of(network, i) == at.index && stage->visible == (size_t)-1 &&
            at.row < stage_tensor(stage, stage->node)->rows)
            return at.row;
    }
    return view_row(stage);
}

static void measure(NetworkLayout *picture) {
    const Tensor *of_node = tensor_of(picture, picture->stage->node);
    picture->reach = 0;
    for (NetworkPart i = 0; i < NETWORK_COLUMNS; i++) {
        size_t node = node_of(picture->network, i);
        if (node == TAPE_NONE)
            continue;
        const Tensor *tensor = tensor_of(picture, node);
        int decimals = heatmap_decimals(tensor);
        picture->reach = fmax(picture->reach, heatmap_reach(tensor));
        picture->decimals = decimals > picture->decimals ? decimals : picture->decimals;
    }
    if (picture->decimals > DECIMALS_MOST || picture->reach >= 100)
        picture->decimals = picture->reach >= 100 ? 0 : DECIMALS_MOST;
    picture->digits = canvas_size(picture->stage->canvas, DIGITS, "");
    picture->words =
        fmin(heatmap_row_label_width(picture->stage->canvas, of_node), WORDS_WIDE);
    bool crowded =
        picture->stage->canvas->enlarged > 1 && picture->network->gated != TAPE_NONE;
    size_t others = crowded ? 0 : of_node->rows - 1;
    double rows = (double)(others < NETWORK_OTHERS_MOST ? others : NETWORK_OTHERS_MOST);
    Box area = picture->stage->area;
    box_take_bottom(&area, STAGE_LEGEND_HEIGHT);
    if (others)
        picture->others = box_take_bottom(&area, rows * NETWORK_OTHER_ROW);
    box_take_bottom(&area, others ? NETWORK_OTHERS_GAP : 0);
    box_take_top(&area, HEADING);
    picture->area = area;
}

NetworkLayout network_layout(const Stage *stage, const Network *network) {
    NetworkLayout picture = {.stage = stage, .network = network};
    picture.row = chosen_row(stage, network);
    measure(&picture);
    place(&picture);
    return picture;
}
