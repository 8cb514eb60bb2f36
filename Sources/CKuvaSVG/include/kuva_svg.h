#ifndef KUVA_SVG_H
#define KUVA_SVG_H
#include <stddef.h>
#include <stdint.h>

/// One SVG document, read through librsvg.
typedef struct kuva_svg kuva_svg;

/// Reads a document. It has no address of its own, so what it links to is not loaded: only `data:` addresses are. The
/// library runs no script and keeps its limits on elements and nesting.
///
/// @return `NULL` if it cannot be read; `message` then says why.
kuva_svg *kuva_svg_open(const uint8_t *bytes, size_t count, char *message, size_t message_size);
void kuva_svg_close(kuva_svg *svg);

/// The size of the document in CSS pixels (1/96 inch): its own, or that of its view box; 0 where it has none.
void kuva_svg_size(kuva_svg *svg, double *width, double *height);

/// Draws the document, which measures `width` by `height`, onto `columns` by `rows` transparent pixels: RGBA8,
/// multiplied, rows without gaps.
///
/// @return 1, or 0 if it cannot be drawn; `message` then says why.
int kuva_svg_render(kuva_svg *svg, double width, double height, uint8_t *pixels, uint32_t columns, uint32_t rows,
                    char *message, size_t message_size);

#endif
