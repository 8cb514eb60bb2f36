#ifndef KUVA_COUNTING_MALLOC_H
#define KUVA_COUNTING_MALLOC_H

/// How often the program has asked for memory so far; -1 where that is not counted: under a sanitizer, which counts
/// itself, and where the C library is not glibc.
long kuva_counting_malloc_count(void);

/// Bytes of memory that the program has asked for and not given back, whichever thread asked (mallinfo(3)); -1 where
/// `kuva_counting_malloc_count` is. With GLIBC_TUNABLES=glibc.malloc.tcache_count=0 in the environment, to the byte:
/// what each thread's cache keeps counts as held otherwise.
long kuva_counting_malloc_held(void);

#endif
