#define _GNU_SOURCE
#include "kuva_thread.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct start {
    char name[16];
    void (*body)(void *);
    void *argument;
};

static void *run(void *raw) {
    struct start start = *(struct start *)raw;
    free(raw);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.argument);
    return NULL;
}

int kuva_thread_start(const char *name, void (*body)(void *), void *argument) {
    struct start *start = calloc(1, sizeof *start);
    if (!start) return ENOMEM;
    strncpy(start->name, name, sizeof start->name - 1);
    start->body = body;
    start->argument = argument;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int status = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (status != 0) free(start);
    return status;
}

int kuva_thread_is_main(void) {
    // Asking the system costs a call, and the answer never changes.
    static _Thread_local signed char answer = -1;
    if (answer < 0) answer = gettid() == getpid();
    return answer;
}
