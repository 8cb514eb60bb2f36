#ifndef KUVA_WEBP_H
#define KUVA_WEBP_H
#include <stddef.h>
#include <stdint.h>

// WebP decoding on libwebp's incremental decoder, for one picture: a still file, or the image chunks of one frame of an
// animation. A decoder belongs to one thread at a time.

typedef struct kuva_webp kuva_webp;

typedef enum {
    KUVA_WEBP_OK = 0,
    KUVA_WEBP_NEED_MORE = 1,
    KUVA_WEBP_CORRUPT = 2,
    KUVA_WEBP_UNSUPPORTED = 3,
    KUVA_WEBP_NO_MEMORY = 4
} kuva_webp_status;

typedef struct {
    uint32_t width, height;
    uint8_t has_alpha;
    uint8_t is_animated;  // the size is that of the canvas then
    uint8_t is_lossless;
} kuva_webp_info;

/// Reads what the first bytes say.
kuva_webp_status kuva_webp_read_info(const uint8_t *bytes, size_t count, kuva_webp_info *info);

/// A decoder that writes RGBA8 with straight alpha to `pixels`, `size` bytes, which must stay until kuva_webp_destroy;
/// NULL without memory. With `width` and `height` not 0 the picture is scaled to them, by the mean over an area, in YUV
/// where it is coded so.
kuva_webp *kuva_webp_create(uint8_t *pixels, size_t bytes_per_row, size_t size, uint32_t width, uint32_t height);
/// Where the planes of a lossy picture go, as they are coded: luma, and half as many samples of chroma each way,
/// rounded up.
typedef struct {
    uint8_t *luma, *u, *v;
    size_t luma_bytes_per_row, chroma_bytes_per_row;
    size_t height;  // rows of luma
} kuva_webp_planes;

/// A decoder that writes planes for a picture that will be made smaller: without the filter that smooths the edges of
/// blocks, and without alpha. They must stay until kuva_webp_destroy. NULL without memory.
kuva_webp *kuva_webp_create_yuv(const kuva_webp_planes *planes);

void kuva_webp_destroy(kuva_webp *webp);

/// Goes on with the picture, given from its first byte as far as it has come; `count` never shrinks. The bytes are not
/// kept. OK once the whole picture is decoded.
kuva_webp_status kuva_webp_update(kuva_webp *webp, const uint8_t *bytes, size_t count);

/// How many rows from the top are decoded, and scaled, also after a failure. Of planes: rows of luma, with the chroma of
/// each whole pair.
uint32_t kuva_webp_row_count(const kuva_webp *webp);

#endif
