#include "simd.h"

#include <stdlib.h>

void kuva_pixels_histogram(uint64_t *counts, const uint8_t *in, size_t count, int is_straight) {
    for (size_t i = 0; i < count; i++, in += 4) {
        unsigned alpha = in[3];
        counts[768 + alpha]++;
        if (alpha == 0) continue;
        if (is_straight || alpha == 255) {
            for (unsigned c = 0; c < 3; c++) counts[256 * c + in[c]]++;
        } else {
            uint32_t reciprocal = kuva_reciprocal(alpha);
            for (unsigned c = 0; c < 3; c++) counts[256 * c + kuva_straight(in[c], alpha, reciprocal)]++;
        }
    }
}

// What rounding makes of an even slope.
enum { NOISE = 6 };

static inline int luma(const uint8_t *pixel) { return (54 * pixel[0] + 183 * pixel[1] + 19 * pixel[2]) >> 8; }

// 0...255: how near the direction of a straight colour is to that of common skin, (0.78, 0.57, 0.44), if it is not dark.
static inline unsigned skin(int red, int green, int blue) {
    int length = red * red + green * green + blue * blue, along = 78 * red + 57 * green + 44 * blue;
    if (length < 3 * 50 * 50) return 0;
    // The squared cosine, in thousandths; (78, 57, 44) has the squared length 11,269.
    int64_t cosine = (int64_t)along * along * 1000 / ((int64_t)length * 11269);
    return cosine > 950 ? (unsigned)((cosine - 950) * 255 / 50) : 0;
}

void kuva_pixels_interest(uint32_t *out, const uint8_t *in, ptrdiff_t stride, size_t width, size_t height) {
    for (size_t y = 0; y < height; y++) {
        const uint8_t *row = in + (ptrdiff_t)y * stride;
        int has_rows = y > 0 && y + 1 < height;
        for (size_t x = 0; x < width; x++, out++) {
            const uint8_t *pixel = row + 4 * x;
            int bend = 0;
            if (x > 0 && x + 1 < width) bend += 2 * luma(pixel) - luma(pixel - 4) - luma(pixel + 4);
            if (has_rows) bend += 2 * luma(pixel) - luma(pixel - stride) - luma(pixel + stride);
            int edge = abs(bend) > NOISE ? abs(bend) - NOISE : 0;
            unsigned alpha = pixel[3], most = 0, least = 255, straight[3];
            uint32_t reciprocal = alpha > 0 ? kuva_reciprocal(alpha) : 0;
            for (int c = 0; c < 3; c++) {
                straight[c] = kuva_straight(pixel[c], alpha, reciprocal);
                if (straight[c] > most) most = straight[c];
                if (straight[c] < least) least = straight[c];
            }
            unsigned strength = most > least ? most - least : 0;
            unsigned tone = skin((int)straight[0], (int)straight[1], (int)straight[2]);
            *out = (unsigned)edge * 4 * 255 + (strength + 2 * tone) * alpha;
        }
    }
}
