#include "kuva_webp_mux.h"

#include <limits.h>
#include <stdlib.h>

#include <webp/encode.h>
#include <webp/mux.h>

struct kuva_webp_animation {
    WebPAnimEncoder *encoder;
    WebPConfig config;
    int width, height;
};

typedef struct {
    kuva_webp_mux_go_on go_on;
    void *context;
} progress;

kuva_webp_animation *kuva_webp_animation_new(uint32_t width, uint32_t height, uint32_t loop_count, float quality,
                                             int is_lossless) {
    WebPAnimEncoderOptions options;
    if (width == 0 || height == 0 || width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION ||
        loop_count > 65535 || !WebPAnimEncoderOptionsInit(&options))
        return NULL;
    kuva_webp_animation *animation = calloc(1, sizeof *animation);
    if (!animation) return NULL;
    options.anim_params.loop_count = (int)loop_count;
    // How often a frame depends on none before it: what gif2webp chooses.
    options.kmin = is_lossless ? 9 : 3;
    options.kmax = is_lossless ? 17 : 5;
    animation->width = (int)width;
    animation->height = (int)height;
    if (WebPConfigInit(&animation->config)) {
        animation->config.lossless = is_lossless;
        animation->config.quality = quality;
        animation->encoder = WebPAnimEncoderNew((int)width, (int)height, &options);
    }
    if (animation->encoder) return animation;
    free(animation);
    return NULL;
}

void kuva_webp_animation_free(kuva_webp_animation *animation) {
    if (!animation) return;
    WebPAnimEncoderDelete(animation->encoder);
    free(animation);
}

static int report(int percent, const WebPPicture *picture) {
    (void)percent;
    const progress *p = picture->user_data;
    return p->go_on(p->context);
}

static kuva_webp_mux_status failure(const WebPPicture *picture) {
    switch (picture->error_code) {
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY: return KUVA_WEBP_MUX_NO_MEMORY;
    case VP8_ENC_ERROR_USER_ABORT: return KUVA_WEBP_MUX_STOPPED;
    default: return KUVA_WEBP_MUX_FAILED;
    }
}

kuva_webp_mux_status kuva_webp_animation_add(kuva_webp_animation *animation, const uint8_t *rows, size_t bytes_per_row,
                                             int is_opaque, int32_t milliseconds, kuva_webp_mux_go_on go_on,
                                             void *context) {
    WebPPicture picture;
    if (bytes_per_row > INT_MAX || !WebPPictureInit(&picture)) return KUVA_WEBP_MUX_FAILED;
    progress p = {go_on, context};
    picture.use_argb = 1;
    picture.width = animation->width;
    picture.height = animation->height;
    picture.progress_hook = report;
    picture.user_data = &p;
    int done = is_opaque ? WebPPictureImportRGBX(&picture, rows, (int)bytes_per_row)
                         : WebPPictureImportRGBA(&picture, rows, (int)bytes_per_row);
    done = done && WebPAnimEncoderAdd(animation->encoder, &picture, milliseconds, &animation->config);
    kuva_webp_mux_status status = done ? KUVA_WEBP_MUX_OK : failure(&picture);
    // What the encoder encodes are views of the picture, whose error codes do not come back.
    if (!done && !go_on(context)) status = KUVA_WEBP_MUX_STOPPED;
    WebPPictureFree(&picture);
    return status;
}

kuva_webp_mux_status kuva_webp_animation_finish(kuva_webp_animation *animation, int32_t milliseconds, uint8_t **file,
                                                size_t *count) {
    WebPData data;
    WebPDataInit(&data);
    *file = NULL;
    *count = 0;
    if (!WebPAnimEncoderAdd(animation->encoder, NULL, milliseconds, NULL) ||
        !WebPAnimEncoderAssemble(animation->encoder, &data))
        return KUVA_WEBP_MUX_FAILED;
    *file = (uint8_t *)data.bytes;
    *count = data.size;
    return KUVA_WEBP_MUX_OK;
}

void kuva_webp_mux_free(uint8_t *file) { WebPFree(file); }
