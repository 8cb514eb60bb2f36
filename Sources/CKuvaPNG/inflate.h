#ifndef KUVA_PNG_INFLATE_H
#define KUVA_PNG_INFLATE_H
#include "include/kuva_png.h"

// A raw deflate stream (RFC 1951), inflated piece by piece.
//
// The Adler-32 sum at the end of a zlib stream is not looked at: each chunk has a CRC already, and libpng, and with it
// every browser, shows a picture whose sum is wrong.
typedef enum { INFLATE_MORE, INFLATE_END, INFLATE_BAD } inflate_status;

typedef struct {
    const uint8_t *input;
    size_t input_count;
    uint8_t *out;
    size_t out_count;
} inflate_io;

typedef struct {
    void *(*create)(void);
    void (*destroy)(void *);
    // Goes on until there is no input left or no room, and moves `io` along.
    inflate_status (*run)(void *, inflate_io *io);
} inflate_backend;

extern const inflate_backend kuva_png_inflate_zlib;
#ifdef KUVA_PNG_ISAL
extern const inflate_backend kuva_png_inflate_isal;
#endif
const inflate_backend *kuva_png_inflate_with(kuva_png_inflate_backend backend);

// Whether two bytes start a zlib stream that PNG allows (RFC 1950 §2.2; no preset dictionary).
int kuva_png_is_zlib_header(unsigned cmf, unsigned flg);

#endif
