#include <string.h>
#include <webp/demux.h>
#include "bare_support.h"
#include "include/bare_codecs.h"

int bare_decode_webp_animation(bare_picture *picture, const uint8_t *bytes, size_t count, int fit) {
    (void)fit;
    WebPAnimDecoderOptions options;
    WebPAnimDecoderOptionsInit(&options);
    options.color_mode = MODE_RGBA;
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&(WebPData){bytes, count}, &options);
    if (!decoder) return -1;
    WebPAnimInfo info;
    WebPAnimDecoderGetInfo(decoder, &info);
    int frames = 0;
    if (!bare_reserve(picture, (int)info.canvas_width, (int)info.canvas_height)) {
        uint8_t *pixels;
        int time;
        while (WebPAnimDecoderHasMoreFrames(decoder) && WebPAnimDecoderGetNext(decoder, &pixels, &time)) {
            memcpy(picture->pixels, pixels, (size_t)info.canvas_width * info.canvas_height * 4);
            frames++;
        }
    }
    WebPAnimDecoderDelete(decoder);
    return frames > 0 ? 0 : -1;
}
