#include "kuva_webp.h"

#include <stdlib.h>

#include <webp/decode.h>

struct kuva_webp {
    WebPDecoderConfig config;  // the decoder points into it
    WebPIDecoder *decoder;
};

static kuva_webp_status status(VP8StatusCode code) {
    switch (code) {
    case VP8_STATUS_OK:
        return KUVA_WEBP_OK;
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA:
        return KUVA_WEBP_NEED_MORE;
    case VP8_STATUS_OUT_OF_MEMORY:
        return KUVA_WEBP_NO_MEMORY;
    case VP8_STATUS_UNSUPPORTED_FEATURE:
        return KUVA_WEBP_UNSUPPORTED;
    default:
        return KUVA_WEBP_CORRUPT;
    }
}

kuva_webp_status kuva_webp_read_info(const uint8_t *bytes, size_t count, kuva_webp_info *info) {
    WebPBitstreamFeatures features;
    VP8StatusCode code = WebPGetFeatures(bytes, count, &features);
    if (code != VP8_STATUS_OK) return status(code);
    *info = (kuva_webp_info){
        .width = (uint32_t)features.width,
        .height = (uint32_t)features.height,
        .has_alpha = features.has_alpha != 0,
        .is_animated = features.has_animation != 0,
        .is_lossless = features.format == 2,
    };
    return KUVA_WEBP_OK;
}

static kuva_webp *create(void) {
    kuva_webp *webp = calloc(1, sizeof *webp);
    if (webp == NULL) return NULL;
    if (WebPInitDecoderConfig(&webp->config)) {
        webp->config.output.is_external_memory = 1;
        return webp;
    }
    free(webp);
    return NULL;
}

static kuva_webp *start(kuva_webp *webp) {
    webp->decoder = WebPIDecode(NULL, 0, &webp->config);
    if (webp->decoder != NULL) return webp;
    free(webp);
    return NULL;
}

kuva_webp *kuva_webp_create(uint8_t *pixels, size_t bytes_per_row, size_t size, uint32_t width, uint32_t height) {
    kuva_webp *webp = bytes_per_row <= INT32_MAX ? create() : NULL;
    if (webp == NULL) return NULL;
    webp->config.output.colorspace = MODE_RGBA;
    webp->config.output.u.RGBA.rgba = pixels;
    webp->config.output.u.RGBA.stride = (int)bytes_per_row;
    webp->config.output.u.RGBA.size = size;
    webp->config.options.use_scaling = width != 0 && height != 0;
    webp->config.options.scaled_width = (int)width;
    webp->config.options.scaled_height = (int)height;
    return start(webp);
}

kuva_webp *kuva_webp_create_yuv(const kuva_webp_planes *planes) {
    size_t luma = planes->luma_bytes_per_row, chroma = planes->chroma_bytes_per_row;
    kuva_webp *webp = luma <= INT32_MAX && chroma <= INT32_MAX ? create() : NULL;
    if (webp == NULL) return NULL;
    // As the library does itself where it makes a picture smaller: the edges of blocks go under in the scaling.
    webp->config.options.bypass_filtering = 1;
    webp->config.output.colorspace = MODE_YUV;
    webp->config.output.u.YUVA = (WebPYUVABuffer){
        .y = planes->luma,
        .u = planes->u,
        .v = planes->v,
        .y_stride = (int)luma,
        .u_stride = (int)chroma,
        .v_stride = (int)chroma,
        .y_size = luma * planes->height,
        .u_size = chroma * ((planes->height + 1) / 2),
        .v_size = chroma * ((planes->height + 1) / 2),
    };
    return start(webp);
}

void kuva_webp_destroy(kuva_webp *webp) {
    if (webp == NULL) return;
    WebPIDelete(webp->decoder);
    free(webp);
}

kuva_webp_status kuva_webp_update(kuva_webp *webp, const uint8_t *bytes, size_t count) {
    return status(WebPIUpdate(webp->decoder, bytes, count));
}

uint32_t kuva_webp_row_count(const kuva_webp *webp) {
    int last = 0;
    const uint8_t *start = webp->config.output.colorspace == MODE_YUV
                               ? WebPIDecGetYUV(webp->decoder, &last, NULL, NULL, NULL, NULL, NULL, NULL)
                               : WebPIDecGetRGB(webp->decoder, &last, NULL, NULL, NULL);
    return start == NULL || last < 0 ? 0 : (uint32_t)last;
}
