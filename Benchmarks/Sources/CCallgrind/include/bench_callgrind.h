#ifndef BENCH_CALLGRIND_H
#define BENCH_CALLGRIND_H

// Whether the program counts its instructions: it runs under callgrind, whose header was there when it was built.
int bench_callgrind_counts(void);

// Counts from zero.
void bench_callgrind_start(void);

// Writes what was counted down, under a name.
void bench_callgrind_stop(const char *name);

#endif
