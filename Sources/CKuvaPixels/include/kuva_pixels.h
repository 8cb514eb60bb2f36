#ifndef KUVA_PIXELS_H
#define KUVA_PIXELS_H
#include <stddef.h>
#include <stdint.h>

/// The instruction sets that the kernels are written for. All give the same bytes; scalar is the oracle.
enum { KUVA_PIXELS_SCALAR = 0, KUVA_PIXELS_SSE2 = 1, KUVA_PIXELS_AVX2 = 2 };

/// The best level that this processor runs. No kernel may be called with a higher one.
int kuva_pixels_best_level(void);

/// Copies `count` RGBA8 pixels, colour multiplied by alpha and rounded to nearest: c' = round(c * a / 255).
/// `out` may be `in`, but may not overlap it otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_premultiply(int level, uint8_t *out, const uint8_t *in, size_t count);

/// Copies `count` premultiplied RGBA8 pixels, colour cut to alpha, which it never exceeds in a valid picture.
/// `out` may be `in`, but may not overlap it otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_clamp(int level, uint8_t *out, const uint8_t *in, size_t count);

/// Draws `count` premultiplied RGBA8 pixels over those of `out`: c' = s + round(c * (255 - a) / 255), at most 255, for
/// colour and alpha (Porter and Duff's "over"). `in` does not overlap `out`.
void kuva_pixels_blend(int level, uint8_t *out, const uint8_t *in, size_t count);

/// Copies `count` RGBA8 pixels, last first. `out` and `in` do not overlap.
void kuva_pixels_reverse(uint8_t *out, const uint8_t *in, size_t count);

/// Copies `height` rows of `width` RGBA8 pixels so that pixel x of row y becomes pixel y of row x.
/// Strides are in bytes and may be negative, which mirrors.
void kuva_pixels_transpose(int level, uint8_t *out, ptrdiff_t out_stride, const uint8_t *in, ptrdiff_t in_stride,
                           size_t width, size_t height);

/// Fraction bits of the numbers between the two passes of a resampling.
enum { KUVA_PIXELS_FRACTION_BITS = 6 };

/// Widens `count` RGBA8 pixels to 16 bits, two pixels interleaved: r0 r1 g0 g1 b0 b1 a0 a1.
/// `out` has room for `count` rounded up to 4 pixels; what is beyond `count` becomes 0.
void kuva_pixels_widen(int level, int16_t *out, const uint8_t *in, size_t count);

/// The horizontal pass: each of `count` pixels of `out` (four numbers of KUVA_PIXELS_FRACTION_BITS) is the sum of
/// `taps` widened pixels from `starts[i]` times `weights[i * taps...]`, rounded and cut to 0...255.
/// Starts are even, taps a multiple of 4, weights have `bits` fraction bits.
void kuva_pixels_resample_row(int level, int16_t *out, size_t count, const int16_t *in, const int32_t *starts,
                              const int16_t *weights, size_t taps, int bits);

/// The vertical pass: each of `count` RGBA8 pixels of `out` is the sum of `taps` rows of `ring` times `weights`,
/// rounded and cut to 0...255, colour cut to alpha. The ring has `slots` rows of `slot_length` numbers; the first
/// row is in slot `first`, and what follows the last slot is in slot 0.
/// Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_resample_column(int level, uint8_t *out, size_t count, const int16_t *ring, size_t slot_length,
                                size_t slots, size_t first, const int16_t *weights, size_t taps, int bits);

#endif
