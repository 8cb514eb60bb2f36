#ifndef KUVA_PIXELS_SIMD_H
#define KUVA_PIXELS_SIMD_H
#include "kuva_pixels.h"

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
#endif

#endif
