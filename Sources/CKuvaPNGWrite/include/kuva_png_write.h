#ifndef KUVA_PNG_WRITE_H
#define KUVA_PNG_WRITE_H

#include <stddef.h>
#include <stdint.h>

/// How far a call came.
typedef enum {
    /// The row is taken; give the next one.
    KUVA_PNG_WRITE_NEEDS_ROW = 0,
    /// The output is full; call again with room.
    KUVA_PNG_WRITE_FULL = 1,
    /// Everything is written.
    KUVA_PNG_WRITE_DONE = 2,
    /// The deflater failed; give up.
    KUVA_PNG_WRITE_FAILED = 3
} kuva_png_write_status;

/// Turns rows of premultiplied RGBA8 into the image data of a PNG: straight alpha, filtered, deflated.
typedef struct kuva_png_writer kuva_png_writer;

/// Makes a writer for rows of `width` pixels; with `has_alpha` 0 alpha is left out. `level` is zlib's, from 0 to 9.
/// Returns NULL if there is no memory or a number is none that PNG allows.
kuva_png_writer *kuva_png_writer_new(uint32_t width, uint32_t height, int has_alpha, int level);

void kuva_png_writer_free(kuva_png_writer *writer);

/// Takes the next row, which must stay as it is until the call returns; only after NEEDS_ROW, and first of all.
void kuva_png_writer_row(kuva_png_writer *writer, const uint8_t *rgba);

/// Writes what there is to write to `out`, and says how many bytes that is.
kuva_png_write_status kuva_png_writer_drain(
    kuva_png_writer *writer, uint8_t *out, size_t out_count, size_t *written);

/// The CRC of PNG chunks, continued from `crc`; 0 at the start.
uint32_t kuva_png_write_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

#endif
