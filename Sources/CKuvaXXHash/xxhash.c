#include "kuva_xxhash.h"

#include <xxhash.h>
// Debian's library is built for the oldest processors, and has faster code for newer ones besides: four times as fast
// with AVX2, with the same results.
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h>
#endif

uint64_t kuva_xxhash_64(const void *bytes, size_t length, uint64_t seed) {
    return XXH3_64bits_withSeed(length ? bytes : "", length, seed);
}

void kuva_xxhash_128(const void *bytes, size_t length, uint64_t *high, uint64_t *low) {
    XXH128_hash_t hash = XXH3_128bits(length ? bytes : "", length);
    *high = hash.high64;
    *low = hash.low64;
}
