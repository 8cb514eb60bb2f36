#include "bare_support.h"

#include <webp/decode.h>

int bare_decode_webp(bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config) || WebPGetFeatures(bytes, count, &config.input) != VP8_STATUS_OK) return -1;
    int width, height;
    bare_fitted(config.input.width, config.input.height, fit, &width, &height);
    if (bare_reserve(picture, width, height)) return -1;
    config.options.use_scaling = fit != 0;
    config.options.scaled_width = width;
    config.options.scaled_height = height;
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = picture->pixels;
    config.output.u.RGBA.stride = width * 4;
    config.output.u.RGBA.size = (size_t)width * (size_t)height * 4;
    return WebPDecode(bytes, count, &config) == VP8_STATUS_OK ? 0 : -1;
}
