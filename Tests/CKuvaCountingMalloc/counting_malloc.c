#include "kuva_counting_malloc.h"

#include <malloc.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define KUVA_SANITIZED 1
#endif
#endif

#if defined(__GLIBC__) && !defined(KUVA_SANITIZED)
// The functions that ask for memory take the place of the C library's, and pass each call on to it (malloc(3),
// "Replacing malloc" in the C library's manual).
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long asked;

static void count(void) { __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

long kuva_counting_malloc_count(void) { return __atomic_load_n(&asked, __ATOMIC_RELAXED); }

long kuva_counting_malloc_held(void) {
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}
#else
long kuva_counting_malloc_count(void) { return -1; }
long kuva_counting_malloc_held(void) { return -1; }
#endif
