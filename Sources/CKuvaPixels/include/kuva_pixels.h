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
void kuva_pixels_draw_over(int level, uint8_t *out, const uint8_t *in, size_t count);

/// Draws `count` RGBA8 pixels with straight alpha over those of `out`, straight too (PNG third edition, §13.16): alpha
/// is s + d * (255 - s) / 255, colour that of both by their parts of it, rounded to nearest. `in` does not overlap `out`.
void kuva_pixels_draw_straight_over(uint8_t *out, const uint8_t *in, size_t count);

/// The same in the arithmetic that libwebp composes animations of straight alpha with: what shows through has
/// d * (256 - s) >> 8 of alpha, and the division is by a factor of 24 bits, rounded down. Opaque pixels are copied.
void kuva_pixels_draw_straight_over_webp(uint8_t *out, const uint8_t *in, size_t count);

/// Copies `count` premultiplied RGBA8 pixels as straight ones, rounded to nearest: c' = round(255 * c / a), at most 255;
/// 0 where alpha is 0.
void kuva_pixels_straighten(uint8_t *out, const uint8_t *in, size_t count);

/// Copies `count` premultiplied RGBA8 pixels, laid over an opaque colour.
void kuva_pixels_flatten(uint8_t *out, const uint8_t *in, size_t count, uint8_t red, uint8_t green, uint8_t blue);

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

/// The vertical pass over a plane of one byte a sample: each of `count` samples of `out` (numbers of
/// KUVA_PIXELS_FRACTION_BITS) is the sum of `taps` rows of `in`, `stride` bytes apart, times `weights`, rounded and cut
/// to 0...255.
void kuva_pixels_plane_column(int level, int16_t *out, const uint8_t *in, ptrdiff_t stride, size_t count,
                              const int16_t *weights, size_t taps, int bits);

/// The horizontal pass over what the vertical one made: each of `count` samples of `out` is the sum of `taps` samples of
/// `in` from `starts[i]` times `weights[i * taps...]`, rounded and cut to 0...255. Taps are a multiple of 16.
void kuva_pixels_plane_row(int level, int16_t *out, size_t count, const int16_t *in, const int32_t *starts,
                           const int16_t *weights, size_t taps, int bits);

/// Makes a row of half as many samples, rounded up, of two rows of `count`: each is the mean of four, rounded to nearest
/// with halves up; the last one of an odd count stands for its neighbour too.
void kuva_pixels_plane_halve(int level, uint8_t *out, const uint8_t *upper, const uint8_t *lower, size_t count);

/// Rounds `count` samples of KUVA_PIXELS_FRACTION_BITS, from 0 to 255, to bytes.
void kuva_pixels_plane_narrow(uint8_t *out, const int16_t *in, size_t count);

/// Makes `count` opaque RGBA8 pixels of luma and chroma with KUVA_PIXELS_FRACTION_BITS, from 0 to 255, in the video range
/// of ITU-R BT.601 and with the integer factors of libwebp.
void kuva_pixels_yuv_to_rgba(int level, uint8_t *out, const int16_t *y, const int16_t *u, const int16_t *v,
                             size_t count);

/// Fraction bits of the numbers of a matrix.
enum { KUVA_PIXELS_MATRIX_BITS = 11 };

/// Each of `count` premultiplied RGBA8 pixels times a matrix: number `c` of a pixel of `out` is the sum of
/// `matrix[4 * c + k]` times number `k` of the pixel of `in`, plus `offsets[c]`, both with KUVA_PIXELS_MATRIX_BITS
/// fraction bits; rounded, alpha cut to 0...255, colour to 0...alpha. Offsets are within 2^27 of 0.
/// `out` may be `in`, but may not overlap it otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_matrix(int level, uint8_t *out, const uint8_t *in, size_t count, const int16_t matrix[16],
                       const int32_t offsets[4]);

/// Looks up each of `count` premultiplied RGBA8 pixels: with c the straight colour from 0 to 255, rounded, a its alpha
/// and both tables from 0 for 0 to 65,535 for 1, a colour of `out` is a * inside[channel][c] + (1 - a) *
/// outside[channel], rounded, and alpha is a + (1 - a) * outside[3]. `inside` is 3 x 256 numbers.
/// `out` may be `in`, but may not overlap it otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_table(uint8_t *out, const uint8_t *in, size_t count, const uint16_t *inside,
                      const uint16_t outside[4]);

/// The blend modes that mix the channels, as Compositing and Blending Level 1 names them.
enum { KUVA_PIXELS_HUE = 0, KUVA_PIXELS_SATURATION = 1, KUVA_PIXELS_COLOR = 2, KUVA_PIXELS_LUMINOSITY = 3 };

/// Blends one straight colour, four numbers from 0 to 1, over each of `count` premultiplied RGBA8 pixels.
/// `out` may be `in`, but may not overlap it otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_blend(int mode, uint8_t *out, const uint8_t *in, size_t count, const float colour[4]);

/// Mixes each of `count` premultiplied RGBA8 pixels with one premultiplied colour: each number of `out` is
/// round((in * in_weights[i] + colour * colour_weights[i]) / 255). The two weights of a pixel sum up to 255 at most.
/// `out` may be `in`, but may not overlap it otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_mix(int level, uint8_t *out, const uint8_t *in, size_t count, const uint8_t *in_weights,
                    const uint8_t colour[4], const uint8_t *colour_weights);

/// Lays each of `count` premultiplied RGBA8 pixels of `top`, times `opacity` of 255, over one of `bottom`
/// (source-over). `out` may be either, but may not overlap them otherwise. Returns 1 if every alpha is 255, otherwise 0.
int kuva_pixels_over(int level, uint8_t *out, const uint8_t *bottom, const uint8_t *top, size_t count,
                     unsigned opacity);

/// A picture of premultiplied RGBA8 pixels to sample; the stride is in bytes.
struct kuva_pixels_picture {
    const uint8_t *pixels;
    ptrdiff_t stride;
    int64_t width, height;
};

/// Samples `count` pixels along a line, bilinearly to 1/128 of a pixel; outside the picture all is transparent.
/// Positions have 32 fraction bits, with the centre of the top left pixel at 0, 0; each of `count` steps goes on by
/// `dx`, `dy`. All positions are within 2^30 pixels of 0.
void kuva_pixels_sample(int level, uint8_t *out, size_t count, const struct kuva_pixels_picture *picture, int64_t x,
                        int64_t y, int64_t dx, int64_t dy);

/// Adds `count` RGBA8 pixels to the 4 x 256 numbers of `counts`: straight red, green, blue, and alpha. Colours are
/// divided by alpha unless `is_straight`; that of a wholly transparent pixel counts nowhere.
void kuva_pixels_histogram(uint64_t *counts, const uint8_t *in, size_t count, int is_straight);

/// How much each pixel of a small picture of premultiplied RGBA8 draws the eye, into `width * height` numbers: edges
/// (the Laplacian of the luma), strong colours and tones of skin, times alpha. At most 2^21.
void kuva_pixels_interest(uint32_t *out, const uint8_t *in, ptrdiff_t stride, size_t width, size_t height);

#endif
