#include "kuva_avif_write.h"

#include <avif/avif.h>
#include <stdio.h>

static void set_quality(avifEncoder *encoder, const kuva_avif_write_options *options) {
#if AVIF_VERSION >= 1000000
    encoder->quality = options->is_lossless ? AVIF_QUALITY_LOSSLESS : options->quality;
    encoder->qualityAlpha = AVIF_QUALITY_LOSSLESS;
#else
    // The range from 0, the best, to 63 that libavif 1.0 makes of a quality.
    int middle = options->is_lossless ? 0 : ((100 - options->quality) * AVIF_QUANTIZER_WORST_QUALITY + 50) / 100;
    int spread = options->is_lossless ? 0 : 4;
    encoder->minQuantizer = middle < spread ? 0 : middle - spread;
    encoder->maxQuantizer =
        middle + spread > AVIF_QUANTIZER_WORST_QUALITY ? AVIF_QUANTIZER_WORST_QUALITY : middle + spread;
    encoder->minQuantizerAlpha = encoder->maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS;
#endif
}

static avifImage *picture(uint32_t width, uint32_t height, const kuva_avif_write_options *options) {
    int is_full = options->has_full_chroma || options->is_lossless;
    avifImage *image = avifImageCreate(width, height, 8, is_full ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420);
    if (!image) return NULL;
    image->yuvRange = AVIF_RANGE_FULL;
    if (options->is_srgb) {
        image->colorPrimaries = AVIF_COLOR_PRIMARIES_BT709;
        image->transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    }
    // Only the identity, which stores green, blue and red, loses nothing.
    image->matrixCoefficients =
        options->is_lossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601;
    return image;
}

static kuva_avif_write_status status(avifResult result) {
    switch (result) {
    case AVIF_RESULT_OK: return KUVA_AVIF_WRITE_OK;
    case AVIF_RESULT_OUT_OF_MEMORY: return KUVA_AVIF_WRITE_NO_MEMORY;
    case AVIF_RESULT_NO_CODEC_AVAILABLE: return KUVA_AVIF_WRITE_NO_ENCODER;
    default: return KUVA_AVIF_WRITE_FAILED;
    }
}

kuva_avif_write_status kuva_avif_write(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                       const kuva_avif_write_options *options, uint8_t **file, size_t *count,
                                       char *message, size_t message_size) {
    *file = NULL;
    *count = 0;
    snprintf(message, message_size, "out of memory");
    // libaom is the one encoder that has all of these: rav1e and SVT-AV1 write no lossless and no RGB pictures.
    const char *name = avifCodecName(AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_FLAG_CAN_ENCODE);
    if (!name && options->is_lossless) return KUVA_AVIF_WRITE_NO_ENCODER;
    avifEncoder *encoder = avifEncoderCreate();
    avifImage *image = picture(width, height, options);
    avifRWData output = AVIF_DATA_EMPTY;
    if (!encoder || !image) {
        if (encoder) avifEncoderDestroy(encoder);
        if (image) avifImageDestroy(image);
        return KUVA_AVIF_WRITE_NO_MEMORY;
    }
    encoder->codecChoice = name ? AVIF_CODEC_CHOICE_AOM : AVIF_CODEC_CHOICE_AUTO;
    encoder->maxThreads = 1;
    encoder->speed = options->speed;
    set_quality(encoder, options);

    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, image);
    rgb.depth = 8;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.ignoreAlpha = options->is_opaque ? AVIF_TRUE : AVIF_FALSE;
    rgb.pixels = (uint8_t *)rows;
    rgb.rowBytes = (uint32_t)bytes_per_row;
    avifResult result = avifImageRGBToYUV(image, &rgb);
    if (result == AVIF_RESULT_OK) result = avifEncoderWrite(encoder, image, &output);
    if (result == AVIF_RESULT_OK) {
        *file = output.data;
        *count = output.size;
    } else {
        const char *detail = encoder->diag.error;
        snprintf(message, message_size, "%s%s%s", avifResultToString(result), *detail ? ": " : "", detail);
        avifRWDataFree(&output);
    }
    avifImageDestroy(image);
    avifEncoderDestroy(encoder);
    return status(result);
}

void kuva_avif_write_free(uint8_t *file) {
    avifRWData data = {file, 0};
    if (file) avifRWDataFree(&data);
}
