#ifndef KUVA_PIXELS_H
#define KUVA_PIXELS_H
#include <stddef.h>
#include <stdint.h>

/// Multiplies colour by alpha in place, rounding to nearest: c' = round(c * a / 255).
/// `pixels` holds `count` RGBA8 pixels. Returns 1 if every alpha is 255, otherwise 0.
int kuva_premultiply_rgba8(uint8_t *pixels, size_t count);

#endif
