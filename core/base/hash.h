/* A digest of bytes: FNV-1a, 64 bits. Not against people who mean harm.
 * Source: Fowler, Noll and Vo. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xCBF29CE484222325)

/* The digest of what `hash` is of, HASH_START for nothing, and `count` bytes more. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count);

#endif
