#ifndef KUVA_AVIF_WRITE_H
#define KUVA_AVIF_WRITE_H
#include <stddef.h>
#include <stdint.h>

typedef enum {
    KUVA_AVIF_WRITE_OK = 0,
    KUVA_AVIF_WRITE_NO_MEMORY = 1,
    KUVA_AVIF_WRITE_FAILED = 2,
    /// The library was built without an encoder that does this.
    KUVA_AVIF_WRITE_NO_ENCODER = 3
} kuva_avif_write_status;

typedef struct {
    /// 0 to 100; of no account if lossless.
    int quality;
    /// 0, the slowest, to 10.
    int speed;
    int is_lossless;
    /// 4:4:4 and not 4:2:0; lossless files always have it.
    int has_full_chroma;
    /// Alpha is left out.
    int is_opaque;
    /// The colours are marked as sRGB and not left undescribed.
    int is_srgb;
} kuva_avif_write_options;

/// Writes rows of straight RGBA8 as an AVIF of 8 bits. `file` must be freed with kuva_avif_write_free; it is NULL after
/// a failure, and `message`, which has `message_size` bytes, then has the library's words for it.
kuva_avif_write_status kuva_avif_write(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                       const kuva_avif_write_options *options, uint8_t **file, size_t *count,
                                       char *message, size_t message_size);
void kuva_avif_write_free(uint8_t *file);

#endif
