#ifndef KUVA_XXHASH_H
#define KUVA_XXHASH_H
#include <stddef.h>
#include <stdint.h>

/// XXH3, 64 bits, of `length` bytes; `bytes` may be NULL if `length` is 0.
uint64_t kuva_xxhash_64(const void *bytes, size_t length, uint64_t seed);

/// XXH3, 128 bits, of `length` bytes; `bytes` may be NULL if `length` is 0.
void kuva_xxhash_128(const void *bytes, size_t length, uint64_t *high, uint64_t *low);

#endif
