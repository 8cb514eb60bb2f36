#ifndef GDK_RIVAL_H
#define GDK_RIVAL_H
#include <stddef.h>
#include <stdint.h>

// The rival `gdk-pixbuf`, as GTK programs use it. Each does the work once and returns 0, or -1 if it cannot.

/// Decodes a file so that it fits a square with the side `fit`.
int gdk_rival_thumbnail(const uint8_t *bytes, size_t count, int fit);

/// Makes a picture of straight RGBA8 smaller by its best filter, which is bilinear over the area.
int gdk_rival_resize(const uint8_t *pixels, int width, int height, int wanted_width, int wanted_height);

/// Writes RGB pixels as `format`, jpeg of a quality or png.
int gdk_rival_encode(const uint8_t *pixels, int width, int height, const char *format, const char *quality);

#endif
