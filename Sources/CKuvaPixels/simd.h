#ifndef KUVA_PIXELS_SIMD_H
#define KUVA_PIXELS_SIMD_H
#include "kuva_pixels.h"

// A product of two numbers from 0 to 255, or a sum of such products up to 255 * 255, over 255, rounded.
static inline unsigned kuva_over_255(unsigned product) {
    product += 128;
    return (product + (product >> 8)) >> 8;
}

// What kuva_straight needs of an alpha that is not 0: 2^24 divided by it, rounded up. One division serves three colours.
static inline uint32_t kuva_reciprocal(unsigned alpha) { return ((1u << 24) + alpha - 1) / alpha; }

// The straight colour of a premultiplied one: colour * 255 / alpha, rounded to nearest, cut to 255. The dividend is below
// 2^16 and the reciprocal too large by less than alpha / 2^24, so that the quotient is exact.
static inline unsigned kuva_straight(unsigned colour, unsigned alpha, uint32_t reciprocal) {
    unsigned straight = (unsigned)((uint64_t)(colour * 255 + alpha / 2) * reciprocal >> 24);
    return straight < 255 ? straight : 255;
}

#if defined(__x86_64__)
#include <immintrin.h>
#define KUVA_X86 1
#define KUVA_AVX2 __attribute__((target("avx2")))

// Colour cut to alpha. SSE2 is part of x86-64, so that it needs no attribute.
static inline __m128i kuva_clamped(__m128i pixels) {
    __m128i alpha = _mm_srli_epi32(pixels, 24);
    alpha = _mm_or_si128(alpha, _mm_slli_epi32(alpha, 8));
    return _mm_min_epu8(pixels, _mm_or_si128(alpha, _mm_slli_epi32(alpha, 16)));
}

// Whether all four alpha bytes are 255.
static inline int kuva_is_opaque(__m128i pixels) {
    return (_mm_movemask_epi8(_mm_cmpeq_epi8(pixels, _mm_set1_epi8(-1))) & 0x8888) == 0x8888;
}

// Whether all eight alpha bytes are 255.
KUVA_AVX2 static inline int kuva_is_opaque_avx2(__m256i pixels) {
    return _mm256_testc_si256(pixels, _mm256_set1_epi32((int)0xFF000000));
}

// kuva_over_255 of sixteen numbers.
KUVA_AVX2 static inline __m256i kuva_over_255_avx2(__m256i products) {
    products = _mm256_add_epi16(products, _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(products, _mm256_srli_epi16(products, 8)), 8);
}
#endif

#endif
