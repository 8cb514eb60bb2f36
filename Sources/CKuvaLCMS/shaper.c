#include "shaper.h"

#include <math.h>
#include <stdlib.h>

// Light between 0 and 1 has this many steps; the dark end of sRGB's curve needs as fine ones for a level of 255.
enum { LIGHT = 1 << 14, MATRIX_BITS = 14 };

struct kuva_lcms_shaper {
    int32_t matrix[3][3];       // from the light of the profile to that of sRGB
    int16_t light[3][256];      // what each level of each channel is
    uint8_t level[LIGHT + 1];   // what each light is in sRGB
};

static double srgb_level(double light) {
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static int invert(const double m[3][3], double out[3][3]) {
    double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    if (fabs(determinant) < 1e-9) return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[i][k] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / determinant;
        }
    return 1;
}

// The colorants as columns, relative to the white of profiles.
static int read_colorants(cmsHPROFILE profile, double out[3][3]) {
    static const cmsTagSignature tags[3] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    for (int k = 0; k < 3; k++) {
        const cmsCIEXYZ *colorant = cmsReadTag(profile, tags[k]);
        if (colorant == NULL) return 0;
        out[0][k] = colorant->X;
        out[1][k] = colorant->Y;
        out[2][k] = colorant->Z;
    }
    return 1;
}

static int read_curves(cmsHPROFILE profile, kuva_lcms_shaper *shaper) {
    static const cmsTagSignature tags[3] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    for (int k = 0; k < 3; k++) {
        const cmsToneCurve *curve = cmsReadTag(profile, tags[k]);
        if (curve == NULL) return 0;
        for (int i = 0; i < 256; i++) {
            double light = cmsEvalToneCurveFloat(curve, (cmsFloat32Number)i / 255);
            if (!(light >= 0)) light = 0;
            shaper->light[k][i] = (int16_t)lround((light > 1 ? 1 : light) * LIGHT);
        }
    }
    return 1;
}

static int read_matrix(cmsHPROFILE profile, kuva_lcms_shaper *shaper) {
    double theirs[3][3], srgb[3][3], inverse[3][3];
    cmsHPROFILE reference = cmsCreate_sRGBProfile();
    int done = reference != NULL && read_colorants(profile, theirs) && read_colorants(reference, srgb) &&
               invert(srgb, inverse);
    if (reference != NULL) cmsCloseProfile(reference);
    if (!done) return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int n = 0; n < 3; n++) sum += inverse[i][n] * theirs[n][k];
            // So that no sum below overflows.
            if (!(fabs(sum) < 4)) return 0;
            shaper->matrix[i][k] = (int32_t)lround(sum * (1 << MATRIX_BITS));
        }
    return 1;
}

kuva_lcms_shaper *kuva_lcms_shaper_create(cmsHPROFILE profile) {
    if (!cmsIsMatrixShaper(profile) || cmsGetColorSpace(profile) != cmsSigRgbData ||
        cmsGetPCS(profile) != cmsSigXYZData || cmsIsTag(profile, cmsSigAToB0Tag) || cmsIsTag(profile, cmsSigDToB0Tag))
        return NULL;
    kuva_lcms_shaper *shaper = calloc(1, sizeof *shaper);
    if (shaper == NULL) return NULL;
    if (!read_curves(profile, shaper) || !read_matrix(profile, shaper)) {
        free(shaper);
        return NULL;
    }
    for (int i = 0; i <= LIGHT; i++) shaper->level[i] = (uint8_t)lround(255 * srgb_level((double)i / LIGHT));
    return shaper;
}

void kuva_lcms_shaper_destroy(kuva_lcms_shaper *shaper) { free(shaper); }

static uint8_t level(const kuva_lcms_shaper *shaper, const int32_t *row, const int32_t *light) {
    int32_t sum = (row[0] * light[0] + row[1] * light[1] + row[2] * light[2] + (1 << (MATRIX_BITS - 1))) >> MATRIX_BITS;
    return shaper->level[sum < 0 ? 0 : sum > LIGHT ? LIGHT : sum];
}

void kuva_lcms_shaper_convert(const kuva_lcms_shaper *shaper, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++, pixels += 4) {
        int32_t light[3] = {shaper->light[0][pixels[0]], shaper->light[1][pixels[1]], shaper->light[2][pixels[2]]};
        for (int k = 0; k < 3; k++) pixels[k] = level(shaper, shaper->matrix[k], light);
    }
}
