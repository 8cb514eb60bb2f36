#include "simd.h"

static void over_scalar(uint8_t *out, const uint8_t *in, size_t count) {
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        unsigned rest = 255u - in[3];
        for (int c = 0; c < 4; c++) {
            unsigned product = out[c] * rest + 128;
            unsigned sum = in[c] + ((product + (product >> 8)) >> 8);
            out[c] = (uint8_t)(sum > 255 ? 255 : sum);
        }
    }
}

#if KUVA_X86

// What shows through of two pixels, as 16-bit numbers: each number times 255 less the alpha of the pixel above.
static inline __m128i shown_through(__m128i below, __m128i above) {
    __m128i alpha = _mm_shufflehi_epi16(_mm_shufflelo_epi16(above, 0xFF), 0xFF);
    __m128i rest = _mm_sub_epi16(_mm_set1_epi16(255), alpha);
    __m128i product = _mm_add_epi16(_mm_mullo_epi16(below, rest), _mm_set1_epi16(128));
    return _mm_srli_epi16(_mm_add_epi16(product, _mm_srli_epi16(product, 8)), 8);
}

static void over_sse2(uint8_t *out, const uint8_t *in, size_t count) {
    const __m128i zero = _mm_setzero_si128();
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        __m128i above = _mm_loadu_si128((const __m128i *)(in + 4 * i));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(above, zero)) == 0xFFFF) continue;
        if (!kuva_is_opaque(above)) {
            __m128i below = _mm_loadu_si128((const __m128i *)(out + 4 * i));
            __m128i low = shown_through(_mm_unpacklo_epi8(below, zero), _mm_unpacklo_epi8(above, zero));
            __m128i high = shown_through(_mm_unpackhi_epi8(below, zero), _mm_unpackhi_epi8(above, zero));
            above = _mm_adds_epu8(above, _mm_packus_epi16(low, high));
        }
        _mm_storeu_si128((__m128i *)(out + 4 * i), above);
    }
    over_scalar(out + 4 * i, in + 4 * i, count - i);
}

#endif

void kuva_pixels_draw_over(int level, uint8_t *out, const uint8_t *in, size_t count) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_SSE2) {
        over_sse2(out, in, count);
        return;
    }
#endif
    (void)level;
    over_scalar(out, in, count);
}
