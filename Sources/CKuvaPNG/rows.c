#include "rows.h"
#include <stdlib.h>
#include <string.h>

static uint8_t paeth(int a, int b, int c) {
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

static void unfilter(int filter, uint8_t *restrict row, const uint8_t *restrict above, size_t count, int bpp) {
    size_t first = (size_t)bpp < count ? (size_t)bpp : count;
    switch (filter) {
    case 1:
        for (size_t i = first; i < count; i++) row[i] = (uint8_t)(row[i] + row[i - bpp]);
        break;
    case 2:
        for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(row[i] + above[i]);
        break;
    case 3:
        for (size_t i = 0; i < first; i++) row[i] = (uint8_t)(row[i] + above[i] / 2);
        for (size_t i = first; i < count; i++) row[i] = (uint8_t)(row[i] + (row[i - bpp] + above[i]) / 2);
        break;
    case 4:
        for (size_t i = 0; i < first; i++) row[i] = (uint8_t)(row[i] + above[i]);
        for (size_t i = first; i < count; i++) {
            row[i] = (uint8_t)(row[i] + paeth(row[i - bpp], above[i], above[i - bpp]));
        }
        break;
    }
}

static void unfilter_rgba(
    int filter, const uint8_t *restrict row, const uint8_t *restrict above, uint8_t *restrict out, size_t pixels,
    int bpp) {
    int a[4] = {0}, c[4] = {0};
    for (size_t x = 0; x < pixels; x++, row += bpp, above += 4, out += 4) {
        for (int k = 0; k < bpp; k++) {
            int b = above[k], p = 0;
            switch (filter) {
            case 1: p = a[k]; break;
            case 2: p = b; break;
            case 3: p = (a[k] + b) / 2; break;
            case 4: p = paeth(a[k], b, c[k]); break;
            }
            c[k] = b;
            a[k] = out[k] = (uint8_t)(row[k] + p);
        }
        if (bpp == 3) out[3] = 255;
    }
}

static void spread(
    const uint8_t *restrict row, uint8_t *restrict out, size_t pixels, int bpp, const int8_t map[4]) {
    for (size_t x = 0; x < pixels; x++, row += bpp, out += 4) {
        for (int k = 0; k < 4; k++) out[k] = map[k] < 0 ? 255 : row[map[k]];
    }
}

const row_functions kuva_png_rows_scalar = {unfilter, unfilter_rgba, spread};

const row_functions *kuva_png_rows_with(kuva_png_level level) {
#ifdef __x86_64__
    __builtin_cpu_init();
    int has_sse41 = __builtin_cpu_supports("sse4.1"), has_avx2 = __builtin_cpu_supports("avx2");
    if (has_avx2 && (level == KUVA_PNG_BEST || level == KUVA_PNG_AVX2)) return &kuva_png_rows_avx2;
    if (has_sse41 && level != KUVA_PNG_SCALAR) return &kuva_png_rows_sse41;
#endif
    (void)level;
    return &kuva_png_rows_scalar;
}

int kuva_png_unfilter(
    kuva_png_level level, int filter, uint8_t *row, const uint8_t *above, size_t count, int bytes_per_pixel) {
    if (filter < 0 || filter > 4) return 0;
    if (filter) kuva_png_rows_with(level)->unfilter(filter, row, above, count, bytes_per_pixel);
    return 1;
}

int kuva_png_unfilter_rgba(
    kuva_png_level level, int filter, const uint8_t *row, const uint8_t *above, uint8_t *out, size_t pixels,
    int bytes_per_pixel) {
    if (filter < 0 || filter > 4 || (bytes_per_pixel != 3 && bytes_per_pixel != 4)) return 0;
    kuva_png_rows_with(level)->unfilter_rgba(filter, row, above, out, pixels, bytes_per_pixel);
    return 1;
}
