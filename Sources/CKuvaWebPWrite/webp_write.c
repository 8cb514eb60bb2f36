#include "kuva_webp_write.h"

#include <limits.h>

#include <webp/encode.h>

kuva_webp_write_status kuva_webp_write(const uint8_t *rows, size_t bytes_per_row, uint32_t width, uint32_t height,
                                       float quality, int is_lossless, int is_opaque, uint8_t **file, size_t *count) {
    *file = NULL;
    *count = 0;
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return KUVA_WEBP_WRITE_FAILED;
    if (width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION || bytes_per_row > INT_MAX)
        return KUVA_WEBP_WRITE_FAILED;
    config.lossless = is_lossless;
    config.quality = quality;
    config.exact = 0;
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.use_argb = is_lossless;
    picture.width = (int)width;
    picture.height = (int)height;
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    int done = is_opaque ? WebPPictureImportRGBX(&picture, rows, (int)bytes_per_row)
                         : WebPPictureImportRGBA(&picture, rows, (int)bytes_per_row);
    done = done && WebPEncode(&config, &picture);
    int has_memory = picture.error_code != VP8_ENC_ERROR_OUT_OF_MEMORY &&
                     picture.error_code != VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY;
    WebPPictureFree(&picture);
    if (!done) {
        WebPMemoryWriterClear(&writer);
        return has_memory ? KUVA_WEBP_WRITE_FAILED : KUVA_WEBP_WRITE_NO_MEMORY;
    }
    *file = writer.mem;
    *count = writer.size;
    return KUVA_WEBP_WRITE_OK;
}

void kuva_webp_write_free(uint8_t *file) { WebPFree(file); }
