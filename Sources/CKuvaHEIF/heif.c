#include "kuva_heif.h"

#if __has_include(<libheif/heif.h>)
#include <libheif/heif.h>
#include <stdio.h>
#include <stdlib.h>

#include "cleared_memory.h"

struct kuva_heif {
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_image *image;
    const uint8_t *bytes;
    size_t count;
    char message[192];
};

kuva_heif *kuva_heif_open(const uint8_t *bytes, size_t count, uint32_t max_side) {
    kuva_heif *heif = calloc(1, sizeof *heif);
    if (!heif) return NULL;
    heif->context = heif_context_alloc();
    if (!heif->context) {
        free(heif);
        return NULL;
    }
    heif_context_set_maximum_image_size_limit(heif->context, (int)(max_side > INT32_MAX ? INT32_MAX : max_side));
    heif_context_set_max_decoding_threads(heif->context, 0);
    heif->bytes = bytes;
    heif->count = count;
    return heif;
}

void kuva_heif_close(kuva_heif *heif) {
    if (!heif) return;
    if (heif->image) heif_image_release(heif->image);
    if (heif->handle) heif_image_handle_release(heif->handle);
    heif_context_free(heif->context);
    free(heif);
}

const char *kuva_heif_error(const kuva_heif *heif) { return heif->message; }

static kuva_heif_status status(kuva_heif *heif, struct heif_error error) {
    if (error.code == heif_error_Ok) return KUVA_HEIF_OK;
    snprintf(heif->message, sizeof heif->message, "%s", error.message ? error.message : "");
    switch (error.code) {
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: return KUVA_HEIF_UNSUPPORTED;
    case heif_error_Memory_allocation_error:
        // A size over the limits comes under this code too.
        return error.subcode == heif_suberror_Security_limit_exceeded ? KUVA_HEIF_CORRUPT : KUVA_HEIF_NO_MEMORY;
    default: return KUVA_HEIF_CORRUPT;
    }
}

kuva_heif_status kuva_heif_read_info(kuva_heif *heif, kuva_heif_info *info) {
    struct heif_error error =
        heif_context_read_from_memory_without_copy(heif->context, heif->bytes, heif->count, NULL);
    if (error.code == heif_error_Ok) error = heif_context_get_primary_image_handle(heif->context, &heif->handle);
    if (error.code != heif_error_Ok) return status(heif, error);
    int width = heif_image_handle_get_width(heif->handle);
    int height = heif_image_handle_get_height(heif->handle);
    int bits = heif_image_handle_get_luma_bits_per_pixel(heif->handle);
    *info = (kuva_heif_info){
        .width = width > 0 ? (uint32_t)width : 0,
        .height = height > 0 ? (uint32_t)height : 0,
        .bits_per_channel = bits > 0 ? (uint32_t)bits : 8,
        .has_alpha = heif_image_handle_has_alpha_channel(heif->handle) != 0,
        .is_premultiplied = heif_image_handle_is_premultiplied_alpha(heif->handle) != 0,
        .colour_primaries = 2,
        .transfer_characteristics = 2,
    };
    enum heif_color_profile_type type = heif_image_handle_get_color_profile_type(heif->handle);
    if (type == heif_color_profile_type_rICC || type == heif_color_profile_type_prof)
        info->icc_size = heif_image_handle_get_raw_color_profile_size(heif->handle);
    struct heif_color_profile_nclx *nclx = NULL;
    if (heif_image_handle_get_nclx_color_profile(heif->handle, &nclx).code == heif_error_Ok && nclx) {
        info->colour_primaries = (uint32_t)nclx->color_primaries;
        info->transfer_characteristics = (uint32_t)nclx->transfer_characteristics;
        heif_nclx_color_profile_free(nclx);
    }
    return KUVA_HEIF_OK;
}

int kuva_heif_copy_icc(const kuva_heif *heif, uint8_t *out) {
    return heif_image_handle_get_raw_color_profile(heif->handle, out).code == heif_error_Ok;
}

kuva_heif_status kuva_heif_decode(
    kuva_heif *heif, const uint8_t **rows, size_t *bytes_per_row, uint32_t *width, uint32_t *height) {
    struct heif_decoding_options *options = heif_decoding_options_alloc();
    if (!options) return KUVA_HEIF_NO_MEMORY;
    options->convert_hdr_to_8bit = 1;
    options->strict_decoding = 1;
    kuva_heif_begin_cleared_memory();
    struct heif_error error = heif_decode_image(
        heif->handle, &heif->image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options);
    kuva_heif_end_cleared_memory();
    heif_decoding_options_free(options);
    if (error.code != heif_error_Ok) return status(heif, error);
    int stride = 0;
    *rows = heif_image_get_plane_readonly(heif->image, heif_channel_interleaved, &stride);
    int w = heif_image_get_width(heif->image, heif_channel_interleaved);
    int h = heif_image_get_height(heif->image, heif_channel_interleaved);
    if (!*rows || w <= 0 || h <= 0 || stride < w * 4) {
        snprintf(heif->message, sizeof heif->message, "its picture has no pixels");
        return KUVA_HEIF_CORRUPT;
    }
    *bytes_per_row = (size_t)stride;
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return KUVA_HEIF_OK;
}
#elif defined(KUVA_TRAIT_HEIF)
#error "the trait HEIF needs libheif's header: apt install libheif-dev"
#endif
