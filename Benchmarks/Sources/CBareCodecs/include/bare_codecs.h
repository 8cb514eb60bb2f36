#ifndef BARE_CODECS_H
#define BARE_CODECS_H

#include <stddef.h>
#include <stdint.h>

// The rival `bare-c`: what a C program does that calls libjpeg, libpng, libwebp and libavif directly, one picture after the
// other, into one buffer that grows and is kept. Straight-alpha RGBA8, no metadata, no orientation, no limits.

typedef struct {
    uint8_t *pixels;
    size_t capacity;
    int width;
    int height;
} bare_picture;

// Each decodes a whole file and returns 0, or -1 for a file that it cannot decode.
// fit: 0 for the size in the file; otherwise the picture is made to fit a square with that side, never larger.
int bare_decode_jpeg(bare_picture *picture, const uint8_t *bytes, size_t count, int fit);
int bare_decode_png(bare_picture *picture, const uint8_t *bytes, size_t count, int fit);
int bare_decode_webp(bare_picture *picture, const uint8_t *bytes, size_t count, int fit);
int bare_decode_avif(bare_picture *picture, const uint8_t *bytes, size_t count, int fit);

// The same for all frames of an animation, each drawn on those before it as browsers do; the last one stays. giflib
// with a compositor, and libwebp's own.
int bare_decode_gif(bare_picture *picture, const uint8_t *bytes, size_t count, int fit);
int bare_decode_webp_animation(bare_picture *picture, const uint8_t *bytes, size_t count, int fit);
// Each writes opaque pixels, alpha passed over, and returns the bytes of the file, or -1. JPEG is progressive with tables
// made for it; PNG and WebP have their libraries' defaults.
long bare_encode_jpeg(const uint8_t *rgba, int width, int height, int quality);
long bare_encode_png(const uint8_t *rgba, int width, int height);
long bare_encode_webp(const uint8_t *rgba, int width, int height, int quality);

// Makes premultiplied pixels smaller by the mean of areas, a filter that costs less than Lanczos and blurs.
int bare_resize(bare_picture *picture, const uint8_t *rgba, int width, int height, int wanted_width,
                int wanted_height);

void bare_release(bare_picture *picture);

#endif
