/* Pseudorandom numbers that are the same on every machine.
 *
 * A seed gives one sequence, whatever the platform. The caller owns the Random; there is
 * no shared state. Not cryptographic. Source: Blackman and Vigna 2018, xoshiro256**,
 * seeded by splitmix64 (Steele et al. 2014); Marsaglia and Bray 1964, the polar
 * method. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Upper bound of operations per number drawn (see base/arena.h). */
enum { RANDOM_COST = 100 };

typedef struct Random {
    uint64_t state[4];
    double spare; /* second normal number of a pair */
    bool has_spare;
} Random;

/* Seeds the generator. Must be called before any other function. */
void random_init(Random *random, uint64_t seed);

/* 64 random bits. */
uint64_t random_next(Random *random);

/* Uniform in [0, 1), with 53 random bits. */
double random_uniform(Random *random);

/* Uniform in [0, count), without bias; count must not be 0. */
size_t random_below(Random *random, size_t count);

/* Standard normal, a multiple of 2^-32. */
double random_normal(Random *random);
