#include "simd.h"

enum { MAXIMUM = 255 << KUVA_PIXELS_FRACTION_BITS };

static void widen_scalar(int16_t *out, const uint8_t *in, size_t count) {
    for (size_t i = 0; i < ((count + 3) & ~(size_t)3); i++) {
        int16_t *pixel = out + (i / 2) * 8 + i % 2;
        for (size_t c = 0; c < 4; c++) pixel[2 * c] = i < count ? in[4 * i + c] : 0;
    }
}

static void row_scalar(int16_t *out, size_t count, const int16_t *in, const int32_t *starts, const int16_t *weights,
                       size_t taps, int bits) {
    int shift = bits - KUVA_PIXELS_FRACTION_BITS;
    for (size_t i = 0; i < count; i++, weights += taps, out += 4) {
        const int16_t *pixels = in + 4 * (size_t)starts[i];
        int32_t sums[4] = {0};
        for (size_t t = 0; t < taps; t += 2, pixels += 8) {
            for (int c = 0; c < 4; c++) {
                sums[c] += pixels[2 * c] * weights[t] + pixels[2 * c + 1] * weights[t + 1];
            }
        }
        for (int c = 0; c < 4; c++) {
            int32_t value = (sums[c] + (1 << (shift - 1))) >> shift;
            out[c] = (int16_t)(value < 0 ? 0 : value > MAXIMUM ? MAXIMUM : value);
        }
    }
}

#if KUVA_X86

static void widen_sse2(int16_t *out, const uint8_t *in, size_t count) {
    const __m128i zero = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(in + 4 * i));
        __m128i next = _mm_srli_si128(pixels, 4);
        _mm_storeu_si128((__m128i *)(out + 4 * i), _mm_unpacklo_epi8(_mm_unpacklo_epi8(pixels, next), zero));
        _mm_storeu_si128((__m128i *)(out + 4 * i + 8), _mm_unpacklo_epi8(_mm_unpackhi_epi8(pixels, next), zero));
    }
    widen_scalar(out + 4 * i, in + 4 * i, count - i);
}

static inline void store_rounded(int16_t *out, __m128i sums, int shift) {
    __m128i value = _mm_sra_epi32(_mm_add_epi32(sums, _mm_set1_epi32(1 << (shift - 1))), _mm_cvtsi32_si128(shift));
    value = _mm_packs_epi32(value, value);
    value = _mm_max_epi16(_mm_min_epi16(value, _mm_set1_epi16(MAXIMUM)), _mm_setzero_si128());
    _mm_storel_epi64((__m128i *)out, value);
}

static void row_sse2(int16_t *out, size_t count, const int16_t *in, const int32_t *starts, const int16_t *weights,
                     size_t taps, int bits) {
    for (size_t i = 0; i < count; i++, weights += taps, out += 4) {
        const int16_t *pixels = in + 4 * (size_t)starts[i];
        __m128i even = _mm_setzero_si128(), odd = even;
        for (size_t t = 0; t < taps; t += 4, pixels += 16) {
            __m128i four = _mm_loadl_epi64((const __m128i *)(weights + t));
            even = _mm_add_epi32(even, _mm_madd_epi16(_mm_loadu_si128((const __m128i *)pixels),
                                                      _mm_shuffle_epi32(four, 0x00)));
            odd = _mm_add_epi32(odd, _mm_madd_epi16(_mm_loadu_si128((const __m128i *)(pixels + 8)),
                                                    _mm_shuffle_epi32(four, 0x55)));
        }
        store_rounded(out, _mm_add_epi32(even, odd), bits - KUVA_PIXELS_FRACTION_BITS);
    }
}

KUVA_AVX2 static void widen_avx2(int16_t *out, const uint8_t *in, size_t count) {
    const __m256i places = _mm256_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1, 8, -1, 12, -1, 9,
                                            -1, 13, -1, 10, -1, 14, -1, 11, -1, 15, -1);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m256i pixels = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(in + 4 * i)));
        _mm256_storeu_si256((__m256i *)(out + 4 * i), _mm256_shuffle_epi8(pixels, places));
    }
    widen_scalar(out + 4 * i, in + 4 * i, count - i);
}

// The weights of four taps: the first two in the low lane, the others in the high lane, each pair four times.
KUVA_AVX2 static inline __m256i spread_weights(const int16_t *weights) {
    const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 6, 7, 4,
                                            5, 6, 7, 4, 5, 6, 7);
    __m256i four = _mm256_broadcastq_epi64(_mm_loadl_epi64((const __m128i *)weights));
    return _mm256_shuffle_epi8(four, places);
}

KUVA_AVX2 static void row_avx2(int16_t *out, size_t count, const int16_t *in, const int32_t *starts,
                               const int16_t *weights, size_t taps, int bits) {
    for (size_t i = 0; i < count; i++, weights += taps, out += 4) {
        const int16_t *pixels = in + 4 * (size_t)starts[i];
        __m256i even = _mm256_setzero_si256(), odd = even;
        size_t t = 0;
        for (; t + 8 <= taps; t += 8, pixels += 32) {
            even = _mm256_add_epi32(even, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)pixels),
                                                            spread_weights(weights + t)));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(pixels + 16)),
                                                          spread_weights(weights + t + 4)));
        }
        if (t < taps) {
            even = _mm256_add_epi32(even, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)pixels),
                                                            spread_weights(weights + t)));
        }
        even = _mm256_add_epi32(even, odd);
        __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(even), _mm256_extracti128_si256(even, 1));
        store_rounded(out, sums, bits - KUVA_PIXELS_FRACTION_BITS);
    }
}

#endif

void kuva_pixels_widen(int level, int16_t *out, const uint8_t *in, size_t count) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) {
        widen_avx2(out, in, count);
        return;
    }
    if (level >= KUVA_PIXELS_SSE2) {
        widen_sse2(out, in, count);
        return;
    }
#endif
    (void)level;
    widen_scalar(out, in, count);
}

void kuva_pixels_resample_row(int level, int16_t *out, size_t count, const int16_t *in, const int32_t *starts,
                              const int16_t *weights, size_t taps, int bits) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) {
        row_avx2(out, count, in, starts, weights, taps, bits);
        return;
    }
    if (level >= KUVA_PIXELS_SSE2) {
        row_sse2(out, count, in, starts, weights, taps, bits);
        return;
    }
#endif
    (void)level;
    row_scalar(out, count, in, starts, weights, taps, bits);
}
