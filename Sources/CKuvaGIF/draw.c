#include <string.h>
#include "include/kuva_gif.h"
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

void kuva_gif_expand(const uint8_t *indices, size_t count, const uint8_t *palette, uint8_t *out) {
    uint32_t pixels[256];
    memcpy(pixels, palette, sizeof pixels);
    for (size_t i = 0; i < count; i++) memcpy(out + 4 * i, &pixels[indices[i]], 4);
}

static void draw_some(const uint8_t *indices, size_t count, const uint32_t *pixels, uint8_t *out) {
    for (size_t i = 0; i < count; i++) {
        uint32_t below, above = pixels[indices[i]];
        memcpy(&below, out + 4 * i, 4);
        // Without a branch, since dithering makes transparent pixels come and go.
        below = above ? above : below;
        memcpy(out + 4 * i, &below, 4);
    }
}

void kuva_gif_draw(const uint8_t *indices, size_t count, const uint8_t *palette, int transparent, uint8_t *out) {
    uint32_t pixels[256];
    memcpy(pixels, palette, sizeof pixels);
    size_t i = 0;
#if defined(__x86_64__)
    if (transparent >= 0) {
        const __m128i wanted = _mm_set1_epi8((char)transparent);
        for (; i + 16 <= count; i += 16) {
            __m128i some = _mm_loadu_si128((const __m128i *)(indices + i));
            if (_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)) == 0xFFFF) continue;
            draw_some(indices + i, 16, pixels, out + 4 * i);
        }
    }
#endif
    draw_some(indices + i, count - i, pixels, out + 4 * i);
}
