// The same kernels twice: with AVX2 the compiler has three-operand instructions and shorter dependency chains.
#include "rows.h"
#ifdef __x86_64__
#include <immintrin.h>
#include <string.h>

#define KUVA_TARGET __attribute__((target("sse4.1")))
#define KUVA_NAME(name) name##_sse41
#include "rows_x86.inc"
#undef KUVA_TARGET
#undef KUVA_NAME

#define KUVA_TARGET __attribute__((target("avx2")))
#define KUVA_NAME(name) name##_avx2
#include "rows_x86.inc"

const row_functions kuva_png_rows_sse41 = {unfilter_sse41, unfilter_rgba_sse41, spread_sse41};
const row_functions kuva_png_rows_avx2 = {unfilter_avx2, unfilter_rgba_avx2, spread_avx2};
#endif
