/* A count as a sum of products, each a number of rectangles whose sides are its factors
 * (areas_picture.h). */
#pragma once

#include "picture/stage/stage.h"

enum { PRODUCTS_MOST = 12, FACTORS_MOST = 2 };

/* A number of equal rectangles. */
typedef struct Product {
    double count, scale; /* product of the whole coefficients; product of the others */
    size_t factor_count, factors[FACTORS_MOST]; /* nodes: height and width */
    size_t owner; /* node of the intermediate count that it is a part of; TAPE_NONE */
} Product;

typedef struct Products {
    const Stage *stage;
    const Tensor *sum; /* table of one row */
    size_t count;
    Product all[PRODUCTS_MOST];
} Products;

/* Rectangles of a product in one column. */
typedef struct Tiles {
    size_t count;
    double w, h;
    bool ruled; /* the sides are whole numbers, so squares of 1 can be drawn */
} Tiles;

/* Finds the products that the stage's node is the sum of; returns false if it is no such
 * sum, or the areas don't add up to it. */
bool products_find(Products *products);

/* Fills in a product's rectangles in a column; returns false if it has none, or too
 * many. */
bool products_tiles(const Products *products, const Product *product, size_t col,
                    Tiles *tiles);
