#include "bare_support.h"

#include <avif/avif.h>

// libavif with one thread, its own conversion to RGBA, and the mean of areas where the picture is wanted smaller.
int bare_decode_avif(bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    static bare_picture whole;
    int status = -1;
    avifRGBImage rgb;
    avifDecoder *decoder = avifDecoderCreate();
    if (decoder == NULL) return -1;
    decoder->maxThreads = 1;
    if (avifDecoderSetIOMemory(decoder, bytes, count) != AVIF_RESULT_OK) goto end;
    if (avifDecoderParse(decoder) != AVIF_RESULT_OK || avifDecoderNextImage(decoder) != AVIF_RESULT_OK) goto end;
    int width = (int)decoder->image->width, height = (int)decoder->image->height, out_width, out_height;
    bare_fitted(width, height, fit, &out_width, &out_height);
    bare_picture *target = out_width == width && out_height == height ? picture : &whole;
    if (bare_reserve(target, width, height)) goto end;
    avifRGBImageSetDefaults(&rgb, decoder->image);
    rgb.depth = 8;
    rgb.pixels = target->pixels;
    rgb.rowBytes = (uint32_t)width * 4;
    if (avifImageYUVToRGB(decoder->image, &rgb) != AVIF_RESULT_OK) goto end;
    status = target == picture ? 0 : bare_resize(picture, whole.pixels, width, height, out_width, out_height);
end:
    avifDecoderDestroy(decoder);
    return status;
}
