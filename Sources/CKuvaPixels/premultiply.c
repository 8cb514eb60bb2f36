#include "kuva_pixels.h"

int kuva_premultiply_rgba8(uint8_t *pixels, size_t count) {
    uint8_t all = 255;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        unsigned alpha = pixels[3];
        all &= (uint8_t)alpha;
        if (alpha == 255) continue;
        for (int c = 0; c < 3; c++) {
            unsigned product = pixels[c] * alpha + 128;
            pixels[c] = (uint8_t)((product + (product >> 8)) >> 8);
        }
    }
    return all == 255;
}
