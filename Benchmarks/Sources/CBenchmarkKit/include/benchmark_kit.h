#ifndef BENCHMARK_KIT_H
#define BENCHMARK_KIT_H

// Binds the process, and the threads that it starts from now on, to the last core that it may use; 0, or -1.
int bench_stay_on_one_core(void);

// Binds the calling thread to the core of this number, counted from 0 among those that it may use; 0, or -1.
int bench_stay_on_core(int number);

// Starts to count the allocations of all threads, from zero.
void bench_allocations_start(void);

// Ends that and returns their number.
long bench_allocations_stop(void);

#endif
