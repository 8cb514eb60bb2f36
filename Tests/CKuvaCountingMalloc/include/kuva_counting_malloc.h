#ifndef KUVA_COUNTING_MALLOC_H
#define KUVA_COUNTING_MALLOC_H

/// How often the program has asked for memory so far; -1 where that is not counted: under a sanitizer, which counts
/// itself, and where the C library is not glibc.
long kuva_counting_malloc_count(void);

#endif
