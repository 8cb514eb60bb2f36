#ifndef KUVA_GIF_WRITE_H
#define KUVA_GIF_WRITE_H
#include <stddef.h>
#include <stdint.h>

/// The colours of a GIF frame.
typedef struct {
    uint8_t colours[256 * 3];
    int count;        // of colours, transparency not counted
    int transparent;  // the index that stands for no colour; -1 if none is needed
    int is_exact;     // whether each colour of the picture is there
} kuva_gif_colours;

/// Chooses colours for straight RGBA8 pixels: those that are there if they are few enough, otherwise by median cut.
/// Pixels of an alpha below 128 are transparent, the others opaque. Returns 0 without memory.
int kuva_gif_choose(const uint8_t *pixels, size_t count, kuva_gif_colours *colours);

/// Gives each pixel an index; where colours are not exact, the error is spread over the neighbours (Floyd and Steinberg,
/// rows in turns from the left and from the right). Returns 0 without memory.
int kuva_gif_dither(const uint8_t *pixels, size_t width, size_t height, const kuva_gif_colours *colours,
                    uint8_t *indices);

/// The most bytes that kuva_gif_compress writes for so many indices.
size_t kuva_gif_compress_bound(size_t count);

/// Writes indices as LZW codes in data sub-blocks, their terminator included (GIF89a, appendix F). Returns how many bytes
/// that is, 0 without memory.
size_t kuva_gif_compress(const uint8_t *indices, size_t count, int minimum_code_size, uint8_t *out);

#endif
