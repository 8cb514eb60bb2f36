#ifndef KUVA_TIFF_H
#define KUVA_TIFF_H
#include <stddef.h>
#include <stdint.h>

/// One TIFF in memory, read through libtiff. The bytes must stay where they are until it is closed.
typedef struct kuva_tiff kuva_tiff;

typedef enum {
    KUVA_TIFF_OK,
    KUVA_TIFF_CORRUPT,
    KUVA_TIFF_UNSUPPORTED,
    KUVA_TIFF_NO_MEMORY,
} kuva_tiff_status;

typedef struct {
    uint32_t width;
    uint32_t height;
    uint32_t bits_per_sample;
    uint32_t photometric;
    /// TIFF 6.0's tag 274, which counts as EXIF does; 1 where it is absent or wrong.
    uint32_t orientation;
    uint32_t page_count;
    /// 0 none, 1 multiplied, 2 straight: what alpha in the rows will be.
    uint32_t alpha;
    uint32_t icc_size;
    /// Rows that kuva_tiff_read_rows gives at a time; fewer at the end.
    uint32_t rows_per_band;
    /// Bytes that reading takes beside the band itself.
    uint64_t working_size;
} kuva_tiff_info;

/// Opens the first page. `NULL` without memory; whether it is a TIFF, kuva_tiff_read_info says.
///
/// @param max_allocation the most bytes that the library may take at once.
kuva_tiff *kuva_tiff_open(const uint8_t *bytes, size_t count, size_t max_allocation);
void kuva_tiff_close(kuva_tiff *tiff);

kuva_tiff_status kuva_tiff_read_info(kuva_tiff *tiff, kuva_tiff_info *info);

/// Reads the next band to RGBA8, top row first, into `rows`, which holds `rows_per_band` rows of width * 4 bytes.
///
/// `count` gets the rows read: fewer than a band's where the data is broken, 0 after the last.
kuva_tiff_status kuva_tiff_read_rows(kuva_tiff *tiff, uint8_t *rows, uint32_t *count);

/// What went wrong, in the library's words; never `NULL`.
const char *kuva_tiff_error(const kuva_tiff *tiff);

#endif
