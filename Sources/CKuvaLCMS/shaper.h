#ifndef KUVA_LCMS_SHAPER_H
#define KUVA_LCMS_SHAPER_H
#include <stddef.h>
#include <stdint.h>

#include <lcms2.h>

// A profile of three curves and a matrix, as nearly all RGB profiles are, to sRGB: curve tables, one matrix, one table.
// About five times as fast as the library's general way.
typedef struct kuva_lcms_shaper kuva_lcms_shaper;

/// NULL for a profile of another kind, or without memory.
kuva_lcms_shaper *kuva_lcms_shaper_create(cmsHPROFILE profile);
void kuva_lcms_shaper_destroy(kuva_lcms_shaper *shaper);

/// Converts straight RGBA8 pixels in place; alpha stays.
void kuva_lcms_shaper_convert(const kuva_lcms_shaper *shaper, uint8_t *pixels, size_t count);

#endif
