#ifndef KUVA_AVIF_H
#define KUVA_AVIF_H
#include <stddef.h>
#include <stdint.h>

/// One AVIF file being read through libavif, with dav1d, on the calling thread.
typedef struct kuva_avif kuva_avif;

typedef enum {
    KUVA_AVIF_OK,
    KUVA_AVIF_NEED_MORE,
    KUVA_AVIF_TRUNCATED,
    KUVA_AVIF_CORRUPT,
    KUVA_AVIF_UNSUPPORTED,
    KUVA_AVIF_TOO_MANY_FRAMES,
    KUVA_AVIF_NO_MEMORY,
} kuva_avif_status;

typedef struct {
    uint32_t width;
    uint32_t height;
    uint32_t depth;
    uint32_t frame_count;
    /// 0 for 4:4:4, 1 for 4:2:2, 2 for 4:2:0, 3 for grey.
    uint32_t sampling;
    uint32_t has_alpha;
    uint32_t is_premultiplied;
    /// Quarter turns anticlockwise that the picture needs, then the mirroring: 0 none, 1 top and bottom exchanged,
    /// 2 left and right exchanged (ISO/IEC 23008-12, 6.5.10 and 6.5.12).
    uint32_t quarter_turns;
    uint32_t mirroring;
    /// Code points of ISO/IEC 23091-2.
    uint32_t colour_primaries;
    uint32_t transfer_characteristics;
    size_t icc_size;
} kuva_avif_info;

/// `NULL` without memory. `max_frames` holds from the boxes on; `max_pixels`, which is taken for at most 2^28, for what
/// the decoder of each item gets to decode, whatever the boxes say.
kuva_avif *kuva_avif_create(uint32_t max_pixels, uint32_t max_frames);
void kuva_avif_destroy(kuva_avif *avif);

/// The file as far as it has come; looked at until the input is released, never kept.
void kuva_avif_set_input(kuva_avif *avif, const uint8_t *bytes, size_t count, int is_complete);
void kuva_avif_release_input(kuva_avif *avif);

/// Reads the boxes. May be called again after KUVA_AVIF_NEED_MORE.
kuva_avif_status kuva_avif_read_info(kuva_avif *avif, kuva_avif_info *info);

/// Copies the ICC profile, whose size the info has, after kuva_avif_read_info.
void kuva_avif_copy_icc(const kuva_avif *avif, uint8_t *out);

/// Decodes a frame; going back, or forward by more than one, costs the frames from the last key frame on. After
/// KUVA_AVIF_NEED_MORE, some rows of a grid may be there: see kuva_avif_row_count.
kuva_avif_status kuva_avif_decode(kuva_avif *avif, uint32_t frame);

/// How long a frame of a sequence is shown; once the boxes are read. Returns 0 if the file does not say.
int kuva_avif_frame_time(const kuva_avif *avif, uint32_t frame, uint64_t *ticks, uint64_t *ticks_per_second);

/// Whether the first `count` bytes of the file are enough for a frame; costs the frames since the last key frame.
int kuva_avif_has_frame(const kuva_avif *avif, uint32_t frame, uint64_t count);

/// The size of the decoded frame, which a broken file may have made another than its boxes said.
void kuva_avif_decoded_size(const kuva_avif *avif, uint32_t *width, uint32_t *height);

/// How many rows from the top are decoded.
uint32_t kuva_avif_row_count(const kuva_avif *avif);

/// Rows that kuva_avif_convert writes around those asked for, at most.
enum { KUVA_AVIF_EXTRA_ROWS = 4 };

/// Converts rows to RGBA8, `count` from `first` on, which must be even; alpha is multiplied if the file has it so and
/// `divides_by_alpha` is 0, otherwise straight. Chroma is interpolated between rows, so some neighbours are converted too: `rows` must hold
/// `count + KUVA_AVIF_EXTRA_ROWS` rows unless all rows of the frame are asked for.
///
/// `skip` gets how many rows in `rows` stand before row `first`. Byte for byte, the rows are those that converting the
/// whole frame would give.
kuva_avif_status kuva_avif_convert(kuva_avif *avif, uint32_t first, uint32_t count, int divides_by_alpha, uint8_t *rows,
                                   size_t bytes_per_row, uint32_t *skip);

/// The planes of a frame of 8 bits that is decoded to its end; valid until the next frame is decoded.
typedef struct {
    /// Luma and both of chroma, which grey has not.
    const uint8_t *samples[3];
    size_t bytes_per_row[3];
    uint32_t chroma_width;
    uint32_t chroma_height;
    /// By how many samples of luma one of chroma stands: 1 or 2.
    uint32_t chroma_across;
    uint32_t chroma_down;
    uint32_t plane_count;
} kuva_avif_planes;

/// Returns 0 for a frame with alpha, of more bits or without its last rows.
int kuva_avif_get_planes(const kuva_avif *avif, kuva_avif_planes *planes);

/// Converts planes that were made of those of the frame, of another size and with as many samples of chroma as of luma,
/// to opaque RGBA8: the colours that the frame would have. The planes lie one behind the other and are not changed.
kuva_avif_status kuva_avif_convert_planes(kuva_avif *avif, uint8_t *planes, uint32_t width, uint32_t height,
                                          uint8_t *rows, size_t bytes_per_row);

/// What went wrong, in the library's words; never `NULL`.
const char *kuva_avif_error(const kuva_avif *avif);

#endif
