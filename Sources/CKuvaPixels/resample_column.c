#include "simd.h"

// The rows under the filter, two at a time. The second row of a last single one has the weight 0.
struct rows {
    const int16_t *ring;
    size_t slot_length, slots, first;
    const int16_t *weights;
    size_t taps;
};

static inline const int16_t *row_at(const struct rows *rows, size_t tap) {
    size_t slot = rows->first + tap;
    if (slot >= rows->slots) slot -= rows->slots;
    return rows->ring + slot * rows->slot_length;
}

static int column_scalar(uint8_t *out, size_t begin, size_t count, const struct rows *rows, int shift) {
    unsigned all = 255;
    for (size_t i = begin; i < count; i++) {
        int32_t sums[4] = {0};
        for (size_t t = 0; t < rows->taps; t++) {
            const int16_t *pixel = row_at(rows, t) + 4 * i;
            for (int c = 0; c < 4; c++) sums[c] += pixel[c] * rows->weights[t];
        }
        for (int c = 3; c >= 0; c--) {
            int32_t value = (sums[c] + (1 << (shift - 1))) >> shift;
            int32_t limit = c == 3 ? 255 : out[4 * i + 3];
            out[4 * i + c] = (uint8_t)(value < 0 ? 0 : value > limit ? limit : value);
        }
        all &= out[4 * i + 3];
    }
    return all == 255;
}

#if KUVA_X86

static inline int32_t weight_pair(const struct rows *rows, size_t tap) {
    uint16_t first = (uint16_t)rows->weights[tap];
    uint16_t second = tap + 1 < rows->taps ? (uint16_t)rows->weights[tap + 1] : 0;
    return (int32_t)((uint32_t)second << 16 | first);
}

static inline const int16_t *second_row_at(const struct rows *rows, size_t tap) {
    return row_at(rows, tap + 1 < rows->taps ? tap + 1 : tap);
}

static int column_sse2(uint8_t *out, size_t count, const struct rows *rows, int shift) {
    const __m128i half = _mm_set1_epi32(1 << (shift - 1)), places = _mm_cvtsi32_si128(shift);
    __m128i all = _mm_set1_epi8(-1);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i sums[4] = {half, half, half, half};
        for (size_t t = 0; t < rows->taps; t += 2) {
            const __m128i *a = (const __m128i *)(row_at(rows, t) + 4 * i);
            const __m128i *b = (const __m128i *)(second_row_at(rows, t) + 4 * i);
            __m128i weights = _mm_set1_epi32(weight_pair(rows, t));
            for (int k = 0; k < 2; k++) {
                __m128i upper = _mm_loadu_si128(a + k), lower = _mm_loadu_si128(b + k);
                __m128i low = _mm_unpacklo_epi16(upper, lower), high = _mm_unpackhi_epi16(upper, lower);
                sums[2 * k] = _mm_add_epi32(sums[2 * k], _mm_madd_epi16(low, weights));
                sums[2 * k + 1] = _mm_add_epi32(sums[2 * k + 1], _mm_madd_epi16(high, weights));
            }
        }
        for (int k = 0; k < 4; k++) sums[k] = _mm_sra_epi32(sums[k], places);
        __m128i pixels = _mm_packus_epi16(_mm_packs_epi32(sums[0], sums[1]), _mm_packs_epi32(sums[2], sums[3]));
        all = _mm_and_si128(all, pixels);
        _mm_storeu_si128((__m128i *)(out + 4 * i), kuva_clamped(pixels));
    }
    return column_scalar(out, i, count, rows, shift) & kuva_is_opaque(all);
}

KUVA_AVX2 static int column_avx2(uint8_t *out, size_t count, const struct rows *rows, int shift) {
    const __m256i half = _mm256_set1_epi32(1 << (shift - 1));
    const __m128i places = _mm_cvtsi32_si128(shift);
    const __m256i alphas = _mm256_setr_epi8(3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15, 3, 3, 3, 3, 7, 7,
                                            7, 7, 11, 11, 11, 11, 15, 15, 15, 15);
    __m256i all = _mm256_set1_epi8(-1);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i sums[4] = {half, half, half, half};
        for (size_t t = 0; t < rows->taps; t += 2) {
            const __m256i *a = (const __m256i *)(row_at(rows, t) + 4 * i);
            const __m256i *b = (const __m256i *)(second_row_at(rows, t) + 4 * i);
            __m256i weights = _mm256_set1_epi32(weight_pair(rows, t));
            for (int k = 0; k < 2; k++) {
                __m256i upper = _mm256_loadu_si256(a + k), lower = _mm256_loadu_si256(b + k);
                __m256i low = _mm256_unpacklo_epi16(upper, lower), high = _mm256_unpackhi_epi16(upper, lower);
                sums[2 * k] = _mm256_add_epi32(sums[2 * k], _mm256_madd_epi16(low, weights));
                sums[2 * k + 1] = _mm256_add_epi32(sums[2 * k + 1], _mm256_madd_epi16(high, weights));
            }
        }
        for (int k = 0; k < 4; k++) sums[k] = _mm256_sra_epi32(sums[k], places);
        __m256i pixels = _mm256_packus_epi16(_mm256_packs_epi32(sums[0], sums[1]),
                                             _mm256_packs_epi32(sums[2], sums[3]));
        pixels = _mm256_permute4x64_epi64(pixels, 0xD8);
        all = _mm256_and_si256(all, pixels);
        pixels = _mm256_min_epu8(pixels, _mm256_shuffle_epi8(pixels, alphas));
        _mm256_storeu_si256((__m256i *)(out + 4 * i), pixels);
    }
    int opaque = _mm256_testc_si256(all, _mm256_set1_epi32((int)0xFF000000));
    return column_scalar(out, i, count, rows, shift) & opaque;
}

#endif

int kuva_pixels_resample_column(int level, uint8_t *out, size_t count, const int16_t *ring, size_t slot_length,
                                size_t slots, size_t first, const int16_t *weights, size_t taps, int bits) {
    struct rows rows = {ring, slot_length, slots, first, weights, taps};
    int shift = bits + KUVA_PIXELS_FRACTION_BITS;
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) return column_avx2(out, count, &rows, shift);
    if (level >= KUVA_PIXELS_SSE2) return column_sse2(out, count, &rows, shift);
#endif
    (void)level;
    return column_scalar(out, 0, count, &rows, shift);
}
