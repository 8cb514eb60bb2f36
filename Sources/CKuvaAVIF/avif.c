#include "kuva_avif.h"

#include <avif/avif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The library wants a bound for what boxes may claim, and gives up at once on a file that is shorter. The rows that a
// file cut short does have are wanted, so the bound is this where the file is no longer.
static const uint64_t least_size_hint = (uint64_t)256 << 20;

static const uint32_t most_pixels = AVIF_DEFAULT_IMAGE_SIZE_LIMIT;

struct kuva_avif {
    avifDecoder *decoder;
    avifIO io;
    const uint8_t *bytes;
    size_t count;
    int is_complete;
    /// Past the boxes: a read past the end then waits, so that the rows before it are still decoded.
    int is_decoding;
    uint32_t max_pixels;
    char message[192];
};

static avifResult read_bytes(avifIO *io, uint32_t flags, uint64_t offset, size_t size, avifROData *out) {
    kuva_avif *avif = io->data;
    if (flags != 0) return AVIF_RESULT_IO_ERROR;
    if (offset > avif->count) return avif->is_complete ? AVIF_RESULT_IO_ERROR : AVIF_RESULT_WAITING_ON_IO;
    uint64_t available = avif->count - offset;
    if (size > available) {
        if (!avif->is_complete || avif->is_decoding) return AVIF_RESULT_WAITING_ON_IO;
        size = (size_t)available;
    }
    out->data = avif->bytes + offset;
    out->size = size;
    return AVIF_RESULT_OK;
}

kuva_avif *kuva_avif_create(uint32_t max_pixels, uint32_t max_frames) {
    kuva_avif *avif = calloc(1, sizeof *avif);
    if (!avif) return NULL;
    // The library stops the process where it gets no memory; what follows is small, and frames are bounded below.
    avifDecoder *decoder = avif->decoder = avifDecoderCreate();
    if (!decoder) {
        free(avif);
        return NULL;
    }
    decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    decoder->maxThreads = 1;
    decoder->allowIncremental = AVIF_TRUE;
    decoder->ignoreExif = AVIF_TRUE;
    decoder->ignoreXMP = AVIF_TRUE;
    decoder->strictFlags = AVIF_STRICT_DISABLED;
    // While only boxes are read, nothing is allocated by size, and a better error than the library's can be given.
    decoder->imageDimensionLimit = 0;
    decoder->imageCountLimit = max_frames;
    avif->max_pixels = max_pixels < 1 ? 1 : max_pixels > most_pixels ? most_pixels : max_pixels;
    avif->io.read = read_bytes;
    avif->io.data = avif;
    avifDecoderSetIO(decoder, &avif->io);
    return avif;
}

void kuva_avif_destroy(kuva_avif *avif) {
    if (!avif) return;
    avifDecoderDestroy(avif->decoder);
    free(avif);
}

void kuva_avif_set_input(kuva_avif *avif, const uint8_t *bytes, size_t count, int is_complete) {
    avif->bytes = bytes;
    avif->count = count;
    avif->is_complete = is_complete;
    avif->io.sizeHint = count > least_size_hint ? count : least_size_hint;
}

void kuva_avif_release_input(kuva_avif *avif) {
    avif->bytes = NULL;
    avif->count = 0;
}

static kuva_avif_status status(kuva_avif *avif, avifResult result) {
    if (result == AVIF_RESULT_OK) return KUVA_AVIF_OK;
    if (result == AVIF_RESULT_WAITING_ON_IO && !avif->is_complete) return KUVA_AVIF_NEED_MORE;
    const char *detail = avif->decoder->diag.error;
    if (strstr(detail, "imageCountLimit")) return KUVA_AVIF_TOO_MANY_FRAMES;
    snprintf(avif->message, sizeof avif->message, "%s%s%s", avifResultToString(result), *detail ? ": " : "", detail);
    switch (result) {
    case AVIF_RESULT_WAITING_ON_IO:
    case AVIF_RESULT_TRUNCATED_DATA:
    case AVIF_RESULT_IO_ERROR: return KUVA_AVIF_TRUNCATED;
    case AVIF_RESULT_OUT_OF_MEMORY: return KUVA_AVIF_NO_MEMORY;
    case AVIF_RESULT_NO_CODEC_AVAILABLE:
    case AVIF_RESULT_NOT_IMPLEMENTED:
    case AVIF_RESULT_REFORMAT_FAILED:
    case AVIF_RESULT_UNSUPPORTED_DEPTH: return KUVA_AVIF_UNSUPPORTED;
    default: return KUVA_AVIF_CORRUPT;
    }
}

static uint32_t sampling(avifPixelFormat format) {
    switch (format) {
    case AVIF_PIXEL_FORMAT_YUV444: return 0;
    case AVIF_PIXEL_FORMAT_YUV422: return 1;
    case AVIF_PIXEL_FORMAT_YUV400: return 3;
    default: return 2;
    }
}

kuva_avif_status kuva_avif_read_info(kuva_avif *avif, kuva_avif_info *info) {
    avif->is_decoding = 0;
    avifResult result = avifDecoderParse(avif->decoder);
    if (result != AVIF_RESULT_OK) return status(avif, result);
    const avifImage *image = avif->decoder->image;
    memset(info, 0, sizeof *info);
    info->width = image->width;
    info->height = image->height;
    info->depth = image->depth;
    info->frame_count = (uint32_t)avif->decoder->imageCount;
    info->sampling = sampling(image->yuvFormat);
    info->has_alpha = avif->decoder->alphaPresent != AVIF_FALSE;
    info->is_premultiplied = image->alphaPremultiplied != AVIF_FALSE;
    if (image->transformFlags & AVIF_TRANSFORM_IROT) info->quarter_turns = image->irot.angle & 3;
    if (image->transformFlags & AVIF_TRANSFORM_IMIR) info->mirroring = image->imir.mode ? 2 : 1;
    info->colour_primaries = image->colorPrimaries;
    info->transfer_characteristics = image->transferCharacteristics;
    info->icc_size = image->icc.size;
    return KUVA_AVIF_OK;
}

void kuva_avif_copy_icc(const kuva_avif *avif, uint8_t *out) {
    const avifRWData *icc = &avif->decoder->image->icc;
    if (icc->size > 0) memcpy(out, icc->data, icc->size);
}

kuva_avif_status kuva_avif_decode(kuva_avif *avif, uint32_t frame) {
    avif->is_decoding = 1;
    avif->decoder->imageSizeLimit = avif->max_pixels;
    return status(avif, avifDecoderNthImage(avif->decoder, frame));
}

int kuva_avif_frame_time(const kuva_avif *avif, uint32_t frame, uint64_t *ticks, uint64_t *ticks_per_second) {
    avifImageTiming timing;
    if (avifDecoderNthImageTiming(avif->decoder, frame, &timing) != AVIF_RESULT_OK || timing.timescale == 0) return 0;
    *ticks = timing.durationInTimescales;
    *ticks_per_second = timing.timescale;
    return 1;
}

int kuva_avif_has_frame(const kuva_avif *avif, uint32_t frame, uint64_t count) {
    avifExtent extent;
    if (avifDecoderNthImageMaxExtent(avif->decoder, frame, &extent) != AVIF_RESULT_OK) return 0;
    return extent.size <= count && extent.offset <= count - extent.size;
}

void kuva_avif_decoded_size(const kuva_avif *avif, uint32_t *width, uint32_t *height) {
    *width = avif->decoder->image->width;
    *height = avif->decoder->image->height;
}

uint32_t kuva_avif_row_count(const kuva_avif *avif) { return avifDecoderDecodedRowCount(avif->decoder); }

kuva_avif_status kuva_avif_convert(kuva_avif *avif, uint32_t first, uint32_t count, int divides_by_alpha, uint8_t *rows,
                                   size_t bytes_per_row, uint32_t *skip) {
    const avifImage *image = avif->decoder->image;
    // Of a frame that is only partly there, the rest is not initialised.
    uint32_t height = avifDecoderDecodedRowCount(avif->decoder);
    if (first % 2 != 0 || first > height || count > height - first) return KUVA_AVIF_CORRUPT;
    const avifImage *source = image;
    avifImage *view = NULL;
    *skip = first >= 2 ? 2 : 0;
    uint32_t start = first - *skip;
    uint32_t end = height - first - count >= 2 ? first + count + 2 : height;
    if (start != 0 || end != image->height) {
        view = avifImageCreateEmpty();
        if (!view) return status(avif, AVIF_RESULT_OUT_OF_MEMORY);
        avifCropRect rect = {0, start, image->width, end - start};
        avifResult result = avifImageSetViewRect(view, image, &rect);
        if (result != AVIF_RESULT_OK) {
            avifImageDestroy(view);
            return status(avif, result);
        }
        source = view;
    }
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, source);
    rgb.depth = 8;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.alphaPremultiplied = divides_by_alpha ? AVIF_FALSE : source->alphaPremultiplied;
    rgb.pixels = rows;
    rgb.rowBytes = (uint32_t)bytes_per_row;
    avifResult result = avifImageYUVToRGB(source, &rgb);
    if (view) avifImageDestroy(view);
    return status(avif, result);
}

int kuva_avif_get_planes(const kuva_avif *avif, kuva_avif_planes *planes) {
    const avifImage *image = avif->decoder->image;
    if (image->depth != 8 || image->alphaPlane || avifDecoderDecodedRowCount(avif->decoder) < image->height) return 0;
    uint32_t kind = sampling(image->yuvFormat);
    memset(planes, 0, sizeof *planes);
    planes->plane_count = kind == 3 ? 1 : 3;
    planes->chroma_across = kind == 1 || kind == 2 ? 2 : 1;
    planes->chroma_down = kind == 2 ? 2 : 1;
    planes->chroma_width = (image->width + planes->chroma_across - 1) / planes->chroma_across;
    planes->chroma_height = (image->height + planes->chroma_down - 1) / planes->chroma_down;
    for (uint32_t i = 0; i < planes->plane_count; i++) {
        planes->samples[i] = image->yuvPlanes[i];
        planes->bytes_per_row[i] = image->yuvRowBytes[i];
        if (!image->yuvPlanes[i]) return 0;
    }
    return 1;
}

kuva_avif_status kuva_avif_convert_planes(kuva_avif *avif, uint8_t *planes, uint32_t width, uint32_t height,
                                          uint8_t *rows, size_t bytes_per_row) {
    const avifImage *image = avif->decoder->image;
    int is_grey = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
    avifImage *small = avifImageCreate((int)width, (int)height, 8,
                                       is_grey ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV444);
    if (!small) return status(avif, AVIF_RESULT_OUT_OF_MEMORY);
    small->colorPrimaries = image->colorPrimaries;
    small->transferCharacteristics = image->transferCharacteristics;
    small->matrixCoefficients = image->matrixCoefficients;
    small->yuvRange = image->yuvRange;
    small->imageOwnsYUVPlanes = AVIF_FALSE;
    for (size_t i = 0; i < (is_grey ? 1 : 3); i++) {
        small->yuvPlanes[i] = planes + i * width * height;
        small->yuvRowBytes[i] = width;
    }
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, small);
    rgb.depth = 8;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.pixels = rows;
    rgb.rowBytes = (uint32_t)bytes_per_row;
    avifResult result = avifImageYUVToRGB(small, &rgb);
    avifImageDestroy(small);
    return status(avif, result);
}

const char *kuva_avif_error(const kuva_avif *avif) { return avif->message; }
