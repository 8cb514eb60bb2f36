#include "bench_callgrind.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int bench_callgrind_counts(void) { return RUNNING_ON_VALGRIND != 0; }

void bench_callgrind_start(void) { CALLGRIND_ZERO_STATS; }

void bench_callgrind_stop(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
#else
int bench_callgrind_counts(void) { return 0; }

void bench_callgrind_start(void) {}

void bench_callgrind_stop(const char *name) { (void)name; }
#endif
