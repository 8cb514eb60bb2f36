#include "simd.h"

int kuva_pixels_table(uint8_t *out, const uint8_t *in, size_t count, const uint16_t *inside,
                      const uint16_t outside[4]) {
    uint8_t opaque[768];
    for (int i = 0; i < 768; i++) opaque[i] = (uint8_t)((inside[i] + 128) / 257);
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        unsigned alpha = in[3];
        if (alpha == 255) {
            for (int c = 0; c < 3; c++) out[c] = opaque[256 * c + in[c]];
            out[3] = 255;
            continue;
        }
        unsigned rest = 255 - alpha;
        uint32_t reciprocal = alpha > 0 ? kuva_reciprocal(alpha) : 0;
        for (unsigned c = 0; c < 3; c++) {
            unsigned colour = inside[256 * c + kuva_straight(in[c], alpha, reciprocal)];
            out[c] = (uint8_t)((alpha * colour + rest * outside[c] + 32767) / 65535);
        }
        out[3] = (uint8_t)((alpha * 65535 + rest * outside[3] + 32767) / 65535);
        all &= out[3];
    }
    return all == 255;
}
