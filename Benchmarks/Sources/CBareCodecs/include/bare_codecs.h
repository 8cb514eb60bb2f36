#ifndef BARE_CODECS_H
#define BARE_CODECS_H

#include <stddef.h>
#include <stdint.h>

// The rival `bare-c`: what a C program does that calls libjpeg, libpng and libwebp directly, one picture after the
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

void bare_release(bare_picture *picture);

#endif
