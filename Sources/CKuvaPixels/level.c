#include "simd.h"

int kuva_pixels_best_level(void) {
#if KUVA_X86
    return __builtin_cpu_supports("avx2") ? KUVA_PIXELS_AVX2 : KUVA_PIXELS_SSE2;
#else
    return KUVA_PIXELS_SCALAR;
#endif
}
