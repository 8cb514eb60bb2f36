#include "simd.h"

#include <string.h>

enum { FRACTION_BITS = 7, ONE = 1 << FRACTION_BITS, HALF = 1 << (2 * FRACTION_BITS - 1) };

static inline int fraction(int64_t position) { return (int)(position >> (32 - FRACTION_BITS)) & (ONE - 1); }

// A sample some, or all, of whose four pixels are outside.
static void sample_edge(uint8_t *out, const struct kuva_pixels_picture *picture, int64_t x, int64_t y) {
    int64_t column = x >> 32, row = y >> 32;
    if (column < -1 || column >= picture->width || row < -1 || row >= picture->height) {
        memset(out, 0, 4);
        return;
    }
    int right = fraction(x), low = fraction(y), sums[4] = {HALF, HALF, HALF, HALF};
    for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
            if (column + i < 0 || column + i >= picture->width || row + j < 0 || row + j >= picture->height) continue;
            const uint8_t *pixel = picture->pixels + (row + j) * picture->stride + 4 * (column + i);
            int weight = (i ? right : ONE - right) * (j ? low : ONE - low);
            for (int c = 0; c < 4; c++) sums[c] += pixel[c] * weight;
        }
    }
    for (int c = 0; c < 4; c++) out[c] = (uint8_t)(sums[c] >> (2 * FRACTION_BITS));
}

// Whether all four pixels of a sample are inside.
static inline int is_inside(const struct kuva_pixels_picture *picture, int64_t x, int64_t y) {
    return x >= 0 && y >= 0 && (x >> 32) + 1 < picture->width && (y >> 32) + 1 < picture->height;
}

static void sample_scalar(uint8_t *out, size_t count, const struct kuva_pixels_picture *picture, int64_t x, int64_t y,
                          int64_t dx, int64_t dy) {
    for (size_t n = 0; n < count; n++, out += 4, x += dx, y += dy) sample_edge(out, picture, x, y);
}

#if KUVA_X86

static void sample_sse2(uint8_t *out, size_t count, const struct kuva_pixels_picture *picture, int64_t x, int64_t y,
                        int64_t dx, int64_t dy) {
    const __m128i zero = _mm_setzero_si128(), half = _mm_set1_epi32(HALF);
    for (size_t n = 0; n < count; n++, out += 4, x += dx, y += dy) {
        if (!is_inside(picture, x, y)) {
            sample_edge(out, picture, x, y);
            continue;
        }
        const uint8_t *pixels = picture->pixels + (y >> 32) * picture->stride + 4 * (x >> 32);
        int right = fraction(x), low = fraction(y);
        __m128i upper = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)pixels), zero);
        __m128i lower = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(pixels + picture->stride)), zero);
        __m128i column = _mm_add_epi16(_mm_mullo_epi16(upper, _mm_set1_epi16((short)(ONE - low))),
                                       _mm_mullo_epi16(lower, _mm_set1_epi16((short)low)));
        __m128i pairs = _mm_unpacklo_epi16(column, _mm_srli_si128(column, 8));
        __m128i sums = _mm_madd_epi16(pairs, _mm_set1_epi32(right << 16 | (ONE - right)));
        sums = _mm_srli_epi32(_mm_add_epi32(sums, half), 2 * FRACTION_BITS);
        sums = _mm_packs_epi32(sums, sums);
        int pixel = _mm_cvtsi128_si32(_mm_packus_epi16(sums, sums));
        memcpy(out, &pixel, 4);
    }
}

#endif

void kuva_pixels_sample(int level, uint8_t *out, size_t count, const struct kuva_pixels_picture *picture, int64_t x,
                        int64_t y, int64_t dx, int64_t dy) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_SSE2) {
        sample_sse2(out, count, picture, x, y, dx, dy);
        return;
    }
#endif
    (void)level;
    sample_scalar(out, count, picture, x, y, dx, dy);
}
