#include "picture/composites/areas_products.h"

#include "tensor/operations/operation.h"
#include "tensor/tape/tape.h"

#include <math.h>

enum { TILES_MOST = 600 };
static const double ROUNDING = 1e-9;

/* ---- a sum of products ---- */

static bool is_constant(const Products *products, size_t node) {
    const TapeNode *at = stage_node(products->stage, node);
    return at->quiet && at->operation == OPERATION_GIVEN &&
           tensor_cells(&at->output) == 1;
}

static bool is_given(const Products *products, size_t node) {
    return stage_node(products->stage, node)->operation == OPERATION_GIVEN;
}

/* Reports whether a node is a factor as a whole: a given size, or a number from another
 * step. */
static bool is_whole(const Products *products, size_t node) {
    const TapeNode *at = stage_node(products->stage, node);
    return node != products->stage->node && at->name[0] && at->output.rows == 1 &&
           (at->output.cols == products->sum->cols || at->output.cols == 1);
}

static bool times_factor(Product *term, size_t node) {
    if (term->factor_count == FACTORS_MOST)
        return false;
    term->factors[term->factor_count++] = node;
    return true;
}

static bool times_constant(const Products *products, Product *term, size_t node) {
    double value = stage_tensor(products->stage, node)->values[0];
    bool whole = value >= 1 && !(fabs(value - floor(value)) > 0);
    *(whole ? &term->count : &term->scale) *= value;
    return value > 0;
}

/* Multiplies a term by a node; returns false if the node is more than a product. */
static bool times(const Products *products, Product *term, size_t node) {
    const TapeNode *at = stage_node(products->stage, node);
    if (is_constant(products, node))
        return times_constant(products, term, node);
    if (is_whole(products, node))
        return times_factor(term, node);
    return at->operation == OPERATION_MULTIPLY && !at->muted &&
           times(products, term, at->inputs[0]) && times(products, term, at->inputs[1]);
}

static bool push(Products *products, Product term) {
    if (products->count == PRODUCTS_MOST || term.factor_count == 0)
        return false;
    products->all[products->count++] = term;
    return true;
}

static bool add_terms(Products *products, size_t node, Product outer);

/* Adds the products of a node's operation, multiplied by `outer`. */
static bool add_made(Products *products, size_t node, Product outer) {
    const TapeNode *at = stage_node(products->stage, node);
    if (at->muted)
        return false;
    if (at->operation == OPERATION_ADD)
        return add_terms(products, at->inputs[0], outer) &&
               add_terms(products, at->inputs[1], outer);
    if (at->operation == OPERATION_DIVIDE && is_constant(products, at->inputs[1])) {
        outer.scale /= stage_tensor(products->stage, at->inputs[1])->values[0];
        return add_terms(products, at->inputs[0], outer);
    }
    for (int i = 0; at->operation == OPERATION_MULTIPLY && i < 2; i++) {
        Product product = outer;
        if (times(products, &product, at->inputs[i]))
            return add_terms(products, at->inputs[1 - i], product);
    }
    return false;
}

static bool add_terms(Products *products, size_t node, Product outer) {
    if (is_constant(products, node))
        return times_constant(products, &outer, node) && push(products, outer);
    if (!is_whole(products, node))
        return add_made(products, node, outer);
    bool alone = !outer.factor_count && outer.count <= 1 && outer.owner == TAPE_NONE;
    if (alone && !is_given(products, node)) {
        outer.owner = node;
        return add_made(products, node, outer);
    }
    return times_factor(&outer, node) && push(products, outer);
}

/* ---- rectangles ---- */

static double value_of(const Products *products, size_t node, size_t col) {
    const Tensor *tensor = stage_tensor(products->stage, node);
    return tensor->values[tensor->cols == 1 ? 0 : col];
}

static bool is_count(double value) {
    return value >= 1 && value <= TILES_MOST && !(fabs(value - round(value)) > 0);
}

/* An intermediate count from another step has no sides and becomes squares. Returns their
 * number, 0 if there are none; sets the area of one. */
static double squares_of(const Products *products, const Product *product, size_t col,
                         double *area) {
    double count = 0, others = product->count;
    *area = product->scale;
    for (size_t i = 0; i < product->factor_count; i++) {
        double value = value_of(products, product->factors[i], col);
        bool made = !is_given(products, product->factors[i]) && !(count > 0);
        *(made ? area : &others) *= value;
        count = made ? 1 : count;
    }
    return count * others;
}

bool products_tiles(const Products *products, const Product *product, size_t col,
                    Tiles *tiles) {
    double area, count = squares_of(products, product, col, &area);
    *tiles = (Tiles){.w = sqrt(area), .h = sqrt(area)};
    if (!(count > 0)) {
        bool two = product->factor_count == 2;
        double side = two ? sqrt(product->scale) : 1;
        count = product->count;
        tiles->w = value_of(products, product->factors[two], col) * side;
        tiles->h =
            two ? value_of(products, product->factors[0], col) * side : product->scale;
        tiles->ruled = is_count(tiles->w) && is_count(tiles->h);
    }
    tiles->count = is_count(count) ? (size_t)count : 0;
    return tiles->count > 0 && tiles->w > 0 && isfinite(tiles->w) && tiles->h > 0;
}

/* Reports whether the products' sum is the step's result. */
static bool are_right(const Products *products) {
    bool large = false;
    for (size_t col = 0; col < products->sum->cols; col++) {
        double sum = products->sum->values[col], all = 0;
        for (size_t i = 0; i < products->count; i++) {
            Tiles tiles;
            if (!products_tiles(products, &products->all[i], col, &tiles))
                return false;
            all += (double)tiles.count * tiles.w * tiles.h;
            large |= products->all[i].factor_count > 1 || products->count > 1;
        }
        if (!(fabs(all - sum) <= fabs(sum) * ROUNDING))
            return false;
    }
    return large;
}

bool products_find(Products *products) {
    const Stage *stage = products->stage;
    products->sum = stage_tensor(stage, stage->node);
    return products->sum->rows == 1 &&
           add_made(products, stage->node,
                    (Product){.count = 1, .scale = 1, .owner = TAPE_NONE}) &&
           are_right(products);
}
