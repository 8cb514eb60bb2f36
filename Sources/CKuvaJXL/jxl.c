#include "kuva_jxl.h"

#if __has_include(<jxl/decode.h>)
#include <jxl/decode.h>
#include <stdlib.h>
#include <string.h>

/// A pass over the file: where it is, and whether it is one that cannot go on.
typedef struct {
    JxlDecoder *decoder;
    size_t position;
    int is_started;
} pass;

struct kuva_jxl {
    /// Over the headers, and over the pixels.
    pass headers, pixels;
    int wants_srgb;
    /// The frame that the second pass comes to next.
    uint32_t next_frame;
    /// Where rows go that come with 16 bits, and their width.
    uint8_t *rows;
    size_t width;
    kuva_jxl_watch watch;
    void *watcher;
};

static const JxlPixelFormat wide_format = {4, JXL_TYPE_UINT16, JXL_NATIVE_ENDIAN, 0};
static const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};

kuva_jxl *kuva_jxl_open(int wants_srgb) {
    kuva_jxl *jxl = calloc(1, sizeof *jxl);
    if (jxl) jxl->wants_srgb = wants_srgb;
    return jxl;
}

static void end(pass *p) {
    if (p->decoder) JxlDecoderDestroy(p->decoder);
    memset(p, 0, sizeof *p);
}

void kuva_jxl_close(kuva_jxl *jxl) {
    if (!jxl) return;
    end(&jxl->headers);
    end(&jxl->pixels);
    free(jxl);
}

void kuva_jxl_set_watch(kuva_jxl *jxl, kuva_jxl_watch watch, void *watcher) {
    jxl->watch = watch;
    jxl->watcher = watcher;
}

static int start(pass *p, int events) {
    if (p->is_started) return 1;
    end(p);
    p->decoder = JxlDecoderCreate(NULL);
    p->is_started = p->decoder && JxlDecoderSubscribeEvents(p->decoder, events) == JXL_DEC_SUCCESS &&
                    JxlDecoderSetKeepOrientation(p->decoder, JXL_TRUE) == JXL_DEC_SUCCESS;
    return p->is_started;
}

/// Lends the rest of the file. The input stays open, so that an end that comes too soon is not taken for an error.
static int lend(pass *p, const uint8_t *bytes, size_t count) {
    if (p->position > count) return 0;
    return JxlDecoderSetInput(p->decoder, bytes + p->position, count - p->position) == JXL_DEC_SUCCESS;
}

static void take_back(pass *p, size_t count) { p->position = count - JxlDecoderReleaseInput(p->decoder); }

// libjxl's numbers are those of the standard, but that its P3 leaves the white open.
static void read_code_points(const JxlColorEncoding *colour, kuva_jxl_info *info) {
    if (colour->white_point != JXL_WHITE_POINT_D65 || colour->transfer_function == JXL_TRANSFER_FUNCTION_GAMMA) return;
    uint32_t primaries = 1;
    if (colour->color_space == JXL_COLOR_SPACE_RGB) {
        if (colour->primaries == JXL_PRIMARIES_CUSTOM) return;
        primaries = colour->primaries == JXL_PRIMARIES_P3 ? 12 : (uint32_t)colour->primaries;
    } else if (colour->color_space != JXL_COLOR_SPACE_GRAY) {
        return;
    }
    info->colour_primaries = primaries;
    info->transfer_characteristics = (uint32_t)colour->transfer_function;
}

// Only files in XYB heed it; the others refuse, and their colours stay.
static void prefer_srgb(const kuva_jxl *jxl, JxlDecoder *decoder) {
    JxlColorEncoding colour;
    if (!jxl->wants_srgb) return;
    if (JxlDecoderGetColorAsEncodedProfile(decoder, &format, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &colour) ==
            JXL_DEC_SUCCESS &&
        (colour.transfer_function == JXL_TRANSFER_FUNCTION_PQ || colour.transfer_function == JXL_TRANSFER_FUNCTION_HLG))
        return;
    JxlBasicInfo basic;
    if (JxlDecoderGetBasicInfo(decoder, &basic) != JXL_DEC_SUCCESS || basic.uses_original_profile) return;
    JxlColorEncoding srgb = {
        .color_space = basic.num_color_channels == 1 ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB,
        .white_point = JXL_WHITE_POINT_D65,
        .primaries = JXL_PRIMARIES_SRGB,
        .transfer_function = JXL_TRANSFER_FUNCTION_SRGB,
        .rendering_intent = JXL_RENDERING_INTENT_RELATIVE,
    };
    JxlDecoderSetPreferredColorProfile(decoder, &srgb);
}

static void read_colour(const kuva_jxl *jxl, JxlDecoder *decoder, kuva_jxl_info *info) {
    JxlColorEncoding colour;
    prefer_srgb(jxl, decoder);
    if (JxlDecoderGetColorAsEncodedProfile(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &colour) ==
        JXL_DEC_SUCCESS)
        read_code_points(&colour, info);
    size_t size = 0;
    if (info->colour_primaries == 0 &&
        JxlDecoderGetICCProfileSize(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &size) == JXL_DEC_SUCCESS)
        info->pixels_icc_size = size;
    size = 0;
    if (JxlDecoderGetColorAsEncodedProfile(decoder, &format, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &colour) !=
            JXL_DEC_SUCCESS &&
        JxlDecoderGetICCProfileSize(decoder, &format, JXL_COLOR_PROFILE_TARGET_ORIGINAL, &size) == JXL_DEC_SUCCESS)
        info->icc_size = size;
}

static kuva_jxl_status read_headers(const kuva_jxl *jxl, JxlDecoder *decoder, kuva_jxl_info *info) {
    memset(info, 0, sizeof *info);
    for (;;) {
        JxlDecoderStatus step = JxlDecoderProcessInput(decoder);
        if (step == JXL_DEC_BASIC_INFO) {
            JxlBasicInfo basic;
            if (JxlDecoderGetBasicInfo(decoder, &basic) != JXL_DEC_SUCCESS) return KUVA_JXL_CORRUPT;
            info->width = basic.xsize;
            info->height = basic.ysize;
            info->bits_per_channel = basic.bits_per_sample;
            info->colour_channels = basic.num_color_channels;
            info->has_alpha = basic.alpha_bits > 0;
            info->is_premultiplied = basic.alpha_premultiplied != JXL_FALSE;
            info->orientation = (uint32_t)basic.orientation;
            info->is_animated = basic.have_animation != JXL_FALSE;
            if (!info->is_animated) continue;
            info->loop_count = basic.animation.num_loops;
            info->ticks_numerator = basic.animation.tps_numerator;
            info->ticks_denominator = basic.animation.tps_denominator;
        } else if (step == JXL_DEC_COLOR_ENCODING) {
            read_colour(jxl, decoder, info);
            return KUVA_JXL_OK;
        } else {
            return step == JXL_DEC_NEED_MORE_INPUT ? KUVA_JXL_TRUNCATED : KUVA_JXL_CORRUPT;
        }
    }
}

int kuva_jxl_copy_icc(const kuva_jxl *jxl, uint8_t *out, size_t size) {
    return JxlDecoderGetColorAsICCProfile(jxl->headers.decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, out, size) ==
           JXL_DEC_SUCCESS;
}

kuva_jxl_status kuva_jxl_read_info(kuva_jxl *jxl, const uint8_t *bytes, size_t count, kuva_jxl_info *info) {
    pass *p = &jxl->headers;
    // From the start each time until it is there: the headers are short.
    end(p);
    if (!start(p, JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FRAME) || !lend(p, bytes, count))
        return KUVA_JXL_NO_MEMORY;
    kuva_jxl_status status = read_headers(jxl, p->decoder, info);
    take_back(p, count);
    return status;
}

kuva_jxl_status kuva_jxl_next_frame(
    kuva_jxl *jxl, const uint8_t *bytes, size_t count, uint32_t *ticks, int *is_end) {
    pass *p = &jxl->headers;
    *is_end = 0;
    *ticks = 0;
    if (!p->is_started || !lend(p, bytes, count)) return KUVA_JXL_CORRUPT;
    JxlDecoderStatus step = JxlDecoderProcessInput(p->decoder);
    JxlFrameHeader header;
    if (step == JXL_DEC_FRAME && JxlDecoderGetFrameHeader(p->decoder, &header) == JXL_DEC_SUCCESS)
        *ticks = header.duration;
    take_back(p, count);
    *is_end = step == JXL_DEC_SUCCESS;
    if (step == JXL_DEC_FRAME || step == JXL_DEC_SUCCESS) return KUVA_JXL_OK;
    return step == JXL_DEC_NEED_MORE_INPUT ? KUVA_JXL_TRUNCATED : KUVA_JXL_CORRUPT;
}

/// Takes pixels of 16 bits and keeps the high byte.
static void take_wide(void *user, size_t x, size_t y, size_t count, const void *pixels) {
    kuva_jxl *jxl = user;
    const uint16_t *source = pixels;
    uint8_t *target = jxl->rows + (y * jxl->width + x) * 4;
    for (size_t i = 0; i < count * 4; i++) target[i] = (uint8_t)(source[i] >> 8);
}

static int set_output(kuva_jxl *jxl, uint8_t *rows, size_t size) {
    JxlDecoder *decoder = jxl->pixels.decoder;
    JxlBasicInfo basic;
    size_t needed = 0;
    if (JxlDecoderGetBasicInfo(decoder, &basic) != JXL_DEC_SUCCESS ||
        JxlDecoderImageOutBufferSize(decoder, &format, &needed) != JXL_DEC_SUCCESS || needed != size)
        return 0;
    if (basic.bits_per_sample <= 8)
        return JxlDecoderSetImageOutBuffer(decoder, &format, rows, size) == JXL_DEC_SUCCESS;
    jxl->rows = rows;
    jxl->width = basic.xsize;
    return JxlDecoderSetImageOutCallback(decoder, &wide_format, take_wide, jxl) == JXL_DEC_SUCCESS;
}

static kuva_jxl_status decode(kuva_jxl *jxl, uint8_t *rows, size_t size, int *has_pixels) {
    for (;;) {
        JxlDecoderStatus step = JxlDecoderProcessInput(jxl->pixels.decoder);
        switch (step) {
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (!set_output(jxl, rows, size)) return KUVA_JXL_CORRUPT;
            break;
        case JXL_DEC_BASIC_INFO: break;
        case JXL_DEC_COLOR_ENCODING: prefer_srgb(jxl, jxl->pixels.decoder); break;
        case JXL_DEC_FULL_IMAGE:
        case JXL_DEC_SUCCESS: *has_pixels = step == JXL_DEC_FULL_IMAGE; return KUVA_JXL_OK;
        case JXL_DEC_NEED_MORE_INPUT: return KUVA_JXL_TRUNCATED;
        default: return KUVA_JXL_CORRUPT;
        }
    }
}

/// Lends the file in pieces: what the library decodes of one, the groups of the picture that it makes whole, is not broken
/// off, and a thirty-second of a file is.
static kuva_jxl_status decode_pieces(kuva_jxl *jxl, const uint8_t *bytes, size_t count, uint8_t *rows, size_t size,
                                     int *has_pixels) {
    pass *p = &jxl->pixels;
    const size_t least = 16 << 10, piece = count / 32 > least ? count / 32 : least;
    kuva_jxl_status status = KUVA_JXL_TRUNCATED;
    size_t lent = p->position;
    do {
        if (jxl->watch && !jxl->watch(jxl->watcher)) return KUVA_JXL_STOPPED;
        if (lent > count) return KUVA_JXL_CORRUPT;
        lent = count - lent > piece ? lent + piece : count;
        if (!lend(p, bytes, lent)) return KUVA_JXL_CORRUPT;
        status = decode(jxl, rows, size, has_pixels);
        take_back(p, lent);
    } while (status == KUVA_JXL_TRUNCATED && lent < count);
    if (status == KUVA_JXL_TRUNCATED) *has_pixels = JxlDecoderFlushImage(p->decoder) == JXL_DEC_SUCCESS;
    return status;
}

kuva_jxl_status kuva_jxl_decode(kuva_jxl *jxl, const uint8_t *bytes, size_t count, uint32_t frame, uint8_t *rows,
                                size_t size, int *has_pixels) {
    const int events = JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE;
    pass *p = &jxl->pixels;
    *has_pixels = 0;
    if (p->is_started && frame < jxl->next_frame) {
        // It remembers on which frames each one depends.
        JxlDecoderRewind(p->decoder);
        if (JxlDecoderSubscribeEvents(p->decoder, events) != JXL_DEC_SUCCESS) p->is_started = 0;
        p->position = 0;
        jxl->next_frame = 0;
    }
    if (!p->is_started) jxl->next_frame = 0;
    if (!start(p, events)) return KUVA_JXL_NO_MEMORY;
    if (frame > jxl->next_frame) JxlDecoderSkipFrames(p->decoder, frame - jxl->next_frame);
    kuva_jxl_status status = decode_pieces(jxl, bytes, count, rows, size, has_pixels);
    jxl->next_frame = frame + 1;
    // A frame that was left half decoded is begun again.
    if (status != KUVA_JXL_OK) end(p);
    return status;
}
#elif defined(KUVA_TRAIT_JPEGXL)
#error "the trait JPEGXL needs libjxl's header: apt install libjxl-dev"
#endif
