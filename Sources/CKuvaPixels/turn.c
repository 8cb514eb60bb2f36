#include "simd.h"

#include <string.h>

void kuva_pixels_reverse(uint8_t *out, const uint8_t *in, size_t count) {
    for (size_t i = 0; i < count; i++) memcpy(out + 4 * i, in + 4 * (count - 1 - i), 4);
}

static void transpose_scalar(uint8_t *out, ptrdiff_t out_stride, const uint8_t *in, ptrdiff_t in_stride,
                             size_t width, size_t height) {
    for (size_t x = 0; x < width; x++) {
        for (size_t y = 0; y < height; y++) {
            memcpy(out + (ptrdiff_t)x * out_stride + 4 * y, in + (ptrdiff_t)y * in_stride + 4 * x, 4);
        }
    }
}

#if KUVA_X86

static inline void transpose_4x4(uint8_t *out, ptrdiff_t out_stride, const uint8_t *in, ptrdiff_t in_stride) {
    __m128i a = _mm_loadu_si128((const __m128i *)in);
    __m128i b = _mm_loadu_si128((const __m128i *)(in + in_stride));
    __m128i c = _mm_loadu_si128((const __m128i *)(in + 2 * in_stride));
    __m128i d = _mm_loadu_si128((const __m128i *)(in + 3 * in_stride));
    __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
    _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi64(ab, cd));
    _mm_storeu_si128((__m128i *)(out + out_stride), _mm_unpackhi_epi64(ab, cd));
    ab = _mm_unpackhi_epi32(a, b), cd = _mm_unpackhi_epi32(c, d);
    _mm_storeu_si128((__m128i *)(out + 2 * out_stride), _mm_unpacklo_epi64(ab, cd));
    _mm_storeu_si128((__m128i *)(out + 3 * out_stride), _mm_unpackhi_epi64(ab, cd));
}

static void transpose_sse2(uint8_t *out, ptrdiff_t out_stride, const uint8_t *in, ptrdiff_t in_stride, size_t width,
                           size_t height) {
    size_t columns = width & ~(size_t)3, rows = height & ~(size_t)3;
    for (size_t x = 0; x < columns; x += 4) {
        for (size_t y = 0; y < rows; y += 4) {
            transpose_4x4(out + (ptrdiff_t)x * out_stride + 4 * y, out_stride, in + (ptrdiff_t)y * in_stride + 4 * x,
                          in_stride);
        }
    }
    transpose_scalar(out + 4 * rows, out_stride, in + (ptrdiff_t)rows * in_stride, in_stride, columns, height - rows);
    transpose_scalar(out + (ptrdiff_t)columns * out_stride, out_stride, in + 4 * columns, in_stride, width - columns,
                     height);
}

#endif

void kuva_pixels_transpose(int level, uint8_t *out, ptrdiff_t out_stride, const uint8_t *in, ptrdiff_t in_stride,
                           size_t width, size_t height) {
#if KUVA_X86
    if (level >= KUVA_PIXELS_SSE2) {
        transpose_sse2(out, out_stride, in, in_stride, width, height);
        return;
    }
#endif
    (void)level;
    transpose_scalar(out, out_stride, in, in_stride, width, height);
}
