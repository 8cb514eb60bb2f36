#ifndef KUVA_LCMS_H
#define KUVA_LCMS_H
#include <stddef.h>
#include <stdint.h>

// Colours of a file to sRGB on Little CMS, perceptual intent. A transform never changes once it is made, so that any
// number of threads may use one at a time.

typedef struct kuva_lcms kuva_lcms;

typedef enum {
    KUVA_LCMS_OK = 0,
    KUVA_LCMS_SRGB = 1,      // no colour changes by more than one level of 255: there is nothing to be done
    KUVA_LCMS_UNUSABLE = 2,  // no profile, or none for such pixels
    KUVA_LCMS_NO_MEMORY = 3
} kuva_lcms_status;

/// What the four bytes of a pixel are.
typedef enum {
    KUVA_LCMS_RGBA = 0,               // straight
    KUVA_LCMS_GREY = 1,               // three times grey, then alpha
    KUVA_LCMS_CMYK = 2,               // 255 is full ink
    KUVA_LCMS_CMYK_INVERTED = 3       // 0 is full ink
} kuva_lcms_pixels;

/// A transform from an ICC profile. Grey pixels may have a profile of RGB, no others but their own.
kuva_lcms_status kuva_lcms_from_profile(const uint8_t *profile, size_t count, kuva_lcms_pixels pixels,
                                        kuva_lcms **made);

/// x and y of white, red, green and blue; and what makes light of a number X between 0 and 1: (aX + b)^g from d on,
/// below it cX.
typedef struct {
    double white[2], red[2], green[2], blue[2];
    double g, a, b, c, d;
} kuva_lcms_space;

/// A transform from RGBA in such a colour space.
kuva_lcms_status kuva_lcms_from_space(const kuva_lcms_space *space, kuva_lcms **made);

void kuva_lcms_destroy(kuva_lcms *transform);

/// Converts pixels in place to straight RGBA8. Alpha stays; of inks it becomes 255.
void kuva_lcms_convert(const kuva_lcms *transform, uint8_t *pixels, size_t count);

#endif
