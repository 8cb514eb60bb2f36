#ifndef KUVA_JPEG_WRITE_H
#define KUVA_JPEG_WRITE_H
#include <stddef.h>
#include <stdint.h>

typedef enum {
    KUVA_JPEG_WRITE_OK = 0,
    KUVA_JPEG_WRITE_NO_MEMORY = 1,
    KUVA_JPEG_WRITE_FAILED = 2
} kuva_jpeg_write_status;

/// Writes rows of RGBA8, whose alpha is passed over, as a JPEG of quality 0 to 100; with `is_progressive` in scans, with
/// `has_full_chroma` 4:4:4 and not 4:2:0. `file` must be freed with kuva_jpeg_write_free; it is NULL after a failure.
kuva_jpeg_write_status kuva_jpeg_write(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                       int quality, int is_progressive, int has_full_chroma, uint8_t **file,
                                       size_t *count);
void kuva_jpeg_write_free(uint8_t *file);

#endif
