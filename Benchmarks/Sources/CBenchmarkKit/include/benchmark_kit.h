#ifndef BENCHMARK_KIT_H
#define BENCHMARK_KIT_H

// Binds the process, and the threads that it starts from now on, to the last core that it may use; 0, or -1.
int bench_stay_on_one_core(void);

#endif
