#include "base/random.h"

#include "base/maths.h"

static uint64_t rotate_left(uint64_t x, int bits) {
    return x << bits | x >> (64 - bits);
}

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

void random_init(Random *random, uint64_t seed) {
    *random = (Random){0};
    for (size_t i = 0; i < 4; i++)
        random->state[i] = splitmix(&seed);
}

uint64_t random_next(Random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double random_uniform(Random *random) {
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

size_t random_below(Random *random, size_t count) {
    /* 2^64 mod bound: smaller numbers would be too frequent */
    uint64_t bound = count, skip = -bound % bound;
    uint64_t bits = random_next(random);
    while (bits < skip)
        bits = random_next(random);
    return (size_t)(bits % bound);
}

double random_normal(Random *random) {
    if (random->has_spare) {
        random->has_spare = false;
        return random->spare;
    }
    double u, v, square;
    do {
        u = 2 * random_uniform(random) - 1;
        v = 2 * random_uniform(random) - 1;
        square = u * u + v * v;
    } while (square >= 1 || square == 0);
    double stretch = sqrt(-2 * log(square) / square);
    /* The last bit of log differs between machines; rounding removes the difference. */
    random->spare = rint(v * stretch * 0x1p32) * 0x1p-32;
    random->has_spare = true;
    return rint(u * stretch * 0x1p32) * 0x1p-32;
}
