/* A digest of bytes: FNV-1a, 64 bits. Not cryptographic. Source: Fowler, Noll and Vo. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xCBF29CE484222325)

/* Returns the digest of the bytes hashed so far (`hash`; HASH_START for none) and `count`
 * more. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count);
