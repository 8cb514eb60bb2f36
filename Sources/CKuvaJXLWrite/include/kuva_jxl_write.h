#ifndef KUVA_JXL_WRITE_H
#define KUVA_JXL_WRITE_H
#include <stddef.h>
#include <stdint.h>

/// One JPEG XL being written through libjxl, on the calling thread.
typedef struct kuva_jxl_writer kuva_jxl_writer;

typedef enum {
    KUVA_JXL_WRITE_DONE = 0,
    /// The output is full: call again with more room.
    KUVA_JXL_WRITE_GOES_ON = 1,
    KUVA_JXL_WRITE_NO_MEMORY = 2,
    KUVA_JXL_WRITE_FAILED = 3
} kuva_jxl_write_status;

typedef struct {
    /// In units of what an eye can just see, from 0.01 to 15 (libjxl, JxlEncoderSetFrameDistance); of no account if
    /// lossless.
    float distance;
    /// 1, the fastest, to 9.
    int effort;
    int is_lossless;
    /// Alpha is left out.
    int is_opaque;
} kuva_jxl_write_options;

/// Begins a file of rows of straight RGBA8 in sRGB, which are copied. `NULL` without memory, or if the library refuses.
kuva_jxl_writer *kuva_jxl_writer_new(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                     const kuva_jxl_write_options *options);
void kuva_jxl_writer_free(kuva_jxl_writer *writer);

/// Writes on into `out`; `written` gets how many bytes.
kuva_jxl_write_status kuva_jxl_writer_drain(kuva_jxl_writer *writer, uint8_t *out, size_t room, size_t *written);

#endif
