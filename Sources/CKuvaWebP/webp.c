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

kuva_webp *kuva_webp_create(uint8_t *pixels, size_t bytes_per_row, size_t size) {
    kuva_webp *webp = calloc(1, sizeof *webp);
    if (webp == NULL) return NULL;
    if (bytes_per_row <= INT32_MAX && WebPInitDecoderConfig(&webp->config)) {
        webp->config.output.colorspace = MODE_RGBA;
        webp->config.output.is_external_memory = 1;
        webp->config.output.u.RGBA.rgba = pixels;
        webp->config.output.u.RGBA.stride = (int)bytes_per_row;
        webp->config.output.u.RGBA.size = size;
        webp->decoder = WebPIDecode(NULL, 0, &webp->config);
    }
    if (webp->decoder != NULL) return webp;
    free(webp);
    return NULL;
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
    if (WebPIDecGetRGB(webp->decoder, &last, NULL, NULL, NULL) == NULL || last < 0) return 0;
    return (uint32_t)last;
}
