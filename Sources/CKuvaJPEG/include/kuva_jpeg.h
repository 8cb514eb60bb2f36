#ifndef KUVA_JPEG_H
#define KUVA_JPEG_H
#include <stddef.h>
#include <stdint.h>

// JPEG decoding on libjpeg's API, with return codes in place of longjmp and with input that may still be coming.
//
// A handle keeps no input. Every call that reads gets the file from its first byte as far as it has come, and goes on
// where the last one stopped, so that no byte is read twice. A handle belongs to one thread at a time. After
// KUVA_JPEG_ERROR only the reasons and kuva_jpeg_destroy may be asked of it.

typedef struct kuva_jpeg kuva_jpeg;

typedef enum {
    KUVA_JPEG_OK = 0,         // the step is done, or there is more of it to do
    KUVA_JPEG_NEED_MORE = 1,  // more bytes are needed
    KUVA_JPEG_END = 2,        // there is no more of it
    KUVA_JPEG_ERROR = 3       // see kuva_jpeg_error_kind and kuva_jpeg_error_message
} kuva_jpeg_status;

typedef enum {
    KUVA_JPEG_CORRUPT = 0,
    KUVA_JPEG_UNSUPPORTED = 1,
    KUVA_JPEG_NO_MEMORY = 2
} kuva_jpeg_error;

typedef enum {
    KUVA_JPEG_UNKNOWN = 0,
    KUVA_JPEG_GREY = 1,
    KUVA_JPEG_RGB = 2,
    KUVA_JPEG_YCBCR = 3,
    KUVA_JPEG_CMYK = 4,
    KUVA_JPEG_YCCK = 5
} kuva_jpeg_colour;

typedef struct {
    uint32_t width, height;
    uint32_t bits;                // of one sample
    uint32_t components;
    kuva_jpeg_colour colour;      // how the samples are coded
    uint8_t horizontal[4];        // sampling factors of the first four components
    uint8_t vertical[4];
    uint8_t is_progressive;
    uint8_t is_arithmetic;
    uint8_t has_adobe_marker;
    uint8_t holds_whole_picture;  // several scans: the coefficients are kept until the last has come
    uint64_t coefficient_bytes;   // that this takes; 0 for one scan
} kuva_jpeg_info;

/// A new handle, or NULL without memory.
kuva_jpeg *kuva_jpeg_create(void);
void kuva_jpeg_destroy(kuva_jpeg *jpeg);

/// Gives the file as far as it has come. The bytes are read until the next call of this or of kuva_jpeg_release_input.
/// `is_last` says that no more will come.
void kuva_jpeg_set_input(kuva_jpeg *jpeg, const uint8_t *bytes, size_t count, int is_last);
void kuva_jpeg_release_input(kuva_jpeg *jpeg);

/// Reads up to the first scan: OK with `info` filled, NEED_MORE (even at the last byte) or ERROR.
kuva_jpeg_status kuva_jpeg_read_header(kuva_jpeg *jpeg, kuva_jpeg_info *info);

/// Starts decoding at 1/denominator of the size, denominator 1, 2, 4 or 8, and says the size that this makes.
/// With `keeps_inks`, rows of CMYK and YCCK pictures are the four inks as the file has them, not RGBA.
kuva_jpeg_status kuva_jpeg_start(kuva_jpeg *jpeg, unsigned denominator, int keeps_inks, uint32_t *width,
                                 uint32_t *height);

/// For pictures of several scans: takes coefficients in, at most `steps` rows of blocks, to be called until END.
/// `scans` is the number of the scan that is being read, from 1.
kuva_jpeg_status kuva_jpeg_absorb(kuva_jpeg *jpeg, unsigned steps, unsigned *scans);

/// For pictures of several scans: starts the output of all that has been absorbed.
kuva_jpeg_status kuva_jpeg_start_output(kuva_jpeg *jpeg);

/// For pictures of several scans, before the last has come: starts an output of all rows with what has been absorbed so
/// far, at least one whole scan. It must be read to its end, and ended, before anything else.
kuva_jpeg_status kuva_jpeg_start_preview(kuva_jpeg *jpeg);
kuva_jpeg_status kuva_jpeg_end_preview(kuva_jpeg *jpeg);

/// Decodes at most `count` further rows to RGBA8 with alpha 255 at `rows`; `written` says how many, also with ERROR.
/// END: there is no further row, or what the library would give for it is made up because the data has ended.
kuva_jpeg_status kuva_jpeg_read_rows(kuva_jpeg *jpeg, uint8_t *rows, size_t bytes_per_row, uint32_t count,
                                     uint32_t *written);

/// Whether the file ended before its picture data did.
int kuva_jpeg_is_cut_off(const kuva_jpeg *jpeg);

/// The first complaint about the picture data that the library could go on from; NULL if there was none.
const char *kuva_jpeg_warning(const kuva_jpeg *jpeg);

kuva_jpeg_error kuva_jpeg_error_kind(const kuva_jpeg *jpeg);
const char *kuva_jpeg_error_message(const kuva_jpeg *jpeg);

#endif
