#include "kuva_lcms.h"

#include <stdlib.h>

#include <lcms2.h>

#include "shaper.h"

struct kuva_lcms {
    cmsHTRANSFORM transform;
    kuva_lcms_shaper *shaper;  // does the same faster; NULL where it cannot
    kuva_lcms_pixels pixels;
};

// Four bytes a pixel in, whatever they are; alpha and unused channels are passed over.
static cmsUInt32Number input_type(kuva_lcms_pixels pixels) {
    switch (pixels) {
    case KUVA_LCMS_GREY: return COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(3) | BYTES_SH(1);
    case KUVA_LCMS_CMYK: return TYPE_CMYK_8;
    case KUVA_LCMS_CMYK_INVERTED: return TYPE_CMYK_8_REV;
    default: return TYPE_RGBA_8;
    }
}

static int fits(cmsHPROFILE profile, kuva_lcms_pixels *pixels) {
    switch (cmsGetDeviceClass(profile)) {
    case cmsSigInputClass:
    case cmsSigDisplayClass:
    case cmsSigOutputClass:
    case cmsSigColorSpaceClass:
        break;
    default:
        return 0;
    }
    switch (cmsGetColorSpace(profile)) {
    case cmsSigRgbData:
        // Grey as three equal channels is RGB as well.
        if (*pixels == KUVA_LCMS_GREY) *pixels = KUVA_LCMS_RGBA;
        return *pixels == KUVA_LCMS_RGBA;
    case cmsSigGrayData:
        return *pixels == KUVA_LCMS_GREY;
    case cmsSigCmykData:
        return *pixels == KUVA_LCMS_CMYK || *pixels == KUVA_LCMS_CMYK_INVERTED;
    default:
        return 0;
    }
}

// All greys, and a lattice of colours: what two transforms do to these they do to all, as near as anyone sees.
enum { STEPS = 9, SAMPLES = 256 + STEPS * STEPS * STEPS };

static int take_samples(kuva_lcms_pixels pixels, uint8_t out[SAMPLES][4]) {
    for (int i = 0; i < SAMPLES; i++) {
        int n = i - 256;
        out[i][0] = (uint8_t)(i < 256 ? i : n % STEPS * 255 / (STEPS - 1));
        out[i][1] = (uint8_t)(i < 256 ? i : n / STEPS % STEPS * 255 / (STEPS - 1));
        out[i][2] = (uint8_t)(i < 256 ? i : n / STEPS / STEPS * 255 / (STEPS - 1));
        out[i][3] = 255;
    }
    return pixels == KUVA_LCMS_GREY ? 256 : SAMPLES;
}

static int differ(uint8_t a[SAMPLES][4], uint8_t b[SAMPLES][4], int count) {
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (abs(a[i][k] - b[i][k]) > 1) return 1;
    return 0;
}

static int is_identity(const kuva_lcms *made) {
    if (made->pixels != KUVA_LCMS_RGBA && made->pixels != KUVA_LCMS_GREY) return 0;
    uint8_t before[SAMPLES][4], after[SAMPLES][4];
    int count = take_samples(made->pixels, before);
    take_samples(made->pixels, after);
    kuva_lcms_convert(made, after[0], (size_t)count);
    return !differ(before, after, count);
}

// Takes the faster way where it does what the library does.
static void hasten(kuva_lcms *made, cmsHPROFILE profile) {
    if (made->pixels != KUVA_LCMS_RGBA) return;
    kuva_lcms_shaper *shaper = kuva_lcms_shaper_create(profile);
    if (shaper == NULL) return;
    uint8_t slow[SAMPLES][4], fast[SAMPLES][4];
    int count = take_samples(made->pixels, slow);
    take_samples(made->pixels, fast);
    kuva_lcms_convert(made, slow[0], (size_t)count);
    kuva_lcms_shaper_convert(shaper, fast[0], (size_t)count);
    if (differ(slow, fast, count)) {
        kuva_lcms_shaper_destroy(shaper);
    } else {
        made->shaper = shaper;
    }
}

// Takes `profile` over.
static kuva_lcms_status make(cmsHPROFILE profile, kuva_lcms_pixels pixels, kuva_lcms **made) {
    if (profile == NULL) return KUVA_LCMS_UNUSABLE;
    if (!fits(profile, &pixels)) {
        cmsCloseProfile(profile);
        return KUVA_LCMS_UNUSABLE;
    }
    cmsHPROFILE srgb = cmsCreate_sRGBProfile();
    kuva_lcms *result = calloc(1, sizeof *result);
    if (srgb != NULL && result != NULL) {
        result->pixels = pixels;
        // Without the cache of the last pixel, a transform has no state.
        result->transform = cmsCreateTransform(profile, input_type(pixels), srgb, TYPE_RGBA_8, INTENT_PERCEPTUAL,
                                               cmsFLAGS_NOCACHE);
    }
    int has_memory = srgb != NULL && result != NULL;
    if (has_memory && result->transform != NULL) hasten(result, profile);
    cmsCloseProfile(profile);
    if (srgb != NULL) cmsCloseProfile(srgb);
    if (result == NULL || result->transform == NULL) {
        free(result);
        return has_memory ? KUVA_LCMS_UNUSABLE : KUVA_LCMS_NO_MEMORY;
    }
    if (is_identity(result)) {
        kuva_lcms_destroy(result);
        return KUVA_LCMS_SRGB;
    }
    *made = result;
    return KUVA_LCMS_OK;
}

kuva_lcms_status kuva_lcms_from_profile(const uint8_t *profile, size_t count, kuva_lcms_pixels pixels,
                                        kuva_lcms **made) {
    if (count > UINT32_MAX) return KUVA_LCMS_UNUSABLE;
    return make(cmsOpenProfileFromMem(profile, (cmsUInt32Number)count), pixels, made);
}

kuva_lcms_status kuva_lcms_from_space(const kuva_lcms_space *space, kuva_lcms **made) {
    cmsCIExyY white = {space->white[0], space->white[1], 1};
    cmsCIExyYTRIPLE primaries = {
        {space->red[0], space->red[1], 1}, {space->green[0], space->green[1], 1}, {space->blue[0], space->blue[1], 1}};
    cmsFloat64Number parameters[5] = {space->g, space->a, space->b, space->c, space->d};
    cmsToneCurve *curve = cmsBuildParametricToneCurve(NULL, 4, parameters);
    if (curve == NULL) return KUVA_LCMS_UNUSABLE;
    cmsToneCurve *curves[3] = {curve, curve, curve};
    cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves);
    cmsFreeToneCurve(curve);
    return make(profile, KUVA_LCMS_RGBA, made);
}

void kuva_lcms_destroy(kuva_lcms *transform) {
    if (transform == NULL) return;
    cmsDeleteTransform(transform->transform);
    kuva_lcms_shaper_destroy(transform->shaper);
    free(transform);
}

void kuva_lcms_convert(const kuva_lcms *transform, uint8_t *pixels, size_t count) {
    if (transform->shaper != NULL) {
        kuva_lcms_shaper_convert(transform->shaper, pixels, count);
        return;
    }
    int has_inks = transform->pixels == KUVA_LCMS_CMYK || transform->pixels == KUVA_LCMS_CMYK_INVERTED;
    enum { AT_ONCE = 1 << 20 };
    while (count > 0) {
        size_t now = count < AT_ONCE ? count : AT_ONCE;
        // In place, the extra channel of the output stays what it was.
        cmsDoTransform(transform->transform, pixels, pixels, (cmsUInt32Number)now);
        if (has_inks)
            for (size_t i = 0; i < now; i++) pixels[4 * i + 3] = 255;
        pixels += 4 * now;
        count -= now;
    }
}
