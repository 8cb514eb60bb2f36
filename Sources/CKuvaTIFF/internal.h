#ifndef KUVA_TIFF_INTERNAL_H
#define KUVA_TIFF_INTERNAL_H
#include <tiffio.h>

#include "kuva_tiff.h"

/// What samples mean and how they lie, for pictures that are converted here and not by the library.
typedef struct {
    uint32_t width;
    uint16_t bits;
    /// Samples of one pixel in the file.
    uint16_t samples;
    uint16_t photometric;
    /// The sample that is alpha; 0 for none.
    uint16_t alpha_sample;
    int is_separate;
    const uint16_t *colour_map[3];
    int is_colour_map_wide;
} kuva_tiff_samples;

/// How many samples colour takes: 1, 3 or 4; 0 if such pictures are left to the library.
unsigned kuva_tiff_colour_samples(uint16_t photometric);

/// Converts `width` pixels. `planes` holds one row a sample where samples lie apart, otherwise one row of all.
void kuva_tiff_expand(const kuva_tiff_samples *samples, const uint8_t *const planes[], uint32_t width, uint8_t *rgba);

#endif
