#include "cleared_memory.h"

#ifdef __linux__
#include <malloc.h>
#endif
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned users;

static void set(int byte) {
#if defined(__GLIBC__) && defined(M_PERTURB)
    // Whoever has set the variable wants to see other fillings; the value that is in force cannot be asked for.
    if (!getenv("MALLOC_PERTURB_")) (void)mallopt(M_PERTURB, byte);
#else
    (void)byte;
#endif
}

void kuva_heif_begin_cleared_memory(void) {
    pthread_mutex_lock(&mutex);
    // mallopt(3): memory given out is set to the complement of this byte.
    if (users++ == 0) set(0xFF);
    pthread_mutex_unlock(&mutex);
}

void kuva_heif_end_cleared_memory(void) {
    pthread_mutex_lock(&mutex);
    if (--users == 0) set(0);
    pthread_mutex_unlock(&mutex);
}
