/* A number as a sum of products, each so many rectangles whose sides are what is
 * multiplied (areas_picture.h). */
#ifndef PICTURE_AREAS_PRODUCTS_H
#define PICTURE_AREAS_PRODUCTS_H

#include "picture/stage/stage.h"

enum { PRODUCTS_MOST = 12, FACTORS_MOST = 2 };

/* So many rectangles. */
typedef struct Product {
    double count, scale; /* whole numbers that it is times, and all others */
    size_t factor_count, factors[FACTORS_MOST]; /* nodes: height and width */
    size_t owner; /* the number made before that it is a part of; TAPE_NONE */
} Product;

typedef struct Products {
    const Stage *stage;
    const Tensor *sum; /* of one row */
    size_t count;
    Product all[PRODUCTS_MOST];
} Products;

/* The rectangles of a product in one column. */
typedef struct Tiles {
    size_t count;
    double w, h;
    bool ruled; /* sides of whole numbers: each square of 1 is one */
} Tiles;

/* Fills in what the stage's node is the sum of; false where it is no such sum, or its
 * areas are not what it says. */
bool products_find(Products *products);

/* False where it has none, or too many. */
bool products_tiles(const Products *products, const Product *product, size_t col,
                    Tiles *tiles);

#endif
