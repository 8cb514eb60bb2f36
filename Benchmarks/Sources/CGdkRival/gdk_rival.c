#include "gdk_rival.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

static void on_size(GdkPixbufLoader *loader, int width, int height, gpointer data) {
    int fit = *(int *)data, longer = width > height ? width : height;
    if (fit >= longer) return;
    int w = (int)((double)width * fit / longer + 0.5), h = (int)((double)height * fit / longer + 0.5);
    gdk_pixbuf_loader_set_size(loader, w > 0 ? w : 1, h > 0 ? h : 1);
}

int gdk_rival_thumbnail(const uint8_t *bytes, size_t count, int fit) {
    GdkPixbufLoader *loader = gdk_pixbuf_loader_new();
    g_signal_connect(loader, "size-prepared", G_CALLBACK(on_size), &fit);
    int done = gdk_pixbuf_loader_write(loader, bytes, count, NULL);
    done = gdk_pixbuf_loader_close(loader, NULL) && done && gdk_pixbuf_loader_get_pixbuf(loader) != NULL;
    g_object_unref(loader);
    return done ? 0 : -1;
}

int gdk_rival_resize(const uint8_t *pixels, int width, int height, int wanted_width, int wanted_height) {
    GdkPixbuf *picture = gdk_pixbuf_new_from_data(pixels, GDK_COLORSPACE_RGB, TRUE, 8, width, height, width * 4, NULL,
                                                  NULL);
    GdkPixbuf *small = gdk_pixbuf_scale_simple(picture, wanted_width, wanted_height, GDK_INTERP_BILINEAR);
    g_object_unref(picture);
    if (small == NULL) return -1;
    g_object_unref(small);
    return 0;
}

int gdk_rival_encode(const uint8_t *pixels, int width, int height, const char *format, const char *quality) {
    GdkPixbuf *picture = gdk_pixbuf_new_from_data(pixels, GDK_COLORSPACE_RGB, FALSE, 8, width, height, width * 3, NULL,
                                                  NULL);
    gchar *file = NULL;
    gsize count = 0;
    int is_jpeg = strcmp(format, "jpeg") == 0;
    int done = is_jpeg
                   ? gdk_pixbuf_save_to_buffer(picture, &file, &count, format, NULL, "quality", quality, NULL)
                   : gdk_pixbuf_save_to_buffer(picture, &file, &count, format, NULL, NULL);
    g_object_unref(picture);
    g_free(file);
    return done ? 0 : -1;
}
