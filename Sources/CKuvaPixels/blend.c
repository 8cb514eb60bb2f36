#include "simd.h"

// The numbers are the same on every processor only if products and sums are rounded apart.
#pragma STDC FP_CONTRACT OFF

struct colour {
    float r, g, b;
};

static inline float least(struct colour c) {
    float value = c.r < c.g ? c.r : c.g;
    return value < c.b ? value : c.b;
}

static inline float largest(struct colour c) {
    float value = c.r > c.g ? c.r : c.g;
    return value > c.b ? value : c.b;
}

static inline float luma(struct colour c) { return 0.3f * c.r + 0.59f * c.g + 0.11f * c.b; }

static inline float saturation(struct colour c) { return largest(c) - least(c); }

// Moves a colour to another luma, and towards grey as far as it needs to stay a colour.
static inline struct colour with_luma(struct colour c, float wanted) {
    float change = wanted - luma(c);
    c = (struct colour){c.r + change, c.g + change, c.b + change};
    float grey = luma(c), low = least(c), high = largest(c), factor = 1;
    if (low < 0 && grey > low) factor = grey / (grey - low);
    if (high > 1 && high > grey && (1 - grey) / (high - grey) < factor) factor = (1 - grey) / (high - grey);
    return (struct colour){grey + (c.r - grey) * factor, grey + (c.g - grey) * factor, grey + (c.b - grey) * factor};
}

static inline struct colour with_saturation(struct colour c, float wanted) {
    float low = least(c), range = largest(c) - low, factor = range > 0 ? wanted / range : 0;
    return (struct colour){(c.r - low) * factor, (c.g - low) * factor, (c.b - low) * factor};
}

static inline struct colour blended(int mode, struct colour below, struct colour above) {
    switch (mode) {
    case KUVA_PIXELS_HUE: return with_luma(with_saturation(above, saturation(below)), luma(below));
    case KUVA_PIXELS_SATURATION: return with_luma(with_saturation(below, saturation(above)), luma(below));
    case KUVA_PIXELS_COLOR: return with_luma(above, luma(below));
    default: return with_luma(below, luma(above));
    }
}

static inline uint8_t rounded(float value, float limit) {
    value = value * 255 + 0.5f;
    return (uint8_t)(value < 0 ? 0 : value > limit ? limit : value);
}

int kuva_pixels_blend(int mode, uint8_t *out, const uint8_t *in, size_t count, const float colour[4]) {
    const struct colour above = {colour[0], colour[1], colour[2]};
    const float opacity = colour[3];
    unsigned all = 255;
    for (size_t i = 0; i < count; i++, in += 4, out += 4) {
        float alpha = (float)in[3] / 255, inverse = in[3] > 0 ? 1 / (float)in[3] : 0;
        struct colour below = {(float)in[0] * inverse, (float)in[1] * inverse, (float)in[2] * inverse};
        struct colour both = blended(mode, below, above);
        float both_area = alpha * opacity, above_area = opacity - both_area, below_area = alpha - both_area;
        out[3] = rounded(alpha + above_area, 255);
        float limit = out[3];
        out[0] = rounded(above_area * above.r + both_area * both.r + below_area * below.r, limit);
        out[1] = rounded(above_area * above.g + both_area * both.g + below_area * below.g, limit);
        out[2] = rounded(above_area * above.b + both_area * both.b + below_area * below.b, limit);
        all &= out[3];
    }
    return all == 255;
}
