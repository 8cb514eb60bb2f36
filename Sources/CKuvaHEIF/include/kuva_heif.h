#ifndef KUVA_HEIF_H
#define KUVA_HEIF_H
#include <stddef.h>
#include <stdint.h>

/// The primary picture of one HEIF file in memory, read through libheif. The bytes must stay where they are until it
/// is closed.
typedef struct kuva_heif kuva_heif;

typedef enum {
    KUVA_HEIF_OK,
    KUVA_HEIF_CORRUPT,
    KUVA_HEIF_UNSUPPORTED,
    KUVA_HEIF_NO_MEMORY,
} kuva_heif_status;

typedef struct {
    /// Cropped, turned and mirrored as the file says.
    uint32_t width;
    uint32_t height;
    uint32_t bits_per_channel;
    uint32_t has_alpha;
    uint32_t is_premultiplied;
    size_t icc_size;
    /// Code points of ISO/IEC 23091-2; 2 where the file says none.
    uint32_t colour_primaries;
    uint32_t transfer_characteristics;
} kuva_heif_info;

/// `NULL` without memory.
kuva_heif *kuva_heif_open(const uint8_t *bytes, size_t count, uint32_t max_side);
void kuva_heif_close(kuva_heif *heif);

kuva_heif_status kuva_heif_read_info(kuva_heif *heif, kuva_heif_info *info);

/// Copies the ICC profile, whose size the info has, after kuva_heif_read_info. 0 without one that can be read.
int kuva_heif_copy_icc(const kuva_heif *heif, uint8_t *out);

/// Decodes the whole picture on the calling thread and the codec's own. After it, `rows` points to rows of RGBA8, which
/// live as long as `heif`; alpha is as the file has it.
kuva_heif_status kuva_heif_decode(
    kuva_heif *heif, const uint8_t **rows, size_t *bytes_per_row, uint32_t *width, uint32_t *height);

/// What went wrong, in the library's words; never `NULL`.
const char *kuva_heif_error(const kuva_heif *heif);

#endif
