#include "kuva_pixels.h"

// Only for pixels as they are stored, which are looked at and not shown, so plain loops do.

void kuva_pixels_draw_straight_over(uint8_t *out, const uint8_t *in, size_t count) {
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        if (in[3] == 0) continue;
        // Parts of 255 * 255.
        uint32_t above = in[3] * 255u, below = out[3] * (255u - in[3]), both = above + below;
        for (int c = 0; c < 3; c++) out[c] = (uint8_t)((in[c] * above + out[c] * below + both / 2) / both);
        out[3] = (uint8_t)((both + 127) / 255);
    }
}

void kuva_pixels_draw_straight_over_webp(uint8_t *out, const uint8_t *in, size_t count) {
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        if (in[3] == 0) continue;
        if (in[3] == 255) {
            for (int c = 0; c < 4; c++) out[c] = in[c];
            continue;
        }
        uint32_t above = in[3], below = (out[3] * (256u - above)) >> 8;
        uint32_t factor = (1u << 24) / (above + below);
        // At most 255 * (above + below) * 2^24 / (above + below).
        for (int c = 0; c < 3; c++) out[c] = (uint8_t)(((in[c] * above + out[c] * below) * factor) >> 24);
        out[3] = (uint8_t)(above + below);
    }
}
