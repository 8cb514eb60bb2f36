#ifndef KUVA_PNG_ROWS_H
#define KUVA_PNG_ROWS_H
#include "include/kuva_png.h"

// Unfiltering (PNG §9) and expanding to RGBA, one set of functions a level.
typedef struct {
    // In place; filters 1 to 4.
    void (*unfilter)(int filter, uint8_t *row, const uint8_t *above, size_t count, int bpp);
    // 8-bit RGB (3) or RGBA (4) to RGBA; filters 0 to 4.
    void (*unfilter_rgba)(
        int filter, const uint8_t *row, const uint8_t *above, uint8_t *out, size_t pixels, int bpp);
    // Rearranges bytes: `map` gives, for each of the four channels, the byte of the pixel or -1 for 255.
    void (*spread)(const uint8_t *row, uint8_t *out, size_t pixels, int bpp, const int8_t map[4]);
} row_functions;

extern const row_functions kuva_png_rows_scalar;
#ifdef __x86_64__
extern const row_functions kuva_png_rows_sse41;
extern const row_functions kuva_png_rows_avx2;
#endif

// The functions of a level, or the nearest below it that this processor runs.
const row_functions *kuva_png_rows_with(kuva_png_level level);

// Bytes that the functions may read past the end of `row` and `above`.
enum { ROW_SLACK = 32 };

#endif
