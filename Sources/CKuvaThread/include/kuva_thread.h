#ifndef KUVA_THREAD_H
#define KUVA_THREAD_H

/// Starts a detached thread that runs `body(argument)`. `name` is what debuggers show, cut to 15 bytes.
/// Returns 0, or an errno value if the system gave no thread; `body` is then never called.
int kuva_thread_start(const char *name, void (*body)(void *), void *argument);

/// Whether the calling thread is the one that `main` runs on: 1 or 0.
int kuva_thread_is_main(void);

#endif
