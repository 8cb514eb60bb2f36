#if __has_include(<tiffio.h>)
#include "internal.h"

unsigned kuva_tiff_colour_samples(uint16_t photometric) {
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_PALETTE: return 1;
    case PHOTOMETRIC_RGB: return 3;
    case PHOTOMETRIC_SEPARATED: return 4;
    default: return 0;
    }
}

/// A sample as it is stored: of samples wider than 8 bits the high byte. Samples of 16 and 32 bits are in the order of
/// the machine already; narrower ones stand from the high bit down.
static unsigned sample(const uint8_t *row, size_t index, unsigned bits) {
    switch (bits) {
    case 8: return row[index];
    case 16: return ((const uint16_t *)(const void *)row)[index] >> 8;
    case 32: return ((const uint32_t *)(const void *)row)[index] >> 24;
    default: {
        size_t bit = index * bits;
        unsigned value = 0;
        for (unsigned left = bits; left > 0;) {
            unsigned here = 8 - bit % 8;
            unsigned take = here < left ? here : left;
            value = value << take | ((row[bit / 8] >> (here - take)) & ((1u << take) - 1));
            bit += take;
            left -= take;
        }
        return bits > 8 ? value >> (bits - 8) : value;
    }
    }
}

static uint8_t widened(unsigned value, unsigned bits) {
    return (uint8_t)(bits >= 8 ? value : value * 255 / ((1u << bits) - 1));
}

static uint8_t inked(unsigned ink, unsigned black) {
    unsigned product = (255 - ink) * (255 - black) + 128;
    return (uint8_t)((product + (product >> 8)) >> 8);
}

void kuva_tiff_expand(const kuva_tiff_samples *s, const uint8_t *const planes[], uint32_t width, uint8_t *rgba) {
    unsigned bits = s->bits;
    unsigned wide = bits < 8 ? bits : 8;
    for (uint32_t x = 0; x < width; x++, rgba += 4) {
        unsigned v[5] = {0};
        unsigned colours = kuva_tiff_colour_samples(s->photometric);
        for (unsigned c = 0; c < colours; c++)
            v[c] = s->is_separate ? sample(planes[c], x, bits) : sample(planes[0], (size_t)x * s->samples + c, bits);
        rgba[3] = 255;
        if (s->alpha_sample) {
            unsigned a = s->alpha_sample;
            unsigned value = s->is_separate ? sample(planes[a], x, bits)
                                            : sample(planes[0], (size_t)x * s->samples + a, bits);
            rgba[3] = widened(value, wide);
        }
        switch (s->photometric) {
        case PHOTOMETRIC_PALETTE:
            for (unsigned c = 0; c < 3; c++) {
                unsigned entry = s->colour_map[c][v[0]];
                rgba[c] = (uint8_t)(s->is_colour_map_wide ? entry >> 8 : entry);
            }
            break;
        case PHOTOMETRIC_MINISWHITE: rgba[0] = rgba[1] = rgba[2] = (uint8_t)(255 - widened(v[0], wide)); break;
        case PHOTOMETRIC_MINISBLACK: rgba[0] = rgba[1] = rgba[2] = widened(v[0], wide); break;
        case PHOTOMETRIC_SEPARATED:
            for (unsigned c = 0; c < 3; c++) rgba[c] = inked(widened(v[c], wide), widened(v[3], wide));
            break;
        default:
            for (unsigned c = 0; c < 3; c++) rgba[c] = widened(v[c], wide);
        }
    }
}
#endif
