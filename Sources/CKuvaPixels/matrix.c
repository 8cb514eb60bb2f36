#include "simd.h"

enum { HALF = 1 << (KUVA_PIXELS_MATRIX_BITS - 1) };

static int matrix_scalar(uint8_t *out, const uint8_t *in, size_t count, const int16_t *matrix,
                         const int32_t *offsets) {
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        uint8_t pixel[4] = {in[0], in[1], in[2], in[3]};
        int32_t limit = 255;
        for (int c = 3; c >= 0; c--) {
            int32_t sum = offsets[c] + HALF;
            for (int k = 0; k < 4; k++) sum += pixel[k] * matrix[4 * c + k];
            sum >>= KUVA_PIXELS_MATRIX_BITS;
            out[c] = (uint8_t)(sum < 0 ? 0 : sum > limit ? limit : sum);
            if (c == 3) limit = out[3];
        }
        all &= out[3];
    }
    return all == 255;
}

#if KUVA_X86

static inline int32_t pair(const int16_t *numbers) {
    return (int32_t)((uint32_t)(uint16_t)numbers[1] << 16 | (uint16_t)numbers[0]);
}

KUVA_AVX2 static int matrix_avx2(uint8_t *out, const uint8_t *in, size_t count, const int16_t *matrix,
                                 const int32_t *offsets) {
    const __m256i low = _mm256_set1_epi32(0xFF), second = _mm256_set1_epi32(0xFF0000), zero = _mm256_setzero_si256();
    __m256i red_green[4], blue_alpha[4], start[4], all = _mm256_set1_epi8(-1);
    for (int c = 0; c < 4; c++) {
        red_green[c] = _mm256_set1_epi32(pair(matrix + 4 * c));
        blue_alpha[c] = _mm256_set1_epi32(pair(matrix + 4 * c + 2));
        start[c] = _mm256_set1_epi32(offsets[c] + HALF);
    }
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(in + 4 * i)), upper = _mm256_srli_epi32(pixels, 16);
        __m256i rg = _mm256_or_si256(_mm256_and_si256(pixels, low),
                                     _mm256_and_si256(_mm256_slli_epi32(pixels, 8), second));
        __m256i ba = _mm256_or_si256(_mm256_and_si256(upper, low),
                                     _mm256_and_si256(_mm256_slli_epi32(upper, 8), second));
        __m256i limit = low, result = zero;
        for (int c = 3; c >= 0; c--) {
            __m256i sum = _mm256_add_epi32(_mm256_madd_epi16(rg, red_green[c]), _mm256_madd_epi16(ba, blue_alpha[c]));
            sum = _mm256_srai_epi32(_mm256_add_epi32(sum, start[c]), KUVA_PIXELS_MATRIX_BITS);
            sum = _mm256_max_epi32(_mm256_min_epi32(sum, limit), zero);
            if (c == 3) limit = sum;
            result = _mm256_or_si256(_mm256_slli_epi32(result, 8), sum);
        }
        all = _mm256_and_si256(all, result);
        _mm256_storeu_si256((__m256i *)(out + 4 * i), result);
    }
    return matrix_scalar(out + 4 * i, in + 4 * i, count - i, matrix, offsets) & kuva_is_opaque_avx2(all);
}

#endif

int kuva_pixels_matrix(int level, uint8_t *out, const uint8_t *in, size_t count, const int16_t matrix[16],
                       const int32_t offsets[4]) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) return matrix_avx2(out, in, count, matrix, offsets);
#endif
    (void)level;
    return matrix_scalar(out, in, count, matrix, offsets);
}
