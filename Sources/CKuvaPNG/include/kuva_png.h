#ifndef KUVA_PNG_H
#define KUVA_PNG_H
#include <stddef.h>
#include <stdint.h>

/// How far a call came.
typedef enum {
    /// All input is used up; give more.
    KUVA_PNG_NEEDS_INPUT = 0,
    /// As many rows as asked for are written; call again with the input that is left.
    KUVA_PNG_ROWS_FULL = 1,
    /// The last row of the picture is written.
    KUVA_PNG_DONE = 2,
    /// The zlib header is wrong.
    KUVA_PNG_BAD_ZLIB_HEADER = 3,
    /// The deflate data break their rules.
    KUVA_PNG_BAD_DEFLATE = 4,
    /// A row starts with a filter type that does not exist.
    KUVA_PNG_BAD_FILTER = 5,
    /// The deflate data end before the last row.
    KUVA_PNG_TOO_SHORT = 6
} kuva_png_status;

/// Which code runs; the same bytes come out of each.
typedef enum {
    KUVA_PNG_BEST = 0,
    KUVA_PNG_SCALAR = 1,
    KUVA_PNG_SSE41 = 2,
    KUVA_PNG_AVX2 = 3
} kuva_png_level;

/// Which library inflates.
typedef enum {
    KUVA_PNG_INFLATE_BEST = 0,
    KUVA_PNG_INFLATE_ZLIB = 1
} kuva_png_inflate_backend;

/// Turns the image data of one picture into rows of straight RGBA8.
typedef struct kuva_png_pixels kuva_png_pixels;

/// Makes a reader, or returns NULL if there is no memory or the numbers are none that PNG allows.
///
/// `palette` is 256 RGBA8 pixels for colour type 3, otherwise NULL. `key` is NULL or the red, green and blue (or three
/// times the grey) sample that is transparent. Both are copied.
kuva_png_pixels *kuva_png_pixels_new(
    uint32_t width, uint32_t height, int bit_depth, int colour_type, int is_interlaced,
    const uint8_t *palette, const uint16_t *key,
    kuva_png_level level, kuva_png_inflate_backend backend);

void kuva_png_pixels_free(kuva_png_pixels *pixels);

/// Inflates, unfilters and expands the next rows.
///
/// Not interlaced: rows go one after the other to `out`, which has room for `max_rows`. Interlaced: `out` is the whole
/// frame on each call, pixels go to their places, and `max_rows` bounds the work in rows of passes.
/// `used` is how much of the input is used up, `rows` how many rows were written. Nothing past the last row is
/// inflated.
kuva_png_status kuva_png_pixels_read(
    kuva_png_pixels *pixels, const uint8_t *input, size_t input_count, size_t *used,
    uint8_t *out, size_t bytes_per_row, size_t max_rows, size_t *rows);

/// The interlace pass that is under way, from 0; 7 after the last one.
int kuva_png_pixels_pass(const kuva_png_pixels *pixels);

/// Gives every pixel of an interlaced frame that has not come the value of the last one that has come above and left
/// of it, so that a partial picture is a coarse one and not one full of holes. Rows that the first pass has not reached
/// become transparent. Does nothing if no pixel has come or all have.
void kuva_png_pixels_fill(const kuva_png_pixels *pixels, uint8_t *frame, size_t bytes_per_row);

/// The first bytes of a zlib stream, inflated into `out`; returns how many there are.
size_t kuva_png_inflate_prefix(const uint8_t *input, size_t input_count, uint8_t *out, size_t out_count);

/// The CRC of PNG chunks, continued from `crc`; 0 at the start.
uint32_t kuva_png_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

/// Unfilters one packed row in place; `row` must have 16 readable bytes after it. Returns 0 if there is no such filter.
int kuva_png_unfilter(
    kuva_png_level level, int filter, uint8_t *row, const uint8_t *above, size_t count, int bytes_per_pixel);

/// Unfilters a row of 8-bit RGB or RGBA into RGBA; `row` must have 16 readable bytes after it. Returns 0 if there is no
/// such filter.
int kuva_png_unfilter_rgba(
    kuva_png_level level, int filter, const uint8_t *row, const uint8_t *above, uint8_t *out, size_t pixels,
    int bytes_per_pixel);

#endif
