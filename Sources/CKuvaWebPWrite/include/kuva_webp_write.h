#ifndef KUVA_WEBP_WRITE_H
#define KUVA_WEBP_WRITE_H
#include <stddef.h>
#include <stdint.h>

typedef enum {
    KUVA_WEBP_WRITE_OK = 0,
    KUVA_WEBP_WRITE_NO_MEMORY = 1,
    KUVA_WEBP_WRITE_FAILED = 2
} kuva_webp_write_status;

/// Writes rows of straight RGBA8 as WebP of quality 0 to 100, or lossless, where quality is effort. With `is_opaque`
/// alpha is left out. `file` must be freed with kuva_webp_write_free; it is NULL after a failure.
kuva_webp_write_status kuva_webp_write(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                       float quality, int is_lossless, int is_opaque, uint8_t **file, size_t *count);
void kuva_webp_write_free(uint8_t *file);

#endif
