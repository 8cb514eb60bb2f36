#ifndef KUVA_JXL_H
#define KUVA_JXL_H
#include <stddef.h>
#include <stdint.h>

/// One JPEG XL file being read through libjxl on the calling thread. Each call gets the file from its start as far as it
/// has come, looks at it and keeps no pointer to it; what was read once is not read again.
typedef struct kuva_jxl kuva_jxl;

typedef enum {
    KUVA_JXL_OK,
    /// The bytes so far are not enough.
    KUVA_JXL_TRUNCATED,
    KUVA_JXL_CORRUPT,
    KUVA_JXL_STOPPED,
    KUVA_JXL_NO_MEMORY,
} kuva_jxl_status;

typedef struct {
    uint32_t width;
    uint32_t height;
    uint32_t bits_per_channel;
    uint32_t colour_channels;
    uint32_t has_alpha;
    uint32_t is_premultiplied;
    /// As EXIF counts.
    uint32_t orientation;
    uint32_t is_animated;
    /// How often an animation plays; 0 for ever.
    uint32_t loop_count;
    /// Ticks a second of the times of frames, as a fraction.
    uint32_t ticks_numerator;
    uint32_t ticks_denominator;
    /// In what colours the pixels come out: code points of ISO/IEC 23091-2, 0 where there are none, and then the bytes of
    /// an ICC profile.
    uint32_t colour_primaries;
    uint32_t transfer_characteristics;
    size_t pixels_icc_size;
    /// Bytes of the ICC profile that the file carries; 0 if it names its colours another way.
    size_t icc_size;
} kuva_jxl_info;

/// `NULL` without memory. With `wants_srgb` the library is asked for sRGB where it makes the colours itself (XYB), unless
/// the file has those of PQ or HLG.
kuva_jxl *kuva_jxl_open(int wants_srgb);
void kuva_jxl_close(kuva_jxl *jxl);

/// Reads the headers up to those of the first frame. Pixels are not decoded.
kuva_jxl_status kuva_jxl_read_info(kuva_jxl *jxl, const uint8_t *bytes, size_t count, kuva_jxl_info *info);

/// Copies the profile of `pixels_icc_size` bytes, after kuva_jxl_read_info. 0 without one.
int kuva_jxl_copy_icc(const kuva_jxl *jxl, uint8_t *out, size_t size);

/// Reads on, after kuva_jxl_read_info, to the header of the next frame that is shown. KUVA_JXL_OK with `is_end` says that
/// there is none. Once it has come, or the end has, the frame before it is whole.
kuva_jxl_status kuva_jxl_next_frame(
    kuva_jxl *jxl, const uint8_t *bytes, size_t count, uint32_t *ticks, int *is_end);

/// Says whether the work may go on.
typedef int (*kuva_jxl_watch)(void *watcher);

/// Asks `watch` some thirty times while a picture is decoded, on the calling thread; a decoding that may not go on ends with
/// KUVA_JXL_STOPPED. `NULL` asks nobody.
void kuva_jxl_set_watch(kuva_jxl *jxl, kuva_jxl_watch watch, void *watcher);

/// Decodes a frame as it is shown, not turned, to RGBA8 rows without gaps: width * height * 4 bytes. Going back costs the
/// frames that it depends on. After KUVA_JXL_TRUNCATED, `has_pixels` says whether a coarse picture of what came is there.
kuva_jxl_status kuva_jxl_decode(kuva_jxl *jxl, const uint8_t *bytes, size_t count, uint32_t frame, uint8_t *pixels,
                                size_t size, int *has_pixels);

#endif
