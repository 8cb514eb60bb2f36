#include "simd.h"

static int premultiply_scalar(uint8_t *out, const uint8_t *in, size_t count) {
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        unsigned alpha = in[3];
        all &= alpha;
        for (int c = 0; c < 3; c++) {
            unsigned product = in[c] * alpha + 128;
            out[c] = (uint8_t)((product + (product >> 8)) >> 8);
        }
        out[3] = (uint8_t)alpha;
    }
    return all == 255;
}

static int clamp_scalar(uint8_t *out, const uint8_t *in, size_t count) {
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        uint8_t alpha = in[3];
        all &= alpha;
        for (int c = 0; c < 3; c++) out[c] = in[c] < alpha ? in[c] : alpha;
        out[3] = alpha;
    }
    return all == 255;
}

#if KUVA_X86

// Two pixels as 16-bit numbers. Alpha is multiplied by 255, which rounds back to itself.
static inline __m128i multiplied_sse2(__m128i wide) {
    const __m128i alpha_place = _mm_set_epi16(-1, 0, 0, 0, -1, 0, 0, 0);
    __m128i alpha = _mm_shufflehi_epi16(_mm_shufflelo_epi16(wide, 0xFF), 0xFF);
    __m128i factor = _mm_or_si128(_mm_andnot_si128(alpha_place, alpha), _mm_srli_epi16(alpha_place, 8));
    __m128i product = _mm_add_epi16(_mm_mullo_epi16(wide, factor), _mm_set1_epi16(128));
    return _mm_srli_epi16(_mm_add_epi16(product, _mm_srli_epi16(product, 8)), 8);
}

static int premultiply_sse2(uint8_t *out, const uint8_t *in, size_t count) {
    const __m128i zero = _mm_setzero_si128(), colour = _mm_set1_epi32(0x00FFFFFF), ones = _mm_set1_epi8(-1);
    int opaque = 1;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(in + 4 * i));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_or_si128(pixels, colour), ones)) != 0xFFFF) {
            opaque = 0;
            pixels = _mm_packus_epi16(multiplied_sse2(_mm_unpacklo_epi8(pixels, zero)),
                                      multiplied_sse2(_mm_unpackhi_epi8(pixels, zero)));
        }
        _mm_storeu_si128((__m128i *)(out + 4 * i), pixels);
    }
    return premultiply_scalar(out + 4 * i, in + 4 * i, count - i) & opaque;
}

KUVA_AVX2 static inline __m256i multiplied_avx2(__m256i wide) {
    const __m256i alpha_place = _mm256_set1_epi64x((long long)0xFFFF000000000000ULL);
    __m256i alpha = _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(wide, 0xFF), 0xFF);
    __m256i factor = _mm256_blendv_epi8(alpha, _mm256_set1_epi16(255), alpha_place);
    __m256i product = _mm256_add_epi16(_mm256_mullo_epi16(wide, factor), _mm256_set1_epi16(128));
    return _mm256_srli_epi16(_mm256_add_epi16(product, _mm256_srli_epi16(product, 8)), 8);
}

KUVA_AVX2 static int premultiply_avx2(uint8_t *out, const uint8_t *in, size_t count) {
    const __m256i zero = _mm256_setzero_si256(), colour = _mm256_set1_epi32(0x00FFFFFF), ones = _mm256_set1_epi8(-1);
    int opaque = 1;
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i pixels = _mm256_loadu_si256((const __m256i *)(in + 4 * i));
        if (!_mm256_testc_si256(_mm256_or_si256(pixels, colour), ones)) {
            opaque = 0;
            pixels = _mm256_packus_epi16(multiplied_avx2(_mm256_unpacklo_epi8(pixels, zero)),
                                         multiplied_avx2(_mm256_unpackhi_epi8(pixels, zero)));
        }
        _mm256_storeu_si256((__m256i *)(out + 4 * i), pixels);
    }
    return premultiply_scalar(out + 4 * i, in + 4 * i, count - i) & opaque;
}

static int clamp_sse2(uint8_t *out, const uint8_t *in, size_t count) {
    __m128i all = _mm_set1_epi8(-1);
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i pixels = _mm_loadu_si128((const __m128i *)(in + 4 * i));
        all = _mm_and_si128(all, pixels);
        _mm_storeu_si128((__m128i *)(out + 4 * i), kuva_clamped(pixels));
    }
    return clamp_scalar(out + 4 * i, in + 4 * i, count - i) & kuva_is_opaque(all);
}

#endif

int kuva_pixels_premultiply(int level, uint8_t *out, const uint8_t *in, size_t count) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_AVX2) return premultiply_avx2(out, in, count);
    if (level >= KUVA_PIXELS_SSE2) return premultiply_sse2(out, in, count);
#endif
    (void)level;
    return premultiply_scalar(out, in, count);
}

int kuva_pixels_clamp(int level, uint8_t *out, const uint8_t *in, size_t count) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_SSE2) return clamp_sse2(out, in, count);
#endif
    (void)level;
    return clamp_scalar(out, in, count);
}
