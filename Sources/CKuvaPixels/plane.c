#include "simd.h"

#include <string.h>

enum { MAXIMUM = 255 << KUVA_PIXELS_FRACTION_BITS };

static inline int16_t rounded(int32_t sum, int shift) {
    int32_t value = (sum + (1 << (shift - 1))) >> shift;
    return (int16_t)(value < 0 ? 0 : value > MAXIMUM ? MAXIMUM : value);
}

static void column_scalar(int16_t *out, const uint8_t *in, ptrdiff_t stride, size_t count, const int16_t *weights,
                          size_t taps, int shift) {
    for (size_t i = 0; i < count; i++) {
        int32_t sum = 0;
        for (size_t t = 0; t < taps; t++) sum += in[(ptrdiff_t)t * stride + (ptrdiff_t)i] * weights[t];
        out[i] = rounded(sum, shift);
    }
}

static void row_scalar(int16_t *out, size_t begin, size_t count, const int16_t *in, const int32_t *starts,
                       const int16_t *weights, size_t taps, int shift) {
    for (size_t i = begin; i < count; i++) {
        const int16_t *samples = in + starts[i];
        int32_t sum = 0;
        for (size_t t = 0; t < taps; t++) sum += samples[t] * weights[i * taps + t];
        out[i] = rounded(sum, shift);
    }
}

static void halve_scalar(uint8_t *out, const uint8_t *upper, const uint8_t *lower, size_t count) {
    for (size_t i = 0; i < count; i += 2) {
        size_t next = i + 1 < count ? i + 1 : i;
        out[i / 2] = (uint8_t)((upper[i] + upper[next] + lower[i] + lower[next] + 2) >> 2);
    }
}

// A sample with 8 fraction bits times a factor with 14, down to 6: what libwebp calls MultHi.
static inline int32_t times(int16_t sample, uint32_t factor) {
    return (int32_t)(((uint32_t)sample << 2) * factor >> 16);
}

static inline uint8_t cut(int32_t value) {
    value >>= 6;
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

enum {
    LUMA = 19077,
    RED_V = 26149,
    RED_OFFSET = 14234,
    GREEN_U = 6419,
    GREEN_V = 13320,
    GREEN_OFFSET = 8708,
    BLUE_U = 33050,
    BLUE_OFFSET = 17685
};

static void rgba_scalar(uint8_t *out, const int16_t *y, const int16_t *u, const int16_t *v, size_t count) {
    for (size_t i = 0; i < count; i++, out += 4) {
        int32_t luma = times(y[i], LUMA);
        out[0] = cut(luma + times(v[i], RED_V) - RED_OFFSET);
        out[1] = cut(luma - times(u[i], GREEN_U) - times(v[i], GREEN_V) + GREEN_OFFSET);
        out[2] = cut(luma + times(u[i], BLUE_U) - BLUE_OFFSET);
        out[3] = 255;
    }
}

#if KUVA_X86

// The weights of two rows.
static inline int32_t weight_pair(const int16_t *weights) {
    int32_t pair;
    memcpy(&pair, weights, sizeof pair);
    return pair;
}

// Those of a last single row; the second is taken to be the same one, with the weight 0.
static inline int32_t last_weight(const int16_t *weights) { return (uint16_t)*weights; }

static inline void add_rows_sse2(__m128i sums[4], const uint8_t *first, const uint8_t *second, int32_t weights) {
    const __m128i zero = _mm_setzero_si128(), pair = _mm_set1_epi32(weights);
    __m128i upper = _mm_loadu_si128((const __m128i *)first), lower = _mm_loadu_si128((const __m128i *)second);
    __m128i low = _mm_unpacklo_epi8(upper, lower), high = _mm_unpackhi_epi8(upper, lower);
    sums[0] = _mm_add_epi32(sums[0], _mm_madd_epi16(_mm_unpacklo_epi8(low, zero), pair));
    sums[1] = _mm_add_epi32(sums[1], _mm_madd_epi16(_mm_unpackhi_epi8(low, zero), pair));
    sums[2] = _mm_add_epi32(sums[2], _mm_madd_epi16(_mm_unpacklo_epi8(high, zero), pair));
    sums[3] = _mm_add_epi32(sums[3], _mm_madd_epi16(_mm_unpackhi_epi8(high, zero), pair));
}

static void column_sse2(int16_t *out, const uint8_t *in, ptrdiff_t stride, size_t count, const int16_t *weights,
                        size_t taps, int shift) {
    const __m128i half = _mm_set1_epi32(1 << (shift - 1)), places = _mm_cvtsi32_si128(shift);
    const __m128i zero = _mm_setzero_si128(), maximum = _mm_set1_epi16(MAXIMUM);
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m128i sums[4] = {half, half, half, half};
        const uint8_t *row = in + i;
        size_t t = 0;
        for (; t + 2 <= taps; t += 2, row += 2 * stride) add_rows_sse2(sums, row, row + stride, weight_pair(weights + t));
        if (t < taps) add_rows_sse2(sums, row, row, last_weight(weights + t));
        for (int k = 0; k < 2; k++) {
            __m128i value = _mm_packs_epi32(_mm_sra_epi32(sums[2 * k], places), _mm_sra_epi32(sums[2 * k + 1], places));
            value = _mm_max_epi16(_mm_min_epi16(value, maximum), zero);
            _mm_storeu_si128((__m128i *)(out + i + 8 * k), value);
        }
    }
    column_scalar(out + i, in + i, stride, count - i, weights, taps, shift);
}

KUVA_AVX2 static inline void add_rows_avx2(__m256i sums[4], const uint8_t *first, const uint8_t *second,
                                            int32_t weights) {
    const __m256i zero = _mm256_setzero_si256(), pair = _mm256_set1_epi32(weights);
    __m256i upper = _mm256_loadu_si256((const __m256i *)first), lower = _mm256_loadu_si256((const __m256i *)second);
    __m256i low = _mm256_unpacklo_epi8(upper, lower), high = _mm256_unpackhi_epi8(upper, lower);
    sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), pair));
    sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), pair));
    sums[2] = _mm256_add_epi32(sums[2], _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), pair));
    sums[3] = _mm256_add_epi32(sums[3], _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), pair));
}

KUVA_AVX2 static void column_avx2(int16_t *out, const uint8_t *in, ptrdiff_t stride, size_t count,
                                  const int16_t *weights, size_t taps, int shift) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1)), zero = _mm256_setzero_si256();
    const __m256i maximum = _mm256_set1_epi16(MAXIMUM);
    const __m128i places = _mm_cvtsi32_si128(shift);
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i sums[4] = {half, half, half, half};
        const uint8_t *row = in + i;
        size_t t = 0;
        for (; t + 2 <= taps; t += 2, row += 2 * stride) add_rows_avx2(sums, row, row + stride, weight_pair(weights + t));
        if (t < taps) add_rows_avx2(sums, row, row, last_weight(weights + t));
        for (int k = 0; k < 4; k++) sums[k] = _mm256_sra_epi32(sums[k], places);
        __m256i low = _mm256_packs_epi32(sums[0], sums[1]), high = _mm256_packs_epi32(sums[2], sums[3]);
        low = _mm256_max_epi16(_mm256_min_epi16(low, maximum), zero);
        high = _mm256_max_epi16(_mm256_min_epi16(high, maximum), zero);
        _mm256_storeu_si256((__m256i *)(out + i), _mm256_permute2x128_si256(low, high, 0x20));
        _mm256_storeu_si256((__m256i *)(out + i + 16), _mm256_permute2x128_si256(low, high, 0x31));
    }
    column_sse2(out + i, in + i, stride, count - i, weights, taps, shift);
}

static inline __m128i pairs_sse2(const uint8_t *row) {
    __m128i samples = _mm_loadu_si128((const __m128i *)row);
    return _mm_add_epi16(_mm_and_si128(samples, _mm_set1_epi16(255)), _mm_srli_epi16(samples, 8));
}

static void halve_sse2(uint8_t *out, const uint8_t *upper, const uint8_t *lower, size_t count) {
    const __m128i two = _mm_set1_epi16(2);
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m128i first = _mm_add_epi16(pairs_sse2(upper + i), pairs_sse2(lower + i));
        __m128i second = _mm_add_epi16(pairs_sse2(upper + i + 16), pairs_sse2(lower + i + 16));
        first = _mm_srli_epi16(_mm_add_epi16(first, two), 2);
        second = _mm_srli_epi16(_mm_add_epi16(second, two), 2);
        _mm_storeu_si128((__m128i *)(out + i / 2), _mm_packus_epi16(first, second));
    }
    halve_scalar(out + i / 2, upper + i, lower + i, count - i);
}

KUVA_AVX2 static inline __m256i fours_avx2(const uint8_t *upper, const uint8_t *lower) {
    const __m256i ones = _mm256_set1_epi8(1);
    __m256i first = _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)upper), ones);
    __m256i second = _mm256_maddubs_epi16(_mm256_loadu_si256((const __m256i *)lower), ones);
    return _mm256_srli_epi16(_mm256_add_epi16(_mm256_add_epi16(first, second), _mm256_set1_epi16(2)), 2);
}

KUVA_AVX2 static void halve_avx2(uint8_t *out, const uint8_t *upper, const uint8_t *lower, size_t count) {
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        __m256i means = _mm256_packus_epi16(fours_avx2(upper + i, lower + i), fours_avx2(upper + i + 32, lower + i + 32));
        _mm256_storeu_si256((__m256i *)(out + i / 2), _mm256_permute4x64_epi64(means, 0xD8));
    }
    halve_sse2(out + i / 2, upper + i, lower + i, count - i);
}

// Four numbers, each the sum of one of the four vectors.
static inline __m128i totals(const __m128i sums[4]) {
    __m128i first = _mm_add_epi32(_mm_unpacklo_epi32(sums[0], sums[1]), _mm_unpackhi_epi32(sums[0], sums[1]));
    __m128i second = _mm_add_epi32(_mm_unpacklo_epi32(sums[2], sums[3]), _mm_unpackhi_epi32(sums[2], sums[3]));
    return _mm_add_epi32(_mm_unpacklo_epi64(first, second), _mm_unpackhi_epi64(first, second));
}

static inline void store_rounded(int16_t *out, __m128i sums, int shift) {
    __m128i value = _mm_sra_epi32(_mm_add_epi32(sums, _mm_set1_epi32(1 << (shift - 1))), _mm_cvtsi32_si128(shift));
    value = _mm_packs_epi32(value, value);
    value = _mm_max_epi16(_mm_min_epi16(value, _mm_set1_epi16(MAXIMUM)), _mm_setzero_si128());
    _mm_storel_epi64((__m128i *)out, value);
}

static void row_sse2(int16_t *out, size_t count, const int16_t *in, const int32_t *starts, const int16_t *weights,
                     size_t taps, int shift) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i sums[4];
        for (size_t k = 0; k < 4; k++) {
            const int16_t *samples = in + starts[i + k], *factors = weights + (i + k) * taps;
            sums[k] = _mm_setzero_si128();
            for (size_t t = 0; t < taps; t += 8) {
                __m128i eight = _mm_loadu_si128((const __m128i *)(samples + t));
                __m128i product = _mm_madd_epi16(eight, _mm_loadu_si128((const __m128i *)(factors + t)));
                sums[k] = _mm_add_epi32(sums[k], product);
            }
        }
        store_rounded(out + i, totals(sums), shift);
    }
    row_scalar(out, i, count, in, starts, weights, taps, shift);
}

KUVA_AVX2 static void row_avx2(int16_t *out, size_t count, const int16_t *in, const int32_t *starts,
                               const int16_t *weights, size_t taps, int shift) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i sums[4];
        for (size_t k = 0; k < 4; k++) {
            const int16_t *samples = in + starts[i + k], *factors = weights + (i + k) * taps;
            __m256i sum = _mm256_setzero_si256();
            for (size_t t = 0; t < taps; t += 16) {
                __m256i sixteen = _mm256_loadu_si256((const __m256i *)(samples + t));
                __m256i product = _mm256_madd_epi16(sixteen, _mm256_loadu_si256((const __m256i *)(factors + t)));
                sum = _mm256_add_epi32(sum, product);
            }
            sums[k] = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
        }
        store_rounded(out + i, totals(sums), shift);
    }
    row_scalar(out, i, count, in, starts, weights, taps, shift);
}

static inline __m128i times_sse2(__m128i samples, int factor) {
    return _mm_mulhi_epu16(samples, _mm_set1_epi16((int16_t)factor));
}

static void rgba_sse2(uint8_t *out, const int16_t *y, const int16_t *u, const int16_t *v, size_t count) {
    const __m128i opaque = _mm_set1_epi16(255);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i luma = times_sse2(_mm_slli_epi16(_mm_loadu_si128((const __m128i *)(y + i)), 2), LUMA);
        __m128i us = _mm_slli_epi16(_mm_loadu_si128((const __m128i *)(u + i)), 2);
        __m128i vs = _mm_slli_epi16(_mm_loadu_si128((const __m128i *)(v + i)), 2);
        __m128i red = _mm_add_epi16(_mm_sub_epi16(luma, _mm_set1_epi16(RED_OFFSET)), times_sse2(vs, RED_V));
        __m128i shade = _mm_add_epi16(times_sse2(us, GREEN_U), times_sse2(vs, GREEN_V));
        __m128i green = _mm_sub_epi16(_mm_add_epi16(luma, _mm_set1_epi16(GREEN_OFFSET)), shade);
        // Past 15 bits, but never below 0 or past 16 when saturated.
        __m128i blue = _mm_subs_epu16(_mm_adds_epu16(luma, times_sse2(us, BLUE_U)), _mm_set1_epi16(BLUE_OFFSET));
        __m128i red_blue = _mm_packus_epi16(_mm_srai_epi16(red, 6), _mm_srli_epi16(blue, 6));
        __m128i green_alpha = _mm_packus_epi16(_mm_srai_epi16(green, 6), opaque);
        __m128i red_green = _mm_unpacklo_epi8(red_blue, green_alpha);
        __m128i blue_alpha = _mm_unpackhi_epi8(red_blue, green_alpha);
        _mm_storeu_si128((__m128i *)(out + 4 * i), _mm_unpacklo_epi16(red_green, blue_alpha));
        _mm_storeu_si128((__m128i *)(out + 4 * i + 16), _mm_unpackhi_epi16(red_green, blue_alpha));
    }
    rgba_scalar(out + 4 * i, y + i, u + i, v + i, count - i);
}

#endif

void kuva_pixels_plane_column(int level, int16_t *out, const uint8_t *in, ptrdiff_t stride, size_t count,
                              const int16_t *weights, size_t taps, int bits) {
    int shift = bits - KUVA_PIXELS_FRACTION_BITS;
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) {
        column_avx2(out, in, stride, count, weights, taps, shift);
        return;
    }
    if (level >= KUVA_PIXELS_SSE2) {
        column_sse2(out, in, stride, count, weights, taps, shift);
        return;
    }
#endif
    (void)level;
    column_scalar(out, in, stride, count, weights, taps, shift);
}

void kuva_pixels_plane_row(int level, int16_t *out, size_t count, const int16_t *in, const int32_t *starts,
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
    row_scalar(out, 0, count, in, starts, weights, taps, bits);
}

void kuva_pixels_plane_halve(int level, uint8_t *out, const uint8_t *upper, const uint8_t *lower, size_t count) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) {
        halve_avx2(out, upper, lower, count);
        return;
    }
    if (level >= KUVA_PIXELS_SSE2) {
        halve_sse2(out, upper, lower, count);
        return;
    }
#endif
    (void)level;
    halve_scalar(out, upper, lower, count);
}

void kuva_pixels_plane_narrow(uint8_t *out, const int16_t *in, size_t count) {
    const int half = 1 << (KUVA_PIXELS_FRACTION_BITS - 1);
    for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((in[i] + half) >> KUVA_PIXELS_FRACTION_BITS);
}

void kuva_pixels_yuv_to_rgba(int level, uint8_t *out, const int16_t *y, const int16_t *u, const int16_t *v,
                             size_t count) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_SSE2) {
        rgba_sse2(out, y, u, v, count);
        return;
    }
#endif
    (void)level;
    rgba_scalar(out, y, u, v, count);
}
