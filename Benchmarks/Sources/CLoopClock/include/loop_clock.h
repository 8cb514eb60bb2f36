#ifndef LOOP_CLOCK_H
#define LOOP_CLOCK_H

#include <stdint.h>

/// Nanoseconds that the handlers of the program itself have run on the main thread since the last call: handlers of
/// signals, tick callbacks, observers of drawing, and what came over Swift's main queue. GTK's own work around them does
/// not count. The linker puts the functions that time them in the place of those that connect them (`--wrap`).
///
/// What reading the clocks takes is measured once and taken off.
///
/// `cpu` becomes the CPU time in it, which other programs on the machine do not lengthen; but for the handlers that bind
/// and unbind rows, whose time on the wall counts.
uint64_t loop_clock_take(uint64_t *cpu);

/// Connects `handler(data)` to a signal of the measuring program, whose time does not count.
void loop_clock_connect_uncounted(void *object, const char *signal, void (*handler)(void *data), void *data);

/// CPU time of the calling thread, in nanoseconds.
uint64_t loop_clock_thread_cpu(void);

#endif
