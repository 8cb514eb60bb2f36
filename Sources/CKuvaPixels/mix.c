#include "simd.h"

static int mix_scalar(uint8_t *out, const uint8_t *in, size_t count, const uint8_t *in_weights,
                      const uint8_t *colour, const uint8_t *colour_weights) {
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        unsigned first = in_weights[i], second = colour_weights[i];
        for (int c = 0; c < 4; c++) out[c] = (uint8_t)kuva_over_255(in[c] * first + colour[c] * second);
        all &= out[3];
    }
    return all == 255;
}

static int over_scalar(uint8_t *out, const uint8_t *bottom, const uint8_t *top, size_t count, unsigned opacity) {
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, bottom += 4, top += 4, out += 4) {
        unsigned rest = 255 - kuva_over_255(top[3] * opacity);
        for (int c = 0; c < 4; c++) {
            out[c] = (uint8_t)(kuva_over_255(top[c] * opacity) + kuva_over_255(bottom[c] * rest));
        }
        all &= out[3];
    }
    return all == 255;
}

#if KUVA_X86

// Eight bytes, each four times, in the order of eight pixels.
KUVA_AVX2 static inline __m256i spread(const uint8_t *weights) {
    const __m256i places = _mm256_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6,
                                            6, 6, 6, 7, 7, 7, 7);
    __m128i eight = _mm_loadl_epi64((const __m128i *)weights);
    return _mm256_shuffle_epi8(_mm256_broadcastq_epi64(eight), places);
}

KUVA_AVX2 static int mix_avx2(uint8_t *out, const uint8_t *in, size_t count, const uint8_t *in_weights,
                              const uint8_t *colour, const uint8_t *colour_weights) {
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_set1_epi8(-1);
    const int32_t whole = (int32_t)((uint32_t)colour[3] << 24 | (uint32_t)colour[2] << 16 | (uint32_t)colour[1] << 8 |
                                    colour[0]);
    const __m256i wide_colour = _mm256_unpacklo_epi8(_mm256_set1_epi32(whole), zero);
    __m256i all = ones;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(in + 4 * i)), first = spread(in_weights + i);
        if (!_mm256_testc_si256(first, ones)) {
            __m256i second = spread(colour_weights + i);
            __m256i low = _mm256_mullo_epi16(_mm256_unpacklo_epi8(pixels, zero), _mm256_unpacklo_epi8(first, zero));
            __m256i high = _mm256_mullo_epi16(_mm256_unpackhi_epi8(pixels, zero), _mm256_unpackhi_epi8(first, zero));
            low = _mm256_add_epi16(low, _mm256_mullo_epi16(wide_colour, _mm256_unpacklo_epi8(second, zero)));
            high = _mm256_add_epi16(high, _mm256_mullo_epi16(wide_colour, _mm256_unpackhi_epi8(second, zero)));
            pixels = _mm256_packus_epi16(kuva_over_255_avx2(low), kuva_over_255_avx2(high));
        }
        all = _mm256_and_si256(all, pixels);
        _mm256_storeu_si256((__m256i *)(out + 4 * i), pixels);
    }
    return mix_scalar(out + 4 * i, in + 4 * i, count - i, in_weights + i, colour, colour_weights + i) &
           kuva_is_opaque_avx2(all);
}

// Four pixels in 16 bits; the alpha of each, subtracted from 255, in all four places.
KUVA_AVX2 static inline __m256i rest_of(__m256i wide) {
    __m256i alpha = _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(wide, 0xFF), 0xFF);
    return _mm256_sub_epi16(_mm256_set1_epi16(255), alpha);
}

KUVA_AVX2 static inline __m256i laid_over(__m256i bottom, __m256i top, __m256i opacity) {
    top = kuva_over_255_avx2(_mm256_mullo_epi16(top, opacity));
    return _mm256_add_epi16(top, kuva_over_255_avx2(_mm256_mullo_epi16(bottom, rest_of(top))));
}

KUVA_AVX2 static int over_avx2(uint8_t *out, const uint8_t *bottom, const uint8_t *top, size_t count,
                               unsigned opacity) {
    const __m256i zero = _mm256_setzero_si256(), factor = _mm256_set1_epi16((short)opacity);
    __m256i all = _mm256_set1_epi8(-1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i below = _mm256_loadu_si256((const __m256i *)(bottom + 4 * i));
        __m256i above = _mm256_loadu_si256((const __m256i *)(top + 4 * i));
        __m256i low = laid_over(_mm256_unpacklo_epi8(below, zero), _mm256_unpacklo_epi8(above, zero), factor);
        __m256i high = laid_over(_mm256_unpackhi_epi8(below, zero), _mm256_unpackhi_epi8(above, zero), factor);
        __m256i pixels = _mm256_packus_epi16(low, high);
        all = _mm256_and_si256(all, pixels);
        _mm256_storeu_si256((__m256i *)(out + 4 * i), pixels);
    }
    return over_scalar(out + 4 * i, bottom + 4 * i, top + 4 * i, count - i, opacity) & kuva_is_opaque_avx2(all);
}

#endif

int kuva_pixels_mix(int level, uint8_t *out, const uint8_t *in, size_t count, const uint8_t *in_weights,
                    const uint8_t colour[4], const uint8_t *colour_weights) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) return mix_avx2(out, in, count, in_weights, colour, colour_weights);
#endif
    (void)level;
    return mix_scalar(out, in, count, in_weights, colour, colour_weights);
}

int kuva_pixels_over(int level, uint8_t *out, const uint8_t *bottom, const uint8_t *top, size_t count,
                     unsigned opacity) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) return over_avx2(out, bottom, top, count, opacity);
#endif
    (void)level;
    return over_scalar(out, bottom, top, count, opacity);
}
