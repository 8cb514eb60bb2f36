#include "loop_clock.h"

#include <gtk/gtk.h>
#include <string.h>
#include <time.h>

// All of it on the main thread.
static uint64_t total, started, total_cpu, started_cpu;
static unsigned depth, calls, short_calls;
// What the clocks themselves add to each handler, in picoseconds.
static uint64_t own, own_cpu, own_short;

static uint64_t read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void enter(void) {
    if (depth++ > 0) return;
    calls++;
    started = read_clock(CLOCK_MONOTONIC);
    started_cpu = read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void leave(void) {
    if (--depth > 0) return;
    total_cpu += read_clock(CLOCK_THREAD_CPUTIME_ID) - started_cpu;
    total += read_clock(CLOCK_MONOTONIC) - started;
}

// The CPU clock takes longer than a handler that does next to nothing, and more so in a cache that others have filled: of
// those that come by the hundred in a frame only the clock on the wall is read, and counts for both.
static void enter_short(void) {
    if (depth++ > 0) return;
    short_calls++;
    started = read_clock(CLOCK_MONOTONIC);
}

static void leave_short(void) {
    if (--depth > 0) return;
    uint64_t taken = read_clock(CLOCK_MONOTONIC) - started;
    total += taken;
    total_cpu += taken;
}

static void forget(void) { total = total_cpu = calls = short_calls = 0; }

// The least of many tries, which nothing else disturbed.
static void calibrate(void) {
    enum { tries = 200, rounds = 100 };
    own = own_cpu = own_short = UINT64_MAX;
    for (int try = 0; try < tries; try++) {
        forget();
        for (int round = 0; round < rounds; round++) {
            enter();
            leave();
        }
        own = MIN(own, total * 1000 / rounds);
        own_cpu = MIN(own_cpu, total_cpu * 1000 / rounds);
        forget();
        for (int round = 0; round < rounds; round++) {
            enter_short();
            leave_short();
        }
        own_short = MIN(own_short, total * 1000 / rounds);
    }
    forget();
}

static uint64_t without(uint64_t taken, uint64_t own_each) {
    uint64_t clocks = (own_each * calls + own_short * short_calls) / 1000;
    return taken > clocks ? taken - clocks : 0;
}

uint64_t loop_clock_take(uint64_t *cpu) {
    if (own == 0) calibrate();
    uint64_t taken = without(total, own);
    *cpu = without(total_cpu, own_cpu);
    forget();
    return taken;
}

uint64_t loop_clock_thread_cpu(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

// Swift's main queue.

void __real__dispatch_main_queue_callback_4CF(void *message);
void __wrap__dispatch_main_queue_callback_4CF(void *message);

void __wrap__dispatch_main_queue_callback_4CF(void *message) {
    enter();
    __real__dispatch_main_queue_callback_4CF(message);
    leave();
}

// Tick callbacks.

struct tick {
    GtkTickCallback callback;
    gpointer data;
    GDestroyNotify destroy;
};

guint __real_gtk_widget_add_tick_callback(GtkWidget *, GtkTickCallback, gpointer, GDestroyNotify);
guint __wrap_gtk_widget_add_tick_callback(GtkWidget *, GtkTickCallback, gpointer, GDestroyNotify);

static gboolean timed_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data) {
    const struct tick *tick = data;
    enter();
    gboolean goes_on = tick->callback(widget, clock, tick->data);
    leave();
    return goes_on;
}

static void free_tick(gpointer data) {
    struct tick *tick = data;
    if (tick->destroy) tick->destroy(tick->data);
    g_free(tick);
}

guint __wrap_gtk_widget_add_tick_callback(GtkWidget *widget, GtkTickCallback callback, gpointer data,
                                          GDestroyNotify destroy) {
    struct tick *tick = g_new(struct tick, 1);
    *tick = (struct tick){callback, data, destroy};
    return __real_gtk_widget_add_tick_callback(widget, timed_tick, tick, free_tick);
}

// Signals.

gulong __real_g_signal_connect_data(gpointer, const gchar *, GCallback, gpointer, GClosureNotify, GConnectFlags);
gulong __wrap_g_signal_connect_data(gpointer, const gchar *, GCallback, gpointer, GClosureNotify, GConnectFlags);

static void begin_handler(gpointer data, GClosure *closure) {
    (void)data;
    (void)closure;
    enter();
}

static void end_handler(gpointer data, GClosure *closure) {
    (void)data;
    (void)closure;
    leave();
}

static void begin_short_handler(gpointer data, GClosure *closure) {
    (void)data;
    (void)closure;
    enter_short();
}

static void end_short_handler(gpointer data, GClosure *closure) {
    (void)data;
    (void)closure;
    leave_short();
}

gulong __wrap_g_signal_connect_data(gpointer object, const gchar *signal, GCallback handler, gpointer data,
                                    GClosureNotify destroy, GConnectFlags flags) {
    GClosure *closure = flags & G_CONNECT_SWAPPED ? g_cclosure_new_swap(handler, data, destroy)
                                                  : g_cclosure_new(handler, data, destroy);
    // Guards, so that the marshaller stays the signal's own.
    if (strcmp(signal, "bind") == 0 || strcmp(signal, "unbind") == 0)
        g_closure_add_marshal_guards(closure, NULL, begin_short_handler, NULL, end_short_handler);
    else
        g_closure_add_marshal_guards(closure, NULL, begin_handler, NULL, end_handler);
    return g_signal_connect_closure(object, signal, closure, (flags & G_CONNECT_AFTER) != 0);
}

void loop_clock_connect_uncounted(void *object, const char *signal, void (*handler)(void *), void *data) {
    __real_g_signal_connect_data(object, signal, G_CALLBACK(handler), data, NULL, G_CONNECT_SWAPPED);
}

// Observers of paintables: one function for all of them.

void __real_kuva_gtk_paintable_observe(void *, void (*)(void *), void *);
void __wrap_kuva_gtk_paintable_observe(void *, void (*)(void *), void *);

static void (*observer)(void *);

static void timed_observer(void *data) {
    enter();
    observer(data);
    leave();
}

void __wrap_kuva_gtk_paintable_observe(void *paintable, void (*drawn)(void *), void *data) {
    if (drawn) observer = drawn;
    __real_kuva_gtk_paintable_observe(paintable, drawn ? timed_observer : NULL, data);
}
