#include "kuva_svg.h"

#if __has_include(<librsvg/rsvg.h>)
#include <librsvg/rsvg.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static RsvgHandle *handle(kuva_svg *svg) { return (RsvgHandle *)svg; }

static void explain(GError *error, char *message, size_t size) {
    snprintf(message, size, "%s", error ? error->message : "it cannot be read");
    if (error) g_error_free(error);
}

kuva_svg *kuva_svg_open(const uint8_t *bytes, size_t count, char *message, size_t message_size) {
    GError *error = NULL;
    RsvgHandle *result = rsvg_handle_new_from_data(bytes, count, &error);
    if (!result) {
        explain(error, message, message_size);
        return NULL;
    }
    rsvg_handle_set_dpi(result, 96);
    return (kuva_svg *)result;
}

void kuva_svg_close(kuva_svg *svg) {
    if (svg) g_object_unref(svg);
}

void kuva_svg_size(kuva_svg *svg, double *width, double *height) {
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle(svg), width, height)) return;
    gboolean has_width, has_height, has_box;
    RsvgLength ignored_width, ignored_height;
    RsvgRectangle box;
    rsvg_handle_get_intrinsic_dimensions(
        handle(svg), &has_width, &ignored_width, &has_height, &ignored_height, &has_box, &box);
    *width = has_box ? box.width : 0;
    *height = has_box ? box.height : 0;
}

int kuva_svg_render(kuva_svg *svg, double width, double height, uint8_t *pixels, uint32_t columns, uint32_t rows,
                    char *message, size_t message_size) {
    size_t stride = (size_t)columns * 4;
    memset(pixels, 0, stride * rows);
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        pixels, CAIRO_FORMAT_ARGB32, (int)columns, (int)rows, (int)stride);
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, columns / width, rows / height);
    RsvgRectangle viewport = {0, 0, width, height};
    GError *error = NULL;
    gboolean drawn = rsvg_handle_render_document(handle(svg), cr, &viewport, &error);
    if (drawn && cairo_status(cr) != CAIRO_STATUS_SUCCESS) {
        drawn = FALSE;
        snprintf(message, message_size, "%s", cairo_status_to_string(cairo_status(cr)));
    } else if (!drawn) {
        explain(error, message, message_size);
    }
    cairo_destroy(cr);
    cairo_surface_finish(surface);
    cairo_surface_destroy(surface);
    // Cairo's pixels are words with alpha on top.
    for (size_t i = 0; i < (size_t)columns * rows; i++) {
        uint32_t word;
        memcpy(&word, pixels + i * 4, 4);
        pixels[i * 4] = (uint8_t)(word >> 16);
        pixels[i * 4 + 1] = (uint8_t)(word >> 8);
        pixels[i * 4 + 2] = (uint8_t)word;
        pixels[i * 4 + 3] = (uint8_t)(word >> 24);
    }
    return drawn;
}
#elif defined(KUVA_TRAIT_SVG)
#error "the trait SVG needs librsvg's header: apt install librsvg2-dev"
#endif
