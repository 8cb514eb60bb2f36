#include "simd.h"

void kuva_pixels_straighten(uint8_t *out, const uint8_t *in, size_t count) {
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        unsigned alpha = in[3];
        uint32_t reciprocal = alpha ? kuva_reciprocal(alpha) : 0;
        for (int k = 0; k < 3; k++) out[k] = (uint8_t)(alpha ? kuva_straight(in[k], alpha, reciprocal) : 0);
        out[3] = (uint8_t)alpha;
    }
}

void kuva_pixels_flatten(uint8_t *out, const uint8_t *in, size_t count, uint8_t red, uint8_t green, uint8_t blue) {
    const unsigned ground[3] = {red, green, blue};
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        unsigned rest = 255u - in[3];
        for (int k = 0; k < 3; k++) {
            unsigned value = in[k] + kuva_over_255(ground[k] * rest);
            out[k] = (uint8_t)(value > 255 ? 255 : value);
        }
        out[3] = 255;
    }
}
