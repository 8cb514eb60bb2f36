#include "kuva_jxl_write.h"

#if __has_include(<jxl/encode.h>)
#include <jxl/encode.h>
#include <stdlib.h>
#include <string.h>

struct kuva_jxl_writer {
    JxlEncoder *encoder;
};

// Without gaps, since the library takes no stride, and without alpha where there is none in the file.
static uint8_t *packed(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height, size_t channels) {
    uint8_t *pixels = malloc((size_t)width * height * channels), *out = pixels;
    if (!pixels) return NULL;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *in = rows + y * bytes_per_row;
        for (uint32_t x = 0; x < width; x++, in += 4, out += channels) memcpy(out, in, channels);
    }
    return pixels;
}

static int begin(JxlEncoder *encoder, const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                 const kuva_jxl_write_options *options) {
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = width;
    info.ysize = height;
    info.bits_per_sample = 8;
    info.num_color_channels = 3;
    info.uses_original_profile = options->is_lossless ? JXL_TRUE : JXL_FALSE;
    if (!options->is_opaque) {
        info.alpha_bits = 8;
        info.num_extra_channels = 1;
    }
    JxlColorEncoding colour;
    JxlColorEncodingSetToSRGB(&colour, JXL_FALSE);
    if (JxlEncoderSetBasicInfo(encoder, &info) != JXL_ENC_SUCCESS ||
        JxlEncoderSetColorEncoding(encoder, &colour) != JXL_ENC_SUCCESS)
        return 0;
    JxlEncoderFrameSettings *frame = JxlEncoderFrameSettingsCreate(encoder, NULL);
    if (!frame) return 0;
    if (JxlEncoderFrameSettingsSetOption(frame, JXL_ENC_FRAME_SETTING_EFFORT, options->effort) != JXL_ENC_SUCCESS)
        return 0;
    if (options->is_lossless) {
        if (JxlEncoderSetFrameLossless(frame, JXL_TRUE) != JXL_ENC_SUCCESS) return 0;
    } else if (JxlEncoderSetFrameDistance(frame, options->distance) != JXL_ENC_SUCCESS) {
        return 0;
    }
    uint32_t channels = options->is_opaque ? 3 : 4;
    uint8_t *pixels = packed(rows, bytes_per_row, width, height, channels);
    if (!pixels) return 0;
    JxlPixelFormat format = {channels, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    size_t size = (size_t)width * height * channels;
    JxlEncoderStatus status = JxlEncoderAddImageFrame(frame, &format, pixels, size);
    free(pixels);
    if (status != JXL_ENC_SUCCESS) return 0;
    JxlEncoderCloseInput(encoder);
    return 1;
}

kuva_jxl_writer *kuva_jxl_writer_new(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                     const kuva_jxl_write_options *options) {
    kuva_jxl_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return NULL;
    writer->encoder = JxlEncoderCreate(NULL);
    if (writer->encoder && begin(writer->encoder, rows, bytes_per_row, width, height, options)) return writer;
    kuva_jxl_writer_free(writer);
    return NULL;
}

void kuva_jxl_writer_free(kuva_jxl_writer *writer) {
    if (!writer) return;
    if (writer->encoder) JxlEncoderDestroy(writer->encoder);
    free(writer);
}

kuva_jxl_write_status kuva_jxl_writer_drain(kuva_jxl_writer *writer, uint8_t *out, size_t room, size_t *written) {
    uint8_t *next = out;
    size_t left = room;
    JxlEncoderStatus status = JxlEncoderProcessOutput(writer->encoder, &next, &left);
    *written = (size_t)(next - out);
    switch (status) {
    case JXL_ENC_SUCCESS: return KUVA_JXL_WRITE_DONE;
    case JXL_ENC_NEED_MORE_OUTPUT: return KUVA_JXL_WRITE_GOES_ON;
    default:
        return JxlEncoderGetError(writer->encoder) == JXL_ENC_ERR_OOM ? KUVA_JXL_WRITE_NO_MEMORY
                                                                      : KUVA_JXL_WRITE_FAILED;
    }
}

#elif defined(KUVA_TRAIT_JPEGXL)
#error "the trait JPEGXL needs libjxl's header: apt install libjxl-dev"
#endif
