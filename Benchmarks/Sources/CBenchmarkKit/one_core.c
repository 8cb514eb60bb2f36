#define _GNU_SOURCE
#include "benchmark_kit.h"

#include <sched.h>

int bench_stay_on_one_core(void) {
    cpu_set_t allowed, last;
    if (sched_getaffinity(0, sizeof allowed, &allowed)) return -1;
    for (int core = CPU_SETSIZE - 1; core >= 0; core--) {
        if (!CPU_ISSET(core, &allowed)) continue;
        CPU_ZERO(&last);
        CPU_SET(core, &last);
        return sched_setaffinity(0, sizeof last, &last);
    }
    return -1;
}

int bench_stay_on_core(int number) {
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed)) return -1;
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (!CPU_ISSET(core, &allowed) || number--) continue;
        CPU_ZERO(&one);
        CPU_SET(core, &one);
        return sched_setaffinity(0, sizeof one, &one);
    }
    return -1;
}
